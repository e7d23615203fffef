//! The service without a runtime: on native SQLite, and with an edge in memory.

mod client;
mod fuzz;
mod guide;
mod handler;
mod project;
pub mod reference;
mod validate;
