//! The table `meta`: single values by name.

use crate::util::time::Millis;

use super::database::{Bind, Database, Result, Row, binds};

/// The version of the tables.
pub(crate) const TABLES: &str = "tables";
/// The version of the index, negated while it is rebuilt.
pub(crate) const INDEX: &str = "index";
/// The last indexed record.
pub(crate) const INDEXED: &str = "indexed";
/// The number of the newest generation of the index; absent if it is the first.
pub(crate) const GENERATION: &str = "generation";
/// The last record that has the newest generation while the index is renewed; absent if all have it.
pub(crate) const RENEWED: &str = "renewed";
/// Present if an import brought values that the shape did not allow.
pub(crate) const FOREIGN: &str = "foreign";
/// The project's key.
pub(crate) const PROJECT: &str = "project";
/// The revision up to which a project has only imported lines.
pub(crate) const IMPORTED: &str = "imported";
/// The name of the history of positions, and the epoch for which it was created.
pub(crate) const HISTORY: &str = "history";
pub(crate) const EPOCH: &str = "epoch";
/// The watermark of the outbox: the revision up to which writes are replicated.
pub(crate) const REPLICATED: &str = "replicated";
/// When the next turn of the sweep is due.
pub(crate) const SWEEP_DUE: &str = "sweep";
/// Where the next turn of the sweep continues; absent if a sweep begins.
pub(crate) const SWEEP_PLACE: &str = "sweep_place";
/// When the last complete sweep ended.
pub(crate) const SWEEP_ENDED: &str = "swept";
/// How many complete sweeps the repair of KV after a restore still needs.
pub(crate) const REPAIR: &str = "repair";

/// Returns the key of the project that the database has; `None` before its first write, also if there are no tables.
pub fn key_in<D: Database>(database: &D) -> Result<Option<String>> {
    if !database.has_row("SELECT 1 AS one FROM sqlite_master WHERE name = 'meta'", &[])? {
        return Ok(None);
    }
    Ok(get(database, PROJECT, |row| Some(row.text(0)))?.flatten())
}

fn get<D: Database, T>(database: &D, name: &str, read: impl Fn(&dyn Row) -> Option<T>) -> Result<Option<T>> {
    database.first("SELECT value FROM meta WHERE name = ?", &binds![name], read)
}

pub(crate) fn time<D: Database>(database: &D, name: &str) -> Result<Option<Millis>> {
    get(database, name, |row| row.unsigned(0))
}

pub(crate) fn bytes<D: Database>(database: &D, name: &str) -> Result<Option<Vec<u8>>> {
    get(database, name, |row| row.blob(0))
}

pub(crate) fn set<'v, D: Database>(database: &D, name: &str, value: impl Into<Bind<'v>>) -> Result<()> {
    database.execute(
        "INSERT INTO meta(name, value) VALUES(?, ?) ON CONFLICT(name) DO UPDATE SET value = excluded.value",
        &[name.into(), value.into()],
    )
}

pub(crate) fn remove<D: Database>(database: &D, name: &str) -> Result<()> {
    database.execute("DELETE FROM meta WHERE name = ?", &binds![name])
}
