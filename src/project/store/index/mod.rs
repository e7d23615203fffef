//! The index of a record: its `entries` column, its rows of `term`, and its words. `term` finds resources by a value.
//! `entries` finds the values of a resource. It is JSONB, so that SQLite reads a part of it without parsing the rest,
//! and it costs no row.

pub(crate) mod entries;
pub(crate) mod term_rows;
pub(crate) mod values;
pub(crate) mod words;

use crate::project::store::database::{Database, Result};

use self::entries::IndexChange;

/// Changes the rows of `term` and the words of records. Writes only the difference.
pub(crate) fn write<D: Database>(database: &D, changes: &[IndexChange<'_, '_>]) -> Result<()> {
    term_rows::write(database, changes)?;
    words::write(database, changes)
}
