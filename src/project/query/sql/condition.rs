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
    /// An item of an array of objects of the interface. Its members are columns of `i`, each with the number of its
    /// field.
    Item(&'f Fields),
    /// An item of an array of objects that a resource declares, as `entries` has it.
    Entry(Entry<'f>),
}

#[derive(Debug, Clone, Copy)]
struct Entry<'f> {
    fields: &'f Fields,
    array: &'f FieldPath,
    /// How many items it is inside, with itself. The item is the column `value` of the table `i` with this number.
    depth: u32,
}

impl<'f> About<'f> {
    const fn fields(self) -> &'f Fields {
        match self {
            Self::Record(fields) | Self::Item(fields) | Self::Entry(Entry { fields, .. }) => fields,
        }
    }

    /// Returns the table that has the record or the item as a row.
    fn table(self) -> String {
        match self {
            Self::Record(_) => "r".to_owned(),
            Self::Item(_) => "i".to_owned(),
            Self::Entry(Entry { depth, .. }) => format!("i{depth}"),
        }
    }

    /// Returns the SQL of the JSON that has the values by the numbers of their fields.
    fn json(self) -> String {
        match self {
            Self::Record(_) | Self::Item(_) => "r.entries".to_owned(),
            Self::Entry(_) => self.table() + ".value",
        }
    }

    /// Returns whether `term` has the values of a field.
    const fn is_in_term(self, path: &FieldPath) -> bool {
        !matches!(self, Self::Entry(_)) && path.by_value
    }

    /// Appends an expression of the JSON. It is computed once per row.
    fn push_once(self, sql: &mut Sql, before: &str, code: u16, after: &str) {
        let operator = if before.is_empty() { "->>'$." } else { ",'$." };
        let expression = entry(&[before, &self.json(), operator].concat(), code, after);
        match self {
            Self::Record(_) | Self::Item(_) => sql.once(expression),
            Self::Entry(_) => sql.push(&expression),
        };
    }

    /// Appends the values of a field as a table with the column `value`.
    fn push_values(self, sql: &mut Sql, code: u16) {
        sql.push(&entry(&["json_each(", &self.json(), ",'$."].concat(), code, "')"));
    }

    /// Converts a predicate's value for a comparison.
    fn value<'v>(self, path: &FieldPath, comparison: Comparison, value: &'v Value) -> IndexValue<'v> {
        match self {
            Self::Record(_) | Self::Entry(_) => IndexValue::of(path, comparison, value),
            Self::Item(_) => IndexValue::of_member(path, comparison, value),
        }
    }

    /// Converts the values of a test of equality.
    fn values<'v>(self, path: &FieldPath, values: &'v [Value]) -> Vec<IndexValue<'v>> {
        values.iter().map(|value| self.value(path, Comparison::Eq, value)).collect()
    }
}

/// The maximum number of values that are looked up in the index one by one for a record. If there are more, the values
/// of the record are searched.
pub(crate) const SEEKS: usize = 8;

/// Appends the conjunction of the parts as one test that the planner does not flatten: a chain of selects would become
/// as many joins, each of which adds to the depth. The access path is already chosen.
pub(crate) fn push<'q>(fields: &'q Fields, sql: &mut Sql, parts: &[&'q Typed]) {
    let about = About::Record(fields);
    let cuts = Cuts::of(parts);
    for part in cuts.parts() {
        sql.computed(part, |sql| push_part(sql, part, &cuts, about));
    }
    sql.push("(");
    chain(sql, parts.iter().copied(), " AND ", &cuts, about);
    sql.push(") IS TRUE");
}

fn push_about<'q>(sql: &mut Sql, condition: &'q Typed, cuts: &Cuts<'_>, about: About<'q>) {
    match (cuts.place(condition), about) {
        (None, _) => push_part(sql, condition, cuts, about),
        (Some(_), About::Record(_)) => sql.column(condition),
        (Some(place), About::Item(_) | About::Entry(_)) => {
            sql.push(&format!("{}.x{place}", about.table()));
        }
    }
}

fn push_part<'q>(sql: &mut Sql, condition: &'q Typed, cuts: &Cuts<'_>, about: About<'q>) {
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
        Typed::Element { path, condition } if about.fields().shape.is_declared() => {
            push_entry(sql, path, condition, about);
        }
        Typed::Element { path, condition } => push_element(sql, path, condition, about.fields()),
    }
}

/// Appends the test that an item of the array satisfies the condition.
fn push_element<'q>(sql: &mut Sql, path: &FieldPath, condition: &'q Typed, fields: &'q Fields) {
    push_exists(sql, condition, About::Item(fields), &|sql| {
        sql.push("(SELECT ");
        for (at, member) in walk::members(condition).into_iter().enumerate() {
            let name = member.inner().unwrap_or_default();
            sql.push(if at == 0 { "" } else { "," }).push("value->>'$.").push(name);
            sql.push("' AS m").path(member);
        }
        sql.push(" FROM ");
        push_items(sql, path, fields);
    });
}

/// Appends the test that an item of an array that a resource declares satisfies the condition.
fn push_entry<'q>(sql: &mut Sql, path: &'q FieldPath, condition: &'q Typed, about: About<'q>) {
    let (outer, depth) = match about {
        About::Entry(Entry { array, depth, .. }) => (Some(array), depth),
        About::Record(_) | About::Item(_) => (None, 0),
    };
    let fields = about.fields();
    let inside = About::Entry(Entry { fields, array: path, depth: depth + 1 });
    push_exists(sql, condition, inside, &|sql| {
        // Each array is inside the items of the one before.
        let mut json = about.json();
        let mut tables = String::new();
        for (at, list) in fields.lists(path, outer).into_iter().enumerate() {
            let before =
                [if at == 0 { " FROM " } else { " CROSS JOIN " }, "json_each(", &json, ",'$."].concat();
            tables.push_str(&entry(&before, list, &format!("') j{at}")));
            json = format!("j{at}.value");
        }
        sql.push("(SELECT ").push(&json).push(" AS value").push(&tables);
    });
}

/// Appends the test that an item satisfies the condition. `push_items` appends a select of the items, up to its limit.
fn push_exists<'q>(sql: &mut Sql, condition: &'q Typed, about: About<'q>, push_items: &dyn Fn(&mut Sql)) {
    let cuts = Cuts::of(&[condition]);
    let table = about.table();
    // Without the second select, the inner depth would count twice.
    sql.push("EXISTS(SELECT 1 FROM (SELECT 1 FROM ");
    for (place, part) in cuts.parts().iter().enumerate().rev() {
        sql.push(&format!("(SELECT {table}.*,"));
        push_part(sql, part, &cuts, about);
        sql.push(&format!(" AS x{place} FROM "));
    }
    push_items(sql);
    // The limit prevents SQLite from inlining the items where the columns are used.
    sql.push(" LIMIT -1) ").push(&table);
    cuts.parts().iter().for_each(|_| {
        sql.push(") ").push(&table);
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
    about: About<'t>,
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
            any_of(sql, path, &about.values(path, listed), about);
        }
        Test::NotIn(listed) => {
            sql.push("NOT ");
            any_of(sql, path, &about.values(path, listed), about);
        }
        Test::ContainsAll(values) => all_of(sql, path, values, about),
        Test::Between(intervals) => push_ranges(sql, path, &disjoint(path, intervals), about),
        Test::IsEmpty => empty(sql, path, about),
        Test::IsNotEmpty => {
            sql.push("NOT ");
            empty(sql, path, about);
        }
        Test::IsNotDefined => absent(sql, path, about),
        Test::IsDefined => {
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

/// Appends the smallest or largest value that a record has of the field; NULL if the field is absent.
pub(crate) fn push_edge(sql: &mut Sql, path: &FieldPath, edge: Edge) {
    sql.once(entry("r.entries->>'$.", path.number, place_of(edge)));
}

fn place_of(edge: Edge) -> &'static str {
    if edge == Edge::Smallest { "[0]'" } else { "[#-1]'" }
}

/// Appends the test that the record has one of the values in the index.
fn seek(sql: &mut Sql, code: u16, values: &[IndexValue<'_>]) {
    let keys = IndexValue::keys(values);
    sql.push(if sql.sets { "r.seq IN(SELECT t.resource" } else { "EXISTS(SELECT 1" });
    sql.push(" FROM term t WHERE t.path").code_of(code, &keys).push(" AND t.value").one_of(&keys);
    sql.push(if sql.sets { ")" } else { " AND t.resource=r.seq)" });
}

/// Appends a condition on the record's own values, or those of the item: some value of the field must satisfy the test,
/// which `push` appends for an expression. Records of which `entries` does not list all values have the others in
/// `term`: no long texts.
fn push_some(sql: &mut Sql, path: &FieldPath, about: About<'_>, push: &dyn Fn(&mut Sql, &str)) {
    sql.push("EXISTS(SELECT 1 FROM ");
    about.push_values(sql, path.number);
    sql.push(" e WHERE ");
    push(sql, "e.value");
    if !about.is_in_term(path) {
        sql.push(")");
        return;
    }
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
    sql.push(" OR ");
    let folded = values::folded(path.number);
    if about.is_in_term(path) {
        seek(sql, folded, &[text]);
    } else {
        sql.push("EXISTS(SELECT 1 FROM ");
        about.push_values(sql, folded);
        sql.push(" e WHERE e.value=").value(&text).push(")");
    }
    sql.push(")");
}

fn compare(sql: &mut Sql, path: &FieldPath, comparison: Comparison, literal: &Value, about: About<'_>) {
    let value = about.value(path, comparison, literal);
    if comparison == Comparison::Eq {
        return any_of(sql, path, &[value], about);
    }
    sql.push("(");
    if !push_single(sql, path, about) {
        about.push_once(sql, "", path.number, place_of(edge_of(comparison)));
    }
    sql.push(comparison.symbol()).value(&value).push(" IS TRUE)");
}

fn any_of(sql: &mut Sql, path: &FieldPath, values: &[IndexValue<'_>], about: About<'_>) {
    sql.push("(");
    if push_single(sql, path, about) {
        sql.one_of(values).push(" IS TRUE)");
        return;
    }
    if about.is_in_term(path) && (values.len() <= SEEKS || sql.sets) {
        seek(sql, path.number, values);
        sql.push(")");
        return;
    }
    push_some(sql, path, about, &|sql, value| {
        sql.push(value).one_of(values);
    });
    sql.push(")");
}

fn all_of(sql: &mut Sql, path: &FieldPath, literals: &[Value], about: About<'_>) {
    let values = about.values(path, literals);
    if values.len() <= SEEKS {
        let one = core::slice::from_ref;
        return sql.balanced(&values, " AND ", &|sql, value| any_of(sql, path, one(value), about));
    }
    let is_in_term = about.is_in_term(path);
    let keys = if is_in_term { IndexValue::keys(&values) } else { values.clone() };
    sql.push("NOT EXISTS(SELECT 1 FROM ").list(&keys).push(" wanted WHERE NOT (");
    if push_single(sql, path, about) {
        sql.push("=wanted.item IS TRUE))");
    } else if !is_in_term {
        push_some(sql, path, about, &|sql, value| {
            sql.push(value).push("=wanted.item");
        });
        sql.push("))");
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
        about.push_once(sql, "json_type(", path.number, "')");
    }
    sql.push(" IS NULL)");
}

/// Appends the test that an array is absent or has no items. In `entries`, only a declared array that is not absent may
/// have none; of an array of objects, it may also have a mark instead of the items.
fn empty(sql: &mut Sql, path: &FieldPath, about: About<'_>) {
    if !about.fields().shape.is_declared() {
        return absent(sql, path, about);
    }
    sql.push("(coalesce(");
    about.push_once(sql, "json_type(", path.number, "[0]')");
    sql.push(",nullif(");
    about.push_once(sql, "json_type(", path.number, "')");
    sql.push(",'array')) IS NULL)");
}

/// Appends the test that the field has a value in one of the ranges. Ranges of an array are tested in one pass over its
/// values.
fn push_ranges(sql: &mut Sql, path: &FieldPath, ranges: &[Ends<'_>], about: About<'_>) {
    if path.array {
        return push_some(sql, path, about, &|sql, value| {
            any_range(sql, ranges, &|sql| {
                sql.push(value);
            });
        });
    }
    sql.push("(");
    any_range(sql, ranges, &|sql| {
        if !push_single(sql, path, about) {
            about.push_once(sql, "", path.number, place_of(Edge::Smallest));
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
