//! Decodes a batch: several writes of one request.

use crate::call::{Change, WriteOptions};
use crate::contract::api::endpoint::CallId;
use crate::contract::api::header::RequestHeader;
use crate::contract::error::ApiError;
use crate::shape::{ObjectId, Shape};
use crate::validate::{self, Rejection, WriteInput};

/// Returns the options of a batch, or the error of a precondition: it would be about one of the writes, but which?
pub(crate) fn options(options: WriteOptions) -> Result<WriteOptions, ApiError> {
    for (condition, header) in
        [(&options.if_match, RequestHeader::IfMatch), (&options.if_none_match, RequestHeader::IfNoneMatch)]
    {
        if condition.is_some() {
            let reason = "expected no precondition of a batch; its writes may have versions";
            return Err(ApiError::header(header.name(), reason));
        }
    }
    Ok(WriteOptions { respond_async: false, ..options })
}

/// Reads the writes of a body. All problems of all writes are one error.
pub(crate) fn writes(shape: &Shape, bytes: &[u8]) -> Result<Vec<Change>, ApiError> {
    let writes = validate::batch_input(shape, bytes, |write| change(shape, write));
    let writes = writes.map_err(Rejection::into_error)?;
    // The shape allows no other operation.
    writes.into_iter().collect::<Option<_>>().ok_or_else(ApiError::general)
}

fn change(shape: &Shape, write: WriteInput<'_, '_>) -> Option<Change> {
    let is = |id: CallId| write.operation == id.name();
    Some(if is(CallId::CreateOrUpdate) {
        Change::CreateOrUpdate(write.resource(shape, ObjectId::Draft))
    } else if is(CallId::Overwrite) {
        Change::Overwrite(write.resource(shape, ObjectId::Overwrite))
    } else if is(CallId::CreateOrOverwrite) {
        Change::CreateOrOverwrite(write.resource(shape, ObjectId::Overwrite))
    } else if is(CallId::UpdateById) {
        Change::UpdateById { update: write.update(shape), id: write.id }
    } else if is(CallId::DeleteById) {
        Change::DeleteById { id: write.id, version: write.version }
    } else {
        return None;
    })
}
