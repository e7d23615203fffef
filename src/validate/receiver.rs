//! The receiver of a body's values.

use std::collections::BinaryHeap;

use crate::shape::types::{Field, Union};
use crate::util::text::append;

/// Receives the accepted values of a body in document order. If [`super::validate`] fails, discard everything received:
/// values may be missing or duplicated.
pub trait Sink<'w> {
    /// Returns whether values are needed. If not, numbers that only have to be finite are not decoded exactly.
    fn wants_values(&self) -> bool;

    /// Receives a part of the text that is canonical already.
    fn raw(&mut self, _text: &str) {}
    fn string(&mut self, _value: &str) {}
    fn integer(&mut self, _value: i64) {}
    /// Receives a number. It is finite and never −0.
    fn number(&mut self, _value: f64) {}
    /// Returns the place where the value of a field begins.
    fn begin(&mut self) -> usize {
        0
    }
    /// Ends the value of a field.
    fn end(&mut self, _field: &'w Field, _start: usize) {}
    /// Begins a member of an object that is a part of a value: its number in the order of the shape, and its name. Adds
    /// its place to those of the object.
    fn member(&mut self, _places: &mut Vec<MemberPlace>, _index: usize, _name: &str) {}
    /// Ends the object: brings its members into the order of the shape.
    fn close(&mut self, _places: Vec<MemberPlace>) {}
    /// Begins the next object of a union: an update action, or a write of a batch. Its fields follow.
    fn variant(&mut self, _union: &'w Union) {}
}

/// Where a member begins: its number in the order of the shape, and its place in the text.
pub type MemberPlace = (usize, usize);

/// Ignores all values: for a verdict only.
#[derive(Debug)]
pub struct Verdict;

impl Sink<'_> for Verdict {
    fn wants_values(&self) -> bool {
        false
    }
}

/// Begins a member of an object: its number in the order of the shape, and its name.
pub(super) fn push_member(out: &mut String, places: &mut Vec<MemberPlace>, index: usize, name: &str) {
    places.push((index, out.len()));
    append(out, &[if places.len() == 1 { "{\"" } else { ",\"" }, name, "\":"]);
}

/// Ends an object, and brings its members into the order of the shape.
pub(super) fn close_object(out: &mut String, mut places: Vec<MemberPlace>) {
    let Some((_, start)) = places.first().copied() else { return out.push_str("{}") };
    if !places.is_sorted() {
        let ends: Vec<usize> = places.iter().skip(1).map(|(_, at)| *at).chain([out.len()]).collect();
        let members: BinaryHeap<(MemberPlace, usize)> = places.drain(..).zip(ends).collect();
        let mut sorted = String::new();
        // Heap sort, whose code is a tenth of the size of the standard sort: pages load it.
        for ((_, from), to) in members.into_sorted_vec() {
            sorted.push(if sorted.is_empty() { '{' } else { ',' });
            sorted.push_str(out.get(from + 1..to).unwrap_or_default());
        }
        out.truncate(start);
        out.push_str(&sorted);
    }
    out.push('}');
}
