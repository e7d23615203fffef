//! Checks of whole bodies: the verdict, the number of issues, and the issues.

use super::issues::issue::{NotJson, Rejection};
use super::issues::list::IssueList;
use super::json::cursor::Cursor;
use super::receiver::Sink;
use super::walk::Walk;
use crate::contract::error::Code;
use crate::contract::resource::schema::Object;

/// Checks a body by its schema and passes its values to the sink. Returns all issues together (D10).
pub fn validate<S: Sink>(schema: &'static Object, bytes: &[u8], sink: &mut S) -> Result<(), Rejection> {
    let mut issues = IssueList::new();
    run(schema, bytes, false, sink, &mut issues).map_err(Rejection::NotJson)?;
    issues.into_rejection().map_or(Ok(()), Err)
}

/// Returns whether a body is valid. Cheaper than a list of its issues.
pub fn is_valid(schema: &'static Object, bytes: &[u8]) -> bool {
    count(schema, bytes) == 0
}

/// Returns how many issues a body has. Cheaper than a list of them.
pub fn count(schema: &'static Object, bytes: &[u8]) -> u32 {
    let mut issues = IssueList::silent();
    let is_json = core::str::from_utf8(bytes)
        .is_ok_and(|text| Walk::run(Cursor::new(text, false), schema, &mut (), &mut issues).is_ok());
    // A body that is not JSON has one issue.
    if is_json { issues.more() } else { 1 }
}

/// Returns the first fault of a JSON text as a sentence; `None` if it is valid.
pub fn check(schema: &'static Object, text: &str) -> Option<String> {
    // Same sentence as `validate`, without the rest of its code, which pages would have to load.
    let mut issues = IssueList::new();
    match run(schema, text.as_bytes(), false, &mut (), &mut issues) {
        Ok(()) => issues.first_message(),
        Err(fault) => Some(fault.summary()),
    }
}

/// Fills the list with all issues of a body; leaves it empty if the body is valid.
pub fn list(schema: &'static Object, bytes: &[u8], issues: &mut IssueList) {
    list_foreign(schema, bytes, false, issues);
}

/// Fills the list with all issues of a JavaScript object that was written as JSON, with the characters of
/// [`super::FOREIGN`] for values that JSON cannot express.
pub fn list_object(schema: &'static Object, text: &[u8], issues: &mut IssueList) {
    list_foreign(schema, text, true, issues);
}

fn list_foreign(schema: &'static Object, bytes: &[u8], foreign: bool, issues: &mut IssueList) {
    issues.clear();
    if let Err(fault) = run(schema, bytes, foreign, &mut (), issues) {
        issues.whole(Code::InvalidJsonInput.wire(), &fault.summary(), &|members| fault.describe(members));
    }
}

fn run<S: Sink>(
    schema: &'static Object,
    bytes: &[u8],
    foreign: bool,
    sink: &mut S,
    issues: &mut IssueList,
) -> Result<(), NotJson> {
    let text =
        core::str::from_utf8(bytes).map_err(|error| NotJson::from_encoding(bytes, error.valid_up_to()))?;
    Walk::run(Cursor::new(text, foreign), schema, sink, issues)
        .map_err(|(at, fault)| NotJson::from_fault(text, at, fault))
}
