//! Similar words, by [`distance`].

use crate::contract::error::{Member, Reason};
use crate::contract::param::Refusal;
use crate::util::distance;

/// The largest distance at which a word may match.
pub const LEVEL_MAX: u8 = 2;

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
        // At most `LEVEL_MAX`.
        distance::within(&self.word, &self.other, level, char::eq).map(|distance| distance as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;
    use proptest::prelude::*;

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
        fn a_word_whose_outline_rules_it_out_is_no_match(one in "[abé👩]{0,8}", other in "[abé👩]{0,8}", level in 0..3_u8) {
            let mut matcher = Matcher::new(&one, level);
            prop_assert!(matcher.distance(&other).is_none() || matcher.may_match(Outline::of(&other)));
        }

        #[test]
        fn no_word_panics(one in any::<String>(), other in any::<String>(), level in any::<u8>()) {
            let _ = Matcher::new(&one, level).distance(&other);
            let _ = levels(&[one, other], true, Some(level));
        }
    }
}
