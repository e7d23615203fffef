//! The media types of bodies.

pub const JSON: &str = "application/json";

/// An error as a problem (RFC 9457).
pub const PROBLEM: &str = "application/problem+json";

/// A request for tokens.
pub const FORM: &str = "application/x-www-form-urlencoded";

/// An export, an import, and a page of changes: a line of JSON for each resource.
pub const LINES: &str = "application/x-ndjson";

/// A stream of events: pages of changes, one after the other (D36).
pub const EVENTS: &str = "text/event-stream";
