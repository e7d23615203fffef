//! A call of one operation, as JavaScript sends it.

use super::message::{Texts, message};
use super::operation::ClientOperation;

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

impl<'a> Call<'a> {
    /// The query parameters by name, in any order.
    pub(super) fn params(&self) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a> {
        Pairs(self.pairs).take(self.parameters as usize)
    }

    /// The caller's own headers.
    pub(super) fn headers(&self) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a> {
        Pairs(self.pairs).skip(self.parameters as usize)
    }
}

/// Names with their values.
struct Pairs<'a>(Texts<'a>);

impl<'a> Iterator for Pairs<'a> {
    type Item = (&'a str, &'a str);

    #[inline(never)]
    fn next(&mut self) -> Option<Self::Item> {
        self.0.take_pair()
    }
}
