//! Why a body was refused, and how that reads on the wire.

use super::cursor::{Fault, Problem};
use crate::contract::error::{ApiError, Code, Detail, ErrorItem};
use crate::contract::json;

/// A violation of the schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issue {
    /// The place as a JSON Pointer (RFC 6901); the whole body is the empty one.
    pub pointer: String,
    /// `InvalidField` or `RequiredField`.
    pub code: Code,
    /// A sentence for people.
    pub message: String,
    /// The field's name; of an array's item, the array's.
    pub field: Option<String>,
    /// The value as JSON text, where it is neither array nor object; a long one is a JSON string of its beginning.
    pub invalid_value: Option<String>,
    /// The values that the field may have, where they can be listed.
    pub allowed_values: Vec<String>,
}

/// Why a body was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rejection {
    /// It is not JSON.
    NotJson {
        /// What was found and what was expected, as a clause that begins with a capital.
        reason: String,
        /// The line, from 1.
        line: usize,
        /// The column in characters, from 1.
        column: usize,
    },
    /// It is JSON, but not what the schema says.
    Issues {
        /// The first violations in document order, [`crate::contract::limits::ISSUES`] at most and at least one.
        issues: Vec<Issue>,
        /// How many more there are.
        more: u32,
    },
}

impl Rejection {
    /// What is wrong, in one sentence: the fault with its line and column, or the first issue's message.
    #[must_use]
    pub fn summary(&self) -> String {
        match self {
            Self::NotJson { reason, line, column } => {
                let mut out = reason.clone();
                out.push_str(" (line ");
                json::integer(&mut out, *line as i64);
                out.push_str(", column ");
                json::integer(&mut out, *column as i64);
                out.push_str(").");
                out
            }
            Self::Issues { issues, .. } => {
                issues.first().map_or_else(String::new, |issue| issue.message.clone())
            }
        }
    }

    /// The error that answers a request with such a body (contract, sections 7 and 10).
    #[must_use]
    pub fn into_error(self) -> ApiError {
        let summary = self.summary();
        match self {
            Self::NotJson { .. } => {
                ApiError::new(Code::InvalidJsonInput, "Request body does not contain valid JSON.")
                    .with(Detail::DetailedErrorMessage(summary))
                    .with(Detail::Path(String::new()))
            }
            Self::Issues { issues, more } => {
                let items = issues.into_iter().map(Issue::into_item).collect();
                ApiError::from_items(items, more).unwrap_or_else(ApiError::general)
            }
        }
    }

    /// The rejection of bytes that are no UTF-8 from `at` on.
    pub(super) fn not_utf8(bytes: &[u8], at: usize) -> Self {
        let valid = bytes.get(..at).and_then(|valid| core::str::from_utf8(valid).ok()).unwrap_or_default();
        let (line, column) = position(valid);
        Self::NotJson { reason: "Bytes that are not UTF-8".to_owned(), line, column }
    }

    /// The rejection of a text that is not JSON.
    pub(super) fn not_json(text: &str, fault: &Fault) -> Self {
        let (before, rest) = text.split_at_checked(fault.at).unwrap_or((text, ""));
        let (line, column) = position(before);
        let reason = match fault.problem {
            Problem::Expected(what) => {
                let mut reason = "Unexpected ".to_owned();
                reason.extend([found(rest).as_str(), ", expected ", what]);
                reason
            }
            Problem::Plain(sentence) => sentence.to_owned(),
        };
        Self::NotJson { reason, line, column }
    }
}

/// The line and the column that follow a text.
fn position(before: &str) -> (usize, usize) {
    let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    // A character begins with each byte that does not go on with one.
    let last = before.bytes().rev().take_while(|byte| *byte != b'\n');
    let column = last.filter(|byte| byte & 0xc0 != 0x80).count() + 1;
    (line, column)
}

/// What stands at the start of a text: a word, a character, or the end.
fn found(rest: &str) -> String {
    const WORD_CHARS: usize = 20;
    let Some(first) = rest.chars().next() else { return "end of input".to_owned() };
    if first.is_control() || (first.is_whitespace() && first != ' ') || first == '\u{feff}' {
        return code_point(first);
    }
    let more = if first.is_ascii_alphabetic() { WORD_CHARS } else { 1 };
    let word = rest.chars().take(more).take_while(|char| *char == first || char.is_ascii_alphanumeric());
    let mut quoted = String::from("'");
    quoted.extend(word);
    quoted.push('\'');
    quoted
}

/// A character that does not show, as `U+FEFF`: of four digits at least.
fn code_point(char: char) -> String {
    let code = u32::from(char);
    let digits = if code > 0xffff { 6 } else { 4 };
    let mut out = "U+".to_owned();
    out.extend((0..digits).rev().filter_map(|digit| char::from_digit(code >> (4 * digit) & 15, 16)));
    out.to_ascii_uppercase()
}

impl Issue {
    fn into_item(self) -> ErrorItem {
        let mut details = vec![Detail::Path(self.pointer)];
        details.extend(self.field.map(Detail::Field));
        details.extend(self.invalid_value.map(Detail::InvalidValue));
        if !self.allowed_values.is_empty() {
            details.push(Detail::AllowedValues(self.allowed_values));
        }
        ErrorItem { code: self.code, message: self.message, details }
    }
}
