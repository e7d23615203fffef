//! The project's newest revision.

use std::cell::Cell;

use crate::util::time::Millis;

use super::database::{Database, Result, cached};
use super::records;

/// The project's newest revision and its size, cached in memory: nothing else writes to the database.
#[derive(Debug, Default)]
pub(crate) struct Newest {
    revision: Cell<Option<Millis>>,
    pub(crate) size: records::Size,
}

impl Newest {
    pub(crate) fn get<D: Database>(&self, database: &D) -> Result<Millis> {
        cached(&self.revision, || records::newest(database))
    }

    pub(crate) fn set(&self, revision: Millis) {
        self.revision.set(Some(revision));
    }
}
