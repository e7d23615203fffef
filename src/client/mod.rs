//! The client without a runtime: it renders requests from the table of endpoints, keeps the session, and makes the
//! [`Decision`] after a response or a failure: the next [`Step`], the pause before it, and the call's [`Progress`]. It
//! sends nothing and never waits. `pkg/src/client/calls.ts`, or a test with its own clock, performs the decision: it
//! waits, sends the request of a [`Call`], and reports the response as an [`Attempt`]. Both are messages
//! ([`message`]).
//! It imports only [`crate::contract`].

mod attempt;
mod call;
mod exchange;
pub mod message;
mod operation;
mod options;
mod progress;
mod request;
mod session;
#[cfg(test)]
mod tests;

pub use self::attempt::Attempt;
pub use self::call::Call;
pub use self::exchange::{Client, Decision, Step};
pub use self::options::{ATTEMPTS, Options, Retry, TIMEOUT_MS};
pub use self::progress::Progress;
pub use self::request::CheckJson;
