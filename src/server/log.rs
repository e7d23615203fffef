//! One line of JSON per request: the call and its result, without secrets, bodies, IDs, or queries.

pub(crate) mod trace;

use crate::call::Cost;
use crate::contract::error::quote::cut;
use crate::contract::error::quoted;
use crate::util::json;
use crate::util::time::Millis;

use self::trace::{KvOutcome, ServedFrom, Trace};

/// How much of a cause a line has, in characters: the platform may repeat what it was given.
pub(super) const CAUSE_CHARS: usize = 1_000;

/// Returns the trace that a `traceparent` names (W3C Trace Context, 3.2), or `None` if it is malformed. A later version
/// may have more parts.
pub(super) fn trace_id(traceparent: &str) -> Option<&str> {
    let mut parts = traceparent.split('-');
    let mut hex = |length| {
        let is_hex = |text: &&str| {
            text.len() == length && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        };
        parts.next().filter(is_hex)
    };
    let (version, id, parent, _flags) = (hex(2)?, hex(32)?, hex(16)?, hex(2)?);
    let is_zero = |text: &str| text.bytes().all(|byte| byte == b'0');
    let is_known = version != "ff" && (version != "00" || parts.next().is_none());
    (is_known && !is_zero(id) && !is_zero(parent)).then_some(id)
}

#[derive(Debug)]
pub(super) struct LogLine<'l> {
    pub(super) correlation_id: &'l str,
    pub(super) trace_id: Option<&'l str>,
    pub(super) method: &'l str,
    pub(super) trace: &'l Trace,
    pub(super) status: u16,
    /// Whether something failed inside.
    pub(super) is_error: bool,
    /// How long it took.
    pub(super) duration: Millis,
}

impl LogLine<'_> {
    pub(super) fn to_json(&self) -> String {
        json::log_line(json::object(|object| {
            object.text("level", if self.is_error { "error" } else { "info" });
            object.text("correlationId", self.correlation_id);
            object.text_if("traceId", self.trace_id);
            object.text("method", quoted(self.method));
            object.text("operation", self.trace.operation.unwrap_or("unknown"));
            object.text_if("tool", self.trace.tool);
            object.text_if("project", self.trace.project.as_deref());
            object.integer("status", i64::from(self.status));
            object.integer("ms", self.duration as i64);
            object.text("source", self.trace.source.map_or("edge", ServedFrom::name));
            object.text_if("kv", self.trace.kv.map(KvOutcome::name));
            if let Some(Cost { statements, rows_read, rows_written }) = self.trace.cost {
                object.integer("statements", statements as i64);
                object.integer("rowsRead", rows_read as i64);
                object.integer("rowsWritten", rows_written as i64);
            }
            if let Some(by_index) = self.trace.by_index {
                object.boolean("byIndex", by_index);
            }
            object.text_if("code", self.trace.code);
            object.text_if("cause", self.trace.cause.as_deref().map(|cause| cut(cause, CAUSE_CHARS)));
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    #[test]
    fn a_traceparent_names_its_trace_or_is_ignored() {
        const ID: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
        let of = |text: &str| trace_id(&text.replace("ID", ID)).map(str::to_owned);
        for good in
            ["00-ID-00f067aa0ba902b7-01", "00-ID-00f067aa0ba902b7-00", "cc-ID-00f067aa0ba902b7-01-more"]
        {
            assert_eq!(of(good).as_deref(), Some(ID), "{good}");
        }
        for bad in [
            "",
            "ID",
            "00-ID-00f067aa0ba902b7",
            "00-ID-00f067aa0ba902b7-01-more",
            "ff-ID-00f067aa0ba902b7-01",
            "0-ID-00f067aa0ba902b7-01",
            "00-ID0-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-ID-0000000000000000-01",
            "00-ID-00F067AA0BA902B7-01",
            "00-ID-00f067aa0ba902b7-1",
            "00-ID-00f067aa0ba902b7-0g",
            " 00-ID-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e473\u{e4}-00f067aa0ba902b7-01",
        ] {
            assert_eq!(of(bad), None, "{bad}");
        }
    }
}
