//! `GET /health`: whether the Worker, KV, and the projects' objects work.
//!
//! It needs no token, so it must be cheap: an instance checks at most once in [`PERIOD`], and returns the last result
//! in between. A check reads one KV entry that nobody writes, and calls one object that belongs to no project. The
//! request has no influence on which object is called.

use core::cell::Cell;

use crate::call::{Call, CallResult, Message};
use crate::contract::error::ApiError;
use crate::contract::response::services::{DEGRADED, OK, UNAVAILABLE, UNKNOWN, health};
use crate::util::json;
use crate::util::time::Millis;

use crate::server::http::Response;
use crate::server::log::trace::Trace;
use crate::server::platform::{Host, Port, Unreachable};
use crate::server::response::respond;

/// How long a result is reused, in milliseconds.
const PERIOD: Millis = 10_000;
/// The KV entry, and the name of the object. A project key has no such character.
const NAME: &str = "~health";

#[derive(Debug, Default)]
pub(crate) struct Health {
    /// When the last check began. It may never have ended, because a caller can leave.
    begun: Cell<Option<Millis>>,
    kv: Cell<Option<&'static str>>,
    object: Cell<Option<&'static str>>,
}

/// Returns the state of a part, and records its failure.
fn state(found: Result<(), Unreachable>, trace: &mut Trace) -> &'static str {
    let Err(Unreachable(cause)) = found else { return OK };
    trace.fail(&cause);
    UNAVAILABLE
}

impl Health {
    /// Returns 200 if the service works, though reads may be slow without KV; 503 if the objects are unavailable.
    pub(crate) async fn respond<H: Host>(
        &self,
        platform: &Port<H>,
        trace: &mut Trace,
    ) -> Result<Response<H::Raw>, ApiError> {
        let now = platform.host.now();
        if self.begun.get().is_none_or(|begun| now.abs_diff(begun) >= PERIOD) {
            self.begun.set(Some(now));
            let found = platform.read_pointer(NAME.to_owned()).await;
            self.kv.set(Some(state(found.map(drop), trace)));
            let ping = Message { project: NAME.to_owned(), call: Call::Ping };
            let found = platform.call_object(ping).await.and_then(|reply| {
                if let CallResult::Error(error) = reply.head.result {
                    return Err(Unreachable(error.into_cause()));
                }
                Ok(())
            });
            self.object.set(Some(state(found, trace)));
        }
        let [kv, object] = [&self.kv, &self.object].map(|known| known.get().unwrap_or(UNKNOWN));
        if object == UNAVAILABLE {
            return Err(ApiError::unavailable(["The objects are unavailable. KV: ", kv, "."].concat()));
        }
        Ok(respond::json(json::object(|body| {
            body.text(health::STATUS, if kv == UNAVAILABLE { DEGRADED } else { OK });
            body.text(health::WORKER, OK);
            body.text(health::KV, kv);
            body.text(health::OBJECT, object);
        })))
    }
}
