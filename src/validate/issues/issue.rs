//! Why a body was rejected, and its form on the wire.

use crate::contract::error::expected::{JSON, push_prose};
use crate::contract::error::{ApiError, Code, ErrorItem, Expected, Member, Members, Reason};
use crate::contract::limits;
use crate::util::json;
use crate::util::text::append;
use crate::validate::json::cursor::Fault;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rejection {
    NotJson(NotJson),
    Issues {
        /// The first issues in document order: at least one, and at most [`crate::contract::limits::ISSUES`].
        issues: Vec<ErrorItem>,
        more: u32,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotJson {
    /// What was found and what was expected, as a clause that begins with a capital letter.
    clause: String,
    reason: Reason,
    expected: Expected,
    /// The line, from 1.
    line: usize,
    /// The column in characters, from 1.
    column: usize,
    /// How many characters are wrong.
    length: usize,
}

impl NotJson {
    pub(crate) fn summary(&self) -> String {
        let mut out = self.clause.clone();
        out.push_str(" (line ");
        json::integer(&mut out, self.line as i64);
        out.push_str(", column ");
        json::integer(&mut out, self.column as i64);
        out.push_str(").");
        out
    }

    pub(crate) fn describe(&self, members: &mut dyn Members) {
        members.reason(self.reason);
        if self.reason == Reason::Depth {
            members.integer(Member::Maximum, limits::BODY_DEPTH as i64);
        }
        members.texts(Member::Expected, self.expected);
        members.integer(Member::Line, self.line as i64);
        members.integer(Member::Column, self.column as i64);
        members.integer(Member::Length, self.length as i64);
    }
}

impl Rejection {
    /// Returns the first issue. Its message says what is wrong, in one sentence.
    pub fn into_first(self) -> ErrorItem {
        match self {
            Self::NotJson(fault) => {
                let mut item = ErrorItem::new(Code::InvalidJsonInput, fault.summary());
                fault.describe(&mut item.members);
                item
            }
            Self::Issues { issues, .. } => {
                let first = issues.into_iter().next();
                first.unwrap_or_else(|| ErrorItem::new(Code::InvalidField, String::new()))
            }
        }
    }

    /// Returns the error response to a request with such a body (contract, sections 7 and 10).
    pub fn into_error(self) -> ApiError {
        match self {
            Self::NotJson(fault) => {
                let message = "Request body does not contain valid JSON.".to_owned();
                let mut item = ErrorItem::new(Code::InvalidJsonInput, message);
                item.members.text(Member::DetailedErrorMessage, &fault.summary());
                item.members.text(Member::Path, "");
                fault.describe(&mut item.members);
                ApiError::from(item)
            }
            Self::Issues { issues, more } => {
                ApiError::from_items(issues, more).unwrap_or_else(ApiError::general)
            }
        }
    }
}

impl NotJson {
    /// Returns the fault of bytes that are not UTF-8 from `at` on.
    pub(crate) fn from_encoding(bytes: &[u8], at: usize) -> Self {
        let valid = bytes.get(..at).and_then(|valid| core::str::from_utf8(valid).ok()).unwrap_or_default();
        let (line, column) = position(valid);
        let clause = "Invalid UTF-8".to_owned();
        Self { clause, reason: Reason::Encoding, expected: &[], line, column, length: 1 }
    }

    /// Returns the fault of a text that is not JSON, at the byte where it was found.
    pub(crate) fn from_fault(text: &str, at: usize, fault: Fault) -> Self {
        let (before, rest) = text.split_at_checked(at).unwrap_or((text, ""));
        let (line, column) = position(before);
        let mut clause = "Unexpected ".to_owned();
        let length = push_found(rest, &mut clause);
        let expected = fault.expected();
        if let Some(other) = fault.clause() {
            other.clone_into(&mut clause);
        } else {
            clause.push_str(", expected ");
            push_prose(expected, JSON, &mut clause);
        }
        let reason = if fault == Fault::TooDeep { Reason::Depth } else { Reason::Syntax };
        Self { clause, reason, expected, line, column, length }
    }
}

#[inline(never)]
fn position(before: &str) -> (usize, usize) {
    let (mut line, mut column) = (1, 1);
    for byte in before.bytes() {
        if byte == b'\n' {
            line += 1;
            column = 1;
        } else if byte & 0xc0 != 0x80 {
            // Every byte that does not continue a character begins one.
            column += 1;
        }
    }
    (line, column)
}

/// Appends what is at the start of a text: a word, a character, or the end. Returns its length in characters.
fn push_found(rest: &str, out: &mut String) -> usize {
    const WORD_CHARS: usize = 20;
    let Some(first) = rest.chars().next() else {
        out.push_str("end of input");
        return 0;
    };
    if first.is_ascii_alphabetic() {
        let word = rest.bytes().take(WORD_CHARS).take_while(u8::is_ascii_alphanumeric).count();
        append(out, &["'", rest.get(..word).unwrap_or_default(), "'"]);
        return word;
    }
    if first.is_control() || (first.is_whitespace() && first != ' ') || first == '\u{feff}' {
        push_code_point(first, out);
    } else {
        append(out, &["'", first.encode_utf8(&mut [0; 4]), "'"]);
    }
    1
}

/// Appends an invisible character as `U+FEFF`, with at least four digits.
fn push_code_point(char: char, out: &mut String) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let code = u32::from(char);
    out.push_str("U+");
    for digit in (0..if code > 0xffff { 6 } else { 4 }).rev() {
        let digit = DIGITS.get((code >> (4 * digit) & 15) as usize);
        out.push(digit.map_or('0', |digit| char::from(*digit)));
    }
}
