//! The base of the native tests: native SQLite as a project's database, an edge in memory, and the case files.
#![allow(unreachable_pub, reason = "the fuzz targets use it too")]

pub mod caller;
pub mod cases;
pub mod edge;
pub mod invariants;
pub mod json;
pub mod log;
pub mod messages;
pub mod random;
pub mod schemas;
pub mod settings;
pub mod shapes;
pub mod shared;
pub mod sqlite;
