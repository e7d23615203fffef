//! What the JavaScript of `pkg/` calls: thin, plain numbers and bytes across, and no values built that JavaScript can
//! build itself. Compiled for the npm package alone.

pub mod buffer;
pub mod client;
pub mod validate;

#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();
