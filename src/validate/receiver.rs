//! The receiver of a body's values.

use std::borrow::Cow;

use crate::contract::resource::FieldId;

/// Receives the values of a body in document order. If [`super::validate`] fails, discard everything received: values
/// may be missing or duplicated.
pub trait Sink {
    /// Whether values are needed. If not, numbers that only have to be finite are not decoded exactly.
    const VALUES: bool = true;

    fn string(&mut self, _id: FieldId, _value: Cow<'_, str>) {}
    fn integer(&mut self, _id: FieldId, _value: i64) {}
    /// Receives a number, or a number item of an array. It is finite and never −0.
    fn number(&mut self, _id: FieldId, _value: f64) {}
    /// Receives a truth value, or a truth value that is an item of an array.
    fn boolean(&mut self, _id: FieldId, _value: bool) {}
    /// Begins the object or array of a field. An empty one differs from an absent one by this call.
    fn begin(&mut self, _id: FieldId) {}
    /// Begins the next item of an array of objects. Its fields follow.
    fn item(&mut self, _id: FieldId) {}
    /// Ends the object or array of a field.
    fn end(&mut self, _id: FieldId) {}
}

/// Ignores all values: for a verdict only.
impl Sink for () {
    const VALUES: bool = false;
}
