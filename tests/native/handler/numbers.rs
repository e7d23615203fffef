//! Every stored double is found by exactly its value and returned as exactly its value.
#![allow(clippy::float_cmp, reason = "exactly")]

use proptest::prelude::*;

use super::*;
use crate::native::reference::random::values::real;

/// Generates any finite double, often an unusual one.
fn double() -> impl Strategy<Value = f64> {
    let bits = any::<u64>().prop_map(f64::from_bits).prop_filter("finite", |double| double.is_finite());
    let subnormal = (1..1_u64 << 52).prop_map(f64::from_bits);
    prop_oneof![4 => bits, 1 => real(), 1 => subnormal, 1 => (-1e6..1e6).prop_map(|double: f64| (double * 100.0).round() / 100.0)]
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

}
