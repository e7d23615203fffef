//! The shapes of bodies and records as constant data. The validator, the OpenAPI components, the TypeScript types, and
//! the fields of the predicate language read them.

use core::fmt;
use std::cell::Cell;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use super::types::{Array, ArrayRule, Extended, Field, FieldId, Format, Object, Type, Union, Variant};
use crate::contract::{limits, prose};

impl Field {
    pub fn name(&self) -> &'static str {
        self.id.name()
    }
}

impl Object {
    /// Returns its fields; any other is an error (D9).
    pub fn fields(&self) -> &'static [Field] {
        self.extended.map_or(self.fixed, OwnFields::of)
    }

    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields().iter().find(|field| field.name() == name)
    }
}

impl Union {
    /// Returns the values of the tag, each with its shape. Update actions are the only union.
    pub fn variants(&self) -> &'static [Variant] {
        OwnFields::current().actions
    }
}

/// A table of own fields, with the shapes that contain them (D37).
#[derive(Debug)]
pub struct OwnFields {
    pub fields: &'static [Field],
    pub(super) names: &'static [&'static str],
    /// The fields of each [`Extended`] object.
    pub(super) objects: [&'static [Field]; 4],
    pub(super) actions: &'static [Variant],
}

/// The table of a deployment without own fields.
pub(super) static NO_OWN_FIELDS: OwnFields = OwnFields {
    fields: &[],
    names: &[],
    objects: [RESOURCE_DRAFT.fixed, RESOURCE_OVERWRITE.fixed, RESOURCE.fixed, COMPLEX_BODY.fixed],
    actions: UPDATE_ACTION.fixed,
};

thread_local! {
    static OWN: Cell<&'static OwnFields> = const { Cell::new(&NO_OWN_FIELDS) };
}

impl OwnFields {
    /// Returns the table of this thread.
    pub fn current() -> &'static Self {
        OWN.get()
    }

    /// Lets this thread use the table from now on.
    pub fn install(&'static self) {
        OWN.set(self);
    }

    /// Returns the fields of an object. Never inlined, because each byte of the client counts in the size of a page.
    #[inline(never)]
    fn of(object: Extended) -> &'static [Field] {
        let [draft, overwrite, record, complex] = &Self::current().objects;
        match object {
            Extended::Draft => draft,
            Extended::Overwrite => overwrite,
            Extended::Record => record,
            Extended::Complex => complex,
        }
    }
}

// The types of fields.

pub const TEXT: Type = Type::String(Format::Text);
/// An integer that a double represents exactly.
pub const INTEGER: Type = Type::Integer { min: -limits::INTEGER_MAX, max: limits::INTEGER_MAX };
pub const NUMBER: Type = Type::Number;
pub const BOOLEAN: Type = Type::Boolean;
pub const DATE_TIME: Type = Type::String(Format::DateTime);
pub const TEXTS: Type = Type::Array(&Array { items: TEXT, rule: ArrayRule::Any });
pub const INTEGERS: Type = Type::Array(&Array { items: INTEGER, rule: ArrayRule::Any });
pub const UNIQUE_INTEGERS: Type = Type::Array(&Array { items: INTEGER, rule: ArrayRule::Unique });
/// No integer, or two.
pub const TWO_INTEGERS: Type = Type::Array(&Array { items: INTEGER, rule: ArrayRule::EmptyOr(2) });
pub const NUMBERS: Type = Type::Array(&Array { items: NUMBER, rule: ArrayRule::Any });
pub const BOOLEANS: Type = Type::Array(&Array { items: BOOLEAN, rule: ArrayRule::Any });
pub const DATE_TIMES: Type = Type::Array(&Array { items: DATE_TIME, rule: ArrayRule::Any });
const OBJECTS: Type = Type::Array(&Array { items: Type::Object(&OBJECT_ITEM), rule: ArrayRule::Any });
const INT32: Type = Type::Integer { min: i32::MIN as i64, max: i32::MAX as i64 };
const VERSION: Type = Type::Integer { min: 0, max: limits::INTEGER_MAX };
const STORED_VERSION: Type = Type::Integer { min: 1, max: limits::INTEGER_MAX };

macro_rules! fields {
    (
        named: [$($named:ident = $named_name:literal,)*],
        arrays: [$($array:ident = $array_name:literal: $array_type:ident,)*],
        further: [$($further:ident = $further_name:literal: $further_type:ident, $bodies:ident,)*],
    ) => {
        /// The numbers of the fields of the interface, in order.
        enum Number { $($named,)* $($array,)* $($further,)* }

        #[allow(non_upper_case_globals, reason = "they are used as the variants of an enum")]
        impl FieldId {
            $(pub const $named: Self = Self(Number::$named as u8);)*
            $(pub const $array: Self = Self(Number::$array as u8);)*
            $(pub const $further: Self = Self(Number::$further as u8);)*
        }

        impl FieldId {
            /// The fields of the interface, which every deployment has, in the order of their numbers.
            pub const FIXED: &'static [Self] =
                &[$(Self::$named,)* $(Self::$array,)* $(Self::$further,)*];

            /// The names of [`Self::FIXED`].
            pub(super) const NAMES: &'static [&'static str] = &[$($named_name,)* $($array_name,)* $($further_name,)*];

            /// Returns the type of a field of the content that every deployment has. `None` for any other field.
            pub(super) const fn fixed_content(self) -> Option<Type> {
                match self {
                    $(Self::$array => Some($array_type),)*
                    $(Self::$further => Some($further_type),)*
                    _ => None,
                }
            }

            /// Returns whether it is one of the arrays of `objectTypeProperty`.
            pub const fn is_wrapped(self) -> bool {
                matches!(self, $(Self::$array)|*)
            }
        }

        /// Returns the seven arrays as fields.
        const fn array_fields(required: bool) -> [Field; [$(FieldId::$array),*].len()] {
            [$(Field { id: FieldId::$array, ty: $array_type, required },)*]
        }

        const FURTHER_FIELDS: &[(Field, Bodies)] =
            &[$((optional(FieldId::$further, $further_type), Bodies::$bodies),)*];
    };
}

// The fields of a resource. A field's number is its place in these lists. The index stores it, so new fields go to the
// end. If the lists change in another way, the index is rebuilt, because its version contains
// `fingerprint::FINGERPRINT`.
fields! {
    // Fields that the service itself uses, and fields inside others. The shapes below state their types.
    named: [
        Id = "id",
        Version = "version",
        Key = "key",
        CreatedAt = "createdAt",
        CreatedBy = "createdBy",
        FirstName = "firstName",
        LastName = "lastName",
        LastModifiedAt = "lastModifiedAt",
        LastModifiedBy = "lastModifiedBy",
        ObjectTypeProperty = "objectTypeProperty",
        IntegerExample = "integerExample",
        IntegerExampleInt32 = "integerExampleInt32",
        Actions = "actions",
        Action = "action",
        DeletedAt = "deletedAt",
    ],
    // The arrays of `objectTypeProperty`, in the order of presentation.
    arrays: [
        ArrayOfInt = "arrayOfIntExample": INTEGERS,
        ArrayOfUniqueInt = "arrayOfUniqueIntExample": UNIQUE_INTEGERS,
        ArrayOfTwonumbers = "arrayOfTwonumbersExample": TWO_INTEGERS,
        ArrayOfFloat = "arrayOfFloatExample": NUMBERS,
        ArrayOfNumberNoDefaults = "arrayOfNumberNoDefaultsExample": NUMBERS,
        ArrayOfString = "arrayOfStringExample": TEXTS,
        ArrayOfObjectType = "arrayOfObjectType": OBJECTS,
    ],
    // Further fields, in the order of presentation: name, type, and the bodies that may have it. To add a field to the
    // resource, add a line at the end.
    further: [
        SomeProperty = "someProperty": TEXT, Resource,
        Eigth = "eigthProperty": TEXT, All,
        Ninth = "ninthProperty": TEXT, All,
        Tenth = "tenthProperty": TEXT, All,
        Eleventh = "eleventhPropery": TEXT, All,
        Twelth = "twelthProperty": TEXT, All,
        Thirteenth = "thirteenthProperty": TEXT, All,
        Fourteenth = "fourteenthProperty": TEXT, All,
        Fifteenth = "fifteenthProperty": TEXT, All,
        Custom = "custom": TEXT, All,
    ],
}

// The room for fields in `FieldPath::code`, and for fields of one object in the walk of the validator.
const _: () = assert!(
    FieldId::FIXED.len() <= OWN_FIRST as usize
        && OWN_FIRST as usize + limits::OWN_FIELDS < 255
        && FieldId::DeletedAt.0 < 63
        && RECORD_FIELDS <= 64
);

/// How many own fields there may be: less than the limit in a build that adds many fields.
pub const OWN_ROOM: usize =
    if 64 - RECORD_FIELDS < limits::OWN_FIELDS { 64 - RECORD_FIELDS } else { limits::OWN_FIELDS };

/// The number of the first own field. Between, there is room for more fields of the interface.
const OWN_FIRST: u8 = 128;

impl FieldId {
    /// Returns the ID of an own field by its place in the table.
    pub(super) const fn of_own(place: usize) -> Self {
        Self(OWN_FIRST + place as u8)
    }

    /// Returns the place of an own field in the table; `None` for a field of the interface.
    pub(super) fn own_place(self) -> Option<usize> {
        self.0.checked_sub(OWN_FIRST).map(usize::from)
    }

    /// Returns every field, in the order of their numbers.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::FIXED.iter().copied().chain(OwnFields::current().fields.iter().map(|field| field.id))
    }

    pub const fn number(self) -> u8 {
        self.0
    }

    /// Returns the field of a number. `None` if this deployment has no such field.
    pub fn from_number(number: u8) -> Option<Self> {
        let id = Self(number);
        let is_there = match id.own_place() {
            Some(place) => place < OwnFields::current().fields.len(),
            None => usize::from(number) < Self::FIXED.len(),
        };
        is_there.then_some(id)
    }

    /// Returns the member's name on the wire.
    pub fn name(self) -> &'static str {
        match Self::NAMES.get(usize::from(self.0)) {
            Some(name) => name,
            None => self.own_name(),
        }
    }

    /// Returns the name of an own field. There is no ID of another one.
    #[cold]
    fn own_name(self) -> &'static str {
        let name = self.own_place().and_then(|place| OwnFields::current().names.get(place));
        name.copied().unwrap_or_default()
    }

    /// Returns the type of a field of the content: the arrays, the further fields, and the own fields. `None` for any
    /// other.
    pub fn content(self) -> Option<Type> {
        if self.0 < OWN_FIRST {
            self.fixed_content()
        } else {
            OwnFields::current().fields.get(self.own_place()?).map(|field| field.ty)
        }
    }
}

impl fmt::Debug for FieldId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bodies {
    /// The bodies of operations 6 to 8.
    Resource,
    /// The bodies of operations 6 to 9 and 13.
    All,
}

impl Bodies {
    /// Returns whether a field of these bodies is one of the others too.
    const fn include(self, others: Self) -> bool {
        matches!((self, others), (Self::All, _) | (_, Self::Resource))
    }
}

pub(super) const fn optional(id: FieldId, ty: Type) -> Field {
    Field { id, ty, required: false }
}

const fn required(id: FieldId, ty: Type) -> Field {
    Field { id, ty, required: true }
}

/// Returns the fields, followed by the further ones that the bodies may have.
const fn with_further<const N: usize>(first: &[Field], bodies: Bodies) -> [Field; N] {
    let mut fields = [ACTION_TAG; N];
    let (start, mut places) = fields.split_at_mut(first.len());
    start.copy_from_slice(first);
    let mut further = FURTHER_FIELDS;
    while let [(field, of), rest @ ..] = further {
        if of.include(bodies)
            && let [place, more_places @ ..] = places
        {
            *place = *field;
            places = more_places;
        }
        further = rest;
    }
    fields
}

/// Returns how many of the further fields the bodies may have.
const fn count_further(bodies: Bodies) -> usize {
    let (mut count, mut further) = (0, FURTHER_FIELDS);
    while let [(_, of), rest @ ..] = further {
        count += of.include(bodies) as usize;
        further = rest;
    }
    count
}

/// A person, as `createdBy` and `lastModifiedBy` name one (`interface.md`, Complex body).
pub static PERSON: Object = Object {
    name: prose("Person"),
    about: prose("Who created or changed a resource."),
    fixed: &[optional(FieldId::FirstName, TEXT), optional(FieldId::LastName, TEXT)],
    extended: None,
};

/// An item of `arrayOfObjectType` (`interface.md`, ObjectTestType).
pub static OBJECT_ITEM: Object = Object {
    name: prose("ObjectType"),
    about: prose("An item of `arrayOfObjectType`."),
    fixed: &[optional(FieldId::IntegerExample, INTEGER), optional(FieldId::IntegerExampleInt32, INT32)],
    extended: None,
};

/// The seven arrays (`interface.md`, ObjectTestType).
pub static OBJECT_TEST_TYPE: Object = Object {
    name: prose("ObjectTestType"),
    about: prose("The seven arrays of a resource."),
    fixed: &array_fields(false),
    extended: None,
};

/// The seven arrays as they are stored and returned: all of them (D1).
pub static ARRAYS: Object = Object {
    name: prose("Arrays"),
    about: prose("The seven arrays in a response. Each is present, and empty by default."),
    fixed: &array_fields(true),
    extended: None,
};

/// Returns the fields of a resource in a body or response (D1), without the further ones: those that the server
/// generates are required in a response only.
const fn record_fields(generated: bool, version: Field, arrays: &'static Object) -> [Field; 8] {
    [
        Field { id: FieldId::Id, ty: Type::String(Format::Id), required: generated },
        version,
        optional(FieldId::Key, Type::String(Format::Key)),
        Field { id: FieldId::CreatedAt, ty: DATE_TIME, required: generated },
        optional(FieldId::CreatedBy, Type::Object(&PERSON)),
        Field { id: FieldId::LastModifiedAt, ty: DATE_TIME, required: generated },
        optional(FieldId::LastModifiedBy, Type::Object(&PERSON)),
        required(FieldId::ObjectTypeProperty, Type::Object(arrays)),
    ]
}

const RECORD_FIELDS: usize = 8 + FURTHER_FIELDS.len();

/// The body of operation 6, and the fields that queries may name (D1, D9, D13).
pub static RESOURCE_DRAFT: Object = Object {
    name: prose("ResourceDraft"),
    about: prose("The body that creates or updates a resource (operation 6)."),
    fixed: &with_further::<RECORD_FIELDS>(
        &record_fields(false, optional(FieldId::Version, VERSION), &OBJECT_TEST_TYPE),
        Bodies::Resource,
    ),
    extended: Some(Extended::Draft),
};

/// The body of operations 7 and 8 (D8).
pub static RESOURCE_OVERWRITE: Object = Object {
    name: prose("ResourceOverwrite"),
    about: prose("The body that overwrites a resource (operations 7 and 8)."),
    fixed: &with_further::<RECORD_FIELDS>(
        &record_fields(false, required(FieldId::Version, VERSION), &OBJECT_TEST_TYPE),
        Bodies::Resource,
    ),
    extended: Some(Extended::Overwrite),
};

/// A resource in a response (D1, D2).
pub static RESOURCE: Object = Object {
    name: prose("Resource"),
    about: prose("A resource in a response. You can send it back as the body of an overwrite."),
    fixed: &with_further::<RECORD_FIELDS>(
        &record_fields(true, required(FieldId::Version, STORED_VERSION), &ARRAYS),
        Bodies::Resource,
    ),
    extended: Some(Extended::Record),
};

/// A line of an export for an ID that was deleted, with the version after which the ID continues (D5). `deletedAt` is
/// the first member, and distinguishes the line from a resource.
pub static DELETED: Object = Object {
    name: "DeletedResource",
    about: prose("A line of an export for an ID that was deleted: its last version."),
    fixed: &[
        required(FieldId::DeletedAt, DATE_TIME),
        required(FieldId::Id, Type::String(Format::Id)),
        required(FieldId::Version, STORED_VERSION),
    ],
    extended: None,
};

/// The body of operations 9 and 13 (`interface.md`, Complex body; D14).
pub static COMPLEX_BODY: Object = Object {
    name: prose("ComplexBody"),
    about: prose("The body of the two operations with path-structured addressing (operations 9 and 13)."),
    fixed: &with_further::<{ 7 + count_further(Bodies::All) }>(
        &[
            optional(FieldId::Id, Type::String(Format::Id)),
            optional(FieldId::Version, TEXT),
            optional(FieldId::Key, Type::String(Format::Key)),
            optional(FieldId::CreatedAt, DATE_TIME),
            optional(FieldId::CreatedBy, Type::Object(&PERSON)),
            optional(FieldId::LastModifiedAt, DATE_TIME),
            optional(FieldId::LastModifiedBy, Type::Object(&PERSON)),
        ],
        Bodies::All,
    ),
    extended: Some(Extended::Complex),
};

pub(super) const ACTION_TAG: Field = required(FieldId::Action, TEXT);

static DO_SOME_THING: Object = Object {
    name: prose("DoSomeThing"),
    about: prose("Changes no field, and increments the version."),
    fixed: &[ACTION_TAG],
    extended: None,
};

static CHANGE_SOME_PROPERTY: Object = Object {
    name: prose("ChangeSomeProperty"),
    about: prose("Sets `someProperty`."),
    fixed: &[ACTION_TAG, required(FieldId::SomeProperty, TEXT)],
    extended: None,
};

/// An update action (`interface.md`, ExampleResourceUpdateAction).
pub static UPDATE_ACTION: Union = Union {
    name: prose("ExampleResourceUpdateAction"),
    tag: ACTION_TAG,
    fixed: &[("doSomeThing", &DO_SOME_THING), ("changeSomeProperty", &CHANGE_SOME_PROPERTY)],
};

static UPDATE_ACTIONS: Array =
    Array { items: Type::Union(&UPDATE_ACTION), rule: ArrayRule::AtMost(limits::ACTIONS) };

/// The body of operation 10 (`interface.md`, Endpoints 10).
pub static RESOURCE_UPDATE: Object = Object {
    name: prose("ResourceUpdate"),
    about: prose("An expected version and the actions to perform in order (operation 10)."),
    fixed: &[required(FieldId::Version, VERSION), required(FieldId::Actions, Type::Array(&UPDATE_ACTIONS))],
    extended: None,
};

/// The four bodies that a client may send, in the order in which the npm package numbers them.
pub static BODIES: [&Object; 4] = [&RESOURCE_DRAFT, &RESOURCE_OVERWRITE, &RESOURCE_UPDATE, &COMPLEX_BODY];

// Between the Worker and a project's object, a field is its number.
impl Serialize for FieldId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.count();
        serializer.serialize_u8(self.0)
    }
}

impl<'de> Deserialize<'de> for FieldId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = u8::deserialize(deserializer)?;
        Self::from_number(number).ok_or_else(|| serde::de::Error::custom("no such field"))
    }
}
