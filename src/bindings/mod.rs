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

use wasm_bindgen::prelude::wasm_bindgen;

use crate::contract::resource::own;

#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

/// Lets the program use the table of own fields in the first `bytes` bytes of the buffer ([`own::set_fields`]). Returns
/// what is wrong with it; undefined if it is valid.
#[wasm_bindgen(skip_typescript)]
pub fn set_fields(bytes: usize) -> Option<String> {
    // JavaScript encodes only the bytes of a text.
    buffer::body(bytes, |table| own::set_fields(core::str::from_utf8(table).unwrap_or_default()))
}
