//! The further members of an error: names, types, values, and how to write them.

use serde::{Deserialize, Serialize};

use super::reason::Reason;
use crate::contract::response::errors::error_item;
use crate::contract::response::{ResponseMember, ResponseType, optional};
use crate::util::json::{self, ObjectWriter};

names! {
    /// A further member of an error.
    #[derive(Serialize, Deserialize)]
    pub enum Member name [ty: ResponseType]:
    /// A JSON Pointer into the body.
    Path = "path" ResponseType::Text,
    /// A query parameter or a path variable.
    Parameter = "parameter" ResponseType::Text,
    /// A request header.
    Header = "header" ResponseType::Text,
    /// The field's name.
    Field = "field" ResponseType::Text,
    /// The value, as JSON.
    InvalidValue = "invalidValue" ResponseType::Any,
    /// The allowed values.
    AllowedValues = "allowedValues" ResponseType::Texts,
    /// The value that is in use.
    DuplicateValue = "duplicateValue" ResponseType::Text,
    /// The version that the resource has.
    CurrentVersion = "currentVersion" ResponseType::Integer,
    /// The error in the JSON, and its place.
    DetailedErrorMessage = "detailedErrorMessage" ResponseType::Text,
    /// The broken rule, for programs. A later version may have more reasons.
    Reason = "reason" ResponseType::Reason,
    /// The text that was probably meant.
    Suggestion = "suggestion" ResponseType::Text,
    /// The minimum of a value.
    Minimum = "minimum" ResponseType::Number,
    /// The maximum: of a value, of the depth of nesting, or of a body in bytes.
    Maximum = "maximum" ResponseType::Number,
    /// The number that a value must exceed.
    ExclusiveMinimum = "exclusiveMinimum" ResponseType::Number,
    /// The number that a value must be below.
    ExclusiveMaximum = "exclusiveMaximum" ResponseType::Number,
    /// The number of which a value must be a multiple.
    MultipleOf = "multipleOf" ResponseType::Number,
    /// The regular expression that a text must match.
    Pattern = "pattern" ResponseType::Text,
    /// The minimum length of a text: of an ID or a key in bytes of UTF-8, else in characters.
    MinLength = "minLength" ResponseType::Integer,
    /// The maximum length of a text: of an ID or a key in bytes of UTF-8, else in characters.
    MaxLength = "maxLength" ResponseType::Integer,
    /// The minimum number of items. An empty array may be valid too.
    MinItems = "minItems" ResponseType::Integer,
    /// The maximum number of items.
    MaxItems = "maxItems" ResponseType::Integer,
    /// The valid alternatives: types, formats, operators, or the next parts of a text. `<…>` is a kind of part.
    Expected = "expected" ResponseType::Texts,
    /// The line of the error in the text or the import, from 1.
    Line = "line" ResponseType::Integer,
    /// The character of the error in the line, from 1.
    Column = "column" ResponseType::Integer,
    /// How many characters are wrong; 0 if something is missing.
    Length = "length" ResponseType::Integer,
    /// The variable of a predicate.
    Variable = "variable" ResponseType::Text,
    /// Scopes; the token needs at least one of them.
    Scopes = "scopes" ResponseType::Texts,
    /// The present position of the project.
    Position = "position" ResponseType::Text,
    /// The write of a batch that failed, from 0.
    Index = "index" ResponseType::Integer,
    /// The rule of the project that does not permit the write.
    Rule = "rule" ResponseType::Text,
}

impl Member {
    /// Returns its description as a member of an error in documents.
    pub const fn described(self) -> ResponseMember {
        optional(self.name(), self.ty(), self.about())
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum MemberValue {
    Text(String),
    Json(String),
    Texts(Vec<String>),
    /// A whole number, below 2^53.
    Integer(i64),
}

/// The further members of an error, in order.
pub type MemberList = Vec<(Member, MemberValue)>;

/// Receives the members of an issue, in order: a [`MemberList`], or a [`JsonError`]. With only the former, the npm
/// package would be a kilobyte larger than its limit.
pub trait Members {
    fn text(&mut self, member: Member, text: &str);

    fn integer(&mut self, member: Member, value: i64);

    /// Adds a list of texts, if it has any.
    fn texts(&mut self, member: Member, texts: &[&str]);

    fn json(&mut self, member: Member, json: &str);

    fn reason(&mut self, reason: Reason) {
        self.text(Member::Reason, reason.wire());
    }
}

impl Members for MemberList {
    fn text(&mut self, member: Member, text: &str) {
        self.push((member, text.into()));
    }

    fn integer(&mut self, member: Member, value: i64) {
        self.push((member, value.into()));
    }

    fn texts(&mut self, member: Member, texts: &[&str]) {
        if !texts.is_empty() {
            self.push((member, texts.into()));
        }
    }

    fn json(&mut self, member: Member, json: &str) {
        self.push((member, MemberValue::Json(json.to_owned())));
    }
}

/// An issue as it is written.
#[derive(Debug)]
pub struct JsonError<'a>(ObjectWriter<'a>);

impl<'a> JsonError<'a> {
    /// Writes the code, which is that of a [`super::Code`], and the message into an object that may have others.
    pub fn continue_in(mut object: ObjectWriter<'a>, code: &str, message: &str) -> Self {
        object.text(error_item::CODE, code);
        object.text(error_item::MESSAGE, message);
        Self(object)
    }

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

impl From<&str> for MemberValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for MemberValue {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&[&str]> for MemberValue {
    fn from(texts: &[&str]) -> Self {
        Self::Texts(texts.iter().map(|text| (*text).to_owned()).collect())
    }
}

impl From<i64> for MemberValue {
    fn from(value: i64) -> Self {
        Self::Integer(value)
    }
}

impl From<Reason> for MemberValue {
    fn from(reason: Reason) -> Self {
        reason.wire().into()
    }
}
