//! Turns a request into a typed call, and a reply into an HTTP response. Pure: everything from outside comes through
//! [`platform::Platform`], on Workers as effects ([`effect`]).

mod accept;
pub mod auth;
mod body;
mod cors;
mod decode;
mod document;
pub mod effect;
mod handler;
mod health;
pub mod http;
mod limit;
mod log;
mod operation_params;
mod params;
pub mod platform;
mod query;
mod read;
mod replication;
mod respond;
mod route;
mod scope;
pub mod settings;
mod strict_json;
mod trace;

pub use handler::{Service, fault};
pub use replication::Check;
