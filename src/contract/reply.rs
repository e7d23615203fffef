//! What performing a call gives, before it is HTTP.

use serde::{Deserialize, Serialize};

use super::error::ApiError;
use super::time::Millis;

/// What a project's object answers: the reply, and how it came about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The reply.
    pub reply: Reply,
    /// Whether it is the first answer again (D18).
    pub replayed: bool,
    /// What a query cost, for the log.
    pub query: Option<QueryCost>,
}

impl Answer {
    /// Whether the call was performed.
    #[must_use]
    pub fn is_success(&self) -> bool {
        !matches!(self.reply, Reply::Error(_))
    }
}

/// What a query cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueryCost {
    /// How many rows were read, those of indexes too.
    pub rows_read: u64,
    /// Whether an index narrowed it.
    pub by_index: bool,
}

/// The answer to a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Reply {
    /// One resource was read or written.
    Resource(ResourceReply),
    /// A page of results, as JSON.
    Page(String),
    /// Whether anything matches (operation 5).
    Exists(bool),
    /// The call failed.
    Error(ApiError),
}

impl From<ApiError> for Reply {
    fn from(error: ApiError) -> Self {
        Self::Error(error)
    }
}

/// One resource that was read or written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResourceReply {
    /// How it ended.
    pub outcome: Outcome,
    /// The resource's id.
    pub id: String,
    /// What `ETag` is made from.
    pub revision: Millis,
    /// What `Resource-Revision` says: the resource's, or after a delete the project's newest (D19).
    pub newest: Millis,
    /// The body, as JSON.
    pub body: String,
}

/// How a read or write of one resource ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// It was read, or changed.
    Done,
    /// It was made: 201 with `Location`.
    Created,
    /// Made by operation 9 or 13: 200 with `Location`.
    Placed,
    /// Accepted by operation 9 or 13 with `Prefer: respond-async`: 202 with `Location`.
    Accepted,
    /// It was deleted.
    Deleted,
}

impl Outcome {
    /// The HTTP status.
    #[must_use]
    pub const fn status(self) -> u16 {
        match self {
            Self::Done | Self::Placed | Self::Deleted => 200,
            Self::Created => 201,
            Self::Accepted => 202,
        }
    }

    /// Whether the answer says where the resource is.
    #[must_use]
    pub const fn has_location(self) -> bool {
        matches!(self, Self::Created | Self::Placed | Self::Accepted)
    }
}
