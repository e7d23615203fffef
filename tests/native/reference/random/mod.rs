//! Random records, writes, and predicates with small sets of values, so that many of them match.

pub mod asking;
pub mod predicates;
pub mod records;
pub mod spelling;
pub mod values;
