//! The calls that write, and the calls for operators.

pub(crate) mod changes;
pub(crate) mod clear;
pub(crate) mod export;
pub(crate) mod import;
pub(crate) mod replay;
pub(crate) mod status;
pub(crate) mod write;
