//! The part of the table of endpoints that the client needs. The compiler extracts it from [`ENDPOINTS`],
//! because the sentences there would be a tenth of what a page loads.

use super::session::NameHash;
use crate::contract::api::endpoint::{Access, ENDPOINTS, Endpoint, OPERATIONS as COUNT, Shape};
use crate::contract::api::path::{Segment, Variable};
use crate::contract::param::{Param, ParamId};

/// The maximum number of query parameters that an operation has.
const PARAMS: usize = max_params();

/// An operation.
#[derive(Debug)]
pub struct ClientOperation {
    /// Whether it changes the collection.
    pub(super) write: bool,
    /// Whether it has a body.
    pub(super) body: bool,
    /// The body that it returns, of its first successful response.
    pub(super) shape: Shape,
    /// Its path.
    pub(super) path: &'static [Segment],
    /// Its path variables after the project.
    pub(super) variables: [Option<Variable>; 2],
    /// Its query parameters in the order of presentation, and their number.
    params: ([ParamId; PARAMS], usize),
}

/// The thirteen operations, in the order of `interface.md`.
pub(super) static OPERATIONS: [ClientOperation; COUNT] = operations();

impl ClientOperation {
    /// Returns its query parameters in the order of presentation.
    pub(super) fn params(&self) -> &[ParamId] {
        self.params.0.get(..self.params.1).unwrap_or_default()
    }

    /// Returns whether it returns a page of resources instead of one resource.
    pub(super) const fn is_page(&self) -> bool {
        matches!(self.shape, Shape::Page | Shape::PageWithFirst | Shape::SearchResult)
    }

    /// Returns the ID or the key that a call names by its first path variable; `None` if it is not about one resource.
    pub(super) fn subject(&self, first_variable: &str) -> Option<NameHash> {
        match self.variables {
            [Some(Variable::Id), _] => Some(NameHash::id(first_variable)),
            [Some(Variable::Key), _] => Some(NameHash::key(first_variable)),
            _ => None,
        }
    }
}

#[allow(clippy::indexing_slicing, reason = "evaluated by the compiler, where a wrong index does not compile")]
const fn operations() -> [ClientOperation; COUNT] {
    let mut operations = [const { client_operation(&ENDPOINTS[0]) }; COUNT];
    let mut at = 0;
    while at < operations.len() {
        operations[at] = client_operation(&ENDPOINTS[at]);
        at += 1;
    }
    operations
}

const fn client_operation(operation: &Endpoint) -> ClientOperation {
    ClientOperation {
        write: matches!(operation.access(), Some(Access::Write)),
        body: operation.json_body().is_some(),
        shape: shape(operation),
        path: operation.path,
        variables: variables(operation.path),
        params: params(operation.params),
    }
}

#[allow(clippy::indexing_slicing, reason = "evaluated by the compiler, where a wrong index does not compile")]
const fn shape(operation: &Endpoint) -> Shape {
    operation.success[0].shape
}

#[allow(clippy::indexing_slicing, reason = "evaluated by the compiler, where a wrong index does not compile")]
const fn max_params() -> usize {
    let (mut max, mut at) = (0, 0);
    while at < COUNT {
        let groups = ENDPOINTS[at].params;
        let (mut count, mut group) = (0, 0);
        while group < groups.len() {
            count += groups[group].len();
            group += 1;
        }
        if count > max {
            max = count;
        }
        at += 1;
    }
    max
}

#[allow(clippy::indexing_slicing, reason = "evaluated by the compiler, where a wrong index does not compile")]
const fn params(groups: &[&[Param]]) -> ([ParamId; PARAMS], usize) {
    let mut params = [ParamId::Expand; PARAMS];
    let mut filled = 0;
    let mut group = 0;
    while group < groups.len() {
        let mut at = 0;
        while at < groups[group].len() {
            params[filled] = groups[group][at].id;
            filled += 1;
            at += 1;
        }
        group += 1;
    }
    (params, filled)
}

#[allow(clippy::indexing_slicing, reason = "evaluated by the compiler, where a wrong index does not compile")]
const fn variables(path: &[Segment]) -> [Option<Variable>; 2] {
    let mut variables = [None; 2];
    let mut filled = 0;
    let mut at = 0;
    while at < path.len() {
        match path[at].variable() {
            None | Some(Variable::ProjectKey) => {}
            variable => {
                variables[filled] = variable;
                filled += 1;
            }
        }
        at += 1;
    }
    variables
}
