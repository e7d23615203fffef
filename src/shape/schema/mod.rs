//! Reads JSON Schema (draft 2020-12): the part of it that a shape supports. What is not supported is refused with its
//! place and what to write instead; nothing is ignored.

mod inline;
mod keyword;
mod kind;
mod node;
mod place;
pub(super) mod plain;
mod reader;

pub use self::inline::without_references;
pub use self::keyword::{KEYWORDS, NOTES};
pub use self::node::Marks;
pub(super) use self::node::SchemaForm;
pub use self::place::Refused;
pub(super) use self::reader::read;
