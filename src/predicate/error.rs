//! What can be wrong with a predicate, and the one place where that becomes the wire error.

use core::fmt;

use crate::contract::error::{ApiError, Code};
use crate::contract::param::{ParamId, quoted};

use super::ast::Position;
use super::lexer::Token;

/// A predicate that cannot be parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// The line, from 1.
    pub line: u32,
    /// The character within the line, from 1.
    pub column: u32,
    /// What is wrong and what was expected, as a sentence without its full stop.
    pub message: String,
}

impl SyntaxError {
    pub(super) fn new(at: Position, message: impl Into<String>) -> Self {
        Self { line: at.line, column: at.column, message: message.into() }
    }

    pub(super) fn unexpected(at: Position, found: Token<'_>, expected: &str) -> Self {
        let found = match found {
            Token::Word(word) => format!("'{}'", quoted(word)),
            Token::Symbol(symbol) => format!("'{symbol}'"),
            Token::Quote => "string".to_owned(),
            Token::Other(c) => format!("'{}'", c.escape_debug()),
            Token::End => "end of input".to_owned(),
        };
        Self::new(at, format!("Unexpected {found}, expected {expected}"))
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (line {}, column {})", self.message, self.line, self.column)
    }
}

impl std::error::Error for SyntaxError {}

impl From<SyntaxError> for ApiError {
    fn from(error: SyntaxError) -> Self {
        let reason = format!("Syntax error while parsing 'where'. {error}");
        Self::parameter(Code::SyntaxError, ParamId::Where.name(), &reason)
    }
}

/// A predicate that does not fit the resource's fields, or the variables that were passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PredicateError {
    /// What is wrong.
    pub problem: Problem,
    /// Where it stands.
    pub at: Position,
}

/// What is wrong with a predicate that can be parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// There is no such field.
    UnknownField {
        /// The field as named.
        field: String,
        /// What would be right.
        help: String,
    },
    /// The field's type lacks the operator, or does not compare with the value.
    Unsupported {
        /// The field as named.
        field: String,
        /// What would be right.
        help: String,
    },
    /// No value was passed for a variable.
    MissingVariable {
        /// The variable's name.
        name: String,
    },
    /// A variable's value is not what its place needs.
    WrongVariable {
        /// The variable's name.
        name: String,
        /// What its value must be and is, as the end of a sentence.
        reason: String,
    },
    /// Variables with many or long values are named too often.
    TooManyValues {
        /// The variable whose values do not fit any more.
        name: String,
    },
}

impl fmt::Display for PredicateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.problem {
            Problem::UnknownField { field, help } => {
                write!(f, "The field '{}' does not exist. {help}", quoted(field))?;
            }
            Problem::Unsupported { field, help } => {
                write!(f, "The field '{}' does not support this expression. {help}", quoted(field))?;
            }
            Problem::MissingVariable { name } => {
                let name = quoted(name);
                write!(f, "Missing parameter value for {name}. Pass it as var.{name}")?;
            }
            Problem::WrongVariable { name, reason } => {
                write!(f, "The parameter var.{} {reason}", quoted(name))?;
            }
            Problem::TooManyValues { name } => write!(
                f,
                "The values of var.{} and of the variables before it are too many for so many uses. \
                 Name long lists once",
                quoted(name)
            )?,
        }
        write!(f, " (line {}, column {})", self.at.line, self.at.column)
    }
}

impl std::error::Error for PredicateError {}

impl From<PredicateError> for ApiError {
    fn from(error: PredicateError) -> Self {
        Self::parameter(Code::InvalidInput, ParamId::Where.name(), &error.to_string())
    }
}
