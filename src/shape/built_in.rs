//! The resource of the interface.

use std::borrow::Cow;
use std::sync::Arc;

use super::bodies::{self, Parts, action_tag, field, object, object_of, system, system_fields};
use super::types::{
    ActionEffect, ArrayRule, Field, INTEGER, Lacks, NUMBER, Object, Role, TEXT, Type, Union, Variant,
    ruled_array,
};
use crate::contract::prose;
use crate::contract::resource::{ObjectId, System};

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
enum Items {
    Integers,
    Numbers,
    Texts,
    Objects,
}

/// The arrays of [`WRAPPER`], in the order of presentation (`interface.md`, ObjectTestType).
const ARRAYS: [(&str, Items, ArrayRule); 7] = [
    ("arrayOfIntExample", Items::Integers, ArrayRule::Any),
    ("arrayOfUniqueIntExample", Items::Integers, ArrayRule::Unique),
    (TWO_NUMBERS, Items::Integers, ArrayRule::EmptyOr(2)),
    ("arrayOfFloatExample", Items::Numbers, ArrayRule::Any),
    ("arrayOfNumberNoDefaultsExample", Items::Numbers, ArrayRule::Any),
    ("arrayOfStringExample", Items::Texts, ArrayRule::Any),
    (OBJECTS, Items::Objects, ArrayRule::Any),
];

/// The texts of the content, in the order of presentation. Only the first is not in the bodies of operations 9 and 13.
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

/// Returns the objects of the interface, in the order of [`ObjectId`].
pub(super) fn objects() -> Vec<Arc<Object>> {
    let arrays = [(ObjectId::Arrays, false), (ObjectId::StoredArrays, true)]
        .map(|(id, required)| object_of(id, arrays(required), Lacks::Absent));
    let content: Vec<Field> = FURTHER.iter().map(|name| field(name, TEXT, Role::Content)).collect();
    let mut complex = system_fields(false, system(System::Version, TEXT, false));
    complex.extend(content.iter().skip(1).cloned());
    let wrapper = |arrays: &Arc<Object>| {
        let wrapper = field(WRAPPER, Type::Object(Arc::clone(arrays)), Role::Wrapper);
        vec![Field { required: true, ..wrapper }]
    };
    let [sent, stored] = &arrays;
    bodies::objects(Parts {
        wrappers: [wrapper(sent), wrapper(stored)],
        content,
        complex,
        arrays,
        actions: actions(),
        lacks: [Lacks::Absent, Lacks::Absent],
    })
}

/// Returns the update actions (`interface.md`, ExampleResourceUpdateAction).
fn actions() -> Union {
    let variant = |tag: &'static str, name, about, fields: Vec<Field>, effect| Variant {
        tag: Cow::Borrowed(tag),
        object: object(name, about, fields),
        effect,
    };
    let variants = vec![
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
    Union { name: Cow::Borrowed(prose("ExampleResourceUpdateAction")), tag: action_tag(), variants }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Shape;
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
}
