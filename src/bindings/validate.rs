//! The validator's side of `pkg/validate.js`: a body is written into the buffer here and judged where it lies, and what
//! is wrong comes back as one text and the lengths of its parts, so that a call costs one crossing and no allocation
//! of JavaScript's.

use core::cell::RefCell;

use wasm_bindgen::prelude::wasm_bindgen;

use super::buffer;
use crate::contract::error::Code;
use crate::contract::schema::Object;
use crate::contract::{json, limits, schema};
use crate::validate::{Listing, is_valid, list, list_object};

thread_local! {
    static ANSWER: RefCell<Answer> = const { RefCell::new(Answer { listing: Listing::new(), words: [0; 6] }) };
}

/// Used again by each call, so that validation leaves no allocation behind.
struct Answer {
    listing: Listing,
    words: [u32; 6],
}

impl Answer {
    /// 0 where nothing is wrong, else the address of six words: how many issues there are, how many more, where their
    /// parts lie and how many they are, where their text lies and its length in bytes. [`Listing`] says what is in them.
    fn address(&mut self) -> u32 {
        let listing = &self.listing;
        if listing.count() == 0 {
            return 0;
        }
        let (parts, text) = (listing.parts(), listing.text());
        self.words = [
            listing.count() as u32,
            listing.more(),
            parts.as_ptr() as usize as u32,
            parts.len() as u32,
            text.as_ptr() as usize as u32,
            text.len() as u32,
        ];
        self.words.as_ptr() as usize as u32
    }
}

/// Whether the body of that many bytes in the buffer is valid by the schema of that number in [`schema::BODIES`].
#[wasm_bindgen(skip_typescript)]
#[must_use]
pub fn judge(kind: usize, bytes: usize) -> bool {
    buffer::body(bytes, |body| is_valid(schema_of(kind), body))
}

/// What is wrong with that body: 0 where it is valid, else the address of the answer. `object` where it is a JavaScript
/// object, written down for [`list_object`].
#[wasm_bindgen(skip_typescript)]
#[must_use]
pub fn explain(kind: usize, bytes: usize, object: bool) -> u32 {
    let list = if object { list_object } else { list };
    ANSWER.with_borrow_mut(|answer| {
        buffer::body(bytes, |body| list(schema_of(kind), body, &mut answer.listing));
        answer.address()
    })
}

/// The schema of a number that JavaScript sends, which sends no other.
fn schema_of(kind: usize) -> &'static Object {
    schema::BODIES.get(kind).copied().unwrap_or(&schema::RESOURCE_DRAFT)
}

/// The answer to a body that is larger than any may be (D10), which is never written into the buffer.
#[wasm_bindgen(skip_typescript)]
#[must_use]
pub fn too_large() -> u32 {
    ANSWER.with_borrow_mut(|answer| {
        let mut most = String::new();
        json::integer(&mut most, limits::BODY_BYTES as i64);
        answer.listing.clear();
        answer
            .listing
            .whole(Code::ContentTooLarge, &["The body is too large: at most ", &most, " bytes are taken."]);
        answer.address()
    })
}
