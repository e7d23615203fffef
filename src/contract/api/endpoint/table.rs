//! The table of endpoints.

use super::form;
use super::groups::{
    BATCH_HEADERS, FOLLOWER_HEADERS, MERGE_HEADERS, QUERY_HEADERS, READ_HEADERS, WRITE_HEADERS,
};
use super::row::{
    Access, CallId, Endpoint, Method, OPERATIONS, RequestBody, ResponseBody, ServiceId, Success, Target,
    agents, project, service,
};
use crate::contract::api::path::Segment::{self, Literal, Prefixed};
use crate::contract::api::path::Variable;
use crate::contract::error::Code;
use crate::contract::param;
use crate::contract::prose;
use crate::contract::resource::ObjectId;

const PROJECT: Segment = Segment::Variable(Variable::ProjectKey);
const RESOURCE: Segment = Literal("resource");
const OAUTH: Segment = Literal("oauth");
const COLLECTION: &[Segment] = &[PROJECT, RESOURCE];
const BY_ID: &[Segment] = &[PROJECT, RESOURCE, Segment::Variable(Variable::Id)];
const BY_KEY: &[Segment] = &[PROJECT, RESOURCE, Prefixed("key=", Variable::Key)];
const SEARCH: &[Segment] = &[PROJECT, RESOURCE, Literal("searchApiPattern")];
const SORTED: &[Segment] = &[PROJECT, RESOURCE, Literal("sorted-query-parameters")];
const URN_LINKS: &[Segment] = &[PROJECT, RESOURCE, Literal("description-with-urn-links")];
const STRUCTURED: &[Segment] = &[
    PROJECT,
    RESOURCE,
    Literal("artificially-complex"),
    Literal("path"),
    Prefixed("uri-parameter-one=", Variable::UriParameterOne),
    Segment::Variable(Variable::UriParameterTwo),
];
pub const TOKEN_PATH: &[Segment] = &[OAUTH, Literal("token")];
pub const DOCUMENT_PATH: &str = "/openapi.json";
const DOCUMENT: Segment = Literal(DOCUMENT_PATH.split_at(1).1);

const FOUND: Success = success(200, ResponseBody::Record, "The resource.");
const CREATED: Success = success(201, ResponseBody::Record, "The resource was created.");
pub(super) const UPDATED: Success = success(200, ResponseBody::Record, "The resource was updated.");
pub(super) const RESULTS: &[Success] = &[success(200, ResponseBody::Page, "A page of results.")];
const PATH_UPDATED: &[Success] =
    &[success(200, ResponseBody::Arrays, "The resource's seven arrays after the update."), RECEIPT];
pub(super) const RECEIPT: Success = success(
    202,
    ResponseBody::Receipt,
    "With `Prefer: respond-async`: the time of acceptance. The change is durable.",
);

const LISTENING: Success = success(
    101,
    ResponseBody::Nothing,
    "With `Upgrade: websocket` and the protocol `resource-edge.changes`: a socket. Its frames are pages of what follows.",
);

const fn success(status: u16, shape: ResponseBody, when: &'static str) -> Success {
    Success { status, shape, when: Some(prose(when)) }
}

const fn only(shape: ResponseBody) -> Success {
    Success { status: 200, shape, when: None }
}

/// The endpoints. The comment of an operation names its source.
pub static ENDPOINTS: [Endpoint; CallId::ALL.len() + ServiceId::ALL.len() + 1] = [
    // interface.md, Endpoints 1; D21, D22, D23
    project(CallId::Query, Access::Read, Method::Get, COLLECTION)
        .with_params(&[param::QUERY_PARAMS, param::PAGE, param::FIELDS])
        .with_headers(QUERY_HEADERS)
        .with_success(&[success(
            200,
            ResponseBody::PageWithFirst,
            "A page of results, and the arrays of its first result.",
        )])
        .with_errors(&[Code::SyntaxError]),
    // interface.md, Endpoints 2; D19
    project(CallId::GetById, Access::Read, Method::Get, BY_ID)
        .with_params(&[param::GET_BY_ID_PARAMS, param::EXPAND, param::FIELDS])
        .with_headers(READ_HEADERS)
        .with_success(&[FOUND])
        .with_errors(&[Code::ResourceNotFound]),
    // interface.md, Endpoints 3; D19
    project(CallId::GetByKey, Access::Read, Method::Get, BY_KEY)
        .with_params(&[param::EXPAND, param::FIELDS])
        .with_headers(READ_HEADERS)
        .with_success(&[FOUND])
        .with_errors(&[Code::ResourceNotFound]),
    // interface.md, Endpoints 4; contract, section 6
    project(CallId::Search, Access::Read, Method::Get, SEARCH)
        .with_params(&[param::SEARCH_PARAMS, param::SEARCH_PAGE, param::FIELDS])
        .with_headers(QUERY_HEADERS)
        .with_success(&[success(
            200,
            ResponseBody::SearchResult,
            "A page of results, and the requested facets.",
        )]),
    // interface.md, Endpoints 5; D24
    project(CallId::Exists, Access::Read, Method::Head, COLLECTION)
        .with_params(&[param::QUERY_PARAMS, param::PAGE])
        .with_headers(QUERY_HEADERS)
        .with_success(&[success(200, ResponseBody::Nothing, "At least one resource matches.")])
        .with_errors(&[Code::SyntaxError, Code::ResourceNotFound]),
    // interface.md, Endpoints 6; D11, D12, D13
    project(CallId::CreateOrUpdate, Access::Write, Method::Post, COLLECTION)
        .with_headers(WRITE_HEADERS)
        .with_body(RequestBody::Json(ObjectId::Draft))
        .with_success(&[UPDATED, CREATED])
        .with_errors(&[Code::DuplicateField]),
    // interface.md, Endpoints 7; D11, D12
    project(CallId::Overwrite, Access::Write, Method::Patch, COLLECTION)
        .with_headers(WRITE_HEADERS)
        .with_body(RequestBody::Json(ObjectId::Overwrite))
        .with_success(&[UPDATED])
        .with_errors(&[Code::DuplicateField, Code::InvalidOperation, Code::ResourceNotFound]),
    // interface.md, Endpoints 8; D11, D12
    project(CallId::CreateOrOverwrite, Access::Write, Method::Put, COLLECTION)
        .with_headers(WRITE_HEADERS)
        .with_body(RequestBody::Json(ObjectId::Overwrite))
        .with_success(&[UPDATED, CREATED])
        .with_errors(&[Code::DuplicateField, Code::InvalidOperation]),
    // interface.md, Endpoints 9; D14, D15
    project(CallId::UpdateByPath, Access::Write, Method::Post, STRUCTURED)
        .with_params(&[param::COMPLEX])
        .with_headers(MERGE_HEADERS)
        .with_body(RequestBody::Json(ObjectId::Complex))
        .with_success(PATH_UPDATED)
        .with_errors(&[Code::DuplicateField]),
    // interface.md, Endpoints 10; D5, D17
    project(CallId::UpdateById, Access::Write, Method::Post, BY_ID)
        .with_headers(WRITE_HEADERS)
        .with_body(RequestBody::Json(ObjectId::Update))
        .with_success(&[UPDATED])
        .with_errors(&[Code::ResourceNotFound]),
    // interface.md, Endpoints 11; contract, section 3
    project(CallId::DeleteById, Access::Write, Method::Delete, BY_ID)
        .with_params(&[param::DELETE])
        .with_headers(WRITE_HEADERS)
        .with_success(&[success(200, ResponseBody::Record, "The resource before it was deleted.")])
        .with_errors(&[Code::ResourceNotFound]),
    // interface.md, Endpoints 12; D21, D22
    project(CallId::QuerySorted, Access::Read, Method::Get, SORTED)
        .with_params(&[param::PAGE, param::FIELDS])
        .with_headers(QUERY_HEADERS)
        .with_success(RESULTS)
        .with_errors(&[Code::SyntaxError]),
    // interface.md, Endpoints 13; D14, D15
    project(CallId::UpdateWithUrnLinks, Access::Write, Method::Post, URN_LINKS)
        .with_params(&[param::COMPLEX])
        .with_headers(MERGE_HEADERS)
        .with_body(RequestBody::Json(ObjectId::Complex))
        .with_success(PATH_UPDATED)
        .with_errors(&[Code::DuplicateField]),
    service(ServiceId::Token, Method::Post, TOKEN_PATH)
        .with_body(RequestBody::Form(form::TOKEN))
        .with_success(&[only(ResponseBody::Token)])
        .with_errors(&[Code::UnsupportedGrantType, Code::InvalidScope]),
    service(ServiceId::Introspect, Method::Post, &[OAUTH, Literal("introspect")])
        .with_body(RequestBody::Form(form::INTROSPECTION))
        .with_success(&[only(ResponseBody::Introspection)]),
    service(ServiceId::Health, Method::Get, &[Literal("health")])
        .with_success(&[only(ResponseBody::Health)])
        .with_errors(&[Code::General, Code::ServiceUnavailable]),
    service(ServiceId::Document, Method::Get, &[DOCUMENT])
        .with_success(&[only(ResponseBody::Document)])
        .with_errors(&[Code::InvalidInput, Code::General, Code::ServiceUnavailable]),
    service(ServiceId::ProjectDocument, Method::Get, &[PROJECT, DOCUMENT])
        .with_success(&[only(ResponseBody::Document)])
        .with_errors(&[Code::InvalidInput, Code::General, Code::ServiceUnavailable]),
    project(CallId::Status, Access::Write, Method::Get, &[PROJECT, Literal("status")])
        .with_success(&[only(ResponseBody::Status)]),
    project(CallId::Export, Access::Write, Method::Get, &[PROJECT, Literal("export")])
        .with_params(&[param::EXPORT])
        .with_success(&[only(ResponseBody::Lines)])
        .with_errors(&[Code::HistoryChanged]),
    project(CallId::Import, Access::Write, Method::Post, &[PROJECT, Literal("import")])
        .with_body(RequestBody::Lines)
        .with_success(&[only(ResponseBody::Imported)])
        .with_errors(&[Code::InvalidOperation, Code::InsufficientStorage]),
    project(CallId::Changes, Access::Read, Method::Get, &[PROJECT, Literal("changes")])
        .with_params(&[param::CHANGES])
        .with_headers(FOLLOWER_HEADERS)
        .with_success(&[only(ResponseBody::Changes), LISTENING])
        .with_errors(&[Code::SyntaxError, Code::HistoryChanged]),
    project(CallId::Clear, Access::Write, Method::Delete, &[PROJECT, Literal("data")])
        .with_params(&[param::CLEAR])
        .with_success(&[only(ResponseBody::Cleared)])
        .with_errors(&[Code::InsufficientStorage]),
    project(CallId::Restore, Access::Write, Method::Post, &[PROJECT, Literal("restore")])
        .with_params(&[param::RESTORE])
        .with_success(&[only(ResponseBody::Restored)])
        .with_errors(&[Code::InvalidOperation, Code::InsufficientStorage]),
    project(CallId::Batch, Access::Write, Method::Post, &[PROJECT, Literal("batch")])
        .with_headers(BATCH_HEADERS)
        .with_body(RequestBody::Json(ObjectId::Batch))
        .with_success(&[success(200, ResponseBody::Batch, "All writes were performed.")])
        .with_errors(&[
            Code::DuplicateField,
            Code::ConcurrentModification,
            Code::IdempotencyKeyReused,
            Code::InvalidOperation,
            Code::ResourceNotFound,
            Code::InsufficientStorage,
        ]),
    agents(Method::Post, &[PROJECT, Literal("mcp")])
        .with_errors(&[Code::ContentTooLarge, Code::UnsupportedMediaType]),
];

/// Returns the thirteen operations, in the order of `interface.md`.
pub fn operations() -> impl Iterator<Item = &'static Endpoint> {
    ENDPOINTS.iter().take(OPERATIONS)
}

impl CallId {
    pub fn row(self) -> &'static Endpoint {
        let [first, ..] = &ENDPOINTS;
        let is_its = |row: &&Endpoint| matches!(row.target, Target::Project(id, _) if id == self);
        // The compiler has checked that every ID has a row, so the fallback is never used.
        ENDPOINTS.iter().find(is_its).unwrap_or(first)
    }
}

// Does not compile unless each ID has one row, in the order of the IDs, and the operations are the first rows.
const _: () = {
    let (mut rows, mut calls, mut services) = (ENDPOINTS.as_slice(), 0, 0);
    while let [row, after @ ..] = rows {
        match row.target {
            Target::Project(id, _) => {
                assert!(id as usize == calls, "a row of a project is not in the order of its ID");
                calls += 1;
            }
            Target::Service(id) => {
                assert!(id as usize == services, "a row of the service is not in the order of its ID");
                assert!(calls >= OPERATIONS, "an operation is not among the first rows");
                services += 1;
            }
            Target::Agents => {}
        }
        rows = after;
    }
};
