//! The making of issues: where they are, what was expected and what was found, written only when listed.

use super::cursor::Kind;
use super::issue::{Issue, Rejection};
use crate::contract::error::Code;
use crate::contract::schema::Union;
use crate::contract::{json, limits};

/// A value as it stands in the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source<'a> {
    /// Its text.
    pub(super) text: &'a str,
    /// Its kind.
    pub(super) kind: Kind,
    /// Whether every reader of JSON takes it: it is no number beyond doubles, nor a string with half a surrogate pair.
    pub(super) quotable: bool,
}

impl Source<'_> {
    fn invalid_value(&self) -> Option<String> {
        if matches!(self.kind, Kind::Array | Kind::Object | Kind::Foreign(_)) {
            return None;
        }
        let cut = cut(self.text);
        if self.quotable && cut.len() == self.text.len() {
            return Some(cut.to_owned());
        }
        let mut out = String::new();
        json::string(&mut out, cut);
        Some(out)
    }
}

/// What should have stood.
#[derive(Debug, Clone, Copy)]
pub(super) enum Expected {
    /// As the sentence says.
    Plain(&'static str),
    /// An integer within bounds.
    Between(i64, i64),
    /// An array of no items or of that many.
    NoneOr(usize),
    /// An array of that many items at most.
    AtMost(usize),
    /// The name of a variant.
    TagOf(&'static Union),
}

impl Expected {
    /// What should have stood instead of the number: an integer, or one within the bounds.
    pub(super) fn integer(found: f64, min: i64, max: i64) -> Self {
        if found.is_finite() && found.fract() != 0.0 {
            Self::Plain("an integer")
        } else {
            Self::Between(min, max)
        }
    }

    fn sentence(self) -> String {
        match self {
            Self::Plain(sentence) => sentence.to_owned(),
            Self::Between(min, max) => {
                ["an integer from ", &min.to_string(), " to ", &max.to_string()].concat()
            }
            Self::NoneOr(count) => ["no items or exactly ", &count.to_string()].concat(),
            Self::AtMost(count) => ["no more items than ", &count.to_string()].concat(),
            Self::TagOf(union) => {
                let mut out = "one of".to_owned();
                for (at, (name, _)) in union.variants.iter().enumerate() {
                    out.push_str(if at == 0 { " '" } else { ", '" });
                    out.push_str(name);
                    out.push('\'');
                }
                out
            }
        }
    }
}

/// What stood instead.
#[derive(Debug, Clone, Copy)]
pub(super) enum Found {
    /// The value, quoted.
    Value,
    /// A value of that kind.
    Kind,
    /// The value, quoted, as an earlier item had it.
    Again,
    /// That many items.
    Count(usize),
}

impl Found {
    fn sentence(self, value: Option<Source<'_>>) -> String {
        match (self, value) {
            (Self::Count(count), _) => count.to_string(),
            (Self::Kind, Some(value)) => value.kind.name().to_owned(),
            (Self::Again, Some(value)) => [&quote(value.text), " again"].concat(),
            (_, value) => value.map_or_else(String::new, |value| quote(value.text)),
        }
    }
}

/// The beginning of a text, as much as is quoted (D10).
fn cut(text: &str) -> &str {
    let end = text.char_indices().nth(limits::QUOTED_CHARS).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or(text)
}

/// The text, or its beginning and an ellipsis (D10).
fn quote(text: &str) -> String {
    let cut = cut(text);
    [cut, if cut.len() < text.len() { "…" } else { "" }].concat()
}

/// A place in a body, as a chain up to the root that lives on the stack: nothing is written until an issue needs it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Place<'p> {
    /// The whole body.
    Root,
    /// A member.
    Member(&'p Place<'p>, &'p str),
    /// An item.
    Item(&'p Place<'p>, usize),
}

impl Place<'_> {
    /// Appends the JSON Pointer. The chain is as deep as the schema.
    fn push_pointer(&self, out: &mut String) {
        match self {
            Self::Root => {}
            Self::Member(parent, name) => {
                parent.push_pointer(out);
                out.push('/');
                for char in name.chars() {
                    match char {
                        '~' => out.push_str("~0"),
                        '/' => out.push_str("~1"),
                        _ => out.push(char),
                    }
                }
            }
            Self::Item(parent, index) => {
                parent.push_pointer(out);
                out.push('/');
                json::integer(out, *index as i64);
            }
        }
    }

    /// The name of the field here, or of the array that the item is of.
    fn field(&self) -> Option<&str> {
        match self {
            Self::Root => None,
            Self::Member(_, name) => Some(name),
            Self::Item(parent, _) => parent.field(),
        }
    }
}

/// The issues so far: the first are listed, the rest counted (D10).
#[derive(Debug, Default)]
pub(super) struct Issues {
    list: Vec<Issue>,
    more: u32,
}

/// How many issues there were at a moment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark(usize, u32);

impl Issues {
    /// The rejection that they make; `None` without an issue.
    pub(super) fn into_rejection(self) -> Option<Rejection> {
        (!self.list.is_empty()).then_some(Rejection::Issues { issues: self.list, more: self.more })
    }

    /// The number of issues now, to [`Self::rewind`] to.
    pub(super) fn mark(&self) -> Mark {
        Mark(self.list.len(), self.more)
    }

    /// Forgets the issues after a mark.
    pub(super) fn rewind(&mut self, mark: Mark) {
        self.list.truncate(mark.0);
        self.more = mark.1;
    }

    /// Whether another issue is listed; where not, it is counted, and its message need not be made.
    pub(super) fn room(&mut self) -> bool {
        let room = self.list.len() < limits::ISSUES;
        if !room {
            self.more = self.more.saturating_add(1);
        }
        room
    }

    /// Lists an issue, for which there must be [`Self::room`].
    pub(super) fn list(
        &mut self,
        place: &Place<'_>,
        code: Code,
        message: &[&str],
        value: Option<Source<'_>>,
    ) {
        let mut pointer = String::new();
        place.push_pointer(&mut pointer);
        self.list.push(Issue {
            pointer,
            code,
            message: message.concat(),
            field: place.field().map(quote),
            invalid_value: value.and_then(|value| value.invalid_value()),
            allowed_values: Vec::new(),
        });
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
        if self.room() {
            let name = place.field().unwrap_or_default();
            let (before, after) = match place {
                Place::Root => ("Malformed value", ""),
                Place::Member(..) => ("Malformed field '", "'"),
                Place::Item(..) => ("Malformed item of '", "'"),
            };
            let found = found.sentence(value);
            let message = [before, name, after, ": expected ", &expected.sentence(), ", found ", &found, "."];
            self.list(place, Code::InvalidField, &message, value);
            if let (Expected::TagOf(union), Some(issue)) = (expected, self.list.last_mut()) {
                issue.allowed_values = union.variants.iter().map(|(name, _)| (*name).to_owned()).collect();
            }
        }
    }

    /// Adds: the required field is not there.
    #[cold]
    pub(super) fn missing(&mut self, place: &Place<'_>) {
        if self.room() {
            let name = place.field().unwrap_or_default();
            self.list(place, Code::RequiredField, &["The field '", name, "' is required."], None);
        }
    }

    /// Adds: the member stands twice.
    #[cold]
    pub(super) fn twice(&mut self, place: &Place<'_>, value: Source<'_>) {
        if self.room() {
            let name = place.field().unwrap_or_default();
            self.list(place, Code::InvalidField, &["The field '", name, "' stands twice."], Some(value));
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
            let quoted = quote(name);
            let message = match super::nearest::nearest(name, known) {
                Some(near) => ["Unknown field '", &quoted, "'. Did you mean '", near, "'?"],
                None => ["Unknown field '", &quoted, "'.", "", ""],
            };
            self.list(place, Code::InvalidField, &message, Some(value));
        }
    }
}
