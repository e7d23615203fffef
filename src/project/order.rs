//! Which resources a page has, in which order: from a set of an index if that is small, else by a walk along an index in
//! the wanted order (D27).
//!
//! An array sorts by its smallest item ascending and its largest descending, absent values are last, ties are in the order
//! of creation. `seq` rises with creation.

use crate::contract::error::{ApiError, Code};
use crate::contract::field::{FieldPath, Sort};
use crate::contract::param::ParamId;
use crate::contract::schema::Slot;

use super::condition::{self, Edge};
use super::database::{Database, StoreError};
use super::narrow::{Candidate, Narrow, SCAN_ROWS, SELECTIVE_ROWS};
use super::records::Size;
use super::sql::Sql;
use super::terms::{self, LARGEST, SMALLEST, Value};

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

/// The longest statement in bytes that walks along an index of values, of the platform's 100,000: it names the conditions
/// up to six times.
const WALK_BYTES: usize = 15_000;

/// How a query finds the numbers of its page.
#[derive(Debug)]
enum Shape<'q> {
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
enum Total<'q> {
    Unasked,
    Known(i64),
    /// A column of the numbers: missing if the page is empty.
    Window,
    /// The size of a set.
    Of(Candidate<'q>),
    /// A count of its own.
    Counted,
}

/// The plan of a page.
#[derive(Debug)]
pub(super) struct Plan<'q> {
    narrow: Narrow<'q>,
    window: Window<'q>,
    keys: Vec<Sort>,
    shape: Shape<'q>,
    total: Total<'q>,
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
        (None, None) => match narrow.driver(database, refused)? {
            Some(driver) => Shape::Set(driver),
            None => match walk(&narrow, &keys, size.get(database)?, window) {
                Some(shape) => shape,
                None => return Ok(Err(too_wide(&narrow))),
            },
        },
    };
    let everything = narrow.is_everything();
    let total = match (&shape, exact) {
        _ if !with_total => Total::Unasked,
        _ if everything => Total::Known(size.get(database)?),
        (Shape::Set(_) | Shape::Guess(_) | Shape::Relevance(_), _) => Total::Window,
        (_, Some(set)) => Total::Of(set),
        _ if size.get(database)? > SCAN_ROWS => return Ok(Err(too_wide_to_count())),
        (Shape::Values(_), _) => Total::Counted,
        _ => Total::Window,
    };
    let by_index = everything || matches!(shape, Shape::Direct(..) | Shape::Set(_) | Shape::Guess(_));
    Ok(Ok(Plan { narrow, window, keys, shape, total, by_index }))
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

    /// Whether the page has a total.
    pub(super) fn has_total(&self) -> bool {
        !matches!(self.total, Total::Unasked)
    }

    /// Appends the total: a value, or NULL if it is not asked for or only [`Self::push_count`] finds it. The table `m` has
    /// the numbers.
    pub(super) fn push_total(&self, sql: &mut Sql) {
        match &self.total {
            Total::Unasked => {
                sql.push("NULL");
            }
            Total::Known(total) => {
                sql.integer(*total);
            }
            Total::Window if self.window.offset == 0 => {
                sql.push("coalesce(max(m.total),0)");
            }
            Total::Window => {
                sql.push("max(m.total)");
            }
            Total::Of(_) | Total::Counted => self.push_count(sql),
        }
    }

    /// Whether the numbers have a column `total`.
    pub(super) fn has_window(&self) -> bool {
        matches!(self.total, Total::Window)
    }

    /// Appends a count of all results. What is counted is in FROM, where it adds nothing to the depth of an expression.
    pub(super) fn push_count(&self, sql: &mut Sql) {
        match (&self.total, &self.shape) {
            (Total::Of(set), _) => return set.push_count(sql),
            (Total::Known(total), _) => {
                sql.integer(*total);
                return;
            }
            (_, Shape::Relevance(words)) => {
                sql.push("(SELECT count(*) FROM (SELECT 1");
                self.push_words(sql, words);
            }
            (_, shape) => {
                sql.push("(SELECT count(*) FROM (SELECT 1 FROM resource r WHERE ");
                self.push_condition(sql, shape);
            }
        }
        sql.push("))");
    }

    /// Appends the condition of a select from `resource r`.
    fn push_condition(&self, sql: &mut Sql, shape: &Shape<'_>) {
        let set = match shape {
            Shape::Set(set) | Shape::Guess(set) | Shape::Direct(set, _) => Some(set),
            _ => None,
        };
        if let Shape::Guess(set) = shape {
            set.push_weight(sql, SELECTIVE_ROWS);
            sql.push("<=").integer(SELECTIVE_ROWS).push(" AND ");
        }
        match set {
            Some(set) => set.push(sql),
            None => {
                sql.push("1");
            }
        }
        self.narrow.push(sql, set);
    }

    /// Appends a select of a row for one result, if there is one.
    pub(super) fn push_one(&self, sql: &mut Sql) {
        sql.push("SELECT 1 FROM resource r WHERE ");
        self.push_condition(sql, &self.shape);
        if let Shape::Bounded(_) = self.shape {
            push_budget(sql, false);
        }
        sql.push(" LIMIT 1");
    }

    /// Appends whether an empty page is due to a set that turned out too large, as 1 or something else.
    pub(super) fn push_refused(&self, sql: &mut Sql) {
        match &self.shape {
            Shape::Guess(set) => {
                sql.push("CASE WHEN count=0 THEN ");
                set.push_weight(sql, SELECTIVE_ROWS);
                sql.push(">").integer(SELECTIVE_ROWS).push(" END");
            }
            _ => {
                sql.push("0");
            }
        }
    }

    /// Appends a select of `seq`, with `total` if a window counts it, in the order of the page.
    pub(super) fn push_numbers(&self, sql: &mut Sql) {
        match &self.shape {
            Shape::Values(first) => self.push_present_page(sql, *first),
            Shape::Completed(first, count) => return self.push_completed(sql, *first, *count),
            Shape::Direct(set, descending) => set.push_in_order(sql, *descending),
            Shape::Relevance(words) => {
                // FTS5 ranks only where it is the innermost table.
                sql.push("SELECT seq, count(*) OVER () AS total FROM (SELECT x.rowid AS seq, bm25(x.text) AS score");
                self.push_words(sql, words);
                sql.push(") ORDER BY score, seq");
            }
            shape => self.push_from_resource(sql, shape),
        }
        self.push_window(sql);
    }

    fn push_from_resource(&self, sql: &mut Sql, shape: &Shape<'_>) {
        sql.push("SELECT r.seq AS seq");
        sql.push(if self.has_window() { ", count(*) OVER () AS total" } else { "" });
        sql.push(" FROM resource r WHERE ");
        self.push_condition(sql, shape);
        let (column, descending) = match shape {
            Shape::Column(column, descending) => (*column, *descending),
            Shape::Bounded(descending) => {
                push_budget(sql, *descending);
                ("seq", *descending)
            }
            _ => {
                sql.push(" ORDER BY ");
                return push_keys(sql, &self.keys, From::Row);
            }
        };
        sql.push(" ORDER BY r.").push(column).push(if descending { " DESC" } else { "" });
    }

    /// ` FROM …` the resources with the words that satisfy the filters.
    fn push_words(&self, sql: &mut Sql, words: &str) {
        sql.push(" FROM text x");
        if !self.narrow.filters.is_empty() {
            sql.push(" CROSS JOIN resource r ON r.seq = x.rowid");
        }
        sql.push(" WHERE x.text MATCH ").value(Value::Text(words));
        self.narrow.push(sql, None);
    }

    fn push_window(&self, sql: &mut Sql) {
        sql.push(" LIMIT ").integer(i64::from(self.window.limit));
        if self.window.offset > 0 {
            sql.push(" OFFSET ").integer(i64::from(self.window.offset));
        }
    }

    /// Resources with a value in the order of the value, then those without in the order of creation.
    fn push_completed(&self, sql: &mut Sql, first: Sort, count: i64) {
        sql.push("SELECT seq FROM (");
        self.push_present_page(sql, first);
        self.push_window(sql);
        sql.push(") UNION ALL SELECT seq FROM (SELECT r.seq AS seq FROM resource r WHERE ");
        match condition::column(first.path) {
            Some(column) => sql.push("r.").push(column),
            None => sql.push("json_type(r.entries,'$.").path(first.path).push("')"),
        };
        sql.push(" IS NULL");
        self.narrow.push(sql, None);
        sql.push(" ORDER BY ");
        push_keys(sql, self.keys.get(1..).unwrap_or_default(), From::Row);
        sql.push(" LIMIT ").integer(i64::from(self.window.limit) - count);
        if count == 0 && self.window.offset > 0 {
            sql.push(" OFFSET max(0,").integer(i64::from(self.window.offset));
            sql.push("-(SELECT count(*) FROM (SELECT 1");
            self.push_present(sql, first, false);
            sql.push(")))");
        }
        sql.push(")");
    }

    fn push_present_page(&self, sql: &mut Sql, first: Sort) {
        let rest = self.keys.get(1..).unwrap_or_default();
        if first.descending {
            self.push_descending(sql, first, rest);
        } else {
            self.push_ascending(sql, first, rest);
        }
    }

    fn push_ascending(&self, sql: &mut Sql, first: Sort, rest: &[Sort]) {
        sql.push("SELECT ").push(seq_of(first)).push(" AS seq");
        self.push_present(sql, first, !rest.is_empty());
        sql.push(" ORDER BY ").push(&value_of(first)).push(", ");
        if rest.is_empty() {
            sql.push(seq_of(first));
        } else {
            push_keys(sql, rest, From::Row);
        }
    }

    /// The index gives ties in the order of creation, so walked backwards it would give them reversed, and sorting all
    /// ties could mean sorting the collection. So the walk first finds the value at the page's end; what is above it is
    /// few and can be sorted, and of its ties only the first are needed.
    fn push_descending(&self, sql: &mut Sql, first: Sort, rest: &[Sort]) {
        let end = i64::from(self.window.limit) + i64::from(self.window.offset);
        let value = &value_of(first);
        let joined = !rest.is_empty();
        let edge = |sql: &mut Sql| {
            sql.push("(SELECT ").push(value).push(" AS value");
            self.push_present(sql, first, false);
            sql.push(" ORDER BY ").push(value).push(" DESC LIMIT 1 OFFSET ").integer((end - 1).max(0));
            sql.push(")");
        };
        // Above the edge; everything if the walk ended before the page did: no value is below minus infinity. Keys are
        // compared as texts with whatever is beside them, so they have a lowest text of their own.
        let lowest = if first.path.outer == Slot::Key { "''" } else { "-9e999" };
        sql.push("SELECT seq FROM (SELECT * FROM (SELECT ").push(seq_of(first)).push(" AS seq, ");
        sql.push(value).push(" AS value");
        self.push_present(sql, first, false);
        sql.push(" AND ").push(value).push(" > coalesce(");
        edge(sql);
        sql.push(", ").push(lowest).push("))");
        sql.push(" UNION ALL SELECT * FROM (SELECT ").push(seq_of(first)).push(" AS seq, ");
        sql.push(value).push(" AS value");
        self.push_present(sql, first, joined);
        sql.push(" AND ").push(value).push(" = ");
        edge(sql);
        sql.push(" ORDER BY ");
        if joined {
            push_keys(sql, rest, From::Row);
        } else {
            sql.push(seq_of(first));
        }
        sql.push(" LIMIT ").integer(end).push(")) r ORDER BY r.value DESC, ");
        push_keys(sql, rest, From::Number);
    }

    /// ` FROM …` the resources that have a value of the field, once each with the value that they sort by, narrowed.
    fn push_present(&self, sql: &mut Sql, key: Sort, joined: bool) {
        if let Some(column) = condition::column(key.path) {
            sql.push(" FROM resource r WHERE r.").push(column).push(" IS NOT NULL");
        } else {
            sql.push(" FROM term s");
            if joined || !self.narrow.is_everything() {
                // CROSS JOIN keeps SQLite from turning the walk around.
                sql.push(" CROSS JOIN resource r ON r.seq = s.resource");
            }
            sql.push(" WHERE s.path = ").path(key.path);
            if terms::is_array(key.path) {
                let edge = if key.descending { LARGEST } else { SMALLEST };
                sql.push(&format!(" AND s.edge & {edge}"));
            }
        }
        self.narrow.push(sql, None);
    }
}

/// Appends that `r` is among the first or last resources, as many as the scan budget allows.
fn push_budget(sql: &mut Sql, descending: bool) {
    let (comparison, order) = if descending { (">=", "DESC") } else { ("<=", "ASC") };
    sql.push(&format!(
        " AND r.seq {comparison} (SELECT seq FROM resource ORDER BY seq {order} LIMIT 1 OFFSET {SCAN_ROWS})"
    ));
}

/// What a sort key is read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum From {
    /// The row `r` of the resource.
    Row,
    /// A row `r` that has nothing but the resource's number.
    Number,
}

/// Appends the keys as expressions, ending with the order of creation.
fn push_keys(sql: &mut Sql, keys: &[Sort], from: From) {
    for key in keys {
        let table = if from == From::Row { "r" } else { "k" };
        if from == From::Number {
            sql.push("(SELECT ");
        }
        if let Some(column) = condition::column(key.path) {
            sql.push(table).push(".").push(column);
        } else {
            let edge = if key.descending { Edge::Largest } else { Edge::Smallest };
            condition::push_edge(sql, table, key.path, edge);
        }
        if from == From::Number {
            sql.push(" FROM resource k WHERE k.seq = r.seq)");
        }
        sql.push(if key.descending { " DESC NULLS LAST, " } else { " ASC NULLS LAST, " });
    }
    sql.push("r.seq");
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

/// The expression that a walk along a key's index gives its value by.
fn value_of(key: Sort) -> String {
    condition::column(key.path).map_or_else(|| "s.value".to_owned(), |column| ["r.", column].concat())
}

/// The expression that a walk along a key's index gives the resource's number by.
fn seq_of(key: Sort) -> &'static str {
    if condition::column(key.path).is_some() { "r.seq" } else { "s.resource" }
}
