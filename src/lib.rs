//! A project-scoped resource API at the edge, and the typed client that front ends import.
//!
//! One crate, three faces of one contract. Imports point down only:
//!
//! | layer | holds |
//! |---|---|
//! | [`contract`] | operation table, path templates, parameters, schemas, models, errors |
//! | [`validate`] | bytes to all violations, or to the typed body, in one pass |
//! | [`predicate`] | the query language: text to a typed condition |
//! | [`call`] | a request as a typed call, and what goes to a project's object |
//! | [`wire`] | values as bytes that another version of the code may read |
//! | [`openapi`] | the OpenAPI document, printed from the contract |
//! | [`search`] | text analysis, fuzzy words, filters and facets |
//! | [`syntax`] | what is wrong with a query's expressions, for editors in a page |
//! | [`server`] | a request's way to a typed call, and a reply's way back to HTTP |
//! | [`client`] | the client's requests, retries and session, without sending |
//! | [`project`] | the collection on a synchronous SQL database |
//! | `bindings` | what the JavaScript of the npm package calls (features `client`, `syntax`) |
//! | `worker` | the edges on Cloudflare Workers: KV, the Durable Object (feature `worker`) |
//!
//! [`guide`] says what callers may rely on and how the service is run.
//!
//! Every layer but the edges is pure: no clock, no randomness, no network of its own, so that it is tested natively.

#[cfg(all(target_arch = "wasm32", any(feature = "client", feature = "syntax")))]
pub mod bindings;
pub mod call;
pub mod client;
pub mod contract;
#[cfg(doc)]
pub mod guide;
// The build prints the document; nothing in WebAssembly does.
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
