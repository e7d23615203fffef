//! The index follows the records. A creation stores only its record, which then waits: its rows of `term` and its words
//! follow in a batch. A batch writes the rows of all its records in the order of the tables, so it changes fewer pages
//! than its creations would. It runs before the next query, in the transaction of the write after which too much waits,
//! when the object is idle, and in the alarm.
//!
//! `meta` has the last indexed record. The records after it wait. It is stored in the transaction of the batch, so each
//! record is indexed once.
//!
//! A rebuild is the same from the beginning; it also writes `entries`, which all derive from the bodies. The platform
//! ends a call that computes for too long, so a large project needs several calls. Until the last part is done, the
//! project supports only reads by ID and key.

use std::cell::Cell;

use super::database::{Database, Result, StoreError, binds};
use super::fields::Fields;
use super::index;
use super::index::entries::Index;
use super::meta;
use super::records;

/// The maximum number of records of a batch, and of writes of them that wait.
const BATCH_ROWS: i64 = 128;
/// The maximum number of bytes of a batch, unless it has only one record, and how many bytes of records may wait. To
/// index them takes about a tenth of a second. Large records often have values in the same pages, so several of them
/// change hardly more pages than one.
const BATCH_BYTES: i64 = 512 * 1024;
/// How many bytes of records may wait until the alarm. More are indexed as soon as the object is idle, so that the next
/// query need not.
const IDLE_BYTES: i64 = 24 * 1024;

/// How far the index has come, in memory.
#[derive(Debug)]
pub(crate) struct Indexer {
    place: Cell<Place>,
    /// How many writes may wait.
    pub(crate) writes: i64,
}

impl Default for Indexer {
    fn default() -> Self {
        Self { place: Cell::default(), writes: BATCH_ROWS }
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Place {
    /// The last indexed record.
    indexed: i64,
    /// The number of writes of the records that wait, and their bytes. Some may have been deleted meanwhile.
    writes: i64,
    bytes: i64,
}

impl Indexer {
    /// Continues after a record that `meta` has.
    pub(crate) fn start<D: Database>(&self, database: &D, indexed: i64) -> Result<()> {
        let sql =
            "SELECT count(*) AS writes, coalesce(sum(octet_length(body)), 0) FROM resource WHERE seq > ?";
        let read = database.first(sql, &binds![indexed], |row| {
            Some(Place { indexed, writes: row.integer(0)?, bytes: row.integer(1)? })
        })?;
        self.place.set(read.unwrap_or_default());
        Ok(())
    }

    /// Returns whether the index has the record. If not, the record waits.
    pub(crate) fn has(&self, seq: i64) -> bool {
        seq <= self.place.get().indexed
    }

    /// Returns the last record that the index has. Those after it wait.
    pub(crate) fn indexed(&self) -> i64 {
        self.place.get().indexed
    }

    /// Runs a transaction in which the index may follow. If it fails, the index is where it was.
    pub(crate) fn transaction<D: Database, T, E: From<StoreError>>(
        &self,
        database: &D,
        run: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        let before = self.place.get();
        let done = database.transaction(run);
        if done.is_err() {
            self.place.set(before);
        }
        done
    }

    /// Counts the write of a record that waits, in the transaction of the write. If too much waits, indexes all of it.
    pub(crate) fn wait<D: Database>(&self, fields: &Fields, database: &D, bytes: usize) -> Result<()> {
        let Place { indexed, writes, bytes: before } = self.place.get();
        let place = Place { indexed, writes: writes + 1, bytes: before + bytes as i64 };
        self.place.set(place);
        if place.writes < self.writes && place.bytes < BATCH_BYTES {
            Ok(())
        } else {
            self.index_all(fields, database)
        }
    }

    /// Returns whether so much waits that it should not until the alarm.
    pub(crate) fn is_behind(&self) -> bool {
        self.place.get().bytes >= IDLE_BYTES
    }

    /// Returns whether records wait.
    pub(crate) fn has_waiting(&self) -> bool {
        self.place.get().writes > 0
    }

    /// Indexes all records that wait.
    pub(crate) fn catch_up<D: Database>(&self, fields: &Fields, database: &D) -> Result<()> {
        if !self.has_waiting() {
            return Ok(());
        }
        self.transaction(database, || self.index_all(fields, database))
    }

    fn index_all<D: Database>(&self, fields: &Fields, database: &D) -> Result<()> {
        let mut is_last = false;
        while !is_last {
            let batch = Batch::read(database, self.place.get().indexed)?;
            self.insert(fields, database, &batch.bodies)?;
            is_last = batch.is_last;
        }
        self.place.set(Place { indexed: self.place.get().indexed, ..Place::default() });
        Ok(())
    }

    /// Indexes records of which the index has nothing: their numbers, each with the body. None that is not among them
    /// may wait.
    pub(crate) fn insert<D: Database>(
        &self,
        fields: &Fields,
        database: &D,
        bodies: &[(i64, String)],
    ) -> Result<()> {
        let indexed = insert(database, self.place.get().indexed, &indexes(fields, bodies))?;
        self.place.set(Place { indexed, ..self.place.get() });
        Ok(())
    }
}

/// The next records that wait.
struct Batch {
    /// Their numbers, each with the body.
    bodies: Vec<(i64, String)>,
    /// Whether no record waits after them.
    is_last: bool,
}

impl Batch {
    fn read<D: Database>(database: &D, indexed: i64) -> Result<Self> {
        // Reads the sizes first: the values of a record take many times its bytes.
        let found = database.first(
            "SELECT coalesce(max(seq) FILTER (WHERE bytes <= ?), min(seq)) AS last, (SELECT max(seq) FROM resource) \
             FROM (SELECT seq, sum(octet_length(body)) OVER (ORDER BY seq) AS bytes FROM resource WHERE seq > ? \
             ORDER BY seq LIMIT ?)",
            &binds![BATCH_BYTES, indexed, BATCH_ROWS],
            |row| Some(row.integer(0).map(|last| (last, row.integer(1) == Some(last)))),
        )?;
        let Some((last, is_last)) = found.flatten() else {
            return Ok(Self { bodies: Vec::new(), is_last: true });
        };
        let sql = "SELECT seq, body FROM resource WHERE seq > ? AND seq <= ? ORDER BY seq";
        Ok(Self { bodies: database.rows(sql, &binds![indexed, last], records::parts)?, is_last })
    }
}

/// Rebuilds the next part of the index, with the `entries`, and returns whether it was the last one.
pub(crate) fn rebuild<D: Database>(fields: &Fields, database: &D, indexed: i64) -> Result<bool> {
    let Batch { bodies, is_last } = Batch::read(database, indexed)?;
    let pairs = indexes(fields, &bodies);
    for (seq, index) in &pairs {
        database.execute(
            "UPDATE resource SET items = ?, entries = jsonb(?) WHERE seq = ?",
            &binds![index.items, &index.to_json(), *seq],
        )?;
    }
    insert(database, indexed, &pairs)?;
    Ok(is_last)
}

fn indexes<'b>(fields: &Fields, bodies: &'b [(i64, String)]) -> Vec<(i64, Index<'b>)> {
    bodies.iter().map(|(seq, body)| (*seq, Index::of(fields, body))).collect()
}

/// Inserts the rows and words of records, and returns the last indexed record.
fn insert<D: Database>(database: &D, indexed: i64, pairs: &[(i64, Index<'_>)]) -> Result<i64> {
    let Some(last) = pairs.iter().map(|(seq, _)| *seq).max() else { return Ok(indexed) };
    index::insert(database, pairs)?;
    let last = last.max(indexed);
    meta::set(database, meta::INDEXED, last)?;
    Ok(last)
}
