//! Labels that begin with `xn--`: names in other scripts than Latin, as ASCII (RFC 3492), by the rules of IDNA2008.
//!
//! The tables of Unicode are those of the host's regular expressions, so that a page does not load its own. Three rules
//! need tables that regular expressions lack. The order of text from right to left (RFC 5893) and the composed form of
//! text are not checked. A zero-width non-joiner is valid between any two letters of a script that joins letters.

use super::super::pattern::Pattern;

/// Matches a decoded label that is valid by RFC 5891, 4.2.3 and RFC 5892, in lower case.
const RULE: &str = concat!(
    // A label begins with no mark, has no hyphens at its ends, and no two hyphens after two other characters.
    "^(?!\\p{M}|-|..--|.*(?:-$",
    // A middle dot is between two letters `l`.
    "|(?:^|[^l])\u{b7}|\u{b7}(?!l)",
    // A Greek letter follows a keraia. Hebrew precedes a geresh and a gershayim.
    "|\u{375}(?!\\p{sc=Grek})|(?:^|\\P{sc=Hebr})[\u{5f3}\u{5f4}]",
    // Digits are not of both kinds of Arabic.
    "|[\u{660}-\u{669}].*[\u{6f0}-\u{6f9}]|[\u{6f0}-\u{6f9}].*[\u{660}-\u{669}]",
    // A joiner follows a virama. A non-joiner may also be between letters that join.
    "|(?![\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Nkoo}\\p{scx=Mong}\\p{scx=Adlm}]\u{200c}",
    "[\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Nkoo}\\p{scx=Mong}\\p{scx=Adlm}])(?:^|[^",
    "\u{94d}\u{9cd}\u{a4d}\u{acd}\u{b4d}\u{bcd}\u{c4d}\u{ccd}\u{d3b}\u{d3c}\u{d4d}\u{dca}\u{e3a}\u{eba}\u{f84}",
    "\u{1039}\u{103a}\u{1714}\u{1715}\u{1734}\u{17d2}\u{1a60}\u{1b44}\u{1baa}\u{1bab}\u{1bf2}\u{1bf3}\u{2d7f}",
    "\u{a806}\u{a82c}\u{a8c4}\u{a953}\u{a9c0}\u{aaf6}\u{abed}\u{10a3f}\u{11046}\u{11070}\u{1107f}\u{110b9}",
    "\u{11133}\u{11134}\u{111c0}\u{11235}\u{112ea}\u{1134d}\u{113ce}-\u{113d0}\u{11442}\u{114c2}\u{115bf}",
    "\u{1163f}\u{116b6}\u{1172b}\u{11839}\u{1193d}\u{1193e}\u{119e0}\u{11a34}\u{11a47}\u{11a99}\u{11c3f}",
    "\u{11d44}\u{11d45}\u{11d97}\u{11f41}\u{11f42}\u{1612f}",
    "])[\u{200c}\u{200d}])",
    // A Katakana middle dot is in a label with Hiragana, Katakana, or Han.
    "|[^\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Hani}]*\u{30fb}[^\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Hani}]*$)",
    // The characters of ASCII, those of the rules above, and the exceptions that are valid.
    "(?:[-a-z0-9\u{b7}\u{375}\u{5f3}\u{5f4}\u{30fb}\u{200c}\u{200d}\u{df}\u{3c2}\u{6fd}\u{6fe}\u{f0b}\u{3007}]",
    // Letters, marks, and digits, unless a mapping changes or removes them, or they are parts of old Hangul, symbols of
    // music, marks for symbols, or exceptions that are invalid.
    "|(?![\\p{CWKCF}\\p{DI}\u{1100}-\u{11ff}\u{a960}-\u{a97f}\u{d7b0}-\u{d7ff}\u{1d100}-\u{1d24f}\u{20d0}-\u{20ff}",
    "\u{640}\u{7fa}\u{302e}\u{302f}\u{3031}-\u{3035}\u{303b}])[\\p{L}\\p{Mn}\\p{Mc}\\p{Nd}])+$",
);

/// Returns whether each label of a domain that begins with `xn--` is valid.
pub(super) fn are_valid(domain: &str) -> bool {
    domain.as_bytes().split(|byte| *byte == b'.').all(|label| match label {
        [b'x' | b'X', b'n' | b'N', b'-', b'-', rest @ ..] => {
            decode(rest).is_some_and(|label| is_valid(&label))
        }
        _ => true,
    })
}

/// Returns whether a decoded label is valid. Such labels are rare, so the expression is not kept. A host may keep it.
fn is_valid(decoded: &str) -> bool {
    Pattern::new(RULE).is_some_and(|rule| rule.is_match(decoded))
}

/// Decodes a label after its prefix (RFC 3492, 6.2). Returns `None` if it is invalid, or if it has no character that
/// needs the encoding.
fn decode(text: &[u8]) -> Option<String> {
    let (basic, digits) = match text.iter().rposition(|byte| *byte == b'-') {
        Some(0) => return None,
        Some(hyphen) => (text.get(..hyphen)?, text.get(hyphen + 1..)?),
        None => (&[][..], text),
    };
    if digits.is_empty() {
        return None;
    }
    let mut chars: Vec<char> = basic.iter().map(|byte| char::from(byte.to_ascii_lowercase())).collect();
    let (mut code, mut at, mut bias) = (128, 0, 72);
    let mut digits = digits.iter();
    while !digits.as_slice().is_empty() {
        let start = at;
        at = delta(&mut digits, at, bias)?;
        let count = chars.len() as u32 + 1;
        bias = adapt(at - start, count, start == 0 && code == 128);
        code = at.checked_div(count)?.checked_add(code)?;
        at %= count;
        // Not `insert`, which can panic.
        let mut moved = char::from_u32(code)?;
        for place in chars.iter_mut().skip(at as usize) {
            core::mem::swap(place, &mut moved);
        }
        chars.push(moved);
        at += 1;
    }
    Some(chars.into_iter().collect())
}

/// Adds the next number, which ends with its first digit below a threshold.
fn delta(digits: &mut core::slice::Iter<'_, u8>, mut sum: u32, bias: u32) -> Option<u32> {
    let mut weight: u32 = 1;
    let mut place: u32 = 36;
    loop {
        let digit = u32::from(match digits.next()?.to_ascii_lowercase() {
            letter @ b'a'..=b'z' => letter - b'a',
            digit @ b'0'..=b'9' => digit - b'0' + 26,
            _ => return None,
        });
        sum = sum.checked_add(digit.checked_mul(weight)?)?;
        let threshold = place.saturating_sub(bias).clamp(1, 26);
        if digit < threshold {
            return Some(sum);
        }
        weight = weight.checked_mul(36 - threshold)?;
        place += 36;
    }
}

/// Returns the next bias (RFC 3492, 6.1).
fn adapt(delta: u32, count: u32, is_first: bool) -> u32 {
    let mut delta = delta / if is_first { 700 } else { 2 };
    delta += delta / count;
    let mut bias = 0;
    while delta > 35 * 26 / 2 {
        delta /= 35;
        bias += 36;
    }
    bias + 36 * delta / (delta + 38)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    #[test]
    fn a_label_is_decoded_from_ascii() {
        for (text, expected) in [
            ("bcher-kva", Some("b\u{fc}cher")),
            ("a--yka", Some("a-\u{fc}")),
            ("p1ai", Some("\u{440}\u{444}")),
            ("ls8h", Some("\u{1f4a9}")),
            ("abc-", None),
            ("-abc", None),
            ("z", None),
            ("", None),
            ("a_b", None),
            ("99999999", None),
        ] {
            assert_eq!(decode(text.as_bytes()).as_deref(), expected, "{text}");
        }
    }

    /// Labels by the rule that they show: first those that are valid, then those that are not.
    #[test]
    fn a_decoded_label_keeps_each_rule() {
        for (valid, invalid) in [
            (
                "b\u{fc}cher \u{df} \u{6f22}\u{5b57}1",
                "B\u{fc}cher \u{dc}ber \u{fb01} \u{212a} \u{ad}\u{fc} \u{378} \u{e000}",
            ),
            ("a--\u{fc} a-\u{fc}", "\u{fc}- -\u{fc} ab--\u{fc} \u{fc}a--b"),
            ("a\u{301}", "\u{301}a \u{903}a a\u{20d0} a\u{488}"),
            ("l\u{b7}l\u{b7}l", "l\u{b7}\u{b7}l \u{b7}l l\u{b7} k\u{b7}l l\u{b7}k"),
            ("\u{375}\u{3b1}", "\u{375} \u{375}a \u{3b1}\u{375}"),
            ("\u{5d0}\u{5f4}\u{5d1} \u{5d0}\u{5f3}", "\u{5f4}\u{5d1} a\u{5f3}"),
            ("\u{660}\u{661} \u{6f0}", "\u{660}\u{628}\u{6f0} \u{6f0}\u{628}\u{660}"),
            (
                "\u{915}\u{94d}\u{200d} \u{915}\u{94d}\u{200c}\u{937}",
                "\u{915}\u{200d} \u{200d}\u{915} \u{628}\u{200d}\u{628}",
            ),
            (
                "\u{628}\u{200c}\u{628}",
                "\u{200c}\u{628} \u{628}\u{200c} \u{628}\u{200c}\u{200c}\u{628} a\u{200c}b",
            ),
            ("\u{30fb}a\u{6f22} \u{30a2}\u{30fb}\u{30a2}", "\u{30fb} a\u{30fb}b"),
            (
                "\u{ac00}",
                "\u{1100}\u{1161} \u{302e} \u{3031}\u{3042} \u{640} a\n\u{fc} \u{fc}\n \u{2028}\u{fc}",
            ),
        ] {
            for (labels, expected) in [(valid, true), (invalid, false)] {
                for label in labels.split(' ') {
                    assert_eq!(is_valid(label), expected, "{label:?}");
                }
            }
        }
    }
}
