//! The table `meta`: single values by name.

use crate::util::time::Millis;

use super::database::{Bind, Database, Result, Row};

fn get<D: Database, T>(database: &D, name: &str, read: impl Fn(&dyn Row) -> Option<T>) -> Result<Option<T>> {
    database.first("SELECT value FROM meta WHERE name = ?", &[Bind::Text(name)], read)
}

pub(crate) fn time<D: Database>(database: &D, name: &str) -> Result<Option<Millis>> {
    get(database, name, |row| row.unsigned(0))
}

pub(crate) fn bytes<D: Database>(database: &D, name: &str) -> Result<Option<Vec<u8>>> {
    get(database, name, |row| row.blob(0))
}

pub(crate) fn set<D: Database>(database: &D, name: &str, value: Bind<'_>) -> Result<()> {
    database.execute(
        "INSERT INTO meta(name, value) VALUES(?, ?) ON CONFLICT(name) DO UPDATE SET value = excluded.value",
        &[Bind::Text(name), value],
    )
}

pub(crate) fn set_time<D: Database>(database: &D, name: &str, time: Millis) -> Result<()> {
    set(database, name, Bind::Integer(time as i64))
}

pub(crate) fn remove<D: Database>(database: &D, name: &str) -> Result<()> {
    database.execute("DELETE FROM meta WHERE name = ?", &[Bind::Text(name)])
}
