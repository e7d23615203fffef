//! What a person types and sees as equal: full case folding by Unicode 16 (`CaseFolding.txt`, status C and F), letters
//! with their marks composed, one width, one space, one apostrophe, and nothing invisible. Turkish `ı` and `İ` are an
//! `i`, because `I` is the upper case of `ı` and the lower case of `İ` is `i` where people write Turkish.
//!
//! The tables are generated from the crate `caseless`, as runs. The standard library's tables have the Unicode version
//! of the compiler, and what is equal must not depend on that: the index has folded words.

use super::compose;
use super::folding::{RUNS, SEVERAL};

/// Returns the form of a text that all texts have which a reader takes for the same: `Straße` and `STRASSE` both become
/// `strasse`.
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut folded = String::with_capacity(text.len());
    for c in text.chars().filter(|c| !is_invisible(*c)) {
        match several(c) {
            Some(codes) => {
                let codes = codes.into_iter().filter(|code| *code != 0);
                codes.filter_map(|code| char::from_u32(u32::from(code))).for_each(|c| push(&mut folded, c));
            }
            None => push(&mut folded, one(c).unwrap_or(c)),
        }
    }
    folded
}

fn push(folded: &mut String, c: char) {
    compose::push(folded, plain(c));
}

/// Returns whether a character shows nothing: soft hyphens, joiners of letters, directions, variations. U+200D is not
/// among them: emoji consist of several with it.
const fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{200b}' | '\u{200c}' | '\u{200e}' | '\u{200f}')
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

/// Returns the common one of characters that look alike or have another width.
fn plain(c: char) -> char {
    match c {
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => ' ',
        'ı' => 'i',
        '\u{2bc}' | '‘' | '’' => '\'',
        '“' | '”' => '"',
        '\u{2010}' | '\u{2011}' => '-',
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        '\u{ff61}'..='\u{ff9f}' => KATAKANA.chars().nth(c as usize - 0xff61).unwrap_or(c),
        _ => c,
    }
}

/// The common forms of U+FF61 to U+FF9F.
const KATAKANA: &str = "。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン\u{3099}\u{309a}";

/// Returns the character that a character folds to, if that is a different one.
fn one(c: char) -> Option<char> {
    let code = u32::from(c);
    let [first, _, step, folded] = RUNS.get(RUNS.partition_point(|[_, last, ..]| *last < code))?;
    let at = code.checked_sub(*first)?;
    if at % step == 0 { char::from_u32(folded + at) } else { None }
}

/// Returns the two or three characters that a character folds to. A third of 0 means none.
fn several(c: char) -> Option<[u16; 3]> {
    let code = u16::try_from(u32::from(c)).ok()?;
    let at = SEVERAL.binary_search_by_key(&code, |[from, ..]| *from).ok()?;
    SEVERAL.get(at).map(|[_, folded @ ..]| *folded)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;
    use proptest::prelude::*;

    #[test]
    fn every_character_folds_as_unicode_says() {
        for c in '\0'..=char::MAX {
            let mut expected = String::new();
            let folded = caseless::default_case_fold_str(&c.to_string());
            folded.chars().filter(|c| !is_invisible(*c)).for_each(|c| push(&mut expected, c));
            assert_eq!(fold(&c.to_string()), expected, "{c:?}");
        }
    }

    #[test]
    fn what_looks_the_same_folds_to_the_same() {
        for (one, other) in SAME {
            assert_eq!(fold(one), fold(other), "{one:?} {other:?}");
        }
        for (one, other) in DIFFERENT {
            assert_ne!(fold(one), fold(other), "{one:?} {other:?}");
        }
    }

    #[test]
    fn every_character_folds_to_what_stays_when_folded_again() {
        for c in '\0'..=char::MAX {
            let once = fold(c.encode_utf8(&mut [0; 4]));
            assert_eq!(fold(&once), once, "{c:?}");
        }
    }

    proptest! {
        #[test]
        fn a_folded_text_stays(text in "[a-zA-ZıİΐßéãÅ\u{300}-\u{330}\u{ad}\u{200b}ｶﾞＡ각\u{1100}\u{1161}\u{11a8}ड\u{93c}]{0,8}") {
            let once = fold(&text);
            prop_assert_eq!(fold(&once), once);
        }
    }

    /// What people type and see as equal.
    #[rustfmt::skip]
    const SAME: &[(&str, &str)] = &[
        // Case.
        ("STRASSE", "Straße"), ("ﬁn", "FIN"), ("ΣΊΣΥΦΟΣ", "σίσυφος"), ("ẞ", "ss"), ("ŉ", "ʼN"), ("K", "k"), ("Å", "å"),
        // Turkish: each of the four is another case of the next one.
        ("ISPARTA", "ısparta"), ("İstanbul", "istanbul"), ("I\u{307}STANBUL", "istanbul"), ("ı", "İ"),
        // Composed letters, and letters with marks: names of files on macOS.
        ("Café", "cafe\u{301}"), ("Ångström", "A\u{30a}ngstro\u{308}m"), ("Việt", "Vie\u{323}\u{302}t"),
        ("Việt", "Viê\u{323}t"), ("ΐ", "ϊ\u{301}"), ("й", "и\u{306}"), ("한글", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}"),
        ("が", "か\u{3099}"), ("ड़", "ड\u{93c}"), ("أ", "ا\u{654}"),
        // Width.
        ("ＡＢＣ　１２３", "abc 123"), ("ｶﾞｷﾞ", "ガギ"), ("ﾊﾟﾝ", "パン"),
        // Spaces, hyphens, apostrophes, and quotation marks that a text processor puts.
        ("a\u{a0}b", "a b"), ("1\u{202f}000", "1 000"), ("e\u{2011}mail", "e-mail"), ("e\u{2010}mail", "e-mail"),
        ("O’Brien", "o'brien"), ("‘a’", "'a'"), ("“a”", "\"a\""),
        // Invisible: soft hyphens, zero width, byte order marks, directions, variations.
        ("Donau\u{ad}dampf", "donaudampf"), ("a\u{200b}b", "ab"), ("می\u{200c}خواهم", "میخواهم"), ("\u{feff}a", "a"),
        ("\u{200e}a\u{202c}", "a"), ("❤\u{fe0f}", "❤"),
    ];

    /// What is seen as different, or would join what is different elsewhere.
    #[rustfmt::skip]
    const DIFFERENT: &[(&str, &str)] = &[
        ("é", "e"), ("ö", "oe"), ("æ", "ae"), ("ø", "o"), ("ё", "е"), ("ひ", "ヒ"), ("国", "國"), ("1", "١"), ("x²", "x2"),
        ("a–b", "a-b"), ("a_b", "a b"), ("a", "а"), ("👩\u{200d}💻", "👩💻"), ("½", "1/2"), ("№", "No"), ("1,000", "1000"),
    ];
}
