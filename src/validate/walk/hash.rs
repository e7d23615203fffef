//! Hashes of values, by which items that must differ are compared: equal values have equal hashes. That two others have
//! the same one of 64 bits is too unlikely to matter. An integer and a number are their own hashes.

/// FNV-1a.
const START: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0100_0000_01b3;

pub(super) fn text_hash(text: &str) -> u64 {
    text.bytes().fold(START, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}

/// Returns the hash of a value after others: after the items before it in an array, or after the number of its member
/// in an object.
pub(super) fn joined(others: u64, value: u64) -> u64 {
    mixed(mixed(others) ^ value)
}

/// Returns another number for each number, with all bits changed: the last steps of `SplitMix64`.
fn mixed(value: u64) -> u64 {
    let mut value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::test;

    /// Returns integers that differ in one bit or in all.
    fn integers() -> Vec<u64> {
        let powers = (0..63).map(|bit| 1_u64 << bit);
        powers.flat_map(|power| [power, power.wrapping_neg()]).chain([0, 3]).collect()
    }

    #[test]
    fn small_values_in_different_places_have_different_hashes() {
        let terms: Vec<u64> =
            (0..9).flat_map(|at| integers().into_iter().map(move |value| joined(at, value))).collect();
        // No member, one, and two in any order.
        let mut objects = HashSet::from([0]);
        for (at, one) in terms.iter().enumerate() {
            assert!(objects.insert(*one));
            for other in &terms[..at] {
                assert!(objects.insert(one.wrapping_add(*other)));
            }
        }
        let mut arrays = HashSet::from([0]);
        for one in integers() {
            assert!(arrays.insert(joined(0, one)));
            for other in integers() {
                assert!(arrays.insert(joined(joined(0, one), other)), "{one} {other}");
            }
        }
    }

    #[test]
    fn texts_have_different_hashes() {
        let texts = ["", "a", "b", "ab", "ba", "\0", "a\0", "é", "e\u{301}"];
        assert_eq!(texts.iter().map(|text| text_hash(text)).collect::<HashSet<_>>().len(), texts.len());
    }
}
