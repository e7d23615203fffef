//! Which resources a page has, in which order: from a set of an index if that is small, else by a walk along an index in
//! the wanted order (D27).
//!
//! An array sorts by its smallest item ascending and its largest descending, absent values are last, ties are in the order
//! of creation. `seq` rises with creation.

use crate::contract::error::{ApiError, Code};
use crate::contract::field::{FieldPath, Sort};
use crate::contract::param::ParamId;
use crate::contract::schema::Slot;

use super::condition;
use super::database::{Database, StoreError};
use super::narrow::{Candidate, Narrow, SCAN_ROWS};
use super::records::Size;
use super::sql::Sql;

/// A page's place and order.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window<'q> {
    /// The order, most significant first; empty: by creation.
    pub(super) sort: &'q [Sort],
    /// The most results.
    pub(super) limit: u32,
    /// How many results to skip.
    pub(super) offset: u32,
}

/// The longest condition in bytes that walks along an index of values, of the platform's 100,000: it names the conditions
/// up to six times.
const WALK_BYTES: usize = 15_000;

/// How a query finds the numbers of its page.
#[derive(Debug)]
pub(super) enum Shape<'q> {
    /// Along the index of the only value that the query asks for.
    Direct(Candidate<'q>, bool),
    /// From a set, sorted.
    Set(Candidate<'q>),
    /// From the only set there is, unless the statement finds it too large.
    Guess(Candidate<'q>),
    /// From the words of a search, the best first.
    Relevance(&'q str),
    /// Along a column without NULLs or ties.
    Column(&'static str, bool),
    /// The same, over no more than the scan budget.
    Bounded(bool),
    /// Along the index of the first key's values.
    Values(Sort),
    /// The same, so many on the page, then what has no value.
    Completed(Sort, i64),
    /// Everything, sorted.
    Sorted,
}

/// How a page gets its total.
#[derive(Debug)]
pub(super) enum Total<'q> {
    Unasked,
    Known(i64),
    /// A column of the numbers: missing if the page is empty.
    Window,
    /// The size of a set.
    Of(Candidate<'q>),
    /// A separate count.
    Counted,
}

/// The plan of a page.
#[derive(Debug)]
pub(super) struct Plan<'q> {
    pub(super) narrow: Narrow<'q>,
    pub(super) window: Window<'q>,
    pub(super) keys: Vec<Sort>,
    pub(super) shape: Shape<'q>,
    pub(super) total: Total<'q>,
    /// Whether an index narrows it.
    pub(super) by_index: bool,
}

/// The plan of the page; `Err` inside if too many resources would have to be examined. `refused` says that a guess was wrong.
pub(super) fn plan<'q, D: Database>(
    database: &D,
    size: &Size,
    narrow: Narrow<'q>,
    window: Window<'q>,
    with_total: bool,
    refused: bool,
) -> Result<Result<Plan<'q>, ApiError>, StoreError> {
    let keys = significant(window.sort);
    let exact = narrow.exact();
    let direct = exact.clone().filter(Candidate::is_in_order).zip(by_creation(&keys));
    let only = if refused { None } else { narrow.only() };
    let shape = match (direct, only) {
        (Some((set, descending)), _) => Shape::Direct(set, descending),
        (None, Some(only)) => Shape::Guess(only),
        (None, None) => {
            let driver = match narrow.driver(database, refused)? {
                None => large(database, size, exact.clone())?,
                found => found,
            };
            let shape = match driver {
                Some(driver) => Some(Shape::Set(driver)),
                None => walk(&narrow, &keys, size.get(database)?, window),
            };
            let Some(shape) = shape else { return Ok(Err(too_wide(&narrow))) };
            shape
        }
    };
    let everything = narrow.is_everything();
    let total = match (&shape, exact) {
        _ if !with_total => Total::Unasked,
        _ if everything => Total::Known(size.get(database)?),
        (Shape::Guess(_), _) | (Shape::Set(_), None) => Total::Window,
        (_, Some(set)) => Total::Of(set),
        _ if size.get(database)? > SCAN_ROWS => return Ok(Err(too_wide_to_count())),
        (Shape::Values(_), _) => Total::Counted,
        _ => Total::Window,
    };
    let by_index = everything || matches!(shape, Shape::Direct(..) | Shape::Set(_) | Shape::Guess(_));
    Ok(Ok(Plan { narrow, window, keys, shape, total, by_index }))
}

/// The set that has exactly the results, if the collection passes the scan budget: what an index satisfies is not refused.
fn large<'q, D: Database>(
    database: &D,
    size: &Size,
    exact: Option<Candidate<'q>>,
) -> Result<Option<Candidate<'q>>, StoreError> {
    Ok(if exact.is_some() && size.get(database)? > SCAN_ROWS { exact } else { None })
}

/// The plan of a page without a total, in the order of creation, from the set or else by a walk.
pub(super) fn from_driver<'q, D: Database>(
    database: &D,
    size: &Size,
    narrow: Narrow<'q>,
    window: Window<'q>,
    driver: Option<Candidate<'q>>,
) -> Result<Result<Plan<'q>, ApiError>, StoreError> {
    let by_index = driver.is_some();
    let shape = match driver {
        Some(driver) => Shape::Set(driver),
        None => match walk(&narrow, &[], size.get(database)?, window) {
            Some(shape) => shape,
            None => return Ok(Err(too_wide(&narrow))),
        },
    };
    Ok(Ok(Plan { narrow, window, keys: Vec::new(), shape, total: Total::Unasked, by_index }))
}

/// The plan of a page with the best matches first; ties in the order of creation.
pub(super) fn by_relevance<'q>(narrow: Narrow<'q>, words: &'q str, window: Window<'q>) -> Plan<'q> {
    let shape = Shape::Relevance(words);
    Plan { narrow, window, keys: Vec::new(), shape, total: Total::Window, by_index: true }
}

/// How to walk over the collection; `None` if that would pass the scan budget.
fn walk<'q>(narrow: &Narrow<'_>, keys: &[Sort], size: i64, window: Window<'_>) -> Option<Shape<'q>> {
    if size > SCAN_ROWS && !narrow.is_everything() {
        return by_creation(keys).map(Shape::Bounded);
    }
    let Some(first) = keys.first() else { return Some(Shape::Column("seq", false)) };
    match (condition::column(first.path), first.path.outer) {
        (_, Slot::Version) if size > SCAN_ROWS => None,
        (_, Slot::Version) => Some(Shape::Sorted),
        (Some(column), Slot::Id | Slot::CreatedAt | Slot::LastModifiedAt) => {
            Some(Shape::Column(column, first.descending))
        }
        _ => {
            let mut sql = Sql::new("");
            narrow.push(&mut sql, None);
            // A page that has room for everything needs no walk.
            let sorts = sql.length() > WALK_BYTES || size <= i64::from(window.limit + window.offset);
            Some(if sorts { Shape::Sorted } else { Shape::Values(*first) })
        }
    }
}

/// Whether the keys mean the order of creation, and if so, whether the latest is first.
fn by_creation(keys: &[Sort]) -> Option<bool> {
    match keys.first() {
        None => Some(false),
        Some(key) => (key.path == FieldPath::of(Slot::CreatedAt)).then_some(key.descending),
    }
}

/// The error of a total that would take a scan of too many resources.
fn too_wide_to_count() -> ApiError {
    let reason = format!(
        "no index narrows the result, and the project has more than the {SCAN_ROWS} resources that one query looks at; \
         pass withTotal=false"
    );
    ApiError::parameter(Code::InvalidInput, ParamId::WithTotal.name(), &reason)
}

impl Plan<'_> {
    /// Whether a page with so many results shows that the scan budget did not suffice.
    pub(super) fn check_full(&self, count: i64) -> Result<(), ApiError> {
        if matches!(self.shape, Shape::Bounded(_)) && count < i64::from(self.window.limit) {
            return Err(too_wide(&self.narrow));
        }
        Ok(())
    }

    /// Adds the resources without a value of the first key, if a page of those that have one has room. Returns whether it has.
    pub(super) fn complete(&mut self, count: i64) -> bool {
        match self.shape {
            Shape::Values(first) if count < i64::from(self.window.limit) => {
                self.shape = Shape::Completed(first, count);
                true
            }
            _ => false,
        }
    }
}

/// The error of a query that no index serves in a collection so large (architecture: scan budget).
fn too_wide(narrow: &Narrow<'_>) -> ApiError {
    if narrow.is_everything() {
        let reason = format!(
            "no index has this order, and the project has more than the {SCAN_ROWS} resources that one query looks at; add \
             a condition that few resources satisfy, or sort by another field"
        );
        return ApiError::parameter(Code::InvalidInput, ParamId::Sort.name(), &reason);
    }
    let part = narrow.condition.map(condition::fields).unwrap_or_default();
    let fields =
        if part.is_empty() { "its filters".to_owned() } else { format!("its tests of {}", part.join(", ")) };
    let parameter = if narrow.condition.is_some() { "where" } else { "filter" };
    ApiError::parameter(
        Code::InvalidInput,
        parameter,
        &format!(
            "no index narrows the result enough by {fields}, and the project has more than the {SCAN_ROWS} resources that \
             one query looks at; add a condition that few resources satisfy, such as = or contains any on a rarer value"
        ),
    )
}

/// The keys up to the first that leaves no ties, without repeated ones.
fn significant(sort: &[Sort]) -> Vec<Sort> {
    let mut keys: Vec<Sort> = Vec::new();
    for key in sort {
        if !keys.contains(key) {
            keys.push(*key);
        }
        if key.path.inner.is_none()
            && matches!(key.path.outer, Slot::Id | Slot::CreatedAt | Slot::LastModifiedAt)
        {
            break;
        }
    }
    keys
}
