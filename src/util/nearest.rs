//! Suggestions for misspelled names (D9).

use super::distance;

/// The longest name that is compared. No known name is close to a longer one.
const LONGEST: usize = 64;

/// Returns the first of the nearest names that `known` yields, ignoring case. `None` if none is close enough. (A
/// `dyn Iterator` would add all its methods to the npm package.)
pub fn nearest(name: &str, known: &mut dyn FnMut() -> Option<&'static str>) -> Option<&'static str> {
    if name.len() > LONGEST {
        return None;
    }
    let mut best = None;
    let mut limit = (1 + name.len() / 5).min(distance::MOST);
    while let Some(candidate) = known() {
        let distance =
            distance::within(name.as_bytes(), candidate.as_bytes(), limit, u8::eq_ignore_ascii_case);
        if let Some(distance) = distance
            && (distance < limit || best.is_none())
        {
            best = Some(candidate);
            limit = distance;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::resource::schema::{Field, RESOURCE_DRAFT};
    use crate::test;

    fn near(name: &str) -> Option<&'static str> {
        let mut names = RESOURCE_DRAFT.fields().iter().map(Field::name);
        nearest(name, &mut || names.next())
    }

    #[test]
    fn a_typo_finds_its_field_and_a_stranger_none() {
        assert_eq!(near("eleventhProperty"), Some("eleventhPropery"));
        assert_eq!(near("eighthProperty"), Some("eigthProperty"));
        assert_eq!(near("twelfthProperty"), Some("twelthProperty"));
        assert_eq!(near("createdat"), Some("createdAt"));
        assert_eq!(near("some_property"), Some("someProperty"));
        assert_eq!(near("ID"), Some("id"));
        assert_eq!(near("verison"), Some("version"));
        assert_eq!(near("kye"), Some("key"));
        assert_eq!(near("Di"), Some("id"));
        for name in ["", "x", "kyx", "eyk", "colour", "é", &"version".repeat(20)] {
            assert_eq!(near(name), None, "{name}");
        }
    }
}
