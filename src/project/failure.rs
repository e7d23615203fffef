//! Why a call was not performed.

use crate::call::Read;
use crate::contract::error::reason::Reason;
use crate::contract::error::{ApiError, Code};

use super::store::database::StoreError;

/// Why a call was not performed: the caller's error, or a fault of the store.
#[derive(Debug)]
pub(super) enum Failure {
    /// The call must not be performed. Nothing has changed.
    Refused(ApiError),
    /// The database failed. The transaction is rolled back.
    Fault(StoreError),
}

impl Failure {
    /// Maps the caller's error.
    pub(super) fn map(self, change: impl FnOnce(ApiError) -> ApiError) -> Self {
        match self {
            Self::Refused(error) => Self::Refused(change(error)),
            fault @ Self::Fault(_) => fault,
        }
    }
}

impl From<ApiError> for Failure {
    fn from(error: ApiError) -> Self {
        Self::Refused(error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Fault(error)
    }
}

/// Returns whether SQLite rejects the statement for its length, its depth, its number of steps, or the length of its
/// values. The limits of the contract should prevent that; this is the last resort.
pub(super) fn is_too_large(fault: &StoreError) -> bool {
    [
        "statement too long",
        "Expression tree is too large",
        "out of memory",
        "parser stack overflow",
        "too big",
        "TOOBIG",
    ]
    .iter()
    .any(|text| fault.0.contains(text))
}

/// Returns the error of a query whose statement SQLite rejects.
pub(super) fn too_large(read: &Read, fault: StoreError) -> ApiError {
    let (parameter, reason) = match read {
        Read::Search(_) => ("filter", "there are too many filters, words, and facets; send fewer"),
        Read::Resource(_) | Read::Query(_) | Read::QuerySorted(_) | Read::Exists(_) => {
            ("where", "the predicates and parameters are too long or too deeply nested; send a shorter query")
        }
    };
    let mut error = ApiError::parameter(Code::InvalidInput, parameter, reason).because(Reason::Size);
    error.cause = Some(fault.0);
    error
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    #[test]
    fn a_statement_that_sqlite_rejects_is_the_callers_error() {
        for text in [
            "statement too long",
            "statement too long: SQLITE_TOOBIG: SELECT",
            "out of memory: SQLITE_NOMEM: SELECT",
            "Expression tree is too large (maximum depth 100): SQLITE_ERROR: SELECT",
            "string or blob too big: SQLITE_TOOBIG: SELECT",
        ] {
            assert!(is_too_large(&StoreError(text.to_owned())), "{text}");
        }
        for text in ["disk I/O error", "unexpected row of: a query", "integer overflow: SQLITE_ERROR"] {
            assert!(!is_too_large(&StoreError(text.to_owned())), "{text}");
        }
    }
}
