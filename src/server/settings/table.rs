//! The table of settings: the name, values, and meaning of each. Parsing, the messages about wrong values, and the
//! table in the guide use it.

use crate::contract::prose;

#[derive(Debug, Clone, Copy)]
pub struct Setting {
    pub name: &'static str,
    pub kind: SettingKind,
    pub values: Values,
    /// The default value; empty if there is none.
    pub default: &'static str,
    pub about: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingKind {
    /// In `[vars]` of `wrangler.toml`.
    Variable,
    /// As a secret, which nobody can read back.
    Secret,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Values {
    Words(&'static [&'static str]),
    /// A whole number of seconds from the first to the second.
    Seconds(u32, u32),
    /// A whole number from the first to the second.
    Count(u32, u32),
    /// A text with a special form, which the guide describes.
    Text(&'static str),
}

impl Values {
    /// Returns the words of the list; none for other values.
    pub(super) const fn words(&self) -> &'static [&'static str] {
        match self {
            Self::Words(words) => words,
            Self::Seconds(..) | Self::Count(..) | Self::Text(_) => &[],
        }
    }

    /// Returns whether the number is in the range; false for other values.
    pub(super) const fn has(&self, number: u32) -> bool {
        matches!(self, Self::Seconds(min, max) | Self::Count(min, max) if *min <= number && number <= *max)
    }

    pub(super) fn expected(&self) -> String {
        match self {
            Self::Words(words) => format!("expected one of {}", words.join(", ")),
            Self::Seconds(min, max) => format!("expected whole seconds from {min} to {max}"),
            Self::Count(min, max) => format!("expected a whole number from {min} to {max}"),
            Self::Text(form) => (*form).to_owned(),
        }
    }
}

const fn variable(name: &'static str, values: Values, default: &'static str, about: &'static str) -> Setting {
    Setting { name, kind: SettingKind::Variable, values, default, about: prose(about) }
}

const fn secret(name: &'static str, form: &'static str, about: &'static str) -> Setting {
    Setting { kind: SettingKind::Secret, ..variable(name, Values::Text(prose(form)), "", about) }
}

/// The shortest signing secret, in bytes: as long as the hash that it keys (RFC 7518, 3.2).
pub(super) const SECRET_BYTES: usize = 32;

pub(super) const TOKEN_SECRET: Setting = secret(
    "TOKEN_SECRET",
    "random text of at least 32 bytes",
    "Signs the tokens of the built-in issuer (HS256). Requires `API_CLIENTS`.",
);
pub(super) const TOKEN_SECRET_PREVIOUS: Setting = secret(
    "TOKEN_SECRET_PREVIOUS",
    "random text of at least 32 bytes",
    "Tokens that this secret signed are accepted too, while `TOKEN_SECRET` is [rotated](#rotating-secrets).",
);
pub(super) const API_CLIENTS: Setting = secret(
    "API_CLIENTS",
    "a JSON list of `{\"id\", \"secretHash\", \"scopes\"}`",
    "The clients that get such tokens. `npx resource-edge client` prints it.",
);
pub(super) const TOKEN_TTL: Setting =
    variable("TOKEN_TTL", Values::Seconds(60, 86_400), "3600", "The lifetime of such tokens.");
pub(super) const TOKEN_ISSUER: Setting = variable(
    "TOKEN_ISSUER",
    Values::Text(prose("1 to 512 printable ASCII characters without spaces")),
    "",
    "The `iss` of an external issuer (RS256, ES256), beside the built-in one or instead of it. Not `resource-edge`. Requires the next two settings.",
);
pub(super) const TOKEN_AUDIENCE: Setting = variable(
    "TOKEN_AUDIENCE",
    Values::Text(prose("1 to 512 printable ASCII characters without spaces")),
    "",
    "The `aud` that names this service in tokens of the external issuer.",
);
pub(super) const TOKEN_JWKS_URL: Setting = variable(
    "TOKEN_JWKS_URL",
    Values::Text(prose("an `https` URL; `http` only for a loopback host")),
    "",
    "The address of the external issuer's keys.",
);
pub(super) const CORS_ORIGINS: Setting = variable(
    "CORS_ORIGINS",
    Values::Text(prose("`*`, or origins separated by commas")),
    "*",
    "The origins whose pages may read responses, and call the tools for agents.",
);
pub(super) const READ_DEFAULT: Setting = variable(
    "READ_DEFAULT",
    Values::Words(&["cached", "fresh"]),
    "cached",
    "`cached`: plain reads are served from the copy in KV. `fresh`: they are served by the project's object.",
);
/// A project key in two jurisdictions is two objects.
pub(super) const JURISDICTION: Setting = variable(
    "JURISDICTION",
    Values::Words(&["eu", "fedramp", "us"]),
    "",
    "Where the projects' objects run and store their data ([where data is](#where-data-is)). Choose it before the first \
     request: the same project in another jurisdiction is another object, which is empty.",
);
pub(super) const LOCATION_HINT: Setting = variable(
    "LOCATION_HINT",
    Values::Words(&["wnam", "enam", "sam", "weur", "eeur", "apac", "oc", "afr", "me"]),
    "",
    "The region near which the platform creates the objects of new projects. By default, near the first request.",
);
/// The platform accepts 30 seconds or more. An hour is far less than a tombstone lives, so a copy that is cached at the
/// edge cannot outlive the tombstone that follows it.
pub const KV_CACHE_TTL: Setting = variable(
    "KV_CACHE_TTL",
    Values::Seconds(30, 3_600),
    "30",
    "How long a location of the platform caches what it read from KV. More is faster and cheaper; plain reads may then be \
     older by as much.",
);
/// The build reads it (`.ci/site`): files that are not uploaded cost no request.
pub(super) const CONSOLE: Setting = variable(
    "CONSOLE",
    Values::Words(&["on", "off"]),
    "on",
    "`off`: a deployment without the console. Also set `assets.directory` in `wrangler.jsonc` to \
     `node_modules/resource-edge/worker/api-only`. From the source, the build reads it in `wrangler.toml`.",
);
/// The platform accepts at most 32,768 sockets in an object.
pub const LISTENERS: Setting = variable(
    "LISTENERS",
    Values::Count(0, 32_768),
    "1000",
    "How many sockets and waiting requests may [follow](#following-changes) a project at once.",
);
pub(super) const LIMIT_PERIOD: Setting = variable(
    "LIMIT_PERIOD",
    Values::Words(&["10", "60"]),
    "60",
    "The period of the [rate limiters](#rate-limits) in seconds, for `Retry-After`.",
);
pub(super) const LOG: Setting = variable(
    "LOG",
    Values::Words(&["all", "errors", "off"]),
    "errors",
    "The requests that get a line in the log. `errors`: those that get a 5xx, or during which something failed. `all`: \
     every request (`npm run dev` sets this). `off`: none.",
);

/// Every setting, in the order of the guide.
pub static SETTINGS: [Setting; 16] = [
    TOKEN_SECRET,
    TOKEN_SECRET_PREVIOUS,
    API_CLIENTS,
    TOKEN_TTL,
    TOKEN_ISSUER,
    TOKEN_AUDIENCE,
    TOKEN_JWKS_URL,
    CORS_ORIGINS,
    READ_DEFAULT,
    KV_CACHE_TTL,
    LOCATION_HINT,
    JURISDICTION,
    CONSOLE,
    LISTENERS,
    LIMIT_PERIOD,
    LOG,
];
