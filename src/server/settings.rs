//! The operator's settings, parsed once. The error of a malformed setting says what is expected, and never contains the
//! value, which may be a secret.

mod clients;
mod origins;
pub(crate) mod scope;
pub mod table;
mod url;

use core::fmt;

use hmac::{Hmac, KeyInit};
use sha2::Sha256;

use crate::contract::limits;

pub(crate) use self::clients::ApiClient;
pub(super) use self::clients::ID_CHARS;

pub use self::table::{HOT_SECONDS, KV_CACHE_TTL, LISTENERS, SETTINGS, Setting, SettingKind, Values};

/// `iss` and `aud` of issued tokens.
pub const BUILT_IN_ISSUER: &str = "resource-edge";

/// The default is without an issuer: then every call is rejected.
#[derive(Debug, Default)]
pub struct Settings {
    pub(crate) built_in: Option<BuiltInIssuer>,
    pub(crate) external: Option<ExternalIssuer>,
    /// `CORS_ORIGINS`: the origins whose pages may read responses. `None` means any.
    pub cors: Option<Vec<String>>,
    /// `READ_DEFAULT`: the source of a plain read by ID or key (D19).
    pub read_default: ReadDefault,
    /// `HOT_SECONDS`: how long copies of KV are remembered.
    pub hot_seconds: u32,
    /// `AGENT_TOOLS`: whether agents get the operations as tools, instead of those that are made for them.
    pub lists_operations: bool,
    /// `LOG`: which requests get a line in the log.
    pub log: LogLevel,
    /// `LIMIT_PERIOD`: the period of the rate limiters, in seconds. The platform does not report it.
    pub limit_period: u32,
}

/// The built-in issuer: `TOKEN_SECRET`, `TOKEN_SECRET_PREVIOUS`, `API_CLIENTS` and `TOKEN_TTL`.
#[derive(Debug)]
pub(crate) struct BuiltInIssuer {
    /// The signing key. Its debug output does not show it.
    pub(crate) key: Hmac<Sha256>,
    /// The previous signing key, while its tokens are still accepted.
    pub(crate) previous: Option<Hmac<Sha256>>,
    pub(crate) clients: Vec<ApiClient>,
    /// The lifetime of a token, in seconds.
    pub(crate) ttl: u32,
}

/// The external issuer: `TOKEN_ISSUER`, `TOKEN_AUDIENCE` and `TOKEN_JWKS_URL`.
#[derive(Debug)]
pub(crate) struct ExternalIssuer {
    /// The `iss` of its tokens.
    pub(crate) issuer: String,
    /// The `aud` that names this service.
    pub(crate) audience: String,
    /// The address of its keys.
    pub(crate) jwks_url: String,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ReadDefault {
    #[default]
    Cached,
    Fresh,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LogLevel {
    All,
    /// Requests that get a 5xx, or during which something failed: the platform logs invocations itself.
    #[default]
    Errors,
    Off,
}

impl LogLevel {
    /// Returns whether a request gets a line.
    pub fn includes(self, is_error: bool) -> bool {
        match self {
            Self::All => true,
            Self::Errors => is_error,
            Self::Off => false,
        }
    }
}

/// The problems of the settings: the name of each, and what is expected.
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

impl Settings {
    /// Parses the settings from the variables and secrets with their names. Returns all problems if there are any.
    pub fn parse(value: &dyn Fn(&str) -> Option<String>) -> Result<Self, SettingsError> {
        let mut reader = SettingsReader { value, problems: Vec::new() };
        let built_in = reader.built_in();
        let external = reader.external();
        let cors = reader.read(&table::CORS_ORIGINS, origins::parse).flatten();
        let read_default = match reader.value(&table::READ_DEFAULT).as_str() {
            "fresh" => ReadDefault::Fresh,
            _ => ReadDefault::Cached,
        };
        // The ranges ensure that they are numbers.
        let hot_seconds = reader.value(&table::HOT_SECONDS).parse().unwrap_or_default();
        let lists_operations = reader.value(&table::AGENT_TOOLS) == "operations";
        let log = match reader.value(&table::LOG).as_str() {
            "all" => LogLevel::All,
            "off" => LogLevel::Off,
            _ => LogLevel::Errors,
        };
        let limit_period = reader.value(&table::LIMIT_PERIOD).parse().unwrap_or_default();
        // The build, `effects.ts`, or the object applies these.
        for setting in
            [&table::LOCATION_HINT, &table::JURISDICTION, &table::CONSOLE, &KV_CACHE_TTL, &LISTENERS]
        {
            reader.value(setting);
        }
        if !reader.problems.is_empty() {
            return Err(SettingsError(reader.problems));
        }
        Ok(Self { built_in, external, cors, read_default, hot_seconds, lists_operations, log, limit_period })
    }

    /// Returns whether there is a token issuer. Without one, every call is rejected.
    pub fn has_issuer(&self) -> bool {
        self.built_in.is_some() || self.external.is_some()
    }
}

struct SettingsReader<'v> {
    value: &'v dyn Fn(&str) -> Option<String>,
    problems: Vec<(&'static str, String)>,
}

impl SettingsReader<'_> {
    /// Returns the setting. `None` if it is absent or wrong.
    fn read<T>(&mut self, setting: &Setting, parse: impl FnOnce(&str) -> Result<T, String>) -> Option<T> {
        let text = (self.value)(setting.name)?;
        parse(&text).map_err(|reason| self.problems.push((setting.name, reason))).ok()
    }

    /// Returns the value of a setting with words or a range, or the default if it is absent or wrong.
    fn value(&mut self, setting: &Setting) -> String {
        let values = setting.values;
        let check =
            |text: &str| if values.accept(text) { Ok(text.to_owned()) } else { Err(values.expected()) };
        self.read(setting, check).unwrap_or_else(|| setting.default.to_owned())
    }

    /// Reports the absent ones of settings that belong together, if others of them are set.
    fn complete(&mut self, settings: &[Setting]) {
        let absent: Vec<&'static str> =
            settings.iter().map(|one| one.name).filter(|name| (self.value)(name).is_none()).collect();
        if absent.len() < settings.len() {
            let names: Vec<&str> = settings.iter().map(|one| one.name).collect();
            let reason = format!("must be set too, because {} belong together", names.join(", "));
            self.problems.extend(absent.into_iter().map(|name| (name, reason.clone())));
        }
    }

    fn built_in(&mut self) -> Option<BuiltInIssuer> {
        self.complete(&[table::TOKEN_SECRET, table::API_CLIENTS]);
        let key = self.read(&table::TOKEN_SECRET, secret);
        let previous = self.read(&table::TOKEN_SECRET_PREVIOUS, secret);
        let clients = self.read(&table::API_CLIENTS, clients::parse);
        let ttl = self.value(&table::TOKEN_TTL).parse();
        Some(BuiltInIssuer { key: key?, previous, clients: clients?, ttl: ttl.ok()? })
    }

    fn external(&mut self) -> Option<ExternalIssuer> {
        self.complete(&[table::TOKEN_ISSUER, table::TOKEN_AUDIENCE, table::TOKEN_JWKS_URL]);
        let issuer = self.read(&table::TOKEN_ISSUER, issuer);
        let audience = self.read(&table::TOKEN_AUDIENCE, party);
        let jwks_url = self.read(&table::TOKEN_JWKS_URL, |text| url::check(text).map(|()| text.to_owned()));
        Some(ExternalIssuer { issuer: issuer?, audience: audience?, jwks_url: jwks_url? })
    }
}

fn secret(text: &str) -> Result<Hmac<Sha256>, String> {
    if text.len() < table::SECRET_BYTES {
        return Err(format!("expected at least {} bytes of random text", table::SECRET_BYTES));
    }
    Hmac::new_from_slice(text.as_bytes()).map_err(|error| error.to_string())
}

fn issuer(text: &str) -> Result<String, String> {
    if text == BUILT_IN_ISSUER {
        return Err(format!("must not be '{BUILT_IN_ISSUER}', the built-in issuer"));
    }
    party(text)
}

fn party(text: &str) -> Result<String, String> {
    if (1..=limits::TOKEN_NAME_BYTES).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_graphic())
    {
        Ok(text.to_owned())
    } else {
        let most = limits::TOKEN_NAME_BYTES;
        Err(format!("expected 1 to {most} printable ASCII characters without spaces"))
    }
}

#[cfg(test)]
mod tests;
