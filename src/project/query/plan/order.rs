//! Which resources a page has, and in which order: from a candidate set if a small one exists, else by an ordered scan
//! (D27).
//!
//! An array sorts by its smallest item ascending and by its largest item descending. Absent values are last. Ties are
//! in the order of creation. `seq` rises with creation.

use crate::contract::error::ApiError;
use crate::contract::limits::work;
use crate::contract::param::ParamId;
use crate::shape::{FieldPath, Sort, System};

use super::candidates::{Candidate, Constraints, Guess, SELECTIVE_ROWS};
use super::sets::is_indexed;
use super::walk;
use crate::project::failure::Failure;
use crate::project::query::budget::{Reading, Work, too_much};
use crate::project::query::sql::builder::Sql;
use crate::project::store::database::{Database, Result};
use crate::project::store::index::values;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Window<'q> {
    /// The order, most significant key first; if empty, by creation.
    pub(crate) sort: &'q [Sort],
    pub(crate) limit: u32,
    pub(crate) offset: u32,
    pub(crate) with_total: bool,
}

/// The longest condition in bytes for an ordered scan along an index of values. The platform's limit for a statement is
/// 100,000, and the scan repeats the condition up to six times.
const WALK_BYTES: usize = 15_000;

/// The access path: how a query finds the numbers of its page.
#[derive(Debug)]
pub(crate) enum AccessPath<'q> {
    /// Along the index of the only value in the query.
    Direct(Candidate<'q>, bool),
    Set(Candidate<'q>),
    /// From the only candidate set, unless the statement finds that it is too large.
    Guess(Candidate<'q>, i64),
    /// From the words of a search, best matches first.
    Relevance(&'q str),
    /// Along a column without NULLs or ties.
    Column(&'static str, bool),
    /// Along a column, over at most this many rows.
    Bounded(bool, i64),
    /// Along the index of the first key's values.
    Values(&'q Sort),
    /// Along the index of the first key's values for this many results, then the resources without a value.
    Completed(&'q Sort, i64),
    Sorted,
}

impl<'q> AccessPath<'q> {
    /// Returns the set that the query reads.
    pub(crate) fn set(&self) -> Option<&Candidate<'q>> {
        match self {
            Self::Direct(set, _) | Self::Set(set) | Self::Guess(set, _) => Some(set),
            _ => None,
        }
    }
}

#[derive(Debug)]
pub(crate) enum Total<'q> {
    Unasked,
    Known(i64),
    /// A column of the numbers: missing if the page is empty.
    Window,
    Of(Candidate<'q>),
    Counted,
}

#[derive(Debug)]
pub(crate) struct Plan<'q> {
    pub(crate) constraints: Constraints<'q>,
    pub(crate) window: Window<'q>,
    pub(crate) keys: Vec<&'q Sort>,
    pub(crate) access: AccessPath<'q>,
    pub(crate) total: Total<'q>,
    /// Whether an index narrows the query.
    pub(crate) by_index: bool,
}

/// Returns the plan of the page. Returns an error if the plan would exceed the budget.
pub(crate) fn plan<'q, D: Database>(
    work: &Work<'_, D>,
    constraints: Constraints<'q>,
    window: Window<'q>,
    guess: Guess,
) -> Result<Plan<'q>, Failure> {
    check_sets(work, &constraints)?;
    let keys = significant(window.sort);
    let planner = Planner { work, constraints: &constraints, keys: &keys, window };
    let max = work.rows(planner.sorting());
    let exact = constraints.exact();
    let direct = exact.clone().filter(Candidate::is_in_order).zip(by_creation(&keys));
    let only = if guess == Guess::Allowed { constraints.only() } else { None };
    let access = match (direct, only) {
        (Some((set, descending)), _) => AccessPath::Direct(set, descending),
        (None, Some(only)) => AccessPath::Guess(only, SELECTIVE_ROWS.min(max)),
        (None, None) => match constraints.choose_set(work.database, guess, max)? {
            Some(set) => AccessPath::Set(set),
            None => match constraints.ranges_of_long_arrays(work)? {
                Some((set, rows)) if rows.spend(work) => AccessPath::Set(set),
                Some(_) => return Err(too_wide(&constraints, work.size()?).into()),
                None => planner.scan()?,
            },
        },
    };
    planner.check_contents(&access)?;
    let everything = constraints.is_everything();
    let total = match (&access, exact) {
        _ if !window.with_total => Total::Unasked,
        _ if everything => Total::Known(work.size()?),
        (AccessPath::Guess(..) | AccessPath::Set(_), _) => Total::Window,
        (_, Some(set)) => match set.long_arrays(work)? {
            None => Total::Of(set),
            // These read each resource, which is faster.
            Some(_) if matches!(access, AccessPath::Values(_)) => Total::Counted,
            Some(_) if matches!(access, AccessPath::Column(..) | AccessPath::Sorted) => Total::Window,
            Some(rows) if rows.spend(work) => Total::Of(set),
            Some(_) => return Err(too_wide_to_count(&constraints).into()),
        },
        (AccessPath::Bounded(..), None) => return Err(too_wide_to_count(&constraints).into()),
        (AccessPath::Values(_), _) => Total::Counted,
        _ => Total::Window,
    };
    let by_index = everything || access.set().is_some();
    Ok(Plan { constraints, window, keys, access, total, by_index })
}

/// Returns the plan that finds whether there is a result, in the order of creation.
pub(crate) fn of_one<'q, D: Database>(
    work: &Work<'_, D>,
    constraints: Constraints<'q>,
) -> Result<Plan<'q>, Failure> {
    let window = Window { sort: &[], limit: 1, offset: 0, with_total: false };
    let planner = Planner { work, constraints: &constraints, keys: &[], window };
    // A wrong guess could not be distinguished from an empty result.
    let set = constraints.choose_set(work.database, Guess::Allowed, work.rows(constraints.units()))?;
    let access = set.map_or_else(|| planner.scan(), |set| Ok(AccessPath::Set(set)))?;
    planner.check_contents(&access)?;
    let by_index = matches!(access, AccessPath::Set(_));
    Ok(Plan { constraints, window, keys: Vec::new(), access, total: Total::Unasked, by_index })
}

/// Returns an error if the budget does not allow to build the sets of the tests.
pub(crate) fn check_sets<D: Database>(
    work: &Work<'_, D>,
    constraints: &Constraints<'_>,
) -> Result<(), Failure> {
    match constraints.set_units(work)? {
        Some(units) if work.spend(1, units) => Ok(()),
        _ => Err(too_wide(constraints, work.size()?).into()),
    }
}

/// What the access path of a page depends on.
struct Planner<'p, 'q, D> {
    work: &'p Work<'p, D>,
    constraints: &'p Constraints<'q>,
    keys: &'p [&'q Sort],
    window: Window<'q>,
}

impl<'q, D: Database> Planner<'_, 'q, D> {
    /// Returns the cost of a row that is tested and sorted.
    fn sorting(&self) -> u64 {
        self.constraints.units() + work::KEY * self.keys.len() as u64
    }

    /// Returns an error if the budget does not allow to read what the tests and the keys read of the set's resources.
    fn check_contents(&self, access: &AccessPath<'_>) -> Result<(), Failure> {
        let Some(found) = access.set() else { return Ok(()) };
        let reading = self.constraints.reading(Some(found)).and(of_keys(self.keys));
        if self.work.allows(reading, &|sql| found.set.push(sql))? {
            return Ok(());
        }
        Err(too_wide(self.constraints, self.work.size()?).into())
    }

    /// Chooses the access path if no set is small: a scan of the collection; if that exceeds the budget, the smallest
    /// set that does not; else, if the page is in the order of creation, a scan as far as the budget allows.
    fn scan(&self) -> Result<AccessPath<'q>, Failure> {
        let Self { work, constraints, keys, .. } = *self;
        let size = work.size()?;
        if let Some(access) = self.walk(size)? {
            return Ok(access);
        }
        let units = self.sorting();
        // The exact matches of an index are sorted whatever their number, unless the keys alone exceed the budget.
        let exact = constraints.exact().filter(|_| units <= work::BUDGET / work::RESOURCES);
        let set = match exact {
            Some(exact) => match exact.long_arrays(work)? {
                Some(rows) if !rows.spend(work) => None,
                _ => Some(exact),
            },
            None => constraints.smallest_of(work.database, work.rows(units))?,
        };
        match (set, by_creation(keys)) {
            (Some(set), _) => Ok(AccessPath::Set(set)),
            (None, Some(descending)) => {
                let rows = work.resources(constraints.units(), constraints.reading(None), descending)?;
                if rows < 0 {
                    Err(too_wide(constraints, size).into())
                } else {
                    Ok(AccessPath::Bounded(descending, rows))
                }
            }
            (None, None) => Err(too_wide(constraints, size).into()),
        }
    }

    /// Chooses an ordered scan; `None` if it could exceed the budget.
    fn walk(&self, size: i64) -> Result<Option<AccessPath<'q>>> {
        let Self { work, constraints, keys, window } = *self;
        let row = constraints.units() + work.average(constraints.reading(None))?;
        let sorting = work::KEY * keys.len() as u64 + work.average(of_keys(keys))?;
        let everything = constraints.is_everything();
        let along = |column, descending| {
            let fits = everything || work.fits(size, row);
            Ok(fits.then_some(AccessPath::Column(column, descending)))
        };
        let Some(first) = keys.first() else { return along("seq", false) };
        if let Some(column) = values::column(&first.path).filter(|_| is_unique(&first.path)) {
            return along(column, first.descending);
        }
        let mut sql = Sql::new("");
        constraints.push(&mut sql, None);
        // A scan along an index of values reads the collection once or twice in the order of the values: if few
        // resources satisfy the condition, it ends without a full page, and then all matches are sorted.
        let passes = 2 * (row + work::LOOKUP) + u64::from(window.with_total) * row;
        let walks = (everything && keys.len() == 1) || work.fits(size, passes + sorting);
        // A page with room for all resources needs no scan.
        let page = i64::from(window.limit + window.offset);
        // The keys of long texts are not in the order of the texts.
        if walks
            && is_indexed(&first.path)
            && sql.length() <= WALK_BYTES
            && size > page
            && !work.has_long_texts(&first.path)?
        {
            return Ok(Some(AccessPath::Values(first)));
        }
        Ok(work.fits(size, row + sorting).then_some(AccessPath::Sorted))
    }
}

/// Returns the plan of a page with the best matches first, and ties in the order of creation.
pub(crate) fn by_relevance<'q>(constraints: Constraints<'q>, words: &'q str, window: Window<'q>) -> Plan<'q> {
    let access = AccessPath::Relevance(words);
    Plan { constraints, window, keys: Vec::new(), access, total: Total::Window, by_index: true }
}

/// Returns whether the keys mean the order of creation; if so, whether the latest is first.
fn by_creation(keys: &[&Sort]) -> Option<bool> {
    match keys.first() {
        None => Some(false),
        Some(key) => key.path.is(System::CreatedAt).then_some(key.descending),
    }
}

/// Returns the error of a total that would exceed the budget.
fn too_wide_to_count(constraints: &Constraints<'_>) -> ApiError {
    if constraints.condition.is_none() {
        return too_much("filter", &reason(constraints));
    }
    too_much(ParamId::WithTotal.name(), &format!("{}, or send withTotal=false", reason(constraints)))
}

impl Plan<'_> {
    /// Returns an error if a page with `count` results is not full and the scan budget ended before all resources were
    /// examined.
    pub(crate) fn check_finished<D: Database>(&self, work: &Work<'_, D>, count: i64) -> Result<(), Failure> {
        match self.access {
            AccessPath::Bounded(_, rows) if count < i64::from(self.window.limit) => {
                let size = work.size()?;
                if rows < size { Err(too_wide(&self.constraints, size).into()) } else { Ok(()) }
            }
            _ => Ok(()),
        }
    }

    /// Adds the resources without a value of the first key, if the page has room after those that have one. Returns
    /// whether it has.
    pub(crate) fn complete(&mut self, count: i64) -> bool {
        match self.access {
            AccessPath::Values(first) if count < i64::from(self.window.limit) => {
                // If few resources satisfy the condition, sorting them reads each resource once.
                if self.constraints.is_everything() {
                    self.access = AccessPath::Completed(first, count);
                    return true;
                }
                self.access = AccessPath::Sorted;
                if let Total::Counted = self.total {
                    self.total = Total::Window;
                }
                true
            }
            _ => false,
        }
    }
}

/// Returns the error of a query that no index supports in a collection of this size.
fn too_wide(constraints: &Constraints<'_>, size: i64) -> ApiError {
    if constraints.is_everything() {
        let reason = format!(
            "no index supports this sort order for {size} resources; add a condition that few resources satisfy, or \
             sort by fewer or other fields"
        );
        return too_much(ParamId::Sort.name(), &reason);
    }
    let parameter = if constraints.condition.is_some() { ParamId::Where } else { ParamId::Filter };
    too_much(parameter.name(), &reason(constraints))
}

fn reason(constraints: &Constraints<'_>) -> String {
    let mut fields = Vec::new();
    constraints.parts().for_each(|part| walk::add_fields(part, &mut fields));
    format!(
        "the indexes on {} do not narrow the result enough; add a condition that few resources satisfy, such as = or \
         contains any with a rarer value, or send fewer conditions",
        fields.join(", ")
    )
}

/// Returns the keys up to the first that leaves no ties, without duplicates.
fn significant(sort: &[Sort]) -> Vec<&Sort> {
    let mut keys: Vec<&Sort> = Vec::new();
    for key in sort {
        if !keys.contains(&key) {
            keys.push(key);
        }
        if is_unique(&key.path) {
            break;
        }
    }
    keys
}

/// Returns whether every resource has a value of the field, and no two have the same.
fn is_unique(path: &FieldPath) -> bool {
    [System::Id, System::CreatedAt, System::LastModifiedAt].into_iter().any(|field| path.is(field))
}

fn of_keys(keys: &[&Sort]) -> Reading {
    Reading::of_keys(keys.iter().map(|key| &key.path))
}
