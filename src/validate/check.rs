//! Checks of whole bodies: the verdict, the number of issues, and the issues.

use super::issues::issue::{NotJson, Rejection};
use super::issues::list::{self, IssueList};
use super::json::cursor::Cursor;
use super::part::BodyPart;
use super::receiver::{Sink, Verdict};
use super::walk::Walk;
use crate::contract::error::{Code, Member, Reason};
use crate::contract::limits;
use crate::shape::types::Object;

/// Checks a body by its schema and passes its values to the sink. Returns all issues together (D10).
pub fn validate<'w, S: Sink<'w>>(schema: &'w Object, bytes: &[u8], sink: &mut S) -> Result<(), Rejection> {
    let mut issues = IssueList::default();
    run(schema, bytes, false, sink, &mut issues).map_err(Rejection::NotJson)?;
    issues.into_rejection().map_or(Ok(()), Err)
}

/// Returns the first fault of a JSON text as a sentence; `None` if it is valid.
pub fn check(schema: &Object, text: &str) -> Option<String> {
    // Same sentence as `validate`, without the rest of its code, which pages would have to load.
    let mut issues = IssueList::default();
    match run(schema, text.as_bytes(), false, &mut Verdict, &mut issues) {
        Ok(()) => issues.first_message(),
        Err(fault) => Some(fault.summary()),
    }
}

/// Returns the issues of a body as the npm package's `Invalid` (`pkg/src/validate/validate.ts`), in JSON; `None` if it
/// is valid. `foreign`: the text was written from a JavaScript object, with the characters of [`super::FOREIGN`] for
/// values that JSON cannot express.
pub fn invalid(schema: &Object, bytes: &[u8], foreign: bool) -> Option<String> {
    let mut issues = IssueList::default();
    run(schema, bytes, foreign, &mut Verdict, &mut issues)
        .map_or_else(|fault| Some(not_json(&fault)), |()| issues.invalid())
}

fn not_json(fault: &NotJson) -> String {
    list::whole(Code::InvalidJsonInput.wire(), &fault.summary(), &|members| fault.describe(members))
}

/// Returns the issues of a part of a body as [`invalid`] does, with paths that begin at the part. `text`: the part's
/// value, written from a JavaScript value; `null` if it is absent. `None`: the schema has no such part.
pub fn invalid_part(schema: &Object, path: &str, text: &[u8]) -> Option<Option<String>> {
    let part = BodyPart::find(schema, path)?;
    let mut issues = IssueList::default();
    // JavaScript encodes only what is valid.
    let text = core::str::from_utf8(text).unwrap_or_default();
    let walked = Walk::run_part(Cursor::new(text, true), part, &mut Verdict, &mut issues);
    Some(walked.map_or_else(
        |(at, fault)| Some(not_json(&NotJson::from_fault(text, at, fault))),
        |()| issues.invalid(),
    ))
}

/// Written out, because code that prints numbers costs a page more than this.
const TOO_LARGE: &str = "The body is too large. The limit is 1048576 bytes.";
const _: () = assert!(limits::BODY_BYTES == 1_048_576);

/// Returns the issue of a body that is larger than the limit (D10) as the npm package's `Invalid`, in JSON.
pub fn too_large() -> String {
    list::whole(Code::ContentTooLarge.wire(), TOO_LARGE, &|members| {
        members.reason(Reason::Size);
        members.integer(Member::Maximum, limits::BODY_BYTES as i64);
    })
}

fn run<'w, S: Sink<'w>>(
    schema: &'w Object,
    bytes: &[u8],
    foreign: bool,
    sink: &mut S,
    issues: &mut IssueList<'w>,
) -> Result<(), NotJson> {
    let text =
        core::str::from_utf8(bytes).map_err(|error| NotJson::from_encoding(bytes, error.valid_up_to()))?;
    Walk::run(Cursor::new(text, foreign), schema, sink, issues)
        .map_err(|(at, fault)| NotJson::from_fault(text, at, fault))
}
