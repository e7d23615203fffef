//! The calls, most of them as methods of [`Project`](super::Project).

mod actions;
mod batch;
mod changes;
mod clear;
mod import;
mod read;
pub(crate) mod replay;
mod status;
mod unique;
mod write;
