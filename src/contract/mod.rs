//! The one definition of the thirteen operations: what they are, accept, and return.
//!
//! Everything else reads it: the router, the validator, the client, the OpenAPI document and the tests. It imports
//! nothing but [`crate::util`].

pub mod content;
pub mod error;
pub mod etag;
pub mod expected;
pub mod field;
pub mod header;
pub mod kv;
pub mod limits;
pub mod model;
pub mod operation;
pub mod param;
pub mod path;
pub mod reason;
pub mod reply;
pub mod response;
pub mod schema;
pub mod service;

/// Returns the text for documents. It is empty in WebAssembly builds that print no documents, which makes them smaller.
pub(crate) const fn prose(text: &'static str) -> &'static str {
    if cfg!(target_arch = "wasm32") { "" } else { text }
}
