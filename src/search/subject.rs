//! The common part of filters and facets: the field, and its values and ranges.

use crate::contract::error::expected::{QUERY, push_prose};
use crate::contract::error::{Expected, Reason, quoted};
use crate::predicate::{ExpressionError, Lexer, Name, Path, Position, Token, Value, field_at};
use crate::shape::{DataType, FieldPath, Shape};

pub(super) type Parsed<T> = Result<T, ExpressionError>;

/// Returns what an error calls a value of this type.
const fn expected(data_type: DataType) -> Expected {
    match data_type {
        DataType::Text => &["<string>"],
        DataType::Number => &["<number>"],
        DataType::Boolean => &["<boolean>"],
        DataType::DateTime => &["<date-time>"],
    }
}

#[derive(Debug)]
pub(super) struct FilterField {
    pub(super) path: FieldPath,
    /// The type of the field's values; `None` if they are objects.
    pub(super) data_type: Option<DataType>,
    pub(super) array: bool,
    /// The path as written.
    pub(super) name: String,
    at: Position,
}

impl FilterField {
    /// Parses the path at this place and finds its field.
    pub(super) fn parse(shape: &Shape, lexer: &mut Lexer<'_>) -> Parsed<Self> {
        let at = lexer.place();
        let written = path(lexer)?;
        let (at, name) = (lexer.since(at), written.to_string());
        let field = field_at(shape, &written, None)?;
        let Some(path) = field.path else {
            return Err(unsupported(&name, at, "It contains arrays; name one of them"));
        };
        Ok(Self { path, data_type: field.field_type.data(), array: field.array, name, at })
    }

    /// Returns whether a value is next, of whatever type.
    pub(super) fn is_value(&self, lexer: &mut Lexer<'_>) -> bool {
        lexer.place();
        match lexer.first() {
            Some('"' | '-' | '0'..='9') => true,
            Some(_) => self.data_type == Some(DataType::Boolean) && boolean(&mut lexer.clone()).is_some(),
            None => false,
        }
    }

    /// Returns an error: the field's type does not support the test.
    pub(super) fn unsupported<T>(&self, help: &str) -> Parsed<T> {
        Err(unsupported(&self.name, self.at, help))
    }

    /// Returns the type of the field's values. Returns an error if they are objects.
    pub(super) fn scalar(&self) -> Parsed<DataType> {
        match self.data_type {
            Some(data_type) => Ok(data_type),
            None => self.unsupported("It contains objects; name a field inside them"),
        }
    }

    pub(super) fn values(&self, lexer: &mut Lexer<'_>) -> Parsed<Vec<Value>> {
        let data_type = self.scalar()?;
        let mut values = Vec::new();
        loop {
            values.push(self.literal(lexer, data_type)?);
            if !lexer.consume_symbol(",") {
                return Ok(values);
            }
        }
    }

    /// Reads one range or more, after the keyword `range`.
    pub(super) fn ranges(&self, lexer: &mut Lexer<'_>) -> Parsed<Vec<[Option<Value>; 2]>> {
        let data_type = self.scalar()?;
        let mut ranges = Vec::new();
        loop {
            lexer.symbol("(", &["("])?;
            let from = self.bound(lexer, data_type)?;
            lexer.keyword("to", &["to"])?;
            let to = self.bound(lexer, data_type)?;
            lexer.symbol(")", &[")"])?;
            ranges.push([from, to]);
            if !lexer.consume_symbol(",") {
                return Ok(ranges);
            }
        }
    }

    fn bound(&self, lexer: &mut Lexer<'_>, data_type: DataType) -> Parsed<Option<Value>> {
        let is_open = lexer.consume_if(|token| token == Token::Other('*'));
        if is_open { Ok(None) } else { self.literal(lexer, data_type).map(Some) }
    }

    fn literal(&self, lexer: &mut Lexer<'_>, data_type: DataType) -> Parsed<Value> {
        let at = lexer.place();
        match (data_type, lexer.first()) {
            (DataType::Text, Some('"')) => Ok(Value::Text(lexer.string()?)),
            // −0 is 0 (D7).
            (DataType::Number, Some('-' | '0'..='9')) => Ok(Value::Number(lexer.number()? + 0.0)),
            (DataType::Boolean, _) => match boolean(lexer) {
                Some(truth) => Ok(Value::Boolean(truth)),
                None => Err(lexer.unexpected(expected(data_type))),
            },
            (DataType::DateTime, Some('"')) => {
                let text = lexer.string()?;
                if let Some(instant) = self.path.instant(&text) {
                    return Ok(Value::DateTime(instant));
                }
                let mut message = "Expected ".to_owned();
                push_prose(expected(data_type), QUERY, &mut message);
                let message = format!("{message}, found \"{}\"", quoted(&text).escape_debug());
                Err(lexer.error(at, Reason::Format, message, &["date-time"]))
            }
            _ => Err(lexer.unexpected(expected(data_type))),
        }
    }
}

/// Reads names that dots join, without white space between them.
fn path(lexer: &mut Lexer<'_>) -> Parsed<Path> {
    let mut names = Vec::new();
    loop {
        let at = lexer.at();
        let text = lexer.word().to_owned();
        if text.is_empty() {
            return Err(lexer.unexpected(&["<field>"]));
        }
        names.push(Name { text, at: lexer.since(at) });
        if lexer.first() != Some('.') {
            return Ok(Path(names));
        }
        lexer.consume_symbol(".");
    }
}

fn unsupported(field: &str, at: Position, help: &str) -> ExpressionError {
    ExpressionError::unsupported(at, field, help, Reason::Operator, &[])
}

fn boolean(lexer: &mut Lexer<'_>) -> Option<bool> {
    if lexer.consume_keyword("true") { Some(true) } else { lexer.consume_keyword("false").then_some(false) }
}
