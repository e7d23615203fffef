//! A typed predicate as a condition on `resource r`, true or false for every row and never NULL.

use crate::contract::field::FieldPath;
use crate::contract::schema::Slot;
use crate::predicate::{Comparison, Test, Typed, Value as Literal};
use crate::search::{self, Filter, FilterTest, fold};

use super::sql::Sql;
use super::terms::{self, Value};

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

/// How many levels of a condition stand in one SQL expression. SQLite takes a depth of a hundred, of which a chain takes
/// a few and a test some more; a predicate may be deeper than that.
const LEVELS: u32 = 24;

/// Appends the condition.
pub(super) fn push(sql: &mut Sql, condition: &Typed) {
    push_about(sql, condition, About::Record, LEVELS);
}

/// Appends the condition; what is deeper than the levels left goes into a select of its own, whose depth counts anew.
fn push_about(sql: &mut Sql, condition: &Typed, about: About, levels: u32) {
    let inner = matches!(condition, Typed::And(_) | Typed::Or(_) | Typed::Not(_) | Typed::Element { .. });
    if inner && levels == 0 {
        return push_apart(sql, condition, about);
    }
    let levels = levels.saturating_sub(1);
    match condition {
        Typed::True => {
            sql.push("1");
        }
        Typed::False => {
            sql.push("0");
        }
        Typed::And(parts) => balanced(sql, parts, " AND ", about, levels),
        Typed::Or(parts) => balanced(sql, parts, " OR ", about, levels),
        Typed::Not(inner) => {
            sql.push("NOT (");
            push_about(sql, inner, about, levels);
            sql.push(")");
        }
        Typed::Test { path, test } => push_test(sql, *path, test, about),
        Typed::Element { path, condition } => {
            sql.push("EXISTS(SELECT 1 FROM term i WHERE i.resource = r.seq AND i.path = ").path(*path);
            sql.push(" AND ");
            push_about(sql, condition, About::Item, levels);
            sql.push(")");
        }
    }
}

/// The rows that satisfy the condition as a table: SQLite counts no depth through a table in FROM.
fn push_apart(sql: &mut Sql, condition: &Typed, about: About) {
    match about {
        About::Record => sql.push("r.seq IN (SELECT * FROM (SELECT r.seq FROM resource r WHERE "),
        About::Item => sql.push(
            "(i.resource, i.path, i.ordinal) IN (SELECT * FROM (SELECT i.resource, i.path, i.ordinal FROM term i WHERE ",
        ),
    };
    push_about(sql, condition, about, LEVELS);
    sql.push("))");
}

/// Writes a chain as a balanced tree: SQLite takes a depth of a hundred, a chain may have thousands of parts.
fn balanced(sql: &mut Sql, parts: &[Typed], glue: &str, about: About, levels: u32) {
    match parts {
        [] => {
            sql.push("1");
        }
        [part] => push_about(sql, part, about, levels),
        _ => {
            let (left, right) = parts.split_at(parts.len() / 2);
            sql.push("(");
            balanced(sql, left, glue, about, levels);
            sql.push(glue);
            balanced(sql, right, glue, about, levels);
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
        Test::MatchesIgnoreCase(written) => folds_to(sql, path, &fold(written), about),
        Test::WithinCircle { longitude, latitude, metres } => {
            within(sql, path, [*longitude, *latitude, *metres]);
        }
    }
}

/// The column of `resource` that holds a field, for those that it has.
pub(super) fn column(path: FieldPath) -> Option<&'static str> {
    match (path.outer, path.inner) {
        (Slot::Id, None) => Some("id"),
        (Slot::Key, None) => Some("key"),
        (Slot::Version, None) => Some("version"),
        (Slot::CreatedAt, None) => Some("created"),
        (Slot::LastModifiedAt, None) => Some("revision"),
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
        Some(column) => sql.push("(r.").push(column).push(" IS NOT NULL AND r.").push(column),
        None => terms(sql, path, about).push(" AND t.value"),
    };
}

/// `EXISTS(` and the field's terms, without the closing parenthesis.
fn terms(sql: &mut Sql, path: FieldPath, about: About) -> &mut Sql {
    terms_of(sql, path.code(), about)
}

fn terms_of(sql: &mut Sql, code: u16, about: About) -> &mut Sql {
    sql.push("EXISTS(SELECT 1 FROM term t WHERE t.resource = ");
    sql.push(match about {
        About::Record => "r.seq",
        About::Item => "i.resource AND t.ordinal = i.ordinal",
    });
    sql.push(" AND t.path = ").code(code)
}

/// The field's folded text is this one: it is so as it is, or its folded form stands in the index.
fn folds_to(sql: &mut Sql, path: FieldPath, text: &str, about: About) {
    sql.push("(");
    open(sql, path, about);
    sql.push(" = ").value(Value::Text(text)).push(") OR ");
    terms_of(sql, terms::folded(path), about).push(" AND t.value = ").value(Value::Text(text)).push("))");
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
        sql.push("(r.").push(column).push(" IS NULL)");
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

/// A search's value as the index holds it.
pub(super) fn filter_value(literal: &search::Value) -> Value<'_> {
    match literal {
        search::Value::Text(text) => Value::Text(text),
        search::Value::Number(number) => Value::Number(*number),
        search::Value::DateTime(instant) => Value::Number(*instant as f64),
    }
}

/// Appends the condition that a filter of a search is.
pub(super) fn push_filter(sql: &mut Sql, filter: &Filter) {
    let about = About::Record;
    match &filter.test {
        FilterTest::Values(values) => {
            open(sql, filter.path, about);
            sql.push(" IN ").list(&values.iter().map(filter_value).collect::<Vec<_>>()).push(")");
        }
        FilterTest::Ranges(ranges) => {
            sql.push("(0");
            for range in ranges {
                sql.push(" OR ");
                open(sql, filter.path, about);
                range_end(sql, filter.path, range.from.as_ref(), range.to.as_ref());
            }
            sql.push(")");
        }
        FilterTest::Missing => absent(sql, filter.path, about),
        FilterTest::Exists => {
            sql.push("NOT ");
            absent(sql, filter.path, about);
        }
    }
}

/// Ends a subselect opened by [`open`] with a range that holds both its ends.
fn range_end(sql: &mut Sql, path: FieldPath, from: Option<&search::Value>, to: Option<&search::Value>) {
    let name = column(path).unwrap_or("value");
    match (from, to) {
        (Some(from), Some(to)) => {
            sql.push(" BETWEEN ").value(filter_value(from)).push(" AND ").value(filter_value(to));
        }
        (Some(from), None) => {
            sql.push(" >= ").value(filter_value(from));
        }
        (None, Some(to)) => {
            sql.push(" <= ").value(filter_value(to));
        }
        (None, None) => {
            sql.push(" = ").push(name);
        }
    }
    sql.push(")");
}

/// The fields that the condition names, each once.
pub(super) fn fields(condition: &Typed) -> Vec<String> {
    fn collect(condition: &Typed, found: &mut Vec<String>) {
        match condition {
            Typed::True | Typed::False => {}
            Typed::And(parts) | Typed::Or(parts) => parts.iter().for_each(|part| collect(part, found)),
            Typed::Not(inner) => collect(inner, found),
            Typed::Element { condition, .. } => collect(condition, found),
            Typed::Test { path, .. } => {
                let name = path.to_string();
                if !found.contains(&name) {
                    found.push(name);
                }
            }
        }
    }
    let mut found = Vec::new();
    collect(condition, &mut found);
    found
}
