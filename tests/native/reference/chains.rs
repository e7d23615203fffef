//! The longest chains of every test (contract, section 5): each field × each operator × each form of its values, in
//! each form of a chain that fits.

use resource_edge::contract::limits;
use resource_edge::predicate::Variables;

use super::extremes::{check_each, longest};

/// A type of values: the name of its variables, and a value with a number in it that no record has.
type Kind = (&'static str, fn(usize) -> String);

/// A field, two of its values, their type, and operators besides those of every field.
struct Field(&'static str, [&'static str; 2], Kind, &'static [&'static str]);

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

const FIELDS: &[Field] = &[
    Field("id", [r#""a""#, r#""b""#], TEXTS, TEXT),
    Field("key", [r#""c""#, r#""d""#], TEXTS, ABSENT),
    Field("version", ["1", "0.5"], NUMBERS, &[]),
    Field("createdAt", TIMES, INSTANTS, &[]),
    Field("lastModifiedAt", TIMES, INSTANTS, &[]),
    Field("custom", [r#""x""#, r#""y""#], TEXTS, TEXT),
    Field("custom", [r#""x""#, r#""y""#], TEXTS, ABSENT),
    Field("createdBy.firstName", [r#""x""#, r#""y""#], TEXTS, TEXT),
    Field("arrayOfIntExample", ["1", "2"], NUMBERS, ARRAY),
    Field("arrayOfIntExample", ["0.5", "1e-310"], FRACTIONS, &[]),
    Field("arrayOfTwonumbersExample", ["1", "2"], NUMBERS, CIRCLE),
    Field("arrayOfFloatExample", ["0.1", "1e-310"], FRACTIONS, ARRAY),
    Field("arrayOfStringExample", [r#""x""#, r#""y""#], TEXTS, ARRAY),
    Field("arrayOfStringExample", [r#""x""#, r#""y""#], TEXTS, TEXT),
    Field("arrayOfObjectType.integerExample", ["1", "2"], NUMBERS, ABSENT),
];
const CIRCLE: &[&str] = &[" within circle(0.5,0.5,90000.5)", " within circle(1,1,-1)", " is empty"];
const TIMES: [&str; 2] = [r#""2024-01-01T00:00:00.000Z""#, r#""1969-01-01T00:00:00.000Z""#];

const TEXTS: Kind = ("t", text);
const NUMBERS: Kind = ("n", number);
const FRACTIONS: Kind = ("f", fraction);
const INSTANTS: Kind = ("d", time);

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
    for (name, value) in [TEXTS, NUMBERS, FRACTIONS, INSTANTS] {
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
    let Field(path, values, (variables, numbered), _) = field;
    let [one, other] = match at {
        None => values.map(str::to_owned),
        Some(at) => [numbered(2 * at), numbered(2 * at + 1)],
    };
    let operator = operator.replace('V', &one).replace('W', &other).replace(":X", &[":", variables].concat());
    [path, operator.as_str()].concat()
}

/// Checks a chain of every test.
fn check_chains(name: &str, chain: impl Fn(&Field, &str) -> String, sorted: bool) {
    let tests = FIELDS.iter().flat_map(|field| {
        let operators = COMPARED.iter().chain(LISTED).chain(field.3);
        operators.map(move |operator| (field, *operator))
    });
    let case =
        |(field, operator): (&Field, &str)| (format!("{}{operator} {name}", field.0), chain(field, operator));
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
