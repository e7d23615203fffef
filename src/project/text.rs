//! The full-text index: the words of each record's texts, folded and cut before SQLite sees them.

use crate::contract::model::Record;
use crate::search::index_text;

use super::database::{Bind, Database, StoreError};

/// Brings a record's words from what `before` had to what `after` has.
pub(super) fn update<D: Database>(
    database: &D,
    seq: i64,
    before: Option<&Record>,
    after: &Record,
) -> Result<(), StoreError> {
    let old = before.map(index_text).unwrap_or_default();
    let new = index_text(after);
    if old == new {
        return Ok(());
    }
    if !old.is_empty() {
        remove(database, seq)?;
    }
    if !new.is_empty() {
        database.execute(
            "INSERT INTO text(rowid, words) VALUES(?, ?)",
            &[Bind::Integer(seq), Bind::Text(&new)],
        )?;
    }
    Ok(())
}

/// Removes a record's words.
pub(super) fn remove<D: Database>(database: &D, seq: i64) -> Result<(), StoreError> {
    database.execute("DELETE FROM text WHERE rowid = ?", &[Bind::Integer(seq)])
}
