//! The operation table: one row for each of the thirteen operations (`interface.md`, Endpoints).

mod rules;

use super::path::{Segment, Variable};
use crate::contract::param::{self, Param};
use crate::contract::prose;
use crate::contract::resource::schema::{self, Object};
use crate::contract::response::{ResponseType, operations};

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

/// Whether an operation reads or writes, which determines its scopes (contract, section 8).
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
    /// Names one of the thirteen operations.
    OperationId:
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
}

impl Shape {
    /// Returns the schema of the body. `None` if there is no body.
    #[must_use]
    pub const fn schema(self) -> Option<ResponseType> {
        match self {
            Self::Record => Some(ResponseType::Object(&schema::RESOURCE)),
            Self::PageWithFirst => Some(ResponseType::Named(&operations::QUERY_RESULT)),
            Self::Page => Some(ResponseType::Named(&operations::PAGE)),
            Self::SearchResult => Some(ResponseType::Named(&operations::SEARCH_RESULT)),
            Self::Arrays => Some(ResponseType::Object(&schema::ARRAYS)),
            Self::Receipt => Some(ResponseType::Named(&operations::RECEIPT)),
            Self::Nothing => None,
        }
    }
}

/// A successful response of an operation.
#[derive(Debug, Clone, Copy)]
pub struct Success {
    /// The status.
    pub status: u16,
    /// The body.
    pub shape: Shape,
    /// When the operation returns it, in one sentence.
    pub when: &'static str,
}

/// One row of the table.
#[derive(Debug)]
pub struct Operation {
    /// Which operation it is.
    pub id: OperationId,
    /// Its number in `interface.md`.
    pub number: u8,
    /// Its name in the client and its `operationId` in the OpenAPI document.
    pub name: &'static str,
    /// Its purpose, in one sentence.
    pub summary: &'static str,
    /// Its method.
    pub method: Method,
    /// Its path.
    pub path: &'static [Segment],
    /// Whether it reads or writes the collection.
    pub access: Access,
    /// Its query parameters in groups, in the order of presentation.
    pub params: &'static [&'static [Param]],
    /// The schema of its body. `None` if it accepts none.
    pub body: Option<&'static Object>,
    /// Its successful responses.
    pub success: &'static [Success],
    /// The source of the row.
    pub source: &'static str,
}

impl Operation {
    /// Returns its query parameters in the order of presentation.
    pub fn params(&self) -> impl Iterator<Item = &'static Param> {
        self.params.iter().copied().flatten()
    }

    /// Returns whether it reads one resource, from KV if possible and conditionally (D19, D20).
    #[must_use]
    pub fn reads_one(&self) -> bool {
        self.access == Access::Read && self.may_return(Shape::Record)
    }

    /// Returns whether it may return a body of the shape.
    #[must_use]
    pub fn may_return(&self, shape: Shape) -> bool {
        self.success.iter().any(|success| success.shape == shape)
    }
}

const PROJECT: Segment = Segment::Variable(Variable::ProjectKey);
const RESOURCE: Segment = Segment::Literal("resource");
const ID: Segment = Segment::Variable(Variable::Id);
const COLLECTION: &[Segment] = &[PROJECT, RESOURCE];
const BY_ID: &[Segment] = &[PROJECT, RESOURCE, ID];

const FOUND: Success = Success { status: 200, shape: Shape::Record, when: prose("The resource.") };
const CREATED: Success =
    Success { status: 201, shape: Shape::Record, when: prose("The resource was created.") };
const UPDATED: Success =
    Success { status: 200, shape: Shape::Record, when: prose("The resource was updated.") };
const PATH_UPDATED: &[Success] = &[
    Success {
        status: 200,
        shape: Shape::Arrays,
        when: prose("The resource's seven arrays after the update."),
    },
    Success {
        status: 202,
        shape: Shape::Receipt,
        when: prose("With `Prefer: respond-async`: the time of acceptance. The change is durable."),
    },
];

/// The thirteen operations, in the order of `interface.md`.
pub static OPERATIONS: [Operation; OperationId::ALL.len()] = [
    Operation {
        id: OperationId::Query,
        number: 1,
        name: "query",
        summary: prose("Queries resources."),
        method: Method::Get,
        path: COLLECTION,
        access: Access::Read,
        params: &[param::QUERY_PARAMS, param::PAGE],
        body: None,
        success: &[Success {
            status: 200,
            shape: Shape::PageWithFirst,
            when: prose("A page of results, and the arrays of its first result."),
        }],
        source: prose("interface.md, Endpoints 1; D21, D22, D23"),
    },
    Operation {
        id: OperationId::GetById,
        number: 2,
        name: "getById",
        summary: prose("Reads one resource by its ID."),
        method: Method::Get,
        path: BY_ID,
        access: Access::Read,
        params: &[param::GET_BY_ID_PARAMS, param::EXPAND],
        body: None,
        success: &[FOUND],
        source: prose("interface.md, Endpoints 2; D19"),
    },
    Operation {
        id: OperationId::GetByKey,
        number: 3,
        name: "getByKey",
        summary: prose("Reads one resource by its key."),
        method: Method::Get,
        path: &[PROJECT, RESOURCE, Segment::Prefixed("key=", Variable::Key)],
        access: Access::Read,
        params: &[param::EXPAND],
        body: None,
        success: &[FOUND],
        source: prose("interface.md, Endpoints 3; D19"),
    },
    Operation {
        id: OperationId::Search,
        number: 4,
        name: "search",
        summary: prose("Searches resources by their text, with filters and facets."),
        method: Method::Get,
        path: &[PROJECT, RESOURCE, Segment::Literal("searchApiPattern")],
        access: Access::Read,
        params: &[param::SEARCH_PARAMS, param::SEARCH_PAGE],
        body: None,
        success: &[Success {
            status: 200,
            shape: Shape::SearchResult,
            when: prose("A page of results, and the requested facets."),
        }],
        source: prose("interface.md, Endpoints 4; contract, section 6"),
    },
    Operation {
        id: OperationId::Exists,
        number: 5,
        name: "exists",
        summary: prose("Returns whether at least one resource matches."),
        method: Method::Head,
        path: COLLECTION,
        access: Access::Read,
        params: &[param::QUERY_PARAMS, param::PAGE],
        body: None,
        success: &[Success {
            status: 200,
            shape: Shape::Nothing,
            when: prose("At least one resource matches."),
        }],
        source: prose("interface.md, Endpoints 5; D24"),
    },
    Operation {
        id: OperationId::CreateOrUpdate,
        number: 6,
        name: "createOrUpdate",
        summary: prose("Creates a resource, or replaces the arrays that the body has."),
        method: Method::Post,
        path: COLLECTION,
        access: Access::Write,
        params: &[],
        body: Some(&schema::RESOURCE_DRAFT),
        success: &[UPDATED, CREATED],
        source: prose("interface.md, Endpoints 6; D11, D12, D13"),
    },
    Operation {
        id: OperationId::Overwrite,
        number: 7,
        name: "overwrite",
        summary: prose("Overwrites a resource that exists."),
        method: Method::Patch,
        path: COLLECTION,
        access: Access::Write,
        params: &[],
        body: Some(&schema::RESOURCE_OVERWRITE),
        success: &[UPDATED],
        source: prose("interface.md, Endpoints 7; D11, D12"),
    },
    Operation {
        id: OperationId::CreateOrOverwrite,
        number: 8,
        name: "createOrOverwrite",
        summary: prose("Creates a resource or overwrites it."),
        method: Method::Put,
        path: COLLECTION,
        access: Access::Write,
        params: &[],
        body: Some(&schema::RESOURCE_OVERWRITE),
        success: &[UPDATED, CREATED],
        source: prose("interface.md, Endpoints 8; D11, D12"),
    },
    Operation {
        id: OperationId::UpdateByPath,
        number: 9,
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
        access: Access::Write,
        params: &[param::COMPLEX],
        body: Some(&schema::COMPLEX_BODY),
        success: PATH_UPDATED,
        source: prose("interface.md, Endpoints 9; D14, D15"),
    },
    Operation {
        id: OperationId::UpdateById,
        number: 10,
        name: "updateById",
        summary: prose("Performs update actions on the version that the caller expects."),
        method: Method::Post,
        path: BY_ID,
        access: Access::Write,
        params: &[],
        body: Some(&schema::RESOURCE_UPDATE),
        success: &[UPDATED],
        source: prose("interface.md, Endpoints 10; D5, D17"),
    },
    Operation {
        id: OperationId::DeleteById,
        number: 11,
        name: "deleteById",
        summary: prose("Deletes a resource and returns what it was."),
        method: Method::Delete,
        path: BY_ID,
        access: Access::Write,
        params: &[param::DELETE],
        body: None,
        success: &[Success {
            status: 200,
            shape: Shape::Record,
            when: prose("The resource before it was deleted."),
        }],
        source: prose("interface.md, Endpoints 11; contract, section 3"),
    },
    Operation {
        id: OperationId::QuerySorted,
        number: 12,
        name: "querySorted",
        summary: prose("Queries resources with parameters in the order of presentation."),
        method: Method::Get,
        path: &[PROJECT, RESOURCE, Segment::Literal("sorted-query-parameters")],
        access: Access::Read,
        params: &[param::PAGE],
        body: None,
        success: &[Success { status: 200, shape: Shape::Page, when: prose("A page of results.") }],
        source: prose("interface.md, Endpoints 12; D21, D22"),
    },
    Operation {
        id: OperationId::UpdateWithUrnLinks,
        number: 13,
        name: "updateWithUrnLinks",
        summary: prose("Creates a resource, or merges the fields that the body has."),
        method: Method::Post,
        path: &[PROJECT, RESOURCE, Segment::Literal("description-with-urn-links")],
        access: Access::Write,
        params: &[param::COMPLEX],
        body: Some(&schema::COMPLEX_BODY),
        success: PATH_UPDATED,
        source: prose("interface.md, Endpoints 13; D14, D15"),
    },
];

assert_in_order!(OPERATIONS);

impl OperationId {
    /// Returns the operation's row.
    #[must_use]
    pub fn row(self) -> &'static Operation {
        let [first, ..] = &OPERATIONS;
        // Every ID has a row at its place, so the fallback is never used.
        OPERATIONS.get(self as usize).unwrap_or(first)
    }
}

/// Literal path parts at the place of an ID. The compiler extracts them from the table, so that a program that only
/// calls [`is_reserved_id`] does not contain the whole table with its sentences.
#[allow(clippy::indexing_slicing, reason = "evaluated by the compiler, where a wrong index does not compile")]
static RESERVED_ID_PARTS: [Option<Segment>; OPERATIONS.len()] = {
    let mut parts = [None; OPERATIONS.len()];
    let mut at = 0;
    while at < parts.len() {
        if let [_, _, part, ..] = OPERATIONS[at].path {
            parts[at] = Some(*part);
        }
        at += 1;
    }
    parts
};

/// Returns the literal parts at the place of an ID, each with whether it is only a prefix (D3).
pub fn reserved_id_parts() -> impl Iterator<Item = (&'static str, bool)> {
    RESERVED_ID_PARTS.iter().flatten().filter_map(|segment| match *segment {
        Segment::Literal(literal) => Some((literal, false)),
        Segment::Prefixed(prefix, _) => Some((prefix, true)),
        Segment::Variable(_) => None,
    })
}

/// Returns whether a literal path part of another operation shadows the ID (D3).
#[must_use]
pub fn is_reserved_id(id: &str) -> bool {
    reserved_id_parts().any(|(part, beginning)| if beginning { id.starts_with(part) } else { id == part })
}

#[cfg(test)]
mod tests;
