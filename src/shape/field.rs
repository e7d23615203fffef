//! The fields that queries may name (contract, sections 4 to 6).

use core::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::types::{ArrayRule, Field, Object, Type};
use crate::contract::names;
use crate::contract::resource::System;
use crate::util::text::concat;
use crate::util::time;

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

/// The form of a field's values in the index; for an array, the form of each item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ValueForm {
    Text,
    /// Whole numbers.
    Integer,
    Number,
    Boolean,
    DateTime,
    /// Two whole numbers, in their order: longitude and latitude.
    Point,
    /// An object with fields inside.
    Object,
}

impl ValueForm {
    fn of(field: &Field) -> Self {
        let ty = &field.ty;
        if matches!(ty, Type::Array(array) if array.rule == ArrayRule::EmptyOr(2)) {
            return Self::Point;
        }
        match ty.item() {
            Type::Integer { .. } => Self::Integer,
            Type::Number => Self::Number,
            Type::Boolean => Self::Boolean,
            Type::String(_) if field.is_date_time() => Self::DateTime,
            Type::String(_) => Self::Text,
            Type::Array(_) | Type::Object(_) | Type::Union(_) => Self::Object,
        }
    }
}

/// A field by its path from the record, without the wrapper of the interface's arrays. Names are the identity of
/// fields.
#[derive(Debug, Clone)]
pub struct FieldPath {
    /// The names, joined by dots.
    name: String,
    pub form: ValueForm,
    /// Whether the field, or one on the path to it, is an array.
    pub array: bool,
    /// The number of the field in the index of the project; 0 until the project has set it.
    pub number: u16,
    /// Whether the index finds resources by the values. If not, they are read from each resource. The project sets it.
    pub by_value: bool,
}

// The last two follow from the others.
impl PartialEq for FieldPath {
    fn eq(&self, other: &Self) -> bool {
        (self.form, self.array, &self.name) == (other.form, other.array, &other.name)
    }
}

impl Eq for FieldPath {}

impl FieldPath {
    const fn new(name: String, form: ValueForm, array: bool) -> Self {
        Self { name, form, array, number: 0, by_value: true }
    }

    /// Returns the path of a field of the record, or of a field inside another.
    pub fn of_field(within: Option<&Self>, field: &Field) -> Self {
        let (name, array) = match within {
            None => (field.name.to_string(), field.ty.is_array()),
            Some(outer) => (concat(&[&outer.name, ".", &field.name]), outer.array || field.ty.is_array()),
        };
        Self::new(name, ValueForm::of(field), array)
    }

    /// Returns the path of a single field of the system.
    pub fn of_system(id: System) -> Self {
        let form = match id {
            System::CreatedAt | System::LastModifiedAt | System::DeletedAt => ValueForm::DateTime,
            System::Version => ValueForm::Integer,
            System::CreatedBy | System::LastModifiedBy => ValueForm::Object,
            System::Id | System::Key | System::Actions | System::Action => ValueForm::Text,
        };
        Self::new(id.name().to_owned(), form, false)
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn is(&self, id: System) -> bool {
        self.name == id.name()
    }

    /// Returns the instant that a text is, for comparisons with the field: as the contract writes instants (D6), and
    /// unless it is a field of the system, also in another form of RFC 3339.
    pub fn instant(&self, text: &str) -> Option<i64> {
        let is_system = System::ALL.iter().any(|system| self.is(*system));
        if is_system { time::parse_signed(text) } else { time::rfc3339::instant(text) }
    }

    /// Returns the names of the fields on the path, each from the record down. The last is that of the field itself.
    pub fn prefixes(&self) -> impl Iterator<Item = &str> {
        let dots = self.name.match_indices('.').map(|(at, _)| at);
        dots.chain([self.name.len()]).filter_map(|end| self.name.get(..end))
    }

    /// Returns the name of the first field on the path.
    pub fn outer(&self) -> &str {
        self.name.split_once('.').map_or(&self.name, |(outer, _)| outer)
    }

    /// Returns the names after the first field on the path; `None` if there are none.
    pub fn inner(&self) -> Option<&str> {
        self.name.split_once('.').map(|(_, inner)| inner)
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

// On the wire between worker and object a path has no number: each project has its own.
impl Serialize for FieldPath {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (&self.name, self.form, self.array).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for FieldPath {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (name, form, array) = Deserialize::deserialize(deserializer)?;
        Ok(Self::new(name, form, array))
    }
}

/// The type of a field for queries; for an array, the type of each item.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldType {
    Data(DataType),
    /// An object with fields: a person, the wrapper, or an item of an array of objects.
    Object(Arc<Object>),
}

impl FieldType {
    /// Returns the type of a field; `None` if queries cannot name it.
    pub(super) fn of(field: &Field) -> Option<Self> {
        Some(match field.ty.item() {
            Type::Integer { .. } | Type::Number => Self::Data(DataType::Number),
            Type::Boolean => Self::Data(DataType::Boolean),
            Type::String(_) if field.is_date_time() => Self::Data(DataType::DateTime),
            Type::String(_) => Self::Data(DataType::Text),
            Type::Object(object) => Self::Object(Arc::clone(object)),
            Type::Array(_) | Type::Union(_) => return None,
        })
    }

    /// Returns the type of the values; `None` if they are objects.
    pub const fn data(&self) -> Option<DataType> {
        match self {
            Self::Data(data_type) => Some(*data_type),
            Self::Object(_) => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct QueryField {
    /// Which field it is; `None` is the wrapper itself.
    pub path: Option<FieldPath>,
    pub field_type: FieldType,
    pub array: bool,
    /// The innermost array of objects on the path, perhaps the field itself: a condition in parentheses is about one
    /// item of it. `None` if there is none after the item that the condition is already about.
    pub items: Option<FieldPath>,
    /// Whether every resource has the field (D1). An array of the interface that a resource lacks is empty.
    pub always: bool,
}

impl QueryField {
    /// Returns the array of objects of which a condition in parentheses is about one item, and the field inside it.
    pub fn into_item(mut self) -> (Option<FieldPath>, Self) {
        (self.items.take(), self)
    }

    /// Returns whether its values are two numbers that a circle is compared with.
    pub fn is_point(&self) -> bool {
        self.path.as_ref().is_some_and(|path| path.form == ValueForm::Point)
    }
}

/// One key of an order (D27).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sort {
    pub path: FieldPath,
    /// Whether the largest comes first.
    pub descending: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Shape;
    use crate::test;
    use serde_json::json;

    #[test]
    fn a_path_states_how_the_index_has_its_values() {
        let size = json!({"type": "object", "properties": {"width": {"type": "number"}}});
        let at = json!({"type": "string", "format": "date-time"});
        let properties = json!({
            "size": size,
            "sizes": {"type": "array", "items": size},
            "at": at,
            "moments": {"type": "array", "items": at},
        });
        let schema = json!({"type": "object", "properties": properties});
        let declared = Shape::of_schema(&schema.to_string()).unwrap();
        let shape = Shape::built_in();
        let forms: Vec<(String, ValueForm, bool)> = [&shape, &declared]
            .into_iter()
            .flat_map(Shape::query_fields)
            .filter_map(|field| field.path)
            .map(|path| (path.to_string(), path.form, path.array))
            .collect();
        for (name, form, array) in [
            ("id", ValueForm::Text, false),
            ("version", ValueForm::Integer, false),
            ("createdBy", ValueForm::Object, false),
            ("createdBy.lastName", ValueForm::Text, false),
            ("arrayOfTwonumbersExample", ValueForm::Point, true),
            ("arrayOfObjectType", ValueForm::Object, true),
            ("arrayOfObjectType.integerExample", ValueForm::Integer, true),
            ("custom", ValueForm::Text, false),
            ("size.width", ValueForm::Number, false),
            ("sizes.width", ValueForm::Number, true),
            ("at", ValueForm::DateTime, false),
            ("moments", ValueForm::DateTime, true),
        ] {
            assert!(forms.contains(&(name.to_owned(), form, array)), "{name}: {forms:?}");
        }
        for system in [System::Id, System::CreatedAt, System::Version, System::CreatedBy] {
            let field = shape.field_of(None, system.name()).and_then(|field| field.path);
            assert_eq!(field, Some(FieldPath::of_system(system)));
        }
    }
}
