//! The common part of filters and facets: the field, and its values and ranges.

use serde::{Deserialize, Serialize};

use crate::contract::expected::{Expected, QUERY, push_prose};
use crate::contract::field::{self, FieldPath, Holds, QueryField};
use crate::contract::quote::quoted;
use crate::contract::reason::Reason;
use crate::predicate::Value;
use crate::util::time;

use super::lexer::{ExpressionError, Lexer, Parsed};

/// The type of a field's values, with its name in a facet's response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum DataType {
    /// Texts, in the order of their code points.
    Text,
    /// Finite numbers.
    Number,
    /// Truth values.
    Boolean,
    /// Instants.
    DateTime,
}

impl DataType {
    /// Returns the value of `dataType` on the wire.
    #[must_use]
    pub const fn wire(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::DateTime => "datetime",
        }
    }

    const fn literal(self) -> Expected {
        match self {
            Self::Text => &["<string>"],
            Self::Number => &["<number>"],
            Self::Boolean => &["<boolean>"],
            Self::DateTime => &["<date-time>"],
        }
    }
}

/// A value as written. Times keep their text, which is the only text of their instant.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum WrittenValue {
    Text(String),
    Number(f64),
    Boolean(bool),
    DateTime(i64, String),
}

impl From<WrittenValue> for Value {
    fn from(literal: WrittenValue) -> Self {
        match literal {
            WrittenValue::Text(text) => Self::Text(text),
            WrittenValue::Number(number) => Self::Number(number),
            WrittenValue::Boolean(truth) => Self::Boolean(truth),
            WrittenValue::DateTime(instant, _) => Self::DateTime(instant),
        }
    }
}

/// The field of a filter or a facet.
#[derive(Debug)]
pub(super) struct Subject {
    pub(super) path: FieldPath,
    pub(super) field: QueryField,
    /// The type of its values; `None` if they are objects.
    pub(super) data_type: Option<DataType>,
    /// The path as written.
    pub(super) name: String,
    column: u32,
}

impl Subject {
    /// Parses the path at this place and finds its field.
    pub(super) fn parse(lexer: &mut Lexer<'_>) -> Parsed<Self> {
        let column = lexer.place();
        let mut names = Vec::new();
        loop {
            let name = lexer.name();
            if name.is_empty() {
                return lexer.unexpected(&["<field>"]);
            }
            names.push(name);
            if !lexer.mark_at_once('.') {
                break;
            }
        }
        let name = names.join(".");
        let Some(field) = field::resolve(names) else {
            let message = format!("The field '{}' does not exist", quoted(&name));
            return Err(lexer.error(column, Reason::UnknownField, &[], message));
        };
        let Some(path) = field.path else {
            let found = "It contains arrays; name one of them";
            let message = format!("The field '{name}' does not support this expression. {found}");
            return Err(lexer.error(column, Reason::Operator, &[], message));
        };
        let data_type = match field.holds {
            Holds::Text => Some(DataType::Text),
            Holds::Number(_) => Some(DataType::Number),
            Holds::Boolean => Some(DataType::Boolean),
            Holds::DateTime => Some(DataType::DateTime),
            Holds::Object(_) => None,
        };
        Ok(Self { path, field, data_type, name, column })
    }

    /// Returns whether a value begins here, of whatever type.
    pub(super) fn is_value(&self, lexer: &Lexer<'_>) -> bool {
        match lexer.first() {
            Some('"' | '-' | '0'..='9') => true,
            Some(_) => self.data_type == Some(DataType::Boolean) && lexer.is_boolean(),
            None => false,
        }
    }

    /// Returns an error: the field's type does not support the test.
    pub(super) fn unsupported<T>(&self, help: &str) -> Parsed<T> {
        let name = &self.name;
        Err(ExpressionError {
            column: self.column,
            length: name.len() as u32,
            message: format!("The field '{name}' does not support this expression. {help}"),
            reason: Reason::Operator,
            expected: &[],
        })
    }

    /// Returns the type of the field's values, if they are not objects.
    pub(super) fn scalar(&self) -> Parsed<DataType> {
        match self.data_type {
            Some(data_type) => Ok(data_type),
            None => self.unsupported("It contains objects; name a field inside them"),
        }
    }

    /// Reads one value or more, separated by commas.
    pub(super) fn values(&self, lexer: &mut Lexer<'_>) -> Parsed<Vec<Value>> {
        let data_type = self.scalar()?;
        let mut values = Vec::new();
        loop {
            values.push(literal(lexer, data_type)?.into());
            if !lexer.mark(',') {
                return Ok(values);
            }
        }
    }

    /// Reads one range or more, after the keyword `range`.
    pub(super) fn ranges(&self, lexer: &mut Lexer<'_>) -> Parsed<Vec<[Option<WrittenValue>; 2]>> {
        let data_type = self.scalar()?;
        let mut ranges = Vec::new();
        loop {
            if !lexer.mark('(') {
                return lexer.unexpected(&["("]);
            }
            let from = bound(lexer, data_type)?;
            if !lexer.keyword("to") {
                return lexer.unexpected(&["to"]);
            }
            let to = bound(lexer, data_type)?;
            if !lexer.mark(')') {
                return lexer.unexpected(&[")"]);
            }
            ranges.push([from, to]);
            if !lexer.mark(',') {
                return Ok(ranges);
            }
        }
    }
}

fn bound(lexer: &mut Lexer<'_>, data_type: DataType) -> Parsed<Option<WrittenValue>> {
    if lexer.mark('*') { Ok(None) } else { literal(lexer, data_type).map(Some) }
}

fn literal(lexer: &mut Lexer<'_>, data_type: DataType) -> Parsed<WrittenValue> {
    let column = lexer.place();
    match (data_type, lexer.first()) {
        (DataType::Text, Some('"')) => lexer.string().map(WrittenValue::Text),
        (DataType::Number, Some('-' | '0'..='9')) => lexer.number().map(WrittenValue::Number),
        (DataType::Boolean, _) if lexer.keyword("true") => Ok(WrittenValue::Boolean(true)),
        (DataType::Boolean, _) if lexer.keyword("false") => Ok(WrittenValue::Boolean(false)),
        (DataType::DateTime, Some('"')) => {
            let text = lexer.string()?;
            if let Some(instant) = time::parse_signed(&text) {
                return Ok(WrittenValue::DateTime(instant, text));
            }
            let found = quoted(&text).escape_debug();
            let mut message = "Expected ".to_owned();
            push_prose(data_type.literal(), QUERY, &mut message);
            let message = format!("{message}, found \"{found}\"");
            Err(lexer.error(column, Reason::Format, &["date-time"], message))
        }
        _ => lexer.unexpected(data_type.literal()),
    }
}
