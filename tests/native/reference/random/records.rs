//! Random bodies and writes.

use proptest::collection::{SizeRange, btree_set, vec};
use proptest::option::{of, weighted};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::Union;
use resource_edge::call::Change;
use resource_edge::contract::resource::schema::{ArrayRule, Format, Type};
use resource_edge::contract::resource::{
    Action, Content, FieldId, FieldValues, ObjectItem, OwnFields, Person, ResourceInput, UpdateInput,
};

use super::values::{any_instant, degrees, id, int32, key, real, text, whole};
use crate::native::reference::collection::Collection;

/// Generates a body with an ID and optionally a key.
pub fn body(id: BoxedStrategy<String>, key: BoxedStrategy<Option<String>>) -> BoxedStrategy<ResourceInput> {
    let fields = FieldId::all().filter(|id| id.content().is_some());
    (id, key, of(person()), of(person()), content(fields))
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
fn content(fields: impl Iterator<Item = FieldId>) -> BoxedStrategy<Content> {
    fields.fold(Just(Content::default()).boxed(), |content, id| {
        let often = if id.is_wrapped() { 0.5 } else { 0.3 };
        (content, weighted(often, values(id)))
            .prop_map(move |(content, values)| match values {
                Some(values) => content.with(id, values),
                None => content,
            })
            .boxed()
    })
}

/// Random values of a field by its type. An array may be empty.
fn values(id: FieldId) -> BoxedStrategy<FieldValues> {
    let ty = id.content().expect("a field of the content");
    let rule = if let Type::Array(array) = ty { Some(array.rule) } else { None };
    let count: SizeRange = match rule {
        None => 1.into(),
        Some(ArrayRule::Any | ArrayRule::Unique | ArrayRule::EmptyOr(_)) => (0..4).into(),
        Some(ArrayRule::AtMost(max)) => (0..=max).into(),
    };
    match (ty.item(), rule) {
        // A place, so that circles contain some.
        (Type::Integer { .. }, Some(ArrayRule::EmptyOr(count))) => {
            prop_oneof![1 => Just(Vec::new()), 3 => vec(degrees(), count)]
                .prop_map(FieldValues::Integers)
                .boxed()
        }
        (Type::Array(_) | Type::Union(_), _) | (_, Some(ArrayRule::EmptyOr(_))) => {
            panic!("{id:?} has no such type")
        }
        (Type::Integer { .. }, Some(ArrayRule::Unique)) => btree_set(whole(), count)
            .prop_map(|set| FieldValues::Integers(set.into_iter().rev().collect()))
            .boxed(),
        (Type::Integer { .. }, _) => vec(whole(), count).prop_map(FieldValues::Integers).boxed(),
        (Type::String(Format::DateTime), _) => {
            vec(any_instant(), count).prop_map(FieldValues::DateTimes).boxed()
        }
        (Type::String(_), _) => vec(text(), count).prop_map(FieldValues::Texts).boxed(),
        (Type::Number, _) => {
            vec(real().prop_map(|real| real + 0.0), count).prop_map(FieldValues::Numbers).boxed()
        }
        (Type::Boolean, _) => vec(any::<bool>(), count).prop_map(FieldValues::Booleans).boxed(),
        (Type::Object(_), _) => vec(object(), count).prop_map(FieldValues::Objects).boxed(),
    }
}

fn object() -> impl Strategy<Value = ObjectItem> {
    (of(whole()), of(int32())).prop_map(|(integer_example, integer_example_int32)| ObjectItem {
        integer_example,
        integer_example_int32,
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
fn action() -> BoxedStrategy<Action> {
    let mut choices = vec![
        (2, Just(Action::DoSomeThing).boxed()),
        (2, text().prop_map(|some_property| Action::ChangeSomeProperty { some_property }).boxed()),
    ];
    choices.extend(OwnFields::current().fields.iter().map(|field| {
        let id = field.id;
        let content = move |values: Option<FieldValues>| {
            values.map_or_else(Content::default, |values| Content::default().with(id, values))
        };
        (1, of(values(id)).prop_map(move |values| Action::SetField { id, content: content(values) }).boxed())
    }));
    Union::new_weighted(choices).boxed()
}

pub fn write() -> BoxedStrategy<Write> {
    // Some bodies name their target by key alone, or not at all.
    let body = || {
        (body(id(), of(key()).boxed()), proptest::bool::weighted(0.75))
            .prop_map(|(body, named)| ResourceInput { id: body.id.filter(|_| named), ..body })
    };
    // Mostly the right version.
    let fits = || proptest::bool::weighted(0.9);
    prop_oneof![
        4 => body().prop_map(Write::Draft),
        2 => body().prop_map(Write::Complex),
        2 => (body(), fits()).prop_map(|(body, fits)| Write::Put(body, fits)),
        2 => (body(), fits()).prop_map(|(body, fits)| Write::Patch(body, fits)),
        2 => (any::<Index>(), vec(action(), 0..3), fits()).prop_map(|(at, actions, fits)| Write::Update(at, actions, fits)),
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
