//! The issues of a body, in the order in which they are found.

use super::issue::Rejection;
use super::location::{Part, Place, pointer};
use super::violation::Violation;
use crate::contract::error::{ErrorItem, JsonError, Members};
use crate::contract::limits;
use crate::util::json::{self, ObjectWriter};
use crate::validate::json::source::{Source, push_quote};

/// The issue list of a body: the first issues are listed, the rest are counted (D10).
#[derive(Debug, Default)]
pub(crate) struct IssueList<'w> {
    issues: Vec<Issue<'w>>,
    more: u32,
}

#[derive(Debug)]
struct Issue<'w> {
    violation: Violation<'w>,
    path: Vec<Part>,
    /// The field at the place, or an unknown name as messages quote it.
    field: Option<String>,
    /// The value at the place as JSON, if it is shown.
    value: Option<String>,
    message: String,
}

/// The maximum number of members that an issue adds, except for rare issues.
const MEMBERS: usize = 6;

/// A position in an issue list, to return to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    issues: usize,
    more: u32,
}

impl<'w> IssueList<'w> {
    /// Returns whether the list has room for another issue. If not, its text is not needed.
    pub(crate) fn has_room(&self) -> bool {
        self.issues.len() < limits::ISSUES
    }

    /// Returns the rejection with the issues; `None` if there are none.
    pub(crate) fn into_rejection(self) -> Option<Rejection> {
        let issues: Vec<ErrorItem> = self.issues.iter().map(Issue::item).collect();
        (!issues.is_empty()).then_some(Rejection::Issues { issues, more: self.more })
    }

    /// Returns the issues as the npm package's `Invalid` (`pkg/src/validate/validate.ts`), in JSON; `None` if there are
    /// none.
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

    /// Returns the sentence of the first issue; `None` if there are none.
    pub(crate) fn first_message(self) -> Option<String> {
        self.issues.into_iter().next().map(|issue| issue.message)
    }

    /// Returns the current position, for [`Self::rewind`].
    pub(crate) fn mark(&self) -> Mark {
        Mark { issues: self.issues.len(), more: self.more }
    }

    /// Returns whether nothing was added since a mark.
    pub(crate) fn is_at(&self, mark: Mark) -> bool {
        (self.issues.len(), self.more) == (mark.issues, mark.more)
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
        violation: Violation<'w>,
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
        let mut path = Vec::new();
        place.push_parts(&mut path);
        self.issues.push(Issue { violation, path, field, value: value.map(|value| value.json()), message });
    }
}

impl Issue<'_> {
    /// Returns it as an error of the service.
    fn item(&self) -> ErrorItem {
        let mut item = ErrorItem::new(self.violation.code(), self.message.clone());
        // Growing costs more than room that stays empty.
        item.members.reserve_exact(MEMBERS);
        self.describe(Some(&pointer(&self.path)), &mut item.members);
        item
    }

    /// Appends it as an issue of the npm package.
    fn write(&self, out: &mut String) {
        write(out, &self.path, self.violation.code_name(), &self.message, &|members| {
            self.describe(None, members);
        });
    }

    fn describe(&self, pointer: Option<&str>, members: &mut dyn Members) {
        self.violation.describe(pointer, self.field.as_deref(), self.value.as_deref(), members);
    }
}

/// Returns an issue of the whole body as the npm package's `Invalid`, in JSON.
pub(crate) fn whole(code: &str, message: &str, describe: &dyn Fn(&mut dyn Members)) -> String {
    let mut out = "{\"valid\":false,\"issues\":[".to_owned();
    write(&mut out, &[], code, message, describe);
    out.push_str("]}");
    out
}

/// Appends an issue of the npm package: an error of the service with its path in two forms.
#[inline(never)]
fn write(out: &mut String, path: &[Part], code: &str, message: &str, describe: &dyn Fn(&mut dyn Members)) {
    let mut object = ObjectWriter::open(out);
    json::array(object.member("path"), path, |out, part| part.write(out));
    object.text("pointer", &pointer(path));
    let mut error = JsonError::continue_in(object, code, message);
    describe(&mut error);
    error.close();
}
