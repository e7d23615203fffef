//! The resource, and the bodies that change it, as typed values. The only place that writes a record as JSON.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::built_in::WRAPPER;
use super::content::Content;
use super::shape::Shape;
use super::types::Role;
use crate::contract::resource::{FIRST_NAME, LAST_NAME, ObjectId, System};
use crate::util::json::canonical;
use crate::util::json::{self, ObjectWriter};
use crate::util::time::{self, Millis};

/// Who created or changed a resource.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    pub first_name: Option<String>,
    pub last_name: Option<String>,
}

impl Person {
    /// Reads a person that [`Record::to_json`] wrote.
    pub fn read(text: &str) -> Self {
        let name = |member| canonical::text(canonical::member(text, member)?).map(Cow::into_owned);
        Self { first_name: name(FIRST_NAME), last_name: name(LAST_NAME) }
    }
}

/// A stored resource (D1).
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    pub id: String,
    pub version: u64,
    pub key: Option<String>,
    pub created_at: Millis,
    pub created_by: Option<Person>,
    /// `lastModifiedAt`; the record's revision (D6)
    pub revision: Millis,
    pub last_modified_by: Option<Person>,
    pub content: Content,
}

impl Record {
    /// Returns the record as JSON, in the order of D1: the body of reads, and the stored form.
    pub fn to_json(&self, shape: &Shape) -> String {
        json::object(|object| {
            object.text(System::Id.name(), &self.id);
            // Versions and times are below 2^53.
            object.integer(System::Version.name(), self.version as i64);
            object.text_if(System::Key.name(), self.key.as_deref());
            instant(object, System::CreatedAt, self.created_at);
            person(object, System::CreatedBy, self.created_by.as_ref());
            instant(object, System::LastModifiedAt, self.revision);
            person(object, System::LastModifiedBy, self.last_modified_by.as_ref());
            if !shape.is_declared() {
                self.content.write_arrays(shape, object.member(WRAPPER));
            }
            self.content.write_further_members(shape, object);
        })
    }

    /// Reads a record that [`Self::to_json`] wrote, perhaps with another shape: without the fields that this shape does
    /// not have. `None` for any other text.
    pub fn read(shape: &Shape, body: &str) -> Option<Self> {
        let mut read = MemberValues::default();
        let mut members = canonical::members(body);
        for (name, value) in &mut members {
            let mut store = |name, value| read.input.content.set_stored(shape, name, value);
            match shape.object(ObjectId::Record).field(name).map(|field| field.role) {
                Some(Role::System(id)) => read.set(id, value),
                Some(Role::Content) => store(name, value),
                Some(Role::Wrapper) => canonical::members(value).for_each(|(name, value)| store(name, value)),
                Some(Role::Inner) | None => {}
            }
        }
        // A text that was cut short is no record.
        members.ended().then_some(())?;
        read.into_record()
    }
}

/// What the members of a body or a record say.
#[derive(Debug, Default)]
pub struct MemberValues {
    pub input: ResourceInput,
    created_at: Option<Millis>,
    revision: Option<Millis>,
}

impl MemberValues {
    /// Sets the value of a field of the system. `value`: canonical JSON.
    pub fn set(&mut self, id: System, value: &str) {
        let text = || canonical::text(value).map(Cow::into_owned);
        let instant = || time::parse(&canonical::text(value)?);
        match id {
            System::Id => self.input.id = text(),
            System::Version => self.input.version = version(value),
            System::Key => self.input.key = text(),
            System::CreatedAt => self.created_at = instant(),
            System::CreatedBy => self.input.created_by = Some(Person::read(value)),
            System::LastModifiedAt | System::DeletedAt => self.revision = instant(),
            System::LastModifiedBy => self.input.last_modified_by = Some(Person::read(value)),
            // What is inside them has another reader.
            System::Actions | System::Action => {}
        }
    }

    /// Returns the record; `None` if a member is absent that every record has.
    pub fn into_record(self) -> Option<Record> {
        let ResourceInput { id, version, key, created_by, last_modified_by, content } = self.input;
        let (id, version, created_at, revision) = (id?, version?, self.created_at?, self.revision?);
        Some(Record { id, version, key, created_at, created_by, revision, last_modified_by, content })
    }

    pub fn into_deleted(self) -> Option<Deleted> {
        Some(Deleted { id: self.input.id?, version: self.input.version?, revision: self.revision? })
    }
}

/// Reads a version: a number, or the text of the complex body, a decimal integer; `None` for any other text (D14). A
/// version beyond the possible range becomes the largest number, which equals no resource's version.
pub fn version(value: &str) -> Option<u64> {
    let text = canonical::text(value);
    let digits = text.as_deref().unwrap_or(value);
    let decimal = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    decimal.then(|| digits.parse().unwrap_or(u64::MAX))
}

#[derive(Debug, Clone, PartialEq)]
pub enum Line {
    Resource(Box<Record>),
    Deleted(Deleted),
}

/// An ID that was deleted (D5).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deleted {
    pub id: String,
    /// `version`: the last one.
    pub version: u64,
    /// `deletedAt`; the revision of the delete.
    pub revision: Millis,
}

impl Deleted {
    pub const BEGINNING: &str = "{\"deletedAt\":";

    pub fn write(&self, out: &mut String) {
        let mut object = ObjectWriter::open(out);
        instant(&mut object, System::DeletedAt, self.revision);
        object.text(System::Id.name(), &self.id);
        object.integer(System::Version.name(), self.version as i64);
        object.close();
    }
}

fn instant(object: &mut ObjectWriter<'_>, id: System, instant: Millis) {
    let out = object.member(id.name());
    out.push('"');
    time::push(out, instant);
    out.push('"');
}

fn person(object: &mut ObjectWriter<'_>, id: System, person: Option<&Person>) {
    let Some(person) = person else { return };
    let mut inner = ObjectWriter::open(object.member(id.name()));
    inner.text_if(FIRST_NAME, person.first_name.as_deref());
    inner.text_if(LAST_NAME, person.last_name.as_deref());
    inner.close();
}

/// A body of operations 6 to 9 and 13, after validation (D11, D14).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ResourceInput {
    /// `id`: names the target.
    pub id: Option<String>,
    /// The expected version, if the body names one.
    pub version: Option<u64>,
    /// `key`: names the target, or moves its key.
    pub key: Option<String>,
    /// `createdBy`: stored when the resource is created.
    pub created_by: Option<Person>,
    /// `lastModifiedBy`: stored with each write.
    pub last_modified_by: Option<Person>,
    pub content: Content,
}

/// The body of operation 10, after validation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct UpdateInput {
    pub version: u64,
    pub actions: Vec<Action>,
}

/// What an update action does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Action {
    /// Changes no field.
    Nothing,
    /// Sets a field of the content. Without a value, removes it.
    Set {
        field: String,
        /// As JSON.
        value: Option<String>,
    },
    /// Adds values to an array of the content, at its end.
    Add {
        field: String,
        /// As a JSON array.
        values: String,
    },
    /// Removes every item of an array of the content that equals one of the values.
    Remove {
        field: String,
        /// As a JSON array.
        values: String,
    },
}
