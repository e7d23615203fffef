//! The work of a call, counted before or during the call (D29). `contract::limits` has the budget and the costs.

use std::cell::Cell;

use crate::contract::error::{ApiError, Code};
use crate::contract::field::FieldPath;
use crate::contract::limits::work;
use crate::contract::reason::Reason;
use crate::predicate::{Comparison, Test, Typed};

use super::condition::{self, Edge, SEEKS};
use super::database::{Database, StoreError};
use super::records::Size;
use super::terms;
use super::tree;

/// The rest of a call's budget, and the size of its collection.
#[derive(Debug)]
pub(super) struct Work<'a> {
    size: &'a Size,
    left: Cell<u64>,
}

impl<'a> Work<'a> {
    /// Creates a call's budget in units.
    pub(super) fn new(size: &'a Size, budget: u64) -> Self {
        Self { size, left: Cell::new(budget) }
    }

    /// Returns how many resources the project has.
    pub(super) fn size<D: Database>(&self, database: &D) -> Result<i64, StoreError> {
        self.size.get(database)
    }

    /// Returns how many rows of `units` units each fit into the rest of the budget.
    pub(super) fn rows(&self, units: u64) -> i64 {
        i64::try_from(self.left.get() / units.max(1)).unwrap_or(i64::MAX)
    }

    /// Returns whether `rows` rows of `units` units each fit.
    pub(super) fn fits(&self, rows: i64, units: u64) -> bool {
        rows <= self.rows(units)
    }

    /// Subtracts the units of the rows from the budget. Returns whether they fit.
    pub(super) fn spend(&self, rows: i64, units: u64) -> bool {
        let spent = u64::try_from(rows).unwrap_or(0).saturating_mul(units);
        let left = self.left.get().checked_sub(spent);
        self.left.set(left.unwrap_or(0));
        left.is_some()
    }
}

/// Returns the error of a call that exceeds its budget. The reason names what to narrow.
pub(super) fn too_much(parameter: &str, reason: &str) -> ApiError {
    ApiError::parameter(
        Code::InvalidInput,
        parameter,
        &format!("this is too much work for one call: {reason}"),
    )
    .because(Reason::Work)
}

/// The tests of a row, by their cost.
#[derive(Debug, Default)]
pub(super) struct Tests {
    /// Values that are looked up in the index, and the cursors for the look-ups.
    seeks: u64,
    cursors: u64,
    /// Passes over all values of a field.
    lists: u64,
    /// Reads of an expression of the row, and the expressions.
    reads: u64,
    expressions: Vec<(FieldPath, EntriesRead)>,
    circles: u64,
    /// The units of all other tests.
    others: u64,
    /// Whether the condition is so deep that SQLite accepts nothing around it.
    deep: bool,
}

/// The part of a field of the row that a test reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EntriesRead {
    Edge(Edge),
    Presence,
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
    pub(super) fn has_many_seeks(&self) -> bool {
        self.cursors + self.lists > Self::CURSORS
    }

    /// Returns whether each expression of the row is computed once. A circle reads several expressions, and each more
    /// than once.
    pub(super) fn is_read_once(&self) -> bool {
        let again = self.reads >= self.expressions.len() as u64 + Self::AGAIN;
        !self.deep && (again || self.circles > 0)
    }

    /// Returns the cost of the tests per row.
    pub(super) fn units(&self, sets: bool) -> u64 {
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

    /// No tests, around which facets nest further selects, so that no expression is computed once.
    pub(super) fn nested() -> Self {
        Self { deep: true, ..Self::default() }
    }

    /// Returns the tests of a condition.
    pub(super) fn of(condition: &Typed) -> Self {
        let mut tests = Self { deep: tree::height(condition) > Self::HEIGHT, ..Self::default() };
        tests.add(condition);
        tests
    }

    /// Adds the tests of a condition.
    pub(super) fn add(&mut self, condition: &Typed) {
        match condition {
            Typed::True | Typed::False => {}
            Typed::And(parts) | Typed::Or(parts) => parts.iter().for_each(|part| self.add(part)),
            Typed::Not(inner) => self.add(inner),
            Typed::Element { condition, .. } => self.others += work::ITEMS + work::ITEM * count(condition),
            Typed::Test { path, test } => self.add_test(*path, test),
        }
    }

    #[expect(clippy::too_many_lines, reason = "a table: the cost of each test")]
    fn add_test(&mut self, path: FieldPath, test: &Test) {
        match (condition::column(path), test) {
            (_, Test::WithinCircle { .. }) => self.circles += 1,
            (_, Test::ContainsItems(_)) => self.others += 2 * work::ITEMS,
            (Some(_), Test::Between(intervals)) => self.others += work::COLUMN * intervals.len() as u64,
            (None, Test::Between(intervals)) => {
                let count = intervals.len() as u64;
                self.others += if terms::is_array(path) {
                    work::LIST + 2 * work::COLUMN * count
                } else {
                    work::EDGE * count
                };
            }
            (column, Test::MatchesIgnoreCase(_)) => {
                self.seek(1);
                if column.is_some() {
                    self.others += work::COLUMN;
                } else {
                    self.seek(1);
                }
            }
            (Some(_), _) => self.others += work::COLUMN,
            (None, Test::Compare(Comparison::Eq | Comparison::Ne, _)) => self.seek(1),
            (None, Test::Compare(comparison, _)) => {
                let edge = condition::edge_of(*comparison);
                self.read(path, EntriesRead::Edge(edge));
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
                self.read(path, EntriesRead::Presence);
            }
        }
    }

    fn any_of(&mut self, values: usize) {
        if values <= SEEKS { self.seek(values as u64) } else { self.lists += 1 }
    }

    fn seek(&mut self, values: u64) {
        self.seeks += values;
        self.cursors += 1;
    }

    fn read(&mut self, path: FieldPath, read: EntriesRead) {
        self.reads += 1;
        if !self.expressions.contains(&(path, read)) {
            self.expressions.push((path, read));
        }
    }
}

fn count(condition: &Typed) -> u64 {
    match condition {
        Typed::And(parts) | Typed::Or(parts) => parts.iter().map(count).sum(),
        Typed::Not(inner) => count(inner),
        Typed::Element { condition, .. } => count(condition),
        Typed::True | Typed::False | Typed::Test { .. } => 1,
    }
}
