//! A typed predicate as a condition on `resource r`, true or false for every row and never NULL.

use crate::contract::field::FieldPath;
use crate::contract::schema::Slot;
use crate::predicate::{Comparison, Test, Typed, Value as Literal};
use crate::search::{self, Filter, FilterTest, fold};

use super::sql::Sql;
use super::terms::{self, Value};

/// The mean radius of the earth in metres (contract, section 5).
const EARTH_METRES: f64 = 6_371_008.8;

/// What a condition is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum About {
    /// The record `r`.
    Record,
    /// The item of an array of objects whose term is `i`.
    Item,
}

/// Appends the condition, as one test that the planner leaves whole: a chain of selects would become as many joins, each
/// of which adds to the depth, and what drives the query was chosen already.
pub(super) fn push(sql: &mut Sql, condition: &Typed) {
    push_whole(sql, condition, About::Record);
}

fn push_whole(sql: &mut Sql, condition: &Typed, about: About) {
    sql.push("(");
    push_about(sql, condition, about);
    sql.push(") IS TRUE");
}

fn push_about(sql: &mut Sql, condition: &Typed, about: About) {
    match condition {
        Typed::True => {
            sql.push("1");
        }
        Typed::False => {
            sql.push("0");
        }
        Typed::And(parts) => chain(sql, parts, " AND ", about),
        Typed::Or(parts) => chain(sql, parts, " OR ", about),
        Typed::Not(inner) => {
            sql.push("NOT (");
            push_about(sql, inner, about);
            sql.push(")");
        }
        Typed::Test { path, test } => push_test(sql, *path, test, about),
        Typed::Element { path, condition } => {
            // SQLite adds the depths of expressions inside each other, but not those of tables in FROM: without the second
            // select what is inside would count twice.
            sql.push("EXISTS(SELECT 1 FROM (SELECT 1 FROM term i WHERE i.resource = r.seq AND i.path = ")
                .path(*path);
            sql.push(" AND ");
            push_whole(sql, condition, About::Item);
            sql.push("))");
        }
    }
}

/// How deep the SQL of a condition is, beside what the deepest test takes. SQLite takes a depth of a hundred in all.
fn height(condition: &Typed) -> u32 {
    match condition {
        Typed::And(parts) | Typed::Or(parts) => tree(parts).map_or(0, |tree| tree.height()),
        Typed::Not(inner) => height(inner) + 1,
        Typed::Element { condition, .. } => height(condition) + 5,
        Typed::True | Typed::False | Typed::Test { .. } => 0,
    }
}

/// A chain's parts, two by two, with how deep they are.
enum Tree<'t> {
    Leaf(&'t Typed, u32),
    Pair(Box<(Self, Self)>, u32),
}

impl Tree<'_> {
    fn height(&self) -> u32 {
        match self {
            Self::Leaf(_, height) | Self::Pair(_, height) => *height,
        }
    }
}

/// The lowest tree over the parts: the two lowest become one until one is left.
fn tree(parts: &[Typed]) -> Option<Tree<'_>> {
    let mut trees: Vec<Tree<'_>> = parts.iter().map(|part| Tree::Leaf(part, height(part))).collect();
    // The lowest stand last.
    trees.sort_by_key(|tree| core::cmp::Reverse(tree.height()));
    while let Some(one) = trees.pop() {
        let Some(other) = trees.pop() else { return Some(one) };
        let height = other.height() + 1;
        let at = trees.partition_point(|tree| tree.height() >= height);
        trees.insert(at, Tree::Pair(Box::new((one, other)), height));
    }
    None
}

/// Writes a chain as the lowest tree: a chain may have thousands of parts, and one of them may be deep already.
fn chain(sql: &mut Sql, parts: &[Typed], glue: &str, about: About) {
    match tree(parts) {
        None => {
            sql.push("1");
        }
        Some(tree) => push_tree(sql, &tree, glue, about),
    }
}

fn push_tree(sql: &mut Sql, tree: &Tree<'_>, glue: &str, about: About) {
    match tree {
        Tree::Leaf(part, _) => push_about(sql, part, about),
        Tree::Pair(pair, _) => {
            sql.push("(");
            push_tree(sql, &pair.0, glue, about);
            sql.push(glue);
            push_tree(sql, &pair.1, glue, about);
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

/// The haversine formula, but for its last steps, which go to the other side; the two numbers are terms with their
/// ordinals.
fn within(sql: &mut Sql, path: FieldPath, [longitude, latitude, metres]: [f64; 3]) {
    sql.push("EXISTS(SELECT 1 FROM term x JOIN term y USING(resource, path) WHERE x.resource = r.seq AND x.path = ")
        .path(path)
        .push(" AND x.ordinal = 0 AND y.ordinal = 1 AND pow(sin(radians(y.value - ")
        .value(Value::Number(latitude))
        .push(") / 2), 2) + cos(radians(y.value)) * cos(radians(")
        .value(Value::Number(latitude))
        .push(")) * pow(sin(radians(x.value - ")
        .value(Value::Number(longitude))
        .push(") / 2), 2) <= ")
        .value(Value::Number(haversine(metres)))
        .push(")");
}

/// The haversine of the angle that a distance on the earth has; beyond every haversine where it goes all around.
fn haversine(metres: f64) -> f64 {
    let half = metres / EARTH_METRES / 2.0;
    if half < 0.0 {
        return -1.0;
    }
    if half < core::f64::consts::FRAC_PI_2 { half.sin().powi(2) } else { 2.0 }
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
