//! Similar words: optimal string alignment. It counts insertions, deletions, substitutions, and swaps of two neighbors,
//! and changes no part of a word twice.
//!
//! Ours instead of `strsim`, because a search compares thousands of words: this one allocates nothing for each, and
//! stops as soon as the distance is too large.

use crate::contract::error::{Member, Reason};
use crate::contract::param::Refusal;

/// The largest distance at which a word may match.
pub const LEVEL_MAX: u8 = 2;

/// The cells of a row that can lie within [`LEVEL_MAX`] of the diagonal.
const BAND: usize = 2 * LEVEL_MAX as usize + 1;

/// More than any distance that counts.
const FAR: u8 = u8::MAX;

/// Returns the default distance for a word of `chars` characters: 0 up to 2, 1 up to 5, then 2.
pub const fn default_level(chars: usize) -> u8 {
    match chars {
        0..=2 => 0,
        3..=5 => 1,
        _ => LEVEL_MAX,
    }
}

/// Returns the distance within which each word matches, or why `fuzzyLevel` is rejected, as the end of a sentence.
/// Lengths are those of the folded words. If there are no words, there is no default to exceed.
pub fn levels<W: AsRef<str>>(words: &[W], fuzzy: bool, level: Option<u8>) -> Result<Vec<u8>, Refusal> {
    if !fuzzy {
        return match level {
            Some(_) => {
                let refusal = Refusal::new(Reason::Required, "it requires fuzzy=true".to_owned());
                Err(refusal.expecting(&["fuzzy=true"]))
            }
            None => Ok(vec![0; words.len()]),
        };
    }
    let defaults: Vec<u8> =
        words.iter().map(|word| default_level(word.as_ref().chars().take(6).count())).collect();
    let ceiling = defaults.iter().copied().max().unwrap_or(LEVEL_MAX);
    let level = level.unwrap_or(ceiling);
    if level > ceiling {
        let sentence = format!("expected at most {ceiling}, the default of the longest word, found {level}");
        let refusal = Refusal::new(Reason::Range, sentence).with(Member::Minimum, 0_i64);
        return Err(refusal.with(Member::Maximum, i64::from(ceiling)));
    }
    Ok(defaults.into_iter().map(|default| default.min(level)).collect())
}

/// Distinguishes many words without computing their distance.
#[derive(Debug, Clone, Copy)]
pub struct Outline {
    chars: usize,
    /// A bit for each character that occurs. Some characters share a bit.
    mask: u64,
}

impl Outline {
    pub fn of(word: &str) -> Self {
        let outline = Self { chars: 0, mask: 0 };
        word.chars().fold(outline, |Self { chars, mask }, c| Self {
            chars: chars + 1,
            mask: mask | 1 << (u32::from(c) & 63),
        })
    }
}

/// A word and the distance of its matches. Created once, then compared with every word of an index.
#[derive(Debug, Clone)]
pub struct Matcher {
    word: Vec<char>,
    level: u8,
    outline: Outline,
    /// Kept between calls, so that no call allocates.
    other: Vec<char>,
}

impl Matcher {
    /// Creates a matcher for a folded word. A level above [`LEVEL_MAX`] counts as [`LEVEL_MAX`].
    pub fn new(word: &str, level: u8) -> Self {
        let outline = Outline::of(word);
        Self { word: word.chars().collect(), level: level.min(LEVEL_MAX), outline, other: Vec::new() }
    }

    /// Returns the shortest and the longest length of a match, in characters.
    pub fn lengths(&self) -> (usize, usize) {
        let level = usize::from(self.level);
        (self.word.len().saturating_sub(level), self.word.len() + level)
    }

    /// Returns whether a word of this outline may match: each change removes at most one kind of character and adds at
    /// most one.
    pub fn may_match(&self, other: Outline) -> bool {
        let level = u32::from(self.level);
        self.outline.chars.abs_diff(other.chars) <= usize::from(self.level)
            && (self.outline.mask & !other.mask).count_ones() <= level
            && (other.mask & !self.outline.mask).count_ones() <= level
    }

    /// Returns the other folded word's distance; `None` if it is above the level.
    pub fn distance(&mut self, other: &str) -> Option<u8> {
        let level = usize::from(self.level);
        // A character has one to four bytes: most words of an index are skipped without decoding them.
        let max = self.word.len() + level;
        if other.len() > 4 * max || other.len() + level < self.word.len() {
            return None;
        }
        self.other.clear();
        self.other.extend(other.chars().take(max + 1));
        distance_within(&self.word, &self.other, self.level)
    }
}

fn distance_within(one: &[char], other: &[char], max: u8) -> Option<u8> {
    if one.len().abs_diff(other.len()) > usize::from(max) {
        return None;
    }
    let (one, other) = without_common_ends(one, other);
    if one.is_empty() || other.is_empty() {
        // One of them is empty, and the other is no longer than the allowed difference.
        return Some((one.len() + other.len()) as u8);
    }
    if max == 0 { None } else { banded(one, other, max) }
}

/// Returns the two words without their common prefix and suffix, which no best alignment changes.
fn without_common_ends<'a>(mut one: &'a [char], mut other: &'a [char]) -> (&'a [char], &'a [char]) {
    while let ([a, left @ ..], [b, right @ ..]) = (one, other)
        && a == b
    {
        (one, other) = (left, right);
    }
    while let ([left @ .., a], [right @ .., b]) = (one, other)
        && a == b
    {
        (one, other) = (left, right);
    }
    (one, other)
}

/// Returns the last cell of the distance matrix. Computes only the diagonal band that can stay within `max`. In each
/// row, `place` counts from the band's left edge: the column is `line + place − max`.
fn banded(one: &[char], other: &[char], max: u8) -> Option<u8> {
    let reach = usize::from(max);
    let mut before = [FAR; BAND];
    let mut last = [FAR; BAND];
    for (column, cell) in last.iter_mut().skip(reach).enumerate() {
        *cell = column as u8;
    }
    let mut previous = None;
    for (above, a) in one.iter().enumerate() {
        let line = above + 1;
        let mut row = [FAR; BAND];
        let mut left = FAR;
        for (place, cell) in row.iter_mut().enumerate().take(2 * reach + 1) {
            let Some(column) = (line + place).checked_sub(reach) else { continue };
            let at = |place: usize, row: &[u8; BAND]| row.get(place).copied().unwrap_or(FAR);
            *cell = match column.checked_sub(1).map(|index| other.get(index)) {
                // The first column. Within the band, lines are few.
                None => line as u8,
                Some(None) => break,
                Some(Some(b)) => {
                    let changed = at(place, &last).saturating_add(u8::from(a != b));
                    let added = left.min(at(place + 1, &last)).saturating_add(1);
                    let swaps = previous == Some(b) && column > 1 && other.get(column - 2) == Some(a);
                    let swapped = if swaps { at(place, &before).saturating_add(1) } else { FAR };
                    changed.min(added).min(swapped)
                }
            };
            left = *cell;
        }
        if row.iter().all(|cell| *cell > max) {
            return None;
        }
        before = core::mem::replace(&mut last, row);
        previous = Some(a);
    }
    let place = (other.len() + reach).checked_sub(one.len())?;
    last.get(place).copied().filter(|distance| *distance <= max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;
    use proptest::prelude::*;

    /// Returns the optimal string alignment distance as in textbooks, over the whole matrix.
    fn naive(one: &str, other: &str) -> usize {
        let (a, b): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
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
        let expected = naive(one, other);
        for level in 0..=LEVEL_MAX {
            let found = Matcher::new(one, level).distance(other).map(usize::from);
            assert_eq!(found, (expected <= usize::from(level)).then_some(expected), "{one} {other} {level}");
            assert!(
                found.is_none() || Matcher::new(one, level).may_match(Outline::of(other)),
                "{one} {other}"
            );
        }
    }

    #[test]
    fn swaps_count_once_and_no_part_changes_twice() {
        for (one, other, expected) in [
            ("", "", Some(0)),
            ("ab", "ba", Some(1)),
            ("ca", "abc", None),
            ("strasse", "strase", Some(1)),
            ("strasse", "starsse", Some(1)),
            ("strasse", "tsrases", Some(2)),
            ("größe", "grösse", Some(2)),
            ("abc", "abcdef", None),
            ("👩a", "a👩", Some(1)),
        ] {
            assert_eq!(Matcher::new(one, 2).distance(other), expected, "{one} {other}");
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

    #[test]
    fn levels_follow_the_length_and_the_ceiling() {
        let words = ["ab", "abc", "äöüßéà", "abcde"];
        assert_eq!(levels(&words, false, None).unwrap(), [0, 0, 0, 0]);
        assert_eq!(levels(&words, true, None).unwrap(), [0, 1, 2, 1]);
        assert_eq!(levels(&words, true, Some(2)).unwrap(), [0, 1, 2, 1]);
        assert_eq!(levels(&words, true, Some(1)).unwrap(), [0, 1, 1, 1]);
        assert_eq!(levels(&words, true, Some(0)).unwrap(), [0, 0, 0, 0]);
        for (words, fuzzy, level) in [
            (&["abcde"][..], true, 2),
            (&["ab"], true, 1),
            (&["abcdef"], true, 3),
            (&["abcdef"], false, 0),
            (&[], false, 1),
        ] {
            assert!(levels(words, fuzzy, Some(level)).is_err(), "{words:?} {fuzzy} {level}");
        }
        assert_eq!(levels::<&str>(&[], true, Some(2)).unwrap(), [0; 0]);
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

        #[test]
        fn no_word_panics(one in any::<String>(), other in any::<String>(), level in any::<u8>()) {
            let _ = Matcher::new(&one, level).distance(&other);
            let _ = levels(&[one, other], true, Some(level));
        }
    }
}
