//! The handler on an edge in memory: stale copies and outages, backups, effects, and random requests.

mod attacks;
mod backup;
mod clear;
mod effects;
mod freshness;
mod health;
mod limits;
mod log;
mod numbers;
mod positions;
mod refusals;
mod restore;
mod settings;
mod soup;
mod status;
mod wire;
