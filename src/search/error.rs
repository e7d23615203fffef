//! The errors of filters and facets, and the only place that converts them to the error of a parameter.

use core::fmt;

use crate::contract::error::{MemberList, Members};
use crate::contract::param::Refusal;
use crate::predicate::{PredicateError, SyntaxError};

/// An error in a filter or a facet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExpressionError {
    /// It cannot be parsed.
    Syntax(SyntaxError),
    /// It does not fit the resource's fields.
    Field(PredicateError),
}

/// The result of reading a part.
pub(super) type Parsed<T> = Result<T, ExpressionError>;

impl ExpressionError {
    /// Adds the error's members, for programs.
    pub fn describe(&self, members: &mut dyn Members) {
        match self {
            Self::Syntax(error) => error.describe(members),
            Self::Field(error) => error.describe(members),
        }
    }
}

impl From<SyntaxError> for ExpressionError {
    fn from(error: SyntaxError) -> Self {
        Self::Syntax(error)
    }
}

impl From<PredicateError> for ExpressionError {
    fn from(error: PredicateError) -> Self {
        Self::Field(error)
    }
}

impl fmt::Display for ExpressionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(error) => error.fmt(f),
            Self::Field(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ExpressionError {}

impl From<ExpressionError> for Refusal {
    fn from(error: ExpressionError) -> Self {
        let mut members = MemberList::new();
        error.describe(&mut members);
        Self { sentence: error.to_string(), members }
    }
}
