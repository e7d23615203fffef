//! The fields that an object may have.

use crate::contract::resource::schema::{Field, Object, Union};

#[derive(Debug, Clone, Copy)]
pub(super) struct AllowedFields {
    pub(super) fields: &'static [Field],
    /// The union whose variant is unknown. Then `fields` contains only its tag, and a field of any variant is allowed.
    pub(super) unresolved: Option<&'static Union>,
}

impl AllowedFields {
    pub(super) fn of(object: &'static Object) -> Self {
        Self { fields: object.fields(), unresolved: None }
    }

    /// Returns the names of the fields; those of every variant if the variant is unknown.
    #[inline(never)]
    pub(super) fn names(self) -> Vec<&'static str> {
        let mut names = Vec::new();
        let mut add = |fields: &'static [Field]| {
            for field in fields {
                if !names.contains(&field.name()) {
                    names.push(field.name());
                }
            }
        };
        add(self.fields);
        for (_, object) in self.unresolved.map_or(&[][..], |union| union.variants()) {
            add(object.fields());
        }
        names
    }
}
