//! The handler on an edge in memory: stale copies and outages, random requests, and a model of the collection.

mod attacks;
mod backup;
mod clear;
mod effects;
mod followers;
mod freshness;
mod health;
mod limits;
mod log;
#[allow(clippy::too_many_lines, reason = "the rules of all operations, in their order")]
mod model;
mod numbers;
mod positions;
mod refusals;
mod restore;
mod settings;
mod soup;
mod status;
mod wire;
