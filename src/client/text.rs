//! Texts in parts, as they cross from and to JavaScript. Small functions that are never copied into their callers: what the
//! client adds to a page is counted in bytes.

use crate::contract::param::quoted;

/// What parts of a text are separated by; neither ids, keys, parameters, headers nor addresses may hold it (D3, D26).
pub(super) const SEPARATOR: char = '\0';

/// The parts of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Parts<'a> {
    rest: Option<&'a str>,
}

impl<'a> Parts<'a> {
    pub(super) const fn of(text: &'a str) -> Self {
        Self { rest: Some(text) }
    }

    /// The next part; empty where there is none.
    pub(super) fn word(&mut self) -> &'a str {
        self.next().unwrap_or_default()
    }

    /// The next number; `None` where there is none.
    pub(super) fn number(&mut self) -> Option<u64> {
        number(self.word())
    }

    /// The next two parts.
    pub(super) fn pair(&mut self) -> Option<(&'a str, &'a str)> {
        Some((self.next()?, self.next()?))
    }

    #[inline(never)]
    fn next(&mut self) -> Option<&'a str> {
        let text = self.rest?;
        let (part, rest) = cut(text, SEPARATOR as u8);
        self.rest = rest;
        Some(part)
    }
}

/// The text up to a byte of ASCII, and the text after it, where it has that byte.
#[inline(never)]
pub(super) fn cut(text: &str, at: u8) -> (&str, Option<&str>) {
    match position(text.as_bytes(), at) {
        Some(end) => (text.get(..end).unwrap_or_default(), text.get(end + 1..)),
        None => (text, None),
    }
}

/// Where the first such byte is: eight are looked at in one, since a page's text is a thousand and more.
fn position(bytes: &[u8], wanted: u8) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let pattern = u64::from(wanted) * ONES;
    let (words, rest) = bytes.as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        let unlike = u64::from_le_bytes(*word) ^ pattern;
        // The lowest of the bits that are left stands in the first byte that is like it.
        let like = unlike.wrapping_sub(ONES) & !unlike & (ONES << 7);
        if like != 0 {
            return Some(at * 8 + like.trailing_zeros() as usize / 8);
        }
    }
    let at = rest.iter().position(|byte| *byte == wanted)?;
    Some(words.len() * 8 + at)
}

/// The number that decimal digits write; `None` where there are none or too many.
#[inline(never)]
fn number(text: &str) -> Option<u64> {
    const DIGITS: core::ops::RangeInclusive<usize> = 1..=19;
    let mut number = 0;
    for byte in text.bytes() {
        if !byte.is_ascii_digit() {
            return None;
        }
        number = number * 10 + u64::from(byte - b'0');
    }
    DIGITS.contains(&text.len()).then_some(number)
}

/// The parts as one text.
#[inline(never)]
pub(super) fn say(parts: &[&str]) -> String {
    let mut text = String::new();
    for part in parts {
        text.push_str(part);
    }
    text
}

/// What is wrong with a value, as a sentence.
#[cold]
#[inline(never)]
pub(super) fn wrong(name: &str, expected: &str, found: &str) -> String {
    say(&[name, ": expected ", expected, ", found '", quoted(found), "'."])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_is_found_wherever_it_is() {
        for length in 0..40 {
            let text: Vec<u8> = (1..=length).collect();
            for wanted in 0..=41 {
                assert_eq!(
                    position(&text, wanted),
                    text.iter().position(|byte| *byte == wanted),
                    "{wanted} in {length}"
                );
            }
        }
        let twice = [255, 128, 7, 8, 7, 0, 1, 255, 7];
        assert_eq!(
            [7, 0, 255, 128, 9].map(|wanted| position(&twice, wanted)),
            [Some(2), Some(5), Some(0), Some(1), None]
        );
    }
}
