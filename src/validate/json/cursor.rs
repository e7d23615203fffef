//! A position in a JSON text: the grammar of RFC 8259 except strings and numbers, and skipping of whole values.
#![allow(clippy::inline_always, reason = "each byte passes these, and the compiler optimizes pages for size")]

use super::source::{FOREIGN, FOREIGN_FROM, Kind, Source};
use crate::contract::error::Expected;
use crate::contract::limits;
use crate::util::swar;

/// Why a text is not JSON at the cursor's position. The position is not included, because every result that can be a
/// fault would carry it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    Value,
    Name,
    Colon,
    MemberEnd,
    ItemEnd,
    End,
    Digit,
    LeadingZero,
    StringEnd,
    Control,
    Escape,
    Hex,
    TooDeep,
}

impl Fault {
    /// Returns the terms that were expected; none if something else is wrong.
    pub(crate) fn expected(self) -> Expected {
        match self {
            Self::Value => &["<value>"],
            Self::Name => &["<name>"],
            Self::Colon => &[":"],
            Self::MemberEnd => &[",", "}"],
            Self::ItemEnd => &[",", "]"],
            Self::End => &["<end>"],
            Self::Digit => &["<digit>"],
            Self::StringEnd => &["\""],
            Self::Escape => &["<escape>"],
            Self::Hex => &["<hex>"],
            Self::LeadingZero | Self::Control | Self::TooDeep => &[],
        }
    }

    /// Returns what is wrong as a clause, if no other term was expected.
    pub(crate) fn clause(self) -> Option<&'static str> {
        match self {
            Self::LeadingZero => Some("A number with a leading zero"),
            Self::Control => Some("An unescaped control character in a string"),
            Self::TooDeep => Some("Nested too deeply"),
            _ => None,
        }
    }
}

/// A position in a text. A copy looks ahead without moving the original.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    /// Whether the bytes from [`FOREIGN_FROM`] on mean [`FOREIGN`] values.
    foreign: bool,
}

impl<'a> Cursor<'a> {
    /// Creates a cursor at the start of a text. `foreign`: the text was written for an object, with bytes for values of
    /// [`FOREIGN`].
    pub(crate) fn new(text: &'a str, foreign: bool) -> Self {
        Self { text, at: 0, depth: 0, foreign }
    }

    #[inline(always)]
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    #[inline(always)]
    pub(crate) fn between(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or_default()
    }

    #[inline(always)]
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    /// Returns the next byte; 0 at the end. No text may have that byte here.
    #[inline(always)]
    pub(crate) fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    pub(crate) fn ended(&self) -> bool {
        self.at >= self.text.len()
    }

    #[inline(always)]
    pub(crate) fn advance(&mut self, bytes: usize) {
        self.at += bytes;
    }

    #[inline(always)]
    pub(crate) fn space(&mut self) {
        // Most texts have none.
        if self.peek() <= b' ' {
            self.spaces();
        }
    }

    fn spaces(&mut self) {
        while matches!(self.peek(), b' ' | b'\n' | b'\r' | b'\t') {
            self.at += 1;
        }
    }

    #[inline(always)]
    pub(crate) fn kind(&self) -> Result<Kind, Fault> {
        match self.peek() {
            b'"' => Ok(Kind::String),
            b'-' | b'0'..=b'9' => Ok(Kind::Number),
            b'[' => Ok(Kind::Array),
            b'{' => Ok(Kind::Object),
            b'n' => Ok(Kind::Null),
            b't' | b'f' => Ok(Kind::Boolean),
            other => self.foreign(other),
        }
    }

    /// Returns the kind of the value that the byte here means, in a text with foreign values.
    #[cold]
    fn foreign(&self, byte: u8) -> Result<Kind, Fault> {
        let index = byte.wrapping_sub(FOREIGN_FROM);
        if self.foreign && usize::from(index) < FOREIGN.len() {
            return Ok(Kind::Foreign(index));
        }
        Err(Fault::Value)
    }

    /// Enters the array or object that starts here; `false` if it is empty.
    pub(crate) fn open(&mut self, close: u8) -> Result<bool, Fault> {
        if self.depth == limits::BODY_DEPTH {
            return Err(Fault::TooDeep);
        }
        self.at += 1;
        self.space();
        if self.peek() == close {
            self.at += 1;
            return Ok(false);
        }
        self.depth += 1;
        Ok(true)
    }

    /// Moves to the next item or member; `false` if the array or object ends instead.
    #[inline(always)]
    pub(crate) fn more(&mut self, close: u8) -> Result<bool, Fault> {
        self.space();
        let next = self.peek();
        if next == b',' {
            self.at += 1;
            self.space();
            return Ok(true);
        }
        if next != close {
            return Err(if close == b'}' { Fault::MemberEnd } else { Fault::ItemEnd });
        }
        self.at += 1;
        self.depth -= 1;
        Ok(false)
    }

    /// Skips the string `text`, quotes included. Returns `false` without moving if the text differs.
    #[inline(always)]
    pub(crate) fn exact(&mut self, text: &str) -> bool {
        let rest = self.rest();
        let found = rest.first() == Some(&b'"')
            && rest.get(text.len() + 1) == Some(&b'"')
            && rest.get(1..=text.len()).is_some_and(|found| swar::same(found, text.as_bytes()));
        if found {
            self.at += text.len() + 2;
        }
        found
    }

    #[inline(always)]
    pub(crate) fn colon(&mut self) -> Result<(), Fault> {
        self.space();
        if self.peek() != b':' {
            return Err(Fault::Colon);
        }
        self.at += 1;
        self.space();
        Ok(())
    }

    pub(crate) fn word(&mut self) -> Result<(), Fault> {
        let word =
            ["null", "true", "false"].into_iter().find(|word| self.rest().starts_with(word.as_bytes()));
        self.at += word.ok_or(Fault::Value)?.len();
        Ok(())
    }

    /// Skips a whole value of any shape and returns it. Nesting is limited, and so is the recursion.
    pub(crate) fn skip(&mut self) -> Result<Source<'a>, Fault> {
        let start = self.at;
        let kind = self.kind()?;
        let mut quotable = true;
        match kind {
            Kind::Null | Kind::Boolean => self.word()?,
            Kind::Foreign(_) => self.advance(1),
            Kind::Number => quotable = self.number()?.is_finite(),
            Kind::String => quotable = self.string()?.flaw.is_none(),
            Kind::Array | Kind::Object => {
                let is_object = kind == Kind::Object;
                let close = if is_object { b'}' } else { b']' };
                let mut open = self.open(close)?;
                while open {
                    if is_object {
                        self.string()?;
                        self.colon()?;
                    }
                    self.skip()?;
                    open = self.more(close)?;
                }
            }
        }
        Ok(Source { text: self.since(start), kind, quotable })
    }

    pub(crate) fn finish(&mut self) -> Result<(), Fault> {
        self.space();
        if self.ended() { Ok(()) } else { Err(Fault::End) }
    }
}
