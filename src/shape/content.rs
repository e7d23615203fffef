//! The values of the fields that clients choose, as canonical JSON. The shape of the project lists these fields, and no
//! other code does.

use serde::{Deserialize, Serialize};

use super::shape::Shape;
use super::types::{Field, Role};
use crate::contract::resource::ObjectId;
use crate::util::json::ObjectWriter;
use crate::util::json::canonical;
use crate::util::text::concat;

/// What an array without items is.
const EMPTY: &str = "[]";
/// What removes a field.
const NULL: &str = "null";

/// The values of a resource or a body by the name of their field, each as canonical JSON: without white space, members
/// in the order of the shape, numbers as ECMAScript prints them. In a body, an empty array differs from an absent one. A
/// record has only the fields with a value.
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

    /// Sets the value of a field. Without one, or with an empty array, removes the field.
    pub fn set(&mut self, name: &str, value: Option<&str>) {
        let value = value.filter(|value| *value != EMPTY);
        let at = self.0.iter().position(|(other, _)| other == name);
        match (at.and_then(|at| self.0.get_mut(at)), value) {
            (Some((_, old)), Some(value)) => value.clone_into(old),
            (None, Some(value)) => self.push(name, value),
            (Some(_), None) => self.0.retain(|(other, _)| other != name),
            (None, None) => {}
        }
    }

    /// Adds items to an array of the content, at its end.
    pub fn add(&mut self, name: &str, items: &str) {
        let all = self.items(name).chain(canonical::items(items)).collect::<Vec<_>>().join(",");
        self.set(name, Some(&concat(&["[", &all, "]"])));
    }

    /// Removes every item of an array of the content that equals one of these.
    pub fn remove(&mut self, name: &str, items: &str) {
        let gone: Vec<&str> = canonical::items(items).collect();
        let left = self.items(name).filter(|item| !gone.contains(item)).collect::<Vec<_>>().join(",");
        self.set(name, Some(&concat(&["[", &left, "]"])));
    }

    fn items(&self, name: &str) -> impl Iterator<Item = &str> {
        canonical::items(self.get(name).unwrap_or(EMPTY))
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

    /// Returns the first field that the shape does not have.
    pub fn foreign_field(&self, shape: &Shape) -> Option<&str> {
        self.iter().map(|(name, _)| name).find(|name| shape.content_field(name).is_none())
    }

    /// Returns the content of a new record: the fields of the body that have a value.
    pub fn of_body(shape: &Shape, body: &Self) -> Self {
        Self::merge(shape, body, &|_| None)
    }

    /// Returns the content of a record after a body: each field of the body replaces that of the record, and the others
    /// keep their values (D11).
    #[must_use]
    pub fn updated_by(&self, shape: &Shape, body: &Self) -> Self {
        Self::merge(shape, body, &|field| self.get(&field.name))
    }

    /// Returns the content of a record after a body that overwrites it: as [`Self::updated_by`], but an array inside
    /// the wrapper that the body lacks loses its values (D11).
    #[must_use]
    pub fn overwritten_by(&self, shape: &Shape, body: &Self) -> Self {
        let is_wrapped = |field: &Field| shape.arrays().iter().any(|array| array.name == field.name);
        Self::merge(shape, body, &|field| if is_wrapped(field) { None } else { self.get(&field.name) })
    }

    /// Returns the fields of the body that have a value, and what `kept` returns of each field that the body lacks.
    fn merge<'c>(shape: &Shape, body: &'c Self, kept: &dyn Fn(&Field) -> Option<&'c str>) -> Self {
        let fields = shape.content().filter_map(|field| {
            let value = body.get(&field.name).or_else(|| kept(field));
            // Copies each value once, because it may be as large as a body.
            Some((field.name.to_string(), value.filter(|value| *value != EMPTY)?.to_owned()))
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
        shape.arrays().iter().for_each(|field| self.write(object, field));
    }

    /// Writes the other fields as members of an object that may have others.
    pub fn write_further_members(&self, shape: &Shape, object: &mut ObjectWriter<'_>) {
        let fields = shape.object(ObjectId::Record).fields.iter().filter(|field| field.role == Role::Content);
        fields.for_each(|field| self.write(object, field));
    }

    /// Writes a field as a member. An array without values is empty. Any other field without a value is absent.
    fn write(&self, object: &mut ObjectWriter<'_>, field: &Field) {
        match self.get(&field.name) {
            Some(value) => object.member(&field.name).push_str(value),
            None if field.ty.is_array() => object.member(&field.name).push_str(EMPTY),
            None => {}
        }
    }
}

impl<N: Into<String>, V: Into<String>> FromIterator<(N, V)> for Content {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(fields: I) -> Self {
        Self(fields.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }
}
