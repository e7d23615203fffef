//! What a project has in all: its newest revision, and the number and the contents of its resources.

use std::cell::Cell;

use crate::shape::FieldPath;
use crate::util::time::Millis;

use super::database::{Database, Result, Row, binds, cached};
use super::index::entries::Index;
use super::index::values;

/// What a project has in all, cached in memory: nothing else writes to the database.
#[derive(Debug, Default)]
pub(crate) struct Totals {
    newest: Cell<Option<Millis>>,
    count: Cell<Option<i64>>,
    contents: Cell<Option<Contents>>,
    /// Whether nothing was written since `contents` was counted. Otherwise it is an upper bound.
    is_exact: Cell<bool>,
    /// Whether any text is longer than a key of the index.
    has_long_texts: Cell<Option<bool>>,
}

/// The sums of what tests read of resources besides their columns.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Contents {
    /// The KiB of `entries`, without the last part of each resource: a row's own cost covers it.
    pub(crate) kib: u64,
    pub(crate) items: u64,
}

impl Contents {
    /// The columns of a select from `resource r` that [`Self::read`] reads.
    pub(crate) const COLUMNS: &str =
        "coalesce(sum(octet_length(r.entries)/1024),0), coalesce(sum(r.items),0)";

    /// Returns the most that a database of this size can contain. An item has at least three bytes, with its comma.
    pub(crate) fn of_bytes(bytes: u64) -> Self {
        Self { kib: bytes / 1_024, items: bytes / 3 }
    }

    /// Returns the most that a record with this index contains. Its `entries` are hardly longer than its body.
    pub(crate) fn of_record(index: &Index<'_>) -> Self {
        Self { kib: index.bytes as u64 / 1_024, items: u64::try_from(index.items).unwrap_or(0) }
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self { kib: self.kib + other.kib, items: self.items + other.items }
    }

    pub(crate) fn read(row: &dyn Row) -> Option<Self> {
        Some(Self { kib: row.unsigned(0)?, items: row.unsigned(1)? })
    }
}

impl Totals {
    /// Returns the newest revision, including deletes; 0 if there was no write.
    pub(crate) fn newest<D: Database>(&self, database: &D) -> Result<Millis> {
        cached(&self.newest, || {
            let sql = "SELECT max(coalesce((SELECT max(revision) FROM resource), 0), \
                       coalesce((SELECT max(revision) FROM tombstone), 0))";
            Ok(database.first(sql, &[], |row| row.unsigned(0))?.unwrap_or(0))
        })
    }

    /// Returns how many resources the project has.
    pub(crate) fn count<D: Database>(&self, database: &D) -> Result<i64> {
        cached(&self.count, || {
            let sql = "SELECT count(*) FROM resource";
            Ok(database.first(sql, &[], |row| row.integer(0))?.unwrap_or(0))
        })
    }

    /// Returns the contents of all resources: an upper bound if that is low enough, else what they are. To count them
    /// reads a row for each resource, so writes only raise the bound.
    pub(crate) fn contents<D: Database>(
        &self,
        database: &D,
        is_low: impl FnOnce(Contents) -> bool,
    ) -> Result<Contents> {
        if let Some(known) = self.contents.get()
            && (self.is_exact.get() || is_low(known))
        {
            return Ok(known);
        }
        let sql = ["SELECT ", Contents::COLUMNS, " FROM resource r"].concat();
        let contents = database.first(&sql, &[], Contents::read)?.unwrap_or_default();
        self.contents.set(Some(contents));
        self.is_exact.set(true);
        Ok(contents)
    }

    /// Returns whether a resource has a text of the field that is longer than a key of the index.
    pub(crate) fn has_long_texts<D: Database>(&self, database: &D, path: &FieldPath) -> Result<bool> {
        let exists = |condition: &str, code: u16| {
            let sql = ["SELECT EXISTS(SELECT 1 FROM term WHERE path ", condition, " ?)"].concat();
            database.first(&sql, &binds![code], |row| row.integer(0))
        };
        let any = cached(&self.has_long_texts, || Ok(exists(">=", values::long(0))? == Some(1)))?;
        Ok(any && exists("=", values::long(path.number))? == Some(1))
    }

    /// Adjusts the totals after a commit, with the newest revision, and how many resources were added or removed.
    /// `written` is what the written ones contain.
    pub(crate) fn change(&self, newest: Millis, added: i64, written: Contents) {
        self.newest.set(Some(newest));
        self.count.set(self.count.get().map(|count| count + added));
        self.renew(written);
    }

    /// Adjusts the totals after the index of records changed, which contain this.
    pub(crate) fn renew(&self, written: Contents) {
        self.contents.set(self.contents.get().map(|contents| contents.and(written)));
        self.is_exact.set(false);
        self.has_long_texts.set(None);
    }
}
