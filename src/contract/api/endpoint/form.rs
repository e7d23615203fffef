//! The forms of the token endpoints.

use crate::contract::prose;

/// A field of a form; others are ignored (RFC 6749, 3.1).
#[derive(Debug)]
pub struct FormField {
    pub name: &'static str,
    /// Whether it may be in the query instead, which logs and histories keep.
    pub in_query: bool,
    pub required: bool,
    pub about: &'static str,
}

/// Returns an optional field that is not allowed in the query.
const fn field(name: &'static str, about: &'static str) -> FormField {
    FormField { name, in_query: false, required: false, about: prose(about) }
}

impl FormField {
    const fn required(self) -> Self {
        Self { required: true, ..self }
    }

    const fn allowed_in_query(self) -> Self {
        Self { in_query: true, ..self }
    }
}

/// The one grant type (RFC 6749, 4.4).
pub const GRANT_TYPE: &str = "client_credentials";

pub const GRANT_TYPE_FIELD: &str = "grant_type";

const CLIENT_ID: FormField = field("client_id", "The client's ID, if it is not in HTTP Basic.");
const CLIENT_SECRET: FormField = field("client_secret", "The client's secret, if it is not in HTTP Basic.");

pub(crate) const TOKEN: &[FormField] = &[
    field(GRANT_TYPE_FIELD, "Always `client_credentials`.").required().allowed_in_query(),
    field(
        "scope",
        "The requested scopes, each with its project, separated by spaces. Default: all scopes of the client.",
    )
    .allowed_in_query(),
    CLIENT_ID,
    CLIENT_SECRET,
];

pub(crate) const INTROSPECTION: &[FormField] = &[
    field("token", "The token.").required(),
    field("token_type_hint", "Ignored: there is one type."),
    CLIENT_ID,
    CLIENT_SECRET,
];
