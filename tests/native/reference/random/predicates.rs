//! Random predicates, each with its meaning.

use std::rc::Rc;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use resource_edge::predicate::{Comparison, Test, Typed, Value};
use resource_edge::shape::{FieldPath, FieldType, QueryField, Shape, System, ValueForm};

use super::values::{any_instant, id, key, real, text, whole};

/// The kind of a field, by the operators that it supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Id,
    Key,
    Text,
    Whole,
    Real,
    Boolean,
    Time,
    /// An object, or a list of objects.
    Object,
    Wrapper,
}

/// A field with its name in a place.
#[derive(Debug, Clone)]
pub struct Field {
    pub spelled: String,
    /// `None` for the wrapper.
    pub path: Option<FieldPath>,
    pub kind: Kind,
    found: QueryField,
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

/// Returns every field of a shape that can be named inside another one, or in a resource, with every name.
pub fn fields(shape: &Shape, within: Option<&QueryField>) -> Vec<Field> {
    let mut fields = Vec::new();
    for name in shape.names_within(within) {
        let found = shape.field_of(within, name).expect("a field of the shape");
        let inner = self::fields(shape, Some(&found)).into_iter();
        fields.push(Field { kind: kind(&found), path: found.path.clone(), spelled: name.to_string(), found });
        fields.extend(inner.map(|inner| Field { spelled: format!("{name}.{}", inner.spelled), ..inner }));
    }
    fields
}

fn kind(field: &QueryField) -> Kind {
    let Some(path) = &field.path else { return Kind::Wrapper };
    match (&field.field_type, path.form) {
        (FieldType::Object(_), _) | (_, ValueForm::Object) => Kind::Object,
        (_, ValueForm::Text) if path.is(System::Id) => Kind::Id,
        (_, ValueForm::Text) if path.is(System::Key) => Kind::Key,
        (_, ValueForm::Text) => Kind::Text,
        (_, ValueForm::Integer | ValueForm::Point) => Kind::Whole,
        (_, ValueForm::Number) => Kind::Real,
        (_, ValueForm::Boolean) => Kind::Boolean,
        (_, ValueForm::DateTime) => Kind::Time,
    }
}

impl Field {
    const fn has_order(&self) -> bool {
        !matches!(self.kind, Kind::Boolean | Kind::Object | Kind::Wrapper)
    }

    /// Returns whether it is a field of the content.
    pub fn is_content(&self) -> bool {
        let outer = self.path.as_ref().map(FieldPath::outer);
        System::ALL.iter().all(|system| Some(system.name()) != outer)
    }
}

/// Generates a predicate about what is inside a field, or about a resource, with about `depth` levels.
pub fn node(shape: &Rc<Shape>, within: Option<&QueryField>, depth: u32) -> BoxedStrategy<Node> {
    node_of(shape, &fields(shape, within), depth)
}

fn node_of(shape: &Rc<Shape>, fields: &[Field], depth: u32) -> BoxedStrategy<Node> {
    let test = test_of(fields.to_vec());
    if depth == 0 {
        return test;
    }
    let inner = node_of(shape, fields, depth - 1);
    let mut choices = vec![
        (4, test),
        (2, vec(inner.clone(), 2..4).prop_map(Node::And).boxed()),
        (2, vec(inner.clone(), 2..4).prop_map(Node::Or).boxed()),
        (2, inner.prop_map(|inner| Node::Not(Box::new(inner))).boxed()),
    ];
    let ordered: Vec<Field> = fields.iter().filter(|field| field.has_order()).cloned().collect();
    if !ordered.is_empty() {
        choices.push((1, ranges(ordered)));
    }
    let objects: Vec<Field> =
        fields.iter().filter(|field| matches!(field.kind, Kind::Object | Kind::Wrapper)).cloned().collect();
    if !objects.is_empty() {
        let shape = Rc::clone(shape);
        let enter = move |field: Field| {
            // A condition in parentheses is about one item of the innermost list.
            let (_, inside) = field.found.clone().into_item();
            node(&shape, Some(&inside), depth - 1)
                .prop_map(move |inner| Node::Nested(field.clone(), Box::new(inner)))
        };
        choices.push((3, select(objects).prop_flat_map(enter).boxed()));
    }
    proptest::strategy::Union::new_weighted(choices).boxed()
}

/// Generates ranges of one of the fields, which read its value several times.
fn ranges(fields: Vec<Field>) -> BoxedStrategy<Node> {
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

/// Generates one test of one of the fields.
pub fn test_of(fields: Vec<Field>) -> BoxedStrategy<Node> {
    select(fields)
        .prop_flat_map(|field| asked(&field).prop_map(move |asked| Node::Test(field.clone(), asked)))
        .boxed()
}

fn asked(field: &Field) -> BoxedStrategy<Test> {
    let mut choices = vec![(1, select(vec![Test::IsDefined, Test::IsNotDefined]).boxed())];
    if field.found.array {
        choices.push((1, select(vec![Test::IsEmpty, Test::IsNotEmpty]).boxed()));
    }
    if !matches!(field.kind, Kind::Object | Kind::Wrapper) {
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
        if field.found.array {
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
    if field.found.is_point() {
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
        Kind::Real => real().prop_map(Value::Number).boxed(),
        Kind::Boolean => any::<bool>().prop_map(Value::Boolean).boxed(),
        Kind::Time => any_instant().prop_map(Value::DateTime).boxed(),
        Kind::Object | Kind::Wrapper => panic!("{kind:?} compares with nothing"),
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
            Self::Nested(field, inner) => match field.found.items.clone() {
                Some(path) => Typed::Element { path, condition: Box::new(inner.meaning()) },
                None => inner.meaning(),
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
