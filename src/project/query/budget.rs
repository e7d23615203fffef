//! The work of a call, counted before or during the call (D29). `contract::limits` has the budget and the costs.

use std::cell::Cell;

use crate::contract::error::{ApiError, Reason};
use crate::contract::limits::work;
use crate::contract::param::Refusal;
use crate::predicate::{Comparison, Test, Typed};
use crate::shape::FieldPath;
use crate::util::json::canonical;

use super::plan::walk;
use super::sql::builder::Sql;
use super::sql::condition::{self, Edge, SEEKS};
use super::sql::depth;
use crate::project::store::database::{Database, Result};
use crate::project::store::fields::Fields;
use crate::project::store::index::values;
use crate::project::store::totals::{Contents, Totals};

/// Appends the condition that the resource `r` is in a set.
pub(crate) type PushSet<'s> = dyn Fn(&mut Sql) + 's;

/// The part of the budget that is too small to count exactly what costs less.
const NEGLIGIBLE: u64 = 100;
/// The part of the budget up to which an upper bound of the contents is good enough.
const LOW: u64 = 8;

/// The rest of a call's budget, and its database.
#[derive(Debug)]
pub(crate) struct Work<'a, D> {
    pub(crate) fields: &'a Fields,
    pub(crate) database: &'a D,
    totals: &'a Totals,
    left: Cell<u64>,
}

impl<'a, D: Database> Work<'a, D> {
    pub(crate) fn new(fields: &'a Fields, database: &'a D, totals: &'a Totals, budget: u64) -> Self {
        Self { fields, database, totals, left: Cell::new(budget) }
    }

    pub(crate) fn size(&self) -> Result<i64> {
        self.totals.count(self.database)
    }

    /// Returns whether a resource has a text of the field that is longer than a key of the index.
    pub(crate) fn has_long_texts(&self, path: &FieldPath) -> Result<bool> {
        Ok(values::is_text(path) && self.totals.has_long_texts(self.database, path)?)
    }

    /// Returns the units of reading the contents of the set's resources, or of all resources, for as many passes. Adds
    /// up the contents of a set only if the budget does not allow to read those of all resources.
    pub(crate) fn contents(&self, reading: Reading, set: Option<&PushSet<'_>>, passes: u64) -> Result<u64> {
        if reading == Reading::default() {
            return Ok(0);
        }
        let units = |contents| passes.saturating_mul(reading.units(contents));
        let bound = units(Contents::of_bytes(self.database.bytes()?));
        if bound <= self.left.get() / NEGLIGIBLE {
            return Ok(bound);
        }
        let is_low = |bound| units(bound) <= self.left.get() / LOW;
        let all = units(self.totals.contents(self.database, is_low)?);
        let Some(set) = set.filter(|_| all > self.left.get()) else { return Ok(all) };
        let mut sql = Sql::new("SELECT ");
        sql.push(Contents::COLUMNS).push(" FROM resource r WHERE ");
        set(&mut sql);
        Ok(units(sql.first(self.database, Contents::read)?.unwrap_or_default()))
    }

    /// Returns whether the budget allows to read the contents of the set's resources.
    pub(crate) fn allows(&self, reading: Reading, set: &PushSet<'_>) -> Result<bool> {
        // The size of the database spares the sums in small projects.
        Ok(reading.units(Contents::of_bytes(self.database.bytes()?)) <= self.left.get()
            || self.contents(reading, Some(set), 1)? <= self.left.get())
    }

    /// Returns the units of reading the contents of a resource, on average.
    pub(crate) fn average(&self, reading: Reading) -> Result<u64> {
        let all = self.contents(reading, None, 1)?;
        if all == 0 {
            return Ok(0);
        }
        Ok(all.div_ceil(u64::try_from(self.size()?).unwrap_or(0).max(1)))
    }

    /// Returns how many of the first resources, or of the last, fit into the rest of the budget.
    pub(crate) fn resources(&self, units: u64, reading: Reading, descending: bool) -> Result<i64> {
        let max = self.rows(units);
        if self.contents(reading, None, 1)? <= self.left.get() / NEGLIGIBLE {
            return Ok(max);
        }
        let mut sql = Sql::new(
            "SELECT count(*) FROM (SELECT sum(units) OVER (ROWS UNBOUNDED PRECEDING) AS spent FROM (SELECT ",
        );
        sql.push("octet_length(entries)/1024*").integer(reading.kib as i64);
        sql.push("+items*").integer(reading.item as i64);
        sql.push("+").integer(units as i64).push(" AS units FROM resource ORDER BY seq");
        sql.push(if descending { " DESC LIMIT " } else { " LIMIT " }).integer(max);
        sql.push(")) WHERE spent<=").integer(self.left.get() as i64);
        // The scan ends after the next resource.
        Ok(sql.first_integer(self.database)?.unwrap_or(0) - 1)
    }

    /// Returns how many rows of `units` units each fit into the rest of the budget.
    pub(crate) fn rows(&self, units: u64) -> i64 {
        i64::try_from(self.left.get() / units.max(1)).unwrap_or(i64::MAX)
    }

    pub(crate) fn fits(&self, rows: i64, units: u64) -> bool {
        rows <= self.rows(units)
    }

    /// Subtracts the units of the rows from the budget. Returns whether they fit.
    pub(crate) fn spend(&self, rows: i64, units: u64) -> bool {
        let spent = u64::try_from(rows).unwrap_or(0).saturating_mul(units);
        let left = self.left.get().checked_sub(spent);
        self.left.set(left.unwrap_or(0));
        left.is_some()
    }
}

/// The units of what a row's tests and keys read besides columns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Reading {
    /// For a KiB of the row's entries.
    kib: u64,
    item: u64,
}

impl Reading {
    pub(crate) fn of_keys<'k>(keys: impl Iterator<Item = &'k FieldPath> + Clone) -> Self {
        let units = if keys.clone().any(values::is_text) { work::SORTED } else { work::ENTRIES };
        let mut keys = keys;
        let reads = keys.any(|key| values::column(key).is_none());
        Self { kib: if reads { units } else { 0 }, item: 0 }
    }

    pub(crate) fn of_field(path: &FieldPath) -> Self {
        Self { kib: if values::column(path).is_none() { work::ENTRIES } else { 0 }, item: 0 }
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self { kib: self.kib + other.kib, item: self.item + other.item }
    }

    pub(crate) fn units(self, contents: Contents) -> u64 {
        contents.kib.saturating_mul(self.kib) + contents.items.saturating_mul(self.item)
    }
}

/// Returns the error of a call that exceeds its budget. The reason names what to narrow.
pub(crate) fn too_much(parameter: &str, reason: &str) -> ApiError {
    let sentence = format!("this is too much work for one call: {reason}");
    Refusal::new(Reason::Work, sentence).of(parameter).into()
}

#[derive(Debug, Default)]
pub(crate) struct Tests {
    /// Values that are looked up in the index, and the cursors for the look-ups.
    seeks: u64,
    cursors: u64,
    /// Passes over all values of a field.
    lists: u64,
    /// Reads of an expression of the row, and the expressions: the number of each field, and which value.
    reads: u64,
    expressions: Vec<(u16, Option<Edge>)>,
    /// Reads of a text of the row, which may be long.
    texts: u64,
    circles: u64,
    /// Whether a test reads all values of a field.
    entries: bool,
    /// The units of the tests of an item.
    item: u64,
    others: u64,
    /// Whether the condition is so deep that SQLite accepts nothing around it.
    deep: bool,
}

impl Tests {
    /// The maximum number of cursors that each row opens. If there are more, sets replace them if the sets are small
    /// enough.
    const CURSORS: u64 = 16;
    /// From this number of reads on, it pays to compute an expression once.
    const AGAIN: u64 = 4;
    /// The deepest condition whose expressions are computed once.
    const HEIGHT: u32 = 32;

    /// Returns whether there are so many look-ups that sets may be faster.
    pub(crate) fn has_many_seeks(&self) -> bool {
        self.cursors + self.lists > Self::CURSORS
    }

    /// Returns whether each expression of the row is computed once. A circle reads several expressions, and each more
    /// than once.
    pub(crate) fn is_read_once(&self) -> bool {
        let again = self.reads >= self.expressions.len() as u64 + Self::AGAIN;
        !self.deep && (again || self.circles > 0)
    }

    /// Returns the cost of the tests per row.
    pub(crate) fn units(&self, sets: bool) -> u64 {
        let lookups = if sets {
            work::SET * (self.cursors + self.lists)
        } else {
            // SQLite opens a cursor by walking over all open cursors.
            work::SEEK * self.seeks + self.cursors * self.cursors + work::LIST * self.lists
        };
        let reads = if self.is_read_once() {
            let place = if self.circles > 0 { work::PLACE } else { 0 };
            work::EDGE * self.expressions.len() as u64
                + work::COLUMN * self.reads
                + place
                + work::CIRCLE * self.circles
        } else {
            work::EDGE * self.reads + (work::PLACE + work::CIRCLE) * self.circles
        };
        lookups + reads + self.others
    }

    /// Returns the units of what the tests read besides columns.
    pub(crate) fn reading(&self) -> Reading {
        let entries = self.entries || self.lists + self.reads + self.circles > 0;
        let again = if self.is_read_once() { work::AGAIN } else { work::ENTRIES };
        let kib = if entries { work::ENTRIES + again * self.texts.saturating_sub(1) } else { 0 };
        Reading { kib, item: self.item }
    }

    /// No tests, around which facets nest further selects, so that no expression is computed once.
    pub(crate) fn nested() -> Self {
        Self { deep: true, ..Self::default() }
    }

    pub(crate) fn of(condition: &Typed) -> Self {
        let mut tests = Self { deep: depth::height(condition) > Self::HEIGHT, ..Self::default() };
        tests.add(condition);
        tests
    }

    pub(crate) fn add(&mut self, condition: &Typed) {
        match condition {
            Typed::True | Typed::False => {}
            Typed::And(parts) | Typed::Or(parts) => parts.iter().for_each(|part| self.add(part)),
            Typed::Not(inner) => self.add(inner),
            Typed::Element { path, condition } => {
                let mut tests = 0;
                walk::visit(condition, true, &mut |_, _, _| tests += 1);
                self.add_items(tests.max(1));
                if !path.by_value {
                    // Of a declared resource, each test reads the values of the item.
                    self.item += work::EDGE * tests;
                }
            }
            Typed::Test { path, test } if !path.by_value && self.add_unindexed(test) => {}
            Typed::Test { path, test } => self.add_test(path, test),
        }
    }

    fn add_items(&mut self, tests: u64) {
        self.others += work::ITEMS;
        self.item += work::ITEM + work::COLUMN * tests;
        self.entries = true;
    }

    fn add_test(&mut self, path: &FieldPath, test: &Test) {
        match (values::column(path), test) {
            (_, Test::WithinCircle { .. }) => self.circles += 1,
            (_, Test::ContainsItems(items)) => self.add_items(width(items)),
            (Some(_), Test::Between(intervals)) => self.others += work::COLUMN * intervals.len() as u64,
            (None, Test::Between(intervals)) => {
                let count = intervals.len() as u64;
                self.entries = true;
                self.others +=
                    if path.array { work::LIST + 2 * work::COLUMN * count } else { work::EDGE * count };
            }
            (column, Test::MatchesIgnoreCase(_)) => {
                self.seek(1);
                if column.is_some() {
                    self.others += work::COLUMN;
                } else {
                    self.seek(1);
                }
            }
            (Some(_), Test::In(_) | Test::NotIn(_)) => self.others += work::COLUMN_LIST,
            (Some(_), _) => self.others += work::COLUMN,
            (None, Test::Compare(Comparison::Eq | Comparison::Ne, _)) => self.seek(1),
            (None, Test::Compare(comparison, _)) => {
                self.read(path, Some(condition::edge_of(*comparison)));
            }
            (None, Test::In(values) | Test::NotIn(values) | Test::ContainsAny(values)) => {
                self.any_of(values.len());
            }
            (None, Test::ContainsAll(values)) if values.len() <= SEEKS => {
                for _ in values {
                    self.seek(1);
                }
            }
            (None, Test::ContainsAll(values)) => {
                self.others += 10 * work::LIST + work::SEEK * values.len() as u64;
            }
            (None, Test::IsEmpty | Test::IsNotEmpty | Test::IsDefined | Test::IsNotDefined) => {
                self.read(path, None);
            }
        }
    }

    /// Adds a test of equality that reads the values of the resource, because the index does not find it by them.
    /// Returns whether it is one.
    fn add_unindexed(&mut self, test: &Test) -> bool {
        self.lists += match test {
            Test::Compare(Comparison::Eq | Comparison::Ne, _)
            | Test::In(_)
            | Test::NotIn(_)
            | Test::ContainsAny(_) => 1,
            // It reads the folded texts, too.
            Test::MatchesIgnoreCase(_) => 2,
            Test::ContainsAll(values) => values.len() as u64,
            _ => return false,
        };
        true
    }

    fn any_of(&mut self, values: usize) {
        if values <= SEEKS { self.seek(values as u64) } else { self.lists += 1 }
    }

    fn seek(&mut self, values: u64) {
        self.seeks += values;
        self.cursors += 1;
    }

    /// Adds a read of a value of the field, or of its presence.
    fn read(&mut self, path: &FieldPath, edge: Option<Edge>) {
        self.reads += 1;
        self.texts += u64::from(edge.is_some() && values::is_text(path));
        if !self.expressions.contains(&(path.number, edge)) {
            self.expressions.push((path.number, edge));
        }
    }
}

/// Returns how many members of each item are compared: those of the largest, and two at least.
fn width(items: &[String]) -> u64 {
    items.iter().map(|item| canonical::members(item).count()).fold(2, usize::max) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Shape, System};
    use crate::test;

    fn custom() -> FieldPath {
        Shape::built_in().field_of(None, "custom").and_then(|field| field.path).unwrap()
    }

    #[test]
    fn an_expression_that_is_read_often_costs_once() {
        let units = |mut tests: Tests, reads: u64| {
            (0..reads).for_each(|_| tests.read(&custom(), Some(Edge::Smallest)));
            tests.units(false)
        };
        assert_eq!(units(Tests::default(), 4), 4 * work::EDGE);
        assert_eq!(units(Tests::default(), 5), work::EDGE + 5 * work::COLUMN);
        assert_eq!(units(Tests::nested(), 5), 5 * work::EDGE);
        let circle = Tests { circles: 1, ..Tests::default() };
        assert_eq!(units(circle, 0), work::PLACE + work::CIRCLE);
    }

    #[test]
    fn only_fields_without_a_column_read_contents() {
        let version = FieldPath::of_system(System::Version);
        assert_eq!(Reading::of_field(&version), Reading::default());
        assert_eq!(Reading::of_keys([&version].into_iter()), Reading::default());
        assert_eq!(Reading::of_field(&custom()), Reading { kib: work::ENTRIES, item: 0 });
    }

    #[cfg(not(target_arch = "wasm32"))]
    #[test]
    fn no_contents_cost_nothing() {
        use crate::project::store::tables;
        use std::rc::Rc;

        let (database, totals) = (crate::sqlite::Sqlite::new(), Totals::default());
        let (_, fields) = tables::migrate(&database, &Rc::new(Shape::built_in())).unwrap();
        let work = Work::new(&fields, &database, &totals, 1_000);
        assert_eq!(work.contents(Reading::default(), None, 1).unwrap(), 0);
    }
}
