//! Everything that an operator sets, parsed once. A malformed setting is an error that says what would be right, never
//! what was given: it may be a secret.

mod clients;
mod origins;
mod url;

use core::fmt;

use hmac::{Hmac, KeyInit};
use sha2::Sha256;

pub(crate) use self::clients::Client;

/// Names of the settings.
mod name {
    pub(super) const TOKEN_SECRET: &str = "TOKEN_SECRET";
    pub(super) const API_CLIENTS: &str = "API_CLIENTS";
    pub(super) const TOKEN_TTL: &str = "TOKEN_TTL";
    pub(super) const TOKEN_ISSUER: &str = "TOKEN_ISSUER";
    pub(super) const TOKEN_AUDIENCE: &str = "TOKEN_AUDIENCE";
    pub(super) const TOKEN_JWKS_URL: &str = "TOKEN_JWKS_URL";
    pub(super) const CORS_ORIGINS: &str = "CORS_ORIGINS";
    pub(super) const READ_DEFAULT: &str = "READ_DEFAULT";
    pub(super) const LOG: &str = "LOG";
    pub(super) const LIMIT_PERIOD: &str = "LIMIT_PERIOD";
}

/// `iss` and `aud` of the worker's own tokens: they are for itself.
pub const OWN_ISSUER: &str = "resource-edge";

/// The shortest `TOKEN_SECRET`, in bytes: as long as the hash that it keys (RFC 7518, 3.2).
const SECRET_BYTES: usize = 32;
/// The longest issuer or audience, in bytes.
const NAME_BYTES: usize = 512;
/// How long a token lives where `TOKEN_TTL` is absent, in seconds.
const TTL_DEFAULT: u32 = 3600;
/// The period of the rate limiters if `LIMIT_PERIOD` is absent, in seconds.
pub(super) const LIMIT_PERIOD_DEFAULT: u32 = 60;
/// How short and how long a token may live, in seconds.
const TTL: core::ops::RangeInclusive<u32> = 60..=86_400;

/// The settings.
#[derive(Debug)]
pub struct Settings {
    /// The worker as issuer of tokens.
    pub(crate) own: Option<OwnIssuer>,
    /// An issuer outside.
    pub(crate) outside: Option<OutsideIssuer>,
    /// `CORS_ORIGINS`: the origins whose pages may read answers; `None` for any.
    pub cors: Option<Vec<String>>,
    /// `READ_DEFAULT`: what a plain single read reads (D19).
    pub read_default: ReadDefault,
    /// `LOG`: which requests get a line in the log.
    pub log: LogLevel,
    /// `LIMIT_PERIOD`: the period of the rate limiters, in seconds. The platform does not tell it.
    pub limit_period: u32,
}

/// The worker as issuer: `TOKEN_SECRET`, `API_CLIENTS` and `TOKEN_TTL`.
#[derive(Debug)]
pub(crate) struct OwnIssuer {
    /// The key that signs; it shows nothing of itself when printed.
    pub(crate) key: Hmac<Sha256>,
    /// Who may ask for a token.
    pub(crate) clients: Vec<Client>,
    /// How long a token lives, in seconds.
    pub(crate) ttl: u32,
}

/// An issuer outside: `TOKEN_ISSUER`, `TOKEN_AUDIENCE` and `TOKEN_JWKS_URL`.
#[derive(Debug)]
pub(crate) struct OutsideIssuer {
    /// The `iss` of its tokens.
    pub(crate) issuer: String,
    /// The `aud` that names this service.
    pub(crate) audience: String,
    /// Where its keys are.
    pub(crate) jwks_url: String,
}

/// What a plain single read reads (D19).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadDefault {
    /// KV at the edge.
    Cached,
    /// The truth.
    Fresh,
}

/// Which requests get a line in the log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LogLevel {
    /// Every request.
    All,
    /// Requests that get a 5xx, or during which something failed. The default: the platform logs invocations itself.
    #[default]
    Errors,
    /// None.
    Off,
}

impl LogLevel {
    /// Returns whether a request gets a line.
    #[must_use]
    pub fn includes(self, is_error: bool) -> bool {
        match self {
            Self::All => true,
            Self::Errors => is_error,
            Self::Off => false,
        }
    }
}

/// What is wrong with the settings: each by its name, with what would be right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsError(Vec<(&'static str, String)>);

impl fmt::Display for SettingsError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (setting, reason)) in self.0.iter().enumerate() {
            write!(out, "{}{setting}: {reason}", if at == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

impl std::error::Error for SettingsError {}

impl Settings {
    /// The settings, each taken from the value of the variable or secret of its name; or all that is wrong with them.
    pub fn parse(value: &dyn Fn(&str) -> Option<String>) -> Result<Self, SettingsError> {
        let mut reader = Reader { value, problems: Vec::new() };
        let own = reader.own();
        let outside = reader.outside();
        let cors = reader.read(name::CORS_ORIGINS, origins::parse).flatten();
        let read_default = reader.read(name::READ_DEFAULT, read_default).unwrap_or(ReadDefault::Cached);
        let log = reader.read(name::LOG, log_level).unwrap_or_default();
        let limit_period = reader.read(name::LIMIT_PERIOD, limit_period).unwrap_or(LIMIT_PERIOD_DEFAULT);
        if reader.problems.is_empty() {
            Ok(Self { own, outside, cors, read_default, log, limit_period })
        } else {
            Err(SettingsError(reader.problems))
        }
    }

    /// Whether anyone issues tokens; where no one does, every call is refused.
    #[must_use]
    pub fn has_issuer(&self) -> bool {
        self.own.is_some() || self.outside.is_some()
    }
}

/// Reads settings and gathers what is wrong with them.
struct Reader<'v> {
    value: &'v dyn Fn(&str) -> Option<String>,
    problems: Vec<(&'static str, String)>,
}

impl Reader<'_> {
    /// The setting; `None` where it is absent or wrong.
    fn read<T>(&mut self, name: &'static str, parse: impl FnOnce(&str) -> Result<T, String>) -> Option<T> {
        let text = (self.value)(name)?;
        parse(&text).map_err(|reason| self.problems.push((name, reason))).ok()
    }

    /// Reports those of settings that belong together which are absent while others are set.
    fn complete(&mut self, names: &[&'static str]) {
        let absent: Vec<&'static str> =
            names.iter().copied().filter(|name| (self.value)(name).is_none()).collect();
        if absent.len() < names.len() {
            let reason = format!("must be set too, since {} belong together", names.join(", "));
            self.problems.extend(absent.into_iter().map(|name| (name, reason.clone())));
        }
    }

    fn own(&mut self) -> Option<OwnIssuer> {
        self.complete(&[name::TOKEN_SECRET, name::API_CLIENTS]);
        let key = self.read(name::TOKEN_SECRET, secret);
        let clients = self.read(name::API_CLIENTS, clients::parse);
        let ttl = self.read(name::TOKEN_TTL, ttl).unwrap_or(TTL_DEFAULT);
        Some(OwnIssuer { key: key?, clients: clients?, ttl })
    }

    fn outside(&mut self) -> Option<OutsideIssuer> {
        self.complete(&[name::TOKEN_ISSUER, name::TOKEN_AUDIENCE, name::TOKEN_JWKS_URL]);
        let issuer = self.read(name::TOKEN_ISSUER, issuer);
        let audience = self.read(name::TOKEN_AUDIENCE, party);
        let jwks_url = self.read(name::TOKEN_JWKS_URL, |text| url::check(text).map(|()| text.to_owned()));
        Some(OutsideIssuer { issuer: issuer?, audience: audience?, jwks_url: jwks_url? })
    }
}

fn secret(text: &str) -> Result<Hmac<Sha256>, String> {
    if text.len() < SECRET_BYTES {
        return Err(format!("expected at least {SECRET_BYTES} bytes of random text"));
    }
    Hmac::new_from_slice(text.as_bytes()).map_err(|error| error.to_string())
}

fn ttl(text: &str) -> Result<u32, String> {
    // Only digits: what Rust would also read (`+60`) is a slip here.
    text.parse()
        .ok()
        .filter(|seconds| text.bytes().all(|byte| byte.is_ascii_digit()) && TTL.contains(seconds))
        .ok_or_else(|| format!("expected whole seconds from {} to {}", TTL.start(), TTL.end()))
}

fn issuer(text: &str) -> Result<String, String> {
    if text == OWN_ISSUER {
        return Err(format!("must not be '{OWN_ISSUER}', the issuer of the service's own tokens"));
    }
    party(text)
}

/// The name of an issuer or of an audience.
fn party(text: &str) -> Result<String, String> {
    if (1..=NAME_BYTES).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic()) {
        Ok(text.to_owned())
    } else {
        Err(format!("expected 1 to {NAME_BYTES} printable ASCII characters without spaces"))
    }
}

fn read_default(text: &str) -> Result<ReadDefault, String> {
    match text {
        "cached" => Ok(ReadDefault::Cached),
        "fresh" => Ok(ReadDefault::Fresh),
        _ => Err("expected cached or fresh".to_owned()),
    }
}

fn log_level(text: &str) -> Result<LogLevel, String> {
    match text {
        "all" => Ok(LogLevel::All),
        "errors" => Ok(LogLevel::Errors),
        "off" => Ok(LogLevel::Off),
        _ => Err("expected all, errors, or off".to_owned()),
    }
}

fn limit_period(text: &str) -> Result<u32, String> {
    // The platform has these two.
    match text {
        "10" => Ok(10),
        "60" => Ok(60),
        _ => Err("expected 10 or 60".to_owned()),
    }
}

#[cfg(test)]
mod tests;
