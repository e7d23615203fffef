//! The SQL of a plan.

pub(crate) mod builder;
pub(crate) mod condition;
pub(crate) mod depth;
pub(crate) mod geo;
pub(crate) mod statement;
