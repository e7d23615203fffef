//! Functions on text. They are never inlined, because each byte of the client counts in the size of a page.

use crate::contract::error::quote::quoted;
use crate::util::text::concat;

/// Splits a text at an ASCII byte. Returns the text before it, and the text after it if the byte occurs.
#[inline(never)]
pub(super) fn cut(text: &str, at: u8) -> (&str, Option<&str>) {
    match text.bytes().position(|byte| byte == at) {
        Some(end) => (text.get(..end).unwrap_or_default(), text.get(end + 1..)),
        None => (text, None),
    }
}

/// Returns the sentence about a wrong option.
#[cold]
#[inline(never)]
pub(super) fn wrong(name: &str, expected: &str, found: &str) -> String {
    concat(&[name, ": expected ", expected, ", found '", quoted(found), "'."])
}
