//! The one definition: what the thirteen operations are, take and answer.
//!
//! Everything else reads it: the router, the validator, the client, the OpenAPI document and the tests. It imports
//! nothing from the other layers.

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

/// Returns the text as documents print it. It is empty in WebAssembly, which prints none and is smaller without.
pub(crate) const fn prose(text: &'static str) -> &'static str {
    if cfg!(target_arch = "wasm32") { "" } else { text }
}
