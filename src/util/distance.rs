//! The distance of two words by optimal string alignment: how many items must be inserted, removed, replaced, or
//! swapped with their neighbor to turn one into the other. No part of a word changes twice.

/// The largest distance that counts.
pub const MOST: usize = 3;

/// The cells of a row that can lie within [`MOST`] of the diagonal.
const BAND: usize = 2 * MOST + 1;

/// More than any distance that counts.
const FAR: u8 = u8::MAX;

/// Returns the distance of two words; `None` if it is above `max`, which counts as [`MOST`] if it is larger. `same`
/// compares two items. Allocates nothing, and stops as soon as the distance is too large: a search compares thousands
/// of words.
pub fn within<T>(mut one: &[T], mut other: &[T], max: usize, same: impl Fn(&T, &T) -> bool) -> Option<usize> {
    let max = max.min(MOST);
    if one.len().abs_diff(other.len()) > max {
        return None;
    }
    // No best alignment changes a common prefix or suffix.
    while let ([a, left @ ..], [b, right @ ..]) = (one, other)
        && same(a, b)
    {
        (one, other) = (left, right);
    }
    while let ([left @ .., a], [right @ .., b]) = (one, other)
        && same(a, b)
    {
        (one, other) = (left, right);
    }
    if one.is_empty() || other.is_empty() {
        return Some(one.len() + other.len());
    }
    if max == 0 { None } else { banded(one, other, max, same) }
}

/// Returns the last cell of the distance matrix. Computes only the diagonal band that can stay within `max`. In each
/// row, `place` counts from the band's left edge: the column is `line + place - max`.
fn banded<T>(one: &[T], other: &[T], max: usize, same: impl Fn(&T, &T) -> bool) -> Option<usize> {
    let mut before = [FAR; BAND];
    let mut last = [FAR; BAND];
    for (column, cell) in last.iter_mut().skip(max).enumerate() {
        *cell = column as u8;
    }
    let mut previous = None;
    for (above, a) in one.iter().enumerate() {
        let line = above + 1;
        let mut row = [FAR; BAND];
        let mut left = FAR;
        for (place, cell) in row.iter_mut().enumerate().take(2 * max + 1) {
            let Some(column) = (line + place).checked_sub(max) else { continue };
            let at = |place: usize, row: &[u8; BAND]| row.get(place).copied().unwrap_or(FAR);
            *cell = match column.checked_sub(1).map(|index| other.get(index)) {
                // The first column. Within the band, lines are few.
                None => line as u8,
                Some(None) => break,
                Some(Some(b)) => {
                    let changed = at(place, &last).saturating_add(u8::from(!same(a, b)));
                    let added = left.min(at(place + 1, &last)).saturating_add(1);
                    let swaps = previous.is_some_and(|previous| same(previous, b))
                        && column
                            .checked_sub(2)
                            .and_then(|index| other.get(index))
                            .is_some_and(|c| same(c, a));
                    let swapped = if swaps { at(place, &before).saturating_add(1) } else { FAR };
                    changed.min(added).min(swapped)
                }
            };
            left = *cell;
        }
        if row.iter().all(|cell| usize::from(*cell) > max) {
            return None;
        }
        before = core::mem::replace(&mut last, row);
        previous = Some(a);
    }
    let place = (other.len() + max).checked_sub(one.len())?;
    last.get(place).map(|distance| usize::from(*distance)).filter(|distance| *distance <= max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;
    use proptest::prelude::*;

    /// Returns the distance as in textbooks, over the whole matrix.
    fn naive(a: &[char], b: &[char]) -> usize {
        let mut d = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                d[i][j] = if i == 0 || j == 0 {
                    i + j
                } else {
                    let cost = usize::from(a[i - 1] != b[j - 1]);
                    (d[i - 1][j - 1] + cost).min(d[i - 1][j] + 1).min(d[i][j - 1] + 1)
                };
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    d[i][j] = d[i][j].min(d[i - 2][j - 2] + 1);
                }
            }
        }
        d[a.len()][b.len()]
    }

    fn agrees(one: &str, other: &str) {
        let (a, b): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
        let expected = naive(&a, &b);
        for max in 0..=MOST {
            let found = within(&a, &b, max, char::eq);
            assert_eq!(found, (expected <= max).then_some(expected), "{one} {other} {max}");
        }
    }

    #[test]
    fn every_pair_of_short_words_has_the_textbook_distance() {
        let mut words = vec![String::new()];
        for _ in 0..5 {
            let longer: Vec<String> =
                words.iter().flat_map(|word| ["a", "b", "c"].map(|c| format!("{word}{c}"))).collect();
            words.extend(longer);
            words.sort();
            words.dedup();
        }
        for one in &words {
            for other in &words {
                agrees(one, other);
            }
        }
    }

    proptest! {
        #[test]
        fn the_distance_is_the_textbooks(one in "[abé👩]{0,12}", other in "[abé👩]{0,12}") {
            agrees(&one, &other);
        }

        #[test]
        fn a_few_changes_to_a_long_word_are_measured_right(
            word in "[a-d]{0,40}", at in 0..40_usize, put in "[a-d]{0,3}", drop in 0..3_usize, swap in 0..40_usize,
        ) {
            let mut chars: Vec<char> = word.chars().collect();
            if swap + 1 < chars.len() {
                chars.swap(swap, swap + 1);
            }
            let at = at.min(chars.len());
            chars.splice(at..(at + drop).min(chars.len()), put.chars());
            agrees(&word, &chars.into_iter().collect::<String>());
        }
    }
}
