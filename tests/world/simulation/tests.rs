//! The tests: many seeds, the same seed again, and the mutants.

use std::time::Duration;

use crate::support::random::variable;
use crate::world::simulation::mutant::Mutant;
use crate::world::simulation::run::{self, Plan, RunSeed};
use crate::world::simulation::world::Trace;

/// The number of seeds without the variable `SEEDS`.
const SEEDS: u64 = 400;
/// The number of seeds within which each mutant must be caught.
const MUTANT_SEEDS: u64 = 3_000;
/// A world of followers has large texts, so it takes longer.
const FOLLOWER_SEEDS: u64 = 60;
/// The number of kinds of events that must occur often, in the worlds of clients and in those of followers: the seeds
/// show little without them.
const OFTEN: usize = 44;
const OFTEN_FOLLOWED: usize = 26;

/// Prints the trace of a seed that failed, and ends the test of that name.
fn fail(run_seed: RunSeed, test: &str, seed: u64, violation: &str) -> ! {
    let trace = Trace::default();
    run_seed(seed, None, Some(&trace));
    println!("{}", trace.borrow().join("\n"));
    panic!(
        "seed {seed}: {violation}\nonce more: FIRST_SEED={seed} SEEDS=1 \
         cargo test --no-default-features --test service {test}"
    );
}

/// Runs the seeds that the environment names, `count` of them by default. Ends the test of that name if one fails, or
/// if not so many kinds of events occur often.
fn check(run_seed: RunSeed, test: &str, count: u64, often: usize) {
    let (first, seeds) = (variable("FIRST_SEED").unwrap_or(0), variable("SEEDS").unwrap_or(count));
    let time = Duration::from_secs(variable("SECONDS").unwrap_or(3_600));
    let plan = Plan { first, count: seeds, failures: variable("FAILURES").unwrap_or(1), time };
    let runs = run::seeds(run_seed, plan, None);
    println!("{} seeds from {first}, {} events: {:#?}", runs.seeds, runs.events, runs.coverage);
    for (seed, violation) in &runs.failed {
        println!("seed {seed}: {}", violation.lines().next().unwrap_or_default());
    }
    if let Some((seed, violation)) = runs.failed.first() {
        fail(run_seed, test, *seed, violation);
    }
    // In one of a hundred seeds.
    let found = runs.coverage.values().filter(|times| **times * 100 >= runs.seeds).count();
    assert!(runs.seeds < count || found >= often, "only {found} kinds of events occur often");
}

#[test]
fn no_seed_breaks_a_guarantee() {
    check(run::seed, "no_seed_breaks_a_guarantee", SEEDS, OFTEN);
}

#[test]
fn followers_have_no_gap_in_any_seed() {
    check(run::follower, "followers_have_no_gap_in_any_seed", FOLLOWER_SEEDS, OFTEN_FOLLOWED);
}

#[test]
fn two_runs_of_a_seed_are_equal() {
    let traces = [1, 2, 1].map(|seed| {
        let trace = Trace::default();
        run::seed(seed, None, Some(&trace));
        trace.take()
    });
    assert!(traces[0].len() > 100, "{:#?}", traces[0]);
    assert_eq!(traces[0], traces[2]);
    assert_ne!(traces[0], traces[1]);
}

/// Checks that a seed catches each of the mutants.
fn catch(run_seed: RunSeed, mutants: &[Mutant]) {
    let plan = Plan { first: 0, count: MUTANT_SEEDS, failures: 1, time: Duration::MAX };
    let mut survivors = Vec::new();
    // `MUTANT` names one, to try another generator of seeds.
    let only = std::env::var("MUTANT").ok();
    for mutant in mutants.iter().filter(|it| only.as_ref().is_none_or(|only| format!("{it:?}") == *only)) {
        match run::seeds(run_seed, plan, Some(*mutant)).failed.first() {
            Some((_, how)) if how.starts_with("panic") => panic!("{mutant:?}: {how}"),
            Some((seed, how)) => {
                let how: String = how.lines().next().unwrap_or_default().chars().take(160).collect();
                println!("{mutant:?} is caught within {} seeds: {how}", seed + 1);
            }
            None => survivors.push(mutant),
        }
    }
    assert!(survivors.is_empty(), "not caught: {survivors:?}");
}

#[test]
fn every_mutant_is_caught() {
    catch(run::seed, Mutant::ALL);
}

#[test]
fn every_mutant_of_followers_is_caught() {
    catch(run::follower, Mutant::OF_FOLLOWERS);
}
