//! A call: what JavaScript sends of it once, and what its attempts change.

use super::message::message;
use super::operation::ClientOperation;
use crate::util::time::Millis;

message! {
    /// A call of one operation.
    Call {
        numbers {
            /// The operation; `None` for a request for a token.
            operation: Option<&'static ClientOperation>,
            /// Whether to read from the source of truth (D19).
            fresh: bool,
            /// Whether a receipt is enough (D15).
            respond_async: bool,
            /// Whether an earlier call may have had the idempotency key of this write.
            repeated: bool,
            /// Whether another token is available if the service rejects the first.
            renewable: bool,
            /// When its time is over.
            deadline: Millis,
            /// For a request for a token: how many requests before it failed in a row.
            failures: u32,
            /// How many pairs of the list are parameters; the others are headers.
            parameters: u32,
            /// How old the reply to a query may be, in seconds; 0 if it has to be current (D45).
            max_age: u32,
        }
        texts {
            /// The idempotency key of a write (D18).
            idempotency_key,
            /// The first path variable after the project; empty if there is none.
            first_variable,
            /// The second path variable after the project; empty if there is none.
            second_variable,
            /// The ID in the body, which the response of operations 9 and 13 does not repeat; empty if there is none.
            body_id,
            /// The key in the body, likewise.
            body_key,
        }
        list {
            /// Name and value of each query parameter in any order, then of each header of the caller.
            pairs
        }
    }
}

/// A name and its value.
pub(super) type Pair<'a> = (&'a str, &'a str);

impl<'a> Call<'a> {
    /// Names and values: first `parameters` pairs of query parameters, then the caller's headers.
    #[inline(never)]
    pub(super) fn pairs(&self) -> Vec<Pair<'a>> {
        let mut rest = self.pairs;
        let mut pairs = Vec::new();
        while let Some(pair) = rest.take_pair() {
            pairs.push(pair);
        }
        pairs
    }
}

/// What the attempts of a call have used up and changed. Default: no attempt.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Progress {
    /// How many observations the session had made when the last request was rendered.
    pub(super) began: u64,
    pub(super) retries: u32,
    /// Whether the service rejected a token, so that the call got another.
    pub(super) is_renewed: bool,
    /// Whether the call reads from the source of truth now, because a response was outdated.
    pub(super) is_refreshed: bool,
    /// Whether an attempt may have performed the write.
    pub(super) is_unknown: bool,
}

/// A call from its first request to its end.
#[derive(Debug, Clone)]
pub struct CallState {
    message: Box<[u8]>,
    pub(super) progress: Progress,
}

impl CallState {
    /// Begins the call of an encoded [`Call`].
    pub fn new(message: &[u8]) -> Self {
        let Call { failures, repeated, .. } = Call::decode(message);
        let progress = Progress { retries: failures, is_unknown: repeated, ..Progress::default() };
        Self { message: message.into(), progress }
    }

    /// Returns whether an attempt, or an earlier call with its idempotency key, may have performed the write. If not,
    /// none did.
    pub fn is_unknown(&self) -> bool {
        self.progress.is_unknown
    }

    /// Returns its parts, as the next request expresses them.
    pub(super) fn parts(&self) -> Call<'_> {
        let mut call = Call::decode(&self.message);
        call.fresh |= self.progress.is_refreshed;
        call
    }
}
