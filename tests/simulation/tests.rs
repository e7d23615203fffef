//! The tests: many seeds, one seed, and the mutants.

use std::env;

use crate::mutant::Mutant;
use crate::run;
use crate::world::Trace;

/// A mutant has to be caught within so many seeds.
const MUTANT_SEEDS: u64 = 3_000;

fn variable(name: &str, default: u64) -> u64 {
    env::var(name).map_or(default, |value| value.parse().expect("a whole number"))
}

#[test]
fn no_seed_breaks_a_guarantee() {
    let (first, count) = (variable("FIRST_SEED", 0), variable("SEEDS", 500));
    let runs = run::seeds(first, count, variable("FAILURES", 1), None);
    println!("{} seeds from {first}, {} events: {:#?}", runs.seeds, runs.events, runs.coverage);
    for (seed, violation) in &runs.failed {
        println!("seed {seed}: {}", violation.chars().take(600).collect::<String>());
    }
    let Some((seed, violation)) = runs.failed.into_iter().next() else { return };
    let trace = Trace::default();
    run::seed(seed, None, Some(&trace));
    println!("{}", trace.borrow().join("\n"));
    panic!("seed {seed}: {violation}");
}

#[test]
fn every_mutant_is_caught() {
    let mut survivors = Vec::new();
    for mutant in Mutant::ALL {
        let runs = run::seeds(0, variable("MUTANT_SEEDS", MUTANT_SEEDS), 1, Some(mutant));
        match runs.failed.first() {
            Some((_, how)) => println!(
                "{mutant:?} is caught in {} seeds: {}",
                runs.seeds,
                how.lines().next().unwrap_or_default()
            ),
            None => survivors.push(mutant),
        }
    }
    assert!(survivors.is_empty(), "not caught: {survivors:?}");
}
