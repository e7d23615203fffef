//! Random predicates, each with its meaning.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use resource_edge::contract::resource::{FIRST_NAME, LAST_NAME};
use resource_edge::predicate::{Comparison, Test, Typed, Value};
use resource_edge::shape::built_in::{INTEGER_EXAMPLE, INTEGER_EXAMPLE_INT32, OBJECTS, TWO_NUMBERS, WRAPPER};
use resource_edge::shape::types::{Field as ShapeField, Format, Type};
use resource_edge::shape::{FieldPath, QueryField, Shape, System};

use super::values::{any_instant, id, int32, key, real, text, whole};

/// The place of a predicate: where its paths start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Record,
    /// Inside `objectTypeProperty(…)`.
    Wrapper,
    /// Inside `createdBy(…)` or `lastModifiedBy(…)`.
    Person(System),
    /// Inside `arrayOfObjectType(…)`.
    Item,
}

/// The kind of a field, by the operators that it supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Id,
    Key,
    Text,
    Whole,
    Int32,
    Real,
    Boolean,
    Time,
    Person,
    Wrapper,
    Objects,
}

/// A field with its name in a place.
#[derive(Debug, Clone)]
pub struct Field {
    pub spelled: String,
    /// `None` for the wrapper.
    pub path: Option<FieldPath>,
    pub kind: Kind,
    pub array: bool,
}

#[derive(Debug, Clone)]
pub enum Node {
    Or(Vec<Self>),
    And(Vec<Self>),
    Not(Box<Self>),
    /// `path(…)`
    Nested(Field, Box<Self>),
    Test(Field, Test),
}

/// Returns every field of a shape that can be named in the place, with every name.
pub fn fields(shape: &Shape, place: Place) -> Vec<Field> {
    match place {
        Place::Record => record_fields(shape),
        Place::Wrapper => array_fields(shape, ""),
        Place::Person(person) => [FIRST_NAME, LAST_NAME]
            .map(|inner| field(inner, path(shape, &[person.name(), inner]), Kind::Text, false))
            .to_vec(),
        Place::Item => item_fields(shape, ""),
    }
}

fn field(spelled: impl Into<String>, path: FieldPath, kind: Kind, array: bool) -> Field {
    Field { spelled: spelled.into(), path: Some(path), kind, array }
}

/// Returns the path of these names, one inside the other.
fn path(shape: &Shape, names: &[&str]) -> FieldPath {
    let inside = |within: Option<QueryField>, name: &&str| {
        Some(shape.field_of(within.as_ref(), name).expect("a field of the shape"))
    };
    let found = names.iter().fold(None, inside);
    found.and_then(|field| field.path).expect("not the wrapper")
}

fn record_fields(shape: &Shape) -> Vec<Field> {
    let further = shape.content().skip(shape.arrays().len());
    let mut fields: Vec<Field> = further.map(|field| of_content(shape, "", field)).collect();
    for (id, kind) in [
        (System::Id, Kind::Id),
        (System::Key, Kind::Key),
        (System::Version, Kind::Whole),
        (System::CreatedAt, Kind::Time),
        (System::LastModifiedAt, Kind::Time),
        (System::CreatedBy, Kind::Person),
        (System::LastModifiedBy, Kind::Person),
    ] {
        fields.push(field(id.name(), FieldPath::of_system(id), kind, false));
    }
    for id in [System::CreatedBy, System::LastModifiedBy] {
        for inner in self::fields(shape, Place::Person(id)) {
            fields.push(Field { spelled: format!("{}.{}", id.name(), inner.spelled), ..inner });
        }
    }
    fields.extend(array_fields(shape, ""));
    fields.extend(array_fields(shape, &format!("{WRAPPER}.")));
    fields.push(Field { spelled: WRAPPER.to_owned(), path: None, kind: Kind::Wrapper, array: false });
    fields
}

fn array_fields(shape: &Shape, before: &str) -> Vec<Field> {
    let mut fields: Vec<Field> =
        shape.arrays().iter().map(|field| of_content(shape, before, field)).collect();
    fields.extend(item_fields(shape, &format!("{before}{OBJECTS}.")));
    fields
}

/// Returns a field of the content.
fn of_content(shape: &Shape, before: &str, found: &ShapeField) -> Field {
    let kind = match found.ty.item() {
        Type::String(Format::DateTime) => Kind::Time,
        Type::String(_) => Kind::Text,
        Type::Integer { .. } => Kind::Whole,
        Type::Number => Kind::Real,
        Type::Boolean => Kind::Boolean,
        Type::Object(_) => Kind::Objects,
        Type::Array(_) | Type::Union(_) => panic!("{} has no such type", found.name),
    };
    let path = path(shape, &[&found.name]);
    field(format!("{before}{}", found.name), path, kind, found.ty.is_array())
}

/// Returns the fields of an item. Outside `arrayOfObjectType(…)` a field means that field of all items, with the
/// operators of a single number.
fn item_fields(shape: &Shape, before: &str) -> Vec<Field> {
    [(INTEGER_EXAMPLE, Kind::Whole), (INTEGER_EXAMPLE_INT32, Kind::Int32)]
        .map(|(name, kind)| field(format!("{before}{name}"), path(shape, &[OBJECTS, name]), kind, false))
        .to_vec()
}

/// Generates a predicate for the place, with about `depth` levels.
pub fn node(shape: &Shape, place: Place, depth: u32) -> BoxedStrategy<Node> {
    let test = test(shape, place);
    if depth == 0 {
        return test;
    }
    let inner = node(shape, place, depth - 1);
    let mut choices = vec![
        (4, test),
        (2, vec(inner.clone(), 2..4).prop_map(Node::And).boxed()),
        (2, vec(inner.clone(), 2..4).prop_map(Node::Or).boxed()),
        (2, inner.prop_map(|inner| Node::Not(Box::new(inner))).boxed()),
        (1, ranges(shape, place)),
    ];
    if let Some(nested) = nested(shape, place, depth) {
        choices.push((3, nested));
    }
    proptest::strategy::Union::new_weighted(choices).boxed()
}

fn nested(shape: &Shape, place: Place, depth: u32) -> Option<BoxedStrategy<Node>> {
    let enter = |field: Field, inside: Place| {
        node(shape, inside, depth - 1)
            .prop_map(move |inner| Node::Nested(field.clone(), Box::new(inner)))
            .boxed()
    };
    let mut choices = Vec::new();
    for field in fields(shape, place) {
        match field.kind {
            Kind::Person => {
                let persons = [System::CreatedBy, System::LastModifiedBy];
                let person = persons.into_iter().find(|person| field.spelled == person.name());
                choices.push((1, enter(field, Place::Person(person.expect("a person")))));
            }
            Kind::Wrapper => choices.push((2, enter(field, Place::Wrapper))),
            Kind::Objects => choices.push((2, enter(field, Place::Item))),
            _ => {}
        }
    }
    (!choices.is_empty()).then(|| proptest::strategy::Union::new_weighted(choices).boxed())
}

/// Generates ranges of one field, which read its value several times.
fn ranges(shape: &Shape, place: Place) -> BoxedStrategy<Node> {
    let compares =
        |field: &Field| !matches!(field.kind, Kind::Boolean | Kind::Person | Kind::Wrapper | Kind::Objects);
    let fields: Vec<Field> = fields(shape, place).into_iter().filter(compares).collect();
    select(fields)
        .prop_flat_map(|field| {
            let values = given(field.kind);
            vec((values.clone(), values), 2..5).prop_map(move |ranges| {
                let test = |how, value| Node::Test(field.clone(), Test::Compare(how, value));
                let range =
                    |(from, to)| Node::And(vec![test(Comparison::Ge, from), test(Comparison::Lt, to)]);
                Node::Or(ranges.into_iter().map(range).collect())
            })
        })
        .boxed()
}

/// Generates one test of one field.
pub fn test(shape: &Shape, place: Place) -> BoxedStrategy<Node> {
    test_of(fields(shape, place))
}

/// Generates one test of one of the fields.
pub fn test_of(fields: Vec<Field>) -> BoxedStrategy<Node> {
    select(fields)
        .prop_flat_map(|field| asked(&field).prop_map(move |asked| Node::Test(field.clone(), asked)))
        .boxed()
}

fn asked(field: &Field) -> BoxedStrategy<Test> {
    let mut choices = vec![(1, select(vec![Test::IsDefined, Test::IsNotDefined]).boxed())];
    if field.array {
        choices.push((1, select(vec![Test::IsEmpty, Test::IsNotEmpty]).boxed()));
    }
    if !matches!(field.kind, Kind::Person | Kind::Wrapper | Kind::Objects) {
        let given = given(field.kind);
        let mut comparisons = vec![Comparison::Eq, Comparison::Ne];
        if field.kind != Kind::Boolean {
            comparisons.extend([Comparison::Lt, Comparison::Le, Comparison::Gt, Comparison::Ge]);
        }
        choices.push((
            5,
            (select(comparisons), given.clone()).prop_map(|(how, value)| Test::Compare(how, value)).boxed(),
        ));
        let list = vec(given, 0..4);
        let of_list = |tests: [fn(Vec<Value>) -> Test; 2]| {
            (select(tests.to_vec()), list.clone()).prop_map(|(test, list)| test(list)).boxed()
        };
        choices.push((2, of_list([Test::In, Test::NotIn])));
        if field.array {
            choices.push((3, of_list([Test::ContainsAny, Test::ContainsAll])));
        }
    }
    let texts = match field.kind {
        Kind::Id => Some(id()),
        Kind::Key => Some(key()),
        Kind::Text => Some(text()),
        _ => None,
    };
    choices.extend(texts.map(|texts| (3, texts.prop_map(Test::MatchesIgnoreCase).boxed())));
    if field.path.as_ref().is_some_and(|path| path.name() == TWO_NUMBERS) {
        choices.push((8, circle()));
    }
    proptest::strategy::Union::new_weighted(choices).boxed()
}

fn given(kind: Kind) -> BoxedStrategy<Value> {
    let whole = || whole().prop_map(|whole| Value::Number(whole as f64));
    match kind {
        Kind::Id => id().prop_map(Value::Text).boxed(),
        Kind::Key => key().prop_map(Value::Text).boxed(),
        Kind::Text => text().prop_map(Value::Text).boxed(),
        // Whole numbers compare with any number.
        Kind::Whole => prop_oneof![6 => whole(), 1 => real().prop_map(Value::Number)].boxed(),
        Kind::Int32 => {
            prop_oneof![5 => int32().prop_map(|whole| Value::Number(f64::from(whole))), 1 => whole()].boxed()
        }
        Kind::Real => real().prop_map(Value::Number).boxed(),
        Kind::Boolean => any::<bool>().prop_map(Value::Boolean).boxed(),
        Kind::Time => any_instant().prop_map(Value::DateTime).boxed(),
        Kind::Person | Kind::Wrapper | Kind::Objects => panic!("{kind:?} compares with nothing"),
    }
}

fn circle() -> BoxedStrategy<Test> {
    let degrees = || prop_oneof![3 => (-3i8..4).prop_map(f64::from), 2 => -4.0..4.0f64, 1 => select(vec![-720.25, -180.0, 90.0, 91.5, 180.0])];
    let metres = prop_oneof![
        3 => select(vec![0.0, -1.0, 1.0, 111_195.0, 111_196.0, 160_000.0, 250_000.0, 500_000.0, 20_015_115.0, 1e300]),
        1 => 1e5..1e6f64,
        1 => 1e6..2.1e7f64,
    ];
    (degrees(), degrees(), metres)
        .prop_map(|(longitude, latitude, metres)| Test::WithinCircle { longitude, latitude, metres })
        .boxed()
}

impl Node {
    /// Returns the predicate's meaning, in no particular form.
    pub fn meaning(&self) -> Typed {
        let all = |parts: &[Self]| parts.iter().map(Self::meaning).collect();
        match self {
            Self::Or(parts) => Typed::Or(all(parts)),
            Self::And(parts) => Typed::And(all(parts)),
            Self::Not(inner) => Typed::Not(Box::new(inner.meaning())),
            Self::Nested(field, inner) => match (field.kind, field.path.clone()) {
                (Kind::Objects, Some(path)) => Typed::Element { path, condition: Box::new(inner.meaning()) },
                _ => inner.meaning(),
            },
            Self::Test(field, asked) => match field.path.clone() {
                Some(path) => Typed::Test { path, test: asked.clone() },
                // The wrapper is always present (D1).
                None if *asked == Test::IsNotDefined => Typed::False,
                None => Typed::True,
            },
        }
    }
}
