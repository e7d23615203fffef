//! What a write is refused for beside the rules of its body: the version, a precondition, and a name in use.

use crate::contract::error::{ApiError, Code, Member};
use crate::project::calls::unique;
use crate::shape::{Record, ResourceInput};

/// Compares versions, the only place that does (D5, D17).
pub(super) fn check_version(record: &Record, expected: Option<u64>) -> Result<(), ApiError> {
    let Record { id, version, .. } = record;
    match expected {
        Some(expected) if expected != *version => {
            let message = format!(
                "Object {id} has a different version than expected. Expected: {expected} - Actual: {version}."
            );
            // Versions stay below 2^53.
            let error = ApiError::new(Code::ConcurrentModification, message);
            Err(error.with(Member::CurrentVersion, *version as i64))
        }
        _ => Ok(()),
    }
}

pub(super) fn precondition_failed(header: &str, reason: &str) -> ApiError {
    ApiError::new(Code::PreconditionFailed, format!("Precondition failed: {reason}"))
        .with(Member::Header, header)
}

/// Returns the error of a creation whose target exists: at the member that names the target, for forms.
pub(super) fn in_use(name: &str) -> ApiError {
    precondition_failed("If-None-Match", &format!("a resource with this {name} exists."))
        .with(Member::Path, format!("/{name}"))
        .with(Member::Field, name)
}

pub(super) fn key_taken(key: &str) -> ApiError {
    unique::taken("key", key, "/key".to_owned())
}

/// Returns the error of a creation under a name that a resource has which the user may not read.
pub(super) fn taken(input: &ResourceInput) -> ApiError {
    match (&input.id, &input.key) {
        (Some(id), _) => unique::taken("id", id, "/id".to_owned()),
        (None, key) => key_taken(key.as_deref().unwrap_or_default()),
    }
}

/// Returns the member by which a body names its target (D12).
pub(super) fn named(input: &ResourceInput) -> Option<&'static str> {
    let key = || input.key.as_ref().map(|_| "key");
    input.id.as_ref().map(|_| "id").or_else(key)
}
