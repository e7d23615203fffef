//! Suggestions for misspelled names (D9).

/// The longest name that is compared. No known name is close to a longer one.
const LONGEST: usize = 64;

/// Returns the first of the nearest names that `known` yields, ignoring case. `None` if none is close enough. (A
/// `dyn Iterator` would add all its methods to the npm package.)
pub fn nearest(name: &str, known: &mut dyn FnMut() -> Option<&'static str>) -> Option<&'static str> {
    if name.len() > LONGEST {
        return None;
    }
    let mut best = None;
    let mut limit = (1 + name.len() / 5).min(3);
    while let Some(candidate) = known() {
        // The distance is at least the difference of the lengths.
        if candidate.len().abs_diff(name.len()) > limit {
            continue;
        }
        let (name, other) = (name.as_bytes(), candidate.as_bytes());
        let distance = if is_swapped(name, other) { 1 } else { distance(name, other, limit) };
        if distance < limit || (distance == limit && best.is_none()) {
            best = Some(candidate);
            limit = distance;
        }
    }
    best
}

/// Returns whether two neighbors are swapped, such as in `kye`, and nothing else is different, ignoring ASCII case.
fn is_swapped(left: &[u8], right: &[u8]) -> bool {
    let is_same = |(one, other): (&u8, &u8)| one.eq_ignore_ascii_case(other);
    let at = left.iter().zip(right).take_while(|pair| is_same(*pair)).count();
    let (Some([a, b, left @ ..]), Some([c, d, right @ ..])) = (left.get(at..), right.get(at..)) else {
        return false;
    };
    is_same((a, d)) && is_same((b, c)) && left.eq_ignore_ascii_case(right)
}

/// Returns how many bytes must be inserted, removed, or replaced to turn one name into the other (Levenshtein),
/// ignoring ASCII case; more than `limit` if that is more. `right` must fit into its row.
fn distance(left: &[u8], right: &[u8], limit: usize) -> usize {
    let mut row = [0_u8; LONGEST + 4];
    for (index, cell) in row.iter_mut().enumerate() {
        *cell = index as u8;
    }
    for (at, byte) in left.iter().enumerate() {
        // Only cells near the diagonal can have a distance within the limit.
        let from = at.saturating_sub(limit);
        let Some([first, cells @ ..]) = row.get_mut(from..) else { break };
        let mut diagonal = *first;
        let mut last = if from == 0 { at + 1 } else { limit + 1 } as u8;
        *first = last;
        let mut smallest = last;
        let near = right.get(from..).unwrap_or_default();
        for (cell, other) in cells.iter_mut().zip(near).take(2 * limit + 1) {
            let replaced = diagonal + u8::from(!byte.eq_ignore_ascii_case(other));
            diagonal = *cell;
            last = replaced.min(diagonal + 1).min(last + 1);
            *cell = last;
            smallest = smallest.min(last);
        }
        // The distance is at least the smallest number of each row.
        if usize::from(smallest) > limit {
            return limit + 1;
        }
    }
    row.get(right.len()).copied().unwrap_or_default().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::resource::schema::{Field, RESOURCE_DRAFT};
    use crate::test;
    use proptest::prelude::*;

    fn near(name: &str) -> Option<&'static str> {
        let mut names = RESOURCE_DRAFT.fields().iter().map(Field::name);
        nearest(name, &mut || names.next())
    }

    #[test]
    fn distances_are_levenshteins() {
        for (left, right, expected) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "", 3),
            ("kitten", "sitting", 3),
            ("flaw", "lawn", 2),
            ("ID", "id", 0),
            ("eleventhProperty", "eleventhPropery", 1),
        ] {
            assert_eq!(distance(left.as_bytes(), right.as_bytes(), 3), expected, "{left} {right}");
        }
    }

    /// Returns the distance by its definition, without any shortcut.
    fn by_definition(left: &[u8], right: &[u8]) -> usize {
        let ([one, left_rest @ ..], [other, right_rest @ ..]) = (left, right) else {
            return left.len().max(right.len());
        };
        if one.eq_ignore_ascii_case(other) {
            return by_definition(left_rest, right_rest);
        }
        let changed = [(left_rest, right), (left, right_rest), (left_rest, right_rest)];
        1 + changed.map(|(left, right)| by_definition(left, right)).into_iter().min().unwrap()
    }

    proptest! {
        #[test]
        fn a_distance_within_the_limit_is_exact(left in "[abA]{0,7}", right in "[abA]{0,7}", limit in 1..4_usize) {
            let exact = by_definition(left.as_bytes(), right.as_bytes());
            if left.len().abs_diff(right.len()) <= limit {
                let found = distance(left.as_bytes(), right.as_bytes(), limit);
                prop_assert!(if exact <= limit { found == exact } else { found > limit }, "{} {}", found, exact);
            }
        }
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
