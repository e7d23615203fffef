//! Query planning. The query constraints are predicates, the filters of a search, and its words. Each candidate set is
//! a set of index rows that contains every match; the smallest one drives the query.

use crate::contract::limits::work as units;
use crate::predicate::Typed;

use super::look_ups::look_ups;
use super::sets::{CANDIDATES, Set, candidates, ranges_of_array};
use crate::project::query::budget::{Reading, Tests, Work};
use crate::project::query::sql::builder::Sql;
use crate::project::query::sql::condition;
use crate::project::store::database::{Database, Result};
use crate::project::store::fields::Fields;
use crate::project::store::index::values;

/// A set with at most this many rows always drives a query: to look up these records costs less than further planning.
pub(crate) const SELECTIVE_ROWS: i64 = 1_000;
/// A set with at most this many rows drives a query of several parts. Each part may be common although few resources
/// satisfy all of them, and then an ordered scan would read everything. If a single part is common, a scan finds its
/// matches soon.
pub(crate) const JOINED_ROWS: i64 = 10_000;
/// How many rows of all sets are counted to compare large sets.
const WEIGHED_ROWS: i64 = 1_000_000;
/// The maximum number of parts of all compared sets: they are compared in one statement.
const WEIGHED: usize = 128;

/// A filter with more index rows than this for each resource of the project is one of long arrays.
const LONG_ARRAY_ROWS: i64 = 8;

/// A set is counted before it is built, which costs as much.
const COUNTED: u64 = 2;
/// How often the statements of a call build a set.
const SET_TIMES: u64 = 4;

/// The query constraints: everything that a match must satisfy.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Constraints<'q> {
    pub(crate) fields: &'q Fields,
    pub(crate) condition: Option<&'q Typed>,
    /// Filters of a search; a match satisfies all of them.
    pub(crate) filters: &'q [&'q Typed],
    pub(crate) words: Option<&'q str>,
    /// Whether tests use sets of the index ([`Sql::sets`]).
    pub(crate) sets: bool,
}

/// Whether planning may assume that a candidate set is small before it is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Guess {
    Allowed,
    /// No: an earlier guess was wrong, so all sets have more than [`SELECTIVE_ROWS`] rows; or no page would show it.
    Forbidden,
}

#[derive(Debug, Clone)]
pub(crate) struct Candidate<'q> {
    pub(crate) set: Set<'q>,
    /// The number of the part ([`Constraints::parts`]) that it satisfies exactly and that needs no other test.
    covers: Option<usize>,
}

impl<'q> Constraints<'q> {
    /// Returns constraints that everything satisfies.
    pub(crate) fn of(fields: &'q Fields) -> Self {
        Self { fields, condition: None, filters: &[], words: None, sets: false }
    }

    /// Returns whether everything satisfies the constraints.
    pub(crate) fn is_everything(&self) -> bool {
        self.parts().next().is_none() && self.words.is_none()
    }

    /// Returns the parts of the predicate, and the filters.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &'q Typed> + use<'q> {
        let parts = match self.condition {
            None | Some(Typed::True) => &[],
            Some(Typed::And(parts)) => parts.as_slice(),
            Some(part) => core::slice::from_ref(part),
        };
        parts.iter().chain(self.filters.iter().copied())
    }

    /// Returns the parts that the set does not already satisfy.
    fn parts_beside(&self, set: Option<&Candidate<'_>>) -> impl Iterator<Item = &'q Typed> + use<'q> {
        let covered = set.and_then(|set| set.covers);
        let parts = self.parts().enumerate();
        parts.filter(move |(at, _)| covered != Some(*at)).map(|(_, part)| part)
    }

    /// Returns what the tests of a row of the set, or of any row, read besides columns.
    pub(crate) fn reading(&self, set: Option<&Candidate<'_>>) -> Reading {
        let mut tests = Tests::default();
        self.parts_beside(set).for_each(|part| tests.add(part));
        tests.reading()
    }

    /// Appends the condition that `r` is in the set, if there is one, and satisfies the constraints.
    pub(crate) fn push_in(&self, sql: &mut Sql, set: Option<&Candidate<'_>>) {
        match set {
            Some(found) => found.set.push(sql),
            None => {
                sql.push("1");
            }
        }
        self.push(sql, set);
    }

    /// Appends ` AND …` for each part, except the words, which need a set, and the part that the set already satisfies.
    pub(crate) fn push(&self, sql: &mut Sql, set: Option<&Candidate<'_>>) {
        let parts: Vec<&Typed> = self.parts_beside(set).collect();
        sql.sets = self.sets;
        if !parts.is_empty() {
            sql.push(" AND ");
            if self.tests().is_read_once() {
                sql.with_once(|sql| condition::push(self.fields, sql, &parts));
            } else {
                condition::push(self.fields, sql, &parts);
            }
        }
        sql.sets = false;
    }

    /// Returns the candidate sets, with a bounded number of parts in all.
    fn candidates(&self) -> Vec<Candidate<'q>> {
        let mut found = Vec::new();
        for (at, part) in self.parts().enumerate() {
            let mut sets = Vec::new();
            let covers = candidates(self.fields, part, &mut sets).then_some(at);
            found.extend(sets.into_iter().map(|set| Candidate { set, covers }));
        }
        let mut left = WEIGHED;
        found.retain(|candidate| {
            let fits = candidate.set.size() <= left;
            left -= if fits { candidate.set.size() } else { 0 };
            fits
        });
        found.truncate(CANDIDATES);
        found
    }

    /// Returns the only candidate set, if there is no other to compare it with.
    pub(crate) fn only(&self) -> Option<Candidate<'q>> {
        if self.words.is_some() {
            return None;
        }
        let mut candidates = self.candidates();
        candidates.pop().filter(|_| candidates.is_empty())
    }

    fn tests(&self) -> Tests {
        let mut tests = self.condition.map_or_else(Tests::nested, Tests::of);
        self.filters.iter().for_each(|filter| tests.add(filter));
        tests
    }

    /// Returns the cost of a row: reading its columns, and all tests, without the contents that they read.
    pub(crate) fn units(&self) -> u64 {
        units::ROW + self.tests().units(self.sets)
    }

    /// Returns the constraints with index look-ups as sets, if there are many and the budget allows the sets.
    pub(crate) fn with_sets<D: Database>(mut self, work: &Work<'_, D>) -> Result<Self> {
        if !self.tests().has_many_seeks() {
            return Ok(self);
        }
        // Counting also spends a part of the budget.
        let max = work.rows(8 * units::SET_ROW);
        let mut sql = Sql::new("SELECT count(*) FROM (SELECT 1 FROM ");
        sql.pairs(&look_ups(self.parts()));
        sql.push(" k CROSS JOIN term t ON t.path=k.a AND t.value=k.b LIMIT ").integer(max).push(")");
        let rows = sql.first_integer(work.database)?.unwrap_or(0);
        self.sets = rows < max && work.spend(rows, SET_TIMES * units::SET_ROW);
        Ok(self)
    }

    /// Returns the units of the sets that each statement builds from the index: of ranges of arrays, which tests need
    /// for resources with many values. `None` if they exceed the budget.
    pub(crate) fn set_units<D: Database>(&self, work: &Work<'_, D>) -> Result<Option<u64>> {
        let mut spent = 0;
        // A single filter is a set itself. A predicate has no ranges.
        let filters: &[&Typed] = if self.is_single() { &[] } else { self.filters };
        for set in filters.iter().filter_map(|filter| ranges_of_array(filter)) {
            let rows = set.weigh(work.database, work.rows(COUNTED * units::SET_ROW))?;
            spent += u64::try_from(rows).unwrap_or(0) * units::SET_ROW;
            if !work.fits(1, spent) {
                return Ok(None);
            }
        }
        Ok(Some(spent))
    }

    pub(crate) fn smallest_of<D: Database>(&self, database: &D, rows: i64) -> Result<Option<Candidate<'q>>> {
        let mut candidates = self.candidates();
        let parts: usize = candidates.iter().map(|candidate| candidate.set.size()).sum();
        smallest(database, &mut candidates, rows.min(WEIGHED_ROWS / parts.max(1) as i64))
    }

    /// Returns the candidate set that drives the query; `None` if a scan of the collection is better. `max` is how
    /// many rows of a set the budget allows.
    pub(crate) fn choose_set<D: Database>(
        &self,
        database: &D,
        guess: Guess,
        max: i64,
    ) -> Result<Option<Candidate<'q>>> {
        if let Some(words) = self.words {
            return Ok(Some(Candidate { set: Set::Words(words), covers: None }));
        }
        let mut candidates = self.candidates();
        if guess == Guess::Allowed
            && let Some(best) = smallest(database, &mut candidates, SELECTIVE_ROWS.min(max))?
        {
            return Ok(Some(best));
        }
        if self.is_single() {
            return Ok(None);
        }
        smallest(database, &mut candidates, JOINED_ROWS.min(max))
    }

    /// Returns the set of a single filter with ranges of long arrays, and its rows. The test of such an array would
    /// build the set, too, and so would the total.
    pub(crate) fn ranges_of_long_arrays<D: Database>(
        &self,
        work: &Work<'_, D>,
    ) -> Result<Option<(Candidate<'q>, LongArrays)>> {
        let is_range = |_: &Candidate<'_>| self.parts().any(|part| ranges_of_array(part).is_some());
        let Some(set) = self.exact().filter(is_range) else { return Ok(None) };
        Ok(set.long_arrays(work)?.map(|rows| (set, rows)))
    }

    fn is_single(&self) -> bool {
        self.parts().count() + usize::from(self.words.is_some()) == 1
    }

    /// Returns the set that contains exactly the matches; `None` if no single set does.
    pub(crate) fn exact(&self) -> Option<Candidate<'q>> {
        if !self.is_single() || self.words.is_some() {
            return None;
        }
        self.candidates().into_iter().find(|candidate| candidate.covers.is_some())
    }
}

/// The rows of a set that has many for each resource.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LongArrays {
    rows: i64,
    max: i64,
}

impl LongArrays {
    /// Spends the cost of the set. Returns whether it fits the budget.
    pub(crate) fn spend<D: Database>(self, work: &Work<'_, D>) -> bool {
        self.rows <= self.max && work.spend(self.rows, units::SET_ROW)
    }
}

/// Returns the set with the fewest rows, if it has no more rows than the bound.
fn smallest<'q, D: Database>(
    database: &D,
    candidates: &mut Vec<Candidate<'q>>,
    bound: i64,
) -> Result<Option<Candidate<'q>>> {
    if candidates.is_empty() {
        return Ok(None);
    }
    let mut sql = Sql::new("SELECT ");
    for (at, candidate) in candidates.iter().enumerate() {
        sql.push(if at == 0 { "" } else { ", " });
        candidate.set.push_weight(&mut sql, bound);
        // A statement's columns need different names, or the platform would merge them.
        sql.push(&format!(" AS c{at}"));
    }
    let best = sql.first(database, |row| {
        let rows = (0..candidates.len()).filter_map(|at| Some((row.integer(at)?, at)));
        rows.min().filter(|(rows, _)| *rows <= bound).map(|(_, at)| at)
    })?;
    Ok(best.map(|at| candidates.swap_remove(at)))
}

impl Candidate<'_> {
    pub(crate) fn push_count(&self, sql: &mut Sql) {
        match &self.set {
            // A resource has a value only once.
            Set::Any(_, values) if values.len() == 1 => {
                sql.push("(SELECT count(*) FROM (");
                self.set.push_rows(sql);
                sql.push("))");
            }
            Set::Union(_) => {
                sql.push("(SELECT count(*) FROM resource r WHERE ");
                self.set.push(sql);
                sql.push(")");
            }
            _ => {
                sql.push("(SELECT count(*) FROM (SELECT DISTINCT * FROM (");
                self.set.push_rows(sql);
                sql.push(")))");
            }
        }
    }

    /// Counts the rows of a set of an array, as far as the budget allows. Returns them if the arrays are long.
    pub(crate) fn long_arrays<D: Database>(&self, work: &Work<'_, D>) -> Result<Option<LongArrays>> {
        if !self.set.is_of_array() {
            return Ok(None);
        }
        let long = LONG_ARRAY_ROWS * work.size()?.max(SELECTIVE_ROWS);
        let max = work.rows(COUNTED * units::SET_ROW).max(long);
        let rows = self.set.weigh(work.database, max)?;
        Ok((rows > long).then_some(LongArrays { rows, max }))
    }

    /// Appends a select of a row, if the set has one.
    pub(crate) fn push_one(&self, sql: &mut Sql) {
        self.set.push_rows(sql);
        sql.push(" LIMIT 1");
    }

    /// Returns whether an index has the set in the order of creation: the matches of a single value, not of a list.
    pub(crate) fn is_in_order(&self) -> bool {
        matches!(&self.set, Set::Any(path, values) if values.len() == 1 && values::column(path).is_none())
    }

    /// Appends a select of the numbers of the set's resources, if [`Self::is_in_order`].
    pub(crate) fn push_in_order(&self, sql: &mut Sql, descending: bool) {
        self.set.push_rows(sql);
        sql.push(if descending { " ORDER BY t.resource DESC" } else { " ORDER BY t.resource" });
    }
}
