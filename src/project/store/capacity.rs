//! How full a project's database is (D34).

use crate::contract::error::{ApiError, Code};
use crate::contract::limits::{DATABASE_BYTES, DATABASE_FULL_PERCENT, DATABASE_WARNING_PERCENT};
use crate::contract::response::services::{FULL, NEARLY_FULL, OK};

use super::database::{Database, Result};

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

/// Returns the error of a call that adds data, if the room that is left is for deletions.
pub(crate) fn refusal<D: Database>(database: &D) -> Result<Option<ApiError>> {
    let bytes = database.bytes()?;
    if percent(bytes) < DATABASE_FULL_PERCENT {
        return Ok(None);
    }
    let message = "The project's database is full. Reads and deletions work: delete resources that are no longer needed, \
                   or the project's data.";
    let mut error = ApiError::new(Code::InsufficientStorage, message);
    error.cause = Some(format!("the database has {bytes} bytes"));
    Ok(Some(error))
}
