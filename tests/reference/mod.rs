//! What queries mean, once more and as simply as possible: plain Rust over records, written from the contract and not
//! from the SQL, so that the two can be held against each other. Speed is of no concern here.
#![allow(dead_code, unreachable_pub, reason = "each test uses a part of it")]

pub mod budget;
pub mod chains;
pub mod collection;
pub mod evaluate;
pub mod extremes;
pub mod fields;
pub mod own;
pub mod page;
pub mod random;
pub mod searches;
pub mod twin;
