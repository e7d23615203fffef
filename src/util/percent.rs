//! Strict percent-encoding (RFC 3986): malformed escapes are errors, not literal text (D3, D26).

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecodeError {
    /// A `%` that two hexadecimal digits do not follow.
    Escape,
    /// The decoded bytes are not UTF-8.
    Utf8,
}

impl DecodeError {
    /// Returns the problem, as the end of a sentence.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Escape => "a '%' must be followed by two hexadecimal digits",
            Self::Utf8 => "the percent-encoded bytes are not valid UTF-8",
        }
    }
}

pub fn decode(text: &str) -> Result<String, DecodeError> {
    decode_with(text, b'+')
}

/// Decodes a name or a value of a query or a form, in which a `+` is a space (D26).
pub fn decode_form(text: &str) -> Result<String, DecodeError> {
    decode_with(text, b' ')
}

#[inline(never)]
fn decode_with(text: &str, plus: u8) -> Result<String, DecodeError> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let high = rest.next().and_then(hex).ok_or(DecodeError::Escape)?;
                let low = rest.next().and_then(hex).ok_or(DecodeError::Escape)?;
                high * 16 + low
            }
            b'+' => plus,
            other => other,
        });
    }
    String::from_utf8(bytes).map_err(|_| DecodeError::Utf8)
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

/// Appends the text with all characters escaped except RFC 3986's unreserved ones: safe in a path part and in a query.
#[inline(never)]
pub fn encode(out: &mut String, text: &str) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let digit = |value: u8| DIGITS.get(usize::from(value)).copied().unwrap_or(b'0');
    for byte in text.bytes() {
        let is_unreserved = byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~');
        let escape = [b'%', digit(byte >> 4), digit(byte & 15)];
        let bytes = if is_unreserved { &[byte][..] } else { &escape };
        // All of them are ASCII.
        out.push_str(core::str::from_utf8(bytes).unwrap_or_default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_text_survives_the_way_through_a_url(text in any::<String>()) {
            let mut encoded = String::new();
            encode(&mut encoded, &text);
            prop_assert!(encoded.is_ascii());
            prop_assert_eq!(decode(&encoded), Ok(text.clone()));
            prop_assert_eq!(decode_form(&encoded), Ok(text));
        }
    }

    #[test]
    fn broken_escapes_are_errors() {
        for text in ["%", "%4", "%zz", "a%4", "%%41"] {
            assert_eq!(decode(text), Err(DecodeError::Escape), "{text}");
        }
        assert_eq!(decode("%ff"), Err(DecodeError::Utf8));
        assert_eq!(decode_form("a+b").as_deref(), Ok("a b"));
        assert_eq!(decode("a+b").as_deref(), Ok("a+b"));
    }
}
