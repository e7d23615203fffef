//! The names, marks, strings and numbers of filters and facets, each read where the parser expects it, so that `-1` is
//! part of a name in one place and a number in another.

use core::fmt;

use crate::contract::limits;
use crate::contract::number;
use crate::contract::param::quoted;

/// What is wrong with a filter or a facet, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpressionError {
    /// The character, from 1.
    pub column: u32,
    /// What is wrong and what would be right, as a sentence without its full stop.
    pub message: String,
}

impl fmt::Display for ExpressionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (column {})", self.message, self.column)
    }
}

impl std::error::Error for ExpressionError {}

/// What reading a part gives.
pub(super) type Parsed<T> = Result<T, ExpressionError>;

/// An error at a column.
pub(super) fn fail<T>(column: u32, message: impl Into<String>) -> Parsed<T> {
    Err(ExpressionError { column, message: message.into() })
}

/// A place in a text.
#[derive(Debug)]
pub(super) struct Lexer<'t> {
    rest: &'t str,
    column: u32,
}

impl<'t> Lexer<'t> {
    /// The beginning of a text that is not too long.
    pub(super) fn new(text: &'t str) -> Parsed<Self> {
        let most = limits::SEARCH_EXPRESSION_BYTES;
        if text.len() > most {
            let fitting = text.char_indices().take_while(|(at, c)| at + c.len_utf8() <= most).count();
            return fail(fitting as u32 + 1, format!("It is longer than {most} bytes"));
        }
        Ok(Self { rest: text, column: 1 })
    }

    /// Passes over white space and returns the column where the next token begins.
    pub(super) fn place(&mut self) -> u32 {
        self.take_while(|c| matches!(c, ' ' | '\t' | '\n' | '\r'));
        self.column
    }

    /// The next character, which stays.
    pub(super) fn first(&self) -> Option<char> {
        self.rest.chars().next()
    }

    /// Whether the next token is the mark, which is then read.
    pub(super) fn mark(&mut self, mark: char) -> bool {
        self.place();
        self.mark_at_once(mark)
    }

    /// The same without white space before it.
    pub(super) fn mark_at_once(&mut self, mark: char) -> bool {
        let there = self.first() == Some(mark);
        if there {
            self.take();
        }
        there
    }

    /// Whether the next token is the word in any case, which is then read.
    pub(super) fn keyword(&mut self, word: &str) -> bool {
        self.place();
        let there = name_at(self.rest).eq_ignore_ascii_case(word);
        if there {
            self.name();
        }
        there
    }

    /// The name that begins at once, perhaps empty.
    pub(super) fn name(&mut self) -> &'t str {
        let name = name_at(self.rest);
        self.take_while(is_name);
        name
    }

    /// That what comes next is not what was expected.
    pub(super) fn unexpected<T>(&mut self, expected: &str) -> Parsed<T> {
        let column = self.place();
        let found = match (name_at(self.rest), self.first()) {
            (_, None) => "end of input".to_owned(),
            (_, Some('"')) => "string".to_owned(),
            ("", Some(c)) => format!("'{}'", c.escape_debug()),
            (name, _) => format!("'{}'", quoted(name)),
        };
        fail(column, format!("Unexpected {found}, expected {expected}"))
    }

    /// A JSON number, which must end where its run of characters does.
    pub(super) fn number(&mut self) -> Parsed<f64> {
        let column = self.place();
        let before = self.rest;
        self.take_while(|c| is_name(c) || matches!(c, '+' | '.'));
        let text = before.get(..before.len() - self.rest.len()).unwrap_or_default();
        let Some(number) = number::json(text) else {
            return fail(column, format!("Malformed number '{}', expected one such as -1.5e3", quoted(text)));
        };
        if !number.is_finite() {
            return fail(column, format!("The number '{}' is out of range", quoted(text)));
        }
        // −0 is 0 (D7).
        Ok(number + 0.0)
    }

    /// A JSON string from its opening quotation mark on.
    pub(super) fn string(&mut self) -> Parsed<String> {
        self.place();
        self.take();
        let mut out = String::new();
        loop {
            let column = self.column;
            match self.take() {
                None => return self.unexpected("'\"' at the end of the string"),
                Some('"') => return Ok(out),
                Some('\\') => out.push(self.escape(column)?),
                Some(c) if c < ' ' => {
                    let code = u32::from(c);
                    return fail(column, format!("Unexpected U+{code:04X} in a string, expected an escape"));
                }
                Some(c) => out.push(c),
            }
        }
    }

    /// The character that an escape stands for; its backslash, at the column, was read.
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
                return fail(column, format!("Unknown escape, expected {expected}"));
            }
        })
    }

    /// The character of `\uXXXX`, or of two that are a surrogate pair.
    fn unicode_escape(&mut self, column: u32) -> Parsed<char> {
        let first = self.code_unit(column)?;
        let mut units = [first, 0];
        if (0xd800..0xdc00).contains(&first) && self.rest.starts_with("\\u") {
            self.take();
            self.take();
            units = [first, self.code_unit(column)?];
        }
        match char::decode_utf16(units).next() {
            Some(Ok('\0')) => fail(column, "A string must not hold U+0000"),
            Some(Ok(c)) => Ok(c),
            _ => fail(column, "A lone surrogate is no character, expected a surrogate pair"),
        }
    }

    fn code_unit(&mut self, column: u32) -> Parsed<u16> {
        let mut unit = 0;
        for _ in 0..4 {
            let Some(digit) = self.first().and_then(|c| c.to_digit(16)) else {
                return fail(column, "Malformed escape, expected \\u and four hexadecimal digits");
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

/// The name with which the text begins, perhaps empty.
fn name_at(text: &str) -> &str {
    let end = text.find(|c| !is_name(c)).unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}
