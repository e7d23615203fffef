//! A request as a typed call: decoded once, then handed to whoever performs it. Pure; it stands above the contract and
//! the query languages, below the handler and the collection.

use serde::{Deserialize, Serialize};

use crate::contract::etag::Condition;
use crate::contract::field::Sort;
use crate::contract::model::{ResourceInput, UpdateInput};
use crate::contract::operation::OperationId;
use crate::contract::time::Millis;
use crate::predicate::Typed;
use crate::search::Criteria;

/// One call of one operation; the variants are those of [`OperationId`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Call {
    /// Operation 1.
    Query(Query),
    /// Operation 2.
    GetById {
        /// The resource's id.
        id: String,
    },
    /// Operation 3.
    GetByKey {
        /// The resource's key.
        key: String,
    },
    /// Operation 4.
    Search(Search),
    /// Operation 5.
    Exists(Query),
    /// Operation 6.
    CreateOrUpdate(ResourceInput),
    /// Operation 7.
    Overwrite(ResourceInput),
    /// Operation 8.
    CreateOrOverwrite(ResourceInput),
    /// Operation 9.
    UpdateByPath(ResourceInput),
    /// Operation 10.
    UpdateById {
        /// The resource's id.
        id: String,
        /// The expected version and the actions.
        update: UpdateInput,
    },
    /// Operation 11.
    DeleteById {
        /// The resource's id.
        id: String,
        /// The version that it must have, where the caller names one.
        version: Option<u64>,
    },
    /// Operation 12.
    QuerySorted(Query),
    /// Operation 13.
    UpdateWithUrnLinks(ResourceInput),
}

impl Call {
    /// Which operation is called.
    #[must_use]
    pub fn operation(&self) -> OperationId {
        match self {
            Self::Query(_) => OperationId::Query,
            Self::GetById { .. } => OperationId::GetById,
            Self::GetByKey { .. } => OperationId::GetByKey,
            Self::Search(_) => OperationId::Search,
            Self::Exists(_) => OperationId::Exists,
            Self::CreateOrUpdate(_) => OperationId::CreateOrUpdate,
            Self::Overwrite(_) => OperationId::Overwrite,
            Self::CreateOrOverwrite(_) => OperationId::CreateOrOverwrite,
            Self::UpdateByPath(_) => OperationId::UpdateByPath,
            Self::UpdateById { .. } => OperationId::UpdateById,
            Self::DeleteById { .. } => OperationId::DeleteById,
            Self::QuerySorted(_) => OperationId::QuerySorted,
            Self::UpdateWithUrnLinks(_) => OperationId::UpdateWithUrnLinks,
        }
    }
}

/// A query's condition, order and page (D22, D23).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Query {
    /// What the results must satisfy: the predicates and operation 1's own parameters together.
    pub condition: Typed,
    /// The order, most significant first.
    pub sort: Vec<Sort>,
    /// The most results in the page.
    pub limit: u32,
    /// How many results to pass over.
    pub offset: u32,
    /// Whether to count all matches.
    pub with_total: bool,
}

/// A search (contract, section 6).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Search {
    /// What is searched, narrowed and counted.
    pub criteria: Criteria,
    /// The order, most significant first; empty: by relevance where there are words, else by creation.
    pub sort: Vec<Sort>,
    /// The most results in the page.
    pub limit: u32,
    /// How many results to pass over.
    pub offset: u32,
}

/// What a write carries beside its call.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WriteTerms {
    /// `If-Match`
    pub if_match: Option<Condition>,
    /// `If-None-Match`
    pub if_none_match: Option<Condition>,
    /// `Idempotency-Key` with the caller and the request that it stands for (D18).
    pub idempotency: Option<Idempotency>,
    /// Whether a receipt is wanted: `Prefer: respond-async` (D15).
    pub respond_async: bool,
}

/// An `Idempotency-Key` in use (D18).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Idempotency {
    /// Who calls: keys of different callers never meet.
    pub caller: String,
    /// The header's value.
    pub key: String,
    /// A hash of method, path, query and body.
    pub fingerprint: [u8; 16],
}

/// What goes to a project's object: a call with everything that performing it needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// The project, which names the object and its keys in KV.
    pub project: String,
    /// The call.
    pub call: Call,
    /// What a write carries.
    pub terms: WriteTerms,
}

/// A read's demand for freshness (D19).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Freshness {
    /// Whether the truth must be read.
    pub fresh: bool,
    /// The oldest revision that the caller takes.
    pub min_revision: Millis,
}
