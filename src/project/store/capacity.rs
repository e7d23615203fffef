//! How full a project's database is (D34).

use crate::contract::error::{ApiError, Code};
use crate::contract::limits::{DATABASE_BYTES, DATABASE_FULL_PERCENT, DATABASE_WARNING_PERCENT};
use crate::contract::response::services::{FULL, NEARLY_FULL, OK};

use super::database::{Database, StoreError};

#[derive(Debug)]
pub(crate) struct Room {
    pub(crate) bytes: u64,
}

impl Room {
    pub(crate) fn of<D: Database>(database: &D) -> Result<Self, StoreError> {
        Ok(Self { bytes: database.bytes()? })
    }

    /// Returns the share of the limit in percent.
    pub(crate) const fn percent(&self) -> u64 {
        self.bytes.saturating_mul(100) / DATABASE_BYTES
    }

    /// Returns the state for the operator.
    pub(crate) const fn state(&self) -> &'static str {
        match self.percent() {
            DATABASE_FULL_PERCENT.. => FULL,
            DATABASE_WARNING_PERCENT.. => NEARLY_FULL,
            _ => OK,
        }
    }

    /// Returns the error of a call that adds data, if the room that is left is for deletions.
    pub(crate) fn refusal(&self) -> Option<ApiError> {
        if self.percent() < DATABASE_FULL_PERCENT {
            return None;
        }
        let message = "The project's database is full. Reads and deletions work: delete resources that are no longer needed, \
                       or the project's data.";
        let mut error = ApiError::new(Code::InsufficientStorage, message);
        error.cause = Some(format!("the database has {} bytes", self.bytes));
        Some(error)
    }
}
