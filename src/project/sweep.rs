//! The slow sweep: lists what KV holds, page by page, and notes what differs from the truth. It finds what no outbox can
//! know of: an entry that a late put overwrote, one that somebody removed, a namespace that was lost.

use crate::contract::kv::{Kind, Metadata};
use crate::contract::time::Millis;

use super::database::{Bind, Database, StoreError};
use super::outbox::{self, Outbox};
use super::records::{self, millis};

/// How long after the end of one sweep the next begins.
const SWEEP_MS: Millis = 24 * 60 * 60 * 1000;
/// How long a sweep pauses between two pages, so that it never competes with the project's calls.
const PAUSE_MS: Millis = 1_000;

/// A page of KV that is due to be listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sweep {
    /// The beginning of the entries' keys.
    pub prefix: String,
    /// Where KV said that the page begins; `None` at the beginning.
    pub cursor: Option<String>,
    kind: Kind,
    /// The last name of the page before.
    after: String,
}

/// An entry of KV as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its key.
    pub entry: String,
    /// Its metadata; `None` where it has none that could be read.
    pub metadata: Option<Metadata>,
}

/// When the next page is due. The first sweep begins a while after the project's first write.
pub(super) fn next<D: Database>(database: &D, now: Millis) -> Result<Millis, StoreError> {
    let due = database.first("SELECT value FROM meta WHERE name = 'sweep'", &[], |row| millis(row, 0))?;
    if let Some(due) = due {
        return Ok(due);
    }
    records::set_meta(database, "sweep", Bind::Integer((now + SWEEP_MS) as i64))?;
    Ok(now + SWEEP_MS)
}

/// The page to list now; `None` where none is due.
pub(super) fn due<D: Database>(
    database: &D,
    project: &str,
    now: Millis,
) -> Result<Option<Sweep>, StoreError> {
    if next(database, now)? > now {
        return Ok(None);
    }
    let text = |name| {
        database.first("SELECT value FROM meta WHERE name = ?", &[Bind::Text(name)], |row| row.text(0))
    };
    let kind = if text("sweep_kind")?.as_deref() == Some("key") { Kind::Key } else { Kind::Resource };
    let after = text("sweep_after")?.unwrap_or_default();
    let cursor = text("sweep_cursor")?;
    Ok(Some(Sweep { prefix: kind.prefix(project), cursor, kind, after }))
}

/// Compares a page with the truth and notes what differs; `cursor` is where KV says that the next page begins.
pub(super) fn compare<D: Database>(
    database: &D,
    outbox: &Outbox,
    sweep: &Sweep,
    page: &[Listed],
    cursor: Option<&str>,
    now: Millis,
) -> Result<(), StoreError> {
    let names: Vec<(&str, Option<&Metadata>)> = page
        .iter()
        .filter_map(|listed| Some((listed.entry.strip_prefix(&sweep.prefix)?, listed.metadata.as_ref())))
        .collect();
    let last = cursor.and_then(|_| names.last()).map(|(name, _)| *name);
    let newest = records::newest(database)?;
    let mut truth = present(database, sweep, last)?.into_iter().peekable();
    let mut differing = Vec::new();
    for (name, metadata) in &names {
        // What stands before this name in the truth is not in KV at all.
        while let Some(missing) = truth.next_if(|present| present.name.as_str() < *name) {
            differing.push((missing.name, Some(missing.revision)));
        }
        let present = truth.next_if(|present| present.name == *name);
        if !agrees(sweep.kind, present.as_ref(), *metadata) {
            differing.push(((*name).to_owned(), present.map(|present| present.revision)));
        }
    }
    differing.extend(truth.map(|missing| (missing.name, Some(missing.revision))));
    for (name, revision) in differing {
        if !outbox.holds(&[&sweep.prefix, name.as_str()].concat(), revision) {
            outbox::record_difference(database, sweep.kind, &name, newest, now)?;
        }
    }
    advance(database, sweep, last, cursor, now)
}

/// What the truth has of a name.
struct Present {
    name: String,
    id: String,
    revision: Millis,
}

/// The names that the page covers: after the last page, up to the last of this one.
fn present<D: Database>(database: &D, sweep: &Sweep, last: Option<&str>) -> Result<Vec<Present>, StoreError> {
    let sql = match sweep.kind {
        Kind::Resource => {
            "SELECT id AS name, id, revision FROM resource WHERE id > ?1 AND (?2 IS NULL OR id <= ?2) ORDER BY id"
        }
        Kind::Key => {
            "SELECT key AS name, id, revision FROM resource WHERE key > ?1 AND (?2 IS NULL OR key <= ?2) ORDER BY key"
        }
    };
    let mut found = Vec::new();
    database.query(sql, &[Bind::Text(&sweep.after), last.map_or(Bind::Null, Bind::Text)], &mut |row| {
        let present = || Some(Present { name: row.text(0)?, id: row.text(1)?, revision: millis(row, 2)? });
        found.push(present().ok_or_else(|| StoreError("unexpected row of resource".to_owned()))?);
        Ok(())
    })?;
    Ok(found)
}

fn agrees(kind: Kind, present: Option<&Present>, metadata: Option<&Metadata>) -> bool {
    match (present, metadata) {
        (None, Some(metadata)) => metadata.deleted,
        (Some(present), Some(metadata)) => {
            !metadata.deleted
                && match kind {
                    Kind::Resource => metadata.revision == present.revision,
                    Kind::Key => metadata.id.as_ref() == Some(&present.id),
                }
        }
        (_, None) => false,
    }
}

/// Notes where the sweep goes on: the next page, the keys after the resources, or the next day.
fn advance<D: Database>(
    database: &D,
    sweep: &Sweep,
    last: Option<&str>,
    cursor: Option<&str>,
    now: Millis,
) -> Result<(), StoreError> {
    let (kind, due) = match (cursor, sweep.kind) {
        (Some(_), kind) => (kind, now + PAUSE_MS),
        (None, Kind::Resource) => (Kind::Key, now + PAUSE_MS),
        (None, Kind::Key) => (Kind::Resource, now + SWEEP_MS),
    };
    let after = if cursor.is_some() { last.unwrap_or(&sweep.after) } else { "" };
    records::set_meta(
        database,
        "sweep_kind",
        Bind::Text(if kind == Kind::Key { "key" } else { "resource" }),
    )?;
    records::set_meta(database, "sweep_after", Bind::Text(after))?;
    match cursor {
        Some(cursor) => records::set_meta(database, "sweep_cursor", Bind::Text(cursor))?,
        None => database.execute("DELETE FROM meta WHERE name = 'sweep_cursor'", &[])?,
    }
    records::set_meta(database, "sweep", Bind::Integer(due as i64))
}

/// Begins the sweep anew at the next alarm: KV's place in the list was lost, or is no longer known to it.
pub(super) fn restart<D: Database>(database: &D, now: Millis) -> Result<(), StoreError> {
    database.execute("DELETE FROM meta WHERE name IN ('sweep_kind', 'sweep_after', 'sweep_cursor')", &[])?;
    records::set_meta(database, "sweep", Bind::Integer((now + SWEEP_MS / 24) as i64))
}
