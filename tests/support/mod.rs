//! The base of the native tests: native SQLite as a project's database, an edge in memory, and the case files.
#![allow(dead_code, unreachable_pub, reason = "each test uses a part of it")]

pub mod caller;
pub mod cases;
pub mod edge;
pub mod invariants;
pub mod json;
pub mod messages;
pub mod shapes;
pub mod shared;
pub mod soup;
pub mod sqlite;
