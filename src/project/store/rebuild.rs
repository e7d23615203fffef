//! Rebuilds the index from the records, a bounded part at a time. The contents of the index (`entries`, `term`, `text`)
//! all derive from the bodies.
//!
//! The platform ends a call that computes for too long, so a large project needs several calls. Until the last part is
//! done, the project supports only reads by ID and key.

use super::database::{Bind, Database, Result};
use super::index;
use super::index::entries::{self, Index};
use super::meta;
use super::records::{self, Stored};

/// A part ends after this many bytes of records: about a tenth of a second of work.
const PART_BYTES: usize = 128 * 1024;
/// The name in `meta` of the last indexed record.
pub(crate) const REBUILT: &str = "rebuilt";

/// Empties the index, so that [`part`] can begin.
pub(crate) fn begin<D: Database>(database: &D) -> Result<()> {
    database.execute("DELETE FROM term", &[])?;
    database.execute("INSERT INTO text(text) VALUES('delete-all')", &[])
}

/// Indexes the records after the last indexed one. Returns whether all are done.
pub(crate) fn part<D: Database>(database: &D, rebuilt: i64) -> Result<bool> {
    let mut after = rebuilt;
    let mut bytes = 0;
    while bytes < PART_BYTES {
        // One at a time: a decoded record takes many times its bytes.
        let next = database.first(
            "SELECT seq, body FROM resource WHERE seq > ? ORDER BY seq LIMIT 1",
            &[Bind::Integer(after)],
            records::parts,
        )?;
        let Some((seq, body)) = next else {
            return Ok(true);
        };
        let Stored { record, bytes: length, .. } = records::read((seq, body))?;
        bytes += length;
        let index = Index::of(&record);
        database.execute(
            "UPDATE resource SET items = ?, entries = jsonb(?) WHERE seq = ?",
            &[
                Bind::Integer(entries::count_items(&record, length)),
                Bind::Text(&index.to_json()),
                Bind::Integer(seq),
            ],
        )?;
        index::update(database, seq, None, Some(&index))?;
        after = seq;
    }
    meta::set(database, REBUILT, Bind::Integer(after))?;
    Ok(false)
}
