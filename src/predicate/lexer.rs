//! The words, symbols, strings, and numbers of predicates, filters, and facets. The parser requests the kind that it
//! expects.
//!
//! A name may begin with `-` or a digit, so whether `-1` is a name or a number depends on its place. Parsers call
//! [`Lexer::next`] where they expect names and operators, and [`Lexer::string`] or [`Lexer::number`] where they expect
//! values.

use crate::contract::error::{Expected, Member, Reason, quoted};
use crate::contract::param::Refusal;
use crate::util::number;

use super::ast::Position;
use super::error::ExpressionError;
use super::token::Token;

/// Every symbol. A longer one precedes its prefixes.
const SYMBOLS: [&str; 12] = ["!=", "<>", "<=", ">=", "=", "<", ">", "(", ")", ",", ".", ":"];

/// Reads a text token by token: the rest of the text, and its position.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lexer<'t> {
    rest: &'t str,
    at: Position,
}

impl<'t> Lexer<'t> {
    /// Starts at the beginning of a text, unless it has more bytes than `max`. `what` names the text in the error.
    pub(crate) fn new(text: &'t str, what: &str, max: usize) -> Result<Self, ExpressionError> {
        let mut lexer = Self { rest: text, at: Position::START };
        if text.len() <= max {
            return Ok(lexer);
        }
        while lexer.first().is_some_and(|c| text.len() - lexer.rest.len() + c.len_utf8() <= max) {
            lexer.take();
        }
        let message = format!("The {what} is longer than {max} bytes");
        let refusal = Refusal::new(Reason::Length, message).with(Member::MaxLength, max as i64);
        Err(ExpressionError::syntax(lexer.at, refusal))
    }

    pub(crate) const fn at(&self) -> Position {
        self.at
    }

    /// Skips white space and returns where the next token begins.
    pub(crate) fn place(&mut self) -> Position {
        self.take_while(|c| matches!(c, ' ' | '\t' | '\n' | '\r'));
        self.at
    }

    /// Returns `at` with the length of the text read since then; 1 if that text has a line break.
    pub(crate) fn since(&self, at: Position) -> Position {
        let length = if at.line == self.at.line { self.at.column.saturating_sub(at.column) } else { 1 };
        Position { length, ..at }
    }

    pub(crate) fn first(&self) -> Option<char> {
        self.rest.chars().next()
    }

    /// Reads the next token, and returns it with its place.
    pub(crate) fn next(&mut self) -> (Position, Token<'t>) {
        let at = self.place();
        let mut string = *self;
        let token = self.token();
        // For a string, the token is its quotation mark, and its place is the whole string.
        let is_string = token == Token::Quote && string.string().is_ok();
        let end = if is_string { string } else { *self };
        (end.since(at), token)
    }

    /// Consumes the next token if `wanted` returns `true` for it. Returns whether it was consumed.
    pub(crate) fn consume_if(&mut self, wanted: impl FnOnce(Token<'t>) -> bool) -> bool {
        let mut ahead = *self;
        let taken = wanted(ahead.token());
        if taken {
            *self = ahead;
        }
        taken
    }

    /// Consumes the next token if it is the keyword in any case. Returns whether it was.
    pub(crate) fn consume_keyword(&mut self, keyword: &str) -> bool {
        self.consume_if(|token| token.is_keyword(keyword))
    }

    /// Consumes the next token if it is the symbol. Returns whether it was.
    pub(crate) fn consume_symbol(&mut self, symbol: &str) -> bool {
        self.consume_if(|token| matches!(token, Token::Symbol(found) if found == symbol))
    }

    /// Consumes the next token, which must be the keyword in any case.
    pub(crate) fn keyword(&mut self, keyword: &str, expected: Expected) -> Result<(), ExpressionError> {
        if self.consume_keyword(keyword) { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    /// Consumes the next token, which must be the symbol.
    pub(crate) fn symbol(&mut self, symbol: &str, expected: Expected) -> Result<(), ExpressionError> {
        if self.consume_symbol(symbol) { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    /// Consumes the next token, and returns an error that names it and the expected tokens.
    #[inline(never)]
    pub(crate) fn unexpected(&mut self, expected: Expected) -> ExpressionError {
        let (at, found) = self.next();
        ExpressionError::unexpected(at, found, expected)
    }

    pub(super) fn token(&mut self) -> Token<'t> {
        self.place();
        if let Some(symbol) = SYMBOLS.into_iter().find(|symbol| self.rest.starts_with(symbol)) {
            for _ in symbol.chars() {
                self.take();
            }
            return Token::Symbol(symbol);
        }
        let word = self.word();
        if !word.is_empty() {
            return Token::Word(word);
        }
        match self.take() {
            None => Token::End,
            Some('"') => Token::Quote,
            Some(other) => Token::Other(other),
        }
    }

    /// Reads the name or keyword that begins here; may be empty.
    pub(crate) fn word(&mut self) -> &'t str {
        self.take_while(is_name)
    }

    /// Reads the name of a variable after its colon; empty if no name follows directly.
    pub(super) fn variable(&mut self, of_variable: fn(char) -> bool) -> &'t str {
        self.take_while(of_variable)
    }

    /// Reads a number, which must end where its run of characters ends.
    pub(crate) fn number(&mut self) -> Result<f64, ExpressionError> {
        let at = self.at;
        let text = self.take_while(|c| is_name(c) || matches!(c, '+' | '.'));
        let Some(number) = number::json(text) else {
            let message = format!("Malformed number '{}', expected one such as -1.5e3", quoted(text));
            return Err(self.error(at, Reason::Syntax, message, &["<number>"]));
        };
        if !number.is_finite() {
            let message = format!("The number '{}' is out of range", quoted(text));
            return Err(self.error(at, Reason::Format, message, &["double"]));
        }
        Ok(number)
    }

    pub(crate) fn string(&mut self) -> Result<String, ExpressionError> {
        self.take();
        let mut out = String::new();
        loop {
            let at = self.at;
            match self.take() {
                None => return Err(ExpressionError::unexpected(at, Token::End, &["\""])),
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
    fn escape(&mut self, at: Position) -> Result<char, ExpressionError> {
        let c = match self.take() {
            None => return Err(ExpressionError::unexpected(self.at, Token::End, &["<escape>"])),
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
    fn unicode_escape(&mut self, at: Position) -> Result<char, ExpressionError> {
        let first = self.code_unit(at)?;
        let mut units = [first, 0];
        if (0xd800..0xdc00).contains(&first) && self.rest.starts_with("\\u") {
            self.take();
            self.take();
            units = [first, self.code_unit(at)?];
        }
        let message = match char::decode_utf16(units).next() {
            Some(Ok('\0')) => "A string must not contain U+0000",
            Some(Ok(c)) => return Ok(c),
            _ => "A lone surrogate is not a character, expected a surrogate pair",
        };
        Err(self.error(at, Reason::Characters, message.to_owned(), &[]))
    }

    fn escape_error(&self, at: Position, message: String) -> ExpressionError {
        self.error(at, Reason::Syntax, message, &["<escape>"])
    }

    /// Returns an error about the text since the place.
    pub(crate) fn error(
        &self,
        at: Position,
        reason: Reason,
        message: String,
        expected: Expected,
    ) -> ExpressionError {
        ExpressionError::syntax(self.since(at), Refusal::new(reason, message).expecting(expected))
    }

    fn code_unit(&mut self, at: Position) -> Result<u16, ExpressionError> {
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

/// Returns whether a name can contain the character.
pub(super) const fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_')
}
