//! The error table and the wire form of errors (contract, sections 7 and 10).

use serde::{Deserialize, Serialize};

use super::prose;
use super::reason::Reason;
use super::response::errors::{PROBLEM_TYPE, error, error_item, problem};
use super::response::{ResponseMember, ResponseType, optional};
use crate::util::json::{self, Object};
use crate::util::text::concat;
use crate::util::time::Millis;

macro_rules! codes {
    ($($(#[doc = $doc:literal])* $code:ident = $status:literal $wire:literal,)*) => {
        /// Every error of the contract.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        pub enum Code { $($(#[doc = $doc])* $code,)* }

        impl Code {
            /// Every code, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$code,)*];

            /// The HTTP status that answers it.
            #[must_use]
            pub const fn status(self) -> u16 {
                match self { $(Self::$code => $status,)* }
            }

            /// The `code` on the wire.
            #[must_use]
            pub const fn wire(self) -> &'static str {
                match self { $(Self::$code => $wire,)* }
            }

            /// What went wrong, in one sentence.
            #[must_use]
            pub fn about(self) -> &'static str {
                match self { $(Self::$code => prose(concat!($($doc),*)).trim_ascii_start(),)* }
            }
        }
    };
}

codes! {
    /// The body is not JSON.
    InvalidJsonInput = 400 "InvalidJsonInput",
    /// A field has a wrong type or value, or is unknown.
    InvalidField = 400 "InvalidField",
    /// A required field is absent or null.
    RequiredField = 400 "RequiredField",
    /// A value that must be unique is in use.
    DuplicateField = 400 "DuplicateField",
    /// A parameter, a path part or a header is malformed.
    InvalidInput = 400 "InvalidInput",
    /// The request cannot be performed in this form.
    InvalidOperation = 400 "InvalidOperation",
    /// A text of the query language is malformed.
    SyntaxError = 400 "SyntaxError",
    /// The token is missing, malformed, expired or not trusted.
    InvalidToken = 401 "invalid_token",
    /// The token lacks a scope for the project.
    InsufficientScope = 403 "insufficient_scope",
    /// There is no such resource or path.
    ResourceNotFound = 404 "ResourceNotFound",
    /// The path has no such method.
    MethodNotAllowed = 405 "MethodNotAllowed",
    /// The resource does not have the expected version.
    ConcurrentModification = 409 "ConcurrentModification",
    /// The resource does not match `If-Match` or `If-None-Match`.
    PreconditionFailed = 412 "PreconditionFailed",
    /// The body or the record is too large.
    ContentTooLarge = 413 "ContentTooLarge",
    /// The body is not plain `application/json`.
    UnsupportedMediaType = 415 "UnsupportedMediaType",
    /// The `Idempotency-Key` was used for another request.
    IdempotencyKeyReused = 422 "IdempotencyKeyReused",
    /// Too many requests.
    TooManyRequests = 429 "TooManyRequests",
    /// An internal error of the service.
    General = 500 "General",
    /// The service is temporarily unavailable.
    ServiceUnavailable = 503 "ServiceUnavailable",
    /// Token endpoint: the client could not be authenticated.
    InvalidClient = 401 "invalid_client",
    /// Token endpoint: the request is malformed.
    InvalidRequest = 400 "invalid_request",
    /// Token endpoint: the grant type is not `client_credentials`.
    UnsupportedGrantType = 400 "unsupported_grant_type",
    /// Token endpoint: the scope is malformed or not the client's.
    InvalidScope = 400 "invalid_scope",
}

impl Code {
    /// Whether the body also carries `error` as RFC 6749 and RFC 6750 name it.
    #[must_use]
    pub const fn is_oauth(self) -> bool {
        matches!(
            self,
            Self::InvalidToken
                | Self::InsufficientScope
                | Self::InvalidClient
                | Self::InvalidRequest
                | Self::UnsupportedGrantType
                | Self::InvalidScope
        )
    }
}

macro_rules! members {
    ($(#[doc = $doc:literal] $member:ident = $wire:literal $ty:ident,)*) => {
        /// A further member of an error.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        pub enum Member { $(#[doc = $doc] $member,)* }

        impl Member {
            /// Every further member with its type and meaning.
            pub const ALL: &'static [(Self, ResponseMember)] =
                &[$((Self::$member, optional($wire, ResponseType::$ty, $doc)),)*];

            /// The member's name on the wire.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$member => $wire,)* }
            }
        }
    };
}

members! {
    /// A JSON Pointer into the body.
    Path = "path" Text,
    /// A query parameter or a path variable.
    Parameter = "parameter" Text,
    /// A request header.
    Header = "header" Text,
    /// The field's name.
    Field = "field" Text,
    /// The value, as JSON.
    InvalidValue = "invalidValue" Any,
    /// The allowed values.
    AllowedValues = "allowedValues" Texts,
    /// The value that is in use.
    DuplicateValue = "duplicateValue" Text,
    /// The version that the resource has.
    CurrentVersion = "currentVersion" Integer,
    /// What is wrong with the JSON, and where.
    DetailedErrorMessage = "detailedErrorMessage" Text,
    /// The broken rule, for programs. A later version may have more reasons.
    Reason = "reason" Reason,
    /// What was probably meant.
    Suggestion = "suggestion" Text,
    /// The minimum of a value.
    Minimum = "minimum" Integer,
    /// The maximum: of a value, of the depth of nesting, or of a body in bytes.
    Maximum = "maximum" Integer,
    /// The minimum length of a text in bytes of UTF-8.
    MinLength = "minLength" Integer,
    /// The maximum length of a text in bytes of UTF-8.
    MaxLength = "maxLength" Integer,
    /// The minimum number of items. An empty array may be valid too.
    MinItems = "minItems" Integer,
    /// The maximum number of items.
    MaxItems = "maxItems" Integer,
    /// What is valid there: types, formats, operators, or the next parts of a text. `<…>` is a kind of part.
    Expected = "expected" Texts,
    /// The line of the error in the text or the import, from 1.
    Line = "line" Integer,
    /// The character of the error in the line, or in a text without lines, from 1.
    Column = "column" Integer,
    /// How many characters are wrong; 0 if something is missing.
    Length = "length" Integer,
    /// The variable of a predicate.
    Variable = "variable" Text,
    /// The scopes of which the token needs one.
    Scopes = "scopes" Texts,
}

/// The value of a further member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum MemberValue {
    /// A string.
    Text(String),
    /// A value as JSON.
    Json(String),
    /// An array of strings.
    Texts(Vec<String>),
    /// A whole number, below 2^53.
    Integer(i64),
}

/// The further members of an error, in order.
pub type MemberList = Vec<(Member, MemberValue)>;

/// One error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorItem {
    /// Its code.
    pub code: Code,
    /// A sentence for people.
    pub message: String,
    /// Its further members, in order.
    pub members: MemberList,
}

/// A failed request: one error or more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApiError {
    /// The errors; the first gives status and message.
    first: ErrorItem,
    /// The errors after the first.
    rest: Vec<ErrorItem>,
    /// How many more there were than are listed (D10).
    pub more: u32,
    /// The project's newest revision, where a 404 tells it (D19).
    pub revision: Option<Millis>,
    /// `Retry-After` in seconds.
    pub retry_after: Option<u32>,
    /// The methods that the path has, for `Allow`.
    pub allow: Option<String>,
    /// The value of `WWW-Authenticate` (RFC 6750).
    #[serde(skip)]
    pub challenge: Option<String>,
    /// What failed inside: only for the log, never sent.
    #[serde(skip)]
    pub cause: Option<String>,
}

impl ApiError {
    /// An error of one item.
    #[must_use]
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self::from(ErrorItem::new(code, message.into()))
    }

    /// All the items as one error, with a count of those that are not listed; `None` without an item.
    #[must_use]
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

    /// The same error with a text as a further member of its first item.
    #[must_use]
    #[inline(never)]
    pub fn with(mut self, member: Member, text: &str) -> Self {
        self.first.members.text(member, text);
        self
    }

    /// The same error with a reason.
    #[must_use]
    #[inline(never)]
    pub fn because(self, reason: Reason) -> Self {
        self.with(Member::Reason, reason.wire())
    }

    /// The same error with a list of texts as a further member of its first item.
    #[must_use]
    #[inline(never)]
    pub fn with_texts(mut self, member: Member, texts: &[&str]) -> Self {
        self.first.members.texts(member, texts);
        self
    }

    /// The same error with further members of its first item.
    #[must_use]
    #[inline(never)]
    pub fn with_all(mut self, members: MemberList) -> Self {
        self.first.members.extend(members);
        self
    }

    /// The same error with a number as a further member of its first item.
    #[must_use]
    #[inline(never)]
    pub fn with_integer(mut self, member: Member, value: i64) -> Self {
        self.first.members.integer(member, value);
        self
    }

    /// A malformed parameter: `Malformed parameter: limit: …` (section 10).
    #[must_use]
    #[inline(never)]
    pub fn parameter(code: Code, parameter: &str, reason: &str) -> Self {
        Self::new(code, parameter_message(parameter, reason)).with(Member::Parameter, parameter)
    }

    /// A malformed request header.
    #[must_use]
    pub fn header(name: &str, reason: &str) -> Self {
        Self::new(Code::InvalidInput, malformed("header", name, reason))
            .with(Member::Header, name)
            .because(Reason::Format)
    }

    /// A fault of the service; the cause is for the log alone.
    #[must_use]
    pub fn general() -> Self {
        Self::new(Code::General, "Something went wrong on our side. The log names it by the correlation id.")
    }

    /// The service is temporarily unavailable.
    #[must_use]
    pub fn unavailable(message: impl Into<String>) -> Self {
        let mut error = Self::new(Code::ServiceUnavailable, message);
        error.retry_after = Some(1);
        error
    }

    /// The first item's code.
    #[must_use]
    pub fn code(&self) -> Code {
        self.first.code
    }

    /// The HTTP status.
    #[must_use]
    pub fn status(&self) -> u16 {
        self.first.code.status()
    }

    /// The first item's message.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.first.message
    }

    /// Every listed item.
    pub fn items(&self) -> impl Iterator<Item = &ErrorItem> {
        core::iter::once(&self.first).chain(&self.rest)
    }

    /// Its items by themselves, to be told together with others.
    #[must_use]
    pub fn into_items(self) -> Vec<ErrorItem> {
        core::iter::once(self.first).chain(self.rest).collect()
    }

    /// The same error, about a line of an import.
    #[must_use]
    pub fn at_line(self, line: i64) -> Self {
        let Self { mut first, mut rest, more, .. } = self;
        for item in core::iter::once(&mut first).chain(&mut rest) {
            item.message = format!("Line {line}: {}", item.message);
            // A line is a text of one line.
            item.members.retain(|(member, _)| *member != Member::Line);
            item.members.integer(Member::Line, line);
        }
        Self::of(first, rest, more)
    }

    /// The body in the contract's form, or as RFC 9457's problem.
    #[must_use]
    pub fn to_json(&self, is_problem: bool) -> String {
        let mut out = String::with_capacity(256 * (1 + self.rest.len()));
        let mut object = Object::open(&mut out);
        let status = i64::from(self.status());
        if is_problem {
            object.text(problem::TYPE, PROBLEM_TYPE);
            object.text(problem::TITLE, self.first.code.wire());
            object.integer(problem::STATUS, status);
            object.text(problem::DETAIL, &self.first.message);
        } else {
            object.integer(error::STATUS_CODE, status);
            object.text(error::MESSAGE, &self.first.message);
        }
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
        object.close();
        out
    }
}

impl From<ErrorItem> for ApiError {
    fn from(item: ErrorItem) -> Self {
        Self::of(item, Vec::new(), 0)
    }
}

/// `Malformed parameter: limit: …` (section 10).
#[must_use]
pub fn parameter_message(parameter: &str, reason: &str) -> String {
    malformed("parameter", parameter, reason)
}

/// The sentence about a parameter or a header, which the service and its client send alike.
#[must_use]
pub fn malformed(what: &str, name: &str, reason: &str) -> String {
    concat(&["Malformed ", what, ": ", name, ": ", reason, "."])
}

/// What takes the further members of an error, in order: a [`MemberList`], or a [`JsonError`].
pub trait Members {
    /// Adds a text.
    fn text(&mut self, member: Member, text: &str);

    /// Adds a number.
    fn integer(&mut self, member: Member, value: i64);

    /// Adds a list of texts, if it has any.
    fn texts(&mut self, member: Member, texts: &[&str]);

    /// Adds a value that is JSON.
    fn json(&mut self, member: Member, json: &str);

    /// Adds the reason.
    fn reason(&mut self, reason: Reason) {
        self.text(Member::Reason, reason.wire());
    }
}

impl Members for MemberList {
    #[inline(never)]
    fn text(&mut self, member: Member, text: &str) {
        self.push((member, MemberValue::Text(text.to_owned())));
    }

    #[inline(never)]
    fn integer(&mut self, member: Member, value: i64) {
        self.push((member, MemberValue::Integer(value)));
    }

    #[inline(never)]
    fn texts(&mut self, member: Member, texts: &[&str]) {
        if !texts.is_empty() {
            let texts = texts.iter().map(|text| (*text).to_owned()).collect();
            self.push((member, MemberValue::Texts(texts)));
        }
    }

    #[inline(never)]
    fn json(&mut self, member: Member, json: &str) {
        self.push((member, MemberValue::Json(json.to_owned())));
    }
}

/// An error that is written as JSON at once.
#[derive(Debug)]
pub struct JsonError<'a>(Object<'a>);

impl<'a> JsonError<'a> {
    /// Writes the code, which is that of a [`Code`], and the message.
    pub fn open(out: &'a mut String, code: &str, message: &str) -> Self {
        let mut object = Object::open(out);
        object.text(error_item::CODE, code);
        object.text(error_item::MESSAGE, message);
        Self(object)
    }

    /// Closes the error.
    pub fn close(self) {
        self.0.close();
    }
}

impl Members for JsonError<'_> {
    fn text(&mut self, member: Member, text: &str) {
        json::string(self.0.member(member.name()), text);
    }

    fn integer(&mut self, member: Member, value: i64) {
        json::integer(self.0.member(member.name()), value);
    }

    fn texts(&mut self, member: Member, texts: &[&str]) {
        if !texts.is_empty() {
            json::array(self.0.member(member.name()), texts, |out, text| json::string(out, text));
        }
    }

    fn json(&mut self, member: Member, json: &str) {
        self.0.member(member.name()).push_str(json);
    }
}

impl ErrorItem {
    /// An error without further members.
    #[must_use]
    pub fn new(code: Code, message: String) -> Self {
        Self { code, message, members: Vec::new() }
    }

    /// Appends the error as JSON.
    pub fn write(&self, out: &mut String) {
        let mut error = JsonError::open(out, self.code.wire(), &self.message);
        for (member, value) in &self.members {
            match value {
                MemberValue::Text(value) => error.text(*member, value),
                MemberValue::Json(value) => error.json(*member, value),
                MemberValue::Texts(values) => {
                    json::array(error.0.member(member.name()), values, |out, value| json::string(out, value));
                }
                MemberValue::Integer(value) => error.integer(*member, *value),
            }
        }
        error.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wire_form_is_what_the_ecosystems_clients_read() {
        assert_eq!(
            ApiError::new(Code::InvalidToken, "invalid_token").to_json(false),
            "{\"statusCode\":401,\"message\":\"invalid_token\",\"errors\":[{\"code\":\"invalid_token\",\
             \"message\":\"invalid_token\"}],\"error\":\"invalid_token\"}"
        );
        let conflict = ApiError::new(Code::ConcurrentModification, "Object a has a different version.")
            .with_integer(Member::CurrentVersion, 1);
        assert_eq!(
            conflict.to_json(false),
            "{\"statusCode\":409,\"message\":\"Object a has a different version.\",\"errors\":[{\"code\":\
             \"ConcurrentModification\",\"message\":\"Object a has a different version.\",\"currentVersion\":1}]}"
        );
        assert!(conflict.to_json(true).starts_with("{\"type\":\"about:blank\","));
    }

    #[test]
    fn wire_names_are_unique() {
        for (at, code) in Code::ALL.iter().enumerate() {
            assert!(!Code::ALL[..at].iter().any(|other| other.wire() == code.wire()), "{}", code.wire());
        }
    }
}
