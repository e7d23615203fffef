//! The issues of a body, in the order in which they are found.

use super::issue::Rejection;
use super::location::{Part, Place, pointer};
use super::violation::Violation;
use crate::contract::error::{ErrorItem, Member};
use crate::contract::limits;
use crate::util::json::{self, ObjectWriter};
use crate::validate::json::source::{Source, push_quote};

/// The issue list of a body: the first issues are listed, the rest are counted (D10).
#[derive(Debug, Default)]
pub(crate) struct IssueList {
    issues: Vec<Issue>,
    more: u32,
}

#[derive(Debug)]
struct Issue {
    path: Vec<Part>,
    /// The error of the service, without its path.
    item: ErrorItem,
}

/// A position in an issue list, to return to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    issues: usize,
    more: u32,
}

impl IssueList {
    /// Returns whether the list has room for another issue. If not, its text is not needed.
    pub(crate) fn has_room(&self) -> bool {
        self.issues.len() < limits::ISSUES
    }

    /// Returns the list of an issue of the whole body.
    pub(crate) fn of(item: ErrorItem) -> Self {
        Self { issues: vec![Issue { path: Vec::new(), item }], more: 0 }
    }

    /// Returns the rejection with the issues; `None` if there are none.
    pub(crate) fn into_rejection(self) -> Option<Rejection> {
        let item = |Issue { path, mut item }: Issue| {
            // After the reason.
            item.members.insert(1, (Member::Path, pointer(&path).into()));
            item
        };
        let issues: Vec<ErrorItem> = self.issues.into_iter().map(item).collect();
        (!issues.is_empty()).then_some(Rejection::Issues { issues, more: self.more })
    }

    /// Returns the issues as the npm package's `Invalid` (pkg/src/validate.ts), in JSON; `None` if there are none.
    pub(crate) fn invalid(&self) -> Option<String> {
        if self.issues.is_empty() {
            return None;
        }
        Some(json::object(|object| {
            object.member("valid").push_str("false");
            object.array("issues", &self.issues, |out, issue| issue.write(out));
            if self.more > 0 {
                object.integer("more", i64::from(self.more));
            }
        }))
    }

    /// Returns the current position, for [`Self::rewind`].
    pub(crate) fn mark(&self) -> Mark {
        Mark { issues: self.issues.len(), more: self.more }
    }

    /// Discards the issues after a mark.
    pub(crate) fn rewind(&mut self, mark: Mark) {
        self.issues.truncate(mark.issues);
        self.more = mark.more;
    }

    /// Adds an issue, or counts it if enough are listed. `count` is what the message quotes instead of the value.
    #[cold]
    pub(crate) fn add(
        &mut self,
        place: &Place<'_>,
        violation: Violation,
        value: Option<Source<'_>>,
        count: Option<usize>,
    ) {
        if !self.has_room() {
            self.more = self.more.saturating_add(1);
            return;
        }
        let value = value.filter(Source::is_shown);
        let mut quote = String::new();
        match (count, value) {
            (Some(count), _) => json::integer(&mut quote, count as i64),
            (None, Some(value)) => push_quote(value.text, &mut quote),
            (None, None) => {}
        }
        let field = place.field();
        let message = violation.message(place, field.as_deref().unwrap_or_default(), &quote);
        let members = violation.members(field, value.map(|value| value.json()));
        let mut path = Vec::new();
        place.push_parts(&mut path);
        self.issues.push(Issue { path, item: ErrorItem { code: violation.code(), message, members } });
    }
}

impl Issue {
    /// Appends it as an issue of the npm package: an error of the service with its path in two forms.
    fn write(&self, out: &mut String) {
        let mut object = ObjectWriter::open(out);
        object.array("path", &self.path, |out, part| part.write(out));
        object.text("pointer", &pointer(&self.path));
        self.item.write_members(&mut object);
        object.close();
    }
}
