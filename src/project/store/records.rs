//! The stored records: finds them by ID, by key, or as the only one; inserts, replaces, and removes them with their
//! index entries.

use std::cell::Cell;

use crate::contract::resource::model::Record;
use crate::util::time::Millis;
use crate::validate;

use super::database::{Bind, Database, Row, StoreError, unexpected};
use super::index;
use super::index::entries::{self, Index};

/// A record with its row number.
#[derive(Debug, Clone)]
pub(crate) struct Stored {
    /// The number of its row.
    pub(crate) seq: i64,
    /// The record.
    pub(crate) record: Record,
    /// The length of its body.
    pub(crate) bytes: usize,
}

/// A record that is not decoded.
#[derive(Debug, Clone)]
pub(crate) struct Raw {
    /// `id`
    pub(crate) id: String,
    /// `key`
    pub(crate) key: Option<String>,
    /// `version`
    pub(crate) version: u64,
    /// The revision.
    pub(crate) revision: Millis,
    /// The body.
    pub(crate) body: String,
}

/// How to look up a record.
#[derive(Debug, Clone, Copy)]
pub(crate) enum By<'a> {
    /// By ID.
    Id(&'a str),
    /// By key.
    Key(&'a str),
}

/// Loads the row without decoding its body.
pub(crate) fn raw<D: Database>(database: &D, by: By<'_>) -> Result<Option<Raw>, StoreError> {
    let (sql, name) = match by {
        By::Id(id) => ("SELECT id, key, version, revision, body FROM resource WHERE id = ?", id),
        By::Key(key) => ("SELECT id, key, version, revision, body FROM resource WHERE key = ?", key),
    };
    database.first(sql, &[Bind::Text(name)], |row| {
        Some(Raw {
            id: row.text(0)?,
            key: row.text(1),
            version: u64::try_from(row.integer(2)?).ok()?,
            revision: millis(row, 3)?,
            body: row.text(4)?,
        })
    })
}

/// Loads a record's ID and revision. The body is a text that stays on the database's side.
pub(crate) fn passing<D: Database>(
    database: &D,
    by: By<'_>,
) -> Result<Option<(String, Millis, D::Text)>, StoreError> {
    let (sql, name) = match by {
        By::Id(id) => ("SELECT id, revision, body FROM resource WHERE id = ?", id),
        By::Key(key) => ("SELECT id, revision, body FROM resource WHERE key = ?", key),
    };
    let found =
        database.first_text(sql, &[Bind::Text(name)], 2, |row| Some((row.text(0)?, millis(row, 1)?)))?;
    let Some(((id, revision), body)) = found else { return Ok(None) };
    Ok(Some((id, revision, body.ok_or_else(|| unexpected(sql))?)))
}

/// How many resources a project has, and what they contain, cached in memory.
#[derive(Debug, Default)]
pub(crate) struct Size {
    count: Cell<Option<i64>>,
    contents: Cell<Option<Contents>>,
    /// Whether nothing was written since `contents` was counted. Otherwise it is an upper bound.
    is_exact: Cell<bool>,
}

/// The sums of what tests read of resources besides their columns.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Contents {
    /// The KiB of `entries`, without the last part of each resource: a row's own cost covers it.
    pub(crate) kib: u64,
    /// The items of `arrayOfObjectType`.
    pub(crate) items: u64,
    /// The KiB of the largest `entries`.
    pub(crate) largest: u64,
}

impl Contents {
    /// The columns of a select from `resource r` that [`Self::read`] reads.
    pub(crate) const COLUMNS: &str = "coalesce(sum(octet_length(r.entries)/1024),0), \
         coalesce(sum(r.items),0), coalesce(max(octet_length(r.entries))/1024,0)";

    /// Returns the most that a database of this size can contain. An item has at least three bytes, with its comma.
    pub(crate) fn of_bytes(bytes: u64) -> Self {
        Self { kib: bytes / 1_024, items: bytes / 3, largest: bytes / 1_024 }
    }

    /// Returns the most that a record with this body contains. Its `entries` are hardly longer than its body.
    pub(crate) fn of_record(record: &Record, body: &str) -> Self {
        let kib = body.len() as u64 / 1_024;
        let items = u64::try_from(entries::count_items(record, body.len())).unwrap_or(0);
        Self { kib, items, largest: kib }
    }

    /// Returns the contents of both.
    pub(crate) fn and(self, other: Self) -> Self {
        let (kib, items) = (self.kib + other.kib, self.items + other.items);
        Self { kib, items, largest: self.largest.max(other.largest) }
    }

    pub(crate) fn read(row: &dyn Row) -> Option<Self> {
        let sum = |column| row.integer(column).and_then(|sum| u64::try_from(sum).ok());
        Some(Self { kib: sum(0)?, items: sum(1)?, largest: sum(2)? })
    }
}

impl Size {
    pub(crate) fn get<D: Database>(&self, database: &D) -> Result<i64, StoreError> {
        if let Some(known) = self.count.get() {
            return Ok(known);
        }
        let count = database.first("SELECT count(*) FROM resource", &[], |row| row.integer(0))?.unwrap_or(0);
        self.count.set(Some(count));
        Ok(count)
    }

    /// Returns the contents of all resources: an upper bound if that is low enough, else what they are. To count them
    /// reads a row for each resource, so writes only raise the bound.
    pub(crate) fn contents<D: Database>(
        &self,
        database: &D,
        is_low: impl FnOnce(Contents) -> bool,
    ) -> Result<Contents, StoreError> {
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

    /// Adjusts the size after a write that added or removed `by` resources. `written` is what the written ones contain.
    pub(crate) fn change(&self, by: i64, written: Contents) {
        self.count.set(self.count.get().map(|count| count + by));
        self.contents.set(self.contents.get().map(|contents| contents.and(written)));
        self.is_exact.set(false);
    }
}

/// Loads and decodes the record.
pub(crate) fn find<D: Database>(database: &D, by: By<'_>) -> Result<Option<Stored>, StoreError> {
    let (sql, name) = match by {
        By::Id(id) => ("SELECT seq, body FROM resource WHERE id = ?", id),
        By::Key(key) => ("SELECT seq, body FROM resource WHERE key = ?", key),
    };
    database.first(sql, &[Bind::Text(name)], parts)?.map(read).transpose()
}

/// The state of an ID: a record, or the last version before its delete (D5).
#[derive(Debug)]
pub(crate) struct Named {
    /// The record.
    pub(crate) stored: Option<Stored>,
    /// The version of its tombstone if there is no record; 0 if the ID never had one.
    pub(crate) last_version: u64,
}

/// Loads the record of an ID, and what a creation under the ID needs, in one statement.
pub(crate) fn find_named<D: Database>(database: &D, id: &str) -> Result<Named, StoreError> {
    let row = database.first(
        "SELECT seq, body, 0 AS last FROM resource WHERE id = ?1 \
         UNION ALL SELECT 0, '', version FROM tombstone WHERE id = ?1 LIMIT 1",
        &[Bind::Text(id)],
        |row| Some((parts(row)?, u64::try_from(row.integer(2)?).ok()?)),
    )?;
    Ok(match row {
        None => Named { stored: None, last_version: 0 },
        Some(((0, _), last_version)) => Named { stored: None, last_version },
        Some((parts, _)) => Named { stored: Some(read(parts)?), last_version: 0 },
    })
}

/// Loads the first two records of the collection, for writes that name no target (D12).
pub(crate) fn first_two<D: Database>(database: &D) -> Result<Vec<Stored>, StoreError> {
    let mut found = Vec::new();
    database.query("SELECT seq, body FROM resource ORDER BY seq LIMIT 2", &[], &mut |row| {
        let parts = parts(row).ok_or_else(|| unexpected("a record"))?;
        found.push(read(parts)?);
        Ok(())
    })?;
    Ok(found)
}

/// Returns a row's number and body.
pub(crate) fn parts(row: &dyn Row) -> Option<(i64, String)> {
    Some((row.integer(0)?, row.text(1)?))
}

/// Decodes a record.
pub(crate) fn read((seq, body): (i64, String)) -> Result<Stored, StoreError> {
    let record = validate::stored_record(body.as_bytes())
        .ok_or_else(|| StoreError::new(format!("record {seq} cannot be read back")))?;
    Ok(Stored { seq, record, bytes: body.len() })
}

/// Returns the column as an instant.
pub(crate) fn millis(row: &dyn Row, column: usize) -> Option<Millis> {
    row.integer(column).and_then(|value| Millis::try_from(value).ok())
}

/// Returns whether a record has the key.
pub(crate) fn is_key_in_use<D: Database>(database: &D, key: &str) -> Result<bool, StoreError> {
    let found =
        database.first("SELECT 1 FROM resource WHERE key = ?", &[Bind::Text(key)], |row| row.integer(0))?;
    Ok(found.is_some())
}

/// Inserts a new record.
pub(crate) fn insert<D: Database>(database: &D, record: &Record, body: &str) -> Result<(), StoreError> {
    // The instant of creation is the row number: no other creation has it (D6).
    let seq = record.created_at as i64;
    let index = Index::of(record);
    database.execute(
        "INSERT INTO resource(seq, id, key, version, revision, items, entries, body) \
         VALUES(?, ?, ?, ?, ?, ?, jsonb(?), ?)",
        &[
            Bind::Integer(seq),
            Bind::Text(&record.id),
            record.key.as_deref().map_or(Bind::Null, Bind::Text),
            Bind::Integer(record.version as i64),
            Bind::Integer(record.revision as i64),
            Bind::Integer(entries::count_items(record, body.len())),
            Bind::Text(&index.to_json()),
            Bind::Text(body),
        ],
    )?;
    index::update(database, seq, None, Some(&index))
}

/// Replaces a record by a later version with the same ID.
pub(crate) fn replace<D: Database>(
    database: &D,
    before: &Stored,
    after: &Record,
    body: &str,
) -> Result<(), StoreError> {
    let (old, new) = (Index::of(&before.record), Index::of(after));
    let entries = new.to_json();
    let moved = before.record.key != after.key;
    let items = entries::count_items(after, body.len());
    let reindexed = entries != old.to_json() || items != entries::count_items(&before.record, before.bytes);
    // Setting a column costs a row for each of its indexes, even if its value does not change.
    let sql = match (moved, reindexed) {
        (false, false) => "UPDATE resource SET version = ?1, revision = ?2, body = ?3 WHERE seq = ?4",
        (true, false) => {
            "UPDATE resource SET version = ?1, revision = ?2, body = ?3, key = ?5 WHERE seq = ?4"
        }
        (false, true) => {
            "UPDATE resource SET version = ?1, revision = ?2, body = ?3, items = ?5, entries = jsonb(?6) WHERE seq = ?4"
        }
        (true, true) => {
            "UPDATE resource SET version = ?1, revision = ?2, body = ?3, key = ?5, items = ?6, entries = jsonb(?7) \
             WHERE seq = ?4"
        }
    };
    let mut binds = vec![
        Bind::Integer(after.version as i64),
        Bind::Integer(after.revision as i64),
        Bind::Text(body),
        Bind::Integer(before.seq),
    ];
    if moved {
        binds.push(after.key.as_deref().map_or(Bind::Null, Bind::Text));
    }
    if reindexed {
        binds.push(Bind::Integer(items));
        binds.push(Bind::Text(&entries));
    }
    database.execute(sql, &binds)?;
    index::update(database, before.seq, Some(&old), Some(&new))
}

/// Removes a record.
pub(crate) fn remove<D: Database>(database: &D, stored: &Stored) -> Result<(), StoreError> {
    database.execute("DELETE FROM resource WHERE seq = ?", &[Bind::Integer(stored.seq)])?;
    index::update(database, stored.seq, Some(&Index::of(&stored.record)), None)
}

/// Stores the last version of a deleted ID (D5).
pub(crate) fn bury<D: Database>(
    database: &D,
    id: &str,
    version: u64,
    revision: Millis,
) -> Result<(), StoreError> {
    database.execute(
        "INSERT INTO tombstone(id, version, revision) VALUES(?, ?, ?) \
         ON CONFLICT(id) DO UPDATE SET version = excluded.version, revision = excluded.revision",
        &[Bind::Text(id), Bind::Integer(version as i64), Bind::Integer(revision as i64)],
    )
}

/// Returns the project's newest revision, including deletes; 0 if there was no write.
pub(crate) fn newest<D: Database>(database: &D) -> Result<Millis, StoreError> {
    let newest = database.first(
        "SELECT max(coalesce((SELECT max(revision) FROM resource), 0), \
                    coalesce((SELECT max(revision) FROM tombstone), 0))",
        &[],
        |row| millis(row, 0),
    )?;
    Ok(newest.unwrap_or(0))
}

/// Stores a value of `meta`.
pub(crate) fn set_meta<D: Database>(database: &D, name: &str, value: Bind<'_>) -> Result<(), StoreError> {
    database.execute(
        "INSERT INTO meta(name, value) VALUES(?, ?) ON CONFLICT(name) DO UPDATE SET value = excluded.value",
        &[Bind::Text(name), value],
    )
}
