//! A part of a body, for forms that validate field by field.

use crate::contract::resource::FieldId;
use crate::contract::resource::schema::{Field, Object, Type, Union};

/// A field of a body or of an object inside it, or an item of an array.
#[derive(Debug, Clone, Copy)]
pub(super) struct BodyPart {
    pub(super) kind: PartKind,
    /// The field, or the field that the item belongs to.
    pub(super) id: FieldId,
    pub(super) is_item: bool,
    /// Whether a body must have it.
    pub(super) required: bool,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum PartKind {
    Value(Type),
    /// The member that names the variant of a union.
    Tag(&'static Union),
}

impl BodyPart {
    /// Returns the part at the end of a path such as `createdBy.firstName`, `actions.0`, or `actions[0]`.
    pub(super) fn find(schema: &'static Object, path: &str) -> Option<Self> {
        let mut names = path.split(['.', '[', ']']).filter(|name| !name.is_empty());
        let field = Self::of(schema.field(names.next()?)?);
        names.try_fold(field, Self::inside)
    }

    fn of(field: &Field) -> Self {
        Self { kind: PartKind::Value(field.ty), id: field.id, is_item: false, required: field.required }
    }

    fn inside(self, name: &str) -> Option<Self> {
        let PartKind::Value(ty) = self.kind else { return None };
        match ty {
            Type::Array(array) if name.bytes().all(|byte| byte.is_ascii_digit()) => {
                Some(Self { kind: PartKind::Value(array.items), is_item: true, required: true, ..self })
            }
            Type::Object(object) => object.field(name).map(Self::of),
            Type::Union(union) if union.tag.name() == name => {
                Some(Self { kind: PartKind::Tag(union), ..Self::of(&union.tag) })
            }
            Type::Union(union) => {
                union.variants().iter().find_map(|(_, shape)| shape.field(name)).map(Self::of)
            }
            _ => None,
        }
    }
}
