//! Which sets of the index a query reads, and in which order it returns its resources.

pub(crate) mod candidates;
pub(crate) mod lookup_values;
pub(crate) mod merge;
pub(crate) mod order;
pub(crate) mod ranges;
pub(crate) mod sets;
pub(crate) mod tested_fields;
