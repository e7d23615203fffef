//! Builds typed bodies and records from the values that the walk passes.

use super::check::validate;
use super::issues::issue::Rejection;
use super::json::cursor::Cursor;
use super::receiver::{MemberPlace, Sink, close_object, push_member};
use crate::shape::model::{MemberValues, version};
use crate::shape::types::{ActionEffect, Field, Lacks, Object, Role, Variant};
use crate::shape::{
    Action, Content, Deleted, Line, ObjectId, Record, ResourceInput, Shape, System, UpdateInput,
};
use crate::util::json::{self, canonical};
use crate::util::text::append;

/// Reads the body of operation 6, 7, 8, 9, or 13: the one that `id` names.
pub fn resource_input(shape: &Shape, id: ObjectId, bytes: &[u8]) -> Result<ResourceInput, Rejection> {
    let mut input = build(shape.object(id), bytes)?.body().input;
    if shape.object(id).lacks == Lacks::WithVersion && input.version.is_none() {
        // Null means absent (D8).
        input.content.drop_nulls();
    }
    Ok(input)
}

/// Reads the body of operation 10.
pub fn update_input(shape: &Shape, bytes: &[u8]) -> Result<UpdateInput, Rejection> {
    let values = build(shape.object(ObjectId::Update), bytes)?;
    // The shape requires a version, and that each action is complete.
    Ok(UpdateInput {
        version: values.version().unwrap_or_default(),
        actions: values.actions(shape.actions()),
    })
}

/// Reads the arrays of the query parameter `objectParameter` (D23).
pub fn arrays_input(shape: &Shape, bytes: &[u8]) -> Result<Content, Rejection> {
    Ok(build(shape.object(ObjectId::Arrays), bytes)?.body().input.content)
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
        let line = build(shape.object(ObjectId::Deleted), bytes)?.body().into_deleted().map(Line::Deleted);
        return Ok(line.map(|line| Exported { line, is_earlier: false }));
    }
    let (record, is_earlier) = match build(shape.object(ObjectId::Record), bytes) {
        Ok(values) => (values.record(shape), false),
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
        return build(record, bytes).map(|values| values.record(shape));
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

fn build<'w>(schema: &'w Object, bytes: &[u8]) -> Result<Values<'w>, Rejection> {
    let mut values = Values { text: String::with_capacity(bytes.len()), parts: Vec::new() };
    validate(schema, bytes, &mut values)?;
    Ok(values)
}

/// The values of a body as canonical JSON, one after the other.
struct Values<'w> {
    text: String,
    parts: Vec<Part<'w>>,
}

enum Part<'w> {
    /// An update action begins.
    Action,
    /// The value of a field.
    Value { field: &'w Field, start: usize, end: usize },
}

impl Values<'_> {
    fn value(&self, start: usize, end: usize) -> &str {
        self.text.get(start..end).unwrap_or_default()
    }

    fn body(&self) -> MemberValues {
        let mut members = MemberValues::default();
        for part in &self.parts {
            let Part::Value { field, start, end } = part else { continue };
            match field.role {
                Role::System(id) => members.set(id, self.value(*start, *end)),
                Role::Content => members.input.content.push(&field.name, self.value(*start, *end)),
                // What is inside them is in other parts.
                Role::Wrapper | Role::Inner => {}
            }
        }
        members
    }

    fn record(&self, shape: &Shape) -> Option<Record> {
        let mut members = self.body();
        members.input.content = Content::of_body(shape, &members.input.content);
        members.into_record()
    }

    fn version(&self) -> Option<u64> {
        self.parts.iter().find_map(|part| match part {
            Part::Value { field, start, end } if field.role == Role::System(System::Version) => {
                version(self.value(*start, *end))
            }
            Part::Value { .. } | Part::Action => None,
        })
    }

    fn actions(&self, variants: &[Variant]) -> Vec<Action> {
        self.parts
            .split(|part| matches!(part, Part::Action))
            .skip(1)
            .map(|parts| self.action(parts, variants))
            .collect()
    }

    /// Returns the action with these parts, in any order.
    fn action(&self, parts: &[Part<'_>], variants: &[Variant]) -> Action {
        let find = |wanted: &dyn Fn(Role) -> bool| {
            parts.iter().find_map(|part| match part {
                Part::Value { field, start, end } if wanted(field.role) => Some(self.value(*start, *end)),
                Part::Value { .. } | Part::Action => None,
            })
        };
        let tag =
            find(&|role| role == Role::System(System::Action)).and_then(canonical::text).unwrap_or_default();
        let Some(variant) = variants.iter().find(|variant| variant.tag == tag) else {
            return Action::Nothing;
        };
        let is_set = |field: &&Field| field.role == Role::Content;
        let field =
            variant.object.fields.iter().find(is_set).map(|field| field.name.to_string()).unwrap_or_default();
        let value = find(&|role| role == Role::Content).map(str::to_owned);
        match variant.effect {
            ActionEffect::Nothing => Action::Nothing,
            ActionEffect::Set => Action::Set { field, value },
            ActionEffect::Add => Action::Add { field, values: value.unwrap_or_default() },
            ActionEffect::Remove => Action::Remove { field, values: value.unwrap_or_default() },
        }
    }
}

impl<'w> Sink<'w> for Values<'w> {
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

    fn action(&mut self) {
        self.parts.push(Part::Action);
    }
}
