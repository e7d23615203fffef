//! Suggestions for misspelled names (D9).

use super::distance;

/// The longest name that is compared. No known name is close to a longer one.
const LONGEST: usize = 64;

/// Returns the first of the nearest names that `known` yields, ignoring case. `None` if none is close enough. (A
/// `dyn Iterator` would add all its methods to the npm package.)
pub fn nearest<'n>(name: &str, known: &mut dyn FnMut() -> Option<&'n str>) -> Option<&'n str> {
    if name.len() > LONGEST {
        return None;
    }
    let own = letters(name);
    let mut best = None;
    let mut limit = (1 + name.len() / 5).min(distance::MOST);
    while let Some(candidate) = known() {
        let letters = letters(candidate);
        // No change adds or removes more than one letter. Few names pass, and their distance costs much more.
        if (own & !letters).count_ones().max((letters & !own).count_ones()) as usize > limit {
            continue;
        }
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

/// Returns the letters of a word as a set of bits, in which letters that differ only in case are the same one.
fn letters(word: &str) -> u32 {
    word.bytes().fold(0, |letters, byte| letters | 1 << (byte & 31))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{ObjectId, Shape};
    use crate::test;

    fn near(name: &str) -> Option<String> {
        let shape = Shape::built_in();
        let mut names = shape.object(ObjectId::Draft).fields.iter().map(|field| field.name.as_ref());
        nearest(name, &mut || names.next()).map(str::to_owned)
    }

    #[test]
    fn a_typo_finds_its_field_and_a_stranger_none() {
        assert_eq!(near("eleventhProperty").as_deref(), Some("eleventhPropery"));
        assert_eq!(near("eighthProperty").as_deref(), Some("eigthProperty"));
        assert_eq!(near("twelfthProperty").as_deref(), Some("twelthProperty"));
        assert_eq!(near("createdat").as_deref(), Some("createdAt"));
        assert_eq!(near("some_property").as_deref(), Some("someProperty"));
        assert_eq!(near("ID").as_deref(), Some("id"));
        assert_eq!(near("verison").as_deref(), Some("version"));
        assert_eq!(near("kye").as_deref(), Some("key"));
        assert_eq!(near("Di").as_deref(), Some("id"));
        for name in ["", "x", "kyx", "eyk", "colour", "é", &"version".repeat(20)] {
            assert_eq!(near(name), None, "{name}");
        }
    }
}
