//! Parses strings: borrowed from the text if nothing is escaped.
#![allow(clippy::inline_always, reason = "each byte passes these, and the compiler optimizes pages for size")]

use std::borrow::Cow;

use super::cursor::{Cursor, Fault};
use crate::util::swar;

/// Contents of a string of valid JSON that D7 forbids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flaw {
    Nul,
    LoneSurrogate,
}

#[derive(Debug)]
pub(crate) struct Text<'a> {
    /// Its value, with U+FFFD for each lone surrogate.
    pub(crate) value: Cow<'a, str>,
    /// The first flaw in it.
    pub(crate) flaw: Option<Flaw>,
}

impl<'a> Cursor<'a> {
    pub(crate) fn string(&mut self) -> Result<Text<'a>, Fault> {
        if self.peek() != b'"' {
            return Err(Fault::Name);
        }
        if let Some(plain) = self.plain_string() {
            return Ok(Text { value: Cow::Borrowed(plain), flaw: None });
        }
        self.advance(1);
        let run = self.run();
        self.rest_of_string(run)
    }

    /// Parses the string that starts here if no character in it is escaped. Otherwise returns `None` without moving.
    #[inline(always)]
    pub(crate) fn plain_string(&mut self) -> Option<&'a str> {
        let rest = self.rest().strip_prefix(b"\"")?;
        let length = swar::run(rest);
        if rest.get(length) != Some(&b'"') {
            return None;
        }
        self.advance(length + 2);
        let end = self.at() - 1;
        Some(self.between(end - length, end))
    }

    fn run(&mut self) -> &'a str {
        let start = self.at();
        self.advance(swar::run(self.rest()));
        self.since(start)
    }

    /// Parses a string from its first special character on.
    #[cold]
    fn rest_of_string(&mut self, start: &str) -> Result<Text<'a>, Fault> {
        let mut value = start.to_owned();
        let mut flaw = None;
        loop {
            match self.peek() {
                b'"' => {
                    self.advance(1);
                    return Ok(Text { value: Cow::Owned(value), flaw });
                }
                b'\\' => {
                    self.advance(1);
                    match self.escape()? {
                        Some('\0') => {
                            flaw = flaw.or(Some(Flaw::Nul));
                            value.push('\0');
                        }
                        Some(char) => value.push(char),
                        None => {
                            flaw = flaw.or(Some(Flaw::LoneSurrogate));
                            value.push(char::REPLACEMENT_CHARACTER);
                        }
                    }
                }
                _ if self.ended() => return Err(Fault::StringEnd),
                _ => return Err(Fault::Control),
            }
            value.push_str(self.run());
        }
    }

    /// Parses an escape after its backslash and returns its character; `None` for a lone surrogate.
    fn escape(&mut self) -> Result<Option<char>, Fault> {
        let char = match self.peek() {
            escaped @ (b'"' | b'\\' | b'/') => char::from(escaped),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                self.advance(1);
                return self.unicode();
            }
            _ => return Err(Fault::Escape),
        };
        self.advance(1);
        Ok(Some(char))
    }

    /// Parses the digits of `\u`, and of a second `\u` if the two are a surrogate pair. Returns
    /// `None` for a lone surrogate.
    fn unicode(&mut self) -> Result<Option<char>, Fault> {
        let unit = self.hex()?;
        if (0xd800..0xdc00).contains(&unit) && self.rest().starts_with(b"\\u") {
            let start = *self;
            self.advance(2);
            let low = self.hex()?;
            if (0xdc00..0xe000).contains(&low) {
                return Ok(char::from_u32(0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00)));
            }
            *self = start;
        }
        Ok(char::from_u32(unit))
    }

    fn hex(&mut self) -> Result<u32, Fault> {
        let mut unit = 0;
        for _ in 0..4 {
            let digit = char::from(self.peek()).to_digit(16);
            unit = unit << 4 | digit.ok_or(Fault::Hex)?;
            self.advance(1);
        }
        Ok(unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;
    use proptest::prelude::*;

    fn read(text: &str) -> Option<(String, Option<Flaw>)> {
        let mut cursor = Cursor::new(text, false);
        let found = cursor.string().ok()?;
        cursor.ended().then(|| (found.value.into_owned(), found.flaw))
    }

    #[test]
    fn every_escape_is_read() {
        assert_eq!(
            read(r#""\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00é😀""#),
            Some(("\"\\/\u{8}\u{c}\n\r\té😀é😀".to_owned(), None))
        );
    }

    #[test]
    fn flaws_of_a_string_are_reported() {
        for (text, value, flaw) in [
            (r#""a\u0000b""#, "a\0b", Flaw::Nul),
            (r#""\ud800""#, "\u{fffd}", Flaw::LoneSurrogate),
            (r#""\udc00x""#, "\u{fffd}x", Flaw::LoneSurrogate),
            (r#""\ud800\n""#, "\u{fffd}\n", Flaw::LoneSurrogate),
            (r#""\ud800\ud83d\ude00""#, "\u{fffd}😀", Flaw::LoneSurrogate),
            (r#""\ud800\u0041\u0000""#, "\u{fffd}A\0", Flaw::LoneSurrogate),
        ] {
            assert_eq!(read(text), Some((value.to_owned(), Some(flaw))), "{text}");
        }
    }

    #[test]
    fn malformed_strings_are_faults() {
        for text in [
            "",
            "\"",
            "\"a",
            "\"\\\"",
            "\"\\x\"",
            "\"\\u12\"",
            "\"\\u12g4\"",
            "\"\\ud800\\u1\"",
            "\"\n\"",
            "\"\0\"",
        ] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn every_string_is_the_one_that_serde_json_wrote(value in any::<String>()) {
            let value = value.replace('\0', "");
            prop_assert_eq!(read(&serde_json::to_string(&value).unwrap()), Some((value, None)));
        }

        #[test]
        fn strings_that_need_no_escape_are_borrowed(value in "[a-zé😀 ]*") {
            let text = format!("\"{value}\"");
            let found = Cursor::new(&text, false).string().unwrap();
            prop_assert!(matches!(found.value, Cow::Borrowed(_)));
        }
    }
}
