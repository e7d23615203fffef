//! The client without a runtime: requests rendered from the operation table, the session floor, and what follows an
//! answer or a failure. It sends nothing and never waits: whoever runs it (`pkg/client.js`, or a test with a clock of its
//! own) takes a call's request, sends it, and asks what is [`Next`]. It imports [`crate::contract`] alone.

mod call;
mod exchange;
mod floor;
mod options;
mod request;
mod response;
mod retry;
mod row;
#[cfg(test)]
mod tests;
mod text;

pub use self::call::Call;
pub use self::exchange::{Client, Next, Stage};
pub use self::floor::{Floor, Name};
pub use self::options::{Options, Retry};
pub use self::request::read;
pub use self::response::Answer;
