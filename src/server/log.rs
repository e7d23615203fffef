//! One line of JSON per request: the call and its result, without secrets, bodies, IDs, or queries.

use crate::contract::json::{self, Object};
use crate::contract::reply::QueryCost;
use crate::contract::time::Millis;

use super::handler::Trace;

/// Where a response came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// The handler itself.
    Edge,
    /// The cache copy in KV.
    Kv,
    /// The project's object.
    Object,
}

/// What a request's line reports.
#[derive(Debug)]
pub(super) struct Line<'l> {
    /// The request's correlation ID.
    pub(super) correlation_id: &'l str,
    /// Its method.
    pub(super) method: &'l str,
    /// What the handler learned about it.
    pub(super) trace: &'l Trace,
    /// The status of the response.
    pub(super) status: u16,
    /// Whether something failed inside.
    pub(super) is_error: bool,
    /// How long it took.
    pub(super) duration: Millis,
    /// The error's code.
    pub(super) code: Option<&'static str>,
}

impl Line<'_> {
    /// Returns the line as JSON.
    pub(super) fn to_json(&self) -> String {
        let mut out = String::with_capacity(256);
        let mut object = Object::open(&mut out);
        object.text("level", if self.is_error { "error" } else { "info" });
        object.text("correlationId", self.correlation_id);
        object.text("method", self.method);
        object.text("operation", self.trace.operation);
        object.text_if("project", self.trace.project.as_deref());
        object.integer("status", i64::from(self.status));
        object.integer("ms", self.duration as i64);
        object.text(
            "source",
            match self.trace.source {
                Source::Edge => "edge",
                Source::Kv => "kv",
                Source::Object => "object",
            },
        );
        if let Some(QueryCost { rows_read, by_index }) = self.trace.query {
            object.integer("rowsRead", rows_read as i64);
            object.member("byIndex").push_str(if by_index { "true" } else { "false" });
        }
        object.text_if("code", self.code);
        object.text_if("cause", self.trace.cause.as_deref());
        object.close();
        json::log_line(out)
    }
}
