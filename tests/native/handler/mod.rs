//! The handler on an edge in memory: stale copies and outages, backups, and effects.

mod agents;
mod attacks;
mod backup;
mod changed_shapes;
mod changes;
mod clear;
mod declared;
mod documents;
mod effects;
mod fields;
mod freshness;
mod health;
mod limits;
mod listeners;
mod log;
mod numbers;
mod positions;
mod refusals;
mod restore;
mod rights;
mod schemas;
mod settings;
mod wire;

use resource_edge::contract::api::endpoint::{Access, operations};
use resource_edge::server::effect::{Effect, EffectOutcome, Exchange, HandlerStep};
use serde_json::{Value, json};

use crate::support::caller::{Caller, FORM};
use crate::support::edge::{Edge, Got, START, Sent, Stored, drive, metadata, request, send, service};
