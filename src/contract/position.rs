//! A position in the order of a project's changes (D31).

use core::fmt;

use serde::{Deserialize, Serialize};

use super::limits;
use crate::util::time::Millis;

/// The longest name of a history, in characters.
const HISTORY_CHARS: usize = 32;

/// A position: everything up to its revision, in one history of the project. Its text is opaque to callers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProjectPosition {
    /// The history: a random text that changes with each restore and each deletion of the project's data.
    pub history: String,
    /// The revision; 0 before the first write.
    pub revision: Millis,
}

impl ProjectPosition {
    pub fn parse(text: &str) -> Option<Self> {
        let (history, revision) = text.split_once('.')?;
        let is_history = (1..=HISTORY_CHARS).contains(&history.len())
            && history.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        let revision = parse_revision(revision)?;
        is_history.then(|| Self { history: history.to_owned(), revision })
    }

    /// Returns the name of a new history, from random bytes.
    pub fn new_history(entropy: &[u8]) -> String {
        let digits = entropy.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        digits.filter_map(|digit| char::from_digit(u32::from(digit), 16)).take(HISTORY_CHARS).collect()
    }
}

/// Parses a revision in its only form.
fn parse_revision(text: &str) -> Option<Millis> {
    let is_canonical = text == "0" || !text.starts_with(['0', '+']);
    text.parse().ok().filter(|revision| is_canonical && *revision <= limits::INTEGER_MAX as Millis)
}

/// A position of a follower of the feed (D36). It is the position itself; if a first reading has not reached the
/// revision at which it began, that revision follows. A first reading needs no deletions before its beginning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeedPosition {
    pub at: ProjectPosition,
    /// The newest revision when the first reading began; 0 if it has reached it.
    pub began: Millis,
}

impl FeedPosition {
    /// Creates the position. Omits a beginning that it has reached.
    pub fn new(at: ProjectPosition, began: Millis) -> Self {
        let began = if at.revision < began { began } else { 0 };
        Self { at, began }
    }

    pub fn parse(text: &str) -> Option<Self> {
        let Some((place, _)) = text.match_indices('.').nth(1) else {
            return Some(Self { at: ProjectPosition::parse(text)?, began: 0 });
        };
        let (at, began) = text.split_at_checked(place)?;
        let position = Self::new(ProjectPosition::parse(at)?, parse_revision(began.strip_prefix('.')?)?);
        (position.began > 0).then_some(position)
    }
}

impl fmt::Display for FeedPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.at.fmt(f)?;
        if self.began > 0 { write!(f, ".{}", self.began) } else { Ok(()) }
    }
}

impl fmt::Display for ProjectPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.history, self.revision)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    #[test]
    fn a_position_is_parsed_from_its_text() {
        for revision in [0, 1, 1_704_067_200_000, limits::INTEGER_MAX as Millis] {
            let history = ProjectPosition::new_history(&[0x0f, 0xa0, 255, 7, 0, 1, 2, 3, 4, 5]);
            assert_eq!(history, "0fa0ff07000102030405");
            let position = ProjectPosition { history, revision };
            assert_eq!(ProjectPosition::parse(&position.to_string()), Some(position));
        }
        assert_eq!(ProjectPosition::new_history(&[17; 99]).len(), HISTORY_CHARS);
    }

    #[test]
    fn a_position_of_a_first_reading_has_its_beginning_until_it_is_reached() {
        for text in ["a.0", "a.7", "a.0.1", "a.7.9"] {
            assert_eq!(FeedPosition::parse(text).unwrap().to_string(), text);
        }
        let at = ProjectPosition { history: "a".to_owned(), revision: 7 };
        let shown = |began| FeedPosition::new(at.clone(), began).to_string();
        assert_eq!([shown(6), shown(7), shown(8)], ["a.7", "a.7", "a.7.8"]);
        for text in
            ["a", "a.7.", "a.7.7", "a.7.0", "a.7.08", "a.7.8.9", ".7.8", "a..8", "a.7.9007199254740992"]
        {
            assert_eq!(FeedPosition::parse(text), None, "{text}");
        }
    }

    #[test]
    fn other_texts_are_no_positions() {
        let longest = ["a".repeat(HISTORY_CHARS).as_str(), ".1"].concat();
        let long = ["a", &longest].concat();
        for text in [
            "",
            ".",
            "7",
            "a",
            "a.",
            ".7",
            "a.b",
            "a.-1",
            "a.+1",
            "a.01",
            "a.1.2",
            "A.1",
            "a-b.1",
            "a .1",
            "a. 1",
            "é.1",
            "a.9007199254740992",
            "a.99999999999999999999",
            "a.1e3",
            &long,
        ] {
            assert_eq!(ProjectPosition::parse(text), None, "{text}");
        }
        assert!(ProjectPosition::parse(&longest).is_some());
    }
}
