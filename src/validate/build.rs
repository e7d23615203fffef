//! Builds typed bodies and records from the values that the walk passes.

use std::borrow::Cow;

use super::check::validate;
use super::issue::Rejection;
use super::sink::Sink;
use crate::contract::content::{Content, FieldValues};
use crate::contract::model::{Action, Deleted, Line, ObjectItem, Person, Record, ResourceInput, UpdateInput};
use crate::contract::schema::{self, Object, Slot};
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
    let builder = build(&schema::RESOURCE_UPDATE, bytes)?;
    // The schema requires a version.
    Ok(UpdateInput { version: builder.input.version.unwrap_or_default(), actions: builder.actions })
}

/// Reads the arrays of the query parameter `objectParameter` (D23).
pub fn arrays_input(bytes: &[u8]) -> Result<Content, Rejection> {
    Ok(build(&schema::OBJECT_TEST_TYPE, bytes)?.input.content)
}

/// Reads a record that [`Record::to_json`] wrote; `None` for any other text.
#[must_use]
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
    actions: Vec<Action>,
    /// The person or the action whose fields follow, if any.
    within: Option<Slot>,
}

impl Builder {
    /// Returns the record if it is complete.
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
            content: Content::merged(None, &input.content, false),
        })
    }

    fn person(&mut self) -> Option<&mut Person> {
        match self.within {
            Some(Slot::CreatedBy) => self.input.created_by.as_mut(),
            Some(Slot::LastModifiedBy) => self.input.last_modified_by.as_mut(),
            _ => None,
        }
    }

    fn action_text(&mut self, slot: Slot, value: String) {
        // An action has the variant without fields until a field of another variant follows. The schema ensures that
        // the field fits.
        if let (Slot::SomeProperty, Some(action)) = (slot, self.actions.last_mut()) {
            *action = Action::ChangeSomeProperty { some_property: value };
        }
    }
}

impl Sink for Builder {
    fn string(&mut self, slot: Slot, value: Cow<'_, str>) {
        match slot {
            Slot::Id => self.input.id = Some(value.into_owned()),
            Slot::Key => self.input.key = Some(value.into_owned()),
            Slot::Version => self.input.version = version(&value),
            Slot::CreatedAt => self.created_at = time::parse(&value),
            Slot::LastModifiedAt | Slot::DeletedAt => self.revision = time::parse(&value),
            Slot::FirstName | Slot::LastName => {
                if let Some(person) = self.person() {
                    let place =
                        if slot == Slot::FirstName { &mut person.first_name } else { &mut person.last_name };
                    *place = Some(value.into_owned());
                }
            }
            _ if self.within == Some(Slot::Actions) => self.action_text(slot, value.into_owned()),
            _ => match self.input.content.place(slot) {
                Some(FieldValues::Texts(texts)) => texts.push(value.into_owned()),
                Some(FieldValues::DateTimes(instants)) => instants.extend(time::parse_signed(&value)),
                _ => {}
            },
        }
    }

    fn integer(&mut self, slot: Slot, value: i64) {
        match slot {
            Slot::Version => self.input.version = u64::try_from(value).ok(),
            Slot::IntegerExample | Slot::IntegerExampleInt32 => {
                let Some(FieldValues::Objects(items)) = self.input.content.place(Slot::ArrayOfObjectType)
                else {
                    return;
                };
                let Some(item) = items.last_mut() else { return };
                if slot == Slot::IntegerExample {
                    item.integer_example = Some(value);
                } else {
                    item.integer_example_int32 = i32::try_from(value).ok();
                }
            }
            _ => {
                if let Some(FieldValues::Integers(integers)) = self.input.content.place(slot) {
                    integers.push(value);
                }
            }
        }
    }

    fn number(&mut self, slot: Slot, value: f64) {
        if let Some(FieldValues::Numbers(numbers)) = self.input.content.place(slot) {
            numbers.push(value);
        }
    }

    fn boolean(&mut self, slot: Slot, value: bool) {
        if let Some(FieldValues::Booleans(booleans)) = self.input.content.place(slot) {
            booleans.push(value);
        }
    }

    fn begin(&mut self, slot: Slot) {
        match slot {
            Slot::CreatedBy => self.input.created_by = Some(Person::default()),
            Slot::LastModifiedBy => self.input.last_modified_by = Some(Person::default()),
            // An empty array differs from an absent one.
            _ => {
                self.input.content.place(slot);
            }
        }
        if matches!(slot, Slot::CreatedBy | Slot::LastModifiedBy | Slot::Actions) {
            self.within = Some(slot);
        }
    }

    fn item(&mut self, slot: Slot) {
        if slot == Slot::Actions {
            self.actions.push(Action::DoSomeThing);
        } else if let Some(FieldValues::Objects(items)) = self.input.content.place(slot) {
            items.push(ObjectItem::default());
        }
    }

    fn end(&mut self, slot: Slot) {
        if self.within == Some(slot) {
            self.within = None;
        }
    }
}

/// Parses the version in the text of the complex body: a decimal integer; `None` for any other text (D14). A version
/// beyond the possible range becomes the largest number, which equals no resource's version.
fn version(text: &str) -> Option<u64> {
    let decimal = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    decimal.then(|| text.parse().unwrap_or(u64::MAX))
}
