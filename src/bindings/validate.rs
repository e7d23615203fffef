//! The validator's side of `pkg/validate.js`: a body is written into the buffer here and judged where it lies, and what
//! is wrong comes back as one text and the lengths of its parts, so that a call costs one crossing and no allocation
//! of JavaScript's.

use core::cell::RefCell;

use wasm_bindgen::prelude::wasm_bindgen;

use super::buffer;
use crate::contract::error::Code;
use crate::contract::schema::Object;
use crate::contract::{json, limits, schema};
use crate::validate::{Listing, count, list, list_object};

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

/// The verdict on the body of that many bytes in the buffer, by the schema of that number in [`schema::BODIES`]: bit 0 where
/// it is valid, bit 1 where it has more issues than are listed. The other bits are a checksum of the bytes, by which
/// JavaScript tells that they have changed.
#[wasm_bindgen(skip_typescript)]
#[must_use]
pub fn judge(kind: usize, bytes: usize) -> u32 {
    buffer::body(bytes, |body| {
        let issues = count(schema_of(kind), body);
        let verdict = u32::from(issues == 0) | u32::from(issues as usize > limits::ISSUES) << 1;
        checksum(body) << 2 | verdict
    })
}

/// A checksum after Fletcher, on words of 8 bytes: two additions for each, so that it costs far less than the verdict.
fn checksum(bytes: &[u8]) -> u32 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
    let (mut sum, mut sums) = (bytes.len() as u64, 0_u64);
    for word in words.iter().chain([&last]) {
        sum = sum.wrapping_add(u64::from_le_bytes(*word));
        sums = sums.wrapping_add(sum);
    }
    // A prime near 2^64 / φ mixes both into the upper half.
    let mixed = (sum ^ sums.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 32) as u32
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
