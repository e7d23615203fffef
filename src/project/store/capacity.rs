//! How full a project's database is (D34).

use core::cell::Cell;

use crate::contract::error::{ApiError, Code};
use crate::contract::limits::{DATABASE_BYTES, DATABASE_FULL_PERCENT, DATABASE_WARNING_PERCENT};
use crate::contract::response::services::{FULL, NEARLY_FULL, OK};

use super::database::{Database, Result};

/// After how many writes the size is read again, because a reading takes as long as a small statement. So many of the
/// largest records have less data and index entries than the room that is left when a project counts as full.
const WRITES: u32 = 16;

/// The size of the database, as it was read last.
#[derive(Debug, Default)]
pub(crate) struct Capacity {
    /// How many writes may follow before the next reading.
    rest: Cell<u32>,
}

/// Returns the share of the limit in percent.
pub(crate) const fn percent(bytes: u64) -> u64 {
    bytes.saturating_mul(100) / DATABASE_BYTES
}

pub(crate) const fn state(bytes: u64) -> &'static str {
    match percent(bytes) {
        DATABASE_FULL_PERCENT.. => FULL,
        DATABASE_WARNING_PERCENT.. => NEARLY_FULL,
        _ => OK,
    }
}

impl Capacity {
    /// Returns how many bytes the database has.
    pub(crate) fn read<D: Database>(&self, database: &D) -> Result<u64> {
        let bytes = database.bytes()?;
        self.rest.set(if percent(bytes) < DATABASE_FULL_PERCENT { WRITES } else { 0 });
        Ok(bytes)
    }

    /// Returns the error of a write that adds data, if the room that is left is for deletions.
    pub(crate) fn refuse_write<D: Database>(&self, database: &D) -> Result<Option<ApiError>> {
        match self.rest.get().checked_sub(1) {
            Some(rest) => {
                self.rest.set(rest);
                Ok(None)
            }
            None => self.refuse(database),
        }
    }

    /// The same for a call that may add more than a write.
    pub(crate) fn refuse<D: Database>(&self, database: &D) -> Result<Option<ApiError>> {
        let bytes = self.read(database)?;
        if percent(bytes) < DATABASE_FULL_PERCENT {
            return Ok(None);
        }
        let message = "The project's database is full. Reads and deletions work: delete resources that are no longer \
                       needed, or the project's data.";
        let mut error = ApiError::new(Code::InsufficientStorage, message);
        error.cause = Some(format!("the database has {bytes} bytes"));
        Ok(Some(error))
    }
}
