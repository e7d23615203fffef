//! The operation parameters of operation 1 (D23): their meaning, and their form as a query string.

use proptest::collection::vec;
use proptest::option::{of, weighted};
use proptest::prelude::*;
use resource_edge::contract::resource::content::{Content, FieldValues};
use resource_edge::contract::resource::model::{ObjectItem, Record};
use resource_edge::contract::resource::schema::{Array, ArrayRule, FieldId, OBJECT_TEST_TYPE, Type};

use super::random::records::arrays;
use super::random::values::{real, text, whole};

/// The parameters of a request.
#[derive(Debug, Clone)]
pub struct Own {
    string: Option<String>,
    integer: Option<i64>,
    float: Option<f64>,
    markdown: Option<f64>,
    object: Option<Content>,
    all: Vec<String>,
    any: Vec<String>,
}

/// Parameters of which a request passes few, because each narrows the results.
pub fn own() -> BoxedStrategy<Own> {
    let single = (
        weighted(0.2, text()),
        weighted(0.2, whole()),
        weighted(0.2, real()),
        weighted(0.2, real()),
        weighted(0.3, few_arrays()),
    );
    let texts = || prop_oneof![3 => Just(Vec::new()), 1 => vec(text(), 1..4)];
    (single, texts(), texts())
        .prop_map(|((string, integer, float, markdown, object), all, any)| Own {
            string,
            integer,
            float,
            markdown,
            object,
            all,
            any,
        })
        .boxed()
}

/// Arrays of at most one item, and few of them.
fn few_arrays() -> impl Strategy<Value = Content> {
    // Items that records are likely to have, because all members of an item must be equal.
    let item = (of(-2i64..3), of(-2i32..3)).prop_map(|(integer_example, integer_example_int32)| ObjectItem {
        integer_example,
        integer_example_int32,
    });
    let items = prop_oneof![Just(None), vec(item, 1).prop_map(Some)];
    let kept = vec(proptest::bool::weighted(0.25), OBJECT_TEST_TYPE.fields.len());
    (arrays(), items, kept).prop_map(|(arrays, items, kept)| {
        let others = FieldId::ALL.iter().filter(|id| id.is_wrapped() && **id != FieldId::ArrayOfObjectType);
        let mut few = Content::default();
        for (id, _) in others.copied().zip(kept).filter(|(_, is_kept)| *is_kept) {
            if let Some(values) = arrays.get(id) {
                few.set(id, first(id, values.clone()));
            }
        }
        match items {
            Some(items) => few.with(FieldId::ArrayOfObjectType, items),
            None => few,
        }
    })
}

/// Returns the first item, or all if the array has a fixed number of them.
fn first(id: FieldId, mut values: FieldValues) -> FieldValues {
    match &mut values {
        _ if matches!(id.content(), Some(Type::Array(Array { rule: ArrayRule::EmptyOr(_), .. }))) => {}
        FieldValues::Texts(texts) => texts.truncate(1),
        FieldValues::Integers(integers) => integers.truncate(1),
        FieldValues::Numbers(numbers) => numbers.truncate(1),
        other => panic!("{other:?} in {id:?}"),
    }
    values
}

impl Own {
    /// Returns whether the record satisfies all parameters.
    pub fn holds(&self, record: &Record) -> bool {
        let has = |id: FieldId, wanted: FieldValues| {
            record.content.get(id).is_some_and(|values| contains(values, &wanted))
        };
        let text = |text: &String| has(FieldId::ArrayOfString, vec![text.clone()].into());
        let number = |id, number: &f64| has(id, vec![*number].into());
        self.string.iter().all(text)
            && self.integer.iter().all(|integer| has(FieldId::ArrayOfInt, vec![*integer].into()))
            && self.float.iter().all(|float| number(FieldId::ArrayOfFloat, float))
            && self.markdown.iter().all(|float| number(FieldId::ArrayOfNumberNoDefaults, float))
            && self
                .object
                .iter()
                .all(|object| object.iter().all(|(id, values)| values.is_empty() || has(id, values.clone())))
            && self.all.iter().all(text)
            && (self.any.is_empty() || self.any.iter().any(text))
    }

    /// Returns the parameters by name.
    pub fn pairs(&self) -> Vec<(String, String)> {
        let mut pairs = Vec::new();
        let mut push = |name: &str, value: String| pairs.push((name.to_owned(), value));
        self.any.iter().for_each(|text| push("arrayOfStringWithDescription", text.clone()));
        self.string.iter().for_each(|text| push("stringParameter", text.clone()));
        self.integer.iter().for_each(|number| push("integerParameter", number.to_string()));
        self.float.iter().for_each(|number| push("floatParameter", format!("{number:e}")));
        self.markdown.iter().for_each(|number| push("withMarkdownDescription", format!("{number:?}")));
        self.object.iter().for_each(|object| push("objectParameter", written(object)));
        self.all.iter().for_each(|text| push("arrayOfString", text.clone()));
        pairs
    }
}

fn contains(values: &FieldValues, wanted: &FieldValues) -> bool {
    fn all<T: PartialEq>(values: &[T], wanted: &[T]) -> bool {
        wanted.iter().all(|value| values.contains(value))
    }
    match (values, wanted) {
        (FieldValues::Texts(values), FieldValues::Texts(wanted)) => all(values, wanted),
        (FieldValues::Integers(values), FieldValues::Integers(wanted)) => all(values, wanted),
        (FieldValues::Numbers(values), FieldValues::Numbers(wanted)) => all(values, wanted),
        (FieldValues::Objects(values), FieldValues::Objects(wanted)) => all(values, wanted),
        other => panic!("{other:?}"),
    }
}

/// Returns the arrays as JSON. Absent ones are empty, which is no condition.
fn written(object: &Content) -> String {
    let mut out = String::new();
    object.write_arrays(&mut out);
    out
}

/// Returns a query string of the pairs, with everything encoded that can be.
pub fn query_string(pairs: &[(String, String)]) -> String {
    let encoded = |text: &str| -> String {
        text.bytes()
            .map(|byte| match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' => char::from(byte).to_string(),
                b' ' => "+".to_owned(),
                other => format!("%{other:02X}"),
            })
            .collect()
    };
    let pairs: Vec<String> =
        pairs.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect();
    pairs.join("&")
}
