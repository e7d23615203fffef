//! The shapes that only responses have, as constant data. The OpenAPI document and the TypeScript types of the npm
//! package are printed from them, and the code that writes a response uses their names.

use super::prose;
use super::resource::{ObjectId, System};

#[derive(Debug, Clone, Copy)]
pub enum ResponseType {
    Integer,
    Number,
    Boolean,
    Text,
    Format(&'static str),
    Pattern(&'static str),
    Constant(&'static str),
    Choice(&'static [&'static str]),
    Texts,
    TextOrTexts,
    Code,
    Reason,
    Any,
    Array(&'static Self),
    NonEmpty(&'static Self),
    Map(&'static Self),
    /// A shape that documents write in place.
    Inline(&'static ResponseSchema),
    /// A shape that documents refer to by its name.
    Named(&'static ResponseSchema),
    /// An object of the schema, by its name.
    Object(ObjectId),
}

#[derive(Debug)]
pub struct ResponseSchema {
    pub name: &'static str,
    pub about: &'static str,
    pub content: ResponseContent,
}

#[derive(Debug)]
pub enum ResponseContent {
    /// An object with the members, after those of its parents. A later version may add members.
    Object {
        /// Shapes; the object also has their members.
        parents: &'static [ResponseType],
        members: &'static [ResponseMember],
    },
    Union {
        /// The member that names the object.
        tag: &'static str,
        /// The values of the tag, each with its object.
        variants: &'static [(&'static str, &'static ResponseSchema)],
    },
    Text,
}

#[derive(Debug, Clone, Copy)]
pub struct ResponseMember {
    pub name: &'static str,
    pub ty: ResponseType,
    /// Whether it is present in every response.
    pub is_always: bool,
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

/// Rules of fields of [`super::resource::ObjectId::Record`] that their types do not express.
pub static RESOURCE_FIELDS: [(System, &str); 5] = [
    (System::Id, prose("1 to 256 bytes of UTF-8. The service generates one if the body has none.")),
    (System::Version, prose("Rises by one with each write. An update names the version that it expects.")),
    (System::Key, prose("The unique name that you chose, of 1 to 256 bytes of UTF-8.")),
    (System::CreatedAt, prose("`YYYY-MM-DDThh:mm:ss.mmmZ`, in UTC.")),
    (
        System::LastModifiedAt,
        prose(
            "`YYYY-MM-DDThh:mm:ss.mmmZ`, in UTC. Each write of the project has a later time than the one before.",
        ),
    ),
];
