//! The shape of a project's resources: which fields they have, by which rules, and their values.
//!
//! A module imports what its row lists, and each of those is above it:
//!
//! | module | contents | imports |
//! |---|---|---|
//! | [`rules`] | the rules of a value beside its type | nothing |
//! | [`types`] | the forms of values and objects | rules |
//! | `bodies` | what the objects of all shapes have | rules, types |
//! | [`built_in`] | the resource of the interface | bodies, types |
//! | [`schema`] | reads JSON Schema | rules, types |
//! | `declared` | a resource that a deployment declares | rules, types, bodies, schema |
//! | [`field`] | the fields that queries name | types |
//! | `shape` | a shape as a value | types, built_in, schema, declared, field |
//! | [`content`] | the values of clients | types, shape |
//! | [`model`] | records, and the bodies that change them | types, built_in, shape, content |
//! | [`rights`] | the rules of users, as texts | schema, shape |
//! | [`resources`] | the shapes of a deployment by project | schema, shape, rights |

mod bodies;
pub mod built_in;
pub mod content;
mod declared;
pub mod field;
pub mod model;
pub mod resources;
pub mod rights;
pub mod rules;
pub mod schema;
#[allow(clippy::module_inception, reason = "a shape is what the layer is about")]
pub mod shape;
pub mod types;

pub use self::content::Content;
pub use self::field::{DataType, FieldPath, FieldType, QueryField, Sort, ValueForm};
pub use self::model::{Action, Deleted, Line, Person, Record, ResourceInput, UpdateInput};
pub use self::resources::{Declaration, Resources};
pub use self::rights::{FIXED, RuleName, RuleTexts};
pub use self::schema::{Marks, Refused};
pub use self::shape::Shape;
pub use crate::contract::resource::{ObjectId, System};
