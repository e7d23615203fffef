//! The words, symbols, strings, and numbers of a predicate. The parser requests the kind that it expects.
//!
//! A name may begin with `-` or a digit, so whether `-1` is a name or a number depends on its place. The parser calls
//! [`PredicateLexer::token`] where it expects names and operators, and [`PredicateLexer::string`] or
//! [`PredicateLexer::number`] where it expects values.

use crate::contract::quote::quoted;
use crate::contract::reason::Reason;
use crate::util::number;

use super::ast::Position;
use super::error::SyntaxError;
use super::token::Token;

/// Every symbol. A longer one precedes its prefixes.
const SYMBOLS: [&str; 12] = ["!=", "<>", "<=", ">=", "=", "<", ">", "(", ")", ",", ".", ":"];

/// A place in a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct PredicateLexer<'t> {
    rest: &'t str,
    at: Position,
}

impl<'t> PredicateLexer<'t> {
    pub(super) const fn new(text: &'t str) -> Self {
        Self { rest: text, at: Position::START }
    }

    /// Skips white space and returns where the next token begins.
    pub(super) fn place(&mut self) -> Position {
        self.take_while(|c| matches!(c, ' ' | '\t' | '\n' | '\r'));
        self.at
    }

    /// Returns the place with the length of what was read since. That is always in one line.
    pub(super) fn since(&self, at: Position) -> Position {
        let length = if at.line == self.at.line { self.at.column.saturating_sub(at.column) } else { 1 };
        Position { length, ..at }
    }

    /// Returns the next character without consuming it.
    pub(super) fn first(&self) -> Option<char> {
        self.rest.chars().next()
    }

    /// Reads the next token.
    pub(super) fn token(&mut self) -> Token<'t> {
        self.place();
        if let Some(symbol) = SYMBOLS.into_iter().find(|symbol| self.rest.starts_with(symbol)) {
            for _ in symbol.chars() {
                self.take();
            }
            return Token::Symbol(symbol);
        }
        let word = self.take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
        if !word.is_empty() {
            return Token::Word(word);
        }
        match self.take() {
            None => Token::End,
            Some('"') => Token::Quote,
            Some(other) => Token::Other(other),
        }
    }

    /// Reads the name of a variable after its colon; empty if no name follows directly.
    pub(super) fn variable(&mut self) -> &'t str {
        self.take_while(|c| c.is_ascii_alphanumeric())
    }

    /// Reads a number, which must end where its run of characters ends.
    pub(super) fn number(&mut self) -> Result<f64, SyntaxError> {
        let at = self.at;
        let text = self.take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.' | '_'));
        let Some(number) = number::json(text) else {
            let message = format!("Malformed number '{}', expected one such as -1.5e3", quoted(text));
            let error = SyntaxError::new(self.since(at), Reason::Syntax, message);
            return Err(SyntaxError { expected: &["<number>"], ..error });
        };
        if !number.is_finite() {
            let message = format!("The number '{}' is out of range", quoted(text));
            return Err(SyntaxError::new(self.since(at), Reason::Format, message));
        }
        Ok(number)
    }

    /// Reads a string from its opening quotation mark on.
    pub(super) fn string(&mut self) -> Result<String, SyntaxError> {
        self.take();
        let mut out = String::new();
        loop {
            let at = self.at;
            match self.take() {
                None => return Err(SyntaxError::unexpected(at, Token::End, &["\""])),
                Some('"') => return Ok(out),
                Some('\\') => out.push(self.escape(at)?),
                Some(c) if c < ' ' => {
                    let message = format!(
                        "Unexpected control character U+{:04X} in a string, expected an escape",
                        u32::from(c)
                    );
                    return Err(self.escape_error(at, message));
                }
                Some(c) => out.push(c),
            }
        }
    }

    /// Returns the character that an escape means. `at` is its backslash, which was read.
    fn escape(&mut self, at: Position) -> Result<char, SyntaxError> {
        let c = match self.take() {
            None => return Err(SyntaxError::unexpected(self.at, Token::End, &["<escape>"])),
            Some(c @ ('"' | '\\' | '/')) => c,
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => return self.unicode_escape(at),
            Some(_) => {
                let expected = r#"\", \\, \/, \b, \f, \n, \r, \t or \u and four hexadecimal digits"#;
                return Err(self.escape_error(at, format!("Unknown escape, expected {expected}")));
            }
        };
        Ok(c)
    }

    /// Returns the character of `\uXXXX`, or of two that are a surrogate pair.
    fn unicode_escape(&mut self, at: Position) -> Result<char, SyntaxError> {
        let first = self.code_unit(at)?;
        let mut units = [first, 0];
        if (0xd800..0xdc00).contains(&first) && self.rest.starts_with("\\u") {
            self.take();
            self.take();
            units = [first, self.code_unit(at)?];
        }
        match char::decode_utf16(units).next() {
            Some(Ok('\0')) => Err(SyntaxError::new(
                self.since(at),
                Reason::Characters,
                "A string must not contain U+0000".to_owned(),
            )),
            Some(Ok(c)) => Ok(c),
            _ => {
                let message = "A lone surrogate is not a character, expected a surrogate pair".to_owned();
                Err(SyntaxError::new(self.since(at), Reason::Characters, message))
            }
        }
    }

    fn escape_error(&self, at: Position, message: String) -> SyntaxError {
        SyntaxError { expected: &["<escape>"], ..SyntaxError::new(self.since(at), Reason::Syntax, message) }
    }

    fn code_unit(&mut self, at: Position) -> Result<u16, SyntaxError> {
        let mut unit = 0;
        for _ in 0..4 {
            let Some(digit) = self.first().and_then(|c| c.to_digit(16)) else {
                let message = "Malformed escape, expected \\u and four hexadecimal digits";
                return Err(self.escape_error(at, message.to_owned()));
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
        if c == '\n' {
            self.at = Position { line: self.at.line + 1, column: 1, length: 0 };
        } else {
            self.at.column += 1;
        }
        Some(c)
    }

    fn take_while(&mut self, mut wanted: impl FnMut(char) -> bool) -> &'t str {
        let before = self.rest;
        while self.first().is_some_and(&mut wanted) {
            self.take();
        }
        before.get(..before.len() - self.rest.len()).unwrap_or_default()
    }
}

/// Returns the place of the first character that exceeds so many bytes.
pub(super) fn position_past(text: &str, bytes: usize) -> Position {
    let mut lexer = PredicateLexer::new(text);
    while lexer.first().is_some_and(|c| text.len() - lexer.rest.len() + c.len_utf8() <= bytes) {
        lexer.take();
    }
    lexer.at
}
