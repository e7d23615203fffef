//! The resource: its schema, its fields, and the values of clients.

pub mod content;
pub mod field;
pub mod fingerprint;
pub mod model;
pub mod own;
pub mod schema;
pub(crate) mod types;
