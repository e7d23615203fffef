//! The fields that queries may name, found in the schema itself (contract, sections 4 to 6).

use core::fmt;

use serde::{Deserialize, Serialize};

use super::schema::{self, FieldId, Format, Object, Type};

/// A field by its path from the record, without the wrapper `objectTypeProperty`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FieldPath {
    pub outer: FieldId,
    /// The field inside it, of a person or of an item of `arrayOfObjectType`.
    pub inner: Option<FieldId>,
}

names! {
    /// The type of a value that queries compare. Its name is the `dataType` of a facet.
    #[derive(Serialize, Deserialize)]
    pub enum DataType wire:
    /// Texts are ordered by their code points.
    Text = "text",
    Number = "number",
    Boolean = "boolean",
    DateTime = "datetime",
}

/// The type of a field for queries; for an array, the type of each item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldType {
    Data(DataType),
    /// An object with fields: a person, the wrapper, or an item of `arrayOfObjectType`.
    Object(&'static Object),
}

impl FieldType {
    /// Returns the type of the values; `None` if they are objects.
    pub const fn data(self) -> Option<DataType> {
        match self {
            Self::Data(data_type) => Some(data_type),
            Self::Object(_) => None,
        }
    }
}

impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self, other)
    }
}

impl Eq for Object {}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueryField {
    /// Which field it is; `None` is the wrapper `objectTypeProperty` itself.
    pub path: Option<FieldPath>,
    pub field_type: FieldType,
    pub array: bool,
}

impl QueryField {
    /// Returns whether every resource has the field (D1). An array that a resource lacks is empty.
    pub fn is_always_there(&self) -> bool {
        self.array
            || match self.path {
                None => true,
                Some(FieldPath { outer, inner }) => {
                    let is_required = |field: &schema::Field| field.id == outer && field.required;
                    inner.is_none() && schema::RESOURCE.fields().iter().any(is_required)
                }
            }
    }
}

/// Returns the field of that name inside another, or inside the record if there is no other.
pub fn field_of(within: Option<&QueryField>, name: &str) -> Option<QueryField> {
    let Some(within) = within else {
        return of_record(name);
    };
    let FieldType::Object(object) = within.field_type else { return None };
    let field = object.field(name)?;
    let path = match within.path {
        None => FieldPath::of(field.id),
        Some(path) if path.inner.is_none() => FieldPath::inside(path.outer, field.id),
        Some(_) => return None,
    };
    Some(QueryField { path: Some(path), ..describe(field.id, field.ty)? })
}

/// Returns a field of the record. The seven arrays may also be named without their wrapper.
fn of_record(name: &str) -> Option<QueryField> {
    let field = schema::RESOURCE_DRAFT.field(name).or_else(|| schema::OBJECT_TEST_TYPE.field(name))?;
    describe(field.id, field.ty)
}

fn describe(id: FieldId, ty: Type) -> Option<QueryField> {
    let field_type = match ty.item() {
        Type::Integer { .. } | Type::Number => FieldType::Data(DataType::Number),
        Type::Boolean => FieldType::Data(DataType::Boolean),
        Type::String(Format::DateTime) => FieldType::Data(DataType::DateTime),
        Type::String(_) => FieldType::Data(DataType::Text),
        Type::Object(object) => FieldType::Object(object),
        Type::Array(_) | Type::Union(_) => return None,
    };
    let path = (id != FieldId::ObjectTypeProperty).then_some(FieldPath::of(id));
    Some(QueryField { path, field_type, array: ty.is_array() })
}

impl FieldPath {
    pub const fn of(outer: FieldId) -> Self {
        Self { outer, inner: None }
    }

    pub const fn inside(outer: FieldId, inner: FieldId) -> Self {
        Self { outer, inner: Some(inner) }
    }

    /// Returns the number under which the index stores the field's values. It follows the order of [`FieldId`], so a
    /// change there needs a rebuilt index.
    pub const fn code(self) -> u16 {
        let inner = match self.inner {
            None => 0,
            Some(id) => id.number() as u16 + 1,
        };
        (self.outer.number() as u16 + 1) * 64 + inner
    }

    pub fn from_code(code: u16) -> Option<Self> {
        let id = |number: u16| FieldId::from_number(u8::try_from(number.checked_sub(1)?).ok()?);
        let outer = id(code / 64)?;
        match code % 64 {
            0 => Some(Self::of(outer)),
            inner => Some(Self::inside(outer, id(inner)?)),
        }
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.outer.name())?;
        self.inner.map_or(Ok(()), |inner| write!(f, ".{}", inner.name()))
    }
}

/// One key of an order (D27).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sort {
    pub path: FieldPath,
    /// Whether the largest comes first.
    pub descending: bool,
}

// On the wire between worker and object a path is its number.
impl Serialize for FieldPath {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // The inner field is one of the interface.
        self.outer.count();
        serializer.serialize_u16(self.code())
    }
}

impl<'de> Deserialize<'de> for FieldPath {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let code = u16::deserialize(deserializer)?;
        Self::from_code(code).ok_or_else(|| serde::de::Error::custom("no such field"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    #[test]
    fn numbers_lead_back_to_their_fields_and_match_stored_indexes() {
        for path in [
            FieldPath::of(FieldId::Id),
            FieldPath::inside(FieldId::CreatedBy, FieldId::LastName),
            FieldPath::inside(FieldId::ArrayOfObjectType, FieldId::IntegerExample),
            FieldPath::of(FieldId::Custom),
        ] {
            assert_eq!(FieldPath::from_code(path.code()), Some(path), "{path}");
        }
        assert_eq!(FieldPath::of(FieldId::Id).code(), 64);
        assert_eq!(FieldPath::of(FieldId::Custom).code(), 32 * 64);
        assert_eq!(FieldPath::inside(FieldId::CreatedBy, FieldId::LastName).code(), 5 * 64 + 7);
        assert_eq!(FieldPath::from_code(0), None);
    }
}
