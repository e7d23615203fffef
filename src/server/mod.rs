//! Turns a request into a typed call, and a reply into an HTTP response. Pure: everything from outside comes through
//! [`platform::Port`], as effects ([`effect`]). A module imports what its row lists, and each of those is above it:
//!
//! | module | contents | imports |
//! |---|---|---|
//! | `log` | the line of a request, and the facts that it has | nothing |
//! | [`http`] | requests and responses without types of the platform | nothing |
//! | [`platform`] | what the handler needs from outside | log |
//! | [`settings`] | the operator's settings, and scopes | nothing |
//! | `response` | replies and errors to HTTP | http, platform |
//! | `request` | route, parameters, body: a request to a typed call | http, platform, response |
//! | [`auth`] | tokens: issued, verified, and their endpoints | http, platform, settings, response, request |
//! | `caller` | who calls, and what the caller may do | http, request, auth |
//! | `agents` | tools for agents: messages to requests, and results to messages | http, response |
//! | `limit` | rate limits | log, http, platform, settings, auth |
//! | `cors` | which pages may read responses | http, response, request |
//! | `read` | reads of one resource; replies of an allowed age | log, http, platform, settings, response, request |
//! | `open` | health and the OpenAPI document | log, http, platform, response, request, read |
//! | `replication` | whether plain reads bypass KV | platform |
//! | `handler` | the steps of a request | all above |
//! | [`effect`] | the handler as a state machine | http, platform, response, replication, handler |

mod agents;
pub mod auth;
mod caller;
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
