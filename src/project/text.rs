//! The full-text index: the words of each record's texts, folded and split before they reach SQLite.

use crate::contract::model::Record;
use crate::search::index_text;

use super::database::{Bind, Database, StoreError};

/// The longest text that is bound, in bytes. The platform accepts a little more.
const BOUND_BYTES: usize = 2_000_000;

/// Replaces the words of the record `before` by those of `after`.
pub(super) fn update<D: Database>(
    database: &D,
    seq: i64,
    before: Option<&Record>,
    after: Option<&Record>,
) -> Result<(), StoreError> {
    let old = before.map(index_text).unwrap_or_default();
    let new = after.map(index_text).unwrap_or_default();
    if old == new {
        return Ok(());
    }
    if new.is_empty() {
        return database.execute("DELETE FROM text WHERE rowid = ?", &[Bind::Integer(seq)]);
    }
    let (words, more) = split(&new);
    let sql = if old.is_empty() {
        "INSERT INTO text(words, more, rowid) VALUES(?, ?, ?)"
    } else {
        // The platform counts one row for the update, but two for a delete and an insert.
        "UPDATE text SET words = ?, more = ? WHERE rowid = ?"
    };
    database.execute(sql, &[Bind::Text(words), more.map_or(Bind::Null, Bind::Text), Bind::Integer(seq)])
}

/// Splits words that are too long for one bound text at a space: folding triples the length of a text at most.
fn split(words: &str) -> (&str, Option<&str>) {
    if words.len() <= BOUND_BYTES {
        return (words, None);
    }
    let at = words.as_bytes().iter().take(BOUND_BYTES).rposition(|byte| *byte == b' ').unwrap_or(BOUND_BYTES);
    words.split_at_checked(at).map_or((words, None), |(words, more)| (words, Some(more)))
}
