//! Which resources stand on a page, in which order: from a set of an index where that is small, else by a walk along an
//! index in the wanted order (D27).
//!
//! An array sorts by its smallest item ascending and its largest descending, absent values stand last, ties stand in the
//! order of creation. `seq` rises with creation.

use crate::contract::error::{ApiError, Code};
use crate::contract::field::Sort;
use crate::contract::schema::Slot;

use super::condition;
use super::database::{Database, StoreError};
use super::narrow::{Narrow, SCAN_ROWS, Set};
use super::sql::Sql;

/// A page's place and order.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window<'q> {
    /// The order, most significant first; empty: by creation.
    pub(super) sort: &'q [Sort],
    /// The most results.
    pub(super) limit: u32,
    /// How many results to pass over.
    pub(super) offset: u32,
}

/// What came of a selection: resources in their order, or why the caller must ask otherwise.
#[derive(Debug)]
pub(super) struct Selected {
    /// The resources' numbers.
    pub(super) seqs: Vec<i64>,
    /// Whether an index narrowed them.
    pub(super) by_index: bool,
}

/// The resources on the page; `Err` inside where too many would have to be looked at.
pub(super) fn page<D: Database>(
    database: &D,
    narrow: &Narrow<'_>,
    window: Window<'_>,
) -> Result<Result<Selected, ApiError>, StoreError> {
    let driver = narrow.driver(database)?;
    let walk = Walk { database, narrow, keys: significant(window.sort), window };
    if let Some(driver) = driver {
        let seqs = walk.sorted(&driver)?;
        return Ok(Ok(Selected { seqs, by_index: true }));
    }
    let everything = narrow.is_everything();
    if !everything && rows(database)? > SCAN_ROWS {
        return walk.bounded();
    }
    Ok(Ok(Selected { seqs: walk.all()?, by_index: everything }))
}

/// About how many resources the project has: never fewer.
pub(super) fn rows<D: Database>(database: &D) -> Result<i64, StoreError> {
    let sql =
        Sql::new("SELECT coalesce((SELECT max(seq) FROM resource) - (SELECT min(seq) FROM resource) + 1, 0)");
    Ok(sql.first_integer(database)?.unwrap_or(0))
}

/// The error of a query that no index serves in a collection so large (architecture: scan budget).
pub(super) fn too_wide(narrow: &Narrow<'_>) -> ApiError {
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

struct Walk<'w, D> {
    database: &'w D,
    narrow: &'w Narrow<'w>,
    keys: Vec<Sort>,
    window: Window<'w>,
}

impl<D: Database> Walk<'_, D> {
    /// Sorts what the set holds.
    fn sorted(&self, driver: &Set<'_>) -> Result<Vec<i64>, StoreError> {
        let mut sql = Sql::new("SELECT r.seq FROM resource r WHERE ");
        driver.push(&mut sql);
        self.narrow.push(&mut sql);
        sql.push(" ORDER BY ");
        Self::push_keys(&mut sql, &self.keys);
        self.seqs(sql, self.window.limit, self.window.offset)
    }

    /// Walks along the index of the first key.
    fn all(&self) -> Result<Vec<i64>, StoreError> {
        let Some((first, rest)) = self.keys.split_first() else {
            return self.by_column("seq", false, "");
        };
        match (condition::column(first.path), first.path.outer) {
            (Some(_), Slot::CreatedAt) => self.by_column("seq", first.descending, ""),
            // Columns without NULLs or ties.
            (Some(column), Slot::Id | Slot::LastModifiedAt) => self.by_column(column, first.descending, ""),
            _ => self.by_value(*first, rest),
        }
    }

    fn by_column(&self, column: &str, descending: bool, bound: &str) -> Result<Vec<i64>, StoreError> {
        let mut sql = Sql::new("SELECT r.seq FROM resource r WHERE 1");
        sql.push(bound);
        self.narrow.push(&mut sql);
        sql.push(" ORDER BY r.").push(column).push(if descending { " DESC" } else { "" });
        self.seqs(sql, self.window.limit, self.window.offset)
    }

    /// A walk in the order of creation over no more than the budget; an error where that does not fill the page.
    fn bounded(&self) -> Result<Result<Selected, ApiError>, StoreError> {
        let descending = match self.keys.first() {
            None => false,
            Some(key) if key.path.outer == Slot::CreatedAt => key.descending,
            Some(_) => return Ok(Err(too_wide(self.narrow))),
        };
        let (comparison, order) = if descending { (">=", "DESC") } else { ("<=", "ASC") };
        let bound = format!(
            " AND r.seq {comparison} (SELECT seq FROM resource ORDER BY seq {order} LIMIT 1 OFFSET {SCAN_ROWS})"
        );
        let seqs = self.by_column("seq", descending, &bound)?;
        if seqs.len() < self.window.limit as usize {
            return Ok(Err(too_wide(self.narrow)));
        }
        Ok(Ok(Selected { seqs, by_index: false }))
    }

    /// Resources with a value in the order of the value, then those without in the order of creation.
    fn by_value(&self, first: Sort, rest: &[Sort]) -> Result<Vec<i64>, StoreError> {
        let Window { limit, offset, .. } = self.window;
        let mut seqs =
            if first.descending { self.descending(first, rest)? } else { self.ascending(first, rest)? };
        let missing = limit.saturating_sub(seqs.len() as u32);
        if missing == 0 {
            return Ok(seqs);
        }
        let present = if offset == 0 {
            seqs.len() as i64
        } else {
            let mut sql = Sql::new("SELECT count(*)");
            self.push_present(&mut sql, first);
            sql.first_integer(self.database)?.unwrap_or(0)
        };
        let mut sql = Sql::new("SELECT r.seq FROM resource r WHERE ");
        match condition::column(first.path) {
            Some(column) => sql.push("r.").push(column).push(" IS NULL"),
            None => sql
                .push("NOT EXISTS(SELECT 1 FROM term t WHERE t.resource = r.seq AND t.path = ")
                .path(first.path)
                .push(")"),
        };
        self.narrow.push(&mut sql);
        sql.push(" ORDER BY ");
        Self::push_keys(&mut sql, rest);
        // Below the offset's bound by construction.
        let skip = (i64::from(offset) - present).max(0) as u32;
        seqs.extend(self.seqs(sql, missing, skip)?);
        Ok(seqs)
    }

    fn ascending(&self, first: Sort, rest: &[Sort]) -> Result<Vec<i64>, StoreError> {
        let mut sql = Sql::new("SELECT r.seq");
        self.push_present(&mut sql, first);
        sql.push(" ORDER BY ").push(&value_of(first)).push(", ");
        if rest.is_empty() {
            sql.push(seq_of(first));
        } else {
            Self::push_keys(&mut sql, rest);
        }
        self.seqs(sql, self.window.limit, self.window.offset)
    }

    /// The index gives ties in the order of creation, so walked backwards it would give them reversed, and sorting all
    /// ties could mean sorting the collection. So the walk first finds the value at the page's end; what is above it is
    /// few and can be sorted, and of its ties only the first are needed.
    fn descending(&self, first: Sort, rest: &[Sort]) -> Result<Vec<i64>, StoreError> {
        let Window { limit, offset, .. } = self.window;
        let end = i64::from(limit) + i64::from(offset);
        if end == 0 {
            return Ok(Vec::new());
        }
        let value = &value_of(first);
        let mut sql = Sql::new("WITH edge(value) AS (SELECT ");
        sql.push(value);
        self.push_present(&mut sql, first);
        sql.push(" ORDER BY ").push(value).push(" DESC LIMIT 1 OFFSET ").integer(end - 1).push(") ");
        // Above the edge; everything where the walk ended before the page did: no value is below minus infinity. Keys are
        // compared as texts with whatever stands beside them, so they have a lowest text of their own.
        let lowest = if first.path.outer == Slot::Key { "''" } else { "-9e999" };
        sql.push("SELECT seq FROM (SELECT * FROM (SELECT r.seq AS seq, ").push(value).push(" AS value");
        self.push_present(&mut sql, first);
        sql.push(" AND ").push(value).push(" > coalesce((SELECT value FROM edge), ").push(lowest).push("))");
        sql.push(" UNION ALL SELECT * FROM (SELECT r.seq AS seq, ").push(value).push(" AS value");
        self.push_present(&mut sql, first);
        sql.push(" AND ").push(value).push(" = (SELECT value FROM edge) ORDER BY ");
        if rest.is_empty() {
            sql.push(seq_of(first));
        } else {
            Self::push_keys(&mut sql, rest);
        }
        sql.push(" LIMIT ").integer(end).push(")) r ORDER BY r.value DESC, ");
        Self::push_keys(&mut sql, rest);
        self.seqs(sql, limit, offset)
    }

    /// ` FROM …` the resources that have a value of the field, once each with the value that they sort by, narrowed.
    fn push_present(&self, sql: &mut Sql, key: Sort) {
        if let Some(column) = condition::column(key.path) {
            sql.push(" FROM resource r WHERE r.").push(column).push(" IS NOT NULL");
        } else {
            // CROSS JOIN keeps SQLite from turning the walk around.
            sql.push(" FROM term s CROSS JOIN resource r ON r.seq = s.resource WHERE s.path = ")
                .path(key.path);
            sql.push(
                " AND NOT EXISTS(SELECT 1 FROM term e WHERE e.resource = s.resource AND e.path = s.path \
                 AND (e.value, e.ordinal) ",
            );
            sql.push(if key.descending { ">" } else { "<" }).push(" (s.value, s.ordinal))");
        }
        self.narrow.push(sql);
    }

    /// The keys as expressions, ending with the order of creation.
    fn push_keys(sql: &mut Sql, keys: &[Sort]) {
        for key in keys {
            if let Some(column) = condition::column(key.path) {
                // Only the number is left of a row by now, so columns are looked up by it.
                sql.push("(SELECT k.").push(column).push(" FROM resource k WHERE k.seq = r.seq)");
            } else {
                sql.push(if key.descending { "(SELECT max(t.value)" } else { "(SELECT min(t.value)" });
                sql.push(" FROM term t WHERE t.resource = r.seq AND t.path = ").path(key.path).push(")");
            }
            sql.push(if key.descending { " DESC NULLS LAST, " } else { " ASC NULLS LAST, " });
        }
        sql.push("r.seq");
    }

    fn seqs(&self, mut sql: Sql, limit: u32, offset: u32) -> Result<Vec<i64>, StoreError> {
        sql.push(" LIMIT ").integer(i64::from(limit)).push(" OFFSET ").integer(i64::from(offset));
        sql.integers(self.database)
    }
}

/// The expression that a walk along a key's index gives its value by.
fn value_of(key: Sort) -> String {
    condition::column(key.path).map_or_else(|| "s.value".to_owned(), |column| ["r.", column].concat())
}

/// The expression that a walk along a key's index gives the resource's number by.
fn seq_of(key: Sort) -> &'static str {
    if condition::column(key.path).is_some() { "r.seq" } else { "s.resource" }
}
