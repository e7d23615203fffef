//! Turns a request into a typed call, and a reply into an HTTP response. Pure: everything from outside comes through
//! [`platform::Platform`], on Workers as effects ([`effect`]).

pub mod auth;
mod cors;
pub mod effect;
mod handler;
pub mod http;
mod limit;
mod log;
mod open;
pub mod platform;
mod read;
mod replication;
mod request;
mod response;
pub mod settings;

pub use handler::{Service, fault};
pub use replication::Check;
