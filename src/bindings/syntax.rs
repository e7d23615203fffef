//! The syntax check of `pkg/src/syntax.ts`: JavaScript writes an expression into the buffer and receives the first
//! error as JSON.

use wasm_bindgen::prelude::wasm_bindgen;

use super::{buffer, shape};
use crate::syntax::{self, Language};

/// Returns the first error, as JSON, of the expression in the first `bytes` bytes of the buffer; undefined if there is
/// none. `shape_number`: that of the shape whose fields it may name. `language` is an index into [`Language::ALL`].
#[wasm_bindgen(skip_typescript)]
pub fn check(shape_number: usize, language: usize, bytes: usize) -> Option<String> {
    buffer::body(bytes, |bytes| {
        // JavaScript encodes only the bytes of a text.
        let text = core::str::from_utf8(bytes).unwrap_or_default();
        let language = Language::ALL.get(language).copied().unwrap_or(Language::Where);
        syntax::check(&shape(shape_number), language, text).map(|error| {
            let mut out = String::new();
            error.write(&mut out);
            out
        })
    })
}
