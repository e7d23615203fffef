//! Places in a schema, and what is wrong there.
#![allow(clippy::unnecessary_box_returns, reason = "every result of the reader has room for a refusal")]

use crate::util::text::{concat, push_pointer};

/// What is wrong with a schema.
#[derive(Debug, PartialEq, Eq)]
pub struct Refused {
    /// A JSON Pointer into the schema.
    pub at: String,
    /// What is wrong, and what to write instead: sentences.
    pub message: String,
}

impl Refused {
    /// Returns what is wrong with the content of `resources.json`, after its place.
    pub fn of_resources(&self) -> String {
        let place = if self.at.is_empty() { String::new() } else { concat(&[" at ", &self.at]) };
        concat(&["The resources are invalid", &place, ": ", &self.message])
    }
}

/// In a box, because every result of the reader has room for one.
pub(super) type BoxedRefusal = Box<Refused>;

/// A place in the schema, as a chain up to the root.
pub(super) enum SchemaPlace<'p> {
    Root,
    In(&'p SchemaPlace<'p>, &'p str),
}

impl SchemaPlace<'_> {
    #[inline(never)]
    fn pointer(&self) -> String {
        match self {
            Self::Root => String::new(),
            Self::In(outer, name) => {
                let mut out = outer.pointer();
                out.push('/');
                push_pointer(name, &mut out);
                out
            }
        }
    }

    #[inline(never)]
    pub(super) fn refuse(&self, message: &str) -> BoxedRefusal {
        Box::new(Refused { at: self.pointer(), message: message.to_owned() })
    }
}
