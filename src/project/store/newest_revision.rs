//! The project's newest revision.

use std::cell::Cell;

use crate::contract::error::{ApiError, Code, quoted};
use crate::util::time::Millis;

use super::database::{Database, Result, cached};
use super::records::{self, By};

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

/// Returns 404 with the project's newest revision (D19; section 10).
pub(crate) fn not_found<D: Database>(database: &D, newest: &Newest, by: By<'_>) -> Result<ApiError> {
    let (what, name) = match by {
        By::Id(id) => ("ID", id),
        By::Key(key) => ("key", key),
    };
    let message = format!("The Resource with {what} '{}' was not found.", quoted(name));
    let mut error = ApiError::new(Code::ResourceNotFound, message);
    error.revision = Some(newest.get(database)?);
    Ok(error)
}
