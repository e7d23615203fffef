//! The Rust side of `pkg/src/validate/validate.ts`. JavaScript writes a body into the buffer, and it is validated
//! there. The result for an invalid body is returned as one JSON text, so that JavaScript gets plain data from
//! `JSON.parse`.

use wasm_bindgen::prelude::wasm_bindgen;

use super::buffer;
use crate::contract::resource::schema;
use crate::validate;

/// Validates the body in the first `bytes` bytes of the buffer by the schema with the index `kind` in
/// [`schema::BODIES`]. Returns `undefined` if it is valid, else an `Invalid` (pkg/src/validate/validate.ts) as JSON.
/// `object`: the text was written from a JavaScript object.
#[wasm_bindgen(skip_typescript)]
pub fn invalid(kind: usize, bytes: usize, object: bool) -> Option<String> {
    // JavaScript sends only valid numbers, so the fallback is never used.
    let schema = schema::BODIES.get(kind).copied().unwrap_or(&schema::RESOURCE_DRAFT);
    buffer::body(bytes, |body| validate::invalid(schema, body, object))
}

/// Validates a part of a body of the kind: the buffer has its path in `path` bytes, and then its value in `bytes`
/// bytes, written from a JavaScript value. Returns as [`invalid`] does; an empty text if there is no such part.
#[wasm_bindgen(skip_typescript)]
pub fn invalid_part(kind: usize, path: usize, bytes: usize) -> Option<String> {
    let schema = schema::BODIES.get(kind).copied().unwrap_or(&schema::RESOURCE_DRAFT);
    buffer::body(path + bytes, |both| {
        let (path, text) = both.split_at_checked(path).unwrap_or_default();
        let path = core::str::from_utf8(path).unwrap_or_default();
        validate::invalid_part(schema, path, text).unwrap_or_else(|| Some(String::new()))
    })
}

/// Returns the result for a body that is larger than the limit (D10), which is never written into the buffer.
#[wasm_bindgen(skip_typescript)]
pub fn too_large() -> String {
    validate::too_large()
}
