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
        let is_canonical = revision == "0" || !revision.starts_with(['0', '+']);
        let revision = revision.parse().ok().filter(|revision| *revision <= limits::INTEGER_MAX as Millis)?;
        (is_history && is_canonical).then(|| Self { history: history.to_owned(), revision })
    }

    /// Returns the name of a new history, from random bytes.
    pub fn new_history(entropy: &[u8]) -> String {
        let digits = entropy.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        digits.filter_map(|digit| char::from_digit(u32::from(digit), 16)).take(HISTORY_CHARS).collect()
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
