//! A part of a body, for forms that validate field by field.

use crate::shape::rules::Rules;
use crate::shape::types::{Field, Object, Type, Union};
use crate::util::text::has;

/// A field of a body or of an object inside it, or an item of an array.
#[derive(Debug, Clone, Copy)]
pub(super) struct BodyPart<'w> {
    pub(super) kind: PartKind<'w>,
    /// The name of the field, or of the field that the item belongs to.
    pub(super) name: &'w str,
    pub(super) is_item: bool,
    /// Whether a body must have it.
    pub(super) required: bool,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum PartKind<'w> {
    Value(&'w Type, &'w Rules),
    /// The member that names the variant of a union.
    Tag(&'w Union),
}

impl<'w> BodyPart<'w> {
    /// Returns the part at the end of a path such as `createdBy.firstName`, `actions.0`, or `actions[0]`.
    pub(super) fn find(schema: &'w Object, path: &str) -> Option<Self> {
        let names = path.as_bytes().split(|byte| has(b".[]", *byte));
        let mut names =
            names.filter_map(|name| core::str::from_utf8(name).ok().filter(|name| !name.is_empty()));
        let field = Self::of(schema.field(names.next()?)?);
        names.try_fold(field, Self::inside)
    }

    fn of(field: &'w Field) -> Self {
        Self {
            kind: PartKind::Value(&field.ty, &field.rules),
            name: &field.name,
            is_item: false,
            required: field.required && !field.has_default,
        }
    }

    fn inside(self, name: &str) -> Option<Self> {
        let PartKind::Value(ty, _) = self.kind else { return None };
        match ty {
            Type::Array(array) if name.bytes().all(|byte| byte.is_ascii_digit()) => Some(Self {
                kind: PartKind::Value(&array.items, &array.item_rules),
                is_item: true,
                required: true,
                ..self
            }),
            Type::Object(object) => object.field(name).map(Self::of),
            Type::Union(union) if union.tag.name == name => {
                Some(Self { kind: PartKind::Tag(union), ..Self::of(&union.tag) })
            }
            Type::Union(union) => {
                union.variants.iter().find_map(|variant| variant.object.field(name)).map(Self::of)
            }
            _ => None,
        }
    }
}
