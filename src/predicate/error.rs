//! The errors of predicates, filters, and facets, and the only place that converts them to wire errors.

use core::fmt;

use crate::contract::error::expected::{QUERY, push_prose};
use crate::contract::error::{ApiError, Code, ErrorItem, Expected, Member, Reason, quoted};
use crate::contract::param::{ParamId, Refusal};
use crate::util::text::append;

use super::ast::Position;
use super::token::Token;

/// An error in a predicate, a filter, or a facet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpressionError {
    pub at: Position,
    pub kind: ErrorKind,
    /// The problem and what is valid, without its place.
    pub refusal: Refusal,
}

/// What an error is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ErrorKind {
    Syntax,
    Field,
    /// The variable of this name has no value.
    MissingVariable(String),
    /// A value of the variable of this name does not fit its place.
    WrongVariable(String),
    /// The predicates use variables with many or long values too often.
    TooManyValues,
}

impl ExpressionError {
    #[inline(never)]
    pub(crate) fn new(at: Position, kind: ErrorKind, refusal: Refusal) -> Self {
        Self { at, kind, refusal }
    }

    #[inline(never)]
    pub(crate) fn syntax(at: Position, refusal: Refusal) -> Self {
        Self::new(at, ErrorKind::Syntax, refusal)
    }

    #[inline(never)]
    pub(crate) fn unexpected(at: Position, found: Token<'_>, expected: Expected) -> Self {
        let mut message = format!("Unexpected {}", found.describe());
        if let Some(advice) = found.advice(expected) {
            append(&mut message, &[". ", advice]);
        } else {
            message.push_str(", expected ");
            push_prose(expected, QUERY, &mut message);
        }
        Self::syntax(at, Refusal::new(Reason::Syntax, message).expecting(expected))
    }

    /// Creates the error of a field whose type lacks the operator ([`Reason::Operator`]), or does not compare with the
    /// value ([`Reason::Type`]). `help` has the valid alternatives.
    pub(crate) fn unsupported(
        at: Position,
        field: &str,
        help: &str,
        reason: Reason,
        expected: &[&str],
    ) -> Self {
        let field = quoted(field);
        let message = format!("The field '{field}' does not support this expression. {help}");
        let refusal = Refusal::new(reason, message).with(Member::Field, field).expecting(expected);
        Self::new(at, ErrorKind::Field, refusal)
    }
}

impl fmt::Display for ExpressionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (line {}, column {})", self.refusal.sentence, self.at.line, self.at.column)
    }
}

impl From<ExpressionError> for Refusal {
    fn from(error: ExpressionError) -> Self {
        let sentence = error.to_string();
        let Position { line, column, length } = error.at;
        Self { sentence, ..error.refusal }.at(line, column, length)
    }
}

impl From<ExpressionError> for ApiError {
    fn from(error: ExpressionError) -> Self {
        let (code, context) = match error.kind {
            ErrorKind::Syntax => (Code::SyntaxError, "Syntax error while parsing 'where'. "),
            _ => (Code::InvalidInput, ""),
        };
        let mut refusal = Refusal::from(error);
        refusal.sentence.insert_str(0, context);
        ErrorItem { code, ..refusal.of(ParamId::Where.name()) }.into()
    }
}
