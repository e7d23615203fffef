//! Counts facets over the results of a search (contract, section 6).

use crate::contract::limits::{self, work};
use crate::predicate::{Comparison, Test, Typed, Value};
use crate::search::{Facet, FacetKind, FacetRange, FacetResult, RangeResult, TermCount};
use crate::shape::{DataType, FieldPath};

use super::budget::{PushSet, Reading, Tests, Work};
use super::plan::candidates::{Candidate, Constraints, Guess, JOINED_ROWS};
use super::sql::builder::Sql;
use super::sql::condition;
use crate::project::store::database::{Database, Result, Row, unexpected};
use crate::project::store::index::values::{self, IndexValue};

/// The most terms of a field that are counted to find the cost of a facet.
const GROUPS: i64 = 1_000;
/// The terms of a facet are not counted if as many facets of different values fit the budget.
const FEW: u64 = 16;

/// A facet, and the resources that it counts: the constraints, with the candidate set if it is small.
pub(crate) struct FacetCount<'q> {
    facet: &'q Facet,
    constraints: Constraints<'q>,
    set: Option<Candidate<'q>>,
    has_long_texts: bool,
}

impl<'q> FacetCount<'q> {
    pub(crate) fn new<D: Database>(
        work: &Work<'_, D>,
        facet: &'q Facet,
        constraints: Constraints<'q>,
    ) -> Result<Self> {
        let max = work.rows(constraints.units());
        let set = if constraints.is_everything() {
            None
        } else {
            constraints.choose_set(work.database, Guess::Allowed, max)?
        };
        let has_long_texts = facet.kind == FacetKind::Terms && work.has_long_texts(&facet.path)?;
        Ok(Self { facet, constraints, set, has_long_texts })
    }

    /// Spends the cost of the facet: finding the results, and counting the field's values. `matches` is the maximum
    /// number of resources that can have the words. Returns whether the cost fits the budget.
    pub(crate) fn spend<D: Database>(&self, work: &Work<'_, D>, matches: i64) -> Result<bool> {
        let size = work.size()?;
        let everything = self.constraints.is_everything();
        let rows = match (&self.set, self.constraints.words) {
            _ if everything => 0,
            (_, Some(_)) => matches,
            (Some(_), None) => size.min(JOINED_ROWS),
            (None, None) => size,
        };
        let times = match &self.facet.kind {
            FacetKind::Terms => 2,
            FacetKind::Filtered(_) => 1,
            FacetKind::Ranges(ranges) => ranges.len() as u64,
        };
        let Some(sets) = self.constraints.set_units(work)? else { return Ok(false) };
        let contents = self.contents(work, times)?;
        if !work.spend(rows, times * self.constraints.units()) || !work.spend(1, contents + times * sets) {
            return Ok(false);
        }
        // The results are collected, and each value is looked up among them.
        let probe = if everything { 0 } else { work::PROBE };
        let (of_result, of_value) = match &self.facet.kind {
            FacetKind::Filtered(values) => {
                let units = work::ROW + Tests::of(&self.filter(values)).units(false);
                return Ok(work.spend(if everything { size } else { rows }, units));
            }
            FacetKind::Terms => (work::RESULT, work::GROUPED + probe),
            FacetKind::Ranges(_) => (work::RESULT * times, (work::FACET + probe) * times),
        };
        if !work.spend(rows, of_result) {
            return Ok(false);
        }
        let Some(values) = self.spend_values(work, of_value)? else { return Ok(false) };
        if self.facet.kind != FacetKind::Terms {
            return Ok(true);
        }
        // No more terms than results, if each has at most one.
        self.spend_groups(work, if everything || self.is_array() { values } else { values.min(rows) })
    }

    /// Spends the cost of the field's values, and returns their number; `None` if they exceed the budget. Counts those
    /// of an array, as far as the budget allows.
    fn spend_values<D: Database>(&self, work: &Work<'_, D>, units: u64) -> Result<Option<i64>> {
        let mut values = work.size()?;
        if self.is_array() {
            let max = work.rows(units);
            let mut sql = Sql::new("SELECT count(*) FROM (SELECT 1");
            if self.path().by_value {
                sql.push(" FROM term WHERE path = ").path(self.path());
            } else {
                self.push_all_values(&mut sql);
            }
            sql.push(" LIMIT ").integer(max).push(")");
            values = sql.first_integer(work.database)?.unwrap_or(0);
            if values >= max {
                return Ok(None);
            }
        }
        Ok(work.spend(values, units).then_some(values))
    }

    /// Spends the cost of the terms of a field with so many values. Returns whether it fits the budget.
    fn spend_groups<D: Database>(&self, work: &Work<'_, D>, values: i64) -> Result<bool> {
        if !work.spend(self.groups(work, values)?, work::GROUP) {
            return Ok(false);
        }
        // Of all resources, those without a value of an array are counted one by one.
        let missing = self.constraints.is_everything() && self.is_array();
        Ok(!missing || work.spend(work.size()?, work::ROW + work::EDGE))
    }

    /// Returns how many different values the field has, at most as many as values. Counts them only if that matters,
    /// and only up to [`GROUPS`].
    fn groups<D: Database>(&self, work: &Work<'_, D>, values: i64) -> Result<i64> {
        let path = self.path();
        if values::column(path).is_some() || !path.by_value || work.fits(values, FEW * work::GROUP) {
            return Ok(values);
        }
        // Each step finds the next value in the index.
        let mut sql = Sql::new("WITH RECURSIVE g(value) AS (SELECT min(value) FROM term WHERE path = ");
        sql.path(path).push(" UNION ALL SELECT (SELECT min(t.value) FROM term t WHERE t.path = ");
        sql.path(path).push(" AND t.value > g.value) FROM g WHERE g.value IS NOT NULL LIMIT ");
        sql.integer(GROUPS + 1).push(") SELECT count(value) FROM g");
        let found = sql.first_integer(work.database)?.unwrap_or(0);
        Ok(if found > GROUPS { values } else { found.min(values) })
    }

    /// Returns the units of what `passes` over the results read, and of the values that the facet reads.
    fn contents<D: Database>(&self, work: &Work<'_, D>, passes: u64) -> Result<u64> {
        let set = self.set.as_ref().map(|found| |sql: &mut Sql| found.set.push(sql));
        let set = set.as_ref().map(|set| set as &PushSet<'_>);
        let path = self.path();
        let reading = match self.facet.kind {
            // The terms are sorted, and those that are listed are texts of the response.
            FacetKind::Terms => Reading::of_keys([path].into_iter()),
            FacetKind::Filtered(_) | FacetKind::Ranges(_) => Reading::of_field(path),
        };
        let values = work.contents(reading, set, 1)?;
        Ok(values + work.contents(self.constraints.reading(self.set.as_ref()), set, passes)?)
    }

    pub(crate) fn count<D: Database>(&self, work: &Work<'_, D>) -> Result<FacetResult> {
        match &self.facet.kind {
            FacetKind::Terms => self.terms(work),
            FacetKind::Filtered(values) => {
                Ok(FacetResult::Filter { count: self.filtered(work.database, &self.filter(values))? })
            }
            FacetKind::Ranges(ranges) => ranges
                .iter()
                .map(|range| self.in_range(work.database, range))
                .collect::<Result<_, _>>()
                .map(FacetResult::Ranges),
        }
    }

    fn path(&self) -> &'q FieldPath {
        &self.facet.path
    }

    fn is_array(&self) -> bool {
        self.path().array
    }

    fn filter(&self, values: &[Value]) -> Typed {
        Typed::Test { path: self.path().clone(), test: Test::In(values.to_vec()) }
    }

    /// Appends a select of the numbers of the resources.
    fn push_resources(&self, sql: &mut Sql) {
        sql.push("SELECT r.seq FROM ").resources().push(" WHERE ");
        self.constraints.push_in(sql, self.set.as_ref());
    }

    /// Appends ` FROM …` with the field's values, each with its resource: `v.value`, `v.resource`.
    fn push_values(&self, sql: &mut Sql) {
        self.push_all_values(sql);
        if !self.constraints.is_everything() {
            sql.push(" AND v.resource IN (");
            self.push_resources(sql);
            sql.push(")");
        }
    }

    /// Appends the values of all resources.
    fn push_all_values(&self, sql: &mut Sql) {
        match values::column(self.path()) {
            Some(column) => sql
                .push(" FROM (SELECT ")
                .push(column)
                .push(" AS value, seq AS resource FROM resource WHERE ")
                .push(column)
                .push(" IS NOT NULL) v WHERE 1"),
            // `entries` has all of them.
            None if !self.path().by_value => sql
                .push(" FROM (SELECT e.value AS value, r.seq AS resource FROM resource r, json_each(r.entries,'$.")
                .path(self.path())
                .push("') e) v WHERE 1"),
            None if self.has_long_texts => self.push_texts(sql),
            None => sql.push(" FROM term v WHERE v.path = ").path(self.path()),
        };
    }

    /// Appends the field's texts: short ones from the index, long ones from the resources that have some.
    fn push_texts<'s>(&self, sql: &'s mut Sql) -> &'s mut Sql {
        let path = self.path();
        sql.push(" FROM (SELECT value, resource FROM term WHERE path = ").path(path);
        sql.push(" UNION ALL SELECT e.value, r.seq FROM resource r, json_each(r.entries,'$.").path(path);
        sql.push("') e WHERE r.seq IN (SELECT resource FROM term WHERE path = ")
            .code(values::long(path.number));
        sql.push(") AND octet_length(e.value) > ").integer(values::KEY_BYTES as i64).push(") v WHERE 1")
    }

    /// Returns SQL that reads a value of the field's index.
    fn read(&self, value: &str) -> String {
        if values::has_doubles(self.path()) { values::double(value) } else { value.to_owned() }
    }

    fn terms<D: Database>(&self, work: &Work<'_, D>) -> Result<FacetResult> {
        // For a field that is not an array, every resource without a value has no count.
        let known = self.constraints.is_everything() && !self.is_array();
        let known = known.then(|| work.size()).transpose()?;
        let missing = if self.is_array() { Test::IsEmpty } else { Test::IsNotDefined };
        let without = Typed::Test { path: self.path().clone(), test: missing };
        let mut sql = Sql::new("SELECT ");
        sql.push(&self.read("value")).push(" AS term, count, sum(count) OVER () AS total, (");
        match known {
            Some(size) => {
                sql.integer(size).push("-sum(count) OVER ()");
            }
            None => self.push_filtered(&mut sql, &without),
        }
        sql.push(") AS missing FROM (SELECT v.value AS value, count(*) AS count");
        self.push_values(&mut sql);
        sql.push(" GROUP BY v.value) ORDER BY count DESC, value LIMIT ");
        sql.integer(limits::FACET_TERMS as i64);
        let rows = sql.rows(work.database, |row| self.term(row))?;
        let (total, missing) = match (rows.first(), known) {
            (Some((_, sums)), _) => *sums,
            // No result has a value.
            (None, Some(size)) => (0, u64::try_from(size).unwrap_or(0)),
            (None, None) => (0, self.filtered(work.database, &without)?),
        };
        let terms = rows.into_iter().map(|(term, _)| term).collect();
        Ok(FacetResult::Terms { missing, total, terms })
    }

    /// Reads a term, and the sums of all terms and of the resources without one.
    fn term(&self, row: &dyn Row) -> Option<(TermCount, (u64, u64))> {
        let term = match self.facet.data_type {
            DataType::Text => Value::Text(row.text(0)?),
            DataType::Number => Value::Number(row.real(0)?),
            DataType::Boolean => Value::Boolean(row.integer(0)? != 0),
            DataType::DateTime => Value::DateTime(row.integer(0)?),
        };
        Some((TermCount { term, count: row.unsigned(1)? }, (row.unsigned(2)?, row.unsigned(3)?)))
    }

    fn filtered<D: Database>(&self, database: &D, filter: &Typed) -> Result<u64> {
        let mut sql = Sql::new("");
        self.push_filtered(&mut sql, filter);
        Ok(sql.first(database, |row| row.unsigned(0))?.unwrap_or(0))
    }

    fn push_filtered(&self, sql: &mut Sql, filter: &Typed) {
        sql.push("SELECT count(*) FROM resource r WHERE ");
        if !self.constraints.is_everything() {
            sql.push("r.seq IN (");
            self.push_resources(sql);
            sql.push(") AND ");
        }
        condition::push(self.constraints.fields, sql, &[filter]);
    }

    fn in_range<D: Database>(&self, database: &D, range: &FacetRange) -> Result<RangeResult> {
        let mut sql = Sql::new("SELECT count(DISTINCT v.resource), count(*), total(");
        sql.push(&self.read("v.value")).push("), ");
        sql.push(&self.read("min(v.value)")).push(", ").push(&self.read("max(v.value)"));
        self.push_values(&mut sql);
        for (bound, comparison) in [(&range.from, Comparison::Ge), (&range.to, Comparison::Lt)] {
            if let Some(bound) = bound {
                let bound = Value::Number(bound.value);
                sql.push(" AND v.value ").push(comparison.symbol());
                sql.value(&IndexValue::of(self.path(), comparison, &bound));
            }
        }
        let found = sql.first(database, |row| {
            Some(RangeResult {
                range: range.clone(),
                count: row.unsigned(0)?,
                values: row.unsigned(1)?,
                total: row.real(2).unwrap_or(0.0),
                min: row.real(3).unwrap_or(0.0),
                max: row.real(4).unwrap_or(0.0),
            })
        })?;
        found.ok_or_else(|| unexpected("a facet"))
    }
}
