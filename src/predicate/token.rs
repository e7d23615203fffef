//! The tokens of a predicate, and how errors name them.

use crate::contract::error::{Expected, quoted};

/// What tests a part of a text in other languages.
const PARTS: [&str; 12] = [
    "like",
    "ilike",
    "rlike",
    "regexp",
    "startswith",
    "starts",
    "begins",
    "endswith",
    "ends",
    "includes",
    "has",
    "match",
];
pub(super) const SEARCH: &str =
    "A condition compares whole texts. The search (searchApiPattern) finds words in texts";
const COMPARISONS: &str = "The comparisons are =, !=, <>, <, <=, >, >=";

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

    /// Returns what to write instead of a token of another query language; `None` if it has no meaning there either.
    /// `expected` lists what is valid in its place.
    pub(super) fn advice(self, expected: Expected) -> Option<&'static str> {
        let valid = |term| expected.contains(&term);
        let is_one_of = |words: &[&str]| words.iter().any(|word| self.is_keyword(word));
        let [operator, value] = [valid("within circle"), valid("<variable>")];
        Some(match self {
            Self::Word(_) if operator && is_one_of(&PARTS) => SEARCH,
            Self::Other('~') if operator || value => SEARCH,
            Self::Quote if valid("any") => {
                "For an array, write contains any (\"value\"). The search (searchApiPattern) finds words in texts"
            }
            Self::Word(_) if operator && self.is_keyword("between") => {
                "A range is two comparisons, such as version >= 1 and version <= 5"
            }
            Self::Symbol(":") if operator => COMPARISONS,
            Self::Symbol("=" | ">") if value => COMPARISONS,
            Self::Word(_) if (value || valid("defined")) && is_one_of(&["null", "undefined"]) => {
                "A field without a value satisfies 'is not defined'"
            }
            Self::Symbol("(") if value => {
                "A list of values follows in, not in, contains all, or contains any"
            }
            Self::Other('[') if value => "A list is in parentheses",
            Self::Other('&') if valid("and") => "Conditions are joined by 'and'",
            Self::Other('|') if valid("and") => "Conditions are joined by 'or'",
            Self::Other('!') if valid("not") => "The opposite of a condition is written with 'not'",
            _ => return None,
        })
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
