//! Errors and their wire form (contract, sections 7 and 10).

mod code;
pub mod expected;
mod member;
pub mod quote;
pub mod reason;

use serde::{Deserialize, Serialize};

pub use self::code::Code;
pub use self::expected::Expected;
pub use self::member::{JsonError, Member, MemberList, MemberValue, Members};
pub use self::quote::quoted;
pub use self::reason::Reason;

use super::response::errors::{PROBLEM_TYPE, error, error_item, problem};
use crate::util::json::{self, ObjectWriter};
use crate::util::text::concat;
use crate::util::time::Millis;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorItem {
    pub code: Code,
    /// A sentence for people.
    pub message: String,
    pub members: MemberList,
}

/// A failed request: one error or more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApiError {
    /// The errors; the first gives status and message.
    first: ErrorItem,
    rest: Vec<ErrorItem>,
    /// How many more there were than are listed (D10).
    pub more: u32,
    /// The project's newest revision, for a 404 (D19).
    pub revision: Option<Millis>,
    /// `Retry-After` in seconds.
    pub retry_after: Option<u32>,
    /// The methods that the path has, for `Allow`.
    pub allow: Option<String>,
    /// The value of `WWW-Authenticate` (RFC 6750).
    #[serde(skip)]
    pub challenge: Option<String>,
    /// The internal cause: only for the log, never sent to the caller.
    pub cause: Option<String>,
}

impl ApiError {
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self::from(ErrorItem::new(code, message.into()))
    }

    /// Creates one error of all the items, with a count of those that are not listed. Returns `None` without an item.
    pub fn from_items(items: Vec<ErrorItem>, more: u32) -> Option<Self> {
        let mut items = items.into_iter();
        let first = items.next()?;
        let rest = items.collect();
        Some(Self::of(first, rest, more))
    }

    fn of(first: ErrorItem, rest: Vec<ErrorItem>, more: u32) -> Self {
        Self {
            first,
            rest,
            more,
            revision: None,
            retry_after: None,
            allow: None,
            challenge: None,
            cause: None,
        }
    }

    #[must_use]
    pub fn with(mut self, member: Member, value: impl Into<MemberValue>) -> Self {
        self.first.members.push((member, value.into()));
        self
    }

    #[must_use]
    pub fn because(self, reason: Reason) -> Self {
        self.with(Member::Reason, reason)
    }

    #[must_use]
    pub fn with_cause(self, cause: String) -> Self {
        Self { cause: Some(cause), ..self }
    }

    #[must_use]
    pub fn with_challenge(self, challenge: String) -> Self {
        Self { challenge: Some(challenge), ..self }
    }

    #[must_use]
    pub fn with_retry_after(self, seconds: u32) -> Self {
        Self { retry_after: Some(seconds), ..self }
    }

    pub fn header(name: &str, reason: &str) -> Self {
        Self::new(Code::InvalidInput, malformed("header", name, reason))
            .with(Member::Header, name)
            .because(Reason::Format)
    }

    /// Creates the error of a fault of the service. The cause is only for the log.
    pub fn general() -> Self {
        Self::new(Code::General, "Internal error. The correlation ID identifies it in the log.")
    }

    /// Creates the error of a call that the database did not perform.
    pub fn of_fault(cause: String) -> Self {
        Self::no_room(&cause).unwrap_or_else(|| Self::general().with_cause(cause))
    }

    /// Returns the error of a call if the cause of its failure is that SQLite has no room, because the disk is full or
    /// the database has its largest size (D34).
    pub fn no_room(cause: &str) -> Option<Self> {
        let message =
            "There is no room to store what this call writes. The operator of the service has to make room.";
        let error = || Self::new(Code::InsufficientStorage, message).with_cause(cause.to_owned());
        cause.contains("database or disk is full").then(error)
    }

    pub fn unavailable(message: impl Into<String>) -> Self {
        Self::new(Code::ServiceUnavailable, message).with_retry_after(1)
    }

    pub fn code(&self) -> Code {
        self.first.code
    }

    /// Returns the internal cause; the first item's message if there is none.
    pub fn into_cause(self) -> String {
        self.cause.unwrap_or(self.first.message)
    }

    pub fn status(&self) -> u16 {
        self.first.code.status()
    }

    pub fn message(&self) -> &str {
        &self.first.message
    }

    pub fn items(&self) -> impl Iterator<Item = &ErrorItem> {
        core::iter::once(&self.first).chain(&self.rest)
    }

    pub fn into_items(self) -> Vec<ErrorItem> {
        core::iter::once(self.first).chain(self.rest).collect()
    }

    /// Converts it to an error about a line of an import.
    #[must_use]
    pub fn at_line(self, line: i64) -> Self {
        let Self { mut first, mut rest, more, cause, .. } = self;
        for item in core::iter::once(&mut first).chain(&mut rest) {
            item.message = format!("Line {line}: {}", item.message);
            // A line is a text of one line.
            item.members.retain(|(member, _)| *member != Member::Line);
            item.members.push((Member::Line, line.into()));
        }
        Self { cause, ..Self::of(first, rest, more) }
    }

    /// Converts it to an error about a write of a batch: of the whole batch, nothing is performed.
    #[must_use]
    pub fn in_write(self, index: usize) -> Self {
        let mut error = self.map_paths(|path| format!("/writes/{index}/body{path}"));
        for item in core::iter::once(&mut error.first).chain(&mut error.rest) {
            item.members.push((Member::Index, (index as i64).into()));
        }
        error
    }

    /// Converts the places of all problems.
    #[must_use]
    pub fn map_paths(mut self, convert: impl Fn(&str) -> String) -> Self {
        let items = core::iter::once(&mut self.first).chain(&mut self.rest);
        for (member, value) in items.flat_map(|item| &mut item.members) {
            if let (Member::Path, MemberValue::Text(path)) = (member, value) {
                *path = convert(path);
            }
        }
        self
    }

    /// Returns the body in the contract's form.
    pub fn to_json(&self) -> String {
        self.write(&|object| {
            object.integer(error::STATUS_CODE, i64::from(self.status()));
            object.text(error::MESSAGE, &self.first.message);
        })
    }

    /// Returns the body as the problem details of RFC 9457.
    pub fn to_problem_json(&self) -> String {
        self.write(&|object| {
            object.text(problem::TYPE, PROBLEM_TYPE);
            object.text(problem::TITLE, self.first.code.wire());
            object.integer(problem::STATUS, i64::from(self.status()));
            object.text(problem::DETAIL, &self.first.message);
        })
    }

    /// Returns an object with the given members, and those that both forms have.
    fn write(&self, begin: &dyn Fn(&mut ObjectWriter<'_>)) -> String {
        json::object(|object| {
            begin(object);
            let items: Vec<&ErrorItem> = self.items().collect();
            object.array(error::ERRORS, &items, |out, item| item.write(out));
            if self.more > 0 {
                object.integer(error::MORE_ERRORS, i64::from(self.more));
            }
            if self.first.code.is_oauth() {
                object.text(error::ERROR, self.first.code.wire());
                if self.first.message != self.first.code.wire() {
                    object.text(error::ERROR_DESCRIPTION, &self.first.message);
                }
            }
        })
    }
}

impl From<ErrorItem> for ApiError {
    fn from(item: ErrorItem) -> Self {
        Self::of(item, Vec::new(), 0)
    }
}

/// Returns the sentence about a parameter or a header. The service and its client use the same.
pub fn malformed(what: &str, name: &str, reason: &str) -> String {
    // A reason may end with a question: "Did you mean ...?"
    concat(&["Malformed ", what, ": ", name, ": ", reason, if reason.ends_with('?') { "" } else { "." }])
}

impl ErrorItem {
    pub fn new(code: Code, message: String) -> Self {
        Self { code, message, members: Vec::new() }
    }

    pub fn write(&self, out: &mut String) {
        let mut object = ObjectWriter::open(out);
        object.text(error_item::CODE, self.code.wire());
        object.text(error_item::MESSAGE, &self.message);
        for (member, value) in &self.members {
            let out = object.member(member.name());
            match value {
                MemberValue::Text(text) => json::string(out, text),
                MemberValue::Json(json) => out.push_str(json),
                MemberValue::Texts(texts) => json::array(out, texts, |out, text| json::string(out, text)),
                MemberValue::Integer(value) => json::integer(out, *value),
            }
        }
        object.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    #[test]
    fn names_on_the_wire_are_unique() {
        let codes = Code::ALL.iter().map(|code| code.wire()).collect::<Vec<_>>();
        let reasons = Reason::ALL.iter().map(|reason| reason.wire()).collect();
        let members = Member::ALL.iter().map(|member| member.name()).collect();
        for names in [codes, reasons, members] {
            for (at, name) in names.iter().enumerate() {
                assert!(!names[..at].contains(name), "{name}");
            }
        }
    }

    #[test]
    fn the_wire_form_is_what_the_ecosystems_clients_read() {
        assert_eq!(
            ApiError::new(Code::InvalidToken, "invalid_token").to_json(),
            "{\"statusCode\":401,\"message\":\"invalid_token\",\"errors\":[{\"code\":\"invalid_token\",\
             \"message\":\"invalid_token\"}],\"error\":\"invalid_token\"}"
        );
        let conflict = ApiError::new(Code::ConcurrentModification, "Object a has a different version.")
            .with(Member::CurrentVersion, 1);
        assert_eq!(
            conflict.to_json(),
            "{\"statusCode\":409,\"message\":\"Object a has a different version.\",\"errors\":[{\"code\":\
             \"ConcurrentModification\",\"message\":\"Object a has a different version.\",\"currentVersion\":1}]}"
        );
        assert!(conflict.to_problem_json().starts_with("{\"type\":\"about:blank\","));
    }
}
