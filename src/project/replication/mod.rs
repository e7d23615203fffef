//! How writes reach KV.

pub mod machine;
pub(crate) mod outbox;
pub(crate) mod queue;
pub(crate) mod sweep;
