//! The part of the table of endpoints that the client needs. The compiler extracts it from [`ENDPOINTS`],
//! because the rest of a row would only enlarge what a page loads.

use super::session::NameHash;
use crate::contract::api::endpoint::{CallId, ENDPOINTS, Endpoint, ResponseBody, Target};
use crate::contract::api::path::{Segment, Variable};
use crate::contract::param::{Param, ParamId};

#[derive(Debug)]
pub struct ClientOperation {
    /// Whether it performs writes. Such a call has an idempotency key.
    pub(super) write: bool,
    /// The media type of its body, if it has one.
    pub(super) media_type: Option<&'static str>,
    /// The body that it returns, of its first successful response.
    pub(super) shape: ResponseBody,
    pub(super) path: &'static [Segment],
    params: &'static [&'static [Param]],
}

/// The calls by the numbers of their IDs: the thirteen operations, then those about the project as a whole.
pub(super) static OPERATIONS: [ClientOperation; CallId::ALL.len()] = {
    let mut operations = [const { client_operation(&ENDPOINTS[0]) }; CallId::ALL.len()];
    let (mut rows, mut places) = (ENDPOINTS.as_slice(), operations.as_mut_slice());
    while let [row, more_rows @ ..] = rows {
        rows = more_rows;
        // The rows of projects are in the order of their IDs.
        if matches!(row.target, Target::Service(_)) {
            continue;
        }
        let [place, more_places @ ..] = places else { break };
        *place = client_operation(row);
        places = more_places;
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

    /// Returns whether it returns several resources.
    pub(super) const fn is_page(&self) -> bool {
        matches!(
            self.shape,
            ResponseBody::Page
                | ResponseBody::PageWithFirst
                | ResponseBody::SearchResult
                | ResponseBody::Changes
                | ResponseBody::Batch
        )
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
        write: operation.has_key(),
        media_type: operation.body.media_type(),
        shape: match operation.success {
            [first, ..] => first.shape,
            [] => ResponseBody::Nothing,
        },
        path: operation.path,
        params: operation.params,
    }
}
