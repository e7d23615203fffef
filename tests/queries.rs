//! Queries against a reference: random predicates, as text, on random records; pages, orders, totals; and the same after
//! random writes. `QUERY_SEED` and `QUERY_CASES` change the run.

#[allow(unreachable_pub, dead_code, reason = "shared with other tests")]
mod support;

mod reference;

use std::collections::BTreeSet;
use std::env;
use std::time::Instant;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestError, TestRunner};
use resource_edge::call::Call;
use resource_edge::contract::model::ResourceInput;

use reference::random::asking::{Asking, asking};
use reference::random::records::{Write, body, write};
use reference::random::values::{id, key};
use reference::twin::{Tally, Twin};

/// Runs the property on so many cases, from a seed that a failure tells.
fn run<S: Strategy>(
    cases: u32,
    strategy: &S,
    test: impl Fn(S::Value, &Tally) -> Result<(), String>,
) -> Tally {
    let number = |name: &str| env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seed = number("QUERY_SEED").unwrap_or(1);
    let cases = number("QUERY_CASES").map_or(cases, |cases| cases as u32);
    let config = Config {
        cases,
        rng_seed: RngSeed::Fixed(seed),
        failure_persistence: None,
        // A batch holds thousands of cases, of which `smaller` finds the small ones at once.
        max_shrink_iters: 0,
        ..Config::default()
    };
    let (tally, started) = (Tally::default(), Instant::now());
    let result =
        TestRunner::new(config).run(strategy, |case| test(case, &tally).map_err(TestCaseError::fail));
    match result {
        Ok(()) => {}
        Err(TestError::Fail(reason, _)) => panic!("QUERY_SEED={seed} QUERY_CASES={cases}\n{reason}"),
        Err(TestError::Abort(reason)) => panic!("{reason}"),
    }
    println!("{tally:?} in {:?}", started.elapsed());
    tally
}

/// Bodies with ids and keys of their own.
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

/// The collection of these bodies, and the first query that it answers otherwise than the reference.
fn batch(bodies: &[ResourceInput], askings: &[Asking], tally: &Tally) -> Result<(), (Asking, String)> {
    let mut twin = Twin::new();
    for body in bodies {
        twin.write(&Call::CreateOrUpdate(body.clone()), tally).expect("bodies that can be stored");
    }
    for asking in askings {
        twin.ask(asking, tally).map_err(|error| (asking.clone(), error))?;
    }
    Ok(())
}

/// The failure told with fewer records and a smaller query, as far as both can be cut down one step at a time.
fn smaller(mut bodies: Vec<ResourceInput>, (mut asking, mut error): (Asking, String)) -> String {
    let fails = |bodies: &[ResourceInput], asking: &Asking| {
        batch(bodies, std::slice::from_ref(asking), &Tally::default()).err()
    };
    loop {
        let before = (bodies.len(), format!("{asking:?}"));
        for at in (0..bodies.len()).rev() {
            let mut fewer = bodies.clone();
            fewer.remove(at);
            if let Some((_, told)) = fails(&fewer, &asking) {
                (bodies, error) = (fewer, told);
            }
        }
        let next = asking.smaller().into_iter().find_map(|asking| fails(&bodies, &asking));
        if let Some(next) = next {
            (asking, error) = next;
        }
        if before == (bodies.len(), format!("{asking:?}")) {
            return format!("{asking:?}\n{error}\n{bodies:?}");
        }
    }
}

fn check_all(twin: &Twin, askings: &[Asking], tally: &Tally) -> Result<(), String> {
    askings
        .iter()
        .try_for_each(|asking| twin.ask(asking, tally).map_err(|error| format!("{asking:?}\n{error}")))
}

#[test]
fn queries_find_what_the_reference_finds_in_its_order() {
    let bodies = vec(body(id(), proptest::option::of(key()).boxed()), 20..48).prop_map(distinct);
    let tally = run(40, &(bodies, vec(asking(3), 120)), |(bodies, askings), tally| {
        batch(&bodies, &askings, tally).map_err(|failure| smaller(bodies, failure))
    });
    assert!(tally.pairs.get() >= 100_000, "{tally:?}");
    assert!(tally.held.get() * 10 >= tally.pairs.get(), "{tally:?}");
    assert!(tally.held.get() * 10 <= tally.pairs.get() * 9, "{tally:?}");
    assert!(tally.edges.get() * 20 <= tally.predicates.get(), "{tally:?}");
}

#[test]
fn queries_agree_after_every_write() {
    let step = (write(), vec(asking(1), 4));
    run(24, &vec(step, 1..60), |steps: Vec<(Write, Vec<Asking>)>, tally| {
        let mut twin = Twin::new();
        for (write, askings) in steps {
            let call = write.call(&twin.collection);
            twin.write(&call, tally)?;
            check_all(&twin, &askings, tally)?;
        }
        Ok(())
    });
}
