//! Restores a project to a moment of its past, which the platform keeps.
//!
//! The object ends itself, so its next start begins on the restored data. Only then may the repair of KV begin: whatever
//! the object wrote before would be undone with the rest.

use crate::call::{Call, Message};
use crate::contract::error::{ApiError, Code};
use crate::contract::reply::CallResult;
use crate::contract::response::services::restored;
use crate::util::json::ObjectWriter;

use super::http::Response;
use super::platform::{Platform, RestorePoint, Unreachable};
use super::respond;
use super::trace::Trace;

/// How often the object is called after it ended. The first call may still reach its end.
const ATTEMPTS: u32 = 3;

/// Restores the project, and begins to repair KV. The response has the bookmark even if the object does not start.
pub(super) async fn perform<P: Platform>(
    platform: &P,
    project: String,
    point: RestorePoint,
    trace: &mut Trace,
) -> Result<Response<P::Raw>, ApiError> {
    let undo = platform.restore(project.clone(), point).await.map_err(respond::unavailable)?;
    let undo = undo.map_err(|cause| {
        let message = "The project was not restored, and nothing was changed. It can only be restored on Cloudflare, to \
                       a time of the last 30 days or the bookmark of a restore.";
        let mut error = ApiError::new(Code::InvalidOperation, message);
        error.cause = Some(cause);
        error
    })?;
    let mut begun = Ok(());
    for _ in 0..ATTEMPTS {
        begun = begin_repair(platform, project.clone(), trace).await;
        if begun.is_ok() {
            break;
        }
    }
    let is_done = begun.is_ok();
    trace.cause = begun.err().map(|Unreachable(cause)| cause);
    let mut out = String::new();
    let mut object = ObjectWriter::open(&mut out);
    object.text(restored::UNDO, &undo);
    object.member(restored::IS_DONE).push_str(if is_done { "true" } else { "false" });
    object.close();
    Ok(respond::json(out))
}

async fn begin_repair<P: Platform>(
    platform: &P,
    project: String,
    trace: &mut Trace,
) -> Result<(), Unreachable> {
    let reply = platform.call_object(Message { project, call: Call::Restored }).await?;
    trace.add(&reply.head);
    match reply.head.result {
        CallResult::Error(error) => Err(Unreachable(error.message().to_owned())),
        _ => Ok(()),
    }
}
