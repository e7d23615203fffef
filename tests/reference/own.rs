//! The operation parameters of operation 1 (D23): their meaning, and their form as a query string.

use proptest::collection::vec;
use proptest::option::{of, weighted};
use proptest::prelude::*;
use resource_edge::contract::model::{Arrays, ArraysInput, ObjectItem, Record};

use super::random::records::arrays;
use super::random::values::{real, text, whole};

/// The parameters of a request.
#[derive(Debug, Clone)]
pub struct Own {
    string: Option<String>,
    integer: Option<i64>,
    float: Option<f64>,
    markdown: Option<f64>,
    object: Option<ArraysInput>,
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
fn few_arrays() -> impl Strategy<Value = ArraysInput> {
    // Items that records are likely to have, because all members of an item must be equal.
    let item = (of(-2i64..3), of(-2i32..3)).prop_map(|(integer_example, integer_example_int32)| ObjectItem {
        integer_example,
        integer_example_int32,
    });
    let items = prop_oneof![Just(None), vec(item, 1).prop_map(Some)];
    (arrays(), items, any::<[bool; 6]>(), any::<[bool; 6]>()).prop_map(|(mut arrays, items, keep, also)| {
        fn cut<T>(array: &mut Option<Vec<T>>, keep: bool) {
            *array = array.take().filter(|_| keep);
            if let Some(items) = array {
                items.truncate(1);
            }
        }
        let keep: Vec<bool> = keep.into_iter().zip(also).map(|(keep, also)| keep && also).collect();
        cut(&mut arrays.ints, keep[0]);
        cut(&mut arrays.unique_ints, keep[1]);
        cut(&mut arrays.floats, keep[2]);
        cut(&mut arrays.numbers, keep[3]);
        cut(&mut arrays.strings, keep[4]);
        arrays.objects = items;
        // A place has two numbers or none.
        arrays.two_numbers = arrays.two_numbers.filter(|_| keep[5]);
        arrays
    })
}

impl Own {
    /// Returns whether the record satisfies all parameters.
    pub fn holds(&self, record: &Record) -> bool {
        let arrays = &record.arrays;
        self.string.iter().all(|text| arrays.strings.contains(text))
            && self.integer.iter().all(|number| arrays.ints.contains(number))
            && self.float.iter().all(|number| arrays.floats.contains(number))
            && self.markdown.iter().all(|number| arrays.numbers.contains(number))
            && self.object.iter().all(|object| occurs(object, arrays))
            && self.all.iter().all(|text| arrays.strings.contains(text))
            && (self.any.is_empty() || self.any.iter().any(|text| arrays.strings.contains(text)))
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

/// Whether every item of every array occurs.
fn occurs(object: &ArraysInput, arrays: &Arrays) -> bool {
    fn all<T: PartialEq>(wanted: Option<&Vec<T>>, items: &[T]) -> bool {
        wanted.into_iter().flatten().all(|item| items.contains(item))
    }
    all(object.ints.as_ref(), &arrays.ints)
        && all(object.unique_ints.as_ref(), &arrays.unique_ints)
        && all(object.two_numbers.as_ref(), &arrays.two_numbers)
        && all(object.floats.as_ref(), &arrays.floats)
        && all(object.numbers.as_ref(), &arrays.numbers)
        && all(object.strings.as_ref(), &arrays.strings)
        && all(object.objects.as_ref(), &arrays.objects)
}

/// Returns the arrays as JSON. Absent ones are empty, which is no condition.
fn written(object: &ArraysInput) -> String {
    let mut out = String::new();
    object.over(None).write(&mut out);
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
