//! The edges on Cloudflare Workers: KV, the Durable Object and the entry points.
//!
//! What JavaScript must hold itself (the two classes that the platform wants, reading a bounded body, and what outlives
//! a trap) stands in `entry.mjs`; the few calls whose crossings would cost most stand in `glue.mjs`. Everything that
//! decides anything is Rust, and below this layer pure.

mod database;
mod drain;
mod effects;
pub mod entry;
mod glue;
pub mod object;
mod platform;
