//! The resource of the interface.

use std::borrow::Cow;
use std::sync::Arc;

use super::bodies::{
    STORED_VERSION, VERSION, action_tag, deleted, field, object, object_of, set_action, system, system_fields,
};
use super::types::{
    ActionEffect, ArrayRule, Field, INTEGER, Lacks, NUMBER, Object, Role, TEXT, Type, Union, Variant,
    ruled_array,
};
use crate::contract::resource::{FIRST_NAME, LAST_NAME, ObjectId, System};
use crate::contract::{limits, prose};

/// The object that has the seven arrays inside.
pub const WRAPPER: &str = "objectTypeProperty";
/// The text that an update action of the interface sets.
pub const SOME_PROPERTY: &str = "someProperty";
/// The two numbers that a circle is compared with: longitude and latitude.
pub const TWO_NUMBERS: &str = "arrayOfTwonumbersExample";
/// The array of objects, and the fields of its items.
pub const OBJECTS: &str = "arrayOfObjectType";
pub const INTEGER_EXAMPLE: &str = "integerExample";
pub const INTEGER_EXAMPLE_INT32: &str = "integerExampleInt32";

const INT32: Type = Type::Integer { min: i32::MIN as i64, max: i32::MAX as i64 };

/// The items of an array of the interface.
#[derive(Debug, Clone, Copy)]
pub(super) enum Items {
    Integers,
    Numbers,
    Texts,
    Objects,
}

/// The arrays of [`WRAPPER`], in the order of presentation (`interface.md`, ObjectTestType).
pub(super) const ARRAYS: [(&str, Items, ArrayRule); 7] = [
    ("arrayOfIntExample", Items::Integers, ArrayRule::Any),
    ("arrayOfUniqueIntExample", Items::Integers, ArrayRule::Unique),
    (TWO_NUMBERS, Items::Integers, ArrayRule::EmptyOr(2)),
    ("arrayOfFloatExample", Items::Numbers, ArrayRule::Any),
    ("arrayOfNumberNoDefaultsExample", Items::Numbers, ArrayRule::Any),
    ("arrayOfStringExample", Items::Texts, ArrayRule::Any),
    (OBJECTS, Items::Objects, ArrayRule::Any),
];

/// The texts of the content, in the order of presentation. To add a text to the resource, add a line at the end. Only
/// the first is not in the bodies of operations 9 and 13.
const FURTHER: [&str; 10] = [
    SOME_PROPERTY,
    "eigthProperty",
    "ninthProperty",
    "tenthProperty",
    "eleventhPropery",
    "twelthProperty",
    "thirteenthProperty",
    "fourteenthProperty",
    "fifteenthProperty",
    "custom",
];

/// The other names of the interface, beside the fields of the system.
pub(super) const NAMES: [&str; 13] = {
    let mut names = [WRAPPER; 13];
    let (further, rest) = names.split_at_mut(FURTHER.len());
    further.copy_from_slice(&FURTHER);
    rest.copy_from_slice(&[WRAPPER, INTEGER_EXAMPLE, INTEGER_EXAMPLE_INT32]);
    names
};

/// Returns the seven arrays as fields.
fn arrays(required: bool) -> Vec<Field> {
    let item = || {
        let fields = [(INTEGER_EXAMPLE, INTEGER), (INTEGER_EXAMPLE_INT32, INT32)];
        let fields = fields.map(|(name, ty)| field(name, ty, Role::Inner)).to_vec();
        Type::Object(object(prose("ObjectType"), prose("An item of `arrayOfObjectType`."), fields))
    };
    let arrays = ARRAYS.iter().map(|(name, items, rule)| {
        let items = match items {
            Items::Integers => INTEGER,
            Items::Numbers => NUMBER,
            Items::Texts => TEXT,
            Items::Objects => item(),
        };
        Field { required, ..field(name, ruled_array(items, *rule), Role::Content) }
    });
    arrays.collect()
}

/// Returns the objects of the interface with the fields that a deployment adds, in the order of [`ObjectId`].
pub(super) fn objects(own: &[Field]) -> Vec<Arc<Object>> {
    let object_of = |id, fields| object_of(id, fields, Lacks::Absent);
    let sent = object_of(ObjectId::Arrays, arrays(false));
    let stored = object_of(ObjectId::StoredArrays, arrays(true));
    let content = |first: usize| {
        let further = FURTHER.iter().skip(first).map(|name| field(name, TEXT, Role::Content));
        further.chain(own.iter().cloned()).collect::<Vec<_>>()
    };
    let whole = |generated, version: Field, arrays: &Arc<Object>| {
        let mut fields = system_fields(generated, version);
        let wrapper = field(WRAPPER, Type::Object(Arc::clone(arrays)), Role::Wrapper);
        fields.push(Field { required: true, ..wrapper });
        fields.extend(content(0));
        fields
    };
    let version = |required| system(System::Version, VERSION, required);
    let stored_version = || system(System::Version, STORED_VERSION, true);
    let mut complex = system_fields(false, system(System::Version, TEXT, false));
    complex.extend(content(1));
    let actions = ruled_array(Type::Union(Arc::new(actions(own))), ArrayRule::AtMost(limits::ACTIONS));
    vec![
        object_of(ObjectId::Draft, whole(false, version(false), &sent)),
        object_of(ObjectId::Overwrite, whole(false, version(true), &sent)),
        object_of(ObjectId::Update, vec![version(true), system(System::Actions, actions, true)]),
        object_of(ObjectId::Complex, complex),
        object_of(ObjectId::Record, whole(true, stored_version(), &stored)),
        sent,
        stored,
        deleted(),
    ]
}

/// Returns the update actions (`interface.md`, ExampleResourceUpdateAction), and those that set the fields which a
/// deployment adds.
fn actions(own: &[Field]) -> Union {
    let variant = |tag: &'static str, name, about, fields: Vec<Field>, effect| Variant {
        tag: Cow::Borrowed(tag),
        object: object(name, about, fields),
        effect,
    };
    let mut variants = vec![
        variant(
            "doSomeThing",
            prose("DoSomeThing"),
            prose("Changes no field, and increments the version."),
            vec![action_tag()],
            ActionEffect::Nothing,
        ),
        variant(
            "changeSomeProperty",
            prose("ChangeSomeProperty"),
            prose("Sets `someProperty`."),
            vec![action_tag(), Field { required: true, ..field(SOME_PROPERTY, TEXT, Role::Content) }],
            ActionEffect::Set,
        ),
    ];
    variants.extend(own.iter().map(set_action));
    Union { name: Cow::Borrowed(prose("ExampleResourceUpdateAction")), tag: action_tag(), variants }
}

/// Returns whether a field of this name is one of the interface, which no other field may have.
pub(super) fn is_reserved(name: &str) -> bool {
    let is_inside = [FIRST_NAME, LAST_NAME];
    System::ALL.iter().any(|system| system.name() == name)
        || is_inside.contains(&name)
        || NAMES.contains(&name)
        || ARRAYS.iter().any(|(array, ..)| *array == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Shape;
    use crate::shape::types::array;
    use crate::test;

    #[test]
    fn every_object_has_its_place() {
        let shape = Shape::built_in();
        for id in ObjectId::ALL {
            // Only documents have most names.
            let name = if *id == ObjectId::Deleted { id.name() } else { prose(id.name()) };
            assert_eq!(shape.object(*id).name, name);
        }
        let tags: Vec<&str> = shape.actions().iter().map(|variant| variant.tag.as_ref()).collect();
        assert_eq!(tags, ["doSomeThing", "changeSomeProperty"]);
        assert_eq!(shape.content().count(), ARRAYS.len() + FURTHER.len());
    }

    #[test]
    fn own_fields_follow_the_fields_of_the_interface() {
        let shape = Shape::with_fields("title text\nmoments datetime[]").unwrap();
        let fixed = Shape::built_in();
        for id in [ObjectId::Draft, ObjectId::Overwrite, ObjectId::Record, ObjectId::Complex] {
            let names = |shape: &Shape| -> Vec<String> {
                shape.object(id).fields.iter().map(|field| field.name.to_string()).collect()
            };
            let (own, fixed) = (names(&shape), names(&fixed));
            assert!(own.starts_with(&fixed), "{}", id.name());
            assert_eq!(own[fixed.len()..], ["title", "moments"], "{}", id.name());
        }
        assert_eq!(shape.own_actions().collect::<Vec<_>>(), ["setTitle", "setMoments"]);
        assert_eq!(array(TEXT), ruled_array(TEXT, ArrayRule::Any));
    }
}
