//! Replies and errors become HTTP responses.

pub(crate) mod accept;
pub(crate) mod respond;
