//! Tables and what is stored in them: records, the index, the words of texts, and the history of positions.

pub(crate) mod capacity;
pub mod database;
pub(crate) mod follow;
pub(crate) mod history;
pub(crate) mod index;
pub(crate) mod meta;
pub(crate) mod newest_revision;
pub(crate) mod records;
pub(crate) mod tables;
