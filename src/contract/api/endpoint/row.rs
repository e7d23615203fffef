//! A row of the table of endpoints, and what it consists of.

use super::form::FormField;
use super::groups::{ALWAYS, BODY, CLIENT, WRITE};
use crate::contract::api::header::RequestHeader;
use crate::contract::api::media;
use crate::contract::api::path::Segment;
use crate::contract::error::Code;
use crate::contract::param::Param;
use crate::contract::prose;
use crate::contract::resource::ObjectId;
use crate::contract::response::{ResponseType, operations as shapes, services};

names! {
    /// An HTTP method that the contract uses.
    pub enum Method name:
    Get = "GET",
    Head = "HEAD",
    Post = "POST",
    Put = "PUT",
    Patch = "PATCH",
    Delete = "DELETE",
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

names! {
    /// A call of a project: one of the thirteen operations, or a call for its operator.
    pub enum CallId name:
    /// Queries resources.
    Query = "query",
    /// Reads one resource by its ID.
    GetById = "getById",
    /// Reads one resource by its key.
    GetByKey = "getByKey",
    /// Searches resources by their text, with filters and facets.
    Search = "search",
    /// Returns whether at least one resource matches.
    Exists = "exists",
    /// Creates a resource, or replaces the arrays that the body has.
    CreateOrUpdate = "createOrUpdate",
    /// Overwrites a resource that exists.
    Overwrite = "overwrite",
    /// Creates a resource or overwrites it.
    CreateOrOverwrite = "createOrOverwrite",
    /// Creates a resource, or merges the fields that the body has.
    UpdateByPath = "updateByPath",
    /// Performs update actions on the version that the caller expects.
    UpdateById = "updateById",
    /// Deletes a resource and returns what it was.
    DeleteById = "deleteById",
    /// Queries resources with parameters in the order of presentation.
    QuerySorted = "querySorted",
    /// Creates a resource, or merges the fields that the body has.
    UpdateWithUrnLinks = "updateWithUrnLinks",
    /// Returns a project's state for operators: size, pending KV updates, versions, sweep.
    Status = "status",
    /// A page of everything that a project has, in the order of revisions: a line of JSON for each resource and for
    /// each deleted ID.
    Export = "export",
    /// Imports lines of an export exactly, into a project that is empty or has only imported lines.
    Import = "import",
    /// The changes of a project after a position, as states: each changed resource once, and deletions. Follow the
    /// pages, then wait for the next change.
    Changes = "changes",
    /// Deletes a part of a project's data. Repeat it until `isDone` is true.
    Clear = "clear",
    /// Sets a project back to a moment of the last 30 days, if the platform can.
    Restore = "restore",
    /// Performs several writes in their order, all or nothing. A later one sees the earlier ones.
    Batch = "batch",
}

names! {
    /// What the service answers callers without a token.
    pub enum ServiceId name:
    /// Issues a token to a client (RFC 6749, 4.4).
    Token = "token",
    /// Returns whether a token is valid, and its claims (RFC 7662).
    Introspect = "introspect",
    /// Returns whether the Worker, KV, and the projects' objects work.
    Health = "health",
    /// Returns the OpenAPI document of the service.
    Document = "document",
    /// Returns the OpenAPI document of the project's resource. If the deployment does not declare it, that of the
    /// service.
    ProjectDocument = "projectDocument",
}

/// Who answers the requests of an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// The project that the path names, for tokens that allow this access there.
    Project(CallId, Access),
    /// The service itself, without a token.
    Service(ServiceId),
    /// The tools for agents, which perform the operations that the caller's token allows. No document describes the
    /// messages: the protocol does, and its list of tools.
    Agents,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResponseBody {
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
    Nothing,
    /// A token (RFC 6749, 5.1).
    Token,
    /// The claims of a token (RFC 7662, 2.2).
    Introspection,
    Health,
    Document,
    Status,
    /// A line of JSON for each resource and each deleted ID.
    Lines,
    Imported,
    Cleared,
    /// How to undo a restore.
    Restored,
    /// A page of the feed of changes, in lines of JSON.
    Changes,
    /// The responses to the writes of a batch.
    Batch,
}

impl ResponseBody {
    /// Returns the schema of the body. `None` if there is no body.
    pub const fn schema(self) -> Option<ResponseType> {
        Some(ResponseType::Named(match self {
            Self::Record => return Some(ResponseType::Object(ObjectId::Record)),
            Self::Arrays => return Some(ResponseType::Object(ObjectId::StoredArrays)),
            Self::Nothing => return None,
            Self::PageWithFirst => &shapes::QUERY_PAGE,
            Self::Page => &shapes::PAGE,
            Self::SearchResult => &shapes::SEARCH_PAGE,
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
            Self::Changes => &services::CHANGES,
            Self::Batch => &services::BATCH_RESULTS,
        }))
    }
}

/// The protocol of sockets to the feed of changes. The server chooses it (D36).
pub const PROTOCOL: &str = "resource-edge.changes";

#[derive(Debug, Clone, Copy)]
pub struct Success {
    pub status: u16,
    pub shape: ResponseBody,
    /// When the endpoint returns it, in one sentence. `None` if the endpoint's summary says it.
    pub when: Option<&'static str>,
}

#[derive(Debug, Clone, Copy)]
pub enum RequestBody {
    Nothing,
    Json(ObjectId),
    Lines,
    Form(&'static [FormField]),
}

impl RequestBody {
    pub const fn media_type(&self) -> Option<&'static str> {
        match self {
            Self::Nothing => None,
            Self::Json(_) => Some(media::JSON),
            Self::Lines => Some(media::LINES),
            Self::Form(_) => Some(media::FORM),
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Endpoint {
    pub target: Target,
    /// Its number in `interface.md`, if it is one of the thirteen operations.
    pub number: Option<u8>,
    /// Its name in the client and the log, and its `operationId` in the OpenAPI document.
    pub name: &'static str,
    pub summary: &'static str,
    /// Its method; HEAD on the path of a GET is that GET without its body.
    pub method: Method,
    pub path: &'static [Segment],
    /// Its query parameters in groups, in the order of presentation. If it has a project, others are errors (D26).
    pub params: &'static [&'static [Param]],
    /// The request headers that change what it does, besides those of every request with a body or a token.
    pub headers: &'static [RequestHeader],
    pub body: RequestBody,
    pub success: &'static [Success],
    /// The errors that it may return (contract, section 7), besides those that follow from its other columns.
    errors: &'static [Code],
}

/// The argument of an operation's tool that is the body of its request.
pub const BODY_ARGUMENT: &str = "body";

/// How many operations there are. They are the first rows.
pub const OPERATIONS: usize = CallId::Status as usize;

/// Returns the row of a call of a project, which the path names.
pub(super) const fn project(
    id: CallId,
    access: Access,
    method: Method,
    path: &'static [Segment],
) -> Endpoint {
    // The operations are the first IDs, in the order of their numbers.
    let number = if (id as usize) < OPERATIONS { Some(id as u8 + 1) } else { None };
    Endpoint { number, ..endpoint(Target::Project(id, access), id.name(), id.about(), method, path) }
}

/// Returns the row of the tools for agents.
pub(super) const fn agents(method: Method, path: &'static [Segment]) -> Endpoint {
    let about = prose("Calls tools of the Model Context Protocol.");
    endpoint(Target::Agents, "mcp", about, method, path)
}

/// Returns the row of an endpoint without a project.
pub(super) const fn service(id: ServiceId, method: Method, path: &'static [Segment]) -> Endpoint {
    endpoint(Target::Service(id), id.name(), id.about(), method, path)
}

const fn endpoint(
    target: Target,
    name: &'static str,
    summary: &'static str,
    method: Method,
    path: &'static [Segment],
) -> Endpoint {
    Endpoint {
        target,
        number: None,
        name,
        summary,
        method,
        path,
        params: &[],
        headers: &[],
        body: RequestBody::Nothing,
        success: &[],
        errors: &[],
    }
}

impl Endpoint {
    pub(super) const fn with_summary(self, summary: &'static str) -> Self {
        Self { summary: prose(summary), ..self }
    }

    pub(super) const fn with_params(self, params: &'static [&'static [Param]]) -> Self {
        Self { params, ..self }
    }

    pub(super) const fn with_headers(self, headers: &'static [RequestHeader]) -> Self {
        Self { headers, ..self }
    }

    pub(super) const fn with_body(self, body: RequestBody) -> Self {
        Self { body, ..self }
    }

    pub(super) const fn with_success(self, success: &'static [Success]) -> Self {
        Self { success, ..self }
    }

    pub(super) const fn with_errors(self, errors: &'static [Code]) -> Self {
        Self { errors, ..self }
    }

    /// Returns the access that a token must allow in the project of the path. `None` if it needs no token.
    pub const fn access(&self) -> Option<Access> {
        match self.target {
            Target::Project(_, access) => Some(access),
            // Writing tools need more.
            Target::Agents => Some(Access::Read),
            Target::Service(_) => None,
        }
    }

    pub fn params(&self) -> impl Iterator<Item = &'static Param> {
        self.params.iter().copied().flatten()
    }

    /// Returns the headers that are arguments of the operation's tool. The others are for programs.
    pub fn argument_headers(&self) -> impl Iterator<Item = RequestHeader> {
        let of_writes = [RequestHeader::IfMatch, RequestHeader::IfNoneMatch, RequestHeader::IdempotencyKey];
        let is_argument =
            move |header: &RequestHeader| self.access() == Some(Access::Write) && of_writes.contains(header);
        self.headers.iter().copied().filter(is_argument)
    }

    pub const fn json_body(&self) -> Option<ObjectId> {
        match self.body {
            RequestBody::Json(object) => Some(object),
            RequestBody::Nothing | RequestBody::Lines | RequestBody::Form(_) => None,
        }
    }

    pub const fn form(&self) -> &'static [FormField] {
        match self.body {
            RequestBody::Form(fields) => fields,
            RequestBody::Nothing | RequestBody::Json(_) | RequestBody::Lines => &[],
        }
    }

    /// Returns the errors that it may return, in the order of their table.
    pub fn errors(&self) -> impl Iterator<Item = Code> {
        let groups = [
            (self.access().is_some(), ALWAYS),
            (matches!(self.body, RequestBody::Json(_) | RequestBody::Lines), BODY),
            (self.is_write(), WRITE),
            (!self.form().is_empty(), CLIENT),
            (true, self.errors),
        ];
        let has = move |code: &Code| groups.iter().any(|(has, group)| *has && group.contains(code));
        Code::ALL.iter().copied().filter(has)
    }

    /// Returns whether it is an operation that changes the collection.
    pub const fn is_write(&self) -> bool {
        self.number.is_some() && matches!(self.access(), Some(Access::Write))
    }

    /// Returns whether it accepts an idempotency key: it is an operation that writes, or a batch of them.
    pub const fn has_key(&self) -> bool {
        self.is_write() || matches!(self.target, Target::Project(CallId::Batch, _))
    }

    /// Returns whether users may call it within their rights: all but the calls for operators.
    pub fn is_for_users(&self) -> bool {
        self.has_key() || self.access() == Some(Access::Read)
    }

    /// Returns whether it reads one resource, from KV if possible and conditionally (D19, D20).
    pub fn reads_one(&self) -> bool {
        self.access() == Some(Access::Read) && self.may_return(ResponseBody::Record)
    }

    pub fn may_return(&self, shape: ResponseBody) -> bool {
        self.success.iter().any(|success| success.shape == shape)
    }
}
