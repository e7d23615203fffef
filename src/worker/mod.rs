//! The edges on Cloudflare Workers: KV, the Durable Object, and the entry points.
//!
//! JavaScript has only what must be JavaScript: the two classes that the platform requires, bounded bodies, and the
//! recovery from a trap (`entry.ts`), the effects of requests (`effects.ts`), and the calls of objects (`glue.ts`).
//! All decisions are in Rust, in the pure layers below.

#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

pub mod edge;
mod glue;
pub mod object;
mod platform;
pub mod resources;
