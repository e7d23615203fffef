//! The longest chains of every test (contract, section 5): each field × each operator × each form of its values, in
//! each form of a chain that fits.

use resource_edge::contract::limits;
use resource_edge::predicate::Variables;

use super::extremes::{check_each, longest};

/// A field, two of its values, and a value with a number in it that no record has.
struct Field {
    path: &'static str,
    values: [&'static str; 2],
    numbered: fn(usize) -> String,
    /// Which variables have values of its type.
    variables: &'static str,
    operators: &'static [&'static str],
}

const COMPARED: &[&str] = &["=V", "!=V", "<V", ">=V", " in(V)", " in(V,W)", " not in(V)", " not in(V,W)"];
const LISTED: &[&str] =
    &["=:X1", " in(:X1)", " in :X1", " in :X2", " in :X12", " not in :X1", " not in :X2", " not in :X12"];
const TEXT: &[&str] = &[" matches ignore case V", " matches ignore case :X1"];
const ABSENT: &[&str] = &[" is defined", " is not defined"];
const ARRAY: &[&str] = &[
    " contains any(V)",
    " contains any(V,W)",
    " contains all(V)",
    " contains all(V,W)",
    " contains any :X12",
    " contains all :X12",
    " is empty",
    " is not empty",
];

const fn field(
    path: &'static str,
    values: [&'static str; 2],
    numbered: fn(usize) -> String,
    variables: &'static str,
    operators: &'static [&'static str],
) -> Field {
    Field { path, values, numbered, variables, operators }
}

const FIELDS: &[Field] = &[
    field("id", [r#""a""#, r#""b""#], text, "t", TEXT),
    field("key", [r#""c""#, r#""d""#], text, "t", ABSENT),
    field("version", ["1", "0.5"], number, "n", &[]),
    field("createdAt", TIMES, time, "d", &[]),
    field("lastModifiedAt", TIMES, time, "d", &[]),
    field("custom", [r#""x""#, r#""y""#], text, "t", TEXT),
    field("custom", [r#""x""#, r#""y""#], text, "t", ABSENT),
    field("createdBy.firstName", [r#""x""#, r#""y""#], text, "t", TEXT),
    field("arrayOfIntExample", ["1", "2"], number, "n", ARRAY),
    field("arrayOfIntExample", ["0.5", "1e-310"], fraction, "f", &[]),
    field("arrayOfTwonumbersExample", ["1", "2"], number, "n", CIRCLE),
    field("arrayOfFloatExample", ["0.1", "1e-310"], fraction, "f", ARRAY),
    field("arrayOfStringExample", [r#""x""#, r#""y""#], text, "t", ARRAY),
    field("arrayOfStringExample", [r#""x""#, r#""y""#], text, "t", TEXT),
    field("arrayOfObjectType.integerExample", ["1", "2"], number, "n", ABSENT),
];
const CIRCLE: &[&str] = &[" within circle(0.5,0.5,90000.5)", " within circle(1,1,-1)", " is empty"];
const TIMES: [&str; 2] = [r#""2024-01-01T00:00:00.000Z""#, r#""1969-01-01T00:00:00.000Z""#];

fn text(at: usize) -> String {
    format!("\"{at}\"")
}

fn number(at: usize) -> String {
    at.to_string()
}

fn fraction(at: usize) -> String {
    format!("{at}.5")
}

fn time(at: usize) -> String {
    format!("\"2024-01-01T00:00:00.{:03}Z\"", at % 1000)
}

/// Lists of 1, 2, and 12 values for each type.
fn variables() -> Variables {
    let mut variables = Variables::default();
    for (name, value) in [("t", text as fn(usize) -> String), ("n", number), ("f", fraction), ("d", time)] {
        for count in [1, 2, 12] {
            for at in 0..count {
                variables.insert(format!("{name}{count}"), value(at).trim_matches('"').to_owned());
            }
        }
    }
    variables
}

/// Returns a test of the field with the operator. `at` numbers its values, so that all are different.
fn test(field: &Field, operator: &str, at: Option<usize>) -> String {
    let [one, other] = match at {
        None => field.values.map(str::to_owned),
        Some(at) => [(field.numbered)(2 * at), (field.numbered)(2 * at + 1)],
    };
    let operator =
        operator.replace('V', &one).replace('W', &other).replace(":X", &[":", field.variables].concat());
    [field.path, &operator].concat()
}

/// Checks a chain of every test.
fn check_chains(name: &str, chain: impl Fn(&Field, &str) -> String, sorted: bool) {
    let tests = FIELDS.iter().flat_map(|field| {
        let operators = COMPARED.iter().chain(LISTED).chain(field.operators);
        operators.map(move |operator| (field, *operator))
    });
    let case = |(field, operator): (&Field, &str)| {
        (format!("{}{operator} {name}", field.path), chain(field, operator))
    };
    check_each(tests.map(case), &variables(), sorted);
}

#[test]
fn the_longest_chains_of_one_test_work_in_any_order() {
    for glue in [" or ", " and ", " and not "] {
        check_chains(
            glue,
            |field, operator| longest(glue, limits::PREDICATE_BYTES, |_| test(field, operator, None)),
            glue == " or ",
        );
    }
}

#[test]
fn the_longest_chains_of_different_values_work() {
    for glue in [" or ", " and ", " or not "] {
        check_chains(
            glue,
            |field, operator| longest(glue, limits::PREDICATE_BYTES, |at| test(field, operator, Some(at))),
            glue == " or ",
        );
    }
}

#[test]
fn the_longest_chains_of_pairs_work() {
    for (glue, inner) in [("or", " and "), ("and", " or ")] {
        check_chains(
            inner,
            |field, operator| {
                longest(glue, limits::PREDICATE_BYTES, |at| {
                    let second = &FIELDS[at % FIELDS.len()];
                    let operator_of_second = COMPARED[at % COMPARED.len()];
                    let pair = [test(field, operator, Some(at)), test(second, operator_of_second, Some(at))];
                    format!("({}{inner}{})", pair[0], pair[1])
                })
            },
            glue == "or",
        );
    }
}
