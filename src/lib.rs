//! A project-scoped resource API at the edge, and the typed client that front ends import.
//!
//! One crate with three sides of one contract. Imports point down only:
//!
//! | layer | holds |
//! |---|---|
//! | [`contract`] | operation table, path templates, parameters, schemas, models, errors |
//! | [`validate`] | bytes to all violations, or to the typed body, in one pass |
//! | [`predicate`] | the query language: text to a typed condition |
//! | [`call`] | a request as a typed call, and the message to a project's object |
//! | [`wire`] | values as bytes that another version of the code may read |
//! | [`openapi`] | the OpenAPI document, printed from the contract |
//! | [`search`] | text analysis, fuzzy words, filters and facets |
//! | [`syntax`] | errors in the expressions of a query, for editors in a page |
//! | [`server`] | decodes a request to a typed call, and renders a reply as HTTP |
//! | [`client`] | the client's requests, retries and session, without sending |
//! | [`project`] | the collection on a synchronous SQL database |
//! | `bindings` | the functions that the JavaScript of the npm package calls (features `client`, `syntax`) |
//! | `worker` | the edges on Cloudflare Workers: KV, the Durable Object (feature `worker`) |
//!
//! [`guide`] describes what callers can rely on and how to operate the service.
//!
//! Every layer except the edges is pure: no clock, no randomness, and no network, so that it is tested natively.

#[cfg(all(target_arch = "wasm32", any(feature = "client", feature = "syntax")))]
pub mod bindings;
pub mod call;
pub mod client;
pub mod contract;
#[cfg(doc)]
pub mod guide;
// The build prints the document natively. WebAssembly does not need it.
#[cfg(not(target_arch = "wasm32"))]
pub mod openapi;
pub mod predicate;
pub mod project;
pub mod search;
pub mod server;
pub mod syntax;
pub mod validate;
pub mod wire;

#[cfg(all(target_arch = "wasm32", feature = "worker"))]
pub mod worker;

// The attribute of unit tests, `use crate::test`: in WebAssembly, wasm-pack's runner finds only its own.
#[cfg(all(test, not(target_arch = "wasm32")))]
use core::prelude::v1::test;
#[cfg(all(test, target_arch = "wasm32"))]
use wasm_bindgen_test::wasm_bindgen_test as test;
