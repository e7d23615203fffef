//! The paths beside the operations: the token endpoints, health and the document (contract, section 8).

use super::error::Code;
use super::operation::Method;
use super::prose;

/// Names a path beside the operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the table's rows below describe them")]
pub enum ServiceId {
    Token,
    Introspect,
    Health,
    Document,
}

/// One row of the table.
#[derive(Debug)]
pub struct Service {
    /// Which path it is.
    pub id: ServiceId,
    /// Its name in the log, and its `operationId` in the OpenAPI document.
    pub name: &'static str,
    /// The path.
    pub path: &'static str,
    /// Its method; HEAD beside GET is that GET without its body.
    pub method: Method,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// What its form may hold; empty where it takes none.
    pub form: &'static [FormField],
    /// The errors of its own.
    pub errors: &'static [Code],
}

/// A field of a form; others are passed over (RFC 6749, 3.1).
#[derive(Debug)]
pub struct FormField {
    /// The field's name.
    pub name: &'static str,
    /// Whether it may stand in the query instead, which logs and histories keep.
    pub in_query: bool,
    /// Whether it must be there.
    pub required: bool,
    /// What it means, in one sentence.
    pub about: &'static str,
}

const fn field(name: &'static str, in_query: bool, required: bool, about: &'static str) -> FormField {
    FormField { name, in_query, required, about: prose(about) }
}

/// The path of the token endpoint.
pub const TOKEN_PATH: &str = "/oauth/token";

/// The one grant type (RFC 6749, 4.4).
pub const GRANT_TYPE: &str = "client_credentials";

/// The path of the OpenAPI document.
pub const DOCUMENT_PATH: &str = "/openapi.json";

/// The field that names the grant type.
pub const GRANT_TYPE_FIELD: &str = "grant_type";

const CLIENT_ID: FormField =
    field("client_id", false, false, "The client's id, where it is not in HTTP Basic.");
const CLIENT_SECRET: FormField =
    field("client_secret", false, false, "The client's secret, where it is not in HTTP Basic.");

/// The four paths.
pub static SERVICES: [Service; 4] = [
    Service {
        id: ServiceId::Token,
        name: "token",
        path: TOKEN_PATH,
        method: Method::Post,
        summary: prose("Gives a client a token (RFC 6749, 4.4)."),
        form: &[
            field(GRANT_TYPE_FIELD, true, true, "Always `client_credentials`."),
            field(
                "scope",
                true,
                false,
                "The scopes wanted, each with its project, separated by spaces; absent: all of the client's.",
            ),
            CLIENT_ID,
            CLIENT_SECRET,
        ],
        errors: &[
            Code::InvalidRequest,
            Code::UnsupportedGrantType,
            Code::InvalidScope,
            Code::InvalidClient,
            Code::ContentTooLarge,
            Code::TooManyRequests,
            Code::General,
            Code::ServiceUnavailable,
        ],
    },
    Service {
        id: ServiceId::Introspect,
        name: "introspect",
        path: "/oauth/introspect",
        method: Method::Post,
        summary: prose("Tells a client what a token says, and whether it holds (RFC 7662)."),
        form: &[
            field("token", false, true, "The token."),
            field("token_type_hint", false, false, "Passed over: there is one type."),
            CLIENT_ID,
            CLIENT_SECRET,
        ],
        errors: &[
            Code::InvalidRequest,
            Code::InvalidClient,
            Code::ContentTooLarge,
            Code::TooManyRequests,
            Code::General,
            Code::ServiceUnavailable,
        ],
    },
    Service {
        id: ServiceId::Health,
        name: "health",
        path: "/health",
        method: Method::Get,
        summary: prose("Tells that the service answers."),
        form: &[],
        errors: &[Code::General],
    },
    Service {
        id: ServiceId::Document,
        name: "document",
        path: DOCUMENT_PATH,
        method: Method::Get,
        summary: prose("This document."),
        form: &[],
        errors: &[Code::InvalidInput, Code::General],
    },
];

impl Service {
    /// Its methods as `Allow` lists them.
    #[must_use]
    pub fn allow(&self) -> String {
        match self.method {
            Method::Get => [Method::Get.name(), Method::Head.name()].join(", "),
            other => other.name().to_owned(),
        }
    }
}

impl ServiceId {
    /// The path's row.
    #[must_use]
    pub fn row(self) -> &'static Service {
        let [first, ..] = &SERVICES;
        // Every id has a row (a test loops over them); the first stands in for what cannot be.
        SERVICES.iter().find(|row| row.id == self).unwrap_or(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_found_by_its_id() {
        for row in &SERVICES {
            assert!(core::ptr::eq(row.id.row(), row), "{}", row.name);
        }
    }
}
