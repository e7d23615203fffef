//! The tests: many seeds, one seed, and the mutants.

use std::env;

use crate::run;

fn variable(name: &str, default: u64) -> u64 {
    env::var(name).map_or(default, |value| value.parse().expect("a whole number"))
}

#[test]
fn no_seed_breaks_a_guarantee() {
    let (first, count) = (variable("FIRST_SEED", 0), variable("SEEDS", 200));
    let runs = run::seeds(first, count, None);
    println!("{} seeds from {first}, {} events: {:#?}", runs.seeds, runs.events, runs.coverage);
    if let Some((seed, violation)) = runs.failed {
        for line in run::seed(seed, None, true).trace {
            println!("{line}");
        }
        panic!("seed {seed}: {violation}");
    }
}
