//! What the bodies and records of all shapes have: the fields of the system.

use std::borrow::Cow;
use std::sync::Arc;

use super::rules::Rules;
use super::types::{
    ActionEffect, DATE_TIME, Field, Format, Lacks, Object, Role, TEXT, Type, Variant, titled,
};
use crate::contract::resource::{FIRST_NAME, LAST_NAME, ObjectId, System};
use crate::contract::{limits, prose};
use crate::util::text::concat;

pub(super) const VERSION: Type = Type::Integer { min: 0, max: limits::INTEGER_MAX };
pub(super) const STORED_VERSION: Type = Type::Integer { min: 1, max: limits::INTEGER_MAX };

#[inline(never)]
pub(super) fn field(name: &'static str, ty: Type, role: Role) -> Field {
    Field { name: Cow::Borrowed(name), ty, required: false, role, rules: Rules::default() }
}

#[inline(never)]
pub(super) fn system(id: System, ty: Type, required: bool) -> Field {
    Field { required, ..field(id.name(), ty, Role::System(id)) }
}

/// Returns the member that names an update action.
#[inline(never)]
pub(super) fn action_tag() -> Field {
    system(System::Action, TEXT, true)
}

#[inline(never)]
pub(super) fn object(name: &'static str, about: &'static str, fields: Vec<Field>) -> Arc<Object> {
    Arc::new(Object { name: Cow::Borrowed(name), about: Cow::Borrowed(about), fields, lacks: Lacks::Absent })
}

#[inline(never)]
pub(super) fn object_of(id: ObjectId, fields: Vec<Field>, lacks: Lacks) -> Arc<Object> {
    let name = if id == ObjectId::Deleted { id.name() } else { prose(id.name()) };
    Arc::new(Object { name: Cow::Borrowed(name), about: Cow::Borrowed(id.about()), fields, lacks })
}

/// Returns a person, as `createdBy` and `lastModifiedBy` name one (`interface.md`, Complex body).
#[inline(never)]
fn person() -> Type {
    let names = [FIRST_NAME, LAST_NAME].map(|name| field(name, TEXT, Role::Inner));
    Type::Object(object(prose("Person"), prose("Who created or changed a resource."), names.to_vec()))
}

/// Returns the fields of the system. Those that the server generates are required in a response only.
#[inline(never)]
pub(super) fn system_fields(generated: bool, version: Field) -> Vec<Field> {
    vec![
        system(System::Id, Type::String(Format::Id), generated),
        version,
        system(System::Key, Type::String(Format::Key), false),
        system(System::CreatedAt, DATE_TIME, generated),
        system(System::CreatedBy, person(), false),
        system(System::LastModifiedAt, DATE_TIME, generated),
        system(System::LastModifiedBy, person(), false),
    ]
}

/// Returns the line of an export for an ID that was deleted, with the version after which the ID continues (D5).
/// `deletedAt` is the first member, and distinguishes the line from a resource.
#[inline(never)]
pub(super) fn deleted() -> Arc<Object> {
    let fields = vec![
        system(System::DeletedAt, DATE_TIME, true),
        system(System::Id, Type::String(Format::Id), true),
        system(System::Version, STORED_VERSION, true),
    ];
    object_of(ObjectId::Deleted, fields, Lacks::Absent)
}

/// Returns the update action that sets a field of the content, or removes its value if the field is not required.
#[inline(never)]
pub(super) fn set_action(field: &Field) -> Variant {
    let title = titled(&field.name);
    // Only documents have the name and the description of an object.
    let [name, about] = if prose("S").is_empty() {
        [String::new(), String::new()]
    } else {
        let or_removes = if field.required { "`." } else { "`, or removes its value." };
        [concat(&["Set", &title]), concat(&["Sets `", &field.name, or_removes])]
    };
    let fields = vec![action_tag(), field.clone()];
    let object = Object { name: Cow::Owned(name), about: Cow::Owned(about), fields, lacks: Lacks::Absent };
    Variant { tag: Cow::Owned(concat(&["set", &title])), object: Arc::new(object), effect: ActionEffect::Set }
}
