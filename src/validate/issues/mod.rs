//! What is wrong with a body.

pub(crate) mod issue;
pub(crate) mod list;
pub(crate) mod location;
pub(crate) mod violation;
