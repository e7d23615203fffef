//! Bodies and records as JSON Schema 2020-12, printed from the contract's schema.

use crate::contract::response::RESOURCE_FIELDS;
use crate::shape::types::{ActionEffect, Field, Lacks, Object, Role, Type, Union, Variant};
use crate::shape::{ObjectId, Shape, System};

use super::content::{self, FieldUse};
use super::json_value::{JsonText, JsonValue};
use super::parts::{object, one_of, reference};

/// The names of the alternatives of a body that is whole or partial (D38).
const FULL: &str = "FullDraft";
const FULL_ABOUT: &str = "A body that creates a resource. It has every required field.";
const PARTIAL: &str = "PartialDraft";
const PARTIAL_ABOUT: &str =
    "A body that changes the resource which has this version. Fields that it lacks keep their values.";

type Schemas = Vec<(JsonText, JsonValue)>;

/// Returns the schemas of bodies and of the resource.
pub(super) fn all(shape: &Shape) -> Schemas {
    let mut all = Components { shape, schemas: Schemas::new() };
    for id in ObjectId::BODIES.into_iter().chain([ObjectId::Record]) {
        all.add_body(shape.object(id));
    }
    all.schemas
}

/// The schemas of a shape so far.
struct Components<'s> {
    shape: &'s Shape,
    schemas: Schemas,
}

/// What an object is for, besides its fields.
#[derive(Clone, Copy)]
struct ObjectUse<'s> {
    of: FieldUse,
    /// Whether the fields of the content may be absent, even required ones (D38).
    is_partial: bool,
    variant: Option<(&'s Union, &'s Variant)>,
}

impl<'s> Components<'s> {
    /// Adds a body or a record. Of a body that is whole without a version, and partial with one, there are two schemas.
    fn add_body(&mut self, object: &'s Object) {
        let is_partial = object.lacks == Lacks::Kept;
        let of = match object.name.as_ref() {
            name if name == ObjectId::Record.name() => FieldUse::Response,
            _ if is_partial => FieldUse::Change,
            _ => FieldUse::Creation,
        };
        let plain = ObjectUse { of, is_partial, variant: None };
        let is_required = |field: &Field| field.role == Role::Content && must_be_in(object, field);
        if object.lacks != Lacks::WithVersion || !object.fields.iter().any(is_required) {
            return self.add(object, plain);
        }
        let alternatives = [FULL, PARTIAL].map(|name| reference("schemas", name));
        let either = object! { "description" => object.about.clone(), "anyOf" => alternatives.to_vec() };
        self.schemas.push((object.name.clone(), either));
        self.add_named(FULL.into(), FULL_ABOUT.into(), object, plain);
        let partial = ObjectUse { of: FieldUse::Change, is_partial: true, ..plain };
        self.add_named(PARTIAL.into(), PARTIAL_ABOUT.into(), object, partial);
    }

    /// Adds the object and the objects in it, each once.
    fn add(&mut self, object: &'s Object, used: ObjectUse<'s>) {
        self.add_named(object.name.clone(), object.about.clone(), object, used);
    }

    fn add_named(&mut self, name: JsonText, about: JsonText, object: &'s Object, used: ObjectUse<'s>) {
        if self.schemas.iter().any(|(known, _)| *known == name) {
            return;
        }
        // With the version that a partial body expects, it is no whole one.
        let needs_version = used.is_partial && object.lacks == Lacks::WithVersion;
        let is_required = |field: &Field| match field.role {
            Role::Content if used.is_partial => false,
            Role::System(System::Version) if needs_version => true,
            _ => must_be_in(object, field),
        };
        let required = object.fields.iter().filter(|field| is_required(field));
        let required: Vec<JsonText> = required.map(|field| field.name.clone()).collect();
        let property = |field: &Field| {
            let schema = self.property(object, field, used, is_required(field));
            (field.name.clone(), schema)
        };
        let schema = object! {
            "description" => about,
            "type" => "object",
            "required" => Some(required).filter(|required| !required.is_empty()),
            "properties" => object.fields.iter().map(property).collect::<JsonValue>(),
            // A typo must not lose data (D9). A later version may add members to a response.
            "additionalProperties" => (used.of != FieldUse::Response).then_some(false),
        };
        self.schemas.push((name, schema));
        for field in &object.fields {
            self.add_within(&field.ty, field.role);
        }
    }

    fn property(&self, object: &Object, field: &Field, used: ObjectUse<'_>, is_required: bool) -> JsonValue {
        if let Some((union, variant)) = used.variant
            && union.tag.name == field.name
        {
            return object! { "type" => "string", "const" => variant.tag.clone() };
        }
        let Some(text) = self.shape.schema_of(&field.name).filter(|_| field.role == Role::Content) else {
            let null = !is_required && used.of != FieldUse::Response;
            return content::of(&field.ty, "", about(object, field), null, used.of);
        };
        match used.variant.map(|(_, variant)| variant.effect) {
            Some(ActionEffect::Add | ActionEffect::Remove) => content::of_list(field, text),
            _ => content::of_field(field, text, used.of),
        }
    }

    fn add_within(&mut self, ty: &'s Type, role: Role) {
        let plain = ObjectUse { of: FieldUse::Change, is_partial: false, variant: None };
        match ty {
            // The schema of a declared field has its objects inside.
            _ if self.shape.is_declared() && role == Role::Content => {}
            Type::Object(object) => {
                let is_response = object.name == ObjectId::StoredArrays.name();
                self.add(
                    object,
                    if is_response { ObjectUse { of: FieldUse::Response, ..plain } } else { plain },
                );
            }
            Type::Array(array) => self.add_within(&array.items, role),
            Type::Union(union) => {
                let names = union.variants.iter().map(|variant| (&*variant.tag, &*variant.object.name));
                let none = object! { "not" => object! {} };
                let any = if union.variants.is_empty() { none } else { one_of(&union.tag.name, names) };
                self.schemas.push((union.name.clone(), any));
                for variant in &union.variants {
                    self.add(&variant.object, ObjectUse { variant: Some((union, variant)), ..plain });
                }
            }
            Type::Integer { .. } | Type::Number | Type::Boolean | Type::String(_) => {}
        }
    }
}

/// Returns whether a whole body has the field. A creation without it may store a default (D39).
fn must_be_in(object: &Object, field: &Field) -> bool {
    field.required && !(field.has_default && object.lacks == Lacks::WithVersion)
}

/// Returns the rules of a field that its type does not express.
fn about(object: &Object, field: &Field) -> Option<&'static str> {
    let is_record = object.name == ObjectId::Record.name();
    let known = RESOURCE_FIELDS.iter().find(|(id, _)| is_record && field.role == Role::System(*id));
    known.map(|(_, about)| *about)
}
