//! The index of a record: its `entries` column, its rows of `term`, and its words. `term` finds resources by a value.
//! `entries` finds the values of a resource. It is JSONB, so that SQLite reads a part of it without parsing the rest,
//! and it costs no row.

pub(crate) mod entries;
pub(crate) mod term_rows;
pub(crate) mod values;
pub(crate) mod words;

use crate::project::store::database::{Database, Result};

use self::entries::{Index, Renewed};

/// Inserts the rows of `term` and the words of new records, each with its number.
pub(crate) fn insert<D: Database>(database: &D, indexes: &[(i64, Index<'_>)]) -> Result<()> {
    term_rows::insert(database, indexes)?;
    indexes.iter().try_for_each(|(seq, index)| words::update(database, *seq, None, Some(index)))
}

/// Changes the rows of `term` and the words of records, each with its number, from those of the first index to those of
/// the second.
pub(crate) fn renew<D: Database>(database: &D, renewed: &[Renewed<'_>]) -> Result<()> {
    term_rows::renew(database, renewed)?;
    renewed.iter().try_for_each(|(seq, old, new)| words::update(database, *seq, Some(old), Some(new)))
}

/// Changes a record's rows of `term` and its words from those of `before` to those of `after`. Writes only the
/// difference.
pub(crate) fn update<D: Database>(
    database: &D,
    seq: i64,
    before: &Index<'_>,
    after: Option<&Index<'_>>,
) -> Result<()> {
    term_rows::update(database, seq, before, after)?;
    words::update(database, seq, Some(before), after)
}
