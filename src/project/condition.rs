//! A typed predicate as a condition on `resource r`, true or false for every row and never NULL.

use crate::contract::field::FieldPath;
use crate::contract::schema::Slot;
use crate::predicate::{Comparison, Test, Typed, Value as Literal};

use super::sql::Sql;
use super::terms::Value;

/// The mean radius of the earth in metres (contract, section 5).
const EARTH_METRES: &str = "6371008.8";

/// What a condition is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum About {
    /// The record `r`.
    Record,
    /// The item of an array of objects whose term is `i`.
    Item,
}

/// Appends the condition.
pub(super) fn push(sql: &mut Sql, condition: &Typed) {
    push_about(sql, condition, About::Record);
}

fn push_about(sql: &mut Sql, condition: &Typed, about: About) {
    match condition {
        Typed::True => {
            sql.push("1");
        }
        Typed::False => {
            sql.push("0");
        }
        Typed::And(parts) => balanced(sql, parts, " AND ", about),
        Typed::Or(parts) => balanced(sql, parts, " OR ", about),
        Typed::Not(inner) => {
            sql.push("NOT (");
            push_about(sql, inner, about);
            sql.push(")");
        }
        Typed::Test { path, test } => push_test(sql, *path, test, about),
        Typed::Element { path, condition } => {
            sql.push("EXISTS(SELECT 1 FROM term i WHERE i.resource = r.seq AND i.path = ").path(*path);
            sql.push(" AND ");
            push_about(sql, condition, About::Item);
            sql.push(")");
        }
    }
}

/// Writes a chain as a balanced tree: SQLite takes a depth of a hundred, a chain may have thousands of parts.
fn balanced(sql: &mut Sql, parts: &[Typed], glue: &str, about: About) {
    match parts {
        [] => {
            sql.push("1");
        }
        [part] => push_about(sql, part, about),
        _ => {
            let (left, right) = parts.split_at(parts.len() / 2);
            sql.push("(");
            balanced(sql, left, glue, about);
            sql.push(glue);
            balanced(sql, right, glue, about);
            sql.push(")");
        }
    }
}

fn push_test(sql: &mut Sql, path: FieldPath, test: &Test, about: About) {
    match test {
        Test::Compare(Comparison::Ne, value) => {
            sql.push("NOT ");
            compare(sql, path, Comparison::Eq, value, about);
        }
        Test::Compare(comparison, value) => compare(sql, path, *comparison, value, about),
        Test::In(values) | Test::ContainsAny(values) => any_of(sql, path, values, about),
        Test::NotIn(values) => {
            sql.push("NOT ");
            any_of(sql, path, values, about);
        }
        Test::ContainsAll(values) => all_of(sql, path, values, about),
        Test::IsEmpty | Test::IsNotDefined => absent(sql, path, about),
        Test::IsNotEmpty | Test::IsDefined => {
            sql.push("NOT ");
            absent(sql, path, about);
        }
        Test::MatchesIgnoreCase(text) => {
            sql.push("0");
            let _ = text;
        }
        Test::WithinCircle { longitude, latitude, metres } => {
            within(sql, path, [*longitude, *latitude, *metres]);
        }
    }
}

/// The column that holds a field, for those that the record's own table has.
pub(super) fn column(path: FieldPath) -> Option<&'static str> {
    match (path.outer, path.inner) {
        (Slot::Id, None) => Some("r.id"),
        (Slot::Key, None) => Some("r.key"),
        (Slot::Version, None) => Some("r.version"),
        (Slot::CreatedAt, None) => Some("r.created"),
        (Slot::LastModifiedAt, None) => Some("r.revision"),
        _ => None,
    }
}

/// A predicate's value as the index holds it.
pub(super) fn value(literal: &Literal) -> Value<'_> {
    match literal {
        Literal::Text(text) => Value::Text(text),
        Literal::Number(number) => Value::Number(*number),
        Literal::DateTime(instant) => Value::Number(*instant as f64),
    }
}

pub(super) fn values(literals: &[Literal]) -> Vec<Value<'_>> {
    literals.iter().map(value).collect()
}

/// Opens a subselect for the field's terms, or for a column a comparison that is false where it is NULL.
fn open(sql: &mut Sql, path: FieldPath, about: About) {
    match column(path) {
        Some(column) => sql.push("(").push(column).push(" IS NOT NULL AND ").push(column),
        None => terms(sql, path, about).push(" AND t.value"),
    };
}

/// `EXISTS(` and the field's terms, without the closing parenthesis.
fn terms(sql: &mut Sql, path: FieldPath, about: About) -> &mut Sql {
    sql.push("EXISTS(SELECT 1 FROM term t WHERE t.resource = r.seq AND t.path = ").path(path);
    if about == About::Item {
        sql.push(" AND t.ordinal = i.ordinal");
    }
    sql
}

fn compare(sql: &mut Sql, path: FieldPath, comparison: Comparison, literal: &Literal, about: About) {
    open(sql, path, about);
    sql.push(" ").push(comparison.symbol()).push(" ").value(value(literal)).push(")");
}

fn any_of(sql: &mut Sql, path: FieldPath, literals: &[Literal], about: About) {
    open(sql, path, about);
    sql.push(" IN ").list(&values(literals)).push(")");
}

fn all_of(sql: &mut Sql, path: FieldPath, literals: &[Literal], about: About) {
    sql.push("NOT EXISTS(SELECT 1 FROM ").list(&values(literals)).push(" wanted WHERE NOT ");
    open(sql, path, about);
    sql.push(" = wanted.item))");
}

fn absent(sql: &mut Sql, path: FieldPath, about: About) {
    if let Some(column) = column(path) {
        sql.push("(").push(column).push(" IS NULL)");
    } else {
        sql.push("NOT ");
        terms(sql, path, about).push(")");
    }
}

/// The haversine formula, in doubles as a reference would compute it; the two numbers are terms with their ordinals.
fn within(sql: &mut Sql, path: FieldPath, [longitude, latitude, metres]: [f64; 3]) {
    sql.push("EXISTS(SELECT 1 FROM term x JOIN term y ON y.resource = x.resource AND y.path = x.path WHERE x.resource = r.seq AND x.path = ")
        .path(path)
        .push(" AND x.ordinal = 0 AND y.ordinal = 1 AND 2.0 * ")
        .push(EARTH_METRES)
        .push(" * asin(sqrt(min(1.0, pow(sin(radians(y.value - ")
        .value(Value::Number(latitude))
        .push(") / 2.0), 2.0) + cos(radians(y.value)) * cos(radians(")
        .value(Value::Number(latitude))
        .push(")) * pow(sin(radians(x.value - ")
        .value(Value::Number(longitude))
        .push(") / 2.0), 2.0)))) <= ")
        .value(Value::Number(metres))
        .push(")");
}
