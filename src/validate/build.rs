//! Builds typed bodies and records from the values that the walk passes.

use std::borrow::Cow;

use super::check::validate;
use super::issues::issue::Rejection;
use super::json::cursor::Cursor;
use super::receiver::{MemberPlace, Sink, close_object, push_member};
use crate::contract::resource::OPERATION;
use crate::shape::model::{MemberValues, version};
use crate::shape::types::{ActionEffect, Field, Lacks, Object, Role, Union, Variant};
use crate::shape::{
    Action, Content, Deleted, Line, ObjectId, Record, ResourceInput, Shape, System, UpdateInput,
};
use crate::util::json::{self, canonical};
use crate::util::text::append;

/// Reads the body of operation 6, 7, 8, 9, or 13: the one that `id` names.
pub fn resource_input(shape: &Shape, id: ObjectId, bytes: &[u8]) -> Result<ResourceInput, Rejection> {
    Ok(build(shape.object(id), bytes)?.all().resource(shape, id))
}

/// Reads the body of operation 10.
pub fn update_input(shape: &Shape, bytes: &[u8]) -> Result<UpdateInput, Rejection> {
    Ok(build(shape.object(ObjectId::Update), bytes)?.all().update(shape))
}

/// A write of a batch, after validation.
#[derive(Debug)]
pub struct WriteInput<'v, 'w> {
    /// The operation, by its name.
    pub operation: Cow<'v, str>,
    /// The ID beside the body.
    pub id: String,
    /// The version beside the body.
    pub version: Option<u64>,
    values: Values<'v, 'w>,
}

impl WriteInput<'_, '_> {
    /// Returns the body of operation 6, 7, or 8: the one that `id` names.
    pub fn resource(&self, shape: &Shape, id: ObjectId) -> ResourceInput {
        self.values.resource(shape, id)
    }

    /// Returns the body of operation 10.
    pub fn update(&self, shape: &Shape) -> UpdateInput {
        self.values.update(shape)
    }
}

/// Reads the body of a batch, and converts each of its writes.
pub fn batch_input<T>(
    shape: &Shape,
    bytes: &[u8],
    mut convert: impl FnMut(WriteInput<'_, '_>) -> T,
) -> Result<Vec<T>, Rejection> {
    let built = build(shape.object(ObjectId::Batch), bytes)?;
    let writes = built.all().variants(|role| role == Role::Wrapper).into_iter();
    let write = |values: Values<'_, '_>| {
        let MemberValues { input: ResourceInput { id, version, .. }, .. } = values.body();
        let operation = values.find(&|field| field.role == Role::Wrapper && field.name == OPERATION);
        let operation = operation.and_then(canonical::text).unwrap_or_default();
        convert(WriteInput { operation, id: id.unwrap_or_default(), version, values })
    };
    Ok(writes.map(write).collect())
}

/// Reads the arrays of the query parameter `objectParameter` (D23).
pub fn arrays_input(shape: &Shape, bytes: &[u8]) -> Result<Content, Rejection> {
    Ok(build(shape.object(ObjectId::Arrays), bytes)?.all().body().input.content)
}

/// A line of an export.
pub struct Exported {
    pub line: Line,
    /// Whether an earlier shape allowed the resource, but this one does not (D41).
    pub is_earlier: bool,
}

/// Reads a line of an export; `None` if one of its times is before 1970, where no revision can be.
pub fn export_line(shape: &Shape, bytes: &[u8]) -> Result<Option<Exported>, Rejection> {
    if bytes.starts_with(Deleted::BEGINNING.as_bytes()) {
        let line =
            build(shape.object(ObjectId::Deleted), bytes)?.all().body().into_deleted().map(Line::Deleted);
        return Ok(line.map(|line| Exported { line, is_earlier: false }));
    }
    let (record, is_earlier) = match build(shape.object(ObjectId::Record), bytes) {
        Ok(values) => (values.all().record(shape), false),
        Err(Rejection::Issues { .. }) if shape.is_declared() => (earlier_record(shape, bytes)?, true),
        Err(rejection) => return Err(rejection),
    };
    Ok(record.map(|record| Exported { line: Line::Resource(Box::new(record)), is_earlier }))
}

/// Reads the line of a resource that an earlier shape allowed (D41): without the fields that this one lacks, and with
/// values that do not fit it. Only the fields of the system are compared with their rules.
fn earlier_record(shape: &Shape, bytes: &[u8]) -> Result<Option<Record>, Rejection> {
    let record = shape.object(ObjectId::Record);
    let fits = |text: &mut String| {
        let mut cursor = Cursor::new(core::str::from_utf8(bytes).unwrap_or_default(), false);
        cursor.space();
        cursor.canonical(text) == Ok(true)
    };
    let mut text = String::with_capacity(bytes.len());
    if !fits(&mut text) {
        return build(record, bytes).map(|values| values.all().record(shape));
    }
    let is_system = |field: &&Field| matches!(field.role, Role::System(_));
    let fields: Vec<Field> = record.fields.iter().filter(is_system).cloned().collect();
    let system =
        Object { name: record.name.clone(), about: record.about.clone(), fields, lacks: record.lacks };
    let mut head = "{".to_owned();
    for (name, value) in canonical::members(&text).filter(|(name, _)| system.field(name).is_some()) {
        let before = if head.len() == 1 { "\"" } else { ",\"" };
        append(&mut head, &[before, name, "\":", value]);
    }
    head.push('}');
    build(&system, head.as_bytes())?;
    let in_order = |record: Record| Record { content: Content::of_body(shape, &record.content), ..record };
    Ok(Record::read(shape, &text).map(in_order))
}

fn build<'w>(schema: &'w Object, bytes: &[u8]) -> Result<Built<'w>, Rejection> {
    let mut built = Built { text: String::with_capacity(bytes.len()), parts: Vec::new() };
    validate(schema, bytes, &mut built)?;
    Ok(built)
}

/// The values of a body as canonical JSON, one after the other.
struct Built<'w> {
    text: String,
    parts: Vec<Part<'w>>,
}

#[derive(Debug)]
enum Part<'w> {
    /// An object of a union begins.
    Variant(&'w Union),
    /// The value of a field.
    Value { field: &'w Field, start: usize, end: usize },
}

/// The values of a body, or of a part of it.
#[derive(Debug, Clone, Copy)]
struct Values<'v, 'w> {
    text: &'v str,
    parts: &'v [Part<'w>],
}

impl<'w> Built<'w> {
    fn all(&self) -> Values<'_, 'w> {
        Values { text: &self.text, parts: &self.parts }
    }
}

impl<'v, 'w> Values<'v, 'w> {
    /// Returns each field with its value.
    fn fields(self) -> impl Iterator<Item = (&'w Field, &'v str)> {
        self.parts.iter().filter_map(move |part| match part {
            Part::Value { field, start, end } => {
                Some((*field, self.text.get(*start..*end).unwrap_or_default()))
            }
            Part::Variant(_) => None,
        })
    }

    /// Returns the value of the first such field.
    fn find(self, is_wanted: &dyn Fn(&Field) -> bool) -> Option<&'v str> {
        self.fields().find(|(field, _)| is_wanted(field)).map(|(_, value)| value)
    }

    /// Returns the values of each object of the union whose tag has this role.
    fn variants(self, is_tag: impl Fn(Role) -> bool) -> Vec<Self> {
        let begins = |part: &Part<'_>| matches!(part, Part::Variant(union) if is_tag(union.tag.role));
        self.parts.split(begins).skip(1).map(|parts| Self { parts, ..self }).collect()
    }

    fn body(self) -> MemberValues {
        let mut members = MemberValues::default();
        for (field, value) in self.fields() {
            match field.role {
                Role::System(id) => members.set(id, value),
                Role::Content => members.input.content.push(&field.name, value),
                // What is inside them is in other parts.
                Role::Wrapper | Role::Inner => {}
            }
        }
        members
    }

    fn resource(self, shape: &Shape, id: ObjectId) -> ResourceInput {
        let mut input = self.body().input;
        if shape.object(id).lacks == Lacks::WithVersion && input.version.is_none() {
            // Null means absent (D8).
            input.content.drop_nulls();
        }
        input
    }

    fn update(self, shape: &Shape) -> UpdateInput {
        let expected = self.find(&|field| field.role == Role::System(System::Version));
        let actions = self.variants(|role| role == Role::System(System::Action)).into_iter();
        // The shape requires a version, and that each action is complete.
        UpdateInput {
            version: expected.and_then(version).unwrap_or_default(),
            actions: actions.map(|values| values.action(shape.actions())).collect(),
        }
    }

    fn record(self, shape: &Shape) -> Option<Record> {
        let mut members = self.body();
        members.input.content = Content::of_body(shape, &members.input.content);
        members.into_record()
    }

    /// Returns the action with these values, in any order.
    fn action(self, variants: &[Variant]) -> Action {
        let tag = self.find(&|field| field.role == Role::System(System::Action));
        let tag = tag.and_then(canonical::text).unwrap_or_default();
        let Some(variant) = variants.iter().find(|variant| variant.tag == tag) else {
            return Action::Nothing;
        };
        let is_set = |field: &&Field| field.role == Role::Content;
        let field =
            variant.object.fields.iter().find(is_set).map(|field| field.name.to_string()).unwrap_or_default();
        let value = self.find(&|field| field.role == Role::Content).map(str::to_owned);
        match variant.effect {
            ActionEffect::Nothing => Action::Nothing,
            ActionEffect::Set => Action::Set { field, value },
            ActionEffect::Add => Action::Add { field, values: value.unwrap_or_default() },
            ActionEffect::Remove => Action::Remove { field, values: value.unwrap_or_default() },
        }
    }
}

impl<'w> Sink<'w> for Built<'w> {
    fn wants_values(&self) -> bool {
        true
    }

    fn raw(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn string(&mut self, value: &str) {
        json::string(&mut self.text, value);
    }

    fn integer(&mut self, value: i64) {
        json::integer(&mut self.text, value);
    }

    fn number(&mut self, value: f64) {
        json::number(&mut self.text, value);
    }

    fn begin(&mut self) -> usize {
        self.text.len()
    }

    fn end(&mut self, field: &'w Field, start: usize) {
        self.parts.push(Part::Value { field, start, end: self.text.len() });
    }

    fn member(&mut self, places: &mut Vec<MemberPlace>, index: usize, name: &str) {
        push_member(&mut self.text, places, index, name);
    }

    fn close(&mut self, places: Vec<MemberPlace>) {
        close_object(&mut self.text, places);
    }

    fn variant(&mut self, union: &'w Union) {
        self.parts.push(Part::Variant(union));
    }
}
