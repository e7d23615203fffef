//! The Rust side of `pkg/src/validate/validate.ts`. JavaScript writes a body into the buffer, and it is validated
//! there. The result for an invalid body is one JSON text, an `Invalid` (pkg/src/validate/validate.ts), so that
//! JavaScript gets plain data from `JSON.parse`. The functions return its length; 0 if the body is valid.

use wasm_bindgen::prelude::wasm_bindgen;

use super::{Page, page};
use crate::shape::ObjectId;
use crate::shape::types::Object;
use crate::validate;

/// Returns the body with this index in [`ObjectId::BODIES`].
fn body(page: &Page, shape: usize, kind: usize) -> Option<&Object> {
    // JavaScript sends only valid numbers, so the fallback is never used.
    let id = ObjectId::BODIES.get(kind).copied().unwrap_or(ObjectId::Draft);
    Some(page.shape(shape)?.object(id))
}

/// Validates the body in the first `bytes` bytes of the buffer by the object with the index `kind` in
/// [`ObjectId::BODIES`] of a shape. `object`: the text was written from a JavaScript object.
#[wasm_bindgen(skip_typescript)]
pub fn invalid(shape: usize, kind: usize, bytes: usize, object: bool) -> usize {
    page(|page| {
        let schema = body(page, shape, kind);
        page.give(schema.and_then(|schema| validate::invalid(schema, page.bytes(bytes), object)))
    })
}

/// Validates a part of a body of the kind: the buffer has its path in `path` bytes, and then its value in `bytes`
/// bytes, written from a JavaScript value. Returns as [`invalid`] does; the text is `null` if there is no such part.
#[wasm_bindgen(skip_typescript)]
pub fn invalid_part(shape: usize, kind: usize, path: usize, bytes: usize) -> usize {
    page(|page| {
        let (path, value) = page.bytes(path + bytes).split_at_checked(path).unwrap_or_default();
        let path = core::str::from_utf8(path).unwrap_or_default();
        let schema = body(page, shape, kind);
        let invalid = schema.and_then(|schema| validate::invalid_part(schema, path, value));
        page.give(invalid.unwrap_or_else(|| Some("null".to_owned())))
    })
}

/// Returns the result for a body that is larger than the limit (D10), which is never written into the buffer.
#[wasm_bindgen(skip_typescript)]
pub fn too_large() -> usize {
    page(|page| page.give(Some(validate::too_large())))
}
