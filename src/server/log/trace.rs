//! Facts about the handling of a request, for the log.

use crate::call::{Cost, ReplyHead};
use crate::contract::error::ApiError;
use crate::contract::names;

/// The log's facts about a request, which the handler records.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    pub(crate) operation: Option<&'static str>,
    /// The name of an agent's tool.
    pub(crate) tool: Option<&'static str>,
    pub(crate) project: Option<String>,
    /// `None` if the edge itself answers.
    pub(crate) source: Option<ServedFrom>,
    /// How a plain read used KV; `None` for other requests, and for reads that go to the object anyway.
    pub(crate) kv: Option<KvOutcome>,
    /// The cost of the call in the object's database, if there was one.
    pub(crate) cost: Option<Cost>,
    /// Whether the query used an index, if it was one.
    pub(crate) by_index: Option<bool>,
    /// The causes of internal failures, even if the request succeeded.
    pub(crate) cause: Option<String>,
    /// The code of the error that the caller gets, if it gets one.
    pub(crate) code: Option<&'static str>,
    /// Whether the response is a replay (D18).
    pub(crate) replayed: bool,
}

impl Trace {
    pub(crate) fn add(&mut self, head: &ReplyHead) {
        self.source = Some(ServedFrom::Object);
        self.cost = Some(head.cost);
        self.by_index = head.by_index;
        self.replayed = head.replayed;
    }

    /// Records the error that the caller gets.
    pub(crate) fn note(&mut self, error: &ApiError) {
        self.code = Some(error.code().wire());
        if let Some(cause) = &error.cause {
            self.fail(cause);
        }
    }

    /// Adds the cause of an internal failure, after those that the request had before.
    pub(crate) fn fail(&mut self, cause: &str) {
        let causes = self.cause.get_or_insert_default();
        if !causes.is_empty() {
            causes.push_str("; ");
        }
        causes.push_str(cause);
    }
}

names! {
    /// Where the response is from.
    pub(crate) enum ServedFrom name:
    /// What the instance remembers.
    Memory = "memory",
    Kv = "kv",
    Object = "object",
}

names! {
    /// The result of a read from KV.
    pub(crate) enum KvOutcome name:
    Hit = "hit",
    Miss = "miss",
    /// A copy that is older than the caller accepts, or no longer has the key.
    Stale = "stale",
    Deleted = "deleted",
    Failed = "failed",
    /// A copy that the rules hide from the caller.
    Hidden = "hidden",
    /// KV was not read, because it is behind the project or is being repaired.
    Behind = "behind",
}
