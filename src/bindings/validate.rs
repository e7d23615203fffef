//! The validator's side of `pkg/validate.js`: a body is written into the buffer here and judged where it lies, and what
//! is wrong comes back as one text and the lengths of its parts, so that a call costs one crossing and no allocation
//! of JavaScript's.

use core::cell::Cell;
use core::mem::ManuallyDrop;

use wasm_bindgen::prelude::wasm_bindgen;

use super::buffer;
use crate::contract::error::{Code, Member};
use crate::contract::reason::Reason;
use crate::contract::schema::{Object, Slot};
use crate::contract::{limits, schema};
use crate::validate::{FIELD, Listing, count, list, list_object};

thread_local! {
    /// Used again by each call, so that validation leaves no allocation behind. It is never dropped.
    static LISTING: Cell<ManuallyDrop<Listing>> = const { Cell::new(ManuallyDrop::new(Listing::new())) };
    static ANSWER: Cell<[u32; 5]> = const { Cell::new([0; 5]) };
}

/// Fills the listing. Returns 0 if it has no issue, else the address of five words: how many issues there are, how many
/// more, where [`Listing::words`] lies, where [`Listing::text`] lies and its length in bytes.
fn answer(fill: impl FnOnce(&mut Listing)) -> u32 {
    let mut listing = LISTING.take();
    fill(&mut listing);
    let count = listing.count();
    let text = listing.text();
    ANSWER.set([
        count as u32,
        listing.more(),
        listing.words().as_ptr() as usize as u32,
        text.as_ptr() as usize as u32,
        text.len() as u32,
    ]);
    LISTING.set(listing);
    if count == 0 { 0 } else { ANSWER.with(|answer| answer.as_ptr() as usize as u32) }
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
    // Shifted together and not copied: engines take longer to start a copy than for all else of a small body.
    let last = rest.iter().fold(0, |word, byte| word << 8 | u64::from(*byte));
    let (mut sum, mut sums) = (bytes.len() as u64, 0_u64);
    for word in words.iter().map(|word| u64::from_le_bytes(*word)).chain([last]) {
        sum = sum.wrapping_add(word);
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
    answer(|listing| buffer::body(bytes, |body| list(schema_of(kind), body, listing)))
}

/// The schema of a number that JavaScript sends, which sends no other.
fn schema_of(kind: usize) -> &'static Object {
    schema::BODIES.get(kind).copied().unwrap_or(&schema::RESOURCE_DRAFT)
}

/// Written out, because numbers in texts cost a page more than this.
const TOO_LARGE: &str = "The body is too large: at most 1048576 bytes are taken.";
const _: () = assert!(limits::BODY_BYTES == 1_048_576);

/// The answer to a body that is larger than any may be (D10), which is never written into the buffer.
#[wasm_bindgen(skip_typescript)]
#[must_use]
pub fn too_large() -> u32 {
    answer(|listing| {
        listing.whole(Code::ContentTooLarge.wire(), TOO_LARGE, &|members| {
            members.reason(Reason::Size);
            members.integer(Member::Maximum, limits::BODY_BYTES as i64);
        });
    })
}

/// What the schema says of the issue at the index of the last answer ([`Listing::template`]); with [`FIELD`], the name of
/// the field of the rest of the number in [`Slot::ALL`].
#[wasm_bindgen(skip_typescript)]
#[must_use]
pub fn describe(number: u32) -> String {
    if let Some(field) = number.checked_sub(FIELD) {
        return Slot::ALL.get(field as usize).map_or("", |slot| slot.name()).to_owned();
    }
    let listing = LISTING.take();
    let template = listing.template(number as usize);
    LISTING.set(listing);
    template
}
