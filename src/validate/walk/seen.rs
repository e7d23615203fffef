//! The members of an object that the walk has read.
#![allow(clippy::inline_always, reason = "each byte passes these, and the compiler optimizes pages for size")]

use crate::validate::receiver::MemberPlace;

/// The members of an object so far.
#[derive(Default)]
pub(super) struct SeenMembers {
    /// Those that occurred.
    pub(super) seen: FieldSet,
    /// Those that occurred with a value other than null.
    pub(super) given: FieldSet,
    /// Whether one of them is the version.
    pub(super) has_version: bool,
    /// The field that is expected next, because fields are mostly in order.
    pub(super) next: usize,
    /// A hash of those inside the value of another.
    pub(super) hash: u64,
    /// Where they begin in the canonical text, if the object is a part of a value.
    pub(super) places: Vec<MemberPlace>,
}

/// A set of fields of an object, by their numbers: a bit for each.
#[derive(Default)]
pub(super) struct FieldSet([u64; 4]);

impl FieldSet {
    /// Adds a field. Returns whether the set had it.
    #[inline(always)]
    pub(super) fn add(&mut self, index: usize) -> bool {
        let Some(bits) = self.0.get_mut(index / 64) else { return false };
        let had = *bits & (1 << (index % 64)) != 0;
        *bits |= 1 << (index % 64);
        had
    }

    #[inline(always)]
    pub(super) fn has(&self, index: usize) -> bool {
        self.0.get(index / 64).is_some_and(|bits| bits & (1 << (index % 64)) != 0)
    }
}
