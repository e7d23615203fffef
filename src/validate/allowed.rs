//! The fields that an object may have.

use crate::shape::types::{Field, Lacks, Object, Union};

#[derive(Debug, Clone, Copy)]
pub(super) struct AllowedFields<'w> {
    pub(super) fields: &'w [Field],
    /// The union whose variant is unknown. Then `fields` contains only its tag, and a field of any variant is allowed.
    pub(super) unresolved: Option<&'w Union>,
    pub(super) lacks: Lacks,
}

impl<'w> AllowedFields<'w> {
    pub(super) fn of(object: &'w Object) -> Self {
        Self { fields: &object.fields, unresolved: None, lacks: object.lacks }
    }

    /// Returns what an object of the union may have whose variant is unknown.
    pub(super) fn unresolved(union: &'w Union) -> Self {
        let fields = core::slice::from_ref(&union.tag);
        Self { fields, unresolved: Some(union), lacks: Lacks::Absent }
    }

    /// Returns the names of the fields; those of every variant if the variant is unknown.
    #[inline(never)]
    pub(super) fn names(self) -> Vec<&'w str> {
        let mut names: Vec<&'w str> = Vec::new();
        let mut add = |fields: &'w [Field]| {
            for field in fields {
                if !names.contains(&field.name.as_ref()) {
                    names.push(&field.name);
                }
            }
        };
        add(self.fields);
        for variant in self.unresolved.map_or(&[][..], |union| &union.variants) {
            add(&variant.object.fields);
        }
        names
    }
}
