//! The paths besides the operations: the token endpoints, health and the document (contract, section 8).

use super::operation::{Access, Method};
use crate::contract::error::Code;
use crate::contract::param::{self, Param};
use crate::contract::prose;
use crate::contract::response::{ResponseSchema, services};

ids! {
    /// Names a path that is no operation.
    ServiceId:
    Token,
    Introspect,
    Health,
    Document,
    Status,
    Export,
    Import,
    Clear,
    Restore,
}

/// One row of the table.
#[derive(Debug)]
pub struct ServicePath {
    /// Which path it is.
    pub id: ServiceId,
    /// Its name in the log, and its `operationId` in the OpenAPI document.
    pub name: &'static str,
    /// The path. [`PROJECT`] at its beginning means any project.
    pub path: &'static str,
    /// The access that a token must allow in the project of the path; `None` if the path has no project and needs no
    /// token.
    pub access: Option<Access>,
    /// Its method; HEAD beside GET is that GET without its body.
    pub method: Method,
    /// Its purpose, in one sentence.
    pub summary: &'static str,
    /// Its query parameters. If it has a project, others are errors (D26).
    pub params: &'static [Param],
    /// The fields of its form; empty if it accepts none.
    pub form: &'static [FormField],
    /// Its own errors, besides those of every path with a project ([`ServicePath::errors`]).
    errors: &'static [Code],
}

/// A field of a form; others are ignored (RFC 6749, 3.1).
#[derive(Debug)]
pub struct FormField {
    /// The field's name.
    pub name: &'static str,
    /// Whether it may be in the query instead, which logs and histories keep.
    pub in_query: bool,
    /// Whether it is required.
    pub required: bool,
    /// Its meaning, in one sentence.
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

/// How the path of a project begins.
pub const PROJECT: &str = "/{projectKey}";

/// The path of the token endpoint.
pub const TOKEN_PATH: &str = "/oauth/token";

/// The one grant type (RFC 6749, 4.4).
pub const GRANT_TYPE: &str = "client_credentials";

/// The path of the OpenAPI document.
pub const DOCUMENT_PATH: &str = "/openapi.json";

/// The field that names the grant type.
pub const GRANT_TYPE_FIELD: &str = "grant_type";

const CLIENT_ID: FormField = field("client_id", "The client's ID, if it is not in HTTP Basic.");
const CLIENT_SECRET: FormField = field("client_secret", "The client's secret, if it is not in HTTP Basic.");

/// The errors of every path with a project.
const PROJECT_ERRORS: [Code; 6] = [
    Code::InvalidInput,
    Code::InvalidToken,
    Code::InsufficientScope,
    Code::TooManyRequests,
    Code::General,
    Code::ServiceUnavailable,
];

/// The paths. None equals the path of an operation, whatever the project key is: the paths of operations have
/// `resource` after it.
pub static SERVICES: [ServicePath; ServiceId::ALL.len()] = [
    ServicePath {
        id: ServiceId::Token,
        name: "token",
        path: TOKEN_PATH,
        access: None,
        method: Method::Post,
        summary: prose("Issues a token to a client (RFC 6749, 4.4)."),
        params: &[],
        form: &[
            field(GRANT_TYPE_FIELD, "Always `client_credentials`.").required().allowed_in_query(),
            field(
                "scope",
                "The requested scopes, each with its project, separated by spaces. Default: all scopes of the client.",
            )
            .allowed_in_query(),
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
    ServicePath {
        id: ServiceId::Introspect,
        name: "introspect",
        path: "/oauth/introspect",
        access: None,
        method: Method::Post,
        summary: prose("Returns whether a token is valid, and its claims (RFC 7662)."),
        params: &[],
        form: &[
            field("token", "The token.").required(),
            field("token_type_hint", "Ignored: there is one type."),
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
    ServicePath {
        id: ServiceId::Health,
        name: "health",
        path: "/health",
        access: None,
        method: Method::Get,
        summary: prose("Returns whether the Worker, KV, and the projects' objects work."),
        params: &[],
        form: &[],
        errors: &[Code::General, Code::ServiceUnavailable],
    },
    ServicePath {
        id: ServiceId::Document,
        name: "document",
        path: DOCUMENT_PATH,
        access: None,
        method: Method::Get,
        summary: prose("Returns the OpenAPI document of the service."),
        params: &[],
        form: &[],
        errors: &[Code::InvalidInput, Code::General],
    },
    ServicePath {
        id: ServiceId::Status,
        name: "status",
        path: "/{projectKey}/status",
        access: Some(Access::Write),
        method: Method::Get,
        summary: prose("Returns a project's state for operators: size, pending KV updates, versions, sweep."),
        params: &[],
        form: &[],
        errors: &[],
    },
    ServicePath {
        id: ServiceId::Export,
        name: "export",
        path: "/{projectKey}/export",
        access: Some(Access::Write),
        method: Method::Get,
        summary: prose(
            "A page of everything that a project has, in the order of revisions: a line of JSON for each resource and for each deleted ID.",
        ),
        params: param::EXPORT,
        form: &[],
        errors: &[Code::HistoryChanged],
    },
    ServicePath {
        id: ServiceId::Import,
        name: "import",
        path: "/{projectKey}/import",
        access: Some(Access::Write),
        method: Method::Post,
        summary: prose(
            "Imports lines of an export exactly, into a project that is empty or has only imported lines.",
        ),
        params: &[],
        form: &[],
        errors: &[
            Code::InvalidJsonInput,
            Code::InvalidField,
            Code::RequiredField,
            Code::InvalidOperation,
            Code::ContentTooLarge,
            Code::UnsupportedMediaType,
            Code::InsufficientStorage,
        ],
    },
    ServicePath {
        id: ServiceId::Clear,
        name: "clear",
        path: "/{projectKey}/data",
        access: Some(Access::Write),
        method: Method::Delete,
        summary: prose("Deletes a part of a project's data. Repeat it until `isDone` is true."),
        params: param::CLEAR,
        form: &[],
        errors: &[Code::InsufficientStorage],
    },
    ServicePath {
        id: ServiceId::Restore,
        name: "restore",
        path: "/{projectKey}/restore",
        access: Some(Access::Write),
        method: Method::Post,
        summary: prose("Sets a project back to a moment of the last 30 days, if the platform can."),
        params: param::RESTORE,
        form: &[],
        errors: &[Code::InvalidOperation, Code::InsufficientStorage],
    },
];

/// The media type of an export and an import: a line of JSON for each resource.
pub const LINES: &str = "application/x-ndjson";

impl ServicePath {
    /// Returns the errors that a response may have.
    pub fn errors(&self) -> impl Iterator<Item = Code> {
        let shared = if self.access.is_some() { PROJECT_ERRORS.as_slice() } else { &[] };
        self.errors.iter().chain(shared).copied()
    }

    /// Returns whether the path of a request is this one.
    #[must_use]
    pub fn has_path(&self, path: &str) -> bool {
        path == self.path || self.project(path).is_some()
    }

    /// Returns the project that a path names, still percent-encoded; `None` if the path is another, or has no project.
    #[must_use]
    pub fn project<'p>(&self, path: &'p str) -> Option<&'p str> {
        let rest = self.path.strip_prefix(PROJECT)?;
        path.strip_suffix(rest)?.strip_prefix('/').filter(|key| !key.is_empty() && !key.contains('/'))
    }

    /// Returns its methods as `Allow` lists them.
    #[must_use]
    pub fn allow(&self) -> String {
        match self.method {
            Method::Get => [Method::Get.name(), Method::Head.name()].join(", "),
            other => other.name().to_owned(),
        }
    }
}

assert_in_order!(SERVICES);

impl ServiceId {
    /// Returns the shape of the path's successful response.
    #[must_use]
    pub const fn response(self) -> &'static ResponseSchema {
        match self {
            Self::Token => &services::TOKEN,
            Self::Introspect => &services::INTROSPECTION,
            Self::Health => &services::HEALTH,
            Self::Document => &services::DOCUMENT,
            Self::Status => &services::STATUS,
            Self::Export => &services::LINES,
            Self::Import => &services::IMPORTED,
            Self::Clear => &services::CLEARED,
            Self::Restore => &services::RESTORED,
        }
    }

    /// Returns the path's row.
    #[must_use]
    pub fn row(self) -> &'static ServicePath {
        let [first, ..] = &SERVICES;
        // Every ID has a row at its place, so the fallback is never used.
        SERVICES.get(self as usize).unwrap_or(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    #[test]
    fn a_row_of_a_project_has_the_paths_of_all_projects_and_no_others() {
        let status = ServiceId::Status.row();
        for (path, project) in [
            ("/p/status", Some("p")),
            ("/status/status", Some("status")),
            ("/oauth/status", Some("oauth")),
            ("/%70/status", Some("%70")),
            ("//status", None),
            ("/status", None),
            ("/p/resource/status", None),
            ("/p/status/", None),
            ("/p/statusx", None),
            ("p/status", None),
        ] {
            assert_eq!(status.project(path), project, "{path}");
            assert_eq!(status.has_path(path), project.is_some(), "{path}");
        }
        for row in SERVICES.iter().filter(|row| row.access.is_none()) {
            assert!(row.has_path(row.path) && row.project(row.path).is_none(), "{}", row.name);
        }
    }
}
