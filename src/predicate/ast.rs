//! A predicate as it was written: names, operators and values, each with where it stands.

use super::typed::Comparison;
use crate::contract::error::{Member, Members};

/// Where something is in a text. Lines and columns count from 1, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The character within the line.
    pub column: u32,
    /// How many characters it has.
    pub length: u32,
}

impl Position {
    /// Where a text begins.
    pub const START: Self = Self { line: 1, column: 1, length: 0 };

    /// Adds the place to an error.
    pub(super) fn describe(&self, members: &mut dyn Members) {
        members.integer(Member::Line, self.line.into());
        members.integer(Member::Column, self.column.into());
        members.integer(Member::Length, self.length.into());
    }
}

/// A predicate.
#[derive(Debug, Clone, PartialEq)]
pub enum Ast {
    /// Two parts or more, of which one must hold.
    Or(Vec<Self>),
    /// Two parts or more, which all must hold.
    And(Vec<Self>),
    /// What must not hold.
    Not(Box<Self>),
    /// `path(condition)`
    Nested {
        /// The object, or the array of objects.
        path: Path,
        /// What must hold inside it.
        condition: Box<Self>,
        /// Where the parenthesis opens.
        at: Position,
    },
    /// `path operator …`
    Simple {
        /// The field.
        path: Path,
        /// What is asked of it.
        operator: Operator,
        /// Where the operator begins.
        at: Position,
    },
}

/// The names that lead to a field; never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path(pub Vec<Name>);

/// One name of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Where it begins.
    pub at: Position,
}

/// What a simple predicate asks of its field.
#[derive(Debug, Clone, PartialEq)]
pub enum Operator {
    /// `= value` and its like.
    Compare(Comparison, Operand),
    /// `in values`, or `not in values` where negated.
    In {
        /// Whether it is `not in`.
        negated: bool,
        /// The values.
        values: Operands,
    },
    /// `contains all values`, or `contains any values`.
    Contains {
        /// Whether it is `all`.
        all: bool,
        /// The values.
        values: Operands,
    },
    /// `is empty`, or `is not empty` where negated.
    IsEmpty {
        /// Whether it is `is not empty`.
        negated: bool,
    },
    /// `is defined`, or `is not defined` where negated.
    IsDefined {
        /// Whether it is `is not defined`.
        negated: bool,
    },
    /// `matches ignore case value`
    MatchesIgnoreCase(Operand),
    /// `within circle(longitude, latitude, metres)`
    WithinCircle {
        /// In degrees.
        longitude: f64,
        /// In degrees.
        latitude: f64,
        /// The radius.
        metres: f64,
    },
}

/// A value with where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Operand {
    /// The value.
    pub literal: Literal,
    /// Where it begins.
    pub at: Position,
}

/// A value as it was written.
#[derive(Debug, Clone, PartialEq)]
pub enum Literal {
    /// A text without U+0000.
    Text(String),
    /// A finite number.
    Number(f64),
    /// `true` or `false`.
    Boolean(bool),
    /// `:name`
    Variable(String),
}

/// The values of a list.
#[derive(Debug, Clone, PartialEq)]
pub enum Operands {
    /// `(value, …)`; never empty.
    List(Vec<Operand>),
    /// `:name`
    Variable(String, Position),
}
