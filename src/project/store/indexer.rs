//! The index follows the records. A creation stores only its record, which then waits: its rows of `term` and its words
//! follow in a batch. A batch writes the rows of all its records in the order of the tables, so it changes fewer pages
//! than its creations would. It runs before the next query, in the transaction of the write after which too much waits,
//! when the object is idle, and in the alarm.
//!
//! `meta` has the last indexed record. The records after it wait. It is stored in the transaction of the batch, so each
//! record is indexed once.
//!
//! If a generation of the index begins (`fields`), the index is renewed: each part changes the records whose index
//! differs, in one transaction with its place, which `meta` has. Meanwhile the project supports all calls. The platform
//! ends a call that computes for too long, so a part is small.

use std::cell::Cell;

use super::database::{Database, Result, StoreError, binds};
use super::fields::{Fields, forget_earlier};
use super::index;
use super::index::entries::Index;
use super::meta;
use super::records::StoredRow;
use super::totals::Contents;

/// The maximum number of records of a batch, and of writes of them that wait.
const BATCH_ROWS: i64 = 128;
/// The maximum number of bytes of a batch, unless it has only one record, and how many bytes of records may wait. To
/// index them takes about a tenth of a second. Large records often have values in the same pages, so several of them
/// change hardly more pages than one.
const BATCH_BYTES: i64 = 512 * 1024;
/// How many bytes of records may wait until the alarm. More are indexed as soon as the object is idle, so that the next
/// query need not.
const IDLE_BYTES: i64 = 24 * 1024;
/// How many bytes of records of earlier generations a write reads at most, to find one with a unique value. It takes
/// about a quarter of a second.
const EXAMINED_BYTES: usize = 16 * 1024 * 1024;

/// How many parts of a renewal a query runs that needs them: 2,000 small records. If one field has another type, that
/// takes less than a tenth of a second.
const RENEWED_PARTS: u32 = 16;

/// How far the index has come, in memory.
#[derive(Debug)]
pub(crate) struct Indexer {
    place: Cell<Place>,
    /// How many writes may wait.
    pub(crate) writes: i64,
    /// The maximum number of records of a part of a renewal.
    pub(crate) part: i64,
    /// How many parts a query renews that needs them.
    pub(crate) parts: u32,
    /// How many bytes of records of earlier generations a write may read.
    pub(crate) examined: usize,
}

impl Default for Indexer {
    fn default() -> Self {
        Self {
            place: Cell::default(),
            writes: BATCH_ROWS,
            part: BATCH_ROWS,
            parts: RENEWED_PARTS,
            examined: EXAMINED_BYTES,
        }
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Place {
    /// The last indexed record.
    indexed: i64,
    /// The number of writes of the records that wait, and their bytes. Some may have been deleted meanwhile.
    writes: i64,
    bytes: i64,
    /// The last record that was renewed. `None` if no record after it may have an earlier generation.
    renewed: Option<i64>,
}

impl Indexer {
    /// Continues after the records that `meta` has.
    pub(crate) fn start<D: Database>(&self, database: &D, indexed: i64, renewed: Option<i64>) -> Result<()> {
        let sql =
            "SELECT count(*) AS writes, coalesce(sum(octet_length(body)), 0) FROM resource WHERE seq > ?";
        let read = database.first(sql, &binds![indexed], |row| {
            Some(Place { indexed, writes: row.integer(0)?, bytes: row.integer(1)?, renewed })
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
        let before = self.place.get();
        let place = Place { writes: before.writes + 1, bytes: before.bytes + bytes as i64, ..before };
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
        let mut is_last = !self.has_waiting();
        while !is_last {
            let batch = Batch::read(database, self.place.get().indexed, BATCH_ROWS)?;
            self.insert(fields, database, &batch.rows)?;
            is_last = batch.is_last;
        }
        self.place.set(Place { writes: 0, bytes: 0, ..self.place.get() });
        Ok(())
    }

    /// Indexes records of which the index has only `entries`. None that is not among them may wait.
    pub(crate) fn insert<D: Database>(
        &self,
        fields: &Fields,
        database: &D,
        rows: &[StoredRow],
    ) -> Result<()> {
        for StoredRow { seq, generation, body } in rows {
            if let Some((_, _, index)) = differing(fields, *seq, *generation, body) {
                set_entries(database, *seq, &index, fields.newest.number)?;
            }
        }
        let Some(last) = rows.iter().map(|row| row.seq).max() else { return Ok(()) };
        let new = rows.iter().map(|row| (row.seq, Index::of(&fields.newest, &row.body)));
        let new: Vec<_> = new.collect();
        let changes = new.iter().map(|(seq, index)| (*seq, None, Some(index)));
        index::write(database, &changes.collect::<Vec<_>>())?;
        let indexed = last.max(self.indexed());
        meta::set(database, meta::INDEXED, indexed)?;
        self.place.set(Place { indexed, ..self.place.get() });
        Ok(())
    }

    /// Returns whether records may have an earlier generation than the newest.
    pub(crate) fn is_renewing(&self) -> bool {
        self.place.get().renewed.is_some()
    }

    /// Renews the next part of the index, if it is not complete. Returns what the changed records contain.
    pub(crate) fn renew<D: Database>(&self, fields: &Fields, database: &D) -> Result<Contents> {
        let Some(after) = self.place.get().renewed else { return Ok(Contents::default()) };
        self.transaction(database, || {
            // Those that wait have the newest generation then.
            self.index_all(fields, database)?;
            let Batch { rows, is_last } = Batch::read(database, after, self.part)?;
            let differing: Vec<Differing<'_>> =
                rows.iter().filter_map(|row| differing(fields, row.seq, row.generation, &row.body)).collect();
            for (seq, _, index) in &differing {
                set_entries(database, *seq, index, fields.newest.number)?;
            }
            let changes = differing.iter().map(|(seq, old, new)| (*seq, Some(old), Some(new)));
            index::write(database, &changes.collect::<Vec<_>>())?;
            let last = rows.last().map_or(after, |row| row.seq);
            if is_last {
                forget_earlier(database)?;
                meta::remove(database, meta::RENEWED)?;
            } else {
                meta::set(database, meta::RENEWED, last)?;
            }
            self.place.set(Place { renewed: Some(last).filter(|_| !is_last), ..self.place.get() });
            let contents = differing.iter().map(|(_, _, index)| Contents::of_record(index));
            Ok(contents.fold(Contents::default(), Contents::and))
        })
    }

    /// Calls the function with the number and the body of each record that may have an earlier generation. Returns
    /// `false` if these are too many to be read.
    pub(crate) fn each_earlier<D: Database>(
        &self,
        fields: &Fields,
        database: &D,
        each: &mut dyn FnMut(i64, &str),
    ) -> Result<bool> {
        let Some(mut after) = self.place.get().renewed else { return Ok(true) };
        let mut bytes = 0;
        while bytes < self.examined {
            let Batch { rows, is_last } = Batch::read(database, after, BATCH_ROWS)?;
            for StoredRow { seq, generation, body } in &rows {
                bytes += body.len();
                after = *seq;
                if fields.generation(*generation).number != fields.newest.number {
                    each(*seq, body);
                }
            }
            if is_last {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The next records after one, in their order.
struct Batch {
    rows: Vec<StoredRow>,
    /// Whether there is none after them.
    is_last: bool,
}

impl Batch {
    fn read<D: Database>(database: &D, after: i64, rows: i64) -> Result<Self> {
        // Reads the sizes first: the values of a record take many times its bytes.
        let found = database.first(
            "SELECT coalesce(max(seq) FILTER (WHERE bytes <= ?), min(seq)) AS last, (SELECT max(seq) FROM resource) \
             FROM (SELECT seq, sum(octet_length(body)) OVER (ORDER BY seq) AS bytes FROM resource WHERE seq > ? \
             ORDER BY seq LIMIT ?)",
            &binds![BATCH_BYTES, after, rows],
            |row| Some(row.integer(0).map(|last| (last, row.integer(1) == Some(last)))),
        )?;
        let Some((last, is_last)) = found.flatten() else {
            return Ok(Self { rows: Vec::new(), is_last: true });
        };
        let sql = "SELECT seq, generation, body FROM resource WHERE seq > ? AND seq <= ? ORDER BY seq";
        Ok(Self { rows: database.rows(sql, &binds![after, last], StoredRow::read)?, is_last })
    }
}

/// The number of a record, its index before, and as the newest generation has it.
type Differing<'b> = (i64, Index<'b>, Index<'b>);

/// Returns the indexes of a record if they differ.
fn differing<'b>(fields: &Fields, seq: i64, generation: i64, body: &'b str) -> Option<Differing<'b>> {
    let earlier = fields.generation(generation);
    if earlier.number == fields.newest.number {
        return None;
    }
    let (old, new) = (Index::of(earlier, body), Index::of(&fields.newest, body));
    (old != new || earlier.is_empty()).then_some((seq, old, new))
}

/// Stores what a record's row has of its index, and the generation.
fn set_entries<D: Database>(database: &D, seq: i64, index: &Index<'_>, generation: i64) -> Result<()> {
    database.execute(
        "UPDATE resource SET items = ?, entries = jsonb(?), generation = ? WHERE seq = ?",
        &binds![index.items, &index.to_json(), generation, seq],
    )
}
