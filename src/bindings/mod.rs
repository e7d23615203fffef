//! The functions that the JavaScript of `pkg/` calls. They are thin: JavaScript and Rust exchange only numbers and
//! bytes, and no values are built that JavaScript can build. Compiled only for the npm package: the client with the
//! validator, and the syntax check.

pub mod buffer;
#[cfg(feature = "client")]
pub mod client;
#[cfg(feature = "syntax")]
pub mod syntax;
#[cfg(feature = "client")]
pub mod validate;

#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();
