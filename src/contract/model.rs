//! The resource, and the bodies that change it, as typed values. The only place that writes a record as JSON.

use serde::{Deserialize, Serialize};

use super::schema::Slot;
use crate::util::json::{self, ObjectWriter as Object};
use crate::util::time::{self, Millis};

/// An item of `arrayOfObjectType`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectItem {
    /// `integerExample`
    pub integer_example: Option<i64>,
    /// `integerExampleInt32`
    pub integer_example_int32: Option<i32>,
}

/// Who created or changed a resource.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// `firstName`
    pub first_name: Option<String>,
    /// `lastName`
    pub last_name: Option<String>,
}

/// The seven arrays of a stored record (D1).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Arrays {
    /// `arrayOfIntExample`
    pub ints: Vec<i64>,
    /// `arrayOfUniqueIntExample`
    pub unique_ints: Vec<i64>,
    /// `arrayOfTwonumbersExample`
    pub two_numbers: Vec<i64>,
    /// `arrayOfFloatExample`
    pub floats: Vec<f64>,
    /// `arrayOfNumberNoDefaultsExample`
    pub numbers: Vec<f64>,
    /// `arrayOfStringExample`
    pub strings: Vec<String>,
    /// `arrayOfObjectType`
    pub objects: Vec<ObjectItem>,
}

/// The arrays that a body has; an absent one is `None`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ArraysInput {
    /// `arrayOfIntExample`
    pub ints: Option<Vec<i64>>,
    /// `arrayOfUniqueIntExample`
    pub unique_ints: Option<Vec<i64>>,
    /// `arrayOfTwonumbersExample`
    pub two_numbers: Option<Vec<i64>>,
    /// `arrayOfFloatExample`
    pub floats: Option<Vec<f64>>,
    /// `arrayOfNumberNoDefaultsExample`
    pub numbers: Option<Vec<f64>>,
    /// `arrayOfStringExample`
    pub strings: Option<Vec<String>>,
    /// `arrayOfObjectType`
    pub objects: Option<Vec<ObjectItem>>,
}

impl ArraysInput {
    /// Merges the arrays of a body into the present ones (operation 6): a missing array keeps its value. Copies each array
    /// once, because arrays may need many times the bytes of their body.
    #[must_use]
    pub fn over(&self, before: Option<&Arrays>) -> Arrays {
        fn choose<T: Clone>(value: Option<&Vec<T>>, before: Option<&Vec<T>>) -> Vec<T> {
            value.or(before).cloned().unwrap_or_default()
        }
        macro_rules! chosen {
            ($($array:ident)*) => {
                Arrays { $($array: choose(self.$array.as_ref(), before.map(|before| &before.$array))),* }
            };
        }
        chosen!(ints unique_ints two_numbers floats numbers strings objects)
    }
}

/// The texts of a resource that every body may set: `someProperty`, the eight numbered strings, `custom`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Texts {
    /// `someProperty`
    pub some_property: Option<String>,
    /// `eigthProperty` to `fifteenthProperty`
    pub numbered: [Option<String>; 8],
    /// `custom`
    pub custom: Option<String>,
}

impl Texts {
    /// Each text that is set, under its field, in the order of presentation.
    pub fn iter(&self) -> impl Iterator<Item = (Slot, &str)> {
        core::iter::once((Slot::SomeProperty, &self.some_property))
            .chain(Slot::NUMBERED.into_iter().zip(&self.numbered))
            .chain(core::iter::once((Slot::Custom, &self.custom)))
            .filter_map(|(slot, text)| Some((slot, text.as_deref()?)))
    }

    /// Returns the place of a field's text. `None` if the field is none of these.
    pub fn place(&mut self, slot: Slot) -> Option<&mut Option<String>> {
        match slot {
            Slot::SomeProperty => Some(&mut self.some_property),
            Slot::Custom => Some(&mut self.custom),
            _ => {
                let at = Slot::NUMBERED.iter().position(|numbered| *numbered == slot)?;
                self.numbered.get_mut(at)
            }
        }
    }

    /// Sets the texts that the body has, and keeps the others (D11).
    pub fn merge(&mut self, body: Self) {
        fn set(target: &mut Option<String>, value: Option<String>) {
            if value.is_some() {
                *target = value;
            }
        }
        set(&mut self.some_property, body.some_property);
        for (target, value) in self.numbered.iter_mut().zip(body.numbered) {
            set(target, value);
        }
        set(&mut self.custom, body.custom);
    }
}

/// A stored resource (D1).
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// `id`
    pub id: String,
    /// `version`
    pub version: u64,
    /// `key`
    pub key: Option<String>,
    /// `createdAt`
    pub created_at: Millis,
    /// `createdBy`
    pub created_by: Option<Person>,
    /// `lastModifiedAt`; the record's revision (D6)
    pub revision: Millis,
    /// `lastModifiedBy`
    pub last_modified_by: Option<Person>,
    /// `objectTypeProperty`
    pub arrays: Arrays,
    /// `someProperty`, the eight numbered strings and `custom`
    pub texts: Texts,
}

impl Record {
    /// Returns the record as JSON, in the order of D1: the body of reads, and the stored form.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut out = String::with_capacity(512);
        let mut object = Object::open(&mut out);
        object.text(Slot::Id.name(), &self.id);
        // Versions and times are below 2^53.
        object.integer(Slot::Version.name(), self.version as i64);
        object.text_if(Slot::Key.name(), self.key.as_deref());
        instant(&mut object, Slot::CreatedAt, self.created_at);
        person(&mut object, Slot::CreatedBy, self.created_by.as_ref());
        instant(&mut object, Slot::LastModifiedAt, self.revision);
        person(&mut object, Slot::LastModifiedBy, self.last_modified_by.as_ref());
        self.arrays.write(object.member(Slot::ObjectTypeProperty.name()));
        for (slot, text) in self.texts.iter() {
            object.text(slot.name(), text);
        }
        object.close();
        out
    }
}

/// A line of an export.
#[derive(Debug, Clone, PartialEq)]
pub enum Line {
    /// A resource.
    Resource(Box<Record>),
    /// An ID that was deleted.
    Deleted(Deleted),
}

/// An ID that was deleted (D5).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deleted {
    /// `id`
    pub id: String,
    /// `version`: the last one.
    pub version: u64,
    /// `deletedAt`; the revision of the delete.
    pub revision: Millis,
}

impl Deleted {
    /// How every such line begins.
    pub const BEGINNING: &str = "{\"deletedAt\":";

    /// Appends it as JSON.
    pub fn write(&self, out: &mut String) {
        let mut object = Object::open(out);
        instant(&mut object, Slot::DeletedAt, self.revision);
        object.text(Slot::Id.name(), &self.id);
        object.integer(Slot::Version.name(), self.version as i64);
        object.close();
    }
}

fn instant(object: &mut Object<'_>, slot: Slot, instant: Millis) {
    let out = object.member(slot.name());
    out.push('"');
    time::push(out, instant);
    out.push('"');
}

fn person(object: &mut Object<'_>, slot: Slot, person: Option<&Person>) {
    let Some(person) = person else { return };
    let mut inner = Object::open(object.member(slot.name()));
    inner.text_if(Slot::FirstName.name(), person.first_name.as_deref());
    inner.text_if(Slot::LastName.name(), person.last_name.as_deref());
    inner.close();
}

impl Arrays {
    /// Appends the seven arrays as a JSON object.
    pub fn write(&self, out: &mut String) {
        let mut object = Object::open(out);
        self.write_members(&mut object);
        object.close();
    }

    /// Writes the seven arrays as members of an object that may have others.
    pub fn write_members(&self, object: &mut Object<'_>) {
        let integer = |out: &mut String, value: &i64| json::integer(out, *value);
        let number = |out: &mut String, value: &f64| json::number(out, *value);
        object.array(Slot::ArrayOfInt.name(), &self.ints, integer);
        object.array(Slot::ArrayOfUniqueInt.name(), &self.unique_ints, integer);
        object.array(Slot::ArrayOfTwonumbers.name(), &self.two_numbers, integer);
        object.array(Slot::ArrayOfFloat.name(), &self.floats, number);
        object.array(Slot::ArrayOfNumberNoDefaults.name(), &self.numbers, number);
        object.array(Slot::ArrayOfString.name(), &self.strings, |out, value| json::string(out, value));
        self.write_objects(object.member(Slot::ArrayOfObjectType.name()));
    }

    /// Appends the items of `arrayOfObjectType` as a JSON array.
    pub fn write_objects(&self, out: &mut String) {
        json::array(out, &self.objects, |out, item| {
            let mut object = Object::open(out);
            if let Some(value) = item.integer_example {
                object.integer(Slot::IntegerExample.name(), value);
            }
            if let Some(value) = item.integer_example_int32 {
                object.integer(Slot::IntegerExampleInt32.name(), i64::from(value));
            }
            object.close();
        });
    }
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
    /// The arrays.
    pub arrays: ArraysInput,
    /// The texts.
    pub texts: Texts,
}

/// The body of operation 10, after validation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UpdateInput {
    /// The expected version.
    pub version: u64,
    /// The actions to perform in order.
    pub actions: Vec<Action>,
}

/// An update action (`interface.md`, ExampleResourceUpdateAction).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Action {
    /// `doSomeThing`: changes no field.
    DoSomeThing,
    /// `changeSomeProperty`: sets `someProperty`.
    ChangeSomeProperty {
        /// `someProperty`
        some_property: String,
    },
}
