//! The part of the table of endpoints that the client needs. The compiler extracts it from [`ENDPOINTS`],
//! because the rest of a row would only enlarge what a page loads.

use super::session::NameHash;
use crate::contract::api::endpoint::{Access, ENDPOINTS, Endpoint, OPERATIONS as COUNT, Shape};
use crate::contract::api::path::{Segment, Variable};
use crate::contract::param::{Param, ParamId};

#[derive(Debug)]
pub struct ClientOperation {
    /// Whether it changes the collection.
    pub(super) write: bool,
    /// Whether it has a body.
    pub(super) body: bool,
    /// The body that it returns, of its first successful response.
    pub(super) shape: Shape,
    pub(super) path: &'static [Segment],
    params: &'static [&'static [Param]],
}

/// The thirteen operations, in the order of `interface.md`.
pub(super) static OPERATIONS: [ClientOperation; COUNT] = {
    let mut operations = [const { client_operation(&ENDPOINTS[0]) }; COUNT];
    let (mut rows, mut places) = (ENDPOINTS.as_slice(), operations.as_mut_slice());
    while let ([row, more_rows @ ..], [place, more_places @ ..]) = (rows, places) {
        *place = client_operation(row);
        (rows, places) = (more_rows, more_places);
    }
    operations
};

impl ClientOperation {
    /// Returns its query parameters in the order of presentation.
    pub(super) fn params(&self) -> impl Iterator<Item = ParamId> {
        self.params.iter().copied().flatten().map(|param| param.id)
    }

    /// Returns its path variables after the project.
    pub(super) fn variables(&self) -> impl Iterator<Item = Variable> {
        self.path.iter().skip(1).filter_map(|segment| segment.variable())
    }

    /// Returns whether it returns a page of resources instead of one resource.
    pub(super) const fn is_page(&self) -> bool {
        matches!(self.shape, Shape::Page | Shape::PageWithFirst | Shape::SearchResult)
    }

    /// Returns the ID or the key that a call names by its first path variable; `None` if it is not about one resource.
    pub(super) fn subject(&self, first_variable: &str) -> Option<NameHash> {
        match self.variables().next()? {
            Variable::Id => Some(NameHash::id(first_variable)),
            Variable::Key => Some(NameHash::key(first_variable)),
            _ => None,
        }
    }
}

const fn client_operation(operation: &Endpoint) -> ClientOperation {
    ClientOperation {
        write: matches!(operation.access(), Some(Access::Write)),
        body: operation.json_body().is_some(),
        shape: match operation.success {
            [first, ..] => first.shape,
            [] => Shape::Nothing,
        },
        path: operation.path,
        params: operation.params,
    }
}
