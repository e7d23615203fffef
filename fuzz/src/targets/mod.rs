//! The fuzz targets. Each is a function of bytes that panics if a promise does not hold for them.
#![allow(unreachable_pub, reason = "libFuzzer's binaries call them, the tests through the table alone")]

pub mod backup;
pub mod bodies;
pub mod client;
pub mod declared;
pub mod handler;
mod input;
mod json;
pub mod predicates;
pub mod queries;
pub mod requests;
pub mod scalars;
pub mod schemas;
pub mod search;
pub mod settings;
mod soup;
pub mod stored;
pub mod tokens;
pub mod words;

/// A target with its name, and the number of inputs of a bounded run.
pub struct Target {
    pub name: &'static str,
    pub run: fn(&[u8]),
    pub inputs: u32,
}

/// Every target.
pub const TARGETS: &[Target] = &[
    Target { name: "backup", run: backup::run, inputs: 300 },
    Target { name: "bodies", run: bodies::run, inputs: 10_000 },
    Target { name: "client", run: client::run, inputs: 10_000 },
    Target { name: "declared", run: declared::run, inputs: 3_000 },
    Target { name: "handler", run: handler::run, inputs: 500 },
    Target { name: "predicates", run: predicates::run, inputs: 5_000 },
    Target { name: "queries", run: queries::run, inputs: 500 },
    Target { name: "requests", run: requests::run, inputs: 6_000 },
    Target { name: "scalars", run: scalars::run, inputs: 15_000 },
    Target { name: "schemas", run: schemas::run, inputs: 4_000 },
    Target { name: "search", run: search::run, inputs: 2_000 },
    Target { name: "settings", run: settings::run, inputs: 2_000 },
    Target { name: "stored", run: stored::run, inputs: 2_000 },
    Target { name: "tokens", run: tokens::run, inputs: 4_000 },
    Target { name: "words", run: words::run, inputs: 3_000 },
];
