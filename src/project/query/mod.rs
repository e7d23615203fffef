//! Queries: from predicates, filters, and words to a page.

pub(crate) mod budget;
pub(crate) mod changed;
pub(crate) mod facets;
pub(crate) mod page;
mod plan;
pub(crate) mod search;
mod sql;
