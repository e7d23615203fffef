//! What KV has yet to be told. A row stands for a key of KV, not for a write: the truth is read when the put is made,
//! so any number of writes to one resource coalesce to the newest.

use crate::contract::kv::{Kind, Metadata, TOMBSTONE_SECONDS};
use crate::contract::time::Millis;

use super::database::{Bind, Database, StoreError};
use super::records::{self, By, millis};

/// How long the alarm waits for the ordinary drain, which begins as soon as a write is answered.
const ALARM_MS: Millis = 5_000;
/// How long after an uncertain put the key is put once more: the put may still land, over a newer one.
const CONFIRM_MS: Millis = 60_000;
/// The longest pause between two tries.
const BACKOFF_MAX_MS: Millis = 60_000;
/// How many puts one turn of the drain takes.
const BATCH: i64 = 100;

/// A put that KV should get.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Put {
    /// The key in KV.
    pub entry: String,
    /// The value: a record's body, the id that a key names, or nothing for a tombstone.
    pub value: String,
    /// The metadata, as JSON.
    pub metadata: String,
    /// After how many seconds the entry goes; `None`: never.
    pub ttl_seconds: Option<u32>,
    kind: Kind,
    name: String,
    revision: Millis,
}

fn number(kind: Kind) -> i64 {
    match kind {
        Kind::Resource => 0,
        Kind::Key => 1,
    }
}

/// Notes that the entry must be told of a write, and sees to it that the alarm rings if nobody else does it.
pub(super) fn note<D: Database>(
    database: &D,
    kind: Kind,
    name: &str,
    revision: Millis,
    now: Millis,
) -> Result<(), StoreError> {
    database.execute(
        "INSERT INTO outbox(kind, name, revision, due, attempts) VALUES(?, ?, ?, ?, 0) ON CONFLICT(kind, name) \
         DO UPDATE SET revision = excluded.revision, due = excluded.due, attempts = 0",
        &[
            Bind::Integer(number(kind)),
            Bind::Text(name),
            Bind::Integer(revision as i64),
            Bind::Integer(now as i64),
        ],
    )?;
    database.arm(now + ALARM_MS)
}

/// Notes every record and key of the project, as if each had just been written.
pub(super) fn note_all<D: Database>(database: &D, now: Millis) -> Result<(), StoreError> {
    for sql in [
        "INSERT INTO outbox(kind, name, revision, due, attempts) SELECT 0, id, revision, ?, 0 FROM resource \
         WHERE true ON CONFLICT(kind, name) DO NOTHING",
        "INSERT INTO outbox(kind, name, revision, due, attempts) SELECT 1, key, revision, ?, 0 FROM resource \
         WHERE key IS NOT NULL ON CONFLICT(kind, name) DO NOTHING",
    ] {
        database.execute(sql, &[Bind::Integer(now as i64)])?;
    }
    database.arm(now + 1)
}

/// The puts that are due, oldest first, each with the truth as it is now.
pub(super) fn pending<D: Database>(database: &D, project: &str, now: Millis) -> Result<Vec<Put>, StoreError> {
    let mut due = Vec::new();
    database.query(
        "SELECT kind, name, revision FROM outbox WHERE due <= ? ORDER BY due LIMIT ?",
        &[Bind::Integer(now as i64), Bind::Integer(BATCH)],
        &mut |row| {
            let fault = || StoreError("unexpected row of outbox".to_owned());
            let kind = match row.integer(0).ok_or_else(fault)? {
                0 => Kind::Resource,
                _ => Kind::Key,
            };
            due.push((kind, row.text(1).ok_or_else(fault)?, millis(row, 2).ok_or_else(fault)?));
            Ok(())
        },
    )?;
    due.into_iter().map(|(kind, name, revision)| put(database, project, kind, name, revision)).collect()
}

fn put<D: Database>(
    database: &D,
    project: &str,
    kind: Kind,
    name: String,
    revision: Millis,
) -> Result<Put, StoreError> {
    let by = match kind {
        Kind::Resource => By::Id(&name),
        Kind::Key => By::Key(&name),
    };
    let (value, metadata) = match (records::find(database, by)?, kind) {
        (Some(stored), Kind::Resource) => {
            let record = &stored.record;
            let metadata = Metadata {
                version: Some(record.version),
                revision: record.revision,
                key: record.key.clone(),
                deleted: false,
            };
            (record.to_json(), metadata)
        }
        (Some(stored), Kind::Key) => {
            let metadata =
                Metadata { version: None, revision: stored.record.revision, key: None, deleted: false };
            (stored.record.id, metadata)
        }
        (None, _) => (String::new(), Metadata { version: None, revision, key: None, deleted: true }),
    };
    let ttl_seconds = metadata.deleted.then_some(TOMBSTONE_SECONDS);
    let metadata = serde_json::to_string(&metadata).map_err(|error| StoreError(error.to_string()))?;
    Ok(Put { entry: kind.entry(project, &name), value, metadata, ttl_seconds, kind, name, revision })
}

/// Notes that a put succeeded: its row goes, unless a later write came or the key must be put once more.
pub(super) fn done<D: Database>(database: &D, put: &Put, now: Millis) -> Result<(), StoreError> {
    let row = [
        Bind::Integer(number(put.kind)),
        Bind::Text(&put.name),
        Bind::Integer(put.revision as i64),
        Bind::Integer(now as i64),
    ];
    let [kind, name, revision, now] = row;
    database.execute(
        "DELETE FROM outbox WHERE kind = ? AND name = ? AND revision = ? AND coalesce(confirm, 0) <= ?",
        &row,
    )?;
    database.execute(
        "UPDATE outbox SET due = confirm, attempts = 0 \
         WHERE kind = ? AND name = ? AND revision = ? AND confirm > ?",
        &[kind, name, revision, now],
    )
}

/// Notes that a put failed, or that nobody knows: it is tried again, and once more after a minute.
pub(super) fn failed<D: Database>(database: &D, put: &Put, now: Millis) -> Result<(), StoreError> {
    database.execute(
        "UPDATE outbox SET attempts = attempts + 1, due = ? + min(?, 1000 << min(attempts, 10)), confirm = ? \
         WHERE kind = ? AND name = ?",
        &[
            Bind::Integer(now as i64),
            Bind::Integer(BACKOFF_MAX_MS as i64),
            Bind::Integer((now + CONFIRM_MS) as i64),
            Bind::Integer(number(put.kind)),
            Bind::Text(&put.name),
        ],
    )
}

/// When the next put is due; `None` where KV knows everything.
pub(super) fn next_due<D: Database>(database: &D) -> Result<Option<Millis>, StoreError> {
    database.first("SELECT due FROM outbox ORDER BY due LIMIT 1", &[], |row| millis(row, 0))
}
