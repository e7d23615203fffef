//! The errors of parameters.

use crate::contract::error::quote::quoted;
use crate::contract::error::reason::Reason;
use crate::contract::error::{Member, MemberList, Members};

/// An error of a parameter in a query string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParamError {
    pub parameter: String,
    /// The problem and what is expected, as the end of a sentence.
    pub reason: String,
    pub members: MemberList,
}

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
        let mut members = MemberList::new();
        members.reason(reason);
        Self { sentence, members }
    }

    #[must_use]
    #[inline(never)]
    pub fn with_integer(mut self, member: Member, value: i64) -> Self {
        self.members.integer(member, value);
        self
    }

    #[must_use]
    #[inline(never)]
    pub fn with(mut self, member: Member, text: &str) -> Self {
        self.members.text(member, text);
        self
    }

    #[must_use]
    #[inline(never)]
    pub fn expecting(mut self, expected: &[&str]) -> Self {
        self.members.texts(Member::Expected, expected);
        self
    }

    /// Adds the place of the wrong part of a text.
    #[must_use]
    #[inline(never)]
    pub fn about(self, text: &str, part: &str) -> Self {
        let before = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        let mut lines = text.get(..before).unwrap_or(text).rsplit('\n');
        let column = lines.next().map_or(0, |line| line.chars().count()) + 1;
        self.with_integer(Member::Line, lines.count() as i64 + 1)
            .with_integer(Member::Column, column as i64)
            .with_integer(Member::Length, part.chars().count() as i64)
    }

    /// Returns the error of the parameter. The caller chose its name, so a long one is cut (D10).
    #[inline(never)]
    pub fn of(self, parameter: &str) -> ParamError {
        ParamError { parameter: quoted(parameter).to_owned(), reason: self.sentence, members: self.members }
    }
}
