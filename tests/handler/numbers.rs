//! Every stored double and text is found by exactly its value and returned as exactly its value.
#![allow(clippy::float_cmp, reason = "exactly")]

use proptest::prelude::*;
use resource_edge::util::percent;
use serde_json::json;

use crate::support::caller::Caller;

/// Generates any finite double, often an unusual one.
fn double() -> impl Strategy<Value = f64> {
    let bits = any::<u64>().prop_map(f64::from_bits).prop_filter("finite", |double| double.is_finite());
    let odd = prop::sample::select(vec![
        5e-324,
        -5e-324,
        2.225_073_858_507_201e-308,
        f64::MIN_POSITIVE,
        f64::MAX,
        f64::MIN,
        0.0,
        0.1 + 0.2,
        1e21,
        1e-7,
        9_007_199_254_740_991.0,
        9_007_199_254_740_992.0,
        9_007_199_254_740_994.0,
        -9_007_199_254_740_996.0,
        1e15,
        1e300,
        0.5,
        4.35,
    ]);
    let subnormal = (1..1_u64 << 52).prop_map(f64::from_bits);
    prop_oneof![4 => bits, 1 => odd, 1 => subnormal, 1 => (-1e6..1e6).prop_map(|double: f64| (double * 100.0).round() / 100.0)]
}

fn found(caller: &Caller, parameter: &str, value: f64) -> u64 {
    let got = caller.get(&format!("/p/resource?limit=0&{parameter}={value:e}"));
    got.json()["total"].as_u64().expect("a total")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_double_is_found_only_by_its_own_value_and_is_returned_exactly(value in double()) {
        let caller = Caller::new();
        for (field, parameter) in
            [("arrayOfFloatExample", "floatParameter"), ("arrayOfNumberNoDefaultsExample", "withMarkdownDescription")]
        {
            let text = format!("{{\"objectTypeProperty\":{{\"{field}\":[{value:e}]}}}}");
            let created = caller.ask("POST /p/resource", &[], text.as_bytes());
            prop_assert_eq!(created.status, 201);
            let (_, rest) = created.body.split_once(&format!("\"{field}\":[")).expect("the array");
            let (item, _) = rest.split_once(']').expect("its end");
            // Positive and negative zero are one number.
            prop_assert_eq!(item.parse::<f64>().expect("a number"), value);
            prop_assert_eq!(found(&caller, parameter, value), 1, "alone");
            for other in [value.next_up(), value.next_down()] {
                if other.is_finite() && other != value {
                    prop_assert_eq!(found(&caller, parameter, other), 0, "by {:e}", other);
                }
            }
        }
    }

    #[test]
    fn doubles_sort_as_numbers(values in prop::collection::vec(double(), 1..12)) {
        let caller = Caller::new();
        for (at, value) in values.iter().enumerate() {
            let text = format!("{{\"id\":\"r{at}\",\"objectTypeProperty\":{{\"arrayOfFloatExample\":[{value:e}]}}}}");
            prop_assert_eq!(caller.ask("POST /p/resource", &[], text.as_bytes()).status, 201);
        }
        let order = |direction: &str| -> Vec<String> {
            let page = caller.get(&format!("/p/resource?sort=arrayOfFloatExample+{direction}")).json();
            let results = page["results"].as_array().expect("results");
            results.iter().map(|record| record["id"].as_str().expect("an id").to_owned()).collect()
        };
        let mut places: Vec<usize> = (0..values.len()).collect();
        // A stable sort keeps ties in the order of creation.
        places.sort_by(|left, right| values[*left].partial_cmp(&values[*right]).expect("no NaN"));
        let ids = |places: &[usize]| places.iter().map(|at| format!("r{at}")).collect::<Vec<_>>();
        prop_assert_eq!(order("asc"), ids(&places));
        places.sort_by(|left, right| {
            values[*right].partial_cmp(&values[*left]).expect("no NaN").then(left.cmp(right))
        });
        prop_assert_eq!(order("desc"), ids(&places));
    }

    #[test]
    fn a_text_is_found_only_by_its_own_value(text in "\\PC{0,12}|[\\x01-\\x7f]{0,12}", other in "\\PC{0,3}") {
        let caller = Caller::new();
        let body = json!({"objectTypeProperty": {"arrayOfStringExample": [text]}, "custom": text});
        let created = caller.create(&body);
        prop_assert_eq!(&created["custom"], &json!(text));
        let total = |wanted: &str| {
            let mut encoded = String::new();
            percent::encode(&mut encoded, wanted);
            let by = |name| caller.get(&format!("/p/resource?{name}={encoded}")).json()["total"].clone();
            let totals = ["stringParameter", "arrayOfString", "arrayOfStringWithDescription"].map(by);
            assert!(totals.iter().all(|total| *total == totals[0]), "{totals:?}");
            totals[0].clone()
        };
        prop_assert_eq!(total(&text), 1);
        let longer = format!("{text}{other}");
        prop_assert_eq!(total(&longer), u64::from(longer == text));
    }

    #[test]
    fn an_id_and_a_key_of_any_text_are_found_by_their_encoding(name in "[^\\p{Cc}]{1,40}") {
        prop_assume!(name != "." && name != ".." && !name.starts_with("key="));
        let caller = Caller::new();
        let created = caller.write("POST /p/resource", &json!({"id": name, "key": name, "objectTypeProperty": {}}));
        prop_assert_eq!(created.status, 201);
        let mut encoded = String::new();
        percent::encode(&mut encoded, &name);
        let location = format!("/p/resource/{encoded}");
        prop_assert_eq!(created.header("Location"), Some(location.as_str()));
        for target in [location.clone(), format!("/p/resource/key={encoded}")] {
            prop_assert_eq!(&caller.get(&target).body, &created.body);
            prop_assert_eq!(&caller.fresh(&target).body, &created.body);
        }
    }
}

proptest! {
    // A case sends about two hundred requests.
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn each_double_of_a_long_list_is_found_only_by_its_own_value(values in prop::collection::vec(double(), 60..80)) {
        let caller = Caller::new();
        let items: Vec<_> = values.iter().map(|value| format!("{value:e}")).collect();
        let text = format!("{{\"objectTypeProperty\":{{\"arrayOfFloatExample\":[{}]}}}}", items.join(","));
        prop_assert_eq!(caller.ask("POST /p/resource", &[], text.as_bytes()).status, 201);
        for value in &values {
            prop_assert_eq!(found(&caller, "floatParameter", *value), 1, "by {:e}", value);
            for other in [value.next_up(), value.next_down()] {
                if other.is_finite() && !values.contains(&other) {
                    prop_assert_eq!(found(&caller, "floatParameter", other), 0, "by {:e}", other);
                }
            }
        }
    }
}
