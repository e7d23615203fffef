//! The stored records: finds them by ID, by key, or as the only one; inserts, replaces, and removes them with their
//! index entries.

use crate::shape::Record;
use crate::util::time::Millis;

use super::database::{Bind, Database, Result, Row, StoreError, binds, unexpected};
use super::fields::Fields;
use super::index;
use super::index::entries::Index;
use super::totals::Contents;

/// What the index needs of a record's row.
#[derive(Debug, Clone, Default)]
pub(crate) struct StoredRow {
    pub(crate) seq: i64,
    /// The number of the generation by which it is indexed (`fields`).
    pub(crate) generation: i64,
    pub(crate) body: String,
}

impl StoredRow {
    /// Reads it from the first columns of a row.
    pub(crate) fn read(row: &dyn Row) -> Option<Self> {
        Some(Self { seq: row.integer(0)?, generation: row.integer(1)?, body: row.text(2)? })
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Stored {
    pub(crate) seq: i64,
    generation: i64,
    /// Without the fields that the shape lacks, which its next write removes.
    pub(crate) record: Record,
    /// As it was written, perhaps with another shape.
    pub(crate) body: String,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum By<'a> {
    Id(&'a str),
    Key(&'a str),
}

impl<'a> By<'a> {
    /// Returns the statement that selects the columns of the record, and its value.
    pub(crate) fn select(self, columns: &str) -> (String, [Bind<'a>; 1]) {
        let (column, name) = match self {
            Self::Id(id) => ("id", id),
            Self::Key(key) => ("key", key),
        };
        (["SELECT ", columns, " FROM resource WHERE ", column, " = ?"].concat(), binds![name])
    }
}

/// Loads a record's ID and revision. The body is a text that stays on the database's side.
pub(crate) fn passing<D: Database>(database: &D, by: By<'_>) -> Result<Option<(String, Millis, D::Text)>> {
    let (sql, binds) = by.select("id, revision, body");
    let found = database.first_text(&sql, &binds, 2, |row| Some((row.text(0)?, row.unsigned(1)?)))?;
    let Some(((id, revision), body)) = found else { return Ok(None) };
    Ok(Some((id, revision, body.ok_or_else(|| unexpected(&sql))?)))
}

pub(crate) fn find<D: Database>(fields: &Fields, database: &D, by: By<'_>) -> Result<Option<Stored>> {
    let (sql, binds) = by.select("seq, generation, body");
    database.first(&sql, &binds, StoredRow::read)?.map(|row| read(fields, row)).transpose()
}

/// The state of an ID: a record, or the last version before its delete (D5).
#[derive(Debug)]
pub(crate) struct Named {
    pub(crate) stored: Option<Stored>,
    /// The version of its tombstone if there is no record; 0 if the ID never had one.
    pub(crate) last_version: u64,
}

/// Loads the record of an ID, and what a creation under the ID needs, in one statement.
pub(crate) fn find_named<D: Database>(fields: &Fields, database: &D, id: &str) -> Result<Named> {
    let row = database.first(
        "SELECT seq, generation, body, 0 AS last FROM resource WHERE id = ?1 \
         UNION ALL SELECT 0, 0, '', version FROM tombstone WHERE id = ?1 LIMIT 1",
        &binds![id],
        |row| Some((StoredRow::read(row)?, row.unsigned(3)?)),
    )?;
    let (row, last_version) = row.unwrap_or_default();
    let stored = if row.seq == 0 { None } else { Some(read(fields, row)?) };
    Ok(Named { stored, last_version })
}

/// Loads the first two records of the collection, for writes that name no target (D12).
pub(crate) fn first_two<D: Database>(fields: &Fields, database: &D) -> Result<Vec<Stored>> {
    let sql = "SELECT seq, generation, body FROM resource ORDER BY seq LIMIT 2";
    let rows = database.rows(sql, &[], StoredRow::read)?;
    rows.into_iter().map(|row| read(fields, row)).collect()
}

fn read(fields: &Fields, StoredRow { seq, generation, body }: StoredRow) -> Result<Stored> {
    let record = Record::read(&fields.shape, &body)
        .ok_or_else(|| StoreError::new(format!("record {seq} cannot be read back")))?;
    Ok(Stored { seq, generation, record, body })
}

pub(crate) fn is_key_in_use<D: Database>(database: &D, key: &str) -> Result<bool> {
    let (sql, binds) = By::Key(key).select("1");
    database.has_row(&sql, &binds)
}

/// Inserts a record, and returns what it contains. Its index follows (`indexer`).
pub(crate) fn insert<D: Database>(
    fields: &Fields,
    database: &D,
    record: &Record,
    body: &str,
) -> Result<Contents> {
    let index = Index::of(&fields.newest, body);
    // The instant of creation is the row number: no other creation has it (D6).
    let seq = record.created_at as i64;
    database.execute(
        "INSERT INTO resource(seq, id, key, version, revision, items, entries, body, generation) \
         VALUES(?, ?, ?, ?, ?, ?, jsonb(?), ?, ?)",
        &binds![
            seq,
            &record.id,
            record.key.as_deref(),
            record.version,
            record.revision,
            index.items,
            &index.to_json(),
            body,
            fields.newest.number
        ],
    )?;
    Ok(Contents::of_record(&index))
}

/// Replaces a record by a later version with the same ID, and returns what that contains. `is_indexed` is whether the
/// index has the record.
pub(crate) fn replace<D: Database>(
    fields: &Fields,
    database: &D,
    is_indexed: bool,
    before: &Stored,
    after: &Record,
    body: &str,
) -> Result<Contents> {
    let (earlier, newest) = (fields.generation(before.generation), &fields.newest);
    let (old, new) = (Index::of(earlier, &before.body), Index::of(newest, body));
    let mut sql = "UPDATE resource SET version = ?, revision = ?, body = ?".to_owned();
    let mut binds = binds![after.version, after.revision, body].to_vec();
    // Setting a column costs a row for each of its indexes, even if its value does not change.
    if before.record.key != after.key {
        sql.push_str(", key = ?");
        binds.push(after.key.as_deref().into());
    }
    let entries = new.to_json();
    if new.items != old.items || entries != old.to_json() || earlier.number != newest.number {
        sql.push_str(", items = ?, entries = jsonb(?), generation = ?");
        binds.extend(binds![new.items, &entries, newest.number]);
    }
    sql.push_str(" WHERE seq = ?");
    binds.push(before.seq.into());
    database.execute(&sql, &binds)?;
    if is_indexed {
        index::write(database, &[(before.seq, Some(&old), Some(&new))])?;
    }
    Ok(Contents::of_record(&new))
}

pub(crate) fn remove<D: Database>(
    fields: &Fields,
    database: &D,
    is_indexed: bool,
    stored: &Stored,
) -> Result<()> {
    database.execute("DELETE FROM resource WHERE seq = ?", &binds![stored.seq])?;
    if !is_indexed {
        return Ok(());
    }
    let generation = fields.generation(stored.generation);
    index::write(database, &[(stored.seq, Some(&Index::of(generation, &stored.body)), None)])
}

/// Stores the last version of a deleted ID (D5).
pub(crate) fn bury<D: Database>(database: &D, id: &str, version: u64, revision: Millis) -> Result<()> {
    database.execute(
        "INSERT INTO tombstone(id, version, revision) VALUES(?, ?, ?) \
         ON CONFLICT(id) DO UPDATE SET version = excluded.version, revision = excluded.revision",
        &binds![id, version, revision],
    )
}
