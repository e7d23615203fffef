//! The errors of a predicate, and the only place that converts them to the wire error.

use core::fmt;

use crate::contract::error::expected::{Expected, QUERY, push_prose};
use crate::contract::error::quote::quoted;
use crate::contract::error::reason::Reason;
use crate::contract::error::{ApiError, Code, Member, MemberList, Members};
use crate::contract::limits;
use crate::contract::param::ParamId;

use super::ast::Position;
use super::fields::Unknown;
use super::token::Token;

/// A predicate, a filter, or a facet that cannot be parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// The place of the error.
    pub at: Position,
    /// The problem and what was expected, as a sentence without its period.
    pub message: String,
    /// Which rule is broken.
    pub reason: Reason,
    /// The expected terms.
    pub expected: Expected,
    /// The highest length or depth, if that is the rule.
    pub limit: Option<usize>,
}

impl SyntaxError {
    #[inline(never)]
    pub(crate) fn new(at: Position, reason: Reason, message: String) -> Self {
        Self { at, message, reason, expected: &[], limit: None }
    }

    #[inline(never)]
    pub(crate) fn unexpected(at: Position, found: Token<'_>, expected: Expected) -> Self {
        let mut message = format!("Unexpected {}, expected ", found.describe());
        push_prose(expected, QUERY, &mut message);
        Self { expected, ..Self::new(at, Reason::Syntax, message) }
    }

    /// Adds the error's members, for programs.
    pub fn describe(&self, members: &mut dyn Members) {
        members.reason(self.reason);
        if let Some(limit) = self.limit {
            let member = if self.reason == Reason::Length { Member::MaxLength } else { Member::Maximum };
            members.integer(member, limit as i64);
        }
        members.texts(Member::Expected, self.expected);
        self.at.describe(members);
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (line {}, column {})", self.message, self.at.line, self.at.column)
    }
}

impl std::error::Error for SyntaxError {}

impl From<SyntaxError> for ApiError {
    fn from(error: SyntaxError) -> Self {
        let reason = format!("Syntax error while parsing 'where'. {error}");
        let mut members = MemberList::new();
        error.describe(&mut members);
        Self::parameter(Code::SyntaxError, ParamId::Where.name(), &reason).with_all(members)
    }
}

/// A predicate, a filter, or a facet that does not fit the resource's fields or the request's variables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PredicateError {
    /// The problem.
    pub problem: Problem,
    /// The place of the error.
    pub at: Position,
}

/// A semantic error in a predicate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// There is no such field.
    UnknownField {
        /// The field as named.
        field: String,
        /// Why there is none, and which names are valid.
        unknown: Unknown,
    },
    /// The field's type lacks the operator, or does not compare with the value.
    Unsupported {
        /// The field as named.
        field: String,
        /// The valid alternatives.
        help: String,
        /// The operators that the field supports; the type of its values if it supports the operator.
        expected: Vec<&'static str>,
        /// [`Reason::Operator`] or [`Reason::Type`].
        reason: Reason,
    },
    /// A variable has no value.
    MissingVariable {
        /// The variable's name.
        name: String,
    },
    /// A variable's value does not fit its place.
    WrongVariable {
        /// The variable's name.
        name: String,
        /// The expected and the actual value, as the end of a sentence.
        sentence: String,
        /// The type of its value; `None` if it has several values but one is allowed.
        expected: Option<&'static str>,
    },
    /// The predicates use variables with many or long values too often.
    TooManyValues {
        /// The first variable whose values exceed the limit.
        name: String,
    },
}

impl fmt::Display for PredicateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.problem {
            Problem::UnknownField { field, unknown } => {
                write!(f, "The field '{}' does not exist. {}", quoted(field), unknown.help())?;
            }
            Problem::Unsupported { field, help, .. } => {
                write!(f, "The field '{}' does not support this expression. {help}", quoted(field))?;
            }
            Problem::MissingVariable { name } => {
                let name = quoted(name);
                write!(f, "Missing parameter value for {name}. Pass it as var.{name}")?;
            }
            Problem::WrongVariable { name, sentence, .. } => {
                write!(f, "The parameter var.{} {sentence}", quoted(name))?;
            }
            Problem::TooManyValues { name } => write!(
                f,
                "The values of all variables, counted at each use, exceed {} bytes at var.{}. Use long lists only \
                 once",
                limits::PREDICATE_VARIABLE_BYTES,
                quoted(name)
            )?,
        }
        write!(f, " (line {}, column {})", self.at.line, self.at.column)
    }
}

impl std::error::Error for PredicateError {}

impl PredicateError {
    /// Adds the error's members, for programs.
    pub fn describe(&self, members: &mut dyn Members) {
        match &self.problem {
            Problem::UnknownField { field, unknown } => {
                members.reason(Reason::UnknownField);
                members.text(Member::Field, quoted(field));
                unknown.describe(members);
            }
            Problem::Unsupported { field, expected, reason, .. } => {
                members.reason(*reason);
                members.text(Member::Field, quoted(field));
                members.texts(Member::Expected, expected);
            }
            Problem::MissingVariable { name } => {
                members.reason(Reason::Required);
                members.text(Member::Variable, quoted(name));
            }
            Problem::WrongVariable { name, expected, .. } => {
                members.reason(if expected.is_some() { Reason::Type } else { Reason::Count });
                members.text(Member::Variable, quoted(name));
                match expected {
                    Some(expected) => members.texts(Member::Expected, &[expected]),
                    None => members.integer(Member::MaxItems, 1),
                }
            }
            Problem::TooManyValues { name } => {
                members.reason(Reason::Size);
                members.text(Member::Variable, quoted(name));
                members.integer(Member::Maximum, limits::PREDICATE_VARIABLE_BYTES as i64);
            }
        }
        self.at.describe(members);
    }
}

impl From<PredicateError> for ApiError {
    fn from(error: PredicateError) -> Self {
        let mut members = MemberList::new();
        error.describe(&mut members);
        Self::parameter(Code::InvalidInput, ParamId::Where.name(), &error.to_string()).with_all(members)
    }
}
