//! Authentication (contract, section 8): verifies bearer tokens, checks scopes, and issues tokens. Imports the
//! contract, the settings, [`Port`](super::platform::Port), and forms, but not the routes.

mod authenticator;
mod authorization;
mod built_in;
mod cache;
mod claims;
mod error;
mod jwks;
mod jwt;
mod oauth;
#[cfg(test)]
pub(super) mod tests;

pub use self::authenticator::{Authenticator, authorize};
pub use self::claims::Claims;
pub(super) use self::oauth::client::claimed_client;
pub(super) use self::oauth::parameters::Parameters;
pub(super) use self::oauth::render;
