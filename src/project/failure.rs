//! Why a call was not performed.

use crate::call::Read;
use crate::contract::error::{ApiError, Member, Reason, quoted};
use crate::contract::param::{ParamId, Refusal};

use super::store::database::{StoreError, StoreErrorKind};

/// Why a call was not performed: the caller's error, or a fault of the store.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Nothing has changed.
    Refused(ApiError),
    /// The transaction is rolled back.
    Fault(StoreError),
}

impl Failure {
    pub(crate) fn map(self, change: impl FnOnce(ApiError) -> ApiError) -> Self {
        match self {
            Self::Refused(error) => Self::Refused(change(error)),
            fault @ Self::Fault(_) => fault,
        }
    }

    /// Returns the caller's error if SQLite rejects the statement of a query.
    pub(crate) fn of_long_query(self, error: impl FnOnce(StoreError) -> ApiError) -> Self {
        match self {
            Self::Fault(fault) if fault.kind == StoreErrorKind::TooLarge => Self::Refused(error(fault)),
            other => other,
        }
    }

    /// Returns the caller's error, or the fault as `Err`.
    pub(crate) fn refusal(self) -> Result<ApiError, StoreError> {
        match self {
            Self::Refused(error) => Ok(error),
            Self::Fault(fault) => Err(fault),
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

/// Returns the error of a call with fields of which the index does not yet have all values (D41).
pub(crate) fn renewing(names: &[&str]) -> ApiError {
    let (first, all) = (names.first().copied().unwrap_or_default(), names.join("', '"));
    let all = quoted(&all);
    let message = format!("The index of '{all}' is being rebuilt. Try again.");
    ApiError::unavailable(message).with(Member::Field, first)
}

/// Returns the error of a query whose statement SQLite rejects.
pub(crate) fn too_large(read: &Read, fault: StoreError) -> ApiError {
    let (parameter, reason) = match read {
        Read::Search(_) => (ParamId::Filter, "there are too many filters, words, and facets; send fewer"),
        Read::Resource(_) | Read::Query(_) | Read::QuerySorted(_) | Read::Exists(_) => (
            ParamId::Where,
            "the predicates and parameters are too long or too deeply nested; send a shorter query",
        ),
    };
    let refusal = Refusal::new(Reason::Size, reason.to_owned());
    ApiError::from(refusal.of(parameter.name())).with_cause(fault.reason)
}
