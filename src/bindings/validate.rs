//! The validator's side of `pkg/validate.js`: a body is written into the buffer here and judged where it lies, and what
//! is wrong comes back as one text and the lengths of its parts, so that a call costs one crossing and no allocation
//! of JavaScript's.

use core::cell::RefCell;

use wasm_bindgen::prelude::wasm_bindgen;

use crate::contract::error::Code;
use crate::contract::schema::Object;
use crate::contract::{json, limits, schema};
use crate::validate::{Listing, is_valid, list, list_object};

thread_local! {
    static BUFFERS: RefCell<Buffers> = const { RefCell::new(Buffers::new()) };
}

/// Used again by each call, so that validation leaves no allocation behind.
struct Buffers {
    /// The body; its length is what was reserved.
    body: Vec<u8>,
    listing: Listing,
    answer: [u32; 6],
}

impl Buffers {
    const fn new() -> Self {
        Self { body: Vec::new(), listing: Listing::new(), answer: [0; 6] }
    }

    /// 0 where nothing is wrong, else the address of six words: how many issues there are, how many more, where their
    /// parts lie and how many they are, where their text lies and its length in bytes. [`Listing`] says what is in them.
    fn answer(&mut self) -> u32 {
        let listing = &self.listing;
        if listing.count() == 0 {
            return 0;
        }
        let (parts, text) = (listing.parts(), listing.text());
        self.answer = [
            listing.count() as u32,
            listing.more(),
            parts.as_ptr() as usize as u32,
            parts.len() as u32,
            text.as_ptr() as usize as u32,
            text.len() as u32,
        ];
        self.answer.as_ptr() as usize as u32
    }
}

/// Makes room for a body and returns its address, which the next larger reservation moves.
#[wasm_bindgen(skip_typescript)]
#[must_use]
pub fn reserve(bytes: usize) -> u32 {
    BUFFERS.with_borrow_mut(|buffers| {
        if buffers.body.len() < bytes {
            buffers.body.resize(bytes, 0);
        }
        buffers.body.as_ptr() as usize as u32
    })
}

/// Whether the body of that many bytes in the buffer is valid by the schema of that number in [`schema::BODIES`].
#[wasm_bindgen(skip_typescript)]
#[must_use]
pub fn judge(kind: usize, bytes: usize) -> bool {
    BUFFERS.with_borrow(|buffers| is_valid(schema_of(kind), buffers.body.get(..bytes).unwrap_or_default()))
}

/// What is wrong with that body: 0 where it is valid, else the address of the answer. `object` where it is a JavaScript
/// object, written down for [`list_object`].
#[wasm_bindgen(skip_typescript)]
#[must_use]
pub fn explain(kind: usize, bytes: usize, object: bool) -> u32 {
    BUFFERS.with_borrow_mut(|buffers| {
        let body = buffers.body.get(..bytes).unwrap_or_default();
        let list = if object { list_object } else { list };
        list(schema_of(kind), body, &mut buffers.listing);
        buffers.answer()
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
    BUFFERS.with_borrow_mut(|buffers| {
        let mut most = String::new();
        json::integer(&mut most, limits::BODY_BYTES as i64);
        buffers.listing.clear();
        buffers
            .listing
            .whole(Code::ContentTooLarge, &["The body is too large: at most ", &most, " bytes are taken."]);
        buffers.answer()
    })
}
