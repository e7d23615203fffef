//! The values of the fields that clients choose, as canonical JSON. The shape of the project lists these fields, and no
//! other code does.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::shape::Shape;
use super::types::{Field, Format, Role, Type};
use crate::contract::resource::ObjectId;
use crate::util::json::{self, ObjectWriter, canonical};
use crate::util::time;

/// What an array without items is.
const EMPTY: &str = "[]";
/// What removes a field.
const NULL: &str = "null";

/// Returns whether a record has a field with this value.
fn is_value(shape: &Shape, value: &str) -> bool {
    value != NULL && (value != EMPTY || shape.is_declared())
}

/// The values of a resource or a body by the name of their field, each as canonical JSON: without white space, members
/// in the order of the shape, numbers as ECMAScript prints them. A record has only the fields with a value: of a
/// declared resource, an empty array is one, and of the interface's it is none. In a body, null removes a field (D38).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Content(Vec<(String, String)>);

impl Content {
    /// Returns the value of a field, as JSON.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(other, _)| *other == name).map(|(_, value)| value)
    }

    /// Returns every field with its value, as JSON.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Sets the value of a field of a record. Without one, removes the field.
    pub fn set(&mut self, shape: &Shape, name: &str, value: Option<&str>) {
        let value = value.filter(|value| is_value(shape, value));
        let at = self.0.iter().position(|(other, _)| other == name);
        match (at.and_then(|at| self.0.get_mut(at)), value) {
            (Some((_, old)), Some(value)) => value.clone_into(old),
            (None, Some(value)) => self.push(name, value),
            (Some(_), None) => self.0.retain(|(other, _)| other != name),
            (None, None) => {}
        }
    }

    /// Sets a field to a value that was stored, perhaps with another shape (D41).
    pub fn set_stored(&mut self, shape: &Shape, name: &str, value: &str) {
        if let Some(field) = shape.content_field(name) {
            self.set(shape, name, Some(&field.ty.pruned(value)));
        }
    }

    /// Adds a field that the content does not have.
    pub fn push(&mut self, name: &str, value: &str) {
        self.0.push((name.to_owned(), value.to_owned()));
    }

    /// Removes the fields that are null.
    pub fn drop_nulls(&mut self) {
        self.0.retain(|(_, value)| value != NULL);
    }

    /// Returns the content with the value of a further field: an empty array stays.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.push(name, value);
        self
    }

    /// Returns the first field that the shape does not have, or that has another type in it.
    pub fn foreign_field(&self, shape: &Shape) -> Option<&str> {
        self.iter().find(|(name, value)| !is_of(shape, name, value)).map(|(name, _)| name)
    }

    /// Returns the fields of the body that have a value, in the order of a record.
    pub fn of_body(shape: &Shape, body: &Self) -> Self {
        Self::merge(shape, body, &|_| None)
    }

    /// Returns the content of a new record: as [`Self::of_body`], with the defaults of the other fields (D39).
    pub fn created_by(shape: &Shape, body: &Self) -> Self {
        Self::merge(shape, body, &|field| shape.default_of(&field.name))
    }

    /// Returns the content of a record after a body: each field of the body replaces that of the record, and the others
    /// keep their values (D11, D38).
    #[must_use]
    pub fn updated_by(&self, shape: &Shape, body: &Self) -> Self {
        Self::merge(shape, body, &|field| self.get(&field.name))
    }

    /// Returns the content of a record after a body that overwrites it: of a declared resource, the whole content
    /// (D38). Of the interface's, as [`Self::updated_by`], but an array inside the wrapper that the body lacks loses
    /// its values (D11).
    #[must_use]
    pub fn overwritten_by(&self, shape: &Shape, body: &Self) -> Self {
        let is_wrapped = |field: &Field| shape.arrays().iter().any(|array| array.name == field.name);
        let is_lost = |field: &Field| shape.is_declared() || is_wrapped(field);
        Self::merge(shape, body, &|field| if is_lost(field) { None } else { self.get(&field.name) })
    }

    /// Returns the fields of the body that have a value, and what `kept` returns of each field that the body lacks.
    fn merge<'c>(shape: &'c Shape, body: &'c Self, kept: &dyn Fn(&Field) -> Option<&'c str>) -> Self {
        let fields = shape.content().filter_map(|field| {
            let value = body.get(&field.name).or_else(|| kept(field));
            // Copies each value once, because it may be as large as a body.
            Some((field.name.to_string(), value.filter(|value| is_value(shape, value))?.to_owned()))
        });
        Self(fields.collect())
    }

    /// Appends the fields inside the wrapper as a JSON object. An array without values is empty (D1).
    pub fn write_arrays(&self, shape: &Shape, out: &mut String) {
        let mut object = ObjectWriter::open(out);
        self.write_array_members(shape, &mut object);
        object.close();
    }

    /// Writes the fields inside the wrapper as members of an object that may have others.
    pub fn write_array_members(&self, shape: &Shape, object: &mut ObjectWriter<'_>) {
        shape.arrays().iter().for_each(|field| self.write(shape, object, field));
    }

    /// Writes the other fields as members of an object that may have others.
    pub fn write_further_members(&self, shape: &Shape, object: &mut ObjectWriter<'_>) {
        let fields = shape.object(ObjectId::Record).fields.iter().filter(|field| field.role == Role::Content);
        fields.for_each(|field| self.write(shape, object, field));
    }

    /// Writes a field as a member. Without a value, it is absent; an array of the interface's resource is empty (D1).
    fn write(&self, shape: &Shape, object: &mut ObjectWriter<'_>, field: &Field) {
        match self.get(&field.name) {
            Some(value) => object.member(&field.name).push_str(value),
            None if field.ty.is_array() && !shape.is_declared() => object.member(&field.name).push_str(EMPTY),
            None => {}
        }
    }
}

/// Returns whether the shape has a field that may have the value.
pub fn is_of(shape: &Shape, name: &str, value: &str) -> bool {
    shape.content_field(name).is_some_and(|field| has_form_of(&field.ty, value))
}

impl Type {
    /// Returns a stored value without the members that its objects do not have any more (D41).
    pub fn pruned<'v>(&self, value: &'v str) -> Cow<'v, str> {
        let Self::Object(object) = self.item() else { return Cow::Borrowed(value) };
        let (mut out, mut is_same) = (String::new(), true);
        let mut add = |text: &str, out: &mut String| {
            if !text.starts_with('{') {
                return out.push_str(text);
            }
            let mut writer = ObjectWriter::open(out);
            for (name, value) in canonical::members(text) {
                let Some(field) = object.field(name) else {
                    is_same = false;
                    continue;
                };
                let pruned = field.ty.pruned(value);
                is_same &= matches!(pruned, Cow::Borrowed(_));
                writer.member(name).push_str(&pruned);
            }
            writer.close();
        };
        if value.starts_with('[') {
            let items: Vec<&str> = canonical::items(value).collect();
            json::array(&mut out, &items, |out, item| add(item, out));
        } else {
            add(value, &mut out);
        }
        if is_same { Cow::Borrowed(value) } else { Cow::Owned(out) }
    }
}

impl<N: Into<String>, V: Into<String>> FromIterator<(N, V)> for Content {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(fields: I) -> Self {
        Self(fields.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }
}

/// Returns whether a value that a shape has accepted may be one of the type: another shape may have accepted it. All
/// single items of an array have the form of the first, but objects lack different members.
fn has_form_of(ty: &Type, value: &str) -> bool {
    value == NULL
        || match ty {
            Type::Array(array) => {
                let others = if matches!(array.items, Type::Object(_)) { usize::MAX } else { 1 };
                value.starts_with('[')
                    && canonical::items(value).take(others).all(|item| has_form_of(&array.items, item))
            }
            Type::Object(object) => {
                let mut members = canonical::members(value);
                let fits = |(name, value): (&str, &str)| {
                    object.field(name).is_some_and(|field| has_form_of(&field.ty, value))
                };
                value.starts_with('{') && members.all(fits)
            }
            Type::String(Format::DateTime) => {
                canonical::text(value).is_some_and(|text| time::parse_signed(&text).is_some())
            }
            Type::String(_) => value.starts_with('"'),
            Type::Boolean => canonical::boolean(value).is_some(),
            Type::Integer { .. } => canonical::integer(value).is_some(),
            Type::Number => canonical::number(value).is_some(),
            Type::Union(_) => false,
        }
}
