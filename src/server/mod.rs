//! A request's way to a typed call, and a reply's way back to HTTP. Pure: what it needs from outside comes through
//! [`platform::Platform`].

pub mod auth;
pub mod http;
pub mod platform;
pub mod settings;
