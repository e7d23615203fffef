//! Random bodies and writes.

use proptest::collection::{SizeRange, btree_set, vec};
use proptest::option::{of, weighted};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::Union;
use resource_edge::call::Change;
use resource_edge::shape::built_in::{INTEGER_EXAMPLE, INTEGER_EXAMPLE_INT32, OBJECTS, SOME_PROPERTY};
use resource_edge::shape::types::{ArrayRule, Format, Type};
use resource_edge::shape::{Action, Content, Person, ResourceInput, Shape, UpdateInput};
use resource_edge::util::{json, time};

use super::values::{any_instant, degrees, id, int32, key, real, text, whole};
use crate::native::reference::collection::Collection;

/// Generates a body of a shape with an ID and optionally a key.
pub fn body(
    shape: &Shape,
    id: BoxedStrategy<String>,
    key: BoxedStrategy<Option<String>>,
) -> BoxedStrategy<ResourceInput> {
    (id, key, of(person()), of(person()), content(shape))
        .prop_map(|(id, key, created_by, last_modified_by, content)| ResourceInput {
            id: Some(id),
            version: None,
            key,
            created_by,
            last_modified_by,
            content,
        })
        .boxed()
}

fn person() -> impl Strategy<Value = Person> {
    (of(text()), of(text())).prop_map(|(first_name, last_name)| Person { first_name, last_name })
}

/// Random values for the fields, each present or not.
fn content(shape: &Shape) -> BoxedStrategy<Content> {
    shape.content().enumerate().fold(Just(Content::default()).boxed(), |content, (at, field)| {
        let often = if at < shape.arrays().len() { 0.5 } else { 0.3 };
        let name = field.name.to_string();
        (content, weighted(often, values(&name, &field.ty)))
            .prop_map(move |(content, value)| match value {
                Some(value) => content.with(&name, &value),
                None => content,
            })
            .boxed()
    })
}

/// Random values of a field by its type, as JSON. An array may be empty.
fn values(name: &str, ty: &Type) -> BoxedStrategy<String> {
    let rule = if let Type::Array(array) = ty { Some(array.rule) } else { None };
    let count: SizeRange = match rule {
        None => 1.into(),
        Some(ArrayRule::Any | ArrayRule::Unique | ArrayRule::EmptyOr(_)) => (0..4).into(),
        Some(ArrayRule::AtMost(max)) => (0..=max).into(),
    };
    let texts = match (ty.item(), rule) {
        // A place, so that circles contain some.
        (Type::Integer { .. }, Some(ArrayRule::EmptyOr(count))) => {
            prop_oneof![1 => Just(Vec::new()), 3 => vec(degrees(), count)]
                .prop_map(|place| place.iter().map(i64::to_string).collect())
                .boxed()
        }
        (Type::Array(_) | Type::Union(_), _) | (_, Some(ArrayRule::EmptyOr(_))) => {
            panic!("{name} has no such type")
        }
        (Type::Integer { .. }, Some(ArrayRule::Unique)) => btree_set(whole(), count)
            .prop_map(|set| set.into_iter().rev().map(|integer| integer.to_string()).collect())
            .boxed(),
        (Type::Integer { .. }, _) => vec(whole().prop_map(|integer| integer.to_string()), count).boxed(),
        (Type::String(Format::DateTime), _) => vec(any_instant().prop_map(moment), count).boxed(),
        (Type::String(_), _) => vec(text().prop_map(|text| as_json(&text)), count).boxed(),
        (Type::Number, _) => {
            vec(real().prop_map(|real| written(|out| json::number(out, real + 0.0))), count).boxed()
        }
        (Type::Boolean, _) => vec(any::<bool>().prop_map(|truth| truth.to_string()), count).boxed(),
        (Type::Object(_), _) => {
            assert_eq!(name, OBJECTS, "no other array has objects");
            vec(object(), count).boxed()
        }
    };
    let is_array = rule.is_some();
    texts
        .prop_map(
            move |texts: Vec<String>| {
                if is_array { format!("[{}]", texts.join(",")) } else { texts.concat() }
            },
        )
        .boxed()
}

fn written(write: impl FnOnce(&mut String)) -> String {
    let mut out = String::new();
    write(&mut out);
    out
}

fn moment(instant: i64) -> String {
    written(|out| {
        out.push('"');
        time::push_signed(out, instant);
        out.push('"');
    })
}

fn as_json(text: &str) -> String {
    written(|out| json::string(out, text))
}

fn object() -> impl Strategy<Value = String> {
    (of(whole()), of(int32())).prop_map(|(number, int32)| {
        json::object(|object| {
            if let Some(number) = number {
                object.integer(INTEGER_EXAMPLE, number);
            }
            if let Some(int32) = int32 {
                object.integer(INTEGER_EXAMPLE_INT32, int32.into());
            }
        })
    })
}

/// A write, before it is known which records exist.
#[derive(Debug, Clone)]
pub enum Write {
    Draft(ResourceInput),
    Complex(ResourceInput),
    /// PUT and PATCH, and whether it sends the target's version.
    Put(ResourceInput, bool),
    Patch(ResourceInput, bool),
    Update(Index, Vec<Action>, bool),
    Delete(Index, bool),
}

/// Each action of the interface, and those that set an own field or remove its value.
fn action(shape: &Shape) -> BoxedStrategy<Action> {
    let set = |name: String, value: BoxedStrategy<Option<String>>| {
        value.prop_map(move |value| Action::Set { field: name.clone(), value }).boxed()
    };
    let some_property = text().prop_map(|text| Some(as_json(&text))).boxed();
    let mut choices =
        vec![(2, Just(Action::Nothing).boxed()), (2, set(SOME_PROPERTY.to_owned(), some_property))];
    choices.extend(shape.own_fields().iter().map(|field| {
        let name = field.name.to_string();
        (1, set(name.clone(), of(values(&name, &field.ty)).boxed()))
    }));
    Union::new_weighted(choices).boxed()
}

pub fn write(shape: &Shape) -> BoxedStrategy<Write> {
    // Some bodies name their target by key alone, or not at all.
    let body = || {
        (body(shape, id(), of(key()).boxed()), proptest::bool::weighted(0.75))
            .prop_map(|(body, named)| ResourceInput { id: body.id.filter(|_| named), ..body })
    };
    // Mostly the right version.
    let fits = || proptest::bool::weighted(0.9);
    prop_oneof![
        4 => body().prop_map(Write::Draft),
        2 => body().prop_map(Write::Complex),
        2 => (body(), fits()).prop_map(|(body, fits)| Write::Put(body, fits)),
        2 => (body(), fits()).prop_map(|(body, fits)| Write::Patch(body, fits)),
        2 => (any::<Index>(), vec(action(shape), 0..3), fits()).prop_map(|(at, actions, fits)| Write::Update(at, actions, fits)),
        2 => (any::<Index>(), fits()).prop_map(|(at, fits)| Write::Delete(at, fits)),
    ]
    .boxed()
}

impl Write {
    pub fn call(&self, collection: &Collection) -> Change {
        let records = &collection.records;
        let version = |id: Option<&str>, fits: bool| {
            let version = records
                .iter()
                .find(|record| Some(record.id.as_str()) == id)
                .map_or(0, |record| record.version);
            if fits { version } else { version + 1 }
        };
        let versioned = |body: &ResourceInput, fits| {
            let target = collection.target(body, true).ok().flatten().map(|at| records[at].id.as_str());
            ResourceInput { version: Some(version(target, fits)), ..body.clone() }
        };
        let id = |at: &Index| if records.is_empty() { "none".to_owned() } else { at.get(records).id.clone() };
        match self {
            Self::Draft(body) => Change::CreateOrUpdate(body.clone()),
            Self::Complex(body) => Change::UpdateByPath(body.clone()),
            Self::Put(body, fits) => Change::CreateOrOverwrite(versioned(body, *fits)),
            Self::Patch(body, fits) => Change::Overwrite(versioned(body, *fits)),
            Self::Update(at, actions, fits) => {
                let id = id(at);
                let version = version(Some(&id), *fits);
                Change::UpdateById { id, update: UpdateInput { version, actions: actions.clone() } }
            }
            Self::Delete(at, fits) => {
                let id = id(at);
                let version = Some(version(Some(&id), *fits));
                Change::DeleteById { id, version }
            }
        }
    }
}
