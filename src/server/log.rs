//! One line of JSON for each request: what was called and how it ended, without secrets, bodies, ids or queries.

use crate::contract::json::Object;
use crate::contract::reply::QueryCost;
use crate::contract::time::Millis;

/// Where an answer came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// The handler itself.
    Edge,
    /// KV's copy.
    Kv,
    /// The project's object.
    Object,
}

/// What a request's line says.
#[derive(Debug)]
pub(super) struct Line<'l> {
    /// The request's correlation id.
    pub(super) correlation_id: &'l str,
    /// Its method.
    pub(super) method: &'l str,
    /// The operation's name or the service path, where it is known.
    pub(super) operation: &'l str,
    /// The project, where the caller may enter it.
    pub(super) project: Option<&'l str>,
    /// The status that was answered.
    pub(super) status: u16,
    /// How long it took.
    pub(super) duration: Millis,
    /// Where the answer came from.
    pub(super) source: Source,
    /// What a query cost.
    pub(super) query: Option<QueryCost>,
    /// The error's code.
    pub(super) code: Option<&'static str>,
    /// What went wrong inside.
    pub(super) cause: Option<&'l str>,
}

impl Line<'_> {
    /// The line as JSON.
    pub(super) fn to_json(&self) -> String {
        let mut out = String::with_capacity(256);
        let mut object = Object::open(&mut out);
        object.text("level", if self.status >= 500 || self.cause.is_some() { "error" } else { "info" });
        object.text("correlationId", self.correlation_id);
        object.text("method", self.method);
        object.text("operation", self.operation);
        object.text_if("project", self.project);
        object.integer("status", i64::from(self.status));
        object.integer("ms", self.duration as i64);
        object.text(
            "source",
            match self.source {
                Source::Edge => "edge",
                Source::Kv => "kv",
                Source::Object => "object",
            },
        );
        if let Some(QueryCost { rows_read, by_index }) = self.query {
            object.integer("rowsRead", rows_read as i64);
            object.member("byIndex").push_str(if by_index { "true" } else { "false" });
        }
        object.text_if("code", self.code);
        object.text_if("cause", self.cause);
        object.close();
        out
    }
}
