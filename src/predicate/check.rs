//! Type checking: a parsed predicate against the resource's fields and the variables of the request.

use std::collections::BTreeMap;

use crate::contract::error::{Member, Reason, quoted};
use crate::contract::limits;
use crate::contract::param::Refusal;
use crate::shape::{DataType, QueryField, Shape};
use crate::util::json;
use crate::util::number;
use crate::util::text::append;

use super::ast::{Ast, Literal, Operand, Operands, Operator, Path, Position};
use super::error::{ErrorKind, ExpressionError};
use super::fields::{self, Family};
use super::token::SEARCH;
use super::typed::{Comparison, Test, Typed, Value};

/// The values of a predicate's variables by name, each with its values in the order of the request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Variables(BTreeMap<String, Vec<String>>);

impl Variables {
    /// Returns the values of a variable; `None` if the request passed none.
    pub fn get(&self, name: &str) -> Option<&[String]> {
        self.0.get(name).map(Vec::as_slice)
    }

    /// Adds a value: `x` and `5` for `var.x=5`.
    pub fn insert(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.0.entry(name.into()).or_default().push(value.into());
    }
}

impl<N: Into<String>, V: Into<String>> FromIterator<(N, V)> for Variables {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(pairs: I) -> Self {
        let mut variables = Self::default();
        for (name, value) in pairs {
            variables.insert(name, value);
        }
        variables
    }
}

type Checked<T> = Result<T, ExpressionError>;

/// Returns the condition of the predicate, with resolved fields and with variables replaced by their values.
pub fn check(shape: &Shape, ast: &Ast, variables: &Variables) -> Result<Typed, ExpressionError> {
    check_all(shape, core::iter::once(ast), variables)
}

/// Returns the conjunction of all the predicates. They share one allowance for the values of variables
/// ([`limits::PREDICATE_VARIABLE_BYTES`]).
pub fn check_all<'a>(
    shape: &Shape,
    asts: impl IntoIterator<Item = &'a Ast>,
    variables: &Variables,
) -> Result<Typed, ExpressionError> {
    let mut checker = Checker { shape, variables, allowance: limits::PREDICATE_VARIABLE_BYTES };
    let parts: Vec<Typed> = asts.into_iter().map(|ast| checker.node(ast, None)).collect::<Checked<_>>()?;
    Ok(Typed::all(parts))
}

struct Checker<'v> {
    shape: &'v Shape,
    variables: &'v Variables,
    /// The remaining size for the values of further variables.
    allowance: usize,
}

struct NamedField<'a> {
    field: QueryField,
    path: &'a Path,
}

impl NamedField<'_> {
    fn unsupported(&self, at: Position, help: &str, reason: Reason, expected: &[&str]) -> ExpressionError {
        ExpressionError::unsupported(at, &self.path.to_string(), help, reason, expected)
    }

    fn instant(&self, text: &str) -> Option<i64> {
        self.field.path.as_ref()?.instant(text)
    }

    fn must_fit(&self, family: Family, at: Position) -> Checked<()> {
        if family.fits(&self.field) {
            return Ok(());
        }
        let expected = fields::operator_terms(&self.field);
        let mut help = fields::operators(&self.field);
        if family == Family::Contains && Family::Matches.fits(&self.field) {
            append(&mut help, &[". ", SEARCH]);
        }
        Err(self.unsupported(at, &help, Reason::Operator, &expected))
    }
}

impl Checker<'_> {
    /// Checks the condition on the record, or on the values of the field `within`.
    fn node(&mut self, ast: &Ast, within: Option<&QueryField>) -> Checked<Typed> {
        match ast {
            Ast::Or(parts) => Ok(Typed::any(self.nodes(parts, within)?)),
            Ast::And(parts) => Ok(Typed::all(self.nodes(parts, within)?)),
            Ast::Not(inner) => Ok(self.node(inner, within)?.negated()),
            Ast::Nested { path, condition, at } => {
                let subject = NamedField { field: field_at(self.shape, path, within)?, path };
                subject.must_fit(Family::Nested, *at)?;
                // Inside, the condition is about one item.
                let (items, within) = subject.field.into_item();
                let condition = self.node(condition, Some(&within))?;
                Ok(match (items, condition) {
                    (Some(path), Typed::True) => Typed::Test { path, test: Test::IsNotEmpty },
                    (None, condition) | (_, condition @ Typed::False) => condition,
                    (Some(path), condition) => Typed::Element { path, condition: Box::new(condition) },
                })
            }
            Ast::Simple { path, operator, at } => {
                let field = field_at(self.shape, path, within)?;
                self.simple(NamedField { field, path }, operator, *at)
            }
        }
    }

    fn nodes(&mut self, parts: &[Ast], within: Option<&QueryField>) -> Checked<Vec<Typed>> {
        parts.iter().map(|part| self.node(part, within)).collect()
    }

    fn simple(&mut self, subject: NamedField<'_>, operator: &Operator, at: Position) -> Checked<Typed> {
        subject.must_fit(family(operator), at)?;
        let test = match operator {
            Operator::IsDefined { negated } if subject.field.always => {
                return Ok(Typed::constant(!negated));
            }
            Operator::IsDefined { negated: false } => Test::IsDefined,
            Operator::IsDefined { negated: true } => Test::IsNotDefined,
            Operator::IsEmpty { negated: false } => Test::IsEmpty,
            Operator::IsEmpty { negated: true } => Test::IsNotEmpty,
            Operator::WithinCircle { longitude, latitude, metres } => {
                Test::WithinCircle { longitude: *longitude, latitude: *latitude, metres: *metres }
            }
            Operator::MatchesIgnoreCase(operand) => match self.value(&subject, operand)? {
                Value::Text(text) => Test::MatchesIgnoreCase(text),
                // Only texts fit the operator, and they compare only with texts.
                _ => return Ok(Typed::False),
            },
            Operator::Compare(comparison, operand) => {
                Test::Compare(*comparison, self.value(&subject, operand)?)
            }
            Operator::In { negated, values } => match (self.values(&subject, values)?, negated) {
                (values, negated) if values.is_empty() => return Ok(Typed::constant(*negated)),
                (values, false) => Test::In(values),
                (values, true) => Test::NotIn(values),
            },
            Operator::Contains { all, values } => match (self.values(&subject, values)?, all) {
                (values, all) if values.is_empty() => return Ok(Typed::constant(*all)),
                (values, true) => Test::ContainsAll(values),
                (values, false) => Test::ContainsAny(values),
            },
        };
        // The wrapper itself has no path, and the operators that it supports are handled above.
        Ok(subject.field.path.map_or(Typed::False, |path| Typed::Test { path, test }))
    }

    /// Converts the value to the field's type.
    fn value(&mut self, subject: &NamedField<'_>, operand: &Operand) -> Checked<Value> {
        let at = operand.at;
        match (&operand.literal, subject.field.field_type.data()) {
            (Literal::Variable(name), _) => {
                let passed = self.passed(name, at)?;
                let [text] = passed else {
                    let sentence =
                        format!("was passed {} times, but one value is expected here", passed.len());
                    return Err(wrong(name, &sentence, None, at));
                };
                self.variable(subject, name, text, at)
            }
            (Literal::Text(text), Some(DataType::Text)) => Ok(Value::Text(text.clone())),
            (Literal::Number(number), Some(DataType::Number)) => Ok(Value::Number(*number)),
            (Literal::Boolean(truth), Some(DataType::Boolean)) => Ok(Value::Boolean(*truth)),
            (literal, data_type) => {
                if let (Literal::Text(text), Some(DataType::DateTime)) = (literal, data_type)
                    && let Some(instant) = subject.instant(text)
                {
                    return Ok(Value::DateTime(instant));
                }
                let found = shown(literal);
                let help = format!("It compares with {}, found {found}", wanted(data_type));
                Err(subject.unsupported(at, &help, Reason::Type, &[value_type(data_type)]))
            }
        }
    }

    fn values(&mut self, subject: &NamedField<'_>, operands: &Operands) -> Checked<Vec<Value>> {
        match operands {
            Operands::List(operands) => operands.iter().map(|operand| self.value(subject, operand)).collect(),
            Operands::Variable(name, at) => {
                let passed = self.passed(name, *at)?;
                passed.iter().map(|text| self.variable(subject, name, text, *at)).collect()
            }
        }
    }

    /// Returns the texts that the request passes for a variable: at least one.
    fn passed<'s>(&self, name: &str, at: Position) -> Checked<&'s [String]>
    where
        Self: 's,
    {
        self.variables.get(name).filter(|passed| !passed.is_empty()).ok_or_else(|| {
            let kind = ErrorKind::MissingVariable(name.to_owned());
            let name = quoted(name);
            let message = format!(
                "Missing parameter value for {name}. Pass it as var.{name}; an empty list is written ()"
            );
            let refusal = Refusal::new(Reason::Required, message).with(Member::Variable, name);
            ExpressionError::new(at, kind, refusal)
        })
    }

    /// Converts a variable's text to the field's type.
    fn variable(&mut self, subject: &NamedField<'_>, name: &str, text: &str, at: Position) -> Checked<Value> {
        let cost = text.len() + limits::PREDICATE_VALUE_COST;
        self.allowance = self.allowance.checked_sub(cost).ok_or_else(|| too_many_values(name, at))?;
        let data_type = subject.field.field_type.data();
        let value = match data_type {
            Some(DataType::Text) => (!text.contains('\0')).then(|| Value::Text(text.to_owned())),
            Some(DataType::Number) => {
                number::json(text).filter(|number| number.is_finite()).map(Value::Number)
            }
            Some(DataType::Boolean) => match text {
                "true" => Some(Value::Boolean(true)),
                "false" => Some(Value::Boolean(false)),
                _ => None,
            },
            Some(DataType::DateTime) => subject.instant(text).map(Value::DateTime),
            None => None,
        };
        value.ok_or_else(|| {
            let (field, wanted) = (subject.path.to_string(), wanted(data_type));
            let (field, found) = (quoted(&field), quoted(text));
            let sentence = format!("must be {wanted} to compare with '{field}', found '{found}'");
            wrong(name, &sentence, Some(value_type(data_type)), at)
        })
    }
}

/// Returns the field at the end of the path, from the record or from a field.
pub(crate) fn field_at(
    shape: &Shape,
    path: &Path,
    within: Option<&QueryField>,
) -> Result<QueryField, ExpressionError> {
    fields::lookup(shape, within, path.0.iter().map(|name| name.text.as_str())).map_err(|unknown| {
        let last = path.0.iter().take(unknown.count).next_back();
        let at = last.map_or(Position::START, |name| name.at);
        ExpressionError::new(at, ErrorKind::Field, unknown.refusal)
    })
}

const fn family(operator: &Operator) -> Family {
    match operator {
        Operator::Compare(Comparison::Eq | Comparison::Ne, _) => Family::Equal,
        Operator::Compare(..) => Family::Order,
        Operator::In { .. } => Family::In,
        Operator::Contains { .. } => Family::Contains,
        Operator::IsEmpty { .. } => Family::Empty,
        Operator::IsDefined { .. } => Family::Defined,
        Operator::MatchesIgnoreCase(_) => Family::Matches,
        Operator::WithinCircle { .. } => Family::Circle,
    }
}

/// Returns the error of a variable. `expected` is the type of its value; `None` if it has several values but one is
/// allowed.
fn wrong(name: &str, sentence: &str, expected: Option<&'static str>, at: Position) -> ExpressionError {
    let reason = if expected.is_some() { Reason::Type } else { Reason::Count };
    let refusal = Refusal::new(reason, format!("The parameter var.{} {sentence}", quoted(name)))
        .with(Member::Variable, quoted(name));
    let refusal = match expected {
        Some(expected) => refusal.expecting(&[expected]),
        None => refusal.with(Member::MaxItems, 1),
    };
    ExpressionError::new(at, ErrorKind::WrongVariable(name.to_owned()), refusal)
}

fn too_many_values(name: &str, at: Position) -> ExpressionError {
    let (name, max) = (quoted(name), limits::PREDICATE_VARIABLE_BYTES);
    let message = format!(
        "The values of all variables, counted at each use, exceed {max} bytes at var.{name}. Use long lists only once"
    );
    let refusal =
        Refusal::new(Reason::Size, message).with(Member::Variable, name).with(Member::Maximum, max as i64);
    ExpressionError::new(at, ErrorKind::TooManyValues, refusal)
}

/// Returns the type of the values that the field compares with, for programs.
const fn value_type(data_type: Option<DataType>) -> &'static str {
    match data_type {
        Some(DataType::Text) => "string",
        Some(DataType::Number) => "number",
        Some(DataType::Boolean) => "boolean",
        Some(DataType::DateTime) => "date-time",
        None => "object",
    }
}

const fn wanted(data_type: Option<DataType>) -> &'static str {
    match data_type {
        Some(DataType::Text) => "a text",
        Some(DataType::Number) => "a number",
        Some(DataType::Boolean) => "true or false",
        Some(DataType::DateTime) => "a date-time such as \"2015-01-01T00:00:00.000Z\"",
        None => "nothing",
    }
}

fn shown(literal: &Literal) -> String {
    let mut out = String::new();
    match literal {
        Literal::Text(text) => {
            out.push_str("the text ");
            json::string(&mut out, quoted(text));
        }
        Literal::Number(number) => {
            out.push_str("the number ");
            json::number(&mut out, *number);
        }
        Literal::Boolean(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Literal::Variable(name) => out.push_str(quoted(name)),
    }
    out
}
