//! Quotes of a caller's text in messages.

use crate::contract::limits;

/// Returns the text, cut at the length that messages quote (D10).
#[inline(never)]
pub fn quoted(text: &str) -> &str {
    cut(text, limits::QUOTED_CHARS)
}

pub fn cut(text: &str, chars: usize) -> &str {
    let mut left = chars;
    for (at, byte) in text.bytes().enumerate() {
        // Every other byte of a character has these two bits.
        if byte & 0b1100_0000 != 0b1000_0000 {
            if left == 0 {
                return text.get(..at).unwrap_or(text);
            }
            left -= 1;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    #[test]
    fn a_quote_is_cut_between_characters() {
        for (text, quote) in [("", ""), ("aä€", "aä€")] {
            assert_eq!(quoted(text), quote);
        }
        for char in ["a", "ä", "€", "😀"] {
            let max = char.repeat(limits::QUOTED_CHARS);
            assert_eq!(quoted(&max), max);
            assert_eq!(quoted(&format!("{max}{char}")), max);
        }
    }
}
