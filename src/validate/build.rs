//! Builds typed bodies and records from the values that the walk passes.

use std::borrow::Cow;

use super::check::validate;
use super::issues::issue::Rejection;
use super::receiver::Sink;
use crate::contract::resource::schema::{self, Object};
use crate::contract::resource::{
    Action, Content, Deleted, FieldId, FieldValues, Line, ObjectItem, Person, Record, ResourceInput,
    UpdateInput,
};
use crate::util::time::{self, Millis};

/// Reads the body of operation 6, 7, or 8 by its schema.
pub fn resource_input(schema: &'static Object, bytes: &[u8]) -> Result<ResourceInput, Rejection> {
    Ok(build(schema, bytes)?.input)
}

/// Reads the body of operation 9 or 13.
pub fn complex_input(bytes: &[u8]) -> Result<ResourceInput, Rejection> {
    resource_input(&schema::COMPLEX_BODY, bytes)
}

/// Reads the body of operation 10.
pub fn update_input(bytes: &[u8]) -> Result<UpdateInput, Rejection> {
    let Builder { input, actions, .. } = build(&schema::RESOURCE_UPDATE, bytes)?;
    // The schema requires a version, and that each action is complete.
    let actions = actions.into_iter().filter_map(ActionParts::into_action).collect();
    Ok(UpdateInput { version: input.version.unwrap_or_default(), actions })
}

/// Reads the arrays of the query parameter `objectParameter` (D23).
pub fn arrays_input(bytes: &[u8]) -> Result<Content, Rejection> {
    Ok(build(&schema::OBJECT_TEST_TYPE, bytes)?.input.content)
}

/// Reads a record that [`Record::to_json`] wrote; `None` for any other text.
pub fn stored_record(bytes: &[u8]) -> Option<Record> {
    build(&schema::RESOURCE, bytes).ok()?.into_record()
}

/// Reads a line of an export; `None` if one of its times is before 1970, where no revision can be.
pub fn export_line(bytes: &[u8]) -> Result<Option<Line>, Rejection> {
    if !bytes.starts_with(Deleted::BEGINNING.as_bytes()) {
        let record = build(&schema::RESOURCE, bytes)?.into_record();
        return Ok(record.map(|record| Line::Resource(Box::new(record))));
    }
    let Builder { input, revision, .. } = build(&schema::DELETED, bytes)?;
    let deleted = || Some(Deleted { id: input.id?, version: input.version?, revision: revision? });
    Ok(deleted().map(Line::Deleted))
}

fn build(schema: &'static Object, bytes: &[u8]) -> Result<Builder, Rejection> {
    let mut builder = Builder::default();
    validate(schema, bytes, &mut builder)?;
    Ok(builder)
}

/// Everything that a body may contain. All schemas share one sink, because each sink compiles the walk once more.
#[derive(Default)]
struct Builder {
    input: ResourceInput,
    created_at: Option<Millis>,
    revision: Option<Millis>,
    actions: Vec<ActionParts>,
    within: Option<Within>,
}

#[derive(Clone, Copy)]
enum Within {
    CreatedBy,
    LastModifiedBy,
    Actions,
}

/// The fields of an update action, in any order.
#[derive(Default)]
struct ActionParts {
    tag: String,
    some_property: Option<String>,
    /// The values of an own field.
    content: Content,
}

impl ActionParts {
    fn into_action(self) -> Option<Action> {
        let action = Action::from_parts(&self.tag, self.some_property, self.content);
        debug_assert!(action.is_some(), "no action is called {:?}, or it lacks a field", self.tag);
        action
    }
}

/// Panics in debug builds, for a value that the builder has no place for. A test fails if the schema has such a field.
fn lost(id: FieldId) {
    debug_assert!(false, "the builder has no place for {id:?}");
}

impl Builder {
    fn into_record(self) -> Option<Record> {
        let Self { input, created_at, revision, .. } = self;
        Some(Record {
            id: input.id?,
            version: input.version?,
            key: input.key,
            created_at: created_at?,
            created_by: input.created_by,
            revision: revision?,
            last_modified_by: input.last_modified_by,
            content: Content::of_body(&input.content),
        })
    }

    fn person(&mut self) -> Option<&mut Person> {
        match self.within? {
            Within::CreatedBy => self.input.created_by.as_mut(),
            Within::LastModifiedBy => self.input.last_modified_by.as_mut(),
            Within::Actions => None,
        }
    }

    /// Returns the values of a field of the content: of the body, or of the action that is read.
    fn content(&mut self, id: FieldId) -> Option<&mut FieldValues> {
        match (self.within, self.actions.last_mut()) {
            (Some(Within::Actions), Some(action)) => action.content.place(id),
            _ => self.input.content.place(id),
        }
    }

    /// Sets a text of an action. Returns the text if it is the value of an own field.
    fn action_text<'v>(&mut self, id: FieldId, value: Cow<'v, str>) -> Option<Cow<'v, str>> {
        match (id, self.actions.last_mut()) {
            (FieldId::Action, Some(action)) => action.tag = value.into_owned(),
            (FieldId::SomeProperty, Some(action)) => action.some_property = Some(value.into_owned()),
            _ => return Some(value),
        }
        None
    }

    fn item_of_objects(&mut self) -> Option<&mut ObjectItem> {
        match self.input.content.place(FieldId::ArrayOfObjectType) {
            Some(FieldValues::Objects(items)) => items.last_mut(),
            _ => None,
        }
    }
}

impl Sink for Builder {
    fn string(&mut self, id: FieldId, mut value: Cow<'_, str>) {
        if let Some(Within::Actions) = self.within {
            match self.action_text(id, value) {
                Some(text) => value = text,
                None => return,
            }
        }
        match id {
            FieldId::Id => self.input.id = Some(value.into_owned()),
            FieldId::Key => self.input.key = Some(value.into_owned()),
            FieldId::Version => self.input.version = version(&value),
            FieldId::CreatedAt => self.created_at = time::parse(&value),
            FieldId::LastModifiedAt | FieldId::DeletedAt => self.revision = time::parse(&value),
            FieldId::FirstName | FieldId::LastName => match self.person() {
                Some(person) if id == FieldId::FirstName => person.first_name = Some(value.into_owned()),
                Some(person) => person.last_name = Some(value.into_owned()),
                None => lost(id),
            },
            _ => match self.content(id) {
                Some(FieldValues::Texts(texts)) => texts.push(value.into_owned()),
                Some(FieldValues::DateTimes(instants)) => instants.extend(time::parse_signed(&value)),
                _ => lost(id),
            },
        }
    }

    fn integer(&mut self, id: FieldId, value: i64) {
        match id {
            FieldId::Version => self.input.version = u64::try_from(value).ok(),
            FieldId::IntegerExample | FieldId::IntegerExampleInt32 => match self.item_of_objects() {
                Some(item) if id == FieldId::IntegerExample => item.integer_example = Some(value),
                Some(item) => item.integer_example_int32 = i32::try_from(value).ok(),
                None => lost(id),
            },
            _ => match self.content(id) {
                Some(FieldValues::Integers(integers)) => integers.push(value),
                _ => lost(id),
            },
        }
    }

    fn number(&mut self, id: FieldId, value: f64) {
        match self.content(id) {
            Some(FieldValues::Numbers(numbers)) => numbers.push(value),
            _ => lost(id),
        }
    }

    fn boolean(&mut self, id: FieldId, value: bool) {
        match self.content(id) {
            Some(FieldValues::Booleans(booleans)) => booleans.push(value),
            _ => lost(id),
        }
    }

    fn begin(&mut self, id: FieldId) {
        match id {
            FieldId::CreatedBy => {
                self.input.created_by = Some(Person::default());
                self.within = Some(Within::CreatedBy);
            }
            FieldId::LastModifiedBy => {
                self.input.last_modified_by = Some(Person::default());
                self.within = Some(Within::LastModifiedBy);
            }
            FieldId::Actions => self.within = Some(Within::Actions),
            // Its fields are fields of the content.
            FieldId::ObjectTypeProperty => {}
            // An empty array differs from an absent one.
            _ => {
                if self.content(id).is_none() {
                    lost(id);
                }
            }
        }
    }

    fn item(&mut self, id: FieldId) {
        if id == FieldId::Actions {
            return self.actions.push(ActionParts::default());
        }
        match self.content(id) {
            Some(FieldValues::Objects(items)) => items.push(ObjectItem::default()),
            _ => lost(id),
        }
    }

    fn end(&mut self, id: FieldId) {
        if matches!(id, FieldId::CreatedBy | FieldId::LastModifiedBy | FieldId::Actions) {
            self.within = None;
        } else if let Some(values) = self.content(id) {
            values.shrink();
        }
    }
}

/// Parses the version in the text of the complex body: a decimal integer; `None` for any other text (D14). A version
/// beyond the possible range becomes the largest number, which equals no resource's version.
fn version(text: &str) -> Option<u64> {
    let decimal = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    decimal.then(|| text.parse().unwrap_or(u64::MAX))
}
