//! The resource, and the bodies that change it, as typed values. The only place that writes a record as JSON.

use serde::{Deserialize, Serialize};

use super::content::Content;
pub use super::content::ObjectItem;
use super::own;
use super::schema::FieldId;
use crate::util::json::{self, ObjectWriter};
use crate::util::time::{self, Millis};

/// Who created or changed a resource.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    pub first_name: Option<String>,
    pub last_name: Option<String>,
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
    /// The arrays of `objectTypeProperty`, and the further fields.
    pub content: Content,
}

impl Record {
    /// Returns the record as JSON, in the order of D1: the body of reads, and the stored form.
    pub fn to_json(&self) -> String {
        json::object(|object| {
            object.text(FieldId::Id.name(), &self.id);
            // Versions and times are below 2^53.
            object.integer(FieldId::Version.name(), self.version as i64);
            object.text_if(FieldId::Key.name(), self.key.as_deref());
            instant(object, FieldId::CreatedAt, self.created_at);
            person(object, FieldId::CreatedBy, self.created_by.as_ref());
            instant(object, FieldId::LastModifiedAt, self.revision);
            person(object, FieldId::LastModifiedBy, self.last_modified_by.as_ref());
            self.content.write_arrays(object.member(FieldId::ObjectTypeProperty.name()));
            self.content.write_further_members(object);
        })
    }
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
        instant(&mut object, FieldId::DeletedAt, self.revision);
        object.text(FieldId::Id.name(), &self.id);
        object.integer(FieldId::Version.name(), self.version as i64);
        object.close();
    }
}

fn instant(object: &mut ObjectWriter<'_>, id: FieldId, instant: Millis) {
    let out = object.member(id.name());
    out.push('"');
    time::push(out, instant);
    out.push('"');
}

fn person(object: &mut ObjectWriter<'_>, id: FieldId, person: Option<&Person>) {
    let Some(person) = person else { return };
    let mut inner = ObjectWriter::open(object.member(id.name()));
    inner.text_if(FieldId::FirstName.name(), person.first_name.as_deref());
    inner.text_if(FieldId::LastName.name(), person.last_name.as_deref());
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
    /// The arrays of `objectTypeProperty`, and the further fields.
    pub content: Content,
}

/// The body of operation 10, after validation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct UpdateInput {
    pub version: u64,
    pub actions: Vec<Action>,
}

/// An update action (`interface.md`, ExampleResourceUpdateAction).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Action {
    DoSomeThing,
    ChangeSomeProperty {
        some_property: String,
    },
    /// Sets an own field of the content. Without values, removes those that the resource has.
    SetField {
        id: FieldId,
        content: Content,
    },
}

impl Action {
    /// Returns the action that the tag names (`schema::UPDATE_ACTION`), with the values of its fields. `None` if there
    /// is none, or if it lacks a value.
    pub fn from_parts(tag: &str, some_property: Option<String>, content: Content) -> Option<Self> {
        match tag {
            "doSomeThing" => Some(Self::DoSomeThing),
            "changeSomeProperty" => Some(Self::ChangeSomeProperty { some_property: some_property? }),
            _ => Some(Self::SetField { id: own::set_by(tag)?, content }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::resource::schema::UPDATE_ACTION;
    use crate::test;

    #[test]
    fn every_action_of_the_schema_has_a_variant() {
        let actions = UPDATE_ACTION
            .fixed
            .iter()
            .map(|(tag, _)| Action::from_parts(tag, Some(String::new()), Content::default()));
        let kinds: Vec<_> = actions.map(|action| core::mem::discriminant(&action.unwrap())).collect();
        for (at, kind) in kinds.iter().enumerate() {
            assert!(!kinds[..at].contains(kind), "{}", UPDATE_ACTION.fixed[at].0);
        }
    }
}
