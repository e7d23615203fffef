//! Schema-directed validation in a single pass over the bytes. The result is all violations together, or the typed
//! body.
//!
//! No tree of values is built: the walk follows the schema through the text and passes each accepted value to a
//! [`Sink`]. Imports only [`crate::contract`].

mod build;
mod cursor;
mod format;
mod issue;
mod listing;
mod number;
mod repeat;
mod report;
mod string;
#[cfg(test)]
mod tests;
mod violation;
mod walk;
mod words;

use std::borrow::Cow;

pub use self::build::{
    arrays_input, complex_input, export_line, resource_input, stored_record, update_input,
};
pub use self::issue::{NotJson, Rejection};
pub use self::listing::{ABSENT, Listing, WHOLE};
pub use self::report::{FIELD, NAMED};

use self::cursor::Cursor;
use self::walk::Walk;
use crate::contract::error::Code;
use crate::contract::schema::{Object, Slot};

/// Receives the values of a body in document order. If [`validate`] fails, discard everything received: values may be
/// missing or duplicated.
pub trait Sink {
    /// Whether values are needed. If not, numbers that only have to be finite are not decoded exactly.
    const VALUES: bool = true;

    /// A string, or a string item of an array.
    fn string(&mut self, _slot: Slot, _value: Cow<'_, str>) {}
    /// An integer, or an integer item of an array.
    fn integer(&mut self, _slot: Slot, _value: i64) {}
    /// A number, or a number item of an array. It is finite and never −0.
    fn number(&mut self, _slot: Slot, _value: f64) {}
    /// The object or array of a field begins. An empty one differs from an absent one by this call.
    fn begin(&mut self, _slot: Slot) {}
    /// The next item of an array of objects begins. Its fields follow.
    fn item(&mut self, _slot: Slot) {}
    /// The object or array of a field ends.
    fn end(&mut self, _slot: Slot) {}
}

/// Ignores all values: for a verdict only.
impl Sink for () {
    const VALUES: bool = false;
}

/// Values that a JavaScript object can have and JSON cannot, as messages name them. In the text that [`list_object`]
/// accepts, a control character means such a value: [`FOREIGN_FROM`] the first, the next character the second, and so
/// on.
pub const FOREIGN: &[&str] = &[
    "undefined",
    "NaN",
    "Infinity",
    "-Infinity",
    "a bigint",
    "a symbol",
    "a function",
    "a Date",
    "an instance of a class",
    "a value that cannot be read",
];

/// The first of the characters that mean [`FOREIGN`] values: from it on, none is white space.
pub const FOREIGN_FROM: u8 = 0x0e;

/// Checks a body by its schema and passes its values to the sink. Returns all violations together (D10).
pub fn validate<S: Sink>(schema: &'static Object, bytes: &[u8], sink: &mut S) -> Result<(), Rejection> {
    let mut listing = Listing::new();
    run(schema, bytes, false, sink, &mut listing).map_err(Rejection::NotJson)?;
    listing.into_rejection().map_or(Ok(()), Err)
}

/// Whether a body is valid. Cheaper than a list of its issues.
#[must_use]
pub fn is_valid(schema: &'static Object, bytes: &[u8]) -> bool {
    count(schema, bytes) == 0
}

/// Returns how many issues a body has. Cheaper than a list of them.
#[must_use]
pub fn count(schema: &'static Object, bytes: &[u8]) -> u32 {
    let mut listing = Listing::silent();
    let is_json = core::str::from_utf8(bytes)
        .is_ok_and(|text| Walk::run(Cursor::new(text, false), schema, &mut (), &mut listing).is_ok());
    // A body that is not JSON has one issue.
    if is_json { listing.more() } else { 1 }
}

/// Returns the first fault of a JSON text as a sentence; `None` if it is valid.
#[must_use]
pub fn check(schema: &'static Object, text: &str) -> Option<String> {
    // Same sentence as `validate`, without the rest of its code, which pages would have to load.
    let mut listing = Listing::new();
    match run(schema, text.as_bytes(), false, &mut (), &mut listing) {
        Ok(()) => listing.first_message(),
        Err(fault) => Some(fault.summary()),
    }
}

/// Fills the list with all issues of a body; leaves it empty if the body is valid.
pub fn list(schema: &'static Object, bytes: &[u8], listing: &mut Listing) {
    list_foreign(schema, bytes, false, listing);
}

/// Fills the list with all issues of a JavaScript object that was written as JSON, with the characters of [`FOREIGN`]
/// for values that JSON cannot express.
pub fn list_object(schema: &'static Object, text: &[u8], listing: &mut Listing) {
    list_foreign(schema, text, true, listing);
}

fn list_foreign(schema: &'static Object, bytes: &[u8], foreign: bool, listing: &mut Listing) {
    listing.clear();
    if let Err(fault) = run(schema, bytes, foreign, &mut (), listing) {
        listing.whole(Code::InvalidJsonInput.wire(), &fault.summary(), &|members| fault.describe(members));
    }
}

fn run<S: Sink>(
    schema: &'static Object,
    bytes: &[u8],
    foreign: bool,
    sink: &mut S,
    listing: &mut Listing,
) -> Result<(), NotJson> {
    let text =
        core::str::from_utf8(bytes).map_err(|error| NotJson::from_encoding(bytes, error.valid_up_to()))?;
    Walk::run(Cursor::new(text, foreign), schema, sink, listing)
        .map_err(|(at, fault)| NotJson::from_fault(text, at, fault))
}
