//! A predicate as written: names, operators, and values, each with its position.

use core::fmt::{self, Display, Formatter};

use super::typed::Comparison;

/// The place of something in a text. Lines and columns count from 1, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    pub line: u32,
    pub column: u32,
    /// How many characters it has.
    pub length: u32,
}

impl Position {
    pub const START: Self = Self { line: 1, column: 1, length: 0 };
}

#[derive(Debug, Clone, PartialEq)]
pub enum Ast {
    /// At least two parts; true if at least one is.
    Or(Vec<Self>),
    /// At least two parts; true if all are.
    And(Vec<Self>),
    Not(Box<Self>),
    /// `path(condition)`
    Nested {
        /// The object, or the array of objects.
        path: Path,
        condition: Box<Self>,
        /// The opening parenthesis.
        at: Position,
    },
    /// `path operator …`
    Simple {
        path: Path,
        operator: Operator,
        at: Position,
    },
}

/// The names that lead to a field; never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path(pub Vec<Name>);

impl Display for Path {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.0.iter().map(|name| name.text.as_str()).collect();
        f.write_str(&names.join("."))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    pub text: String,
    /// Its beginning.
    pub at: Position,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Operator {
    /// `= value` and the other comparisons.
    Compare(Comparison, Operand),
    /// `in values`, or `not in values` if negated.
    In { negated: bool, values: Operands },
    /// `contains all values`, or `contains any values`.
    Contains { all: bool, values: Operands },
    /// `is empty`, or `is not empty` if negated.
    IsEmpty { negated: bool },
    /// `is defined`, or `is not defined` if negated.
    IsDefined { negated: bool },
    /// `matches ignore case value`
    MatchesIgnoreCase(Operand),
    /// `within circle(longitude, latitude, metres)`
    WithinCircle {
        /// In degrees.
        longitude: f64,
        /// In degrees.
        latitude: f64,
        metres: f64,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub struct Operand {
    pub literal: Literal,
    /// Its beginning.
    pub at: Position,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Literal {
    /// A text without U+0000.
    Text(String),
    /// A finite number.
    Number(f64),
    Boolean(bool),
    /// `:name`
    Variable(String),
}

#[derive(Debug, Clone, PartialEq)]
pub enum Operands {
    /// `(value, …)`; may be empty.
    List(Vec<Operand>),
    /// `:name`
    Variable(String, Position),
}
