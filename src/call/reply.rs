//! The result of a call, before it becomes an HTTP response.

use serde::{Deserialize, Serialize};

use crate::contract::error::ApiError;
use crate::contract::position::{FeedPosition, ProjectPosition};
use crate::util::time::Millis;

/// The reply of a project's object. The edge decodes the head; the body passes through unread.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reply<T> {
    pub head: ReplyHead,
    /// The body as JSON, if the result has one.
    pub body: Option<T>,
}

impl<T> Reply<T> {
    /// Creates the reply of a call that is performed now.
    pub fn new(result: CallResult, body: Option<T>) -> Self {
        let head = ReplyHead { result, replayed: false, cost: Cost::default(), by_index: None, newest: None };
        Self { head, body }
    }

    pub fn of_query(result: CallResult, body: Option<T>, by_index: bool) -> Self {
        let mut reply = Self::new(result, body);
        reply.head.by_index = Some(by_index);
        reply
    }
}

impl<T> From<ApiError> for Reply<T> {
    fn from(error: ApiError) -> Self {
        Self::new(CallResult::Error(error), None)
    }
}

/// A reply without its body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReplyHead {
    pub result: CallResult,
    /// Whether it is a replay of the first response (D18).
    pub replayed: bool,
    /// The cost of the call in the database, for the log. The project's object sets it.
    pub cost: Cost,
    /// Whether a query used an index, for the log.
    pub by_index: Option<bool>,
    /// The newest revision of the project that a query or a search read (D45).
    pub newest: Option<Millis>,
}

/// The cost of statements in the database.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    pub statements: u64,
    /// How many rows they read, including rows of indexes.
    pub rows_read: u64,
    /// How many rows they wrote, including rows of indexes.
    pub rows_written: u64,
}

impl Cost {
    /// Returns what was added since an earlier cost.
    #[must_use]
    pub const fn since(self, before: Self) -> Self {
        Self {
            statements: self.statements.saturating_sub(before.statements),
            rows_read: self.rows_read.saturating_sub(before.rows_read),
            rows_written: self.rows_written.saturating_sub(before.rows_written),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum CallResult {
    /// One resource was read or written; the body is its response.
    Resource(ResourceHead),
    /// The call was performed. The body, if there is one, is the response.
    Performed,
    /// Whether anything matches (operation 5).
    Exists(bool),
    Error(ApiError),
    /// A page of an export, which is the body; and the position after which the next page begins, if there is one.
    Export(Option<ProjectPosition>),
    Replication {
        /// Whether plain reads bypass KV, because KV is behind or is being repaired after a restore.
        bypass_kv: bool,
    },
    /// A page of changes, which is the body.
    Changes {
        /// The position after the page.
        to: FeedPosition,
        more: More,
    },
    /// A socket may listen from this position on. The body is its first frame.
    Listening(ProjectPosition),
    /// All writes of a batch were performed. The body is the response.
    Batch {
        /// The value of `Resource-Revision`: the newest of the writes.
        newest: Millis,
    },
}

/// What follows a page of changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum More {
    /// Another page.
    Page,
    /// Nothing yet.
    Nothing,
    /// Nothing yet, and the page itself has nothing: a caller may wait for the first change.
    Idle,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResourceHead {
    pub outcome: Outcome,
    pub id: String,
    /// The revision in `ETag`.
    pub revision: Millis,
    /// The value of `Resource-Revision`: the resource's revision, or after a delete the project's newest (D19).
    pub newest: Millis,
}

/// How a read or write of one resource ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// It was read, or changed.
    Done,
    /// It was created: 201 with `Location`.
    Created,
    /// It was created by operation 9 or 13: 200 with `Location`.
    Placed,
    /// It was accepted by operation 9 or 13 with `Prefer: respond-async`: 202 with `Location`.
    Accepted,
    Deleted,
}

impl Outcome {
    pub const fn status(self) -> u16 {
        match self {
            Self::Done | Self::Placed | Self::Deleted => 200,
            Self::Created => 201,
            Self::Accepted => 202,
        }
    }

    /// Returns whether the response has a `Location`.
    pub const fn has_location(self) -> bool {
        matches!(self, Self::Created | Self::Placed | Self::Accepted)
    }
}
