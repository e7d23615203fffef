//! Queries against a reference: random predicates, as text, on random records; pages, orders, and totals; and all of
//! these after random writes. `QUERY_SEED` and `QUERY_CASES` change the run.

use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;
use std::time::Instant;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestError, TestRunner};
use resource_edge::call::Change;
use resource_edge::shape::{ResourceInput, Shape};
use serde_json::json;

use super::random::asking::{Asking, asking, asking_content};
use super::random::records::{Write, body, write};
use super::random::values::{START, id, key};
use super::twin::{Tally, Twin};
use crate::support::caller::Caller;
use crate::support::messages::{at, write as message};
use crate::support::random::{Random, variable};
use crate::support::schemas::Design;

/// The seed of a run.
fn seed() -> u64 {
    variable("QUERY_SEED").unwrap_or(1)
}

/// Runs the property on `cases` cases, from a seed that a failure reports: on the interface's resource, and on declared
/// ones.
fn run<S: Strategy>(
    cases: u32,
    strategy: impl Fn(&Rc<Shape>) -> S,
    test: impl Fn(&Design, S::Value, &Tally) -> Result<(), String>,
) -> Tally {
    let tally = Tally::default();
    let random = Random::new(seed());
    let designs = [Design::default(), Design::draw(&random), Design::draw(&random), Design::draw(&random)];
    for design in &designs {
        let count = cases.div_ceil(designs.len() as u32);
        let test =
            |case, tally: &Tally| test(design, case, tally).map_err(|error| format!("{design:?}\n{error}"));
        run_cases(count, &strategy(&design.shape), &tally, test);
    }
    tally
}

fn run_cases<S: Strategy>(
    cases: u32,
    strategy: &S,
    tally: &Tally,
    test: impl Fn(S::Value, &Tally) -> Result<(), String>,
) {
    let seed = seed();
    let cases = variable("QUERY_CASES").map_or(cases, |cases| cases as u32);
    let config = Config {
        cases,
        rng_seed: RngSeed::Fixed(seed),
        failure_persistence: None,
        // A batch has thousands of cases: a failure names the query, and prints the records.
        max_shrink_iters: 0,
        ..Config::default()
    };
    let started = Instant::now();
    let result = TestRunner::new(config).run(strategy, |case| test(case, tally).map_err(TestCaseError::fail));
    match result {
        Ok(()) => {}
        Err(TestError::Fail(reason, _)) => panic!("QUERY_SEED={seed} QUERY_CASES={cases}\n{reason}"),
        Err(TestError::Abort(reason)) => panic!("{reason}"),
    }
    println!("{tally:?} in {:?}", started.elapsed());
}

/// Returns bodies with distinct IDs and keys.
fn bodies(shape: &Shape, count: Range<usize>) -> impl Strategy<Value = Vec<ResourceInput>> + use<> {
    vec(body(shape, id(), proptest::option::of(key()).boxed()), count).prop_map(distinct)
}

fn distinct(bodies: Vec<ResourceInput>) -> Vec<ResourceInput> {
    let (mut ids, mut keys) = (BTreeSet::new(), BTreeSet::new());
    bodies
        .into_iter()
        .enumerate()
        .map(|(at, body)| {
            let id = body.id.unwrap_or_default();
            let id = if ids.insert(id.clone()) { id } else { format!("{id}{at}") };
            ResourceInput { id: Some(id), key: body.key.filter(|key| keys.insert(key.clone())), ..body }
        })
        .collect()
}

fn check_all(twin: &Twin, askings: &[Asking], tally: &Tally) -> Result<(), String> {
    askings
        .iter()
        .try_for_each(|asking| twin.ask(asking, tally).map_err(|error| format!("{asking:?}\n{error}")))
}

/// Checks the queries of a collection of these bodies.
fn check_batch(
    design: &Design,
    bodies: Vec<ResourceInput>,
    askings: &[Asking],
    tally: &Tally,
) -> Result<(), String> {
    let mut twin = Twin::of(design);
    for body in bodies {
        twin.write(&Change::CreateOrUpdate(body), tally)?;
    }
    check_all(&twin, askings, tally).map_err(|error| format!("{error}\n{:?}", twin.collection.records))
}

#[test]
fn queries_find_the_matches_of_the_reference_in_its_order() {
    let tally = run(
        40,
        |shape| (bodies(shape, 20..48), vec(asking(shape, 3), 120)),
        |design, (bodies, askings), tally| check_batch(design, bodies, &askings, tally),
    );
    assert!(tally.get("pairs") >= 100_000, "{tally:?}");
    assert!(tally.get("held") * 10 >= tally.get("pairs"), "{tally:?}");
    assert!(tally.get("held") * 10 <= tally.get("pairs") * 9, "{tally:?}");
    assert!(tally.get("edges") * 20 <= tally.get("predicates"), "{tally:?}");
}

/// Returns a resource with so many values that no index of them is worth using.
fn crowd() -> ResourceInput {
    let numbers: Vec<i32> = (0..1_100).collect();
    let each = |value: fn(&i32) -> serde_json::Value| numbers.iter().map(value).collect();
    let content = [
        ("arrayOfIntExample", json!(numbers)),
        ("arrayOfUniqueIntExample", json!(numbers)),
        ("arrayOfFloatExample", json!(numbers)),
        ("arrayOfNumberNoDefaultsExample", json!(numbers)),
        ("arrayOfStringExample", each(|number| json!(format!("b{number}")))),
        (
            "arrayOfObjectType",
            each(|number| json!({ "integerExample": number, "integerExampleInt32": number })),
        ),
    ];
    let content = content.map(|(name, value)| (name, value.to_string())).into_iter().collect();
    ResourceInput { id: Some("crowd".to_owned()), content, ..ResourceInput::default() }
}

#[test]
fn queries_without_an_index_find_the_matches_of_the_reference() {
    let design = Design::default();
    let strategy = (bodies(&design.shape, 12..24), vec(asking(&design.shape, 1), 60));
    run_cases(4, &strategy, &Tally::default(), |(mut bodies, askings), tally| {
        bodies.insert(bodies.len() / 2, crowd());
        check_batch(&design, bodies, &askings, tally)
    });
}

#[test]
fn random_writes_have_the_results_of_the_reference() {
    let tally = run(
        200,
        |shape| vec(write(shape), 1..40),
        |design, writes: Vec<Write>, tally| {
            let mut twin = Twin::of(design);
            for write in writes {
                let call = write.call(&twin.collection);
                twin.write(&call, tally)?;
                twin.read()?;
            }
            Ok(())
        },
    );
    for status in ["400", "404", "409"] {
        assert!(tally.get(status) * 50 >= tally.get("writes"), "few writes get {status}: {tally:?}");
    }
}

#[test]
fn queries_agree_after_every_write() {
    run(24, |shape| steps(shape, 1..60), |design, steps, tally| perform(&mut Twin::of(design), steps, tally));
}

/// Writes, each with queries that follow it.
type Steps = Vec<(Write, Vec<Asking>)>;

fn steps(shape: &Rc<Shape>, count: Range<usize>) -> impl Strategy<Value = Steps> + use<> {
    vec((write(shape), vec(asking(shape, 1), 4)), count)
}

fn perform(twin: &mut Twin, steps: Steps, tally: &Tally) -> Result<(), String> {
    for (write, askings) in steps {
        let call = write.call(&twin.collection);
        twin.write(&call, tally)?;
        check_all(twin, &askings, tally)?;
    }
    Ok(())
}

#[test]
fn a_shape_may_change_in_any_way_between_two_starts() {
    let random = Random::new(seed());
    let tally = Tally::default();
    for round in 0..16 {
        // At times the interface's resource is the first.
        let first = if round % 4 == 0 { Design::default() } else { Design::draw(&random) };
        let mut designs = vec![first, Design::draw(&random)];
        for at in 1..4 {
            designs.push(designs[at].changed(&random));
        }
        // Some values are of the types that their fields have again.
        designs.push(designs[1].clone());
        let of_shape = |design: &Design| (vec(asking_content(&design.shape), 40), steps(&design.shape, 1..8));
        let strategy: Vec<_> = designs.iter().map(of_shape).collect();
        let all = (bodies(&designs[0].shape, 12..24), strategy);
        run_cases(3, &all, &tally, |(bodies, parts), tally| {
            let mut twin = Twin::of(&designs[0]);
            for body in bodies {
                twin.write(&Change::CreateOrUpdate(body), tally)?;
            }
            for (at, (askings, steps)) in parts.into_iter().enumerate() {
                let check = |twin: &mut Twin| {
                    twin.restart(&designs[at]);
                    twin.read()?;
                    check_all(twin, &askings, tally)?;
                    perform(twin, steps, tally)
                };
                check(&mut twin).map_err(|error| format!("{:#?}\n{error}", &designs[..=at]))?;
            }
            has_no_rest(&twin).map_err(|error| format!("{designs:#?}\n{error}"))
        });
    }
    assert!(tally.get("held") * 20 >= tally.get("pairs"), "{tally:?}");
}

/// Checks that the index of a project has nothing after the last resource is deleted.
fn has_no_rest(twin: &Twin) -> Result<(), String> {
    for record in &twin.collection.records {
        let delete = message(Change::DeleteById { id: record.id.clone(), version: None });
        twin.project.perform(&delete, &at(START)).map_err(|fault| fault.reason)?;
    }
    for table in ["resource", "term", "vocabulary"] {
        let rows = twin.project.database().number(&format!("SELECT count(*) FROM {table}"));
        if rows > 0 {
            return Err(format!("{table} has {rows} rows after the last deletion"));
        }
    }
    Ok(())
}

#[test]
fn five_hundred_distinct_items_of_an_object_parameter_work_and_more_are_400() {
    let mut twin = Twin::new();
    twin.write(&Change::CreateOrUpdate(crowd()), &Tally::default()).expect("a body");
    let caller = Caller::new();
    caller.edge.projects.borrow_mut().insert("p".to_owned(), twin.project);
    let list = |name: &str, items: Vec<String>| format!("{{\"{name}\":[{}]}}", items.join(","));
    let objects = |from: i32, to: i32| {
        let item = |number| format!("{{\"integerExample\":{number},\"integerExampleInt32\":{number}}}");
        list("arrayOfObjectType", (from..to).map(item).collect())
    };
    let ints = |to: i32| list("arrayOfIntExample", (0..to).map(|number| number.to_string()).collect());
    let predicate = ["custom in(\"x\",\"y\")"; 390].join("or ");
    for (object, predicate, status, total) in [
        (objects(0, 500), "", 200, 1),
        (objects(700, 1_200), "", 200, 0),
        (objects(0, 501), "", 400, 0),
        (ints(500), "", 200, 1),
        (ints(500), predicate.as_str(), 200, 0),
        (objects(0, 300), predicate.as_str(), 200, 0),
        (ints(501), "", 400, 0),
        (list("arrayOfObjectType", vec!["{}".to_owned(); 2_000]), "", 200, 0),
    ] {
        let filter =
            if predicate.is_empty() { String::new() } else { format!("&where={}", lightly(predicate)) };
        let target = format!("/p/resource?objectParameter={}{filter}", lightly(&object));
        let got = caller.get(&target);
        assert_eq!(got.status, status, "{object:.40} {}", got.body);
        if status == 400 {
            assert!(got.body.contains("expected at most 500 distinct items"), "{}", got.body);
        } else {
            assert_eq!(got.json()["total"], total, "{object:.40}");
            let exists = if total == 0 { 404 } else { 200 };
            assert_eq!(caller.ask(&format!("HEAD {target}"), &[], b"").status, exists, "{object:.40}");
        }
    }
}

/// Returns a query string's value with only special characters encoded, because the request target is bounded.
fn lightly(text: &str) -> String {
    let encoded = |char| match char {
        '%' | '&' | '+' | '#' | ' ' | '"' => format!("%{:02X}", char as u32),
        other => other.to_string(),
    };
    text.chars().map(encoded).collect()
}
