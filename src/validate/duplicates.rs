//! Finds duplicate items of an array, as fast as sorting them.

use std::collections::BinaryHeap;

/// Returns for each index whether its value occurred earlier; empty if none did. A value is an integer, or a hash. Uses
/// heap sort, whose code is a tenth of the size of the standard sort: pages load it.
pub(super) fn find(values: Vec<(u64, usize)>) -> Vec<bool> {
    // Most bodies list their integers in order and need no sorting.
    if values.is_sorted_by(|left, right| left.0 < right.0) {
        return Vec::new();
    }
    let length = values.last().map_or(0, |(_, index)| index + 1);
    let values = BinaryHeap::from(values).into_sorted_vec();
    let mut duplicates = Vec::new();
    for (left, right) in values.iter().zip(values.iter().skip(1)) {
        if left.0 == right.0 {
            duplicates.resize(length, false);
            if let Some(is_duplicate) = duplicates.get_mut(right.1) {
                *is_duplicate = true;
            }
        }
    }
    duplicates
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn duplicates_are_those_of_a_search_from_the_start(values in prop::collection::vec(0..10_u64, 0..20)) {
            let found = find(values.iter().copied().zip(0..).collect());
            for (index, value) in values.iter().enumerate() {
                let expected = values[..index].contains(value);
                prop_assert_eq!(found.get(index).copied().unwrap_or(false), expected);
            }
        }
    }
}
