//! Which sets of the index a query reads, and in which order it returns its resources.

pub(crate) mod candidates;
pub(crate) mod look_ups;
pub(crate) mod merge;
pub(crate) mod order;
pub(crate) mod ranges;
pub(crate) mod sets;
pub(crate) mod walk;
