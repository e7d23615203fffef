//! The shapes that only responses have, as constant data. The OpenAPI document and the TypeScript types of the npm
//! package are printed from them, and the code that writes a response uses their names.

use super::prose;
use super::resource::schema::{FieldId, Object};

/// The type of a member of a response.
#[derive(Debug, Clone, Copy)]
pub enum ResponseType {
    /// A whole number.
    Integer,
    /// A finite number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// Any text.
    Text,
    /// A text of a format of JSON Schema.
    Format(&'static str),
    /// A text that matches a regular expression.
    Pattern(&'static str),
    /// Always this text.
    Constant(&'static str),
    /// One of these texts.
    Choice(&'static [&'static str]),
    /// An array of texts.
    Texts,
    /// A text, or an array of texts.
    TextOrTexts,
    /// The code of an error.
    Code,
    /// The name of the broken rule.
    Reason,
    /// Any value.
    Any,
    /// An array.
    Array(&'static Self),
    /// An array with at least one item.
    NonEmpty(&'static Self),
    /// An object of any names.
    Map(&'static Self),
    /// A shape that documents write in place.
    Inline(&'static ResponseSchema),
    /// A shape that documents refer to by its name.
    Named(&'static ResponseSchema),
    /// An object of the schema, by its name.
    Object(&'static Object),
}

/// A shape of responses.
#[derive(Debug)]
pub struct ResponseSchema {
    /// Its name in documents and types.
    pub name: &'static str,
    /// Its purpose, in one or two sentences.
    pub about: &'static str,
    /// Its content.
    pub content: ResponseContent,
}

/// The content of a shape of responses.
#[derive(Debug)]
pub enum ResponseContent {
    /// An object with the members, after those of its parents. A later version may add members.
    Object {
        /// Shapes; the object also has their members.
        parents: &'static [ResponseType],
        /// Its own members, in the order of presentation.
        members: &'static [ResponseMember],
    },
    /// One of several objects.
    Union {
        /// The member that names the object.
        tag: &'static str,
        /// The values of the tag, each with its object.
        variants: &'static [(&'static str, &'static ResponseSchema)],
    },
    /// A text.
    Text,
}

/// A member of an object in a response.
#[derive(Debug)]
pub struct ResponseMember {
    /// Its name on the wire.
    pub name: &'static str,
    /// Its type.
    pub ty: ResponseType,
    /// Whether it is present in every response.
    pub is_always: bool,
    /// Its meaning, in one or two sentences.
    pub about: &'static str,
}

const fn always(name: &'static str, ty: ResponseType, about: &'static str) -> ResponseMember {
    ResponseMember { name, ty, is_always: true, about: prose(about).trim_ascii_start() }
}

pub(super) const fn optional(name: &'static str, ty: ResponseType, about: &'static str) -> ResponseMember {
    ResponseMember { name, ty, is_always: false, about: prose(about).trim_ascii_start() }
}

/// Defines shapes, each with a module of its members' names. `: [...]` lists its parents.
macro_rules! shapes {
    ($(
        $(#[doc = $about:literal])*
        $shape:ident $names:ident = $name:literal $(: [$($parent:expr),*])? {
            $($(#[doc = $doc:literal])* $presence:ident $member:ident = $wire:literal: $ty:expr,)*
        }
    )*) => {
        $(
            $(#[doc = $about])*
            pub static $shape: ResponseSchema = ResponseSchema {
                name: prose($name),
                about: prose(concat!($($about),*)).trim_ascii_start(),
                content: ResponseContent::Object {
                    parents: &[$($($parent),*)?],
                    members: &[$($presence($names::$member, $ty, concat!($($doc),*)),)*],
                },
            };

            #[doc = concat!("The names of the members of `", $name, "`.")]
            pub mod $names {
                $($(#[doc = $doc])* pub const $member: &str = $wire;)*
            }
        )*
    };
}

pub mod errors;
pub mod export_end;
pub mod operations;
pub mod receipt;
pub mod services;

/// Rules of fields of [`super::resource::schema::RESOURCE`] that their types do not express.
pub static RESOURCE_FIELDS: [(FieldId, &str); 5] = [
    (FieldId::Id, prose("1 to 256 bytes of UTF-8. The service generates one if the body has none.")),
    (FieldId::Version, prose("Rises by one with each write. An update names the version that it expects.")),
    (FieldId::Key, prose("The unique name that you chose, of 1 to 256 bytes of UTF-8.")),
    (FieldId::CreatedAt, prose("`YYYY-MM-DDThh:mm:ss.mmmZ`, in UTC.")),
    (
        FieldId::LastModifiedAt,
        prose(
            "`YYYY-MM-DDThh:mm:ss.mmmZ`, in UTC. Each write of the project has a later time than the one before.",
        ),
    ),
];
