//! The shape of a project's resources: its bodies and its records as values. The validator, the OpenAPI components, the
//! TypeScript types, the index, and the predicate language read it.

use std::sync::Arc;

use super::built_in;
use super::declared::{self, Declared};
use super::field::{FieldPath, FieldType, QueryField};
use super::schema::{self, Marks, Refused, SchemaForm};
use super::types::{Field, Object, Role, Type, Variant};
use crate::contract::resource::{ObjectId, System};
use crate::util::json::canonical;

/// The fields of a project's resources. It is passed to every function that needs it: two projects with two shapes are
/// served side by side.
#[derive(Debug)]
pub struct Shape {
    /// In the order of [`ObjectId`].
    objects: Vec<Arc<Object>>,
    /// What the schema of a declared resource says about its fields; `None` for the resource of the interface.
    declared: Option<Vec<Declared>>,
}

impl Default for Shape {
    fn default() -> Self {
        Self::built_in()
    }
}

impl Shape {
    /// Returns the shape of the interface.
    pub fn built_in() -> Self {
        Self { objects: built_in::objects(), declared: None }
    }

    /// Returns the shape of a resource that a deployment declares. `schema`: JSON Schema, as `JSON.stringify` writes
    /// it.
    pub fn of_schema(schema: &str) -> Result<Self, Refused> {
        let (objects, declared) = declared::read(schema)?;
        Ok(Self { objects, declared: Some(declared) })
    }

    /// Returns the plain form of the schema of a resource: what pages read.
    pub fn plain_schema(schema: &str) -> Result<String, Refused> {
        schema::read(schema, SchemaForm::Plain)
    }

    /// Returns the plain form of the schema of a resource with its annotations.
    pub fn described_schema(schema: &str) -> Result<String, Refused> {
        schema::read(schema, SchemaForm::Described)
    }

    /// Returns the shape of a plain schema. Like a page, it knows no marks.
    pub fn of_plain(schema: &str) -> Self {
        Self { objects: declared::of_plain(schema), declared: Some(Vec::new()) }
    }

    pub fn object(&self, id: ObjectId) -> &Arc<Object> {
        match self.objects.get(id as usize) {
            Some(object) => object,
            // `built_in::objects` has all of them.
            None => self.object(ObjectId::Draft),
        }
    }

    /// Returns whether the deployment declares the resource. If not, it is the resource of the interface.
    pub fn is_declared(&self) -> bool {
        self.declared.is_some()
    }

    fn declared(&self, name: &str) -> Option<&Declared> {
        self.declared.iter().flatten().find(|declared| declared.name == name)
    }

    /// Returns what the shape says about a field at any depth. `path`: its names from the record down, joined by dots.
    pub fn marks_at(&self, path: &str) -> Marks {
        let mut names = path.split('.');
        let mut schema = names.next().and_then(|name| self.schema_of(name)).unwrap_or_default();
        for name in names {
            let object = canonical::member(schema, "items").unwrap_or(schema);
            let properties = canonical::member(object, "properties").unwrap_or_default();
            schema = canonical::member(properties, name).unwrap_or_default();
        }
        let mut marks = Marks::default();
        for (name, value) in canonical::members(schema) {
            if let Some(mark) = marks.of_keyword(name) {
                *mark = value == "true";
            }
        }
        marks
    }

    /// Returns the JSON Schema of a field of a declared resource: it says each rule in one way, without references.
    pub fn schema_of(&self, name: &str) -> Option<&str> {
        self.declared(name).map(|declared| declared.schema.as_str())
    }

    /// Returns the value of a creation without the field, as canonical JSON (D39).
    pub fn default_of(&self, name: &str) -> Option<&str> {
        self.declared(name)?.default.as_deref()
    }

    /// Returns the variants of the update actions.
    pub fn actions(&self) -> &[Variant] {
        match self.object(ObjectId::Update).field(System::Actions.name()).map(|field| field.ty.item()) {
            Some(Type::Union(union)) => &union.variants,
            _ => &[],
        }
    }

    /// Returns the fields of the content, in the order of a record: the arrays inside the wrapper, then the others.
    pub fn content(&self) -> impl Iterator<Item = &Field> {
        let is_content = |field: &&Field| field.role == Role::Content;
        self.arrays().iter().chain(self.object(ObjectId::Record).fields.iter().filter(is_content))
    }

    pub fn content_field(&self, name: &str) -> Option<&Field> {
        self.content().find(|field| field.name == name)
    }

    /// Returns the fields inside the wrapper, as responses have them.
    pub fn arrays(&self) -> &[Field] {
        &self.object(ObjectId::StoredArrays).fields
    }

    /// Returns the field of that name inside another, or inside the record if there is no other.
    pub fn field_of(&self, within: Option<&QueryField>, name: &str) -> Option<QueryField> {
        let Some(within) = within else {
            // The fields inside the wrapper may also be named without it.
            let field = self.object(ObjectId::Draft).field(name);
            let field = field.or_else(|| self.object(ObjectId::Arrays).field(name))?;
            return self.describe(None, field);
        };
        let FieldType::Object(object) = &within.field_type else { return None };
        self.describe(Some(within), object.field(name)?)
    }

    /// Returns every field that queries may name, with those inside others after them.
    pub fn query_fields(&self) -> Vec<QueryField> {
        let mut fields: Vec<QueryField> = Vec::new();
        let names = self.names_within(None);
        fields.extend(names.iter().filter_map(|name| self.field_of(None, name)));
        let mut at = 0;
        while let Some(field) = fields.get(at).cloned() {
            // Fields inside the wrapper are listed already.
            if field.path.is_some() {
                let names = self.names_within(Some(&field));
                fields.extend(names.iter().filter_map(|name| self.field_of(Some(&field), name)));
            }
            at += 1;
        }
        fields
    }

    /// Returns the names of the fields inside another, or inside the record if there is no other.
    pub fn names_within<'s>(&'s self, within: Option<&'s QueryField>) -> Vec<&'s str> {
        let objects: &[&'s Object] = match within.map(|field| &field.field_type) {
            None => &[self.object(ObjectId::Draft), self.object(ObjectId::Arrays)],
            Some(FieldType::Object(object)) => &[object],
            Some(FieldType::Data(_)) => &[],
        };
        objects.iter().flat_map(|object| &object.fields).map(|field| field.name.as_ref()).collect()
    }

    fn describe(&self, within: Option<&QueryField>, field: &Field) -> Option<QueryField> {
        let field_type = FieldType::of(field)?;
        let outer = within.and_then(|within| within.path.as_ref());
        let path = (field.role != Role::Wrapper).then(|| FieldPath::of_field(outer, field));
        let array = field.ty.is_array();
        let is_list = array && field_type.data().is_none();
        let items = if is_list { path.clone() } else { within.and_then(|within| within.items.clone()) };
        let record = self.object(ObjectId::Record).field(&field.name).filter(|_| within.is_none());
        // Resources of an earlier shape may lack what a declared one requires (D41).
        let is_required = record.is_some_and(|field| {
            field.required && (matches!(field.role, Role::System(_)) || !self.is_declared())
        });
        let always = is_required || (array && !self.is_declared());
        Some(QueryField { path, field_type, array, items, always })
    }
}
