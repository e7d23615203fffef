//! The shapes of bodies and records as constant data. The byte validator, the generated JavaScript, the OpenAPI
//! components, the TypeScript types, and the fields of the predicate language read them.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::contract::{limits, prose};

#[derive(Debug, Clone, Copy)]
pub enum Type {
    /// A mathematical integer within the bounds. The rule applies to the double of the text (D7).
    Integer {
        min: i64,
        max: i64,
    },
    Number,
    Boolean,
    String(Format),
    Array(&'static Array),
    Object(&'static Object),
    /// An object whose shape one of its string members names.
    Union(&'static Union),
}

/// The format of a string. D7 forbids U+0000 and lone surrogates in all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Text,
    /// A resource ID (D3).
    Id,
    /// A resource key (D3).
    Key,
    /// `YYYY-MM-DDThh:mm:ss.mmmZ` (D6).
    DateTime,
}

#[derive(Debug)]
pub struct Array {
    pub items: Type,
    pub rule: ArrayRule,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArrayRule {
    Any,
    Unique,
    /// None, or exactly this many.
    EmptyOr(usize),
    AtMost(usize),
}

/// An object's name and fields, in the order of presentation.
#[derive(Debug)]
pub struct Object {
    pub name: &'static str,
    pub about: &'static str,
    /// Its fields; any other is an error (D9).
    pub fields: &'static [Field],
}

#[derive(Debug, Clone, Copy)]
pub struct Field {
    pub id: FieldId,
    pub ty: Type,
    /// Whether it must be present and not null (D8).
    pub required: bool,
}

impl Field {
    pub const fn name(&self) -> &'static str {
        self.id.name()
    }
}

/// An object whose shape a string member names.
#[derive(Debug)]
pub struct Union {
    pub name: &'static str,
    /// The member that names the variant.
    pub tag: Field,
    /// The values of the tag, each with its shape. The tag is a field of every shape.
    pub variants: &'static [(&'static str, &'static Object)],
}

impl Type {
    /// Returns the type of each item of an array; any other type itself.
    #[must_use]
    pub const fn item(self) -> Self {
        match self {
            Self::Array(array) => array.items,
            other => other,
        }
    }

    pub const fn is_array(self) -> bool {
        matches!(self, Self::Array(_))
    }
}

impl Object {
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name() == name)
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
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum FieldId { $($named,)* $($array,)* $($further,)* }

        impl FieldId {
            /// Every field, in the order of their numbers.
            pub const ALL: &'static [Self] =
                &[$(Self::$named,)* $(Self::$array,)* $(Self::$further,)*];

            /// Returns the member's name on the wire.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$named => $named_name,)*
                    $(Self::$array => $array_name,)*
                    $(Self::$further => $further_name,)*
                }
            }

            /// Returns the type of a field of the content: the arrays and the further fields. `None` for any other.
            pub const fn content(self) -> Option<Type> {
                match self {
                    $(Self::$named)|* => None,
                    $(Self::$array => Some($array_type),)*
                    $(Self::$further => Some($further_type),)*
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
const _: () = assert!(FieldId::ALL.len() < 255 && (FieldId::DeletedAt as usize) < 63 && RECORD_FIELDS <= 64);

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

const fn optional(id: FieldId, ty: Type) -> Field {
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
    fields: &[optional(FieldId::FirstName, TEXT), optional(FieldId::LastName, TEXT)],
};

/// An item of `arrayOfObjectType` (`interface.md`, ObjectTestType).
pub static OBJECT_ITEM: Object = Object {
    name: prose("ObjectType"),
    about: prose("An item of `arrayOfObjectType`."),
    fields: &[optional(FieldId::IntegerExample, INTEGER), optional(FieldId::IntegerExampleInt32, INT32)],
};

/// The seven arrays (`interface.md`, ObjectTestType).
pub static OBJECT_TEST_TYPE: Object = Object {
    name: prose("ObjectTestType"),
    about: prose("The seven arrays of a resource."),
    fields: &array_fields(false),
};

/// The seven arrays as they are stored and returned: all of them (D1).
pub static ARRAYS: Object = Object {
    name: prose("Arrays"),
    about: prose("The seven arrays in a response. Each is present, and empty by default."),
    fields: &array_fields(true),
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
    fields: &with_further::<RECORD_FIELDS>(
        &record_fields(false, optional(FieldId::Version, VERSION), &OBJECT_TEST_TYPE),
        Bodies::Resource,
    ),
};

/// The body of operations 7 and 8 (D8).
pub static RESOURCE_OVERWRITE: Object = Object {
    name: prose("ResourceOverwrite"),
    about: prose("The body that overwrites a resource (operations 7 and 8)."),
    fields: &with_further::<RECORD_FIELDS>(
        &record_fields(false, required(FieldId::Version, VERSION), &OBJECT_TEST_TYPE),
        Bodies::Resource,
    ),
};

/// A resource in a response (D1, D2).
pub static RESOURCE: Object = Object {
    name: prose("Resource"),
    about: prose("A resource in a response. You can send it back as the body of an overwrite."),
    fields: &with_further::<RECORD_FIELDS>(
        &record_fields(true, required(FieldId::Version, STORED_VERSION), &ARRAYS),
        Bodies::Resource,
    ),
};

/// A line of an export for an ID that was deleted, with the version after which the ID continues (D5). `deletedAt` is
/// the first member, and distinguishes the line from a resource.
pub static DELETED: Object = Object {
    name: "DeletedResource",
    about: prose("A line of an export for an ID that was deleted: its last version."),
    fields: &[
        required(FieldId::DeletedAt, DATE_TIME),
        required(FieldId::Id, Type::String(Format::Id)),
        required(FieldId::Version, STORED_VERSION),
    ],
};

/// The body of operations 9 and 13 (`interface.md`, Complex body; D14).
pub static COMPLEX_BODY: Object = Object {
    name: prose("ComplexBody"),
    about: prose("The body of the two operations with path-structured addressing (operations 9 and 13)."),
    fields: &with_further::<{ 7 + count_further(Bodies::All) }>(
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
};

const ACTION_TAG: Field = required(FieldId::Action, TEXT);

static DO_SOME_THING: Object = Object {
    name: prose("DoSomeThing"),
    about: prose("Changes no field, and increments the version."),
    fields: &[ACTION_TAG],
};

static CHANGE_SOME_PROPERTY: Object = Object {
    name: prose("ChangeSomeProperty"),
    about: prose("Sets `someProperty`."),
    fields: &[ACTION_TAG, required(FieldId::SomeProperty, TEXT)],
};

/// An update action (`interface.md`, ExampleResourceUpdateAction).
pub static UPDATE_ACTION: Union = Union {
    name: prose("ExampleResourceUpdateAction"),
    tag: ACTION_TAG,
    variants: &[("doSomeThing", &DO_SOME_THING), ("changeSomeProperty", &CHANGE_SOME_PROPERTY)],
};

static UPDATE_ACTIONS: Array =
    Array { items: Type::Union(&UPDATE_ACTION), rule: ArrayRule::AtMost(limits::ACTIONS) };

/// The body of operation 10 (`interface.md`, Endpoints 10).
pub static RESOURCE_UPDATE: Object = Object {
    name: prose("ResourceUpdate"),
    about: prose("An expected version and the actions to perform in order (operation 10)."),
    fields: &[required(FieldId::Version, VERSION), required(FieldId::Actions, Type::Array(&UPDATE_ACTIONS))],
};

/// The four bodies that a client may send, in the order in which the npm package numbers them.
pub static BODIES: [&Object; 4] = [&RESOURCE_DRAFT, &RESOURCE_OVERWRITE, &RESOURCE_UPDATE, &COMPLEX_BODY];

// Between the Worker and a project's object, a field is its number.
impl Serialize for FieldId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(*self as u8)
    }
}

impl<'de> Deserialize<'de> for FieldId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = u8::deserialize(deserializer)?;
        Self::ALL.get(usize::from(number)).copied().ok_or_else(|| serde::de::Error::custom("no such field"))
    }
}
