//! Makes the index anew from the records, a bounded part at a time: what the index holds (`entries`, `term`, `text`) is
//! all in the bodies.
//!
//! The platform ends a call that computes for too long, so a large project cannot be done in one. Until the last part is
//! done, the project answers reads by ID and key alone.

use super::database::{Bind, Database, StoreError};
use super::records::{self, Stored};
use super::terms::{self, Index};
use super::text;

/// The bytes of records after which a part ends: about a tenth of a second of work.
const PART_BYTES: usize = 128 * 1024;
/// The name of the last record done in `meta`.
pub(super) const REBUILT: &str = "rebuilt";

/// Empties the index, so that [`part`] can begin.
pub(super) fn begin<D: Database>(database: &D) -> Result<(), StoreError> {
    database.execute("DELETE FROM term", &[])?;
    database.execute("INSERT INTO text(text) VALUES('delete-all')", &[])
}

/// Indexes the records after the last one done; returns whether all are.
pub(super) fn part<D: Database>(database: &D, rebuilt: i64) -> Result<bool, StoreError> {
    let mut after = rebuilt;
    let mut bytes = 0;
    while bytes < PART_BYTES {
        // One at a time: a record takes many times its bytes once it is read.
        let next = database.first(
            "SELECT seq, body FROM resource WHERE seq > ? ORDER BY seq LIMIT 1",
            &[Bind::Integer(after)],
            records::parts,
        )?;
        let Some((seq, body)) = next else {
            return Ok(true);
        };
        bytes += body.len();
        let Stored { record, .. } = records::read((seq, body))?;
        let index = Index::of(&record);
        database.execute(
            "UPDATE resource SET entries = jsonb(?) WHERE seq = ?",
            &[Bind::Text(&terms::entries(&index)), Bind::Integer(seq)],
        )?;
        terms::update(database, seq, None, Some(&index))?;
        text::update(database, seq, None, Some(&record))?;
        after = seq;
    }
    records::set_meta(database, REBUILT, Bind::Integer(after))?;
    Ok(false)
}
