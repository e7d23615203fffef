//! What narrows a result: predicates, the filters of a search, and its words; and the sets of an index that hold every
//! result, of which the smallest drives the query.

use crate::contract::field::FieldPath;
use crate::predicate::{Comparison, Test, Typed};
use crate::search::{Filter, FilterTest, fold};

use super::condition;
use super::database::{Database, StoreError};
use super::sql::Sql;
use super::terms::{self, Value};

/// Up to how many rows a set drives a query in any case: looking so many records up costs less than finding out more.
const SELECTIVE_ROWS: i64 = 1_000;
/// Up to how many rows a set drives a query of several parts: each of them may be common while few resources satisfy
/// all, and then a walk would look at everything. What satisfies a single common part, a walk finds soon.
const JOINED_ROWS: i64 = 10_000;
/// How many resources a query may look at where no index narrows them. A full walk over so many takes under half a
/// second, in which the project's other calls wait.
pub(super) const SCAN_ROWS: i64 = 200_000;
/// How many sets are weighed against each other.
const CANDIDATES: usize = 32;

/// Everything that a result must satisfy.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Narrow<'q> {
    /// A predicate.
    pub(super) condition: Option<&'q Typed>,
    /// Filters of a search; all must hold.
    pub(super) filters: &'q [&'q Filter],
    /// An FTS5 expression.
    pub(super) words: Option<&'q str>,
}

impl<'q> Narrow<'q> {
    /// Whether everything satisfies it.
    pub(super) fn is_everything(&self) -> bool {
        matches!(self.condition, None | Some(Typed::True)) && self.filters.is_empty() && self.words.is_none()
    }

    /// Appends ` AND …` for each part but the words, which only a set can hold.
    pub(super) fn push(&self, sql: &mut Sql) {
        if let Some(condition) = self.condition.filter(|condition| **condition != Typed::True) {
            sql.push(" AND ");
            condition::push(sql, condition);
        }
        for filter in self.filters {
            sql.push(" AND ");
            condition::push_filter(sql, filter);
        }
    }

    /// The set that a query should start from; `None` where a walk over the collection is the better way.
    pub(super) fn driver<D: Database>(&self, database: &D) -> Result<Option<Set<'q>>, StoreError> {
        if let Some(words) = self.words {
            return Ok(Some(Set::Words(words)));
        }
        let mut sets = Vec::new();
        if let Some(condition) = self.condition {
            candidates(condition, &mut sets);
        }
        sets.extend(self.filters.iter().filter_map(|filter| of_filter(filter)));
        sets.truncate(CANDIDATES);
        if let Some(best) = smallest(database, &sets, SELECTIVE_ROWS)? {
            return Ok(Some(best));
        }
        if self.is_single() {
            return Ok(None);
        }
        smallest(database, &sets, JOINED_ROWS)
    }

    /// Whether it is one test that a set holds exactly.
    fn is_single(&self) -> bool {
        match self.condition {
            None | Some(Typed::True) => self.filters.len() == 1,
            Some(Typed::Test { .. }) => self.filters.is_empty(),
            Some(_) => false,
        }
    }
}

/// The set with the fewest rows, where it has no more than the bound.
fn smallest<'q, D: Database>(
    database: &D,
    sets: &[Set<'q>],
    mut bound: i64,
) -> Result<Option<Set<'q>>, StoreError> {
    let mut best = None;
    for set in sets {
        let rows = set.rows(database, bound)?;
        if rows <= bound {
            bound = rows - 1;
            best = Some(set);
        }
    }
    Ok(best.cloned())
}

/// Rows of an index that name at least every resource that satisfies a part of a query.
#[derive(Debug, Clone)]
pub(super) enum Set<'q> {
    /// Resources with a value that compares so; never `Ne`.
    Compare(FieldPath, Comparison, Value<'q>),
    /// Resources with one of the values.
    Any(FieldPath, Vec<Value<'q>>),
    /// Resources with a value in the range.
    Between(FieldPath, Option<Value<'q>>, Option<Value<'q>>),
    /// Resources whose folded text is this.
    Folded(FieldPath, String),
    /// Resources with the words.
    Words(&'q str),
    /// Resources in one of the sets.
    Union(Vec<Self>),
}

impl Set<'_> {
    /// Appends the condition that `r` is in the set.
    pub(super) fn push(&self, sql: &mut Sql) {
        if let Self::Union(sets) = self {
            push_union(sql, sets);
        } else {
            sql.push("r.seq IN (");
            self.push_rows(sql);
            sql.push(")");
        }
    }

    /// Appends a select of the set's rows, each with the number of its resource.
    fn push_rows(&self, sql: &mut Sql) {
        match self {
            Self::Compare(path, comparison, value) => {
                open(sql, *path).push(" ").push(comparison.symbol()).push(" ").value(*value);
            }
            Self::Any(path, values) => {
                open(sql, *path).push(" IN ").list(values);
            }
            Self::Between(path, from, to) => {
                let column = open(sql, *path);
                match (from, to) {
                    (Some(from), Some(to)) => column.push(" BETWEEN ").value(*from).push(" AND ").value(*to),
                    (Some(from), None) => column.push(" >= ").value(*from),
                    (None, Some(to)) => column.push(" <= ").value(*to),
                    (None, None) => column.push(" IS NOT NULL"),
                };
            }
            Self::Folded(path, text) => {
                // Each half stays within the platform's bound on compound selects.
                open(sql, *path).push(" = ").value(Value::Text(text));
                sql.push(" UNION ALL SELECT t.resource FROM term t WHERE t.path = ");
                sql.code(terms::folded(*path)).push(" AND t.value = ").value(Value::Text(text));
            }
            Self::Words(words) => {
                sql.push("SELECT rowid FROM text WHERE text MATCH ").value(Value::Text(words));
            }
            Self::Union(sets) => {
                sql.push("SELECT r.seq FROM resource r WHERE ");
                push_union(sql, sets);
            }
        }
    }

    /// How many rows the set has, counted no further than just past the bound.
    fn rows<D: Database>(&self, database: &D, bound: i64) -> Result<i64, StoreError> {
        if let Self::Union(sets) = self {
            let mut sum = 0;
            for set in sets {
                sum += set.rows(database, bound - sum)?;
                if sum > bound {
                    break;
                }
            }
            return Ok(sum);
        }
        let mut sql = Sql::new("SELECT count(*) FROM (");
        self.push_rows(&mut sql);
        sql.push(" LIMIT ").integer(bound.max(0) + 1).push(")");
        Ok(sql.first_integer(database)?.unwrap_or(0))
    }
}

/// Opens a select of the rows of a field's index, up to the value.
fn open(sql: &mut Sql, path: FieldPath) -> &mut Sql {
    match condition::column(path) {
        Some(column) => sql.push("SELECT r.seq FROM resource r WHERE r.").push(column),
        None => sql.push("SELECT t.resource FROM term t WHERE t.path = ").path(path).push(" AND t.value"),
    }
}

/// SQLite looks each part of such an `OR` up by itself; balanced, because it takes a depth of a hundred.
fn push_union(sql: &mut Sql, sets: &[Set<'_>]) {
    match sets {
        [] => {
            sql.push("0");
        }
        [set] => set.push(sql),
        _ => {
            let (left, right) = sets.split_at(sets.len() / 2);
            sql.push("(");
            push_union(sql, left);
            sql.push(" OR ");
            push_union(sql, right);
            sql.push(")");
        }
    }
}

/// Adds the sets of which each holds everything that satisfies the condition.
fn candidates<'q>(condition: &'q Typed, sets: &mut Vec<Set<'q>>) {
    match condition {
        Typed::And(parts) => parts.iter().for_each(|part| candidates(part, sets)),
        // A resource with such an item has the values that the item has.
        Typed::Element { condition, .. } => candidates(condition, sets),
        Typed::Test { path, test } => of_test(*path, test, sets),
        Typed::Or(parts) => sets.extend(of_union(parts)),
        Typed::Not(_) | Typed::True | Typed::False => {}
    }
}

fn of_test<'q>(path: FieldPath, test: &'q Test, sets: &mut Vec<Set<'q>>) {
    match test {
        Test::Compare(comparison, literal) if *comparison != Comparison::Ne => {
            sets.push(Set::Compare(path, *comparison, condition::value(literal)));
        }
        Test::In(values) | Test::ContainsAny(values) => sets.push(Set::Any(path, condition::values(values))),
        Test::ContainsAll(values) => {
            sets.extend(
                values.iter().map(|value| Set::Compare(path, Comparison::Eq, condition::value(value))),
            );
        }
        Test::MatchesIgnoreCase(written) => sets.push(Set::Folded(path, fold(written))),
        // What holds where something is absent, or needs arithmetic, no index lists.
        Test::Compare(..)
        | Test::NotIn(_)
        | Test::IsEmpty
        | Test::IsNotEmpty
        | Test::IsDefined
        | Test::IsNotDefined
        | Test::WithinCircle { .. } => {}
    }
}

/// One set a part, equal values of one field together; `None` where a part has none, or where there are too many.
fn of_union(parts: &[Typed]) -> Option<Set<'_>> {
    let mut union: Vec<Set<'_>> = Vec::new();
    for part in parts {
        let mut sets = Vec::new();
        candidates(part, &mut sets);
        match sets.into_iter().next()? {
            // Flat, so that its SQL is no deeper than a chain's.
            Set::Union(inner) => inner.into_iter().for_each(|set| join(&mut union, set)),
            set => join(&mut union, set),
        }
        if union.len() > CANDIDATES {
            return None;
        }
    }
    Some(Set::Union(union))
}

/// Adds the set to the union, its values to those of the same field.
fn join<'q>(union: &mut Vec<Set<'q>>, set: Set<'q>) {
    let set = match set {
        Set::Compare(path, Comparison::Eq, value) => Set::Any(path, vec![value]),
        other => other,
    };
    let same = union.iter_mut().find_map(|other| match (other, &set) {
        (Set::Any(path, values), Set::Any(same, more)) if path == same => Some((values, more)),
        _ => None,
    });
    match same {
        Some((values, more)) => values.extend_from_slice(more),
        None => union.push(set),
    }
}

fn of_filter<'q>(filter: &'q Filter) -> Option<Set<'q>> {
    match &filter.test {
        FilterTest::Values(values) => {
            Some(Set::Any(filter.path, values.iter().map(condition::filter_value).collect()))
        }
        FilterTest::Ranges(ranges) => {
            let value = |end: &'q Option<_>| end.as_ref().map(condition::filter_value);
            let sets =
                ranges.iter().map(|range| Set::Between(filter.path, value(&range.from), value(&range.to)));
            Some(Set::Union(sets.collect()))
        }
        FilterTest::Exists | FilterTest::Missing => None,
    }
}
