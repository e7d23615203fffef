//! The shapes of bodies and records as constant data. The byte validator, the generated JavaScript, the OpenAPI
//! components, the TypeScript types, and the fields of the predicate language read them.

use super::{limits, prose};

/// A JSON type with the rules of the contract.
#[derive(Debug, Clone, Copy)]
pub enum Type {
    /// A mathematical integer within the bounds. The rule applies to the double of the text (D7).
    Integer {
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// A finite number.
    Number,
    /// A string of a format.
    String(Format),
    /// An array.
    Array(&'static Array),
    /// An object.
    Object(&'static Object),
    /// An object whose shape one of its string members names.
    Union(&'static Union),
}

/// The format of a string. D7 forbids U+0000 and lone surrogates in all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Any text.
    Text,
    /// A resource ID (D3).
    Id,
    /// A resource key (D3).
    Key,
    /// `YYYY-MM-DDThh:mm:ss.mmmZ` (D6).
    DateTime,
}

/// An array's items and the rule over all of them.
#[derive(Debug)]
pub struct Array {
    /// The type of each item.
    pub items: Type,
    /// The rule over all items.
    pub rule: ArrayRule,
}

/// A rule over all items of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArrayRule {
    /// No rule.
    Any,
    /// No item twice.
    Unique,
    /// None, or exactly this many.
    EmptyOr(usize),
    /// At most this many.
    AtMost(usize),
}

/// An object's name and fields, in the order of presentation.
#[derive(Debug)]
pub struct Object {
    /// The name of the shape in documents and types.
    pub name: &'static str,
    /// The purpose of the shape, in one sentence.
    pub about: &'static str,
    /// Its fields; any other is an error (D9).
    pub fields: &'static [Field],
}

/// One field of an object.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// Which field it is, for code that stores what was read.
    pub slot: Slot,
    /// Its type.
    pub ty: Type,
    /// Whether it must be present and not null (D8).
    pub required: bool,
}

impl Field {
    /// The member's name on the wire.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.slot.name()
    }
}

/// An object whose shape a string member names.
#[derive(Debug)]
pub struct Union {
    /// The name of the shape in documents and types.
    pub name: &'static str,
    /// The member that names the variant.
    pub tag: Field,
    /// The values of the tag, each with its shape. The tag is a field of every shape.
    pub variants: &'static [(&'static str, &'static Object)],
}

macro_rules! slots {
    ($($(#[$doc:meta])* $slot:ident = $name:literal,)*) => {
        /// Every field of the contract, with its name on the wire.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs, reason = "the wire names beside them say it")]
        pub enum Slot { $($(#[$doc])* $slot,)* }

        impl Slot {
            /// Every field, in the order of their numbers.
            pub const ALL: &'static [Self] = &[$(Self::$slot,)*];

            /// The member's name on the wire.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$slot => $name,)* }
            }
        }
    };
}

slots! {
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
    ArrayOfInt = "arrayOfIntExample",
    ArrayOfUniqueInt = "arrayOfUniqueIntExample",
    ArrayOfTwonumbers = "arrayOfTwonumbersExample",
    ArrayOfFloat = "arrayOfFloatExample",
    ArrayOfNumberNoDefaults = "arrayOfNumberNoDefaultsExample",
    ArrayOfString = "arrayOfStringExample",
    ArrayOfObjectType = "arrayOfObjectType",
    IntegerExample = "integerExample",
    IntegerExampleInt32 = "integerExampleInt32",
    SomeProperty = "someProperty",
    Eigth = "eigthProperty",
    Ninth = "ninthProperty",
    Tenth = "tenthProperty",
    Eleventh = "eleventhPropery",
    Twelth = "twelthProperty",
    Thirteenth = "thirteenthProperty",
    Fourteenth = "fourteenthProperty",
    Fifteenth = "fifteenthProperty",
    Custom = "custom",
    Actions = "actions",
    Action = "action",
    DeletedAt = "deletedAt",
}

impl Slot {
    /// The eight numbered strings, in the order of presentation.
    pub const NUMBERED: [Self; 8] = [
        Self::Eigth,
        Self::Ninth,
        Self::Tenth,
        Self::Eleventh,
        Self::Twelth,
        Self::Thirteenth,
        Self::Fourteenth,
        Self::Fifteenth,
    ];
}

const INTEGER: Type = Type::Integer { min: -limits::INTEGER_MAX, max: limits::INTEGER_MAX };
const INT32: Type = Type::Integer { min: i32::MIN as i64, max: i32::MAX as i64 };
const VERSION: Type = Type::Integer { min: 0, max: limits::INTEGER_MAX };
const TEXT: Type = Type::String(Format::Text);
const DATE_TIME: Type = Type::String(Format::DateTime);

const fn optional(slot: Slot, ty: Type) -> Field {
    Field { slot, ty, required: false }
}

const fn required(slot: Slot, ty: Type) -> Field {
    Field { slot, ty, required: true }
}

/// A person, as `createdBy` and `lastModifiedBy` name one (`interface.md`, Complex body).
pub static PERSON: Object = Object {
    name: prose("Person"),
    about: prose("Who created or changed a resource."),
    fields: &[optional(Slot::FirstName, TEXT), optional(Slot::LastName, TEXT)],
};

/// An item of `arrayOfObjectType` (`interface.md`, ObjectTestType).
pub static OBJECT_ITEM: Object = Object {
    name: prose("ObjectType"),
    about: prose("An item of `arrayOfObjectType`."),
    fields: &[optional(Slot::IntegerExample, INTEGER), optional(Slot::IntegerExampleInt32, INT32)],
};

static INTEGERS: Array = Array { items: INTEGER, rule: ArrayRule::Any };
static UNIQUE_INTEGERS: Array = Array { items: INTEGER, rule: ArrayRule::Unique };
static TWO_INTEGERS: Array = Array { items: INTEGER, rule: ArrayRule::EmptyOr(2) };
static NUMBERS: Array = Array { items: Type::Number, rule: ArrayRule::Any };
static STRINGS: Array = Array { items: TEXT, rule: ArrayRule::Any };
static OBJECTS: Array = Array { items: Type::Object(&OBJECT_ITEM), rule: ArrayRule::Any };

/// The seven arrays in their order; the function turns each into a field.
macro_rules! array_fields {
    ($field:ident) => {
        &[
            $field(Slot::ArrayOfInt, Type::Array(&INTEGERS)),
            $field(Slot::ArrayOfUniqueInt, Type::Array(&UNIQUE_INTEGERS)),
            $field(Slot::ArrayOfTwonumbers, Type::Array(&TWO_INTEGERS)),
            $field(Slot::ArrayOfFloat, Type::Array(&NUMBERS)),
            $field(Slot::ArrayOfNumberNoDefaults, Type::Array(&NUMBERS)),
            $field(Slot::ArrayOfString, Type::Array(&STRINGS)),
            $field(Slot::ArrayOfObjectType, Type::Array(&OBJECTS)),
        ]
    };
}

/// The seven arrays (`interface.md`, ObjectTestType).
pub static OBJECT_TEST_TYPE: Object = Object {
    name: prose("ObjectTestType"),
    about: prose("The seven arrays of a resource."),
    fields: array_fields!(optional),
};

/// The seven arrays as they are stored and returned: all of them (D1).
pub static ARRAYS: Object = Object {
    name: prose("Arrays"),
    about: prose("The seven arrays in a response. Each is present, and empty by default."),
    fields: array_fields!(required),
};

/// The fields of a record (D1) in their order. `$made` turns those that the server generates into fields; `version` and
/// `objectTypeProperty` are arguments.
macro_rules! record_fields {
    ($made:ident, $version:expr, $arrays:expr) => {
        &[
            $made(Slot::Id, Type::String(Format::Id)),
            $version,
            optional(Slot::Key, Type::String(Format::Key)),
            $made(Slot::CreatedAt, DATE_TIME),
            optional(Slot::CreatedBy, Type::Object(&PERSON)),
            $made(Slot::LastModifiedAt, DATE_TIME),
            optional(Slot::LastModifiedBy, Type::Object(&PERSON)),
            $arrays,
            optional(Slot::SomeProperty, TEXT),
            optional(Slot::Eigth, TEXT),
            optional(Slot::Ninth, TEXT),
            optional(Slot::Tenth, TEXT),
            optional(Slot::Eleventh, TEXT),
            optional(Slot::Twelth, TEXT),
            optional(Slot::Thirteenth, TEXT),
            optional(Slot::Fourteenth, TEXT),
            optional(Slot::Fifteenth, TEXT),
            optional(Slot::Custom, TEXT),
        ]
    };
}

/// The body of operation 6, and the fields that queries may name (D1, D9, D13).
pub static RESOURCE_DRAFT: Object = Object {
    name: prose("ResourceDraft"),
    about: prose("The body that creates or updates a resource (operation 6)."),
    fields: record_fields!(
        optional,
        optional(Slot::Version, VERSION),
        required(Slot::ObjectTypeProperty, Type::Object(&OBJECT_TEST_TYPE))
    ),
};

/// The body of operations 7 and 8 (D8).
pub static RESOURCE_OVERWRITE: Object = Object {
    name: prose("ResourceOverwrite"),
    about: prose("The body that overwrites a resource (operations 7 and 8)."),
    fields: record_fields!(
        optional,
        required(Slot::Version, VERSION),
        required(Slot::ObjectTypeProperty, Type::Object(&OBJECT_TEST_TYPE))
    ),
};

/// A resource in a response (D1, D2).
pub static RESOURCE: Object = Object {
    name: prose("Resource"),
    about: prose("A resource in a response. You can send it back as the body of an overwrite."),
    fields: record_fields!(
        required,
        required(Slot::Version, Type::Integer { min: 1, max: limits::INTEGER_MAX }),
        required(Slot::ObjectTypeProperty, Type::Object(&ARRAYS))
    ),
};

/// A line of an export for an ID that was deleted: the version that it goes on with (D5). `deletedAt` comes first, and tells
/// it from a resource.
pub static DELETED: Object = Object {
    name: "DeletedResource",
    about: prose("A line of an export for an ID that was deleted: its last version."),
    fields: &[
        required(Slot::DeletedAt, DATE_TIME),
        required(Slot::Id, Type::String(Format::Id)),
        required(Slot::Version, Type::Integer { min: 1, max: limits::INTEGER_MAX }),
    ],
};

/// The body of operations 9 and 13 (`interface.md`, Complex body; D14).
pub static COMPLEX_BODY: Object = Object {
    name: prose("ComplexBody"),
    about: prose("The body of the two operations with path-structured addressing (operations 9 and 13)."),
    fields: &[
        optional(Slot::Id, Type::String(Format::Id)),
        optional(Slot::Version, TEXT),
        optional(Slot::Key, Type::String(Format::Key)),
        optional(Slot::CreatedAt, DATE_TIME),
        optional(Slot::CreatedBy, Type::Object(&PERSON)),
        optional(Slot::LastModifiedAt, DATE_TIME),
        optional(Slot::LastModifiedBy, Type::Object(&PERSON)),
        optional(Slot::Eigth, TEXT),
        optional(Slot::Ninth, TEXT),
        optional(Slot::Tenth, TEXT),
        optional(Slot::Eleventh, TEXT),
        optional(Slot::Twelth, TEXT),
        optional(Slot::Thirteenth, TEXT),
        optional(Slot::Fourteenth, TEXT),
        optional(Slot::Fifteenth, TEXT),
        optional(Slot::Custom, TEXT),
    ],
};

const ACTION_TAG: Field = required(Slot::Action, TEXT);

static DO_SOME_THING: Object = Object {
    name: prose("DoSomeThing"),
    about: prose("Changes no field; the version rises."),
    fields: &[ACTION_TAG],
};

static CHANGE_SOME_PROPERTY: Object = Object {
    name: prose("ChangeSomeProperty"),
    about: prose("Sets `someProperty`."),
    fields: &[ACTION_TAG, required(Slot::SomeProperty, TEXT)],
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
    fields: &[required(Slot::Version, VERSION), required(Slot::Actions, Type::Array(&UPDATE_ACTIONS))],
};

/// The four bodies that a client may send, in the order in which the npm package numbers them.
pub static BODIES: [&Object; 4] = [&RESOURCE_DRAFT, &RESOURCE_OVERWRITE, &RESOURCE_UPDATE, &COMPLEX_BODY];

impl Object {
    /// The field of that name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name() == name)
    }
}
