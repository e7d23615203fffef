//! Random bodies and writes.

use proptest::collection::{SizeRange, btree_set, vec};
use proptest::option::{of, weighted};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::Union;
use resource_edge::call::Change;
use resource_edge::shape::built_in::SOME_PROPERTY;
use resource_edge::shape::types::{Array, ArrayRule, Field, Format, Object, Type};
use resource_edge::shape::{Action, Content, Person, ResourceInput, Shape, UpdateInput};
use resource_edge::util::{json, time};

use super::values::{any_instant, degrees, id, key, real, text, whole};
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
        let is_often = at < shape.arrays().len() || shape.is_declared();
        let name = field.name.to_string();
        (content, weighted(if is_often { 0.5 } else { 0.3 }, value(&field.ty)))
            .prop_map(move |(content, value)| match value {
                Some(value) => content.with(&name, &value),
                None => content,
            })
            .boxed()
    })
}

/// Random values of a type, as JSON. An array may be empty.
fn value(ty: &Type) -> BoxedStrategy<String> {
    match ty {
        Type::Array(array) => list(array),
        // Each of the interface's integers has few values, and those at its bounds.
        Type::Integer { min, max } => {
            let (min, max) = (*min, *max);
            whole().prop_map(move |integer| integer.clamp(min, max).to_string()).boxed()
        }
        Type::String(Format::DateTime) => any_instant().prop_map(moment).boxed(),
        Type::String(_) => text().prop_map(|text| as_json(&text)).boxed(),
        Type::Number => real().prop_map(|real| written(|out| json::number(out, real + 0.0))).boxed(),
        Type::Boolean => any::<bool>().prop_map(|truth| truth.to_string()).boxed(),
        Type::Object(object) => members(object),
        Type::Union(_) => panic!("no field of the content is a union"),
    }
}

fn list(array: &Array) -> BoxedStrategy<String> {
    // At times more items than an index entry lists.
    let count: BoxedStrategy<SizeRange> = match array.rule {
        ArrayRule::AtMost(max) | ArrayRule::OneTo(max) => Just((0..=max).into()).boxed(),
        _ => prop_oneof![40 => Just((0..4).into()), 1 => Just(40.into())].boxed(),
    };
    let items = match (&array.items, array.rule) {
        // A place, so that circles contain some.
        (_, ArrayRule::EmptyOr(count)) => {
            prop_oneof![1 => Just(Vec::new()), 3 => vec(degrees().prop_map(|it| it.to_string()), count)]
                .boxed()
        }
        (Type::Integer { .. }, ArrayRule::Unique) => btree_set(whole(), 0..4)
            .prop_map(|set| set.into_iter().rev().map(|integer| integer.to_string()).collect())
            .boxed(),
        (item, _) => {
            let item = value(item);
            count.prop_flat_map(move |count| vec(item.clone(), count)).boxed()
        }
    };
    items.prop_map(|items: Vec<String>| format!("[{}]", items.join(","))).boxed()
}

fn members(object: &Object) -> BoxedStrategy<String> {
    let member = |field: &Field| {
        let name = field.name.to_string();
        weighted(0.6, value(&field.ty)).prop_map(move |value| value.map(|value| (name.clone(), value)))
    };
    let members: Vec<_> = object.fields.iter().map(member).collect();
    members
        .prop_map(|members| {
            json::object(|object| {
                members.iter().flatten().for_each(|(name, value)| object.member(name).push_str(value));
            })
        })
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

/// A write, before it is known which records exist.
#[derive(Debug, Clone)]
pub enum Write {
    Draft(ResourceInput),
    /// Operation 6 with a version, and whether it is the target's.
    Versioned(ResourceInput, bool),
    Complex(ResourceInput),
    /// PUT and PATCH, and whether it sends the target's version.
    Put(ResourceInput, bool),
    Patch(ResourceInput, bool),
    Update(Index, Vec<Action>, bool),
    Delete(Index, bool),
}

/// Each action of the shape.
fn action(shape: &Shape) -> BoxedStrategy<Action> {
    if !shape.is_declared() {
        let set = |text: String| Action::Set { field: SOME_PROPERTY.to_owned(), value: Some(as_json(&text)) };
        return prop_oneof![Just(Action::Nothing), text().prop_map(set)].boxed();
    }
    let mut choices = Vec::new();
    for field in shape.content() {
        let name = field.name.to_string();
        let set = move |value| Action::Set { field: name.clone(), value };
        choices.push((2, of(value(&field.ty)).prop_map(set).boxed()));
        let Type::Array(array) = &field.ty else { continue };
        if !matches!(array.items, Type::Object(_)) {
            let name = field.name.to_string();
            let change = move |(values, adds): (String, bool)| {
                let field = name.clone();
                if adds { Action::Add { field, values } } else { Action::Remove { field, values } }
            };
            choices.push((2, (value(&field.ty), any::<bool>()).prop_map(change).boxed()));
        }
    }
    Union::new_weighted(choices).boxed()
}

/// Generates a body that says what changes: of a declared resource, null removes a field.
fn partial(shape: &Shape, body: BoxedStrategy<ResourceInput>) -> BoxedStrategy<ResourceInput> {
    if !shape.is_declared() {
        return body;
    }
    let names: Vec<String> = shape.content().map(|field| field.name.to_string()).collect();
    (body, proptest::sample::subsequence(names, 0..=1))
        .prop_map(|(body, removed)| {
            let kept = body.content.iter().filter(|(name, _)| !removed.iter().any(|other| other == name));
            let nulls = removed.iter().map(|name| (name.as_str(), "null"));
            ResourceInput { content: kept.chain(nulls).collect(), ..body.clone() }
        })
        .boxed()
}

pub fn write(shape: &Shape) -> BoxedStrategy<Write> {
    // Some bodies name their target by key alone, or not at all.
    let body = || {
        (body(shape, id(), of(key()).boxed()), proptest::bool::weighted(0.75))
            .prop_map(|(body, named)| ResourceInput { id: body.id.filter(|_| named), ..body })
            .boxed()
    };
    // Mostly the right version.
    let fits = || proptest::bool::weighted(0.9);
    prop_oneof![
        4 => body().prop_map(Write::Draft),
        1 => (partial(shape, body()), fits()).prop_map(|(body, fits)| Write::Versioned(body, fits)),
        2 => partial(shape, body()).prop_map(Write::Complex),
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
            Self::Versioned(body, fits) => Change::CreateOrUpdate(versioned(body, *fits)),
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
