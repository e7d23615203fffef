//! The one definition of the thirteen operations: what they are, accept, and return.
//!
//! Everything else reads it: the router, the validator, the client, the OpenAPI document and the tests. It imports
//! nothing from the other layers.

pub mod content;
pub mod error;
pub mod etag;
pub mod expected;
pub mod field;
pub mod header;
pub mod json;
pub mod kv;
pub mod limits;
pub mod model;
pub mod nearest;
pub mod number;
pub mod operation;
pub mod param;
pub mod path;
pub mod percent;
pub mod reason;
pub mod reply;
pub mod schema;
pub mod service;
pub mod sorted;
pub mod text;
pub mod time;

/// Returns the text for documents. It is empty in WebAssembly builds that print no documents, which makes them smaller.
pub(crate) const fn prose(text: &'static str) -> &'static str {
    if cfg!(target_arch = "wasm32") { "" } else { text }
}
