//! The issues of a body, in the order in which they are found. The schema's part of an issue is a number;
//! [`IssueList::words`] and [`IssueList::text`] have the body's part. So a body full of issues costs few allocations,
//! and JavaScript reads each sentence from here only once.

use super::issue::Rejection;
use super::location::{FIELD, NAMED, Place, push_pointer};
use super::violation::{PlaceKind, QUOTE, Violation};
use crate::contract::error::{ErrorItem, JsonError, Members};
use crate::contract::limits;
use crate::contract::resource::schema::FieldId;
use crate::util::json;
use crate::validate::json::source::{Source, is_long, push_quote};

/// The issue list of a body: the first issues are listed, the rest are counted (D10).
#[derive(Debug)]
pub struct IssueList {
    /// The maximum number of issues that are listed.
    max_listed: usize,
    issues: Vec<Listed>,
    words: Vec<u32>,
    text: String,
    more: u32,
    /// The only issue of a body that has no other, as JSON; else empty.
    whole: String,
}

/// The schema's part of an issue.
#[derive(Debug, Clone, Copy)]
struct Listed {
    violation: Violation,
    position: PlaceKind,
    id: Option<FieldId>,
    shown: bool,
}

/// The maximum number of members that an issue adds, except for rare issues.
const MEMBERS: usize = 6;

/// Marks the length of a part that an issue does not have.
pub const ABSENT: u32 = u32::MAX;

/// Marks the only issue of a body that is not JSON or is too large.
pub const WHOLE: u32 = u32::MAX;

/// A position in an issue list, to return to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    issues: usize,
    words: usize,
    text: usize,
    more: u32,
}

impl Default for IssueList {
    fn default() -> Self {
        Self::new()
    }
}

impl IssueList {
    /// Creates an empty list.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            max_listed: limits::ISSUES,
            issues: Vec::new(),
            words: Vec::new(),
            text: String::new(),
            more: 0,
            whole: String::new(),
        }
    }

    /// Creates a list for a verdict only: issues are counted, and none is written.
    #[must_use]
    pub fn silent() -> Self {
        Self { max_listed: 0, ..Self::new() }
    }

    /// Returns whether the list has room for another issue. If not, its text is not needed.
    pub(crate) fn has_room(&self) -> bool {
        self.issues.len() < self.max_listed
    }

    /// Returns how many issues are listed.
    #[must_use]
    pub fn count(&self) -> usize {
        self.issues.len() + usize::from(!self.whole.is_empty())
    }

    /// Returns how many issues are counted only.
    #[must_use]
    pub fn more(&self) -> u32 {
        self.more
    }

    /// Returns the numbers of each issue: the number of the schema's part ([`WHOLE`] if there is none), the length of
    /// its value, the length of the text that its message quotes if that is neither the value nor the unknown name
    /// ([`ABSENT`] otherwise), the number of parts of its place, and the parts. A part is an index, [`FIELD`] with the
    /// number of a field in [`FieldId::ALL`], or [`NAMED`] and the length of a name. All lengths are in bytes of
    /// [`Self::text`].
    #[must_use]
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// Returns the body's parts of the issues: for each issue its value, the text that its message quotes, and an
    /// unknown name.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the schema's part of the issue at the index, as the members of an error in JSON without `path`. The
    /// body's part is U+0000 in a text, and null as the value.
    #[must_use]
    pub fn template(&self, index: usize) -> String {
        let mut out = self.whole.clone();
        if let Some(Listed { violation, position, id, shown }) = self.issues.get(index) {
            let is_unknown = matches!(violation, Violation::Unknown(_));
            let field = id.map(FieldId::name).or(is_unknown.then_some(QUOTE));
            let message = violation.message(*position, field.unwrap_or_default(), QUOTE);
            let mut error = JsonError::open(&mut out, violation.code_name(), &message);
            violation.describe(None, field, shown.then_some("null"), &mut error);
            error.close();
        }
        out
    }

    /// Discards all issues, but keeps the allocations.
    pub fn clear(&mut self) {
        self.rewind(Mark { issues: 0, words: 0, text: 0, more: 0 });
        self.whole.clear();
    }

    /// Adds an issue of the whole body, which has no other.
    #[inline(never)]
    pub fn whole(&mut self, code: &str, message: &str, describe: &dyn Fn(&mut dyn Members)) {
        self.clear();
        let mut error = JsonError::open(&mut self.whole, code, message);
        describe(&mut error);
        error.close();
        self.words.extend([WHOLE, ABSENT, ABSENT, 0]);
    }

    /// Returns the rejection with the issues; `None` if there are none.
    pub(crate) fn into_rejection(self) -> Option<Rejection> {
        let mut reader = IssueReader { text: &self.text, words: self.words.iter() };
        let issues: Vec<ErrorItem> = self.issues.iter().map(|listed| reader.item(listed)).collect();
        (!issues.is_empty()).then_some(Rejection::Issues { issues, more: self.more })
    }

    /// Returns the sentence of the first issue; `None` if there are none.
    pub(crate) fn first_message(&self) -> Option<String> {
        let mut reader = IssueReader { text: &self.text, words: self.words.iter() };
        Some(reader.parts(self.issues.first()?, None).message)
    }

    /// Returns the current position, for [`Self::rewind`].
    pub(crate) fn mark(&self) -> Mark {
        Mark { issues: self.issues.len(), words: self.words.len(), text: self.text.len(), more: self.more }
    }

    /// Discards the issues after a mark.
    pub(crate) fn rewind(&mut self, mark: Mark) {
        self.issues.truncate(mark.issues);
        self.words.truncate(mark.words);
        self.text.truncate(mark.text);
        self.more = mark.more;
    }

    /// Adds an issue, or counts it if enough are listed. `quote` is the text that the message quotes if that is not the
    /// value.
    #[cold]
    pub(crate) fn add(
        &mut self,
        place: &Place<'_>,
        violation: Violation,
        value: Option<Source<'_>>,
        quote: Option<usize>,
    ) {
        if !self.has_room() {
            self.more = self.more.saturating_add(1);
            return;
        }
        let value = value.filter(Source::is_shown);
        let listed = Listed { violation, position: place.position(), id: place.id(), shown: value.is_some() };
        self.issues.push(listed);
        let start = self.text.len();
        if let Some(value) = value {
            value.push_value(&mut self.text);
        }
        let value_length = self.length_since(start);
        let start = self.text.len();
        let name = place.name();
        match (quote, name, value) {
            (Some(count), ..) => json::integer(&mut self.text, count as i64),
            (None, Some(name), _) if is_long(name) => push_quote(name, &mut self.text),
            (None, None, Some(value)) if !value.is_whole() => push_quote(value.text, &mut self.text),
            // The message quotes the whole name or value, or nothing.
            _ => {}
        }
        let quote_length = self.length_since(start);
        self.words.extend_from_slice(&[listed.number(), value_length, quote_length, place.depth()]);
        place.push_parts(&mut self.words);
        if let Some(name) = name {
            self.text.push_str(name);
            self.words.push(name.len() as u32);
        }
    }

    /// Returns the length of the text that was appended; [`ABSENT`] if nothing was.
    fn length_since(&self, start: usize) -> u32 {
        match self.text.len() - start {
            0 => ABSENT,
            length => length as u32,
        }
    }
}

impl Listed {
    /// Returns a number that is the same for two issues if and only if the schema's part of both is the same.
    fn number(&self) -> u32 {
        // 0 if there is no field.
        let id = self.id.map_or(0, |id| id as u32 + 1);
        let place = (id << 2 | self.position as u32) << 1 | u32::from(self.shown);
        place << 11 | self.violation.number()
    }
}

/// What an issue has besides the broken rule.
struct IssueParts<'a> {
    value: Option<&'a str>,
    field: Option<&'a str>,
    message: String,
}

/// The part of an issue list that is not read yet.
struct IssueReader<'a> {
    text: &'a str,
    words: core::slice::Iter<'a, u32>,
}

impl<'a> IssueReader<'a> {
    #[inline(never)]
    fn word(&mut self) -> u32 {
        self.words.next().copied().unwrap_or(ABSENT)
    }

    #[inline(never)]
    fn part(&mut self) -> Option<&'a str> {
        let (part, rest) = self.text.split_at_checked(self.word() as usize)?;
        self.text = rest;
        Some(part)
    }

    /// Reads an issue's own parts, and joins them with the schema's part. Appends its place to `pointer`.
    fn parts(&mut self, listed: &Listed, mut pointer: Option<&mut String>) -> IssueParts<'a> {
        self.word();
        let (value, quote) = (self.part(), self.part());
        let mut name = None;
        for _ in 0..self.word() {
            let word = self.word();
            if word == NAMED {
                name = self.part();
            }
            let Some(pointer) = pointer.as_deref_mut() else { continue };
            if word >= FIELD {
                let field = FieldId::ALL.get((word - FIELD) as usize).map(|id| id.name());
                push_pointer(name.or(field).unwrap_or_default(), pointer);
            } else {
                pointer.push('/');
                json::integer(pointer, i64::from(word));
            }
        }
        let field = listed.id.map(FieldId::name).or(quote.or(name).filter(|_| name.is_some()));
        let quote = quote.or(value).unwrap_or_default();
        let message = listed.violation.message(listed.position, field.unwrap_or_default(), quote);
        IssueParts { value, field, message }
    }

    fn item(&mut self, listed: &Listed) -> ErrorItem {
        let mut pointer = String::new();
        let IssueParts { value, field, message } = self.parts(listed, Some(&mut pointer));
        let violation = &listed.violation;
        let mut item = ErrorItem::new(violation.code(), message);
        // Growing costs more than room that stays empty.
        item.members.reserve_exact(MEMBERS);
        violation.describe(Some(&pointer), field, value, &mut item.members);
        item
    }
}
