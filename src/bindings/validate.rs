//! The Rust side of `pkg/validate.js`. JavaScript writes a body into the buffer, and it is validated there. The issues
//! are returned as one text and the lengths of its parts, so that a call costs one boundary call and no allocation in
//! JavaScript.

use core::cell::Cell;
use core::mem::ManuallyDrop;

use wasm_bindgen::prelude::wasm_bindgen;

use super::buffer;
use crate::contract::error::reason::Reason;
use crate::contract::error::{Code, Member};
use crate::contract::limits;
use crate::contract::resource::schema;
use crate::contract::resource::schema::{FieldId, Object};
use crate::validate::{FIELD, IssueList, count, list, list_object};

thread_local! {
    /// Reused by each call, so that validation leaves no allocation behind. It is never dropped.
    static ISSUES: Cell<ManuallyDrop<IssueList>> = const { Cell::new(ManuallyDrop::new(IssueList::new())) };
    static ANSWER: Cell<[u32; 5]> = const { Cell::new([0; 5]) };
}

/// Fills the list. Returns 0 if it has no issue, else the address of five words: the number of listed issues, the
/// number of further issues, the address of [`IssueList::words`], and the address of [`IssueList::text`] with its
/// length in bytes.
fn answer(fill: impl FnOnce(&mut IssueList)) -> u32 {
    let mut issues = ISSUES.take();
    fill(&mut issues);
    let count = issues.count();
    let text = issues.text();
    ANSWER.set([
        count as u32,
        issues.more(),
        issues.words().as_ptr() as usize as u32,
        text.as_ptr() as usize as u32,
        text.len() as u32,
    ]);
    ISSUES.set(issues);
    if count == 0 { 0 } else { ANSWER.with(|answer| answer.as_ptr() as usize as u32) }
}

/// Validates the body in the first `bytes` bytes of the buffer by the schema with the index `kind` in
/// [`schema::BODIES`]. Returns the verdict: bit 0 if the body is valid, bit 1 if it has more issues than are listed.
/// The other bits are a checksum of the bytes. With it, JavaScript detects that the bytes have changed.
#[wasm_bindgen(skip_typescript)]
#[must_use]
pub fn check_body(kind: usize, bytes: usize) -> u32 {
    buffer::body(bytes, |body| {
        let issues = count(schema_of(kind), body);
        let verdict = u32::from(issues == 0) | u32::from(issues as usize > limits::ISSUES) << 1;
        checksum(body) << 2 | verdict
    })
}

/// Computes a checksum after Fletcher, on words of 8 bytes: two additions per word, so that it costs far less than the
/// verdict.
fn checksum(bytes: &[u8]) -> u32 {
    let (words, rest) = bytes.as_chunks::<8>();
    // Shifted together instead of copied: engines take longer to start a copy than for everything else in a small body.
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

/// Lists the issues of the body in the buffer. Returns 0 if it is valid, else the address of the issue list. `object`:
/// the text was written from a JavaScript object ([`list_object`]).
#[wasm_bindgen(skip_typescript)]
#[must_use]
pub fn explain(kind: usize, bytes: usize, object: bool) -> u32 {
    let list = if object { list_object } else { list };
    answer(|issues| buffer::body(bytes, |body| list(schema_of(kind), body, issues)))
}

/// Returns the schema with this number. JavaScript sends only valid numbers, so the fallback is never used.
fn schema_of(kind: usize) -> &'static Object {
    schema::BODIES.get(kind).copied().unwrap_or(&schema::RESOURCE_DRAFT)
}

/// Written out, because code that prints numbers costs a page more than this.
const TOO_LARGE: &str = "The body is too large. The limit is 1048576 bytes.";
const _: () = assert!(limits::BODY_BYTES == 1_048_576);

/// Returns the issue of a body that is larger than the limit (D10), which is never written into the buffer.
#[wasm_bindgen(skip_typescript)]
#[must_use]
pub fn too_large() -> u32 {
    answer(|issues| {
        issues.whole(Code::ContentTooLarge.wire(), TOO_LARGE, &|members| {
            members.reason(Reason::Size);
            members.integer(Member::Maximum, limits::BODY_BYTES as i64);
        });
    })
}

/// Returns the schema's part of an issue: `number` is the issue's index in the last issue list
/// ([`IssueList::template`]). From [`FIELD`] on, returns a field's name: `number - FIELD` is its index in
/// [`FieldId::ALL`].
#[wasm_bindgen(skip_typescript)]
#[must_use]
pub fn describe(number: u32) -> String {
    if let Some(field) = number.checked_sub(FIELD) {
        return FieldId::ALL.get(field as usize).map_or("", |id| id.name()).to_owned();
    }
    let issues = ISSUES.take();
    let template = issues.template(number as usize);
    ISSUES.set(issues);
    template
}
