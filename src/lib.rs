//! A project-scoped resource API that runs on Cloudflare's edge, and the typed client that your front end imports.
//!
//! The crate is built in layers. A layer imports what its row lists, and each of those is
//! above it (`tests/repository/structure` compares the rows with the code):
//!
//! | layer | contents | imports |
//! |---|---|---|
//! | [`util`] | JSON, numbers, percent-encoding, times, each ours for a reason | nothing |
//! | [`contract`] | table of endpoints, path templates, parameters, objects, errors | util |
//! | [`shape`] | the fields of a project's resources, their rules, and their values | util, contract |
//! | [`validate`] | bytes to all issues, or to the typed body, in one pass | util, contract, shape |
//! | [`predicate`] | the query language: text to a typed condition | util, contract, shape |
//! | [`search`] | text analysis, fuzzy words, filters and facets | util, contract, shape, predicate |
//! | [`evaluate`] | whether a record satisfies a condition | util, shape, predicate, search |
//! | [`syntax`] | errors in the expressions of a query, for editors in a page | contract, shape, predicate, search |
//! | [`rights`] | what users may do, as conditions | util, contract, shape, predicate, syntax |
//! | [`call`] | a typed call, its reply, and both as bytes | util, contract, shape, predicate, search, rights |
//! | [`openapi`] | the OpenAPI document, printed from the contract | util, contract, shape |
//! | [`client`] | the client's requests, retries and session, without sending | util, contract |
//! | [`server`] | calls as HTTP | util, contract, shape, validate, predicate, search, evaluate, rights, call, openapi |
//! | [`project`] | resources in SQLite | util, contract, shape, validate, predicate, search, evaluate, rights, call |
//! | `bindings` | what JavaScript calls (features `client`, `syntax`) | util, shape, validate, syntax, rights, client |
//! | `worker` | the platform (feature `worker`) | util, contract, shape, validate, rights, call, server, project |
//!
//! [`guide`] describes what callers can rely on and how to operate the service.
//!
//! The tables of [`contract`], [`server`], and [`project`] show the modules of these layers in the same way.
//!
//! Every layer except the edges is pure: no clock, no randomness, no network, and no global state, so that it is tested
//! natively. The fields of a deployment are a value too, which functions get as a parameter
//! ([`shape::Shape`]).

#[cfg(all(target_arch = "wasm32", any(feature = "client", feature = "syntax")))]
pub mod bindings;
pub mod call;
pub mod client;
pub mod contract;
pub mod evaluate;
#[cfg(doc)]
pub mod guide;
pub mod openapi;
pub mod predicate;
pub mod project;
pub mod rights;
pub mod search;
pub mod server;
pub mod shape;
pub mod syntax;
pub mod util;
pub mod validate;

#[cfg(all(target_arch = "wasm32", feature = "worker"))]
pub mod worker;

// The attribute of unit tests, `use crate::test`: in WebAssembly, wasm-pack's runner finds only its own.
#[cfg(all(test, not(target_arch = "wasm32")))]
use core::prelude::v1::test;
#[cfg(all(test, target_arch = "wasm32"))]
use wasm_bindgen_test::wasm_bindgen_test as test;

// SQLite as integration tests use it, which name this crate. Clippy takes only a plain `cfg(test)` for a test.
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
extern crate self as resource_edge;
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
#[path = "../tests/support/sqlite.rs"]
#[allow(dead_code, unreachable_pub, reason = "integration tests use the rest")]
mod sqlite;
