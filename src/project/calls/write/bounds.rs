//! The bounds of the body of a record that a write stores.

use crate::contract::error::{ApiError, Code, Member, Reason};
use crate::contract::limits;

use crate::project::store::fields::Fields;
use crate::project::store::index::entries::Index;

/// The values of a body have at most so many times its bytes in the index of a row: once for each level of lists of
/// objects, each with the folded texts.
const COPIES: usize = 16;

/// Returns an error if a body that a write stores does not fit in a row.
pub(super) fn check_bounds(fields: &Fields, body: &str) -> Result<(), ApiError> {
    check_body_size(body)?;
    // Of lists of objects that a resource declares, the row has all values a second time.
    if fields.shape.is_declared() && body.len() > limits::ROW_BYTES / COPIES {
        let row = body.len() + Index::of(&fields.newest, body).all_to_json().len();
        let limit = limits::ROW_BYTES;
        if row > limit {
            let message = format!(
                "The resource would have {row} bytes with the values of its lists of objects, which are indexed. The \
                 limit is {limit} bytes."
            );
            return Err(content_too_large(message, Member::Maximum, limit));
        }
    }
    Ok(())
}

/// Returns an error if the body of a record is too large.
pub(crate) fn check_body_size(body: &str) -> Result<(), ApiError> {
    let (bytes, limit) = (body.len(), limits::BODY_BYTES);
    if bytes > limit {
        let message = format!("The resource would have {bytes} bytes. The limit is {limit} bytes.");
        return Err(content_too_large(message, Member::Maximum, limit));
    }
    Ok(())
}

pub(crate) fn content_too_large(message: String, member: Member, limit: usize) -> ApiError {
    ApiError::new(Code::ContentTooLarge, message).because(Reason::Size).with(member, limit as i64)
}
