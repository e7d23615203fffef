//! The client without a runtime: it renders requests from the operation table, keeps the session, and decides which
//! [`Step`] follows a response or a failure. It sends nothing and never waits: `pkg/client.js`, or a test with its own
//! clock, sends the request of a [`Call`] and reports the response as an [`Attempt`]. Both are messages ([`message`]).
//! It imports only [`crate::contract`].

mod attempt;
mod call;
mod exchange;
pub mod message;
mod operation;
mod options;
mod request;
mod retry;
mod session;
#[cfg(test)]
mod tests;
mod text;

pub use self::attempt::Attempt;
pub use self::call::Call;
pub use self::exchange::{Client, Step};
pub use self::options::{Options, Retry};
pub use self::request::CheckJson;
