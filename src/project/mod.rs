//! One project's collection on a synchronous SQL database. Pure: time, randomness and the database are passed in.

pub mod database;
