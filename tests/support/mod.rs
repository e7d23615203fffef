//! What the native tests stand on: SQLite itself as a project's database.
#![allow(dead_code, reason = "each test uses a part of it")]

pub mod sqlite;
