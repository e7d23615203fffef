//! What the bodies and records of all shapes have: the fields of the system.

use std::borrow::Cow;
use std::sync::Arc;

use super::rules::Rules;
use super::types::{
    ActionEffect, ArrayRule, DATE_TIME, Field, Format, Lacks, Object, Role, TEXT, Type, Union, Variant,
    ruled_array, titled,
};
use crate::contract::api::endpoint::CallId;
use crate::contract::resource::{BODY, FIRST_NAME, LAST_NAME, OPERATION, ObjectId, System, WRITES};
use crate::contract::{limits, prose};
use crate::util::text::concat;

pub(super) const VERSION: Type = Type::Integer { min: 0, max: limits::INTEGER_MAX };
const STORED_VERSION: Type = Type::Integer { min: 1, max: limits::INTEGER_MAX };

#[inline(never)]
pub(super) fn field(name: &'static str, ty: Type, role: Role) -> Field {
    let name = Cow::Borrowed(name);
    Field { name, ty, required: false, has_default: false, role, rules: Rules::default() }
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

/// What distinguishes the bodies and records of one shape from those of another.
pub(super) struct Parts {
    /// The field around the arrays, in bodies and in records; none in a declared resource.
    pub(super) wrappers: [Vec<Field>; 2],
    /// The other fields of the content.
    pub(super) content: Vec<Field>,
    /// The fields of the body of operations 9 and 13.
    pub(super) complex: Vec<Field>,
    /// The arrays inside the wrapper, in bodies and in records.
    pub(super) arrays: [Arc<Object>; 2],
    pub(super) actions: Union,
    /// What it means that the bodies of operation 6, and of 9 and 13, lack a field.
    pub(super) lacks: [Lacks; 2],
}

/// Returns the objects of a shape, in the order of [`ObjectId`].
#[inline(never)]
pub(super) fn objects(parts: Parts) -> Vec<Arc<Object>> {
    let Parts { wrappers: [sent, stored], content, complex, arrays, actions, lacks: [lacks, complex_lacks] } =
        parts;
    let version = |required| system(System::Version, VERSION, required);
    let whole = |id, generated, version, wrapper: &[Field], lacks| {
        let mut fields = system_fields(generated, version);
        for part in [wrapper, &content] {
            fields.extend_from_slice(part);
        }
        object_of(id, fields, lacks)
    };
    let actions = ruled_array(Type::Union(Arc::new(actions)), ArrayRule::AtMost(limits::ACTIONS));
    let update = vec![version(true), system(System::Actions, actions, true)];
    let stored_version = system(System::Version, STORED_VERSION, true);
    let mut objects = vec![
        whole(ObjectId::Draft, false, version(false), &sent, lacks),
        whole(ObjectId::Overwrite, false, version(true), &sent, Lacks::Absent),
        object_of(ObjectId::Update, update, Lacks::Absent),
        object_of(ObjectId::Complex, complex, complex_lacks),
        whole(ObjectId::Record, true, stored_version, &stored, Lacks::Absent),
    ];
    let batch = batch(&objects);
    objects.extend(arrays);
    objects.extend([deleted(), batch]);
    objects
}

/// Returns the body of several writes. `objects`: the bodies of single writes, in the order of [`ObjectId`].
#[inline(never)]
fn batch(objects: &[Arc<Object>]) -> Arc<Object> {
    let required = |name, ty| Field { required: true, ..field(name, ty, Role::Wrapper) };
    let mut variants = Vec::new();
    for (operation, name, body) in [
        (CallId::CreateOrUpdate, prose("CreateOrUpdateWrite"), Some(ObjectId::Draft)),
        (CallId::Overwrite, prose("OverwriteWrite"), Some(ObjectId::Overwrite)),
        (CallId::CreateOrOverwrite, prose("CreateOrOverwriteWrite"), Some(ObjectId::Overwrite)),
        (CallId::UpdateById, prose("UpdateByIdWrite"), Some(ObjectId::Update)),
        (CallId::DeleteById, prose("DeleteByIdWrite"), None),
    ] {
        let mut fields = vec![required(OPERATION, TEXT)];
        if matches!(operation, CallId::UpdateById | CallId::DeleteById) {
            fields.push(system(System::Id, Type::String(Format::Id), true));
        }
        fields.push(match body.and_then(|id| objects.get(id as usize)) {
            Some(object) => required(BODY, Type::Object(Arc::clone(object))),
            None => system(System::Version, VERSION, false),
        });
        let (tag, object) = (Cow::Borrowed(operation.name()), object(name, operation.about(), fields));
        variants.push(Variant { tag, object, effect: ActionEffect::Nothing });
    }
    let writes = Union { name: Cow::Borrowed(prose("BatchWrite")), tag: required(OPERATION, TEXT), variants };
    let writes = ruled_array(Type::Union(Arc::new(writes)), ArrayRule::OneTo(limits::BATCH_WRITES));
    object_of(ObjectId::Batch, vec![required(WRITES, writes)], Lacks::Absent)
}

/// Returns the line of an export for an ID that was deleted, with the version after which the ID continues (D5).
/// `deletedAt` is the first member, and distinguishes the line from a resource.
#[inline(never)]
fn deleted() -> Arc<Object> {
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
    let or_removes = if field.required { "`." } else { "`, or removes its value." };
    action("set", ["Sets `", or_removes], field.clone(), ActionEffect::Set)
}

/// Returns an update action of a field of the content. `about`: what it does, before and after the name of the field.
#[inline(never)]
pub(super) fn action(verb: &str, about: [&str; 2], field: Field, effect: ActionEffect) -> Variant {
    let tag = concat(&[verb, &titled(&field.name)]);
    // Only documents have the name and the description of an object.
    let [name, about] = if prose("A").is_empty() {
        [String::new(), String::new()]
    } else {
        let [before, after] = about;
        [titled(&tag), concat(&[before, &field.name, after])]
    };
    let fields = vec![action_tag(), field];
    let object = Object { name: Cow::Owned(name), about: Cow::Owned(about), fields, lacks: Lacks::Absent };
    Variant { tag: Cow::Owned(tag), object: Arc::new(object), effect }
}
