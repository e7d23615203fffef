//! A call of one operation, as JavaScript sends it.

use super::message::message;
use super::operation::ClientOperation;
use super::progress::Progress;

message! {
    /// A call of one operation.
    Call {
        numbers {
            /// The operation; `None` for a request for a token.
            operation: Option<&'static ClientOperation>,
            /// Whether the caller reads from the source of truth (D19).
            fresh: bool,
            /// What the earlier attempts changed.
            progress: Progress,
            /// Whether a receipt is enough (D15).
            respond_async: bool,
            /// How many pairs of the list are parameters; the others are headers.
            parameters: u32,
        }
        texts {
            /// The idempotency key of a write (D18).
            idempotency_key,
            /// The first path variable after the project; empty if there is none.
            first_variable,
            /// The second path variable after the project; empty if there is none.
            second_variable,
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
    /// Returns whether to read from the source of truth.
    pub(super) fn is_fresh(&self) -> bool {
        self.fresh || self.progress.is_refreshed
    }

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
