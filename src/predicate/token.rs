//! The tokens of a predicate, and how errors name them.

use crate::contract::error::quoted;

/// A token where the parser expects names and operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token<'t> {
    /// A name or a keyword: `[-_A-Za-z0-9]+`.
    Word(&'t str),
    Symbol(&'static str),
    /// The quotation mark at the start of a string, which
    /// [`Lexer::string`](super::lexer::Lexer::string) reads.
    Quote,
    /// A character that starts no token.
    Other(char),
    End,
}

impl Token<'_> {
    /// Returns whether the token is the keyword, in any case.
    pub(super) fn is_keyword(self, keyword: &str) -> bool {
        matches!(self, Self::Word(word) if word.eq_ignore_ascii_case(keyword))
    }

    pub(super) fn describe(self) -> String {
        match self {
            Self::Word(word) => format!("'{}'", quoted(word)),
            Self::Symbol(symbol) => format!("'{symbol}'"),
            Self::Quote => "string".to_owned(),
            Self::Other(c) => format!("'{}'", c.escape_debug()),
            Self::End => "end of input".to_owned(),
        }
    }
}
