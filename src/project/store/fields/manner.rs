//! How the index has the values of a field.

use crate::shape::{FieldPath, Marks, Shape, System, ValueForm};

/// How the index has the values of a field: the bits of a number that the tables keep. It is 0 if the index does not
/// have them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::project::store) struct Manner(pub(super) u8);

impl Manner {
    pub(super) const NONE: Self = Self(0);
    /// As the interface's resource has them: `entries` has none of an empty array, and `term` all values.
    pub(super) const INTERFACE: Self = Self(1);
    const DECLARED: Self = Self(2);
    /// `term` has the values of a declared field, too.
    const TERM: Self = Self(4);
    /// The words of a declared text are searched.
    const WORDS: Self = Self(8);
    /// `entries` has the items of an array of objects that a resource declares.
    pub(super) const ITEMS: Self = Self(16);

    pub(super) const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    const fn with(self, other: Self, is_wanted: bool) -> Self {
        Self(if is_wanted { self.0 | other.0 } else { self.0 })
    }

    pub(super) const fn is_in_term(self) -> bool {
        self.has(Self::INTERFACE) || self.has(Self::TERM)
    }

    /// Returns whether conditions can examine each item of an array of objects.
    pub(super) const fn is_list(self) -> bool {
        self.has(Self::INTERFACE) || self.has(Self::ITEMS)
    }

    /// Returns whether the words of the texts of a field with this name are searched.
    pub(super) fn is_searched(self, name: &str) -> bool {
        self.has(Self::WORDS) || (self.has(Self::INTERFACE) && !name.contains('.') && is_content(name))
    }

    /// Returns whether conditions on a field find the same in the index. `is_column`: whether it is in a column, and
    /// only its folded texts are in the index.
    pub(super) const fn finds_as(self, other: Self, is_column: bool) -> bool {
        (is_column && self.is_in_term() == other.is_in_term()) || (self.0 ^ other.0) & !Self::WORDS.0 == 0
    }

    /// Returns how the shape wants a field. `is_list`: whether it is an array itself.
    pub(super) fn of(shape: &Shape, path: &FieldPath, is_list: bool) -> Self {
        if !shape.is_declared() {
            return Self::INTERFACE;
        }
        let marks = |is: fn(Marks) -> bool| path.prefixes().all(|name| is(shape.marks_at(name)));
        let is_single = matches!(path.form, ValueForm::Object | ValueForm::Point);
        let is_searched = path.form == ValueForm::Text && is_content(path.name());
        Self::DECLARED
            // To be unique, a value has to be found.
            .with(
                Self::TERM,
                !is_single && (marks(|marks| marks.index) || shape.marks_at(path.name()).unique),
            )
            .with(Self::WORDS, is_searched && marks(|marks| marks.search))
            .with(Self::ITEMS, is_list && path.form == ValueForm::Object)
    }
}

/// Returns whether a field has texts of callers: of the fields of the system, only the key.
fn is_content(name: &str) -> bool {
    let outer = name.split('.').next().unwrap_or_default();
    let system = System::ALL.iter().find(|system| system.name() == outer);
    system.is_none_or(|system| *system == System::Key)
}
