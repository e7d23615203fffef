//! The syntax check of `pkg/src/syntax.ts`, and the readers of schemas and of `resources.json`: JavaScript writes a
//! text into the buffer, and receives JSON or a sentence.

use wasm_bindgen::prelude::wasm_bindgen;

use super::{buffer, shape};
use crate::rights;
use crate::shape::{Refused, Resources, Shape};
use crate::syntax::{self, Language};
use crate::util::json;

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

/// Reads the JSON Schema of a resource in the first `bytes` bytes of the buffer. Returns a `SchemaReading`
/// (pkg/src/own/declare.ts) as JSON: its plain form, the same with its annotations, or what is wrong with it and where.
#[wasm_bindgen(skip_typescript)]
pub fn read_schema(bytes: usize) -> String {
    let read = buffer::body(bytes, |schema| {
        let schema = core::str::from_utf8(schema).unwrap_or_default();
        Ok((Shape::plain_schema(schema)?, Shape::described_schema(schema)?))
    });
    json::object(|object| match read {
        Ok((plain, described)) => {
            object.member("plain").push_str(&plain);
            object.member("described").push_str(&described);
        }
        Err(Refused { at, message }) => {
            object.text("at", &at);
            object.text("message", &message);
        }
    })
}

/// Returns what is wrong with the content of `resources.json`, without its defaults, in the first `bytes` bytes of the
/// buffer.
#[wasm_bindgen(skip_typescript)]
pub fn check_resources(bytes: usize) -> Option<String> {
    let checked = buffer::body(bytes, |text| {
        let resources = Resources::read(core::str::from_utf8(text).unwrap_or_default())?;
        rights::check(&resources)
    });
    checked.err().map(|refused| refused.of_resources())
}
