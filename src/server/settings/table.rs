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
    /// Returns whether a text is one of the values. Texts with a special form have parsers of their own.
    pub(super) fn accept(&self, text: &str) -> bool {
        match self {
            Self::Words(words) => words.contains(&text),
            // Only digits: Rust would also accept `+60`, which is a mistake here.
            Self::Seconds(min, max) | Self::Count(min, max) => {
                let number = text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
                number.is_some_and(|number| (*min..=*max).contains(&number))
            }
            Self::Text(_) => true,
        }
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

const fn text(form: &'static str) -> Values {
    Values::Text(prose(form))
}

/// Declares a constant for each setting, and the list of all. The comment of a row is its meaning in the guide.
macro_rules! settings {
    ($($(#[doc = $about:literal])* $kind:ident $name:ident: $values:expr, $default:literal;)*) => {
        $($(#[doc = $about])* pub const $name: Setting = Setting {
            name: stringify!($name),
            kind: SettingKind::$kind,
            values: $values,
            default: $default,
            about: prose(concat!($($about),*)).trim_ascii_start(),
        };)*

        /// Every setting, in the order of the guide.
        pub static SETTINGS: &[Setting] = &[$($name),*];
    };
}

/// The shortest signing secret, in bytes: as long as the hash that it keys (RFC 7518, 3.2).
pub(super) const SECRET_BYTES: usize = 32;

settings! {
    /// Signs the tokens of the built-in issuer (HS256). Requires `API_CLIENTS`.
    Secret TOKEN_SECRET: text("random text of at least 32 bytes"), "";
    /// Tokens that this secret signed are accepted too, while `TOKEN_SECRET` is [rotated](#rotating-secrets).
    Secret TOKEN_SECRET_PREVIOUS: text("random text of at least 32 bytes"), "";
    /// The clients that get such tokens. `npx resource-edge client` prints it.
    Secret API_CLIENTS: text("a JSON list of `{\"id\", \"secretHash\", \"scopes\"}`"), "";
    /// The lifetime of such tokens.
    Variable TOKEN_TTL: Values::Seconds(60, 86_400), "3600";
    /// The `iss` of an external issuer (RS256, ES256), beside the built-in one or instead of it. Not `resource-edge`.
    /// Requires the next two settings.
    Variable TOKEN_ISSUER: text("1 to 512 printable ASCII characters without spaces"), "";
    /// The `aud` that names this service in tokens of the external issuer.
    Variable TOKEN_AUDIENCE: text("1 to 512 printable ASCII characters without spaces"), "";
    /// The address of the external issuer's keys.
    Variable TOKEN_JWKS_URL: text("an `https` URL; `http` only for a loopback host"), "";
    /// The origins whose pages may read responses, and call the tools for agents.
    Variable CORS_ORIGINS: text("`*`, or origins separated by commas"), "*";
    /// `cached`: plain reads are served from the copy in KV. `fresh`: they are served by the project's object.
    Variable READ_DEFAULT: Values::Words(&["cached", "fresh"]), "cached";
    /// The [tools that agents see](../use/agents.md#tools). `common`: seven that are made for them. `operations`: the
    /// thirteen operations instead.
    Variable AGENT_TOOLS: Values::Words(&["common", "operations"]), "common";
    // The platform accepts 30 seconds or more. An hour is far less than a tombstone lives, so a copy that is cached at
    // the edge cannot outlive the tombstone that follows it.
    /// How long a location of the platform caches what it read from KV. More is faster and cheaper; plain reads may
    /// then be older by as much.
    Variable KV_CACHE_TTL: Values::Seconds(30, 3_600), "30";
    /// How long an instance of the Worker remembers what it read from KV. 0: not at all. Plain reads may be older by as
    /// much.
    Variable HOT_SECONDS: Values::Seconds(0, 60), "5";
    /// The region near which the platform creates the objects of new projects. By default, near the first request.
    Variable LOCATION_HINT:
        Values::Words(&["wnam", "enam", "sam", "weur", "eeur", "apac", "oc", "afr", "me"]), "";
    // A project key in two jurisdictions is two objects.
    /// Where the projects' objects run and store their data ([where data is](#where-data-is)). Choose it before the
    /// first request: the same project in another jurisdiction is another object, which is empty.
    Variable JURISDICTION: Values::Words(&["eu", "fedramp", "us"]), "";
    // The build reads it (`.ci/site`): files that are not uploaded cost no request.
    /// `off`: a deployment without the console. Also set `assets.directory` in `wrangler.jsonc` to
    /// `.wrangler/packages/resource-edge/worker/api-only`. From the source, the build reads it in `wrangler.toml`.
    Variable CONSOLE: Values::Words(&["on", "off"]), "on";
    // The platform accepts at most 32,768 sockets in an object.
    /// How many sockets and waiting requests may [follow](#following-changes) a project at once.
    Variable LISTENERS: Values::Count(0, 32_768), "1000";
    /// The period of the [rate limiters](#rate-limits) in seconds, for `Retry-After`.
    Variable LIMIT_PERIOD: Values::Words(&["10", "60"]), "60";
    /// The requests that get a line in the log. `errors`: those that get a 5xx, or during which something failed.
    /// `all`: every request (on your machine: `npm run dev -- -- --var LOG:all`). `off`: none.
    Variable LOG: Values::Words(&["all", "errors", "off"]), "errors";
}
