//! How writes reach KV.

mod duties;
pub mod machine;
pub(crate) mod outbox;
pub(crate) mod queue;
mod sweep;
pub(crate) mod tasks;
