//! The index follows the records. A creation stores only its record. Its rows of `term` and its words follow in a
//! batch: before the next query, after a write if many records wait, or in the alarm. A batch writes the rows of all
//! its records in the order of the tables, so it changes fewer pages than its creations would. Only a large record is
//! indexed with its creation.
//!
//! `meta` has the last indexed record. The records after it wait. It is stored in the transaction of the batch, so each
//! record is indexed once.
//!
//! A rebuild is the same from the beginning; it also writes `entries`, which all derive from the bodies. The platform
//! ends a call that computes for too long, so a large project needs several calls. Until the last part is done, the
//! project supports only reads by ID and key.

use std::cell::Cell;

use super::database::{Bind, Database, Result};
use super::index;
use super::index::entries::{self, Index};
use super::meta;
use super::records::{self, Stored};

/// The name in `meta` of the last indexed record.
pub(crate) const INDEXED: &str = "indexed";
/// The maximum number of records of a batch.
const BATCH_ROWS: i64 = 128;
/// A batch ends after this many bytes of records: about a tenth of a second of work.
const BATCH_BYTES: i64 = 128 * 1024;
/// How many bytes of records may wait: a query that has to index them takes about 20 ms longer.
const WAITING_BYTES: i64 = 24 * 1024;

/// How far the index has come, in memory.
#[derive(Debug, Default)]
pub(crate) struct Follower {
    indexed: Cell<i64>,
    /// How many records wait, and their bytes, including those that were deleted meanwhile.
    waiting: Cell<(i64, i64)>,
}

impl Follower {
    /// Continues after a record that `meta` has.
    pub(crate) fn start<D: Database>(&self, database: &D, indexed: i64) -> Result<()> {
        let sql =
            "SELECT count(*) AS records, coalesce(sum(octet_length(body)), 0) FROM resource WHERE seq > ?";
        let read =
            database.first(sql, &[Bind::Integer(indexed)], |row| Some((row.integer(0)?, row.integer(1)?)))?;
        self.indexed.set(indexed);
        self.waiting.set(read.unwrap_or_default());
        Ok(())
    }

    /// Returns the last indexed record. Of those after it, the index has nothing.
    pub(crate) fn indexed(&self) -> i64 {
        self.indexed.get()
    }

    /// Sets the last indexed record after a transaction that has indexed all.
    pub(crate) fn reach(&self, indexed: i64) {
        self.indexed.set(indexed);
        self.waiting.set((0, 0));
    }

    /// Counts a new record of this many bytes, which [`before`] has let wait or not.
    pub(crate) fn add(&self, seq: i64, bytes: usize) {
        let (records, all) = self.waiting.get();
        if is_large(bytes) { self.reach(seq) } else { self.waiting.set((records + 1, all + bytes as i64)) }
    }

    /// Returns whether so many records wait that the next query would take noticeably longer.
    pub(crate) fn is_behind(&self) -> bool {
        let (records, bytes) = self.waiting.get();
        records >= BATCH_ROWS || bytes >= WAITING_BYTES
    }

    /// Indexes all records that wait.
    pub(crate) fn catch_up<D: Database>(&self, database: &D) -> Result<()> {
        if self.waiting.get().0 > 0 {
            self.reach(database.transaction(|| all(database, self.indexed.get()))?);
        }
        Ok(())
    }
}

/// Returns whether a record is indexed with its creation. Later it would be decoded again, and fill a batch alone.
fn is_large(bytes: usize) -> bool {
    bytes as i64 >= WAITING_BYTES
}

/// Prepares the creation of a record, and returns the last indexed record after it: the new one if it is large.
pub(crate) fn before<D: Database>(database: &D, indexed: i64, seq: i64, bytes: usize) -> Result<i64> {
    if !is_large(bytes) {
        return Ok(indexed);
    }
    all(database, indexed)?;
    meta::set(database, INDEXED, Bind::Integer(seq))?;
    Ok(seq)
}

/// Indexes all records after the last indexed one, and returns the last one.
pub(crate) fn all<D: Database>(database: &D, mut indexed: i64) -> Result<i64> {
    while let Some(last) = batch(database, indexed, false)? {
        indexed = last;
    }
    Ok(indexed)
}

/// Indexes the next records after the last indexed one. Returns the last one of the batch; `None` if no record waits.
/// `rebuilds` is whether their `entries` are outdated.
pub(crate) fn batch<D: Database>(database: &D, indexed: i64, rebuilds: bool) -> Result<Option<i64>> {
    let after = Bind::Integer(indexed);
    // Reads the sizes first: a decoded record takes many times its bytes.
    let last = database.first(
        "SELECT max(seq) AS last FROM (SELECT seq, sum(octet_length(body)) OVER (ORDER BY seq) - octet_length(body) \
         AS bytes FROM resource WHERE seq > ? ORDER BY seq LIMIT ?) WHERE bytes < ?",
        &[after, Bind::Integer(BATCH_ROWS), Bind::Integer(BATCH_BYTES)],
        |row| Some(row.integer(0)),
    )?;
    let Some(last) = last.flatten() else { return Ok(None) };
    let sql = "SELECT seq, body FROM resource WHERE seq > ? AND seq <= ? ORDER BY seq";
    let rows = database.rows(sql, &[after, Bind::Integer(last)], records::parts)?;
    let records: Vec<Stored> = rows.into_iter().map(records::read).collect::<Result<_>>()?;
    let pairs: Vec<_> = records.iter().map(|stored| (stored.seq, Index::of(&stored.record))).collect();
    if rebuilds {
        for (Stored { record, bytes, .. }, (seq, index)) in records.iter().zip(&pairs) {
            let items = Bind::Integer(entries::count_items(record, *bytes));
            database.execute(
                "UPDATE resource SET items = ?, entries = jsonb(?) WHERE seq = ?",
                &[items, Bind::Text(&index.to_json()), Bind::Integer(*seq)],
            )?;
        }
    }
    index::insert(database, &pairs)?;
    meta::set(database, INDEXED, Bind::Integer(last))?;
    Ok(Some(last))
}
