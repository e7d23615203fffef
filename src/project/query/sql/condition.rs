//! Translates a typed predicate to a SQL condition on `resource r`. The condition is true or false for every row, never
//! NULL.

use crate::predicate::{Comparison, Test, Typed, Value};
use crate::search::fold;
use crate::shape::FieldPath;
use crate::util::json;
use crate::util::text::append;

use super::builder::{Sql, entry};
use super::depth::Cuts;
use super::geo::within;
use crate::project::query::plan::ranges::{Ends, disjoint};
use crate::project::query::plan::walk;
use crate::project::store::fields::Fields;
use crate::project::store::index::values::{self, IndexValue, column};

#[derive(Debug, Clone, Copy)]
enum About<'f> {
    Record(&'f Fields),
    /// An item of an array of objects. Its members are columns of `i`, each with the number of its field.
    Item(&'f Fields),
}

impl<'f> About<'f> {
    const fn fields(self) -> &'f Fields {
        match self {
            Self::Record(fields) | Self::Item(fields) => fields,
        }
    }
}

/// The maximum number of values that are looked up in the index one by one for a record. If there are more, the values
/// of the record are searched.
pub(crate) const SEEKS: usize = 8;

/// Appends the conjunction of the parts as one test that the planner does not flatten: a chain of selects would become
/// as many joins, each of which adds to the depth. The access path is already chosen.
pub(crate) fn push(fields: &Fields, sql: &mut Sql, parts: &[&Typed]) {
    let about = About::Record(fields);
    let cuts = Cuts::of(parts);
    for part in cuts.parts() {
        sql.computed(part, |sql| push_part(sql, part, &cuts, about));
    }
    sql.push("(");
    chain(sql, parts.iter().copied(), " AND ", &cuts, about);
    sql.push(") IS TRUE");
}

fn push_about(sql: &mut Sql, condition: &Typed, cuts: &Cuts<'_>, about: About<'_>) {
    match (cuts.place(condition), about) {
        (None, _) => push_part(sql, condition, cuts, about),
        (Some(_), About::Record(_)) => sql.column(condition),
        (Some(place), About::Item(_)) => {
            sql.push(&format!("i.x{place}"));
        }
    }
}

fn push_part(sql: &mut Sql, condition: &Typed, cuts: &Cuts<'_>, about: About<'_>) {
    match condition {
        Typed::True => {
            sql.push("1");
        }
        Typed::False => {
            sql.push("0");
        }
        Typed::And(parts) => chain(sql, parts, " AND ", cuts, about),
        Typed::Or(parts) => chain(sql, parts, " OR ", cuts, about),
        Typed::Not(inner) => {
            sql.push("NOT (");
            push_about(sql, inner, cuts, about);
            sql.push(")");
        }
        Typed::Test { path, test } => push_test(sql, path, test, about),
        Typed::Element { path, condition } => push_element(sql, path, condition, about.fields()),
    }
}

/// Appends the test that an item of the array satisfies the condition.
fn push_element(sql: &mut Sql, path: &FieldPath, condition: &Typed, fields: &Fields) {
    let about = About::Item(fields);
    let cuts = Cuts::of(&[condition]);
    // Without the second select, the inner depth would count twice.
    sql.push("EXISTS(SELECT 1 FROM (SELECT 1 FROM ");
    for (place, part) in cuts.parts().iter().enumerate().rev() {
        sql.push("(SELECT i.*,");
        push_part(sql, part, &cuts, about);
        sql.push(&format!(" AS x{place} FROM "));
    }
    sql.push("(SELECT ");
    for (at, member) in walk::members(condition).into_iter().enumerate() {
        sql.push(if at == 0 { "" } else { "," }).push("value->>'$.").push(member.inner().unwrap_or_default());
        sql.push("' AS m").path(member);
    }
    sql.push(" FROM ");
    push_items(sql, path, fields);
    // The limit prevents SQLite from inlining the members where the columns are used.
    sql.push(" LIMIT -1) i");
    cuts.parts().iter().for_each(|_| {
        sql.push(") i");
    });
    sql.push(" WHERE (");
    push_about(sql, condition, &cuts, about);
    sql.push(") IS TRUE))");
}

/// Appends the items of an array of objects as a table, from `entries`, or from the body if there are many.
fn push_items(sql: &mut Sql, path: &FieldPath, fields: &Fields) {
    let many = |sql: &mut Sql| {
        sql.push("json_type(r.entries,'$.").path(path).push("')='true',");
    };
    sql.push("json_each(iif(");
    many(sql);
    sql.push("r.body,r.entries),iif(");
    many(sql);
    sql.push("'$").push(&fields.place(path)).push("','$.").path(path).push("'))");
}

/// Writes a chain as a tree of least depth: a chain may have thousands of parts, and a part may already be deep.
fn chain<'t>(
    sql: &mut Sql,
    parts: impl IntoIterator<Item = &'t Typed>,
    glue: &str,
    cuts: &Cuts<'_>,
    about: About<'_>,
) {
    match cuts.tree(parts.into_iter()) {
        None => {
            sql.push("1");
        }
        Some(tree) => sql.tree(&tree, glue, &|sql, part| push_about(sql, part, cuts, about)),
    }
}

fn push_test(sql: &mut Sql, path: &FieldPath, test: &Test, about: About<'_>) {
    match test {
        Test::Compare(Comparison::Ne, value) => {
            sql.push("NOT ");
            compare(sql, path, Comparison::Eq, value, about);
        }
        Test::Compare(comparison, value) => compare(sql, path, *comparison, value, about),
        Test::In(listed) | Test::ContainsAny(listed) => {
            any_of(sql, path, &IndexValue::all_of(path, listed), about);
        }
        Test::NotIn(listed) => {
            sql.push("NOT ");
            any_of(sql, path, &IndexValue::all_of(path, listed), about);
        }
        Test::ContainsAll(values) => all_of(sql, path, values, about),
        Test::Between(intervals) => push_ranges(sql, path, &disjoint(path, intervals), about),
        Test::IsEmpty | Test::IsNotDefined => absent(sql, path, about),
        Test::IsNotEmpty | Test::IsDefined => {
            sql.push("NOT ");
            absent(sql, path, about);
        }
        Test::MatchesIgnoreCase(written) => folds_to(sql, path, &fold(written), about),
        Test::ContainsItems(wanted) => contains_items(sql, path, wanted, about.fields()),
        Test::WithinCircle { longitude, latitude, metres } => {
            within(sql, path, [*longitude, *latitude, *metres]);
        }
    }
}

/// Appends the value of a single-valued field: a column, or a member of the item; NULL if it is absent.
fn push_single(sql: &mut Sql, path: &FieldPath, about: About<'_>) -> bool {
    match (column(path), about, path.inner()) {
        (Some(column), ..) => {
            sql.push("r.").push(column);
        }
        (None, About::Item(_), Some(_)) => {
            sql.push("i.m").path(path);
        }
        _ => return false,
    }
    true
}

/// Which of its values decides how a resource compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edge {
    Smallest,
    Largest,
}

/// Returns which value of a field decides a comparison.
pub(crate) fn edge_of(comparison: Comparison) -> Edge {
    match comparison {
        Comparison::Gt | Comparison::Ge => Edge::Largest,
        Comparison::Lt | Comparison::Le | Comparison::Eq | Comparison::Ne => Edge::Smallest,
    }
}

/// Appends the smallest or largest value of the field; NULL if the field is absent.
pub(crate) fn push_edge(sql: &mut Sql, path: &FieldPath, edge: Edge) {
    let place = if edge == Edge::Smallest { "[0]'" } else { "[#-1]'" };
    sql.once(entry("r.entries->>'$.", path.number, place));
}

/// Appends the test that the record has one of the values in the index.
fn seek(sql: &mut Sql, code: u16, values: &[IndexValue<'_>]) {
    let keys = IndexValue::keys(values);
    sql.push(if sql.sets { "r.seq IN(SELECT t.resource" } else { "EXISTS(SELECT 1" });
    sql.push(" FROM term t WHERE t.path").code_of(code, &keys).push(" AND t.value").one_of(&keys);
    sql.push(if sql.sets { ")" } else { " AND t.resource=r.seq)" });
}

/// Appends a condition on the record's own values: some value of the field must satisfy the test, which `push` appends
/// for an expression. Records of which `entries` does not list all values have the others in `term`: no long texts.
fn push_some(sql: &mut Sql, path: &FieldPath, push: &dyn Fn(&mut Sql, &str)) {
    sql.push("EXISTS(SELECT 1 FROM json_each(r.entries,'$.").path(path).push("') e WHERE ");
    push(sql, "e.value");
    sql.push(" OR e.value IS NULL AND r.seq IN (SELECT t.resource FROM term t WHERE t.path=").path(path);
    sql.push(" AND ");
    push(sql, "t.value");
    sql.push("))");
}

/// Appends the test that the field's folded text equals the text: the text itself does, or its folded form is in the
/// index.
fn folds_to(sql: &mut Sql, path: &FieldPath, text: &str, about: About<'_>) {
    sql.push("(");
    let text = IndexValue::text(text);
    any_of(sql, path, core::slice::from_ref(&text), about);
    seek(sql.push(" OR "), values::folded(path.number), &[text]);
    sql.push(")");
}

fn compare(sql: &mut Sql, path: &FieldPath, comparison: Comparison, literal: &Value, about: About<'_>) {
    let value = IndexValue::of(path, comparison, literal);
    if comparison == Comparison::Eq {
        return any_of(sql, path, &[value], about);
    }
    sql.push("(");
    if !push_single(sql, path, about) {
        push_edge(sql, path, edge_of(comparison));
    }
    sql.push(comparison.symbol()).value(&value).push(" IS TRUE)");
}

fn any_of(sql: &mut Sql, path: &FieldPath, values: &[IndexValue<'_>], about: About<'_>) {
    sql.push("(");
    if push_single(sql, path, about) {
        sql.one_of(values).push(" IS TRUE)");
        return;
    }
    if values.len() <= SEEKS || sql.sets {
        seek(sql, path.number, values);
        sql.push(")");
        return;
    }
    push_some(sql, path, &|sql, value| {
        sql.push(value).push(" IN ").list(values);
    });
    sql.push(")");
}

fn all_of(sql: &mut Sql, path: &FieldPath, literals: &[Value], about: About<'_>) {
    let values = IndexValue::all_of(path, literals);
    if values.len() <= SEEKS {
        let one = core::slice::from_ref;
        return sql.balanced(&values, " AND ", &|sql, value| any_of(sql, path, one(value), about));
    }
    let keys = IndexValue::keys(&values);
    sql.push("NOT EXISTS(SELECT 1 FROM ").list(&keys).push(" wanted WHERE NOT (");
    if push_single(sql, path, about) {
        sql.push("=wanted.item IS TRUE))");
    } else {
        sql.push("EXISTS(SELECT 1 FROM term t WHERE t.resource=r.seq AND t.path").code_of(path.number, &keys);
        sql.push(" AND t.value=wanted.item)))");
    }
}

/// Appends the test that the record has every item of `wanted`, as often as `wanted` has it. Reads the record's items
/// once. `-` marks a member that an item leaves open, because NULL equals nothing, and no JSON is `-`.
fn contains_items(sql: &mut Sql, path: &FieldPath, wanted: &[String], fields: &Fields) {
    let (mut members, mut names) = (String::new(), String::new());
    for inner in fields.inside(path) {
        let name = inner.name().rsplit('.').next().unwrap_or_default();
        let comma = if names.is_empty() { "" } else { "," };
        append(&mut members, &[comma, "coalesce(value->'$.", name, "','-') AS m"]);
        append(&mut names, &[comma, "m"]);
        for out in [&mut members, &mut names] {
            json::integer(out, i64::from(inner.number));
        }
    }
    sql.push("((SELECT count(*) FROM (SELECT DISTINCT ").push(&members).push(" FROM ");
    push_items(sql, path, fields);
    sql.push(") WHERE (").push(&names).push(") IN (SELECT ").push(&members).push(" FROM ").objects(wanted);
    sql.push("))=").integer(wanted.len() as i64).push(")");
}

fn absent(sql: &mut Sql, path: &FieldPath, about: About<'_>) {
    sql.push("(");
    if !push_single(sql, path, about) {
        sql.once(entry("json_type(r.entries,'$.", path.number, "')"));
    }
    sql.push(" IS NULL)");
}

/// Appends the test that the field has a value in one of the ranges. Ranges of an array are tested in one pass over its
/// values.
fn push_ranges(sql: &mut Sql, path: &FieldPath, ranges: &[Ends<'_>], about: About<'_>) {
    if path.array {
        return push_some(sql, path, &|sql, value| {
            any_range(sql, ranges, &|sql| {
                sql.push(value);
            });
        });
    }
    sql.push("(");
    any_range(sql, ranges, &|sql| {
        if !push_single(sql, path, about) {
            push_edge(sql, path, Edge::Smallest);
        }
    });
    sql.push(" IS TRUE)");
}

fn any_range(sql: &mut Sql, ranges: &[Ends<'_>], push_value: &dyn Fn(&mut Sql)) {
    sql.balanced(ranges, " OR ", &|sql, (from, to)| {
        push_value(sql);
        match (from, to) {
            (None, None) => sql.push(" IS NOT NULL"),
            (Some(from), None) => sql.push(">=").value(from),
            (None, Some(to)) => sql.push("<=").value(to),
            (Some(from), Some(to)) => sql.push(" BETWEEN ").value(from).push(" AND ").value(to),
        };
    });
}
