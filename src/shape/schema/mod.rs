//! Reads JSON Schema (draft 2020-12): the part of it that a shape supports. What is not supported is refused with its
//! place and what to write instead; nothing is ignored.

mod inline;
mod keyword;
mod kind;
mod place;
pub(super) mod plain;
mod reader;

pub use self::inline::{Detail, without_references};
pub use self::keyword::{KEYWORDS, Keyword, KeywordForm, NOTES};
pub use self::kind::{KINDS, SchemaType};
pub use self::place::Refused;
pub use self::reader::Marks;
pub(super) use self::reader::{Node, read};
