//! A collection as a list of records, and the effect of writes on it (contract, section 3).

use std::collections::BTreeMap;

use resource_edge::call::Change;
use resource_edge::shape::{Action, Content, Record, ResourceInput, Shape, UpdateInput};
use resource_edge::util::json;
use resource_edge::util::time::Millis;
use serde_json::Value as Json;

use super::unique::is_taken;
use crate::support::schemas::Design;
use crate::support::schemas::writes::{self, Act, Lacking, Members};

/// The live records in the order of creation, and the last versions of deleted IDs (D5).
#[derive(Debug, Clone, Default)]
pub struct Collection {
    pub records: Vec<Record>,
    deleted: BTreeMap<String, u64>,
    newest: Millis,
}

/// An array without items, as JSON: it is no value.
const EMPTY: &str = "[]";

/// The result of a write: the record that it left or removed, or the status of its rejection.
pub type Done = Result<Record, u16>;

/// How operations 6 to 9 and 13 differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Draft,
    Overwrite,
    CreateOrOverwrite,
    Complex,
}

impl Mode {
    const fn overwrites(self) -> bool {
        matches!(self, Self::Overwrite | Self::CreateOrOverwrite)
    }

    /// Returns whether the write needs a resource.
    fn must_exist(self, design: &Design, input: &ResourceInput) -> bool {
        let changes = design.schema.is_some() && self.lacking(input) == Lacking::Kept;
        self == Self::Overwrite || changes
    }

    /// Returns what a body of a declared resource says about the fields that it lacks (D38).
    fn lacking(self, input: &ResourceInput) -> Lacking {
        match self {
            Self::Draft if input.version.is_none() => Lacking::Created,
            Self::Draft | Self::Complex => Lacking::Kept,
            Self::Overwrite | Self::CreateOrOverwrite => Lacking::Replaced,
        }
    }
}

impl Collection {
    /// Performs the write with the fields of the shape. A created record whose body has no ID has an empty one: see
    /// [`Self::set_generated_id`].
    pub fn write(&mut self, design: &Design, change: &Change, now: Millis) -> Done {
        match change {
            Change::CreateOrOverwrite(input) => self.put(design, input, Mode::CreateOrOverwrite, now),
            Change::Overwrite(input) => self.put(design, input, Mode::Overwrite, now),
            Change::CreateOrUpdate(input) => self.put(design, input, Mode::Draft, now),
            Change::UpdateByPath(input) | Change::UpdateWithUrnLinks(input) => {
                self.put(design, input, Mode::Complex, now)
            }
            Change::UpdateById { id, update } => self.update(design, id, update, now),
            Change::DeleteById { id, version } => {
                let at = self.place(id).ok_or(404u16)?;
                if version.is_some_and(|version| version != self.records[at].version) {
                    return Err(409);
                }
                let record = self.records.remove(at);
                self.deleted.insert(record.id.clone(), record.version);
                self.revision(now);
                Ok(record)
            }
        }
    }

    fn update(&mut self, design: &Design, id: &str, update: &UpdateInput, now: Millis) -> Done {
        let at = self.place(id).ok_or(404u16)?;
        if self.records[at].version != update.version {
            return Err(409);
        }
        if update.actions.is_empty() {
            return Ok(self.records[at].clone());
        }
        let mut record = self.records[at].clone();
        record.content = if let Some(schema) = &design.schema {
            acted(schema, &record.content, &update.actions).ok_or(400u16)?
        } else {
            update.actions.iter().for_each(|action| act(&mut record, action));
            without(&record.content, |name| design.shape.content_field(name).is_none())
        };
        self.check_unique(design, Some(at), &record.content)?;
        record.last_modified_by = None;
        record.version += 1;
        record.revision = self.revision(now);
        self.records[at] = record.clone();
        Ok(record)
    }

    fn put(&mut self, design: &Design, input: &ResourceInput, mode: Mode, now: Millis) -> Done {
        let must_exist = mode.must_exist(design, input);
        let present = self.target(input, must_exist || mode.overwrites())?;
        match present {
            None if must_exist => return Err(404),
            Some(at) if input.version.is_some_and(|version| version != self.records[at].version) => {
                return Err(409);
            }
            _ => {}
        }
        let holder = input.key.as_ref().and_then(|key| self.holder(key));
        if holder.is_some() && holder != present {
            return Err(400);
        }
        let before = present.map(|at| &self.records[at].content);
        let content = match &design.schema {
            Some(schema) => of_declared(schema, before, input, mode),
            None => of_interface(&design.shape, before, input, mode),
        };
        self.check_unique(design, present, &content)?;
        let revision = self.revision(now);
        let at = present.unwrap_or_else(|| {
            let id = input.id.clone().unwrap_or_default();
            let version = self.deleted.get(&id).copied().unwrap_or(0);
            self.records.push(blank(id, version, revision, input));
            self.records.len() - 1
        });
        let record = &mut self.records[at];
        if input.key.is_some() {
            record.key.clone_from(&input.key);
        }
        record.content = content;
        record.last_modified_by.clone_from(&input.last_modified_by);
        record.version += 1;
        record.revision = revision;
        Ok(record.clone())
    }

    /// Returns an error if another resource has a unique value that the content brings.
    fn check_unique(&self, design: &Design, at: Option<usize>, content: &Content) -> Result<(), u16> {
        let body = |content: &Content| Json::Object(members(content));
        let before = at.map(|at| body(&self.records[at].content));
        let others = self.records.iter().enumerate().filter(|(other, _)| Some(*other) != at);
        let others: Vec<Json> = others.map(|(_, record)| body(&record.content)).collect();
        if is_taken(design, before.as_ref(), &body(content), &others.iter()) { Err(400) } else { Ok(()) }
    }

    /// Returns the place of the record that a body names: by `id`, else by `key`, else the body of an operation that
    /// `needs` a resource names the only one.
    pub fn target(&self, input: &ResourceInput, needs: bool) -> Result<Option<usize>, u16> {
        match (&input.id, &input.key) {
            (Some(id), _) => Ok(self.place(id)),
            (None, Some(key)) => Ok(self.holder(key)),
            (None, None) if !needs || self.records.is_empty() => Ok(None),
            (None, None) if self.records.len() == 1 => Ok(Some(0)),
            (None, None) => Err(400),
        }
    }

    /// Sets the ID of the last record, which the collection under test generated.
    pub fn set_generated_id(&mut self, id: &str) {
        let record = self.records.last_mut().filter(|record| record.id.is_empty());
        id.clone_into(&mut record.expect("a record without an ID").id);
    }

    /// Returns the IDs that no record has now, but one had.
    pub fn gone(&self) -> impl Iterator<Item = &String> {
        self.deleted.keys().filter(|id| self.place(id).is_none())
    }

    fn place(&self, id: &str) -> Option<usize> {
        self.records.iter().position(|record| record.id == id)
    }

    fn holder(&self, key: &str) -> Option<usize> {
        self.records.iter().position(|record| record.key.as_deref() == Some(key))
    }

    fn revision(&mut self, now: Millis) -> Millis {
        self.newest = now.max(self.newest + 1);
        self.newest
    }
}

fn blank(id: String, version: u64, created_at: Millis, input: &ResourceInput) -> Record {
    Record {
        id,
        version,
        key: None,
        created_at,
        created_by: input.created_by.clone(),
        revision: created_at,
        last_modified_by: None,
        content: Content::default(),
    }
}

fn act(record: &mut Record, action: &Action) {
    match action {
        Action::Nothing => {}
        Action::Set { field, value } => set(&mut record.content, field, value.as_deref()),
        other => panic!("no action of the interface: {other:?}"),
    }
}

fn set(content: &mut Content, field: &str, value: Option<&str>) {
    *content = without(content, |other| other == field);
    if let Some(value) = value.filter(|value| *value != EMPTY) {
        content.push(field, value);
    }
}

fn items(array: Option<&str>) -> Vec<Json> {
    serde_json::from_str(array.unwrap_or(EMPTY)).expect("an array is JSON")
}

/// Returns the content of a resource of the interface after a body. A write removes what the shape does not have.
fn of_interface(shape: &Shape, before: Option<&Content>, input: &ResourceInput, mode: Mode) -> Content {
    let is_lost = |name: &str| {
        let is_wrapped = shape.arrays().iter().any(|array| array.name == name);
        mode.overwrites() && is_wrapped || shape.content_field(name).is_none()
    };
    let mut content = before.map(|before| without(before, is_lost)).unwrap_or_default();
    for (name, value) in input.content.iter() {
        set(&mut content, name, Some(value));
    }
    content
}

/// Returns the content of a declared resource after a body (D38, D39).
fn of_declared(schema: &Json, before: Option<&Content>, input: &ResourceInput, mode: Mode) -> Content {
    let body = members(&input.content);
    content(&match before {
        None => writes::created(schema, &body),
        Some(before) => writes::changed(schema, &members(before), &body, mode.lacking(input)),
    })
}

/// Returns the content of a declared resource after actions; `None` if one of them is refused.
fn acted(schema: &Json, before: &Content, actions: &[Action]) -> Option<Content> {
    let mut after = writes::changed(schema, &members(before), &Members::new(), Lacking::Kept);
    for action in actions {
        let list = |values: &String| -> Vec<Json> { items(Some(values)) };
        let act = match action {
            Action::Nothing => continue,
            Action::Set { field, value } => {
                Act::Set(field.clone(), parsed(value.as_deref().unwrap_or("null")))
            }
            Action::Add { field, values } => Act::Add(field.clone(), list(values)),
            Action::Remove { field, values } => Act::Remove(field.clone(), list(values)),
        };
        act.perform(schema, &mut after).then_some(())?;
    }
    Some(content(&writes::changed(schema, &after, &Members::new(), Lacking::Kept)))
}

fn parsed(text: &str) -> Json {
    serde_json::from_str(text).expect("a value is JSON")
}

fn members(content: &Content) -> Members {
    content.iter().map(|(name, value)| (name.to_owned(), parsed(value))).collect()
}

fn content(members: &Members) -> Content {
    members.iter().map(|(name, value)| (name.as_str(), text(value))).collect()
}

/// Returns a value as the service writes it: numbers as ECMAScript prints them.
pub fn text(value: &Json) -> String {
    let mut out = String::new();
    push(&mut out, value);
    out
}

fn push(out: &mut String, value: &Json) {
    match value {
        Json::Number(number) => json::number(out, number.as_f64().expect("a double")),
        Json::String(text) => json::string(out, text),
        Json::Array(items) => json::array(out, items, push),
        Json::Object(members) => {
            let mut object = json::ObjectWriter::open(out);
            members.iter().for_each(|(name, value)| push(object.member(name), value));
            object.close();
        }
        Json::Null | Json::Bool(_) => out.push_str(&value.to_string()),
    }
}

fn without(content: &Content, is_left_out: impl Fn(&str) -> bool) -> Content {
    content.iter().filter(|(name, _)| !is_left_out(name)).collect()
}
