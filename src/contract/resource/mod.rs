//! The resource: its schema, its fields, and the values of clients.

pub mod content;
pub mod field;
pub mod fingerprint;
pub mod model;
pub mod own;
pub mod schema;
pub(crate) mod types;

pub use self::content::{Content, FieldValues};
pub use self::field::{DataType, FieldPath, QueryField, Sort};
pub use self::model::{Action, Deleted, Line, ObjectItem, Person, Record, ResourceInput, UpdateInput};
pub use self::own::OwnFields;
pub use self::schema::FieldId;
