//! A request from the runtime, its effects, and its response.

pub(crate) mod effects;
pub mod entry;
pub(crate) mod exchange;
