//! The syntax check of `pkg/src/syntax.ts`, and the readers of schemas and of `resources.json`: JavaScript writes a
//! text into the buffer, and receives the length of JSON or of a sentence; 0 if there is none.

use wasm_bindgen::prelude::wasm_bindgen;

use super::page;
use crate::rights;
use crate::shape::{Refused, Resources, Shape};
use crate::syntax::{self, Language};
use crate::util::json;

/// Returns the first error, as JSON, of the expression in the first `bytes` bytes of the buffer. `shape`: the number of
/// the shape whose fields it may name. `language` is an index into [`Language::ALL`].
#[wasm_bindgen(skip_typescript)]
pub fn check(shape: usize, language: usize, bytes: usize) -> usize {
    page(|page| {
        let language = Language::ALL.get(language).copied().unwrap_or(Language::Where);
        let error = page.shape(shape).and_then(|shape| syntax::check(shape, language, page.text(bytes)));
        page.give(error.map(|error| {
            let mut out = String::new();
            error.write(&mut out);
            out
        }))
    })
}

/// Reads the JSON Schema of a resource in the first `bytes` bytes of the buffer. Returns a `SchemaReading`
/// (pkg/src/own/declare.ts) as JSON: its plain form, the same with its annotations, or what is wrong with it and where.
#[wasm_bindgen(skip_typescript)]
pub fn read_schema(bytes: usize) -> usize {
    page(|page| {
        let schema = page.text(bytes);
        let read =
            Shape::plain_schema(schema).and_then(|plain| Ok((plain, Shape::described_schema(schema)?)));
        let reading = json::object(|object| match read {
            Ok((plain, described)) => {
                object.member("plain").push_str(&plain);
                object.member("described").push_str(&described);
            }
            Err(Refused { at, message }) => {
                object.text("at", &at);
                object.text("message", &message);
            }
        });
        page.give(Some(reading))
    })
}

/// Returns what is wrong with the content of `resources.json`, without its defaults, in the first `bytes` bytes of the
/// buffer.
#[wasm_bindgen(skip_typescript)]
pub fn check_resources(bytes: usize) -> usize {
    page(|page| {
        let checked = Resources::read(page.text(bytes)).and_then(|resources| rights::check(&resources));
        page.give(checked.err().map(|refused| refused.of_resources()))
    })
}
