//! Tables and what is stored in them: records and their log, fields, the index, the words of texts, totals, and the
//! history of positions.

pub(crate) mod capacity;
pub mod database;
pub(crate) mod fields;
pub(crate) mod history;
pub(crate) mod index;
pub(crate) mod indexer;
pub(crate) mod log;
pub(crate) mod meta;
pub(crate) mod records;
pub(crate) mod tables;
pub(crate) mod totals;
