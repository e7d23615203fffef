//! Schema-directed validation in a single pass over the bytes: every violation at once, or the typed body.
//!
//! No tree of values is built: the walk goes over the text by the schema and hands each accepted value to a [`Sink`].
//! It imports [`crate::contract`] alone.

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

/// What receives the values of a body in document order. Where [`validate`] returns an error, what was received is to be
/// forgotten: values may be missing, and may have come twice.
pub trait Sink {
    /// Whether values are wanted. Where not, numbers that need only be finite are not read exactly.
    const VALUES: bool = true;

    /// A string, or a string item of an array.
    fn string(&mut self, _slot: Slot, _value: Cow<'_, str>) {}
    /// An integer, or an integer item of an array.
    fn integer(&mut self, _slot: Slot, _value: i64) {}
    /// A number, or a number item of an array; finite and never −0.
    fn number(&mut self, _slot: Slot, _value: f64) {}
    /// The object or array of a field opens, which tells an empty one from an absent one.
    fn begin(&mut self, _slot: Slot) {}
    /// The next item of an array of objects opens; its fields follow.
    fn item(&mut self, _slot: Slot) {}
    /// The object or array of a field closes.
    fn end(&mut self, _slot: Slot) {}
}

/// Takes nothing: for a verdict alone.
impl Sink for () {
    const VALUES: bool = false;
}

/// What a JavaScript object can hold and JSON cannot, as messages name it. In the text that [`list_object`] takes, a control
/// character stands for such a value: [`FOREIGN_FROM`] for the first, the next for the second, and so on.
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

/// The first of the characters that stand for [`FOREIGN`]: behind it none is white space.
pub const FOREIGN_FROM: u8 = 0x0e;

/// Checks a body by its schema and hands its values to the sink; everything that is wrong comes back at once (D10).
pub fn validate<S: Sink>(schema: &'static Object, bytes: &[u8], sink: &mut S) -> Result<(), Rejection> {
    let mut listing = Listing::new();
    run(schema, bytes, false, sink, &mut listing).map_err(Rejection::NotJson)?;
    listing.into_rejection().map_or(Ok(()), Err)
}

/// Whether a body is valid, for less than it takes to say why it is not.
#[must_use]
pub fn is_valid(schema: &'static Object, bytes: &[u8]) -> bool {
    count(schema, bytes) == 0
}

/// How many issues a body has, for less than it takes to say what they are.
#[must_use]
pub fn count(schema: &'static Object, bytes: &[u8]) -> u32 {
    let mut listing = Listing::silent();
    let is_json = core::str::from_utf8(bytes)
        .is_ok_and(|text| Walk::run(Cursor::new(text, false), schema, &mut (), &mut listing).is_ok());
    // A body that is no JSON has one.
    if is_json { listing.more() } else { 1 }
}

/// What is wrong with a JSON text first, as a sentence; `None` where it is valid.
#[must_use]
pub fn check(schema: &'static Object, text: &str) -> Option<String> {
    // As `validate` would say it, without what else it says, which pages would have to load.
    let mut listing = Listing::new();
    match run(schema, text.as_bytes(), false, &mut (), &mut listing) {
        Ok(()) => listing.first_message(),
        Err(fault) => Some(fault.summary()),
    }
}

/// Leaves in the listing all that is wrong with a body; nothing where it is valid.
pub fn list(schema: &'static Object, bytes: &[u8], listing: &mut Listing) {
    list_foreign(schema, bytes, false, listing);
}

/// Leaves in the listing all that is wrong with a JavaScript object that was written as JSON, with the characters of
/// [`FOREIGN`] for what JSON cannot write.
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
