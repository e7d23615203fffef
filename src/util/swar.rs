//! Scans text eight bytes at a time (SWAR).
#![allow(clippy::inline_always, reason = "each byte passes these, and the compiler optimizes pages for size")]

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

#[inline(always)]
fn word(bytes: [u8; 8]) -> u64 {
    u64::from_le_bytes(bytes)
}

/// Returns whether two texts of the same length are equal.
#[inline(always)]
pub fn same(left: &[u8], right: &[u8]) -> bool {
    let (left, left_rest) = left.as_chunks();
    let (right, right_rest) = right.as_chunks();
    left.iter().zip(right).all(|(left, right)| word(*left) == word(*right))
        && left_rest.iter().zip(right_rest).all(|(left, right)| left == right)
}

/// Returns how many bytes precede the first special one in a JSON string: a quote, a backslash, or a control character.
#[inline(never)]
pub fn run(bytes: &[u8]) -> usize {
    let (chunks, rest) = bytes.as_chunks();
    let mut passed = 0;
    for chunk in chunks {
        let found = special(word(*chunk));
        if found != 0 {
            return passed + (found.trailing_zeros() / 8) as usize;
        }
        passed += 8;
    }
    passed + rest.iter().take_while(|byte| **byte >= 0x20 && **byte != b'"' && **byte != b'\\').count()
}

/// Returns a word with a high bit at the first special byte, and none below it ("Bit Twiddling Hacks", Determine if a
/// word has a byte less than n).
#[inline(always)]
fn special(word: u64) -> u64 {
    let quote = word ^ (LOW * u64::from(b'"'));
    let slash = word ^ (LOW * u64::from(b'\\'));
    let control = word.wrapping_sub(LOW * 0x20) & !word;
    (control | (quote.wrapping_sub(LOW) & !quote) | (slash.wrapping_sub(LOW) & !slash)) & HIGH
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_run_ends_where_a_search_byte_by_byte_ends(bytes in proptest::collection::vec(
            prop_oneof![4 => any::<u8>(), 20 => b'a'..=b'z', 1 => proptest::sample::select(b"\"\\\x1f\x20\x21\x7f\x80\xff\0".to_vec())],
            0..40,
        )) {
            let expected = bytes.iter().position(|byte| *byte < 0x20 || *byte == b'"' || *byte == b'\\');
            prop_assert_eq!(run(&bytes), expected.unwrap_or(bytes.len()));
        }

        #[test]
        fn texts_are_the_same_if_all_their_bytes_are(left in "[ab]{0,20}", right in "[ab]{0,20}") {
            let length = left.len().min(right.len());
            let (left, right) = (&left.as_bytes()[..length], &right.as_bytes()[..length]);
            prop_assert_eq!(same(left, right), left == right);
            prop_assert!(same(left, left));
        }
    }
}
