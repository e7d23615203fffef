//! The semantics of queries a second time, as simply as possible: plain Rust over records, derived from the contract
//! and not from the SQL, so that the two can be compared. Speed does not matter here.
#![allow(dead_code, unreachable_pub, reason = "each test uses a part of it")]

pub mod budget;
pub mod chains;
pub mod collection;
pub mod evaluate;
pub mod extremes;
pub mod fields;
pub mod own;
pub mod page;
mod queries;
pub mod random;
pub mod searches;
pub mod twin;
