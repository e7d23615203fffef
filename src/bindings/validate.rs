//! The Rust side of `pkg/src/validate/validate.ts`. JavaScript writes a body into the buffer, and it is validated
//! there. The result for an invalid body is returned as one JSON text, so that JavaScript gets plain data from
//! `JSON.parse`.

use wasm_bindgen::prelude::wasm_bindgen;

use super::{buffer, shape};
use crate::shape::ObjectId;
use crate::validate;

/// Returns the body with this index in [`ObjectId::BODIES`].
fn body(kind: usize) -> ObjectId {
    // JavaScript sends only valid numbers, so the fallback is never used.
    ObjectId::BODIES.get(kind).copied().unwrap_or(ObjectId::Draft)
}

/// Validates the body in the first `bytes` bytes of the buffer by the object with the index `kind` in
/// [`ObjectId::BODIES`] of a shape. Returns `undefined` if it is valid, else an `Invalid`
/// (pkg/src/validate/validate.ts) as JSON. `object`: the text was written from a JavaScript object.
#[wasm_bindgen(skip_typescript)]
pub fn invalid(shape_number: usize, kind: usize, bytes: usize, object: bool) -> Option<String> {
    buffer::body(bytes, |text| validate::invalid(shape(shape_number).object(body(kind)), text, object))
}

/// Validates a part of a body of the kind: the buffer has its path in `path` bytes, and then its value in `bytes`
/// bytes, written from a JavaScript value. Returns as [`invalid`] does; an empty text if there is no such part.
#[wasm_bindgen(skip_typescript)]
pub fn invalid_part(shape_number: usize, kind: usize, path: usize, bytes: usize) -> Option<String> {
    buffer::body(path + bytes, |both| {
        let (path, text) = both.split_at_checked(path).unwrap_or_default();
        let path = core::str::from_utf8(path).unwrap_or_default();
        validate::invalid_part(shape(shape_number).object(body(kind)), path, text)
            .unwrap_or_else(|| Some(String::new()))
    })
}

/// Returns the result for a body that is larger than the limit (D10), which is never written into the buffer.
#[wasm_bindgen(skip_typescript)]
pub fn too_large() -> String {
    validate::too_large()
}
