//! Random records, writes and predicates out of small sets of values, so that much of it matches.

pub mod asking;
pub mod predicates;
pub mod records;
pub mod spelling;
pub mod values;
