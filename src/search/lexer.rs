//! The names, punctuation, strings, and numbers of filters and facets. The parser requests the kind that it expects, so
//! that `-1` is part of a name in one place and a number in another.

use core::fmt;

use crate::contract::error::Member;
use crate::contract::expected::{Expected, QUERY, push_prose};
use crate::contract::limits;
use crate::contract::param::Refusal;
use crate::contract::quote::quoted;
use crate::contract::reason::Reason;
use crate::util::number;

/// An error in a filter or a facet, with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpressionError {
    /// The character, from 1.
    pub column: u32,
    /// How many characters are wrong.
    pub length: u32,
    /// What is wrong and what is valid, as a sentence without its period.
    pub message: String,
    /// Which rule is broken.
    pub reason: Reason,
    /// What could be there instead.
    pub expected: Expected,
}

impl fmt::Display for ExpressionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (column {})", self.message, self.column)
    }
}

impl std::error::Error for ExpressionError {}

impl From<ExpressionError> for Refusal {
    fn from(error: ExpressionError) -> Self {
        let refusal = Self::new(error.reason, error.to_string()).expecting(error.expected);
        let refusal = match error.reason {
            Reason::Length => refusal.with_integer(Member::MaxLength, limits::SEARCH_EXPRESSION_BYTES as i64),
            _ => refusal,
        };
        refusal
            .with_integer(Member::Column, error.column.into())
            .with_integer(Member::Length, error.length.into())
    }
}

/// The result of reading a part.
pub(super) type Parsed<T> = Result<T, ExpressionError>;

/// A place in a text.
#[derive(Debug)]
pub(super) struct Lexer<'t> {
    rest: &'t str,
    column: u32,
}

impl<'t> Lexer<'t> {
    /// Starts at the beginning of a text, unless it is too long.
    pub(super) fn new(text: &'t str) -> Parsed<Self> {
        let most = limits::SEARCH_EXPRESSION_BYTES;
        if text.len() > most {
            let fitting = text.char_indices().take_while(|(at, c)| at + c.len_utf8() <= most).count();
            let lexer = Self { rest: "", column: fitting as u32 + 1 };
            return Err(lexer.error(
                lexer.column,
                Reason::Length,
                &[],
                format!("The expression is longer than {most} bytes"),
            ));
        }
        Ok(Self { rest: text, column: 1 })
    }

    /// Returns an error about what was read since a column.
    #[inline(never)]
    pub(super) fn error(
        &self,
        column: u32,
        reason: Reason,
        expected: Expected,
        message: String,
    ) -> ExpressionError {
        let length = self.column.saturating_sub(column);
        ExpressionError { column, length, message, reason, expected }
    }

    /// Skips white space and returns the column where the next token begins.
    pub(super) fn place(&mut self) -> u32 {
        self.take_while(|c| matches!(c, ' ' | '\t' | '\n' | '\r'));
        self.column
    }

    /// Returns the next character without consuming it.
    pub(super) fn first(&self) -> Option<char> {
        self.rest.chars().next()
    }

    /// Consumes the next token if it is the mark, and returns whether it was.
    pub(super) fn mark(&mut self, mark: char) -> bool {
        self.place();
        self.mark_at_once(mark)
    }

    /// Reads the mark without skipping white space.
    pub(super) fn mark_at_once(&mut self, mark: char) -> bool {
        let there = self.first() == Some(mark);
        if there {
            self.take();
        }
        there
    }

    /// Consumes the next token if it is the word in any case, and returns whether it was.
    pub(super) fn keyword(&mut self, word: &str) -> bool {
        self.place();
        let there = name_at(self.rest).eq_ignore_ascii_case(word);
        if there {
            self.name();
        }
        there
    }

    /// Returns whether `true` or `false` is next, in any case.
    pub(super) fn is_boolean(&self) -> bool {
        ["true", "false"].into_iter().any(|word| name_at(self.rest).eq_ignore_ascii_case(word))
    }

    /// Reads the name that begins here; may be empty.
    pub(super) fn name(&mut self) -> &'t str {
        let name = name_at(self.rest);
        self.take_while(is_name);
        name
    }

    /// Returns an error: the next token is not an expected one.
    pub(super) fn unexpected<T>(&mut self, expected: Expected) -> Parsed<T> {
        Err(self.unexpected_error(expected))
    }

    #[inline(never)]
    fn unexpected_error(&mut self, expected: Expected) -> ExpressionError {
        let column = self.place();
        let found = match (name_at(self.rest), self.first()) {
            (_, None) => "end of input".to_owned(),
            (_, Some('"')) => "string".to_owned(),
            ("", Some(c)) => format!("'{}'", c.escape_debug()),
            (name, _) => format!("'{}'", quoted(name)),
        };
        // The unexpected token is read as far as possible.
        if self.first() == Some('"') {
            let before = (self.rest, self.column);
            if self.string().is_err() {
                (self.rest, self.column) = (before.0, before.1 + 1);
            }
        } else if self.name().is_empty() {
            self.take();
        }
        let mut message = format!("Unexpected {found}, expected ");
        push_prose(expected, QUERY, &mut message);
        self.error(column, Reason::Syntax, expected, message)
    }

    /// Reads a JSON number, which must end where its run of characters ends.
    pub(super) fn number(&mut self) -> Parsed<f64> {
        let column = self.place();
        let before = self.rest;
        self.take_while(|c| is_name(c) || matches!(c, '+' | '.'));
        let text = before.get(..before.len() - self.rest.len()).unwrap_or_default();
        let Some(number) = number::json(text) else {
            let message = format!("Malformed number '{}', expected one such as -1.5e3", quoted(text));
            return Err(self.error(column, Reason::Syntax, &["<number>"], message));
        };
        if !number.is_finite() {
            let message = format!("The number '{}' is out of range", quoted(text));
            return Err(self.error(column, Reason::Format, &["double"], message));
        }
        // −0 is 0 (D7).
        Ok(number + 0.0)
    }

    /// Reads a JSON string from its opening quotation mark on.
    pub(super) fn string(&mut self) -> Parsed<String> {
        self.place();
        self.take();
        let mut out = String::new();
        loop {
            let column = self.column;
            match self.take() {
                None => return self.unexpected(&["\""]),
                Some('"') => return Ok(out),
                Some('\\') => out.push(self.escape(column)?),
                Some(c) if c < ' ' => {
                    let code = u32::from(c);
                    let message = format!("Unexpected U+{code:04X} in a string, expected an escape");
                    return Err(self.error(column, Reason::Syntax, &["<escape>"], message));
                }
                Some(c) => out.push(c),
            }
        }
    }

    /// Returns the character that an escape means. Its backslash, at the column, was read.
    fn escape(&mut self, column: u32) -> Parsed<char> {
        Ok(match self.take() {
            Some(c @ ('"' | '\\' | '/')) => c,
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => return self.unicode_escape(column),
            _ => {
                let expected = r#"\", \\, \/, \b, \f, \n, \r, \t or \u and four hexadecimal digits"#;
                let message = format!("Unknown escape, expected {expected}");
                return Err(self.error(column, Reason::Syntax, &["<escape>"], message));
            }
        })
    }

    /// Returns the character of `\uXXXX`, or of two that are a surrogate pair.
    fn unicode_escape(&mut self, column: u32) -> Parsed<char> {
        let first = self.code_unit(column)?;
        let mut units = [first, 0];
        if (0xd800..0xdc00).contains(&first) && self.rest.starts_with("\\u") {
            self.take();
            self.take();
            units = [first, self.code_unit(column)?];
        }
        match char::decode_utf16(units).next() {
            Some(Ok('\0')) => Err(self.error(
                column,
                Reason::Characters,
                &[],
                "A string must not contain U+0000".to_owned(),
            )),
            Some(Ok(c)) => Ok(c),
            _ => {
                let message = "A lone surrogate is not a character, expected a surrogate pair".to_owned();
                Err(self.error(column, Reason::Characters, &[], message))
            }
        }
    }

    fn code_unit(&mut self, column: u32) -> Parsed<u16> {
        let mut unit = 0;
        for _ in 0..4 {
            let Some(digit) = self.first().and_then(|c| c.to_digit(16)) else {
                let message = "Malformed escape, expected \\u and four hexadecimal digits".to_owned();
                return Err(self.error(column, Reason::Syntax, &["<escape>"], message));
            };
            self.take();
            unit = unit * 16 + digit;
        }
        // Four hexadecimal digits are sixteen bits.
        Ok(unit as u16)
    }

    fn take(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let c = chars.next()?;
        self.rest = chars.as_str();
        self.column += 1;
        Some(c)
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) {
        while self.first().is_some_and(&wanted) {
            self.take();
        }
    }
}

const fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_')
}

/// Returns the name at the start of the text; may be empty.
fn name_at(text: &str) -> &str {
    let end = text.find(|c| !is_name(c)).unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}
