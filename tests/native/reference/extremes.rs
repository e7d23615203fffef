//! Predicates of the greatest depth, length, and number that the contract accepts (section 5): the platform must accept
//! their SQL too.

use std::fmt::Write as _;

use resource_edge::call::{Change, Query};
use resource_edge::contract::limits;
use resource_edge::predicate::{self, Variables};
use resource_edge::shape::{Content, FieldPath, ResourceInput, Shape, Sort, System};
use serde_json::json;

use super::page::matches;
use super::twin::{Tally, Twin};
use crate::support::random::Random;

/// Tests that are true for some of the records, short ones first. They include each kind of SQL of a test.
const TESTS: [&str; 14] = [
    r#"id="a""#,
    r#"key!="a""#,
    "version=1",
    "version<0.5",
    r#"custom="x""#,
    r#"custom in("x","y")"#,
    "custom is not defined",
    r#"custom matches ignore case"X""#,
    "arrayOfIntExample=1",
    "arrayOfFloatExample=0.1",
    "arrayOfIntExample contains all(1,2)",
    "arrayOfFloatExample contains any(0.1,0.2)",
    "arrayOfTwonumbersExample within circle(0.5,0.5,90000.5)",
    "arrayOfObjectType(integerExample=1)",
];

/// Tests of one item.
const ITEM_TESTS: [&str; 3] = ["integerExample=1", "integerExample!=0.5", "integerExampleInt32 not in(1,2)"];

pub fn twin() -> Twin {
    let mut twin = Twin::new();
    for (at, id) in ["a", "b", "c", "d"].into_iter().enumerate() {
        let mut content: Content = [
            ("arrayOfIntExample", json!([at, 2])),
            ("arrayOfFloatExample", json!([0.1, at])),
            ("arrayOfObjectType", json!([{ "integerExample": at }, { "integerExample": 0 }])),
        ]
        .map(|(name, value)| (name, value.to_string()))
        .into_iter()
        .collect();
        if at != 1 {
            content.push("arrayOfTwonumbersExample", &json!([at, at]).to_string());
        }
        if at % 2 == 0 {
            content.push("custom", "\"x\"");
        }
        let body = ResourceInput {
            id: Some(id.to_owned()),
            key: (at > 1).then(|| id.to_owned()),
            content,
            ..ResourceInput::default()
        };
        twin.write(&Change::CreateOrUpdate(body), &Tally::default()).expect("a body");
    }
    twin
}

/// Returns every order of a shape that leaves ties, each in both directions.
pub fn every_sort(shape: &Shape) -> Vec<Sort> {
    let unique = [System::Id, System::CreatedAt, System::LastModifiedAt];
    let paths = shape.query_fields().into_iter().filter_map(|field| field.path);
    let paths = paths.filter(|path| !unique.iter().any(|unique| path.is(*unique)));
    let has_order = |path: &FieldPath| predicate::parse_sort(shape, path.name()).is_ok();
    let paths = paths.filter(has_order);
    paths.flat_map(|path| [true, false].map(|descending| Sort { path: path.clone(), descending })).collect()
}

/// Returns what is wrong with the results of the conjunction of these predicates.
fn check(twin: &Twin, predicates: &[&str], variables: &Variables, sorted: bool) -> Result<(), String> {
    let condition = predicate::read(&twin.shape, predicates.iter().copied(), variables)
        .map_err(|error| format!("{error:?}"))?;
    let sort = if sorted { every_sort(&twin.shape) } else { Vec::new() };
    let query = Query { condition, sort, limit: 500, offset: 0, with_total: true };
    let found = matches(&twin.stored(), &query);
    twin.compare(&query, &found)
}

/// Checks every predicate, in an order with as many keys as possible if `sorted`, and reports all failures by name.
pub fn check_each(cases: impl IntoIterator<Item = (String, String)>, variables: &Variables, sorted: bool) {
    let (twin, mut failures) = (twin(), Vec::new());
    for (name, text) in cases {
        assert!(text.len() <= limits::PREDICATE_BYTES, "{name}: {} bytes", text.len());
        if let Err(error) = check(&twin, &[&text], variables, sorted) {
            failures.push(format!("{name}: {error:.300}"));
        }
    }
    report(&failures);
}

pub fn report(failures: &[String]) {
    assert!(failures.is_empty(), "{} fail:\n{}", failures.len(), failures.join("\n"));
}

/// Checks every predicate without variables and without an order.
fn check_all(cases: impl IntoIterator<Item = (String, String)>) {
    check_each(cases, &Variables::default(), false);
}

/// Joins as many parts as fit.
pub fn longest(glue: &str, bytes: usize, part: impl Fn(usize) -> String) -> String {
    let mut out = part(0);
    for at in 1.. {
        let next = part(at);
        if out.len() + glue.len() + next.len() > bytes {
            break;
        }
        let _ = write!(out, "{glue}{next}");
    }
    out
}

/// Returns a predicate in `depth` nested parentheses, with chains of the test around each, which together fill the
/// bytes. `and` and `or` alternate, so that no two levels merge.
fn nest(test: &str, core: &str, depth: usize, bytes: usize, not: &str, place: usize) -> String {
    // The parentheses and the words between need some of a level's bytes.
    let level = (bytes - core.len()) / depth;
    let mut out = core.to_owned();
    for at in 0..depth {
        let glue = if at % 2 == 0 { " and " } else { " or " };
        let room = level.saturating_sub(not.len() + 2 + 2 * glue.len());
        let count = (room + glue.len()) / (test.len() + glue.len());
        let mut parts: Vec<&str> = vec![test; count];
        let inner = format!("{not}({out})");
        let place = match place {
            0 => 0,
            1 => count / 2,
            _ => count,
        };
        parts.insert(place, &inner);
        out = parts.join(glue);
    }
    out
}

#[test]
fn the_longest_chains_inside_an_item_work() {
    check_all(ITEM_TESTS.into_iter().flat_map(|test| {
        [" or ", " and ", " and not "].map(|glue| {
            let chain = longest(glue, limits::PREDICATE_BYTES - 19, |_| test.to_owned());
            (format!("arrayOfObjectType({test}{glue}…)"), format!("arrayOfObjectType({chain})"))
        })
    }));
}

/// Returns the deepest nestings of a test: the widths of their levels in all bytes, and where the inner levels are.
fn nestings(test: &str, depth: usize, bytes: &[usize]) -> Vec<(String, String)> {
    let mut cases = Vec::new();
    for bytes in bytes {
        for place in 0..3 {
            for (not, levels) in [("", depth), ("not ", depth / 2), ("", 24), ("not ", 12), ("", 8)] {
                // A nested condition is a separate level.
                let levels = levels - usize::from(test.ends_with("=1)"));
                let name = format!("{levels} levels of {not}{test} in {bytes} bytes at {place}");
                cases.push((name, nest(test, test, levels, *bytes, not, place)));
            }
        }
    }
    cases
}

#[test]
fn the_deepest_nesting_works_whatever_the_width_of_its_levels() {
    let (depth, most) = (limits::PREDICATE_DEPTH, limits::PREDICATE_BYTES);
    check_all(TESTS.into_iter().flat_map(|test| {
        let bytes = [test.len() + 20 * depth, (4 * depth * (test.len() + 6)).min(most), most];
        nestings(test, depth, &bytes)
    }));
}

#[test]
fn the_deepest_nesting_inside_an_item_works() {
    // `not`, the wrapper and the array are levels too.
    let depth = limits::PREDICATE_DEPTH - 4;
    check_all(ITEM_TESTS.into_iter().flat_map(|test| {
        let inner = nestings(test, depth, &[40 * depth, limits::PREDICATE_BYTES - 40]);
        inner.into_iter().flat_map(|(name, inner)| {
            let item = format!("arrayOfObjectType({inner})");
            [(format!("not wrapped: {name}"), format!("not objectTypeProperty({item})")), (name, item)]
        })
    }));
}

#[test]
fn a_deep_part_beside_a_long_chain_works() {
    // SQLite converts the selects in a chain of `and` to joins, each of which adds to the depth.
    let mut cases = Vec::new();
    for test in TESTS {
        for (count, levels) in [(20, 60), (40, 60), (62, 60), (100, 60), (62, 40), (100, 20)] {
            for glue in [" and ", " or ", " and not "] {
                let flat = longest(glue, count * (test.len() + glue.len()), |_| test.to_owned());
                let Some(room) = limits::PREDICATE_BYTES.checked_sub(flat.len() + 20) else { continue };
                let deep = nest(test, test, levels, room.max(levels * 8), "", 2);
                for text in [format!("{flat}{glue}({deep})"), format!("({deep}){glue}{flat}")] {
                    if text.len() <= limits::PREDICATE_BYTES {
                        cases.push((format!("{count} × {test}{glue} and {levels} levels"), text));
                    }
                }
            }
        }
    }
    check_all(cases);
}

#[test]
fn nots_and_parentheses_nest_to_the_maximum_depth() {
    let depth = limits::PREDICATE_DEPTH;
    let wraps = [("(", ")", 1), ("not ", "", 1), ("not(", ")", 2)];
    check_all(wraps.into_iter().flat_map(|(open, close, levels)| {
        TESTS.into_iter().filter(|test| !test.starts_with("arrayOfObjectType(")).map(move |test| {
            let times = depth / levels;
            (format!("{times} × {open}{test}"), [&open.repeat(times), test, &close.repeat(times)].concat())
        })
    }));
}

/// Wraps the predicate in as many levels as fit, of which each has up to three operators around it. Returns it with the
/// number of levels.
fn wrap(random: &Random, tests: &[&str], core: &str, levels: usize, bytes: usize) -> (String, usize) {
    let (mut out, mut depth) = (core.to_owned(), usize::from(core.ends_with(')')));
    let has_nots = random.chance(500);
    loop {
        let (mut next, mut added) = (format!("({out})"), 1);
        if has_nots && random.below(3) == 0 {
            (next, added) = (format!("not {next}"), 2);
        }
        for _ in 0..=random.below(3) {
            let test = random.pick(tests);
            let glue = random.pick(&[" and ", " or "]);
            next = if random.chance(500) {
                format!("{test}{glue}{next}")
            } else {
                format!("{next}{glue}{test}")
            };
        }
        if depth + added > levels || next.len() > bytes {
            return (out, depth);
        }
        (out, depth) = (next, depth + added);
    }
}

#[test]
fn every_mix_of_operators_nests_to_the_maximum_depth() {
    let random = Random::new(64);
    let tests: Vec<&str> = TESTS.into_iter().filter(|test| !test.ends_with("=1)")).collect();
    let mut deepest = 0;
    check_all((0..300).map(|at| {
        let tests = if at % 2 == 0 { &tests[..4] } else { &tests[..] };
        let core = random.pick(&TESTS);
        let (text, depth) = wrap(&random, tests, core, limits::PREDICATE_DEPTH, limits::PREDICATE_BYTES);
        deepest += usize::from(depth >= limits::PREDICATE_DEPTH - 1);
        (format!("{depth} levels: {text:.200}"), text)
    }));
    assert!(deepest > 200, "{deepest}");
}

#[test]
fn every_mix_of_operators_nests_to_the_maximum_depth_around_and_inside_an_item() {
    let random = Random::new(65);
    let mut deepest = 0;
    check_all((0..200).map(|_| {
        let depth = limits::PREDICATE_DEPTH;
        let inside = random.within(1, depth as u64 - 3) as usize;
        let core = random.pick(&ITEM_TESTS[..2]);
        let (inner, inside) = wrap(&random, &ITEM_TESTS[..2], core, inside, limits::PREDICATE_BYTES / 2);
        let item = format!("arrayOfObjectType({inner})");
        let (text, around) =
            wrap(&random, &TESTS[..5], &item, depth - inside, limits::PREDICATE_BYTES - inner.len());
        deepest += usize::from(inside + around >= depth - 1);
        (format!("{around} levels around {inside} levels: {text:.200}"), text)
    }));
    assert!(deepest > 100, "{deepest}");
}

#[test]
fn an_and_beside_an_or_on_each_level_nests_to_the_maximum_depth() {
    let depth = limits::PREDICATE_DEPTH;
    let wraps = [
        (r#"custom="x" and (version=0 or "#, ")", depth, r#"custom="x""#),
        (r#"custom="x" or version=1 and not("#, ")", depth / 2, "id=\"a\""),
        (r#"not(version=1 and custom="x" or "#, r#")and id!="a""#, depth / 2, "id=\"a\""),
    ];
    check_all(wraps.into_iter().map(|(open, close, times, core)| {
        (format!("{times} × {open}"), [&open.repeat(times), core, &close.repeat(times)].concat())
    }));
    let (open, close, times, core) = wraps[0];
    let text = [&open.repeat(times), core, &close.repeat(times)].concat();
    for sorted in [false, true] {
        check(&twin(), &[&text, "id!=\"b\""], &Variables::default(), sorted)
            .expect("the reference's results");
    }
}
