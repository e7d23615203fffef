//! The syntax check of `pkg/syntax.js`: an expression is written into the buffer, and what is wrong comes back as JSON.

use wasm_bindgen::prelude::wasm_bindgen;

use super::buffer;
use crate::syntax::{self, Language};

/// The first error, as JSON, of the expression of that many bytes in the buffer, in the language of that number in
/// [`Language::ALL`]; undefined if there is none.
#[wasm_bindgen(skip_typescript)]
#[must_use]
pub fn check(language: usize, bytes: usize) -> Option<String> {
    buffer::body(bytes, |bytes| {
        // JavaScript encodes no other bytes than those of a text.
        let text = core::str::from_utf8(bytes).unwrap_or_default();
        let language = Language::ALL.get(language).copied().unwrap_or(Language::Where);
        syntax::check(language, text).map(|error| {
            let mut out = String::new();
            error.write(&mut out);
            out
        })
    })
}
