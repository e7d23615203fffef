//! Queries: from predicates, filters, and words to a page.

pub(crate) mod budget;
pub(crate) mod facets;
pub(crate) mod page;
pub(crate) mod plan;
pub(crate) mod search;
mod sql;
