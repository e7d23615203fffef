//! A request's way to a typed call, and a reply's way back to HTTP. Pure: what it needs from outside comes through
//! [`platform::Platform`].

pub mod auth;
mod cors;
mod decode;
mod document;
mod handler;
pub mod http;
mod log;
mod own;
mod params;
pub mod platform;
mod read;
mod respond;
mod route;
pub mod settings;

pub use handler::{Service, fault, handle};
