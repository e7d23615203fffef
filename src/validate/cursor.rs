//! A place in a JSON text: the grammar of RFC 8259 below strings and numbers, and the skipping of whole values.

use super::report::Source;
use super::words;
use super::{FOREIGN, FOREIGN_FROM};
use crate::contract::expected::Expected;
use crate::contract::limits;

/// Why a text is not JSON, at the place where the cursor then stands. Without the place, which would be passed on with each
/// result that can be one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// No value starts there.
    Value,
    /// No member's name starts there.
    Name,
    /// No colon follows a member's name.
    Colon,
    /// Neither a comma nor the end of an object follows a member.
    MemberEnd,
    /// Neither a comma nor the end of an array follows an item.
    ItemEnd,
    /// Something follows the body.
    End,
    /// A number has no digit there.
    Digit,
    /// A number has a leading zero.
    LeadingZero,
    /// A string does not end.
    StringEnd,
    /// A control character stands in a string.
    Control,
    /// A backslash has no escape behind it.
    Escape,
    /// An escape has no hexadecimal digit there.
    Hex,
    /// An array or object more than may be nested.
    TooDeep,
}

impl Fault {
    /// The terms of which one had to stand there; none where something else is wrong.
    pub(super) fn expected(self) -> Expected {
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

    /// What is wrong where nothing else was expected, as a clause.
    pub(super) fn clause(self) -> Option<&'static str> {
        match self {
            Self::LeadingZero => Some("A number with a leading zero"),
            Self::Control => Some("A control character in a string, which must be escaped"),
            Self::TooDeep => Some("Nested too deeply"),
            _ => None,
        }
    }
}

/// The kind of a JSON value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Null,
    Boolean,
    Number,
    String,
    Array,
    Object,
    /// What JSON cannot write: the index of its name in messages, in [`FOREIGN`].
    Foreign(u8),
}

impl Kind {
    /// The kind with its article.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
            Self::Foreign(index) => FOREIGN.get(usize::from(index)).copied().unwrap_or_default(),
        }
    }

    /// A number for each kind.
    pub(super) fn number(self) -> u32 {
        match self {
            Self::Null => 0,
            Self::Boolean => 1,
            Self::Number => 2,
            Self::String => 3,
            Self::Array => 4,
            Self::Object => 5,
            Self::Foreign(index) => 6 + u32::from(index),
        }
    }
}

/// A place in a text. A copy looks ahead without moving the original.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    /// Whether the bytes from [`FOREIGN_FROM`] on stand for [`FOREIGN`] where a value may be.
    foreign: bool,
}

impl<'a> Cursor<'a> {
    /// The start of a text, and whether it was written for an object, with bytes for values of [`FOREIGN`].
    pub(super) fn new(text: &'a str, foreign: bool) -> Self {
        Self { text, at: 0, depth: 0, foreign }
    }

    /// The number of bytes passed.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// The text from there to here.
    pub(super) fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// The text between two places.
    pub(super) fn between(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// The bytes to come.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    /// The next byte; 0 at the end, which no text may have here either.
    pub(super) fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    /// Whether nothing is left.
    pub(super) fn ended(&self) -> bool {
        self.at >= self.text.len()
    }

    /// Moves past that many bytes.
    pub(super) fn advance(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// Passes white space.
    #[inline]
    pub(super) fn space(&mut self) {
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

    /// The kind of the value that starts here.
    pub(super) fn kind(&self) -> Result<Kind, Fault> {
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

    /// The kind of the value that the byte here stands for, in a text where some do.
    #[cold]
    fn foreign(&self, byte: u8) -> Result<Kind, Fault> {
        let index = byte.wrapping_sub(FOREIGN_FROM);
        if self.foreign && usize::from(index) < FOREIGN.len() {
            return Ok(Kind::Foreign(index));
        }
        Err(Fault::Value)
    }

    /// Enters the array or object that starts here; `false` where it closes at once.
    pub(super) fn open(&mut self, close: u8) -> Result<bool, Fault> {
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

    /// Moves to the next item or member; `false` where the array or object closes instead.
    pub(super) fn more(&mut self, close: u8) -> Result<bool, Fault> {
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

    /// Passes exactly that string, quotes included; `false`, unmoved, where something else stands.
    pub(super) fn exact(&mut self, text: &str) -> bool {
        let rest = self.rest();
        let found = rest.first() == Some(&b'"')
            && rest.get(text.len() + 1) == Some(&b'"')
            && rest.get(1..=text.len()).is_some_and(|found| words::same(found, text.as_bytes()));
        if found {
            self.at += text.len() + 2;
        }
        found
    }

    /// Passes the colon after a member's name.
    pub(super) fn colon(&mut self) -> Result<(), Fault> {
        self.space();
        if self.peek() != b':' {
            return Err(Fault::Colon);
        }
        self.at += 1;
        self.space();
        Ok(())
    }

    /// Passes one of JSON's three words.
    pub(super) fn word(&mut self) -> Result<(), Fault> {
        let word =
            ["null", "true", "false"].into_iter().find(|word| self.rest().starts_with(word.as_bytes()));
        self.at += word.ok_or(Fault::Value)?.len();
        Ok(())
    }

    /// Passes a whole value of any shape and returns what it was. Nesting is capped, so the recursion is too.
    pub(super) fn skip(&mut self) -> Result<Source<'a>, Fault> {
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

    /// Makes sure that nothing but white space is left.
    pub(super) fn finish(&mut self) -> Result<(), Fault> {
        self.space();
        if self.ended() { Ok(()) } else { Err(Fault::End) }
    }
}
