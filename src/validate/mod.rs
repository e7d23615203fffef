//! Schema-directed validation in a single pass over the bytes. The result is all issues together, or the typed body.
//!
//! No tree of values is built: the walk follows the schema through the text and passes each accepted value to a
//! [`Sink`]. Imports only [`crate::contract`].

mod allowed;
mod build;
mod check;
mod defaults;
mod duplicates;
mod format;
mod issues;
mod json;
mod part;
pub(crate) mod receiver;
#[cfg(test)]
mod tests;
mod walk;

pub use self::build::{
    Exported, WriteInput, arrays_input, batch_input, export_line, resource_input, update_input,
};
pub use self::check::{check, invalid, invalid_part, too_large, validate};
pub use self::defaults::read_resources;
pub use self::issues::issue::{NotJson, Rejection};
pub use self::json::source::{FOREIGN, FOREIGN_FROM};
pub use self::receiver::{MemberPlace, Sink, Verdict};
