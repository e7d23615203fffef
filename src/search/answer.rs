//! The form of a facet's counts in the response (contract, section 6).

use crate::contract::limits;
use crate::contract::response::operations::{
    FILTER, RANGE, TERMS, filtered_facet, range_counts, range_facet, term, terms_facet,
};
use crate::util::json::{self, ObjectWriter};
use crate::util::number;
use crate::util::time;

use super::facet::{Facet, FacetRange};
use crate::predicate::Value;

/// The counts of a facet, by its kind.
#[derive(Debug, Clone, PartialEq)]
pub enum FacetResult {
    /// For `FacetKind::Terms`.
    Terms {
        /// How many resources have no value.
        missing: u64,
        /// The sum of the counts of all terms, listed or not.
        total: u64,
        /// The terms, by descending count, then by ascending term. Only the first 200 are written.
        terms: Vec<TermCount>,
    },
    /// For `FacetKind::Ranges`, in the order of the ranges.
    Ranges(Vec<RangeResult>),
    /// For `FacetKind::Filtered`: how many resources have one of the values.
    Filter { count: u64 },
}

#[derive(Debug, Clone, PartialEq)]
pub struct TermCount {
    pub term: Value,
    pub count: u64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct RangeResult {
    pub range: FacetRange,
    /// The number of resources with a value in the range.
    pub count: u64,
    /// The number of values in the range. A resource may have several.
    pub values: u64,
    /// The sum of the values; instants count in milliseconds since 1970.
    pub total: f64,
    /// The smallest value; not written if there are no values.
    pub min: f64,
    /// The largest value; not written if there are no values.
    pub max: f64,
}

/// Appends the object with each facet's counts under its alias.
pub fn write_facets<'a>(out: &mut String, answers: impl IntoIterator<Item = (&'a Facet, &'a FacetResult)>) {
    let mut facets = ObjectWriter::open(out);
    for (facet, result) in answers {
        write_facet(facets.member(&facet.alias), facet, result);
    }
    facets.close();
}

fn write_facet(out: &mut String, facet: &Facet, result: &FacetResult) {
    let mut object = ObjectWriter::open(out);
    match result {
        FacetResult::Terms { missing, total, terms } => {
            let listed = terms.get(..limits::FACET_TERMS).unwrap_or(terms);
            let shown = listed.iter().fold(0_u64, |sum, term| sum.saturating_add(term.count));
            object.text(terms_facet::TYPE, TERMS);
            object.text(terms_facet::DATA_TYPE, facet.data_type.wire());
            count(&mut object, terms_facet::MISSING, *missing);
            count(&mut object, terms_facet::TOTAL, *total);
            count(&mut object, terms_facet::OTHER, total.saturating_sub(shown));
            object.array(terms_facet::TERMS, listed, |out, term| write_term(out, facet, term));
        }
        FacetResult::Ranges(ranges) => {
            object.text(range_facet::TYPE, RANGE);
            object.array(range_facet::RANGES, ranges, |out, range| write_range(out, facet, range));
        }
        FacetResult::Filter { count } => {
            object.text(filtered_facet::TYPE, FILTER);
            counts(&mut object, facet, *count);
        }
    }
    object.close();
}

fn write_term(out: &mut String, facet: &Facet, result: &TermCount) {
    let mut object = ObjectWriter::open(out);
    let mut text = String::new();
    match &result.term {
        Value::Text(value) => text.push_str(value),
        Value::Number(number) => number::push_decimal(&mut text, *number),
        Value::Boolean(truth) => json::boolean(&mut text, *truth),
        Value::DateTime(instant) => time::push_signed(&mut text, *instant),
    }
    object.text(term::TERM, &text);
    counts(&mut object, facet, result.count);
    object.close();
}

fn write_range(out: &mut String, facet: &Facet, result: &RangeResult) {
    let RangeResult { range, count, values, total, min, max } = result;
    let mut object = ObjectWriter::open(out);
    for (name, text_name, bound) in [
        (range_counts::FROM, range_counts::FROM_STR, &range.from),
        (range_counts::TO, range_counts::TO_STR, &range.to),
    ] {
        number(&mut object, name, bound.as_ref().map_or(0.0, |bound| bound.value));
        object.text(text_name, bound.as_ref().map_or("", |bound| &bound.text));
    }
    counts(&mut object, facet, *count);
    let of_values = |value: f64| if *values == 0 { 0.0 } else { value };
    number(&mut object, range_counts::TOTAL, of_values(*total));
    number(&mut object, range_counts::MIN, of_values(*min));
    number(&mut object, range_counts::MAX, of_values(*max));
    // Counts stay below 2^53.
    number(&mut object, range_counts::MEAN, of_values(*total / *values as f64));
    object.close();
}

/// Writes `count`, and `productCount` if the facet asks for it: a resource is its own product.
fn counts(object: &mut ObjectWriter<'_>, facet: &Facet, resources: u64) {
    count(object, term::COUNT, resources);
    if facet.counting_products {
        count(object, term::PRODUCT_COUNT, resources);
    }
}

fn count(object: &mut ObjectWriter<'_>, name: &str, value: u64) {
    object.integer(name, i64::try_from(value).unwrap_or(i64::MAX));
}

/// Writes a number. A sum that overflows becomes the largest double, because JSON has no infinity.
fn number(object: &mut ObjectWriter<'_>, name: &str, value: f64) {
    let finite = if value.is_nan() { 0.0 } else { value.clamp(f64::MIN, f64::MAX) };
    json::number(object.member(name), finite);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::facet::{self, FacetKind};
    use crate::shape::Shape;
    use crate::test;
    use proptest::prelude::*;

    fn parse_facet(source: &str) -> Facet {
        facet::parse_facet(&Shape::built_in(), source).unwrap()
    }

    fn written(facet: &str, result: &FacetResult) -> String {
        let mut out = String::new();
        write_facets(&mut out, [(&parse_facet(facet), result)]);
        out
    }

    fn terms(missing: u64, total: u64, terms: Vec<(Value, u64)>) -> FacetResult {
        let terms = terms.into_iter().map(|(term, count)| TermCount { term, count }).collect();
        FacetResult::Terms { missing, total, terms }
    }

    #[test]
    fn terms_are_written_with_what_is_missing_and_what_is_not_listed() {
        let result = terms(2, 7, vec![(Value::Text("a\"b".to_owned()), 3), (Value::Text(String::new()), 1)]);
        assert_eq!(
            written("custom", &result),
            "{\"custom\":{\"type\":\"terms\",\"dataType\":\"text\",\"missing\":2,\"total\":7,\"other\":3,\
             \"terms\":[{\"term\":\"a\\\"b\",\"count\":3},{\"term\":\"\",\"count\":1}]}}"
        );
    }

    #[test]
    fn numeric_terms_print_as_decimals_and_times_in_their_form() {
        let values = [36.0, -1.0, 0.5, 1e20, 1e21, 1e-7, -0.0];
        let numbers = terms(0, 7, values.map(|value| (Value::Number(value), 1)).to_vec());
        let json = written("version", &numbers);
        for term in ["36.0", "-1.0", "0.5", "100000000000000000000.0", "1e+21", "1e-7", "0.0"] {
            assert!(json.contains(&format!("{{\"term\":\"{term}\",\"count\":1}}")), "{term} in {json}");
        }
        let times = terms(0, 1, vec![(Value::DateTime(951_827_696_789), 1)]);
        assert_eq!(
            written("createdAt as t counting products", &times),
            "{\"t\":{\"type\":\"terms\",\"dataType\":\"datetime\",\"missing\":0,\"total\":1,\"other\":0,\
             \"terms\":[{\"term\":\"2000-02-29T12:34:56.789Z\",\"count\":1,\"productCount\":1}]}}"
        );
    }

    #[test]
    fn no_more_than_200_terms_are_listed_and_other_counts_the_rest() {
        let many = (0..203).map(|number| (Value::Number(f64::from(number)), 2)).collect();
        let json: serde_json::Value =
            serde_json::from_str(&written("version as v", &terms(0, 406, many))).unwrap();
        assert_eq!(json["v"]["terms"].as_array().unwrap().len(), 200);
        assert_eq!(json["v"]["other"], 6);
    }

    fn ranges(facet: &str, counted: &[(u64, u64, f64, f64, f64)]) -> FacetResult {
        let FacetKind::Ranges(ranges) = parse_facet(facet).kind else { panic!("{facet}") };
        let results = ranges.into_iter().zip(counted).map(|(range, &(count, values, total, min, max))| {
            RangeResult { range, count, values, total, min, max }
        });
        FacetResult::Ranges(results.collect())
    }

    #[test]
    fn ranges_show_open_ends_as_zero_and_empty_and_the_mean_of_the_values() {
        let facet = "arrayOfIntExample:range(* to 10),(10 to *) counting products";
        let result = ranges(facet, &[(2, 4, 10.0, 1.0, 4.0), (0, 0, 5.0, f64::NAN, f64::INFINITY)]);
        assert_eq!(
            written(facet, &result),
            "{\"arrayOfIntExample\":{\"type\":\"range\",\"ranges\":[\
             {\"from\":0,\"fromStr\":\"\",\"to\":10,\"toStr\":\"10.0\",\"count\":2,\"productCount\":2,\
             \"total\":10,\"min\":1,\"max\":4,\"mean\":2.5},\
             {\"from\":10,\"fromStr\":\"10.0\",\"to\":0,\"toStr\":\"\",\"count\":0,\"productCount\":0,\
             \"total\":0,\"min\":0,\"max\":0,\"mean\":0}]}}"
        );
        let facet = "createdAt:range(\"1969-12-31T23:59:59.999Z\" to *)";
        let json = written(facet, &ranges(facet, &[(1, 1, 5.0, 5.0, 5.0)]));
        assert!(json.contains("{\"from\":-1,\"fromStr\":\"1969-12-31T23:59:59.999Z\",\"to\":0,"), "{json}");
    }

    #[test]
    fn a_filtered_facet_is_its_count() {
        let result = FacetResult::Filter { count: 3 };
        assert_eq!(written("version:1 as x", &result), "{\"x\":{\"type\":\"filter\",\"count\":3}}");
        assert_eq!(
            written("version:1 as x counting products", &result),
            "{\"x\":{\"type\":\"filter\",\"count\":3,\"productCount\":3}}"
        );
        let mut none = String::new();
        write_facets(&mut none, []);
        assert_eq!(none, "{}");
    }

    proptest! {
        #[test]
        fn the_response_is_json_for_any_counts(
            text in any::<String>(), number in any::<f64>(), count in any::<u64>(), values in any::<u64>(),
        ) {
            let facet = "version:range(1 to 2)";
            let result = ranges(facet, &[(count, values, number, number, number)]);
            let json = written(facet, &result);
            prop_assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok(), "{}", json);
            let json = written("custom", &terms(count, values, vec![(Value::Text(text), count)]));
            prop_assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok(), "{}", json);
        }
    }
}
