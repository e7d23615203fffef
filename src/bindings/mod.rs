//! What the JavaScript of `pkg/` calls: thin, plain numbers and bytes across, and no values built that JavaScript can
//! build itself. Compiled for the npm package alone: the client with the validator, and the syntax check.

pub mod buffer;
#[cfg(feature = "client")]
pub mod client;
#[cfg(feature = "syntax")]
pub mod syntax;
#[cfg(feature = "client")]
pub mod validate;

#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();
