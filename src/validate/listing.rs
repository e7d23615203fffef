//! The issues of a body as they are found, kept as one text and the lengths of its parts: a body of nothing but issues
//! costs few allocations, and JavaScript reads them with one decoding.

use super::issue::{Issue, Rejection};
use super::nearest::nearest;
use super::report::{Expected, Found, Place, Source, push_quote};
use crate::contract::error::Code;
use crate::contract::limits;

/// What is wrong with a body: the first issues are listed, the rest counted (D10).
#[derive(Debug)]
pub struct Listing {
    /// How many are listed.
    most: usize,
    text: String,
    parts: Vec<u32>,
    count: usize,
    more: u32,
}

/// Stands for the length of a part that an issue does not have.
pub const ABSENT: u32 = u32::MAX;

/// How much of a listing there was at a moment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    text: usize,
    parts: usize,
    count: usize,
    more: u32,
}

impl Default for Listing {
    fn default() -> Self {
        Self::new()
    }
}

impl Listing {
    /// Nothing wrong yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { most: limits::ISSUES, text: String::new(), parts: Vec::new(), count: 0, more: 0 }
    }

    /// The same, for a verdict alone: issues are counted and none is written.
    #[must_use]
    pub fn silent() -> Self {
        Self { most: 0, ..Self::new() }
    }

    /// How many issues are listed.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// How many are not.
    #[must_use]
    pub fn more(&self) -> u32 {
        self.more
    }

    /// The parts of the issues: of each its pointer, message, field, value as JSON, and the values allowed.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Of each issue: the length of its pointer, the number of its code in [`Code::ALL`], the lengths of message, field and
    /// value ([`ABSENT`] where there is none), how many values are allowed, and their lengths; all in bytes.
    #[must_use]
    pub fn parts(&self) -> &[u32] {
        &self.parts
    }

    /// The message of the first issue.
    #[must_use]
    pub fn first_message(&self) -> Option<String> {
        let mut reader = Reader { text: &self.text, parts: self.parts.iter() };
        // Its pointer and its code precede it.
        reader.part()?;
        reader.word();
        reader.part()
    }

    /// Forgets all issues, and keeps their room.
    pub fn clear(&mut self) {
        self.rewind(Mark { text: 0, parts: 0, count: 0, more: 0 });
    }

    /// Lists an issue of the whole body.
    pub fn whole(&mut self, code: Code, message: &[&str]) {
        self.list(&Place::Root, code, None, |out| out.extend(message.iter().copied()));
        self.no_values();
    }

    /// The rejection that the issues make; `None` without one.
    pub(super) fn into_rejection(self) -> Option<Rejection> {
        let mut reader = Reader { text: &self.text, parts: self.parts.iter() };
        let issues: Vec<Issue> = (0..self.count).map(|_| reader.issue()).collect();
        (!issues.is_empty()).then_some(Rejection::Issues { issues, more: self.more })
    }

    /// What there is now, to [`Self::rewind`] to.
    pub(super) fn mark(&self) -> Mark {
        Mark { text: self.text.len(), parts: self.parts.len(), count: self.count, more: self.more }
    }

    /// Forgets the issues after a mark.
    pub(super) fn rewind(&mut self, mark: Mark) {
        self.text.truncate(mark.text);
        self.parts.truncate(mark.parts);
        self.count = mark.count;
        self.more = mark.more;
    }

    /// Whether another issue is listed; where not, it is counted, and its message need not be made.
    fn room(&mut self) -> bool {
        let room = self.count < self.most;
        if !room {
            self.more = self.more.saturating_add(1);
        }
        room
    }

    /// Writes a part of the text; where there is none the writer returns `false`.
    fn part(&mut self, write: impl FnOnce(&mut String) -> bool) {
        let start = self.text.len();
        let length = if write(&mut self.text) { (self.text.len() - start) as u32 } else { ABSENT };
        self.parts.push(length);
    }

    /// Lists an issue, for which there must be [`Self::room`]; the values allowed follow.
    fn list(
        &mut self,
        place: &Place<'_>,
        code: Code,
        value: Option<Source<'_>>,
        message: impl FnOnce(&mut String),
    ) {
        self.count += 1;
        self.part(|out| {
            place.push_pointer(out);
            true
        });
        self.parts.push(code as u32);
        self.part(|out| {
            message(out);
            true
        });
        self.part(|out| place.field().map(|field| push_quote(field, out)).is_some());
        self.part(|out| value.is_some_and(|value| value.push_value(out)));
    }

    fn no_values(&mut self) {
        self.parts.push(0);
    }

    /// Adds: this was expected here, that was found. Sentences are made only for issues that are listed, so that a
    /// body of nothing but issues costs no more than another.
    #[cold]
    pub(super) fn malformed(
        &mut self,
        place: &Place<'_>,
        value: Option<Source<'_>>,
        expected: Expected,
        found: Found,
    ) {
        if !self.room() {
            return;
        }
        self.list(place, Code::InvalidField, value, |out| {
            let (before, after) = match place {
                Place::Root => ("Malformed value", ""),
                Place::Member(..) => ("Malformed field '", "'"),
                Place::Item(..) => ("Malformed item of '", "'"),
            };
            out.push_str(before);
            out.push_str(place.field().unwrap_or_default());
            out.push_str(after);
            out.push_str(": expected ");
            expected.push(out);
            out.push_str(", found ");
            found.push(value, out);
            out.push('.');
        });
        let Expected::TagOf(union) = expected else { return self.no_values() };
        self.parts.push(union.variants.len() as u32);
        for (name, _) in union.variants {
            self.part(|out| {
                out.push_str(name);
                true
            });
        }
    }

    /// Adds: the required field is not there.
    #[cold]
    pub(super) fn missing(&mut self, place: &Place<'_>) {
        if self.room() {
            let name = place.field().unwrap_or_default();
            self.list(place, Code::RequiredField, None, |out| {
                out.extend(["The field '", name, "' is required."]);
            });
            self.no_values();
        }
    }

    /// Adds: the member stands twice.
    #[cold]
    pub(super) fn twice(&mut self, place: &Place<'_>, value: Source<'_>) {
        if self.room() {
            let name = place.field().unwrap_or_default();
            self.list(place, Code::InvalidField, Some(value), |out| {
                out.extend(["The field '", name, "' stands twice."]);
            });
            self.no_values();
        }
    }

    /// Adds: there is no such field, but perhaps one of those known was meant (D9).
    #[cold]
    pub(super) fn unknown(
        &mut self,
        place: &Place<'_>,
        value: Source<'_>,
        known: &mut dyn Iterator<Item = &'static str>,
    ) {
        if self.room() {
            let name = place.field().unwrap_or_default();
            self.list(place, Code::InvalidField, Some(value), |out| {
                out.push_str("Unknown field '");
                push_quote(name, out);
                out.push_str("'.");
                if let Some(near) = nearest(name, known) {
                    out.extend([" Did you mean '", near, "'?"]);
                }
            });
            self.no_values();
        }
    }
}

/// The parts of a listing that are still to be read.
struct Reader<'a> {
    text: &'a str,
    parts: core::slice::Iter<'a, u32>,
}

impl Reader<'_> {
    fn word(&mut self) -> u32 {
        self.parts.next().copied().unwrap_or(ABSENT)
    }

    fn part(&mut self) -> Option<String> {
        let (part, rest) = self.text.split_at_checked(self.word() as usize)?;
        self.text = rest;
        Some(part.to_owned())
    }

    fn issue(&mut self) -> Issue {
        let pointer = self.part().unwrap_or_default();
        let code = Code::ALL.get(self.word() as usize).copied().unwrap_or(Code::InvalidField);
        let message = self.part().unwrap_or_default();
        let (field, invalid_value) = (self.part(), self.part());
        let allowed_values = (0..self.word()).filter_map(|_| self.part()).collect();
        Issue { pointer, code, message, field, invalid_value, allowed_values }
    }
}
