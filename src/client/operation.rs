//! The part of the operation table that the client needs. The compiler extracts it from [`operation::OPERATIONS`],
//! because the sentences and sources there would be a tenth of what a page loads.

use super::session::NameHash;
use crate::contract::api::operation::{self, Access, Operation, OperationId, Shape};
use crate::contract::api::path::{Segment, Variable};
use crate::contract::param::{Param, ParamId};

/// The maximum number of query parameters that an operation has.
const PARAMS: usize = max_params();

/// An operation.
#[derive(Debug)]
pub struct ClientOperation {
    /// Its ID.
    pub(super) id: OperationId,
    /// Whether it changes the collection.
    pub(super) write: bool,
    /// Whether it has a body.
    pub(super) body: bool,
    /// Whether it returns a page of resources instead of one resource.
    pub(super) page: bool,
    /// Its path.
    pub(super) path: &'static [Segment],
    /// Its path variables after the project.
    pub(super) variables: [Option<Variable>; 2],
    /// Its query parameters in the order of presentation, and their number.
    params: ([ParamId; PARAMS], usize),
}

/// The thirteen operations, in the order of `interface.md`.
pub(super) static OPERATIONS: [ClientOperation; operation::OPERATIONS.len()] = operations();

impl ClientOperation {
    /// Returns its query parameters in the order of presentation.
    pub(super) fn params(&self) -> &[ParamId] {
        self.params.0.get(..self.params.1).unwrap_or_default()
    }

    /// Returns the ID or the key that a call names by its first path variable; `None` if it is not about one resource.
    pub(super) fn subject(&self, first_variable: &str) -> Option<NameHash> {
        match self.id {
            OperationId::GetById | OperationId::UpdateById | OperationId::DeleteById => {
                Some(NameHash::id(first_variable))
            }
            OperationId::GetByKey => Some(NameHash::key(first_variable)),
            OperationId::Query
            | OperationId::Search
            | OperationId::Exists
            | OperationId::CreateOrUpdate
            | OperationId::Overwrite
            | OperationId::CreateOrOverwrite
            | OperationId::UpdateByPath
            | OperationId::QuerySorted
            | OperationId::UpdateWithUrnLinks => None,
        }
    }
}

#[allow(clippy::indexing_slicing, reason = "evaluated by the compiler, where a wrong index does not compile")]
const fn operations() -> [ClientOperation; operation::OPERATIONS.len()] {
    let mut operations = [const { client_operation(&operation::OPERATIONS[0]) }; operation::OPERATIONS.len()];
    let mut at = 0;
    while at < operations.len() {
        operations[at] = client_operation(&operation::OPERATIONS[at]);
        at += 1;
    }
    operations
}

const fn client_operation(operation: &Operation) -> ClientOperation {
    ClientOperation {
        id: operation.id,
        write: matches!(operation.access, Access::Write),
        body: operation.body.is_some(),
        page: is_page(operation),
        path: operation.path,
        variables: variables(operation.path),
        params: params(operation.params),
    }
}

#[allow(clippy::indexing_slicing, reason = "evaluated by the compiler, where a wrong index does not compile")]
const fn is_page(operation: &Operation) -> bool {
    matches!(operation.success[0].shape, Shape::Page | Shape::PageWithFirst | Shape::SearchResult)
}

#[allow(clippy::indexing_slicing, reason = "evaluated by the compiler, where a wrong index does not compile")]
const fn max_params() -> usize {
    let (mut max, mut at) = (0, 0);
    while at < operation::OPERATIONS.len() {
        let groups = operation::OPERATIONS[at].params;
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
