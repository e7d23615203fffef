//! Reads the body of a request, after everything else about the request was accepted (D35).

use crate::contract::error::{ApiError, Code, Member, Reason};
use crate::contract::limits;

use crate::server::platform::{Host, Port, Unreachable};

/// How much of a body that is too large is read and discarded before the response, in bytes.
const DISCARD_BYTES: usize = 16 * limits::BODY_BYTES;

/// Returns the body of a request whose caller was accepted, empty if there is none.
pub(crate) async fn read<H: Host>(platform: &Port<H>) -> Result<Vec<u8>, ApiError> {
    read_within(platform, limits::BODY_BYTES, DISCARD_BYTES, Code::InvalidInput).await
}

/// Returns the form of a request for tokens, empty if there is none. The caller may be anybody, so nothing beyond the
/// limit is read.
pub(crate) async fn read_form<H: Host>(platform: &Port<H>) -> Result<Vec<u8>, ApiError> {
    read_within(platform, limits::FORM_BYTES, limits::FORM_BYTES, Code::InvalidRequest).await
}

/// Returns a body of at most `limit` bytes. Of a longer one, up to `discard` bytes are read and dropped. `incomplete`
/// is the code of the error if the caller breaks the body off.
async fn read_within<H: Host>(
    platform: &Port<H>,
    limit: usize,
    discard: usize,
    incomplete: Code,
) -> Result<Vec<u8>, ApiError> {
    match platform.read_body(limit, discard).await {
        Ok(Some(bytes)) => Ok(bytes),
        Ok(None) => Err(too_large(limit)),
        // The error has no cause for the log, because no part of the service failed.
        Err(Unreachable(_)) => Err(ApiError::new(incomplete, "The request body is incomplete.")),
    }
}

fn too_large(limit: usize) -> ApiError {
    let message = format!("The request body is too large. The limit is {limit} bytes.");
    let error = ApiError::new(Code::ContentTooLarge, message).because(Reason::Size);
    error.with(Member::Maximum, limit as i64)
}
