//! Composes a letter and the marks that follow it: macOS names files with `e` and an accent, keyboards send `é`.
//!
//! Ours instead of a crate, because a compiled one has all characters. The generated table has the letters of living
//! languages that stay when folded, without scripts in which all programs write the same form.

use super::folding::PAIRS;

/// Appends a folded character to a folded text, or combines it with the last one.
pub(super) fn push(text: &mut String, c: char) {
    let composed =
        if c < '\u{300}' { None } else { text.chars().next_back().and_then(|last| compose(last, c)) };
    if composed.is_some() {
        text.pop();
    }
    text.push(composed.unwrap_or(c));
}

fn compose(letter: char, mark: char) -> Option<char> {
    if let Ok(at) = PAIRS.binary_search_by_key(&mark, |(mark, _)| *mark) {
        let (pairs, _) = PAIRS.get(at)?.1.as_chunks::<2>();
        let at = pairs.binary_search_by_key(&letter, |[letter, _]| *letter).ok()?;
        return pairs.get(at).map(|[_, composed]| *composed);
    }
    // A syllable of Hangul: 19 leads, 21 vowels, and 27 tails or none.
    let (first, second) = (u32::from(letter), u32::from(mark));
    char::from_u32(match (first, second) {
        (0x1100..=0x1112, 0x1161..=0x1175) => 0xac00 + ((first - 0x1100) * 21 + second - 0x1161) * 28,
        (0xac00..=0xd7a3, 0x11a8..=0x11c2) if (first - 0xac00).is_multiple_of(28) => first + second - 0x11a7,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::fold;
    use crate::test;

    fn pairs() -> impl Iterator<Item = (char, char, char)> {
        let of =
            |(mark, pairs): &'static (char, &[char])| pairs.chunks(2).map(|pair| (pair[0], *mark, pair[1]));
        PAIRS.iter().flat_map(of)
    }

    #[test]
    fn every_pair_is_canonically_equivalent_to_its_letter_and_stays_when_folded() {
        assert!(PAIRS.is_sorted_by_key(|(mark, _)| *mark));
        assert!(PAIRS.iter().all(|(_, pairs)| pairs.as_chunks::<2>().0.is_sorted() && pairs.len() % 2 == 0));
        for (letter, mark, composed) in pairs().filter(|(letter, ..)| *letter != 'i') {
            let (two, one) = (format!("{letter}{mark}"), composed.to_string());
            assert!(caseless::canonical_caseless_match_str(&two, &one), "{two:?} {one:?}");
            assert_eq!(fold(&one), one);
            assert_eq!(fold(&two), one);
            assert!(
                PAIRS.iter().all(|(mark, _)| *mark != composed),
                "{composed:?} would have to compose again"
            );
        }
    }

    #[test]
    fn every_syllable_of_hangul_is_composed_of_its_letters() {
        let leads = '\u{1100}'..='\u{1112}';
        let all = leads.flat_map(|lead| ('\u{1161}'..='\u{1175}').map(move |vowel| format!("{lead}{vowel}")));
        let all = all.flat_map(|open| {
            let tails = ('\u{11a8}'..='\u{11c2}').map(|tail| format!("{open}{tail}")).collect::<Vec<_>>();
            [open].into_iter().chain(tails)
        });
        assert!(all.map(|letters| fold(&letters)).eq(('\u{ac00}'..='\u{d7a3}').map(String::from)));
    }
}
