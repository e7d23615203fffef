//! The tokens of a predicate, and how errors name them.

use crate::contract::quote::quoted;

/// A token where the parser expects names and operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// A name or a keyword: `[-_A-Za-z0-9]+`.
    Word(&'t str),
    /// An operator or a punctuation mark.
    Symbol(&'static str),
    /// The quotation mark at the start of a string, which
    /// [`PredicateLexer::string`](super::lexer::PredicateLexer::string) reads.
    Quote,
    /// A character that starts no token.
    Other(char),
    /// The end of the text.
    End,
}

impl Token<'_> {
    /// Returns the token as an error names it.
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
