//! The errors of parameters.

use crate::contract::error::{Code, ErrorItem, Member, MemberList, MemberValue, Reason, malformed, quoted};

/// The reason why a parameter's value was rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The problem and what is expected, as the end of a sentence.
    pub sentence: String,
    pub members: MemberList,
}

impl Refusal {
    #[inline(never)]
    pub fn new(reason: Reason, sentence: String) -> Self {
        Self { sentence, members: vec![(Member::Reason, reason.into())] }
    }

    #[must_use]
    pub fn with(mut self, member: Member, value: impl Into<MemberValue>) -> Self {
        self.members.push((member, value.into()));
        self
    }

    /// Adds what is expected, if it can be listed.
    #[must_use]
    #[inline(never)]
    pub fn expecting(self, expected: &[&str]) -> Self {
        if expected.is_empty() { self } else { self.with(Member::Expected, expected) }
    }

    /// Adds the place of the wrong part of a text.
    #[must_use]
    #[inline(never)]
    pub fn about(self, text: &str, part: &str) -> Self {
        let before = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        let mut lines = text.get(..before).unwrap_or(text).rsplit('\n');
        let column = lines.next().map_or(0, |line| line.chars().count()) + 1;
        self.at(lines.count() as u32 + 1, column as u32, part.chars().count() as u32)
    }

    /// Adds a place: its line, its column, and how many characters are wrong.
    #[must_use]
    #[inline(never)]
    pub fn at(self, line: u32, column: u32, length: u32) -> Self {
        self.with(Member::Line, i64::from(line))
            .with(Member::Column, i64::from(column))
            .with(Member::Length, i64::from(length))
    }

    /// Returns the error of a text that is no parameter.
    pub fn of_text(self, code: Code) -> ErrorItem {
        ErrorItem { code, message: self.sentence + ".", members: self.members }
    }

    /// Returns the error of the parameter: `Malformed parameter: limit: …` (section 10). The caller chose its name, so
    /// a long one is cut (D10).
    #[inline(never)]
    pub fn of(self, parameter: &str) -> ErrorItem {
        let parameter = quoted(parameter);
        let mut item = ErrorItem::new(Code::InvalidInput, malformed("parameter", parameter, &self.sentence));
        item.members.push((Member::Parameter, parameter.into()));
        item.members.extend(self.members);
        item
    }
}
