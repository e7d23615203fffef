//! The table of endpoints.

use super::form;
use super::groups::{
    ALWAYS, BODY, CLIENT, DUPLICATE, MERGE_HEADERS, NO_ROOM, NOT_FOUND, NOT_THE_ONLY_ONE, QUERY_HEADERS,
    READ_HEADERS, WRITE, WRITE_HEADERS,
};
use super::row::{Access, CallId, Endpoint, Method, RequestBody, ServiceId, Shape, Success, Target};
use crate::contract::api::path::{Segment, Variable};
use crate::contract::error::Code;
use crate::contract::param;
use crate::contract::prose;
use crate::contract::resource::schema;

const PROJECT: Segment = Segment::Variable(Variable::ProjectKey);
const RESOURCE: Segment = Segment::Literal("resource");
const ID: Segment = Segment::Variable(Variable::Id);
const COLLECTION: &[Segment] = &[PROJECT, RESOURCE];
const BY_ID: &[Segment] = &[PROJECT, RESOURCE, ID];
const OAUTH: Segment = Segment::Literal("oauth");

/// The path of the token endpoint.
pub const TOKEN_PATH: &[Segment] = &[OAUTH, Segment::Literal("token")];

/// The path of the OpenAPI document.
pub const DOCUMENT_PATH: &str = "/openapi.json";

const FOUND: Success = success(200, Shape::Record, "The resource.");
const CREATED: Success = success(201, Shape::Record, "The resource was created.");
const UPDATED: Success = success(200, Shape::Record, "The resource was updated.");
const PATH_UPDATED: &[Success] = &[
    success(200, Shape::Arrays, "The resource's seven arrays after the update."),
    success(
        202,
        Shape::Receipt,
        "With `Prefer: respond-async`: the time of acceptance. The change is durable.",
    ),
];

const fn success(status: u16, shape: Shape, when: &'static str) -> Success {
    Success { status, shape, when: Some(prose(when)) }
}

/// Returns the only successful response of an endpoint.
const fn only(shape: Shape) -> Success {
    Success { status: 200, shape, when: None }
}

/// The endpoints. The comment of an operation names its source.
pub static ENDPOINTS: [Endpoint; CallId::ALL.len() + ServiceId::ALL.len()] = [
    // interface.md, Endpoints 1; D21, D22, D23
    Endpoint {
        target: Target::Project(CallId::Query, Access::Read),
        number: Some(1),
        name: "query",
        summary: prose("Queries resources."),
        method: Method::Get,
        path: COLLECTION,
        params: &[param::QUERY_PARAMS, param::PAGE],
        headers: QUERY_HEADERS,
        body: RequestBody::Nothing,
        success: &[success(
            200,
            Shape::PageWithFirst,
            "A page of results, and the arrays of its first result.",
        )],
        errors: &[ALWAYS, &[Code::SyntaxError]],
    },
    // interface.md, Endpoints 2; D19
    Endpoint {
        target: Target::Project(CallId::GetById, Access::Read),
        number: Some(2),
        name: "getById",
        summary: prose("Reads one resource by its ID."),
        method: Method::Get,
        path: BY_ID,
        params: &[param::GET_BY_ID_PARAMS, param::EXPAND],
        headers: READ_HEADERS,
        body: RequestBody::Nothing,
        success: &[FOUND],
        errors: &[ALWAYS, NOT_FOUND],
    },
    // interface.md, Endpoints 3; D19
    Endpoint {
        target: Target::Project(CallId::GetByKey, Access::Read),
        number: Some(3),
        name: "getByKey",
        summary: prose("Reads one resource by its key."),
        method: Method::Get,
        path: &[PROJECT, RESOURCE, Segment::Prefixed("key=", Variable::Key)],
        params: &[param::EXPAND],
        headers: READ_HEADERS,
        body: RequestBody::Nothing,
        success: &[FOUND],
        errors: &[ALWAYS, NOT_FOUND],
    },
    // interface.md, Endpoints 4; contract, section 6
    Endpoint {
        target: Target::Project(CallId::Search, Access::Read),
        number: Some(4),
        name: "search",
        summary: prose("Searches resources by their text, with filters and facets."),
        method: Method::Get,
        path: &[PROJECT, RESOURCE, Segment::Literal("searchApiPattern")],
        params: &[param::SEARCH_PARAMS, param::SEARCH_PAGE],
        headers: QUERY_HEADERS,
        body: RequestBody::Nothing,
        success: &[success(200, Shape::SearchResult, "A page of results, and the requested facets.")],
        errors: &[ALWAYS],
    },
    // interface.md, Endpoints 5; D24
    Endpoint {
        target: Target::Project(CallId::Exists, Access::Read),
        number: Some(5),
        name: "exists",
        summary: prose("Returns whether at least one resource matches."),
        method: Method::Head,
        path: COLLECTION,
        params: &[param::QUERY_PARAMS, param::PAGE],
        headers: QUERY_HEADERS,
        body: RequestBody::Nothing,
        success: &[success(200, Shape::Nothing, "At least one resource matches.")],
        errors: &[ALWAYS, &[Code::SyntaxError], NOT_FOUND],
    },
    // interface.md, Endpoints 6; D11, D12, D13
    Endpoint {
        target: Target::Project(CallId::CreateOrUpdate, Access::Write),
        number: Some(6),
        name: "createOrUpdate",
        summary: prose("Creates a resource, or replaces the arrays that the body has."),
        method: Method::Post,
        path: COLLECTION,
        params: &[],
        headers: WRITE_HEADERS,
        body: RequestBody::Json(&schema::RESOURCE_DRAFT),
        success: &[UPDATED, CREATED],
        errors: &[BODY, DUPLICATE, ALWAYS, WRITE],
    },
    // interface.md, Endpoints 7; D11, D12
    Endpoint {
        target: Target::Project(CallId::Overwrite, Access::Write),
        number: Some(7),
        name: "overwrite",
        summary: prose("Overwrites a resource that exists."),
        method: Method::Patch,
        path: COLLECTION,
        params: &[],
        headers: WRITE_HEADERS,
        body: RequestBody::Json(&schema::RESOURCE_OVERWRITE),
        success: &[UPDATED],
        errors: &[BODY, DUPLICATE, ALWAYS, NOT_THE_ONLY_ONE, NOT_FOUND, WRITE],
    },
    // interface.md, Endpoints 8; D11, D12
    Endpoint {
        target: Target::Project(CallId::CreateOrOverwrite, Access::Write),
        number: Some(8),
        name: "createOrOverwrite",
        summary: prose("Creates a resource or overwrites it."),
        method: Method::Put,
        path: COLLECTION,
        params: &[],
        headers: WRITE_HEADERS,
        body: RequestBody::Json(&schema::RESOURCE_OVERWRITE),
        success: &[UPDATED, CREATED],
        errors: &[BODY, DUPLICATE, ALWAYS, NOT_THE_ONLY_ONE, WRITE],
    },
    // interface.md, Endpoints 9; D14, D15
    Endpoint {
        target: Target::Project(CallId::UpdateByPath, Access::Write),
        number: Some(9),
        name: "updateByPath",
        summary: prose("Creates a resource, or merges the fields that the body has."),
        method: Method::Post,
        path: &[
            PROJECT,
            RESOURCE,
            Segment::Literal("artificially-complex"),
            Segment::Literal("path"),
            Segment::Prefixed("uri-parameter-one=", Variable::UriParameterOne),
            Segment::Variable(Variable::UriParameterTwo),
        ],
        params: &[param::COMPLEX],
        headers: MERGE_HEADERS,
        body: RequestBody::Json(&schema::COMPLEX_BODY),
        success: PATH_UPDATED,
        errors: &[BODY, DUPLICATE, ALWAYS, WRITE],
    },
    // interface.md, Endpoints 10; D5, D17
    Endpoint {
        target: Target::Project(CallId::UpdateById, Access::Write),
        number: Some(10),
        name: "updateById",
        summary: prose("Performs update actions on the version that the caller expects."),
        method: Method::Post,
        path: BY_ID,
        params: &[],
        headers: WRITE_HEADERS,
        body: RequestBody::Json(&schema::RESOURCE_UPDATE),
        success: &[UPDATED],
        errors: &[BODY, ALWAYS, NOT_FOUND, WRITE],
    },
    // interface.md, Endpoints 11; contract, section 3
    Endpoint {
        target: Target::Project(CallId::DeleteById, Access::Write),
        number: Some(11),
        name: "deleteById",
        summary: prose("Deletes a resource and returns what it was."),
        method: Method::Delete,
        path: BY_ID,
        params: &[param::DELETE],
        headers: WRITE_HEADERS,
        body: RequestBody::Nothing,
        success: &[success(200, Shape::Record, "The resource before it was deleted.")],
        errors: &[ALWAYS, NOT_FOUND, WRITE],
    },
    // interface.md, Endpoints 12; D21, D22
    Endpoint {
        target: Target::Project(CallId::QuerySorted, Access::Read),
        number: Some(12),
        name: "querySorted",
        summary: prose("Queries resources with parameters in the order of presentation."),
        method: Method::Get,
        path: &[PROJECT, RESOURCE, Segment::Literal("sorted-query-parameters")],
        params: &[param::PAGE],
        headers: QUERY_HEADERS,
        body: RequestBody::Nothing,
        success: &[success(200, Shape::Page, "A page of results.")],
        errors: &[ALWAYS, &[Code::SyntaxError]],
    },
    // interface.md, Endpoints 13; D14, D15
    Endpoint {
        target: Target::Project(CallId::UpdateWithUrnLinks, Access::Write),
        number: Some(13),
        name: "updateWithUrnLinks",
        summary: prose("Creates a resource, or merges the fields that the body has."),
        method: Method::Post,
        path: &[PROJECT, RESOURCE, Segment::Literal("description-with-urn-links")],
        params: &[param::COMPLEX],
        headers: MERGE_HEADERS,
        body: RequestBody::Json(&schema::COMPLEX_BODY),
        success: PATH_UPDATED,
        errors: &[BODY, DUPLICATE, ALWAYS, WRITE],
    },
    Endpoint {
        target: Target::Service(ServiceId::Token),
        number: None,
        name: "token",
        summary: prose("Issues a token to a client (RFC 6749, 4.4)."),
        method: Method::Post,
        path: TOKEN_PATH,
        params: &[],
        headers: &[],
        body: RequestBody::Form(form::TOKEN),
        success: &[only(Shape::Token)],
        errors: &[CLIENT, &[Code::UnsupportedGrantType, Code::InvalidScope]],
    },
    Endpoint {
        target: Target::Service(ServiceId::Introspect),
        number: None,
        name: "introspect",
        summary: prose("Returns whether a token is valid, and its claims (RFC 7662)."),
        method: Method::Post,
        path: &[OAUTH, Segment::Literal("introspect")],
        params: &[],
        headers: &[],
        body: RequestBody::Form(form::INTROSPECTION),
        success: &[only(Shape::Introspection)],
        errors: &[CLIENT],
    },
    Endpoint {
        target: Target::Service(ServiceId::Health),
        number: None,
        name: "health",
        summary: prose("Returns whether the Worker, KV, and the projects' objects work."),
        method: Method::Get,
        path: &[Segment::Literal("health")],
        params: &[],
        headers: &[],
        body: RequestBody::Nothing,
        success: &[only(Shape::Health)],
        errors: &[&[Code::General, Code::ServiceUnavailable]],
    },
    Endpoint {
        target: Target::Service(ServiceId::Document),
        number: None,
        name: "document",
        summary: prose("Returns the OpenAPI document of the service."),
        method: Method::Get,
        path: &[Segment::Literal(DOCUMENT_PATH.split_at(1).1)],
        params: &[],
        headers: &[],
        body: RequestBody::Nothing,
        success: &[only(Shape::Document)],
        errors: &[&[Code::InvalidInput, Code::General]],
    },
    Endpoint {
        target: Target::Project(CallId::Status, Access::Write),
        number: None,
        name: "status",
        summary: prose("Returns a project's state for operators: size, pending KV updates, versions, sweep."),
        method: Method::Get,
        path: &[PROJECT, Segment::Literal("status")],
        params: &[],
        headers: &[],
        body: RequestBody::Nothing,
        success: &[only(Shape::Status)],
        errors: &[ALWAYS],
    },
    Endpoint {
        target: Target::Project(CallId::Export, Access::Write),
        number: None,
        name: "export",
        summary: prose(
            "A page of everything that a project has, in the order of revisions: a line of JSON for each resource and for each deleted ID.",
        ),
        method: Method::Get,
        path: &[PROJECT, Segment::Literal("export")],
        params: &[param::EXPORT],
        headers: &[],
        body: RequestBody::Nothing,
        success: &[only(Shape::Lines)],
        errors: &[ALWAYS, &[Code::HistoryChanged]],
    },
    Endpoint {
        target: Target::Project(CallId::Import, Access::Write),
        number: None,
        name: "import",
        summary: prose(
            "Imports lines of an export exactly, into a project that is empty or has only imported lines.",
        ),
        method: Method::Post,
        path: &[PROJECT, Segment::Literal("import")],
        params: &[],
        headers: &[],
        body: RequestBody::Lines,
        success: &[only(Shape::Imported)],
        errors: &[BODY, &[Code::InvalidOperation], ALWAYS, NO_ROOM],
    },
    Endpoint {
        target: Target::Project(CallId::Clear, Access::Write),
        number: None,
        name: "clear",
        summary: prose("Deletes a part of a project's data. Repeat it until `isDone` is true."),
        method: Method::Delete,
        path: &[PROJECT, Segment::Literal("data")],
        params: &[param::CLEAR],
        headers: &[],
        body: RequestBody::Nothing,
        success: &[only(Shape::Cleared)],
        errors: &[ALWAYS, NO_ROOM],
    },
    Endpoint {
        target: Target::Project(CallId::Restore, Access::Write),
        number: None,
        name: "restore",
        summary: prose("Sets a project back to a moment of the last 30 days, if the platform can."),
        method: Method::Post,
        path: &[PROJECT, Segment::Literal("restore")],
        params: &[param::RESTORE],
        headers: &[],
        body: RequestBody::Nothing,
        success: &[only(Shape::Restored)],
        errors: &[&[Code::InvalidOperation], ALWAYS, NO_ROOM],
    },
];

/// How many operations there are. They are the first rows.
#[allow(clippy::indexing_slicing, reason = "evaluated by the compiler, where a wrong index does not compile")]
pub const OPERATIONS: usize = {
    let mut count = 0;
    while ENDPOINTS[count].number.is_some() {
        count += 1;
    }
    count
};

/// Returns the thirteen operations, in the order of `interface.md`.
pub fn operations() -> impl Iterator<Item = &'static Endpoint> {
    ENDPOINTS.iter().take(OPERATIONS)
}

impl CallId {
    /// Returns the row of the call's endpoint.
    #[must_use]
    pub fn row(self) -> &'static Endpoint {
        let [first, ..] = &ENDPOINTS;
        let is_its = |row: &&Endpoint| matches!(row.target, Target::Project(id, _) if id == self);
        // The compiler has checked that every ID has a row, so the fallback is never used.
        ENDPOINTS.iter().find(is_its).unwrap_or(first)
    }
}

// Does not compile unless each ID has one row, in the order of the IDs, and the operations have the first numbers.
#[allow(clippy::indexing_slicing, reason = "evaluated by the compiler, where a wrong index does not compile")]
const _: () = {
    let (mut at, mut calls, mut services) = (0, 0, 0);
    while at < ENDPOINTS.len() {
        match ENDPOINTS[at].target {
            Target::Project(id, _) => {
                assert!(id as usize == calls, "a row of a project is not in the order of its ID");
                calls += 1;
            }
            Target::Service(id) => {
                assert!(id as usize == services, "a row of the service is not in the order of its ID");
                services += 1;
            }
        }
        match ENDPOINTS[at].number {
            Some(number) => {
                assert!(number as usize == at + 1, "an operation is not in the place of its number");
            }
            None => assert!(at >= OPERATIONS, "an operation is not among the first rows"),
        }
        at += 1;
    }
};
