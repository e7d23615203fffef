//! Why a body was rejected, and its form on the wire.

use crate::contract::error::expected::{JSON, push_prose};
use crate::contract::error::{ApiError, Code, ErrorItem, Expected, Member, Reason};
use crate::contract::limits;
use crate::contract::param::Refusal;
use crate::util::json;
use crate::util::text::append;
use crate::validate::json::cursor::Fault;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rejection {
    /// The body is not JSON: what was found, what was expected, and where.
    NotJson(ErrorItem),
    Issues {
        /// The first issues in document order: at least one, and at most [`crate::contract::limits::ISSUES`].
        issues: Vec<ErrorItem>,
        more: u32,
    },
}

impl Rejection {
    /// Returns the first issue. Its message says what is wrong, in one sentence.
    pub fn into_first(self) -> ErrorItem {
        match self {
            Self::NotJson(fault) => fault,
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
                let mut item = ErrorItem::new(fault.code, message);
                item.members.push((Member::DetailedErrorMessage, fault.message.into()));
                item.members.push((Member::Path, "".into()));
                item.members.extend(fault.members);
                ApiError::from(item)
            }
            Self::Issues { issues, more } => {
                ApiError::from_items(issues, more).unwrap_or_else(ApiError::general)
            }
        }
    }
}

/// Returns the fault of bytes that are not UTF-8 from `at` on.
pub(crate) fn not_utf8(bytes: &[u8], at: usize) -> ErrorItem {
    let valid = bytes.get(..at).and_then(|valid| core::str::from_utf8(valid).ok()).unwrap_or_default();
    not_json(Refusal::new(Reason::Encoding, "Invalid UTF-8".to_owned()), &[], valid, 1)
}

/// Returns the fault of a text that is not JSON, at the byte where it was found.
pub(crate) fn not_grammar(text: &str, at: usize, fault: Fault) -> ErrorItem {
    let (before, rest) = text.split_at_checked(at).unwrap_or((text, ""));
    let mut clause = "Unexpected ".to_owned();
    let length = push_found(rest, &mut clause);
    let expected = fault.expected();
    if let Some(other) = fault.clause() {
        other.clone_into(&mut clause);
    } else {
        clause.push_str(", expected ");
        push_prose(expected, JSON, &mut clause);
    }
    let refusal = if fault == Fault::TooDeep {
        Refusal::new(Reason::Depth, clause).with(Member::Maximum, limits::BODY_DEPTH as i64)
    } else {
        Refusal::new(Reason::Syntax, clause)
    };
    not_json(refusal, expected, before, length)
}

/// Returns the fault after a part of the text. The refusal says what was found, and how many characters are wrong.
fn not_json(mut refusal: Refusal, expected: Expected, before: &str, length: usize) -> ErrorItem {
    let (line, column) = position(before);
    let clause = &mut refusal.sentence;
    clause.push_str(" (line ");
    json::integer(clause, i64::from(line));
    clause.push_str(", column ");
    json::integer(clause, i64::from(column));
    clause.push(')');
    refusal.expecting(expected).at(line, column, length as u32).of_text(Code::InvalidJsonInput)
}

#[inline(never)]
fn position(before: &str) -> (u32, u32) {
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
