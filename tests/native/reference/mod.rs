//! The semantics of queries a second time, as simply as possible: plain Rust over records, derived from the contract
//! and not from the SQL, so that the two can be compared. Speed does not matter here.
#![allow(unreachable_pub, reason = "the fuzz targets use it too")]

pub mod budget;
pub mod chains;
pub mod collection;
pub mod evaluate;
pub mod extremes;
pub mod fields;
mod long_texts;
pub mod page;
mod queries;
pub mod random;
pub mod searches;
pub mod twin;
pub mod unique;
pub mod words;
