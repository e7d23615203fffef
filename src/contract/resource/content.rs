//! The values of the fields that clients choose: the arrays of `objectTypeProperty` and the further fields of a
//! resource. The schema lists these fields, and no other code does.

use serde::{Deserialize, Serialize};

use super::schema::{ARRAYS, Field, FieldId, Format, RESOURCE, Type};
use crate::util::json::{self, ObjectWriter};
use crate::util::time;

/// An item of `arrayOfObjectType`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectItem {
    pub integer_example: Option<i64>,
    pub integer_example_int32: Option<i32>,
}

/// The values of one field. A field that is not an array has exactly one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum FieldValues {
    Texts(Vec<String>),
    Integers(Vec<i64>),
    /// Finite numbers without −0.
    Numbers(Vec<f64>),
    Booleans(Vec<bool>),
    /// Instants in milliseconds since 1970, negative before.
    DateTimes(Vec<i64>),
    Objects(Vec<ObjectItem>),
}

impl FieldValues {
    /// Returns the empty list for a type. `None` if no field of the content has such a type.
    const fn none_of(ty: Type) -> Option<Self> {
        match ty.item() {
            Type::String(Format::DateTime) => Some(Self::DateTimes(Vec::new())),
            Type::String(_) => Some(Self::Texts(Vec::new())),
            Type::Integer { .. } => Some(Self::Integers(Vec::new())),
            Type::Number => Some(Self::Numbers(Vec::new())),
            Type::Boolean => Some(Self::Booleans(Vec::new())),
            Type::Object(_) => Some(Self::Objects(Vec::new())),
            Type::Array(_) | Type::Union(_) => None,
        }
    }

    /// Returns the value of a text field.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Texts(vec![text.into()])
    }

    pub const fn len(&self) -> usize {
        match self {
            Self::Texts(texts) => texts.len(),
            Self::Integers(integers) => integers.len(),
            Self::Numbers(numbers) => numbers.len(),
            Self::Booleans(booleans) => booleans.len(),
            Self::DateTimes(instants) => instants.len(),
            Self::Objects(items) => items.len(),
        }
    }

    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Frees the memory that a complete list reserved for more values: a write has several copies of it.
    pub fn shrink(&mut self) {
        match self {
            Self::Texts(texts) => texts.shrink_to_fit(),
            Self::Integers(integers) => integers.shrink_to_fit(),
            Self::Numbers(numbers) => numbers.shrink_to_fit(),
            Self::Booleans(booleans) => booleans.shrink_to_fit(),
            Self::DateTimes(instants) => instants.shrink_to_fit(),
            Self::Objects(items) => items.shrink_to_fit(),
        }
    }

    fn fit(&self, ty: Type) -> bool {
        let same = |none: Self| core::mem::discriminant(&none) == core::mem::discriminant(self);
        Self::none_of(ty).is_some_and(same) && (ty.is_array() || self.len() == 1)
    }

    /// Appends the values as JSON: as an array, or as the value of a field that is not an array.
    fn push(&self, out: &mut String, is_array: bool) {
        match self {
            Self::Texts(texts) => push(out, texts, is_array, |out, text| json::string(out, text)),
            Self::Integers(integers) => {
                push(out, integers, is_array, |out, integer| json::integer(out, *integer));
            }
            Self::Numbers(numbers) => push(out, numbers, is_array, |out, number| json::number(out, *number)),
            Self::Booleans(truths) => push(out, truths, is_array, |out, truth| json::boolean(out, *truth)),
            Self::DateTimes(instants) => {
                push(out, instants, is_array, |out, instant| push_instant(out, *instant));
            }
            Self::Objects(items) => push_objects(out, items),
        }
    }
}

fn push<T>(out: &mut String, values: &[T], is_array: bool, mut write: impl FnMut(&mut String, &T)) {
    match values {
        [value] if !is_array => write(out, value),
        _ => json::array(out, values, write),
    }
}

fn push_instant(out: &mut String, instant: i64) {
    out.push('"');
    time::push_signed(out, instant);
    out.push('"');
}

/// Appends items of `arrayOfObjectType` as a JSON array.
pub fn push_objects(out: &mut String, items: &[ObjectItem]) {
    json::array(out, items, |out, item| {
        let mut object = ObjectWriter::open(out);
        if let Some(value) = item.integer_example {
            object.integer(FieldId::IntegerExample.name(), value);
        }
        if let Some(value) = item.integer_example_int32 {
            object.integer(FieldId::IntegerExampleInt32.name(), i64::from(value));
        }
        object.close();
    });
}

/// The values of a resource or a body, by field. In a body, an empty array differs from an absent one. A record has
/// only the fields with a value.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<(FieldId, FieldValues)>")]
pub struct Content(Vec<(FieldId, FieldValues)>);

impl Content {
    /// Returns the values of a field, if it has any or is an empty array.
    pub fn get(&self, id: FieldId) -> Option<&FieldValues> {
        self.iter().find(|(other, _)| *other == id).map(|(_, values)| values)
    }

    /// Returns every field with its values, in the order of the schema.
    pub fn iter(&self) -> impl Iterator<Item = (FieldId, &FieldValues)> {
        self.0.iter().map(|(id, values)| (*id, values))
    }

    pub fn objects(&self) -> &[ObjectItem] {
        match self.get(FieldId::ArrayOfObjectType) {
            Some(FieldValues::Objects(items)) => items,
            _ => &[],
        }
    }

    /// Sets the values of a field. They must have its type.
    pub fn set(&mut self, id: FieldId, values: FieldValues) {
        debug_assert!(id.content().is_some_and(|ty| values.fit(ty)), "{id:?}: {values:?}");
        if let Some(place) = self.place(id) {
            *place = values;
        }
    }

    /// Sets a field to the values that another content has of it. Without values, removes the field.
    pub fn copy(&mut self, id: FieldId, other: &Self) {
        self.0.retain(|(own, _)| *own != id);
        let values = other.get(id).filter(|values| !values.is_empty());
        if let (Some(values), Some(place)) = (values, values.and_then(|_| self.place(id))) {
            *place = values.clone();
        }
    }

    #[must_use]
    pub fn with(mut self, id: FieldId, values: FieldValues) -> Self {
        self.set(id, values);
        self
    }

    /// Returns the values of a field, none at first. `None` if the field is not one of the content.
    pub fn place(&mut self, id: FieldId) -> Option<&mut FieldValues> {
        // Bodies mostly have the order of the schema, and the items of an array follow each other.
        let at = match self.0.last() {
            None => 0,
            Some((last, _)) if *last == id => self.0.len() - 1,
            Some((last, _)) if *last < id => self.0.len(),
            Some(_) => self.0.partition_point(|(other, _)| *other < id),
        };
        if self.0.get(at).is_none_or(|(other, _)| *other != id) {
            self.0.insert(at, (id, FieldValues::none_of(id.content()?)?));
        }
        self.0.get_mut(at).map(|(_, values)| values)
    }

    /// Returns the content of a new record: the fields of the body that have a value.
    pub fn of_body(body: &Self) -> Self {
        Self::merge(body, &|_| None)
    }

    /// Returns the content of a record after a body: each field of the body replaces that of the record, and the others
    /// keep their values (D11).
    #[must_use]
    pub fn updated_by(&self, body: &Self) -> Self {
        Self::merge(body, &|id| self.get(id))
    }

    /// Returns the content of a record after a body that overwrites it: as [`Self::updated_by`], but an array of
    /// `objectTypeProperty` that the body lacks loses its values (D11).
    #[must_use]
    pub fn overwritten_by(&self, body: &Self) -> Self {
        Self::merge(body, &|id| if id.is_wrapped() { None } else { self.get(id) })
    }

    /// Returns the fields of the body that have a value, and what `kept` returns of each field that the body lacks.
    fn merge<'c>(body: &'c Self, kept: &dyn Fn(FieldId) -> Option<&'c FieldValues>) -> Self {
        let fields = FieldId::all().filter_map(|id| {
            let values = match body.get(id) {
                Some(values) => Some(values).filter(|values| !values.is_empty()),
                None => kept(id),
            };
            // Copies each array once, because arrays may need many times the bytes of their body.
            Some((id, values?.clone()))
        });
        Self(fields.collect())
    }
}

impl TryFrom<Vec<(FieldId, FieldValues)>> for Content {
    type Error = &'static str;

    /// Accepts what this version of the schema could have written: another version's message may differ.
    fn try_from(content: Vec<(FieldId, FieldValues)>) -> Result<Self, Self::Error> {
        let is_sorted = content.is_sorted_by(|(one, _), (other, _)| one < other);
        let fits = |(id, values): &(FieldId, FieldValues)| id.content().is_some_and(|ty| values.fit(ty));
        if is_sorted && content.iter().all(fits) {
            Ok(Self(content))
        } else {
            Err("content of another schema")
        }
    }
}

impl Content {
    /// Appends the seven arrays as a JSON object. An array without values is empty (D1).
    pub fn write_arrays(&self, out: &mut String) {
        let mut object = ObjectWriter::open(out);
        self.write_array_members(&mut object);
        object.close();
    }

    /// Writes the seven arrays as members of an object that may have others.
    pub fn write_array_members(&self, object: &mut ObjectWriter<'_>) {
        ARRAYS.fields().iter().for_each(|field| self.write(object, field));
    }

    /// Writes the further fields as members of an object that may have others.
    pub fn write_further_members(&self, object: &mut ObjectWriter<'_>) {
        let fields = RESOURCE.fields().iter().filter(|field| field.id.content().is_some());
        fields.for_each(|field| self.write(object, field));
    }

    /// Writes a field as a member. An array without values is empty. Any other field without a value is absent.
    fn write(&self, object: &mut ObjectWriter<'_>, field: &Field) {
        match self.get(field.id) {
            Some(values) => values.push(object.member(field.name()), field.ty.is_array()),
            None if field.ty.is_array() => object.member(field.name()).push_str("[]"),
            None => {}
        }
    }
}
