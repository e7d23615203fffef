//! Places in a schema, and what is wrong there.

use crate::util::text::append;

/// What is wrong with a schema.
#[derive(Debug, PartialEq, Eq)]
pub struct Refused {
    /// A JSON Pointer into the schema.
    pub at: String,
    /// What is wrong, and what to write instead: sentences.
    pub message: String,
}

/// A place in the schema, as a chain up to the root.
pub(super) enum SchemaPlace<'p> {
    Root,
    In(&'p SchemaPlace<'p>, &'p str),
}

impl SchemaPlace<'_> {
    fn pointer(&self) -> String {
        match self {
            Self::Root => String::new(),
            Self::In(outer, name) => {
                let mut out = outer.pointer();
                append(&mut out, &["/", &name.replace('~', "~0").replace('/', "~1")]);
                out
            }
        }
    }

    pub(super) fn refuse(&self, message: &str) -> Refused {
        Refused { at: self.pointer(), message: message.to_owned() }
    }
}
