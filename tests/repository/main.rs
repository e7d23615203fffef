//! All native tests of the repository: documents, the structure of the source, and generated files. They neither run
//! the service nor link SQLite.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test ends by a panic"
)]

mod docs;
mod openapi;
mod structure;
