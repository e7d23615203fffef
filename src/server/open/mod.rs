//! The endpoints without a token.

pub(crate) mod document;
pub(crate) mod health;
