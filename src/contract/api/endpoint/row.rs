//! A row of the table of endpoints, and what it consists of.

use super::form::FormField;
use crate::contract::api::header::RequestHeader;
use crate::contract::api::path::Segment;
use crate::contract::error::Code;
use crate::contract::param::Param;
use crate::contract::resource::schema::{self, Object};
use crate::contract::response::{ResponseType, operations as shapes, services};

/// An HTTP method that the contract uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "they are the methods' own names")]
pub enum Method {
    Get,
    Head,
    Post,
    Put,
    Patch,
    Delete,
}

impl Method {
    /// Returns the method's name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Head => "HEAD",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }
}

/// The access that a token must allow in the project of the path (contract, section 8).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Either scope is enough.
    Read,
    /// It needs `manage_test`.
    Write,
}

impl Access {
    /// Returns scopes without their project; the token needs at least one of them.
    #[must_use]
    pub const fn scopes(self) -> &'static [&'static str] {
        match self {
            Self::Read => &[MANAGE_SCOPE, VIEW_SCOPE],
            Self::Write => &[MANAGE_SCOPE],
        }
    }
}

/// The scope that allows everything in its project.
pub const MANAGE_SCOPE: &str = "manage_test";
/// The scope that allows reading in its project.
pub const VIEW_SCOPE: &str = "view_test";

ids! {
    /// Names a call of a project: one of the thirteen operations, or a call for its operator.
    CallId:
    Query,
    GetById,
    GetByKey,
    Search,
    Exists,
    CreateOrUpdate,
    Overwrite,
    CreateOrOverwrite,
    UpdateByPath,
    UpdateById,
    DeleteById,
    QuerySorted,
    UpdateWithUrnLinks,
    Status,
    Export,
    Import,
    Clear,
    Restore,
}

ids! {
    /// Names what the service answers without a project, for callers without a token.
    ServiceId:
    Token,
    Introspect,
    Health,
    Document,
}

/// Who answers the requests of an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// The project that the path names, for tokens that allow this access there.
    Project(CallId, Access),
    /// The service itself, without a token.
    Service(ServiceId),
}

/// The shape of a response's body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// The record of D1.
    Record,
    /// The paged envelope, and the seven arrays of its first result (D21).
    PageWithFirst,
    /// The paged envelope (D21).
    Page,
    /// The paged envelope with facets (contract, section 6).
    SearchResult,
    /// The seven arrays, unwrapped (D15).
    Arrays,
    /// The date and time sample object (D15).
    Receipt,
    /// No body.
    Nothing,
    /// A token (RFC 6749, 5.1).
    Token,
    /// The claims of a token (RFC 7662, 2.2).
    Introspection,
    /// The state of the service and its parts.
    Health,
    /// The OpenAPI document.
    Document,
    /// The state of a project.
    Status,
    /// A line of JSON for each resource and each deleted ID ([`LINES`]).
    Lines,
    /// What an import stored.
    Imported,
    /// What a turn deleted.
    Cleared,
    /// How to undo a restore.
    Restored,
}

impl Shape {
    /// Returns the schema of the body. `None` if there is no body.
    #[must_use]
    pub const fn schema(self) -> Option<ResponseType> {
        Some(ResponseType::Named(match self {
            Self::Record => return Some(ResponseType::Object(&schema::RESOURCE)),
            Self::Arrays => return Some(ResponseType::Object(&schema::ARRAYS)),
            Self::Nothing => return None,
            Self::PageWithFirst => &shapes::QUERY_RESULT,
            Self::Page => &shapes::PAGE,
            Self::SearchResult => &shapes::SEARCH_RESULT,
            Self::Receipt => &shapes::RECEIPT,
            Self::Token => &services::TOKEN,
            Self::Introspection => &services::INTROSPECTION,
            Self::Health => &services::HEALTH,
            Self::Document => &services::DOCUMENT,
            Self::Status => &services::STATUS,
            Self::Lines => &services::LINES,
            Self::Imported => &services::IMPORTED,
            Self::Cleared => &services::CLEARED,
            Self::Restored => &services::RESTORED,
        }))
    }
}

/// The media type of an export and an import: a line of JSON for each resource.
pub const LINES: &str = "application/x-ndjson";

/// A successful response of an endpoint.
#[derive(Debug, Clone, Copy)]
pub struct Success {
    /// The status.
    pub status: u16,
    /// The body.
    pub shape: Shape,
    /// When the endpoint returns it, in one sentence. `None` if the endpoint's summary says it.
    pub when: Option<&'static str>,
}

/// The body that an endpoint accepts.
#[derive(Debug, Clone, Copy)]
pub enum RequestBody {
    /// None.
    Nothing,
    /// JSON of this schema.
    Json(&'static Object),
    /// Lines of an export.
    Lines,
    /// A form with these fields.
    Form(&'static [FormField]),
}

/// One row of the table.
#[derive(Debug)]
pub struct Endpoint {
    /// What it does, and who does it.
    pub target: Target,
    /// Its number in `interface.md`, if it is one of the thirteen operations.
    pub number: Option<u8>,
    /// Its name in the client and the log, and its `operationId` in the OpenAPI document.
    pub name: &'static str,
    /// Its purpose, in one sentence.
    pub summary: &'static str,
    /// Its method; HEAD on the path of a GET is that GET without its body.
    pub method: Method,
    /// Its path.
    pub path: &'static [Segment],
    /// Its query parameters in groups, in the order of presentation. If it has a project, others are errors (D26).
    pub params: &'static [&'static [Param]],
    /// The request headers that change what it does, besides those of every request with a body or a token.
    pub headers: &'static [RequestHeader],
    /// The body that it accepts.
    pub body: RequestBody,
    /// Its successful responses.
    pub success: &'static [Success],
    /// The errors that it may return, in groups (contract, section 7).
    pub errors: &'static [&'static [Code]],
}

impl Endpoint {
    /// Returns the access that a token must allow in the project of the path. `None` if it needs no token.
    #[must_use]
    pub const fn access(&self) -> Option<Access> {
        match self.target {
            Target::Project(_, access) => Some(access),
            Target::Service(_) => None,
        }
    }

    /// Returns its query parameters in the order of presentation.
    pub fn params(&self) -> impl Iterator<Item = &'static Param> {
        self.params.iter().copied().flatten()
    }

    /// Returns the schema of its body, if that is JSON.
    #[must_use]
    pub const fn json_body(&self) -> Option<&'static Object> {
        match self.body {
            RequestBody::Json(object) => Some(object),
            RequestBody::Nothing | RequestBody::Lines | RequestBody::Form(_) => None,
        }
    }

    /// Returns the fields of its form; none if it accepts no form.
    #[must_use]
    pub const fn form(&self) -> &'static [FormField] {
        match self.body {
            RequestBody::Form(fields) => fields,
            RequestBody::Nothing | RequestBody::Json(_) | RequestBody::Lines => &[],
        }
    }

    /// Returns the errors that it may return.
    pub fn errors(&self) -> impl Iterator<Item = Code> {
        self.errors.iter().copied().flatten().copied()
    }

    /// Returns whether it reads one resource, from KV if possible and conditionally (D19, D20).
    #[must_use]
    pub fn reads_one(&self) -> bool {
        self.access() == Some(Access::Read) && self.may_return(Shape::Record)
    }

    /// Returns whether it may return a body of the shape.
    #[must_use]
    pub fn may_return(&self, shape: Shape) -> bool {
        self.success.iter().any(|success| success.shape == shape)
    }
}
