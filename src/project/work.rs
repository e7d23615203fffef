//! The work of a call, counted before it is done or while it is done (D29). `contract::limits` has the budget and the costs.

use std::cell::Cell;

use crate::contract::error::{ApiError, Code};
use crate::contract::limits::work;
use crate::contract::reason::Reason;
use crate::predicate::{Comparison, Test, Typed};
use crate::search::{Filter, FilterTest};

use super::condition::{self, SEEKS};
use super::database::{Database, StoreError};
use super::records::Size;
use super::terms;

/// What is left of a call's budget, and the size of its collection.
#[derive(Debug)]
pub(super) struct Work<'a> {
    size: &'a Size,
    left: Cell<u64>,
}

impl<'a> Work<'a> {
    /// A call's budget in units.
    pub(super) fn new(size: &'a Size, budget: u64) -> Self {
        Self { size, left: Cell::new(budget) }
    }

    /// How many resources the project has.
    pub(super) fn size<D: Database>(&self, database: &D) -> Result<i64, StoreError> {
        self.size.get(database)
    }

    /// How many rows of so many units are left in the budget.
    pub(super) fn rows(&self, units: u64) -> i64 {
        i64::try_from(self.left.get() / units.max(1)).unwrap_or(i64::MAX)
    }

    /// Whether so many rows of so many units fit.
    pub(super) fn fits(&self, rows: i64, units: u64) -> bool {
        rows <= self.rows(units)
    }

    /// Takes the units of the rows from the budget. Returns whether they fit.
    pub(super) fn spend(&self, rows: i64, units: u64) -> bool {
        let spent = u64::try_from(rows).unwrap_or(0).saturating_mul(units);
        let left = self.left.get().checked_sub(spent);
        self.left.set(left.unwrap_or(0));
        left.is_some()
    }
}

/// The error of a call that exceeds its budget; the reason says what to narrow.
pub(super) fn too_much(parameter: &str, reason: &str) -> ApiError {
    ApiError::parameter(
        Code::InvalidInput,
        parameter,
        &format!("this is too much work for one call: {reason}"),
    )
    .because(Reason::Work)
}

/// What a row costs with tests of so many units. SQLite finds a value of the statement by counting from its first, so the
/// tests of a long condition cost more each.
pub(super) fn of_row(tests: u64) -> u64 {
    let values = tests / work::SEEK;
    work::ROW + tests + values * values
}

/// What a condition costs for a row.
pub(super) fn of_condition(condition: &Typed) -> u64 {
    match condition {
        Typed::True | Typed::False => 0,
        Typed::And(parts) | Typed::Or(parts) => parts.iter().map(of_condition).sum(),
        Typed::Not(inner) => of_condition(inner),
        Typed::Element { condition, .. } => work::ITEMS + work::ITEM * tests(condition),
        Typed::Test { path, test } => match (condition::column(*path), test) {
            (_, Test::WithinCircle { .. }) => work::CIRCLE,
            (_, Test::ContainsItems(_)) => 2 * work::ITEMS,
            (_, Test::MatchesIgnoreCase(_)) => 2 * work::SEEK,
            (Some(_), _) => work::COLUMN,
            (None, Test::Compare(Comparison::Eq | Comparison::Ne, _)) => work::SEEK,
            (None, Test::In(values) | Test::NotIn(values) | Test::ContainsAny(values)) => {
                any_of(values.len())
            }
            (None, Test::ContainsAll(values)) if values.len() <= SEEKS => work::SEEK * values.len() as u64,
            (None, Test::ContainsAll(values)) => 10 * work::LIST + work::SEEK * values.len() as u64,
            (None, _) => work::EDGE,
        },
    }
}

fn any_of(values: usize) -> u64 {
    if values <= SEEKS { work::SEEK * values as u64 } else { work::LIST }
}

fn tests(condition: &Typed) -> u64 {
    match condition {
        Typed::And(parts) | Typed::Or(parts) => parts.iter().map(tests).sum(),
        Typed::Not(inner) => tests(inner),
        Typed::Element { condition, .. } => tests(condition),
        Typed::True | Typed::False | Typed::Test { .. } => 1,
    }
}

/// What a filter costs for a row.
pub(super) fn of_filter(filter: &Filter) -> u64 {
    match (&filter.test, condition::column(filter.path)) {
        (FilterTest::Ranges(ranges), Some(_)) => work::COLUMN * ranges.len() as u64,
        (FilterTest::Ranges(ranges), None) => {
            let each = if terms::is_array(filter.path) { work::LIST } else { work::EDGE };
            each * ranges.len() as u64
        }
        (_, Some(_)) => work::COLUMN,
        (FilterTest::Values(values), None) => any_of(values.len()),
        (FilterTest::Exists | FilterTest::Missing, None) => work::EDGE,
    }
}
