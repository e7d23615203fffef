//! Schema-directed validation in a single pass over the bytes. The result is all issues together, or the typed body.
//!
//! No tree of values is built: the walk follows the schema through the text and passes each accepted value to a
//! [`Sink`]. Imports only [`crate::contract`].

mod build;
mod check;
mod cursor;
mod duplicates;
mod format;
mod issue;
mod issue_list;
mod number;
mod place;
mod sink;
mod source;
mod string;
#[cfg(test)]
mod tests;
mod violation;
mod walk;
mod words;

pub use self::build::{
    arrays_input, complex_input, export_line, resource_input, stored_record, update_input,
};
pub use self::check::{check, count, is_valid, list, list_object, validate};
pub use self::issue::{NotJson, Rejection};
pub use self::issue_list::{ABSENT, IssueList, WHOLE};
pub use self::place::{FIELD, NAMED};
pub use self::sink::Sink;
pub use self::source::{FOREIGN, FOREIGN_FROM};
