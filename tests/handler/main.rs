//! The handler on an edge in memory: stale copies and outages, random requests, and a model of the collection.
#![cfg(not(target_arch = "wasm32"))]

mod caller;
mod freshness;

mod model;
mod numbers;
mod soup;
#[path = "../support/mod.rs"]
mod support;
