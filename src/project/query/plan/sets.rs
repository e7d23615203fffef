//! Sets of index rows: for a condition, the sets that contain everything that satisfies it.

use crate::predicate::{Comparison, Test, Typed};
use crate::search::fold;
use crate::shape::{FieldPath, System};
use crate::util::json::canonical;

use super::ranges::{Ends, disjoint};
use crate::project::query::sql::builder::Sql;
use crate::project::store::database::{Database, Result};
use crate::project::store::fields::Fields;
use crate::project::store::index::values::{self, IndexValue};

/// The maximum number of sets that are compared, and of the parts of a union.
pub(crate) const CANDIDATES: usize = 32;

/// A set of index rows that contains at least every resource that satisfies a part of a query.
#[derive(Debug, Clone)]
pub(crate) enum Set<'q> {
    /// Resources with a value for which the comparison is true; never `Eq` or `Ne`.
    Compare(&'q FieldPath, Comparison, IndexValue<'q>),
    Any(&'q FieldPath, Vec<IndexValue<'q>>),
    Between(&'q FieldPath, Option<IndexValue<'q>>, Option<IndexValue<'q>>),
    /// Resources with a value in one of the ranges, which do not overlap.
    Ranges(&'q FieldPath, Vec<(IndexValue<'q>, IndexValue<'q>)>),
    /// Resources whose folded text equals this text.
    Folded(&'q FieldPath, String),
    Words(&'q str),
    Union(Vec<Self>),
}

impl Set<'_> {
    pub(crate) fn push(&self, sql: &mut Sql) {
        match self {
            Self::Union(sets) => sql.balanced(sets, " OR ", &|sql, set| set.push(sql)),
            // A resource may have thousands of values in a range. The set without duplicates is built faster.
            Self::Between(path, ..) | Self::Ranges(path, _) if path.array => {
                sql.push("r.seq IN (SELECT * FROM (SELECT DISTINCT * FROM (");
                self.push_rows(sql);
                sql.push(")) LIMIT -1)");
            }
            _ => {
                sql.push("r.seq IN (");
                self.push_rows(sql);
                sql.push(")");
            }
        }
    }

    /// Appends a select of the set's rows, each with the number of its resource.
    #[expect(clippy::too_many_lines, reason = "a table: the select of each kind of set")]
    pub(crate) fn push_rows(&self, sql: &mut Sql) {
        match self {
            Self::Compare(path, comparison, value) => {
                open(sql, path).push(" ").push(comparison.symbol()).push(" ").value(value);
            }
            Self::Any(path, values) if values::column(path).is_some() => {
                open(sql, path).one_of(values);
            }
            Self::Any(path, values) => {
                push_look_up(sql, path.number, values);
            }
            Self::Between(path, from, to) => {
                let column = open(sql, path);
                match (from, to) {
                    (Some(from), Some(to)) => column.push(" BETWEEN ").value(from).push(" AND ").value(to),
                    (Some(from), None) => column.push(" >= ").value(from),
                    (None, Some(to)) => column.push(" <= ").value(to),
                    (None, None) => column.push(" IS NOT NULL"),
                };
            }
            Self::Ranges(path, ranges) => {
                let column = values::column(path);
                sql.push(if column.is_some() {
                    "SELECT r.seq FROM "
                } else {
                    "SELECT t.resource AS seq FROM "
                });
                sql.pairs(ranges);
                match column {
                    Some(column) => sql.push(" k CROSS JOIN resource r ON r.").push(column),
                    None => push_term(sql.push(" k CROSS JOIN term t ON "), path),
                };
                sql.push(" BETWEEN k.a AND k.b");
            }
            Self::Folded(path, text) => {
                // Each half stays within the platform's limit on compound selects.
                let texts = Set::Any(path, vec![IndexValue::text(text)]);
                texts.push_rows(sql);
                sql.push(" UNION ALL ");
                push_look_up(sql, values::folded(path.number), &[IndexValue::text(text)]);
            }
            Self::Words(words) => {
                sql.push("SELECT rowid FROM text WHERE text MATCH ").text(words);
            }
            Self::Union(sets) => {
                sql.push("SELECT r.seq FROM resource r WHERE ");
                sql.balanced(sets, " OR ", &|sql, set| set.push(sql));
            }
        }
    }

    /// Returns whether a resource may have several of the set's rows.
    pub(crate) fn is_of_array(&self) -> bool {
        match self {
            Self::Any(path, list) => list.len() > 1 && path.array,
            Self::Compare(path, ..) | Self::Between(path, ..) | Self::Ranges(path, _) => path.array,
            Self::Folded(..) | Self::Words(_) => false,
            Self::Union(sets) => sets.iter().any(Self::is_of_array),
        }
    }

    pub(crate) fn size(&self) -> usize {
        if let Self::Union(sets) = self { sets.iter().map(Set::size).sum() } else { 1 }
    }

    /// Returns the number of the set's rows, up to just above the bound.
    pub(crate) fn weigh<D: Database>(&self, database: &D, bound: i64) -> Result<i64> {
        let mut sql = Sql::new("SELECT ");
        self.push_weight(&mut sql, bound);
        Ok(sql.first_integer(database)?.unwrap_or(0))
    }

    /// Appends the number of the set's rows. The count of each part stops just above the bound.
    pub(crate) fn push_weight(&self, sql: &mut Sql, bound: i64) {
        if let Self::Union(sets) = self {
            return sql.balanced(sets, "+", &|sql, set| set.push_weight(sql, bound));
        }
        sql.push("(SELECT count(*) FROM (");
        self.push_first_rows(sql, bound);
        sql.push("))");
    }

    /// Appends the condition that `r` is in the set, of which each part ends just above the bound.
    pub(crate) fn push_part(&self, sql: &mut Sql, bound: i64) {
        if let Self::Union(sets) = self {
            return sql.balanced(sets, " OR ", &|sql, set| set.push_part(sql, bound));
        }
        sql.push("r.seq IN (");
        self.push_first_rows(sql, bound);
        sql.push(")");
    }

    /// Appends a select of the set's rows that ends just above the bound: the weight and the part of a set agree.
    fn push_first_rows(&self, sql: &mut Sql, bound: i64) {
        self.push_rows(sql);
        sql.push(" LIMIT ").integer(bound + 1);
    }
}

/// Returns whether an index has the field's values. The version has no index, because each write would change it.
pub(crate) fn is_indexed(path: &FieldPath) -> bool {
    path.by_value && !path.is(System::Version)
}

/// Opens a select of the rows of a field's index, up to the value.
fn open<'s>(sql: &'s mut Sql, path: &FieldPath) -> &'s mut Sql {
    match values::column(path) {
        Some(column) => sql.push("SELECT r.seq FROM resource r WHERE r.").push(column),
        None => push_term(sql.push("SELECT t.resource AS seq FROM term t WHERE "), path),
    }
}

/// Appends a select of the rows of `term` with one of the values.
fn push_look_up(sql: &mut Sql, code: u16, values: &[IndexValue<'_>]) {
    let keys = IndexValue::keys(values);
    sql.push("SELECT t.resource AS seq FROM term t WHERE t.path").code_of(code, &keys);
    sql.push(" AND t.value").one_of(&keys);
}

/// Appends the condition on `term`, up to the value, that a row is of the field: of short texts and of long ones.
fn push_term<'s>(sql: &'s mut Sql, path: &FieldPath) -> &'s mut Sql {
    sql.push("t.path");
    let sql = if values::is_text(path) { sql.codes(path.number) } else { sql.push("=").path(path) };
    sql.push(" AND t.value")
}

/// Adds candidate sets of the condition. Each contains everything that satisfies it. Returns whether they contain
/// nothing else.
pub(crate) fn candidates<'q>(fields: &'q Fields, condition: &'q Typed, sets: &mut Vec<Set<'q>>) -> bool {
    match condition {
        Typed::And(parts) => parts.iter().for_each(|part| {
            candidates(fields, part, sets);
        }),
        // A resource with such an item has the item's values.
        Typed::Element { condition, .. } => {
            candidates(fields, condition, sets);
        }
        Typed::Test { path, test } if is_indexed(path) => return of_test(fields, path, test, sets),
        Typed::Or(parts) => {
            let union = of_union(fields, parts);
            let is_exact = union.as_ref().is_some_and(|(_, is_exact)| *is_exact);
            sets.extend(union.map(|(set, _)| set));
            return is_exact;
        }
        Typed::Test { .. } | Typed::Not(_) | Typed::True | Typed::False => {}
    }
    false
}

#[expect(clippy::too_many_lines, reason = "a table: the sets of each test")]
fn of_test<'q>(fields: &'q Fields, path: &'q FieldPath, test: &'q Test, sets: &mut Vec<Set<'q>>) -> bool {
    match test {
        Test::Compare(Comparison::Eq, value) => {
            sets.push(Set::Any(path, vec![IndexValue::of(path, Comparison::Eq, value)]));
        }
        Test::Compare(comparison, value) if *comparison != Comparison::Ne => {
            let value = IndexValue::of(path, *comparison, value);
            if value.is_long() {
                return false;
            }
            sets.push(Set::Compare(path, *comparison, value));
        }
        Test::In(values) | Test::ContainsAny(values) => {
            sets.push(Set::Any(path, IndexValue::all_of(path, values)));
        }
        Test::ContainsAll(values) => {
            let is_exact = values.len() == 1;
            let values = IndexValue::all_of(path, values).into_iter();
            sets.extend(values.map(|value| Set::Any(path, vec![value])));
            return is_exact;
        }
        Test::Between(intervals) => {
            let ranges = disjoint(path, intervals);
            let is_long = |end: &Option<IndexValue<'_>>| end.as_ref().is_some_and(IndexValue::is_long);
            if ranges.iter().any(|(from, to)| is_long(from) || is_long(to)) {
                return false;
            }
            sets.push(of_ranges(path, ranges));
        }
        Test::ContainsItems(items) => {
            // By the first member: most items have it.
            let first = fields.inside(path).next();
            let values = items.iter().filter_map(|item| {
                let (first, name) = (first?, first?.name().rsplit('.').next()?);
                let value = IndexValue::read(first.form, canonical::member(item, name)?)?;
                Some(Set::Any(first, vec![value]))
            });
            sets.extend(values.take(CANDIDATES));
            return false;
        }
        Test::MatchesIgnoreCase(written) => sets.push(Set::Folded(path, fold(written))),
        // No index lists conditions on absent values or conditions that need arithmetic. The keys of long texts do not
        // compare with each other as the texts do.
        Test::Compare(..)
        | Test::NotIn(_)
        | Test::IsEmpty
        | Test::IsNotEmpty
        | Test::IsDefined
        | Test::IsNotDefined
        | Test::WithinCircle { .. } => return false,
    }
    true
}

/// Returns the resources with a value in the ranges of a filter of an array; `None` if the condition is another.
pub(crate) fn ranges_of_array(condition: &Typed) -> Option<Set<'_>> {
    match condition {
        Typed::Test { path, test: Test::Between(intervals) } if path.array => {
            Some(of_ranges(path, disjoint(path, intervals)))
        }
        _ => None,
    }
}

/// Returns a union with one set per part, in which equal fields share one set, and whether it contains nothing but
/// matches. `None` if a part has no set, or if there are too many.
fn of_union<'q>(fields: &'q Fields, parts: &'q [Typed]) -> Option<(Set<'q>, bool)> {
    let mut union: Vec<Set<'q>> = Vec::new();
    let mut is_exact = true;
    for part in parts {
        let mut sets = Vec::new();
        is_exact &= candidates(fields, part, &mut sets);
        match sets.into_iter().next()? {
            // Flat, so that its SQL is no deeper than that of a chain.
            Set::Union(inner) => inner.into_iter().for_each(|set| join(&mut union, set)),
            set => join(&mut union, set),
        }
        if union.len() > CANDIDATES {
            return None;
        }
    }
    Some((Set::Union(union), is_exact))
}

/// Adds the set to the union. Adds its values to the set of the same field, if there is one.
fn join<'q>(union: &mut Vec<Set<'q>>, set: Set<'q>) {
    let same = union.iter_mut().find_map(|other| match (other, &set) {
        (Set::Any(path, values), Set::Any(same, more)) if path == same => Some((values, more)),
        _ => None,
    });
    match same {
        Some((values, more)) => values.extend_from_slice(more),
        None => union.push(set),
    }
}

/// Returns one set for all ranges with both ends, and one for each other range.
fn of_ranges<'q>(path: &'q FieldPath, ranges: Vec<Ends<'q>>) -> Set<'q> {
    let mut closed = Vec::new();
    let mut sets = Vec::new();
    for range in ranges {
        match range {
            (Some(from), Some(to)) => closed.push((from, to)),
            (from, to) => sets.push(Set::Between(path, from, to)),
        }
    }
    match <[_; 1]>::try_from(closed) {
        Ok([(from, to)]) => sets.push(Set::Between(path, Some(from), Some(to))),
        Err(closed) if closed.is_empty() => {}
        Err(closed) => sets.push(Set::Ranges(path, closed)),
    }
    if sets.len() == 1 { sets.remove(0) } else { Set::Union(sets) }
}
