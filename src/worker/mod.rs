//! The edges on Cloudflare Workers: KV, the Durable Object and the entry points.
