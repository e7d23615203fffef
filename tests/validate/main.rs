//! The bodies with which the tests of the npm package compare all ways of validation.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a failure to print or to index is the test's failure"
)]

mod bodies;
