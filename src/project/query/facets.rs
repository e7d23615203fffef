//! Counts facets over the results of a search (contract, section 6).

use crate::contract::limits::{self, work};
use crate::contract::resource::field::{DataType, Sort};
use crate::predicate::{Comparison, Test, Typed, Value};
use crate::search::{Facet, FacetKind, FacetRange, FacetResult, RangeResult, TermCount};

use super::budget::{PushSet, Reading, Tests, Work};
use super::plan::candidates::{Candidate, Constraints, Guess, JOINED_ROWS};
use super::sql::builder::Sql;
use super::sql::condition;
use crate::project::store::database::{Database, StoreError, unexpected};
use crate::project::store::index::values::{self, IndexValue};

/// The resources that a facet counts: the constraints, with the candidate set if it is small.
pub(crate) struct Reached<'q> {
    constraints: Constraints<'q>,
    set: Option<Candidate<'q>>,
}

impl<'q> Reached<'q> {
    /// Creates it from the constraints.
    pub(crate) fn of<D: Database>(
        database: &D,
        work: &Work<'_>,
        constraints: Constraints<'q>,
    ) -> Result<Self, StoreError> {
        let max = work.rows(constraints.units());
        let set = if constraints.is_everything() {
            None
        } else {
            constraints.choose_set(database, Guess::Allowed, max)?
        };
        Ok(Self { constraints, set })
    }

    /// Returns the units of what `passes` over the results read, and of the values that the facet reads.
    fn contents<D: Database>(
        &self,
        database: &D,
        work: &Work<'_>,
        facet: &Facet,
        passes: u64,
    ) -> Result<u64, StoreError> {
        let set = self.set.as_ref().map(|set| |sql: &mut Sql| set.push(sql));
        let set = set.as_ref().map(|set| set as &PushSet<'_>);
        let reading = match facet.kind {
            // The terms are sorted, and those that are listed are texts of the response.
            FacetKind::Terms => Reading::of_keys(&[Sort { path: facet.path, descending: false }]),
            FacetKind::Filtered(_) | FacetKind::Ranges(_) => Reading::of_field(facet.path),
        };
        let values = work.contents(database, reading, set, 1)?;
        Ok(values + work.contents(database, self.constraints.reading(self.set.as_ref()), set, passes)?)
    }

    /// Appends a select of the numbers of the resources.
    fn push(&self, sql: &mut Sql) {
        sql.push("SELECT r.seq FROM ").resources().push(" WHERE ");
        match &self.set {
            Some(set) => set.push(sql),
            None => {
                sql.push("1");
            }
        }
        self.constraints.push(sql, self.set.as_ref());
    }
}

/// Counts a facet.
pub(crate) fn count<D: Database>(
    database: &D,
    work: &Work<'_>,
    facet: &Facet,
    reached: &Reached<'_>,
) -> Result<FacetResult, StoreError> {
    match &facet.kind {
        FacetKind::Terms => terms(database, facet, reached, work.size(database)?),
        FacetKind::Filtered(values) => filtered(database, facet, values, reached),
        FacetKind::Ranges(ranges) => ranges
            .iter()
            .map(|range| in_range(database, facet, range, reached))
            .collect::<Result<_, _>>()
            .map(FacetResult::Ranges),
    }
}

/// Spends the cost of a facet: finding the results, and counting the field's values. `matches` is the maximum number
/// of resources that can have the words. Returns whether the cost fits the budget.
pub(crate) fn spend<D: Database>(
    database: &D,
    work: &Work<'_>,
    facet: &Facet,
    reached: &Reached<'_>,
    matches: i64,
) -> Result<bool, StoreError> {
    let size = work.size(database)?;
    let everything = reached.constraints.is_everything();
    let rows = match (&reached.set, reached.constraints.words) {
        _ if everything => 0,
        (_, Some(_)) => matches,
        (Some(_), None) => size.min(JOINED_ROWS),
        (None, None) => size,
    };
    let times = match &facet.kind {
        FacetKind::Terms => 2,
        FacetKind::Filtered(_) => 1,
        FacetKind::Ranges(ranges) => ranges.len() as u64,
    };
    let Some(sets) = reached.constraints.set_units(database, work)? else { return Ok(false) };
    let contents = reached.contents(database, work, facet, times)?;
    if !work.spend(rows, times * reached.constraints.units()) || !work.spend(1, contents + times * sets) {
        return Ok(false);
    }
    let probe = if everything { 0 } else { work::PROBE };
    let of_value = match &facet.kind {
        FacetKind::Filtered(values) => {
            let mut tests = Tests::default();
            tests.add(&filter_of(facet, values));
            let units = work::ROW + tests.units(false);
            return Ok(work.spend(if everything { size } else { rows }, units));
        }
        FacetKind::Terms => work::FACET + probe,
        FacetKind::Ranges(_) => (work::FACET + probe) * times,
    };
    if !values::is_array(facet.path) {
        return Ok(work.spend(size, of_value));
    }
    // Counts the values of an array, as far as the budget allows.
    let max = work.rows(of_value);
    let mut sql = Sql::new("SELECT count(*) FROM (SELECT 1 FROM term WHERE path = ");
    sql.path(facet.path).push(" LIMIT ").integer(max).push(")");
    let values = sql.first_integer(database)?.unwrap_or(0);
    Ok(values < max && work.spend(values, of_value))
}

/// Appends ` FROM …` with the field's values, each with its resource: `v.value`, `v.resource`.
fn push_values(sql: &mut Sql, facet: &Facet, reached: &Reached<'_>) {
    match condition::column(facet.path) {
        Some(column) => sql
            .push(" FROM (SELECT ")
            .push(column)
            .push(" AS value, seq AS resource FROM resource WHERE ")
            .push(column)
            .push(" IS NOT NULL) v WHERE 1"),
        None => sql.push(" FROM term v WHERE v.path = ").path(facet.path),
    };
    if !reached.constraints.is_everything() {
        sql.push(" AND v.resource IN (");
        reached.push(sql);
        sql.push(")");
    }
}

/// Returns SQL that reads a value of the field's index.
fn read_value(facet: &Facet, value: &str) -> String {
    if values::has_doubles(facet.path) { values::double(value) } else { value.to_owned() }
}

fn terms<D: Database>(
    database: &D,
    facet: &Facet,
    reached: &Reached<'_>,
    size: i64,
) -> Result<FacetResult, StoreError> {
    // For a field that is not an array, every resource without a value has no count.
    let known = reached.constraints.is_everything() && !values::is_array(facet.path);
    let missing = if values::is_array(facet.path) { Test::IsEmpty } else { Test::IsNotDefined };
    let without = Typed::Test { path: facet.path, test: missing };
    let mut sql = Sql::new("SELECT ");
    sql.push(&read_value(facet, "value")).push(" AS term, count, sum(count) OVER () AS total, ");
    if known {
        sql.integer(size).push("-sum(count) OVER ()");
    } else {
        sql.push("(");
        push_counted(&mut sql, reached, &without);
        sql.push(")");
    }
    sql.push(" AS missing FROM (SELECT v.value AS value, count(*) AS count");
    push_values(&mut sql, facet, reached);
    sql.push(" GROUP BY v.value) ORDER BY count DESC, value LIMIT ").integer(limits::FACET_TERMS as i64);
    let mut listed = Vec::new();
    let mut sums = None;
    sql.query(database, &mut |row| {
        let read = || {
            let term = match facet.data_type {
                DataType::Text => Value::Text(row.text(0)?),
                DataType::Number => Value::Number(row.real(0)?),
                DataType::Boolean => Value::Boolean(row.integer(0)? != 0),
                DataType::DateTime => Value::DateTime(row.integer(0)?),
            };
            let count = |column| row.integer(column).and_then(|count| u64::try_from(count).ok());
            Some((term, count(1)?, (count(2)?, count(3)?)))
        };
        let (term, count, both) = read().ok_or_else(|| unexpected("a facet"))?;
        listed.push(TermCount { term, count });
        sums = Some(both);
        Ok(())
    })?;
    let (total, missing) = match sums {
        Some(sums) => sums,
        // No result has a value.
        None if known => (0, u64::try_from(size).unwrap_or(0)),
        None => (0, counted(database, reached, &without)?),
    };
    Ok(FacetResult::Terms { missing, total, terms: listed })
}

/// Returns how many results pass an additional filter.
fn counted<D: Database>(database: &D, reached: &Reached<'_>, filter: &Typed) -> Result<u64, StoreError> {
    let mut sql = Sql::new("");
    push_counted(&mut sql, reached, filter);
    Ok(sql.first_integer(database)?.and_then(|count| u64::try_from(count).ok()).unwrap_or(0))
}

fn push_counted(sql: &mut Sql, reached: &Reached<'_>, filter: &Typed) {
    sql.push("SELECT count(*) FROM resource r WHERE r.seq IN (");
    reached.push(sql);
    sql.push(") AND ");
    condition::push(sql, &[filter]);
}

fn filtered<D: Database>(
    database: &D,
    facet: &Facet,
    values: &[Value],
    reached: &Reached<'_>,
) -> Result<FacetResult, StoreError> {
    Ok(FacetResult::Filter { count: counted(database, reached, &filter_of(facet, values))? })
}

/// Returns the filter of a filtered facet.
fn filter_of(facet: &Facet, values: &[Value]) -> Typed {
    Typed::Test { path: facet.path, test: Test::In(values.to_vec()) }
}

fn in_range<D: Database>(
    database: &D,
    facet: &Facet,
    range: &FacetRange,
    reached: &Reached<'_>,
) -> Result<RangeResult, StoreError> {
    let read = |integer| read_value(facet, integer);
    let mut sql = Sql::new("SELECT count(DISTINCT v.resource), count(*), ");
    sql.push(&["total(", &read("v.value"), "),", &read("min(v.value)"), ",", &read("max(v.value)")].concat());
    push_values(&mut sql, facet, reached);
    for (bound, comparison) in [(&range.from, Comparison::Ge), (&range.to, Comparison::Lt)] {
        if let Some(bound) = bound {
            let bound = Value::Number(bound.value);
            sql.push(" AND v.value").push(comparison.symbol());
            sql.value(&IndexValue::of(facet.path, comparison, &bound));
        }
    }
    let mut found = None;
    sql.query(database, &mut |row| {
        let whole = |column| row.integer(column).and_then(|count| u64::try_from(count).ok());
        found = whole(0).zip(whole(1)).map(|(count, values)| RangeResult {
            range: range.clone(),
            count,
            values,
            total: row.real(2).unwrap_or(0.0),
            min: row.real(3).unwrap_or(0.0),
            max: row.real(4).unwrap_or(0.0),
        });
        Ok(())
    })?;
    found.ok_or_else(|| unexpected("a facet"))
}
