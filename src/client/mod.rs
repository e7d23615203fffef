//! The client without a runtime: it renders requests from the table of endpoints, keeps the session and the state of
//! each call ([`CallState`]), and makes the [`Decision`] after a response or a failure: the next [`Step`], and the
//! pause before it. It sends nothing and never waits. `pkg/src/client/calls.ts`, or a test with its own clock, begins a
//! call with a [`Call`], sends its requests, reports each [`Response`], and performs the decision. Both are messages
//! ([`message`]).
//! It imports only [`crate::contract`].

mod attempt;
mod call;
mod exchange;
pub mod message;
mod operation;
mod options;
mod request;
mod session;
#[cfg(test)]
mod tests;

pub use self::attempt::Response;
pub use self::call::{Call, CallState};
pub use self::exchange::{Client, Decision, Step};
pub use self::options::{ATTEMPTS, Options, Retry, TIMEOUT_MS};
pub use self::request::CheckJson;
