//! Runs the fuzz targets for a short time: the seeds of `fuzz/seeds`, and inputs derived from them. `make fuzz` runs
//! them for any time. `FUZZ_SEED` and `FUZZ_TIMES` change the run; `FUZZ_INPUT=target:file` runs only one file.

#[path = "../../fuzz/src/targets/mod.rs"]
mod targets;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::{env, fs};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, RngSeed, TestRunner};

use crate::support::random::variable;
use targets::{TARGETS, Target};

/// Returns the files of a target, sorted by name.
fn seeds(target: &Target) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target.name);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files.iter().map(|file| fs::read(file).expect("a seed")).collect()
}

/// Generates random bytes, or a seed with some bytes changed, removed, inserted from another seed, or repeated.
fn input(seeds: Vec<Vec<u8>>) -> BoxedStrategy<Vec<u8>> {
    let change = (0..4_u8, any::<Index>(), any::<Index>(), any::<u8>());
    let changed =
        (select(seeds.clone()), select(seeds), vec(change, 1..6)).prop_map(|(mut bytes, other, changes)| {
            for (how, at, end, byte) in changes {
                let at = at.index(bytes.len() + 1);
                match how {
                    0 => bytes.insert(at, byte),
                    1 if at < bytes.len() => bytes[at] = byte,
                    2 => bytes.truncate(at),
                    _ => {
                        let tail = other[end.index(other.len() + 1)..].iter().take(usize::from(byte));
                        bytes.splice(at..at, tail.copied());
                    }
                }
            }
            bytes
        });
    prop_oneof![3 => changed, 1 => vec(any::<u8>(), 0..400)].boxed()
}

/// Runs the target on the input; a failure names both.
fn run(target: &Target, input: &[u8]) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| (target.run)(input))) {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{}", target.name));
        fs::write(&file, input).expect("a file for the input");
        println!(
            "FUZZ_INPUT={0}:{1} cargo test --no-default-features --test service fuzz::{0}",
            target.name,
            file.display()
        );
        println!("{}", input.escape_ascii());
        resume_unwind(panic);
    }
}

fn check(name: &str) {
    let target = TARGETS.iter().find(|target| target.name == name).expect("a target");
    if let Ok(only) = env::var("FUZZ_INPUT") {
        let (target_name, file) = only.split_once(':').expect("FUZZ_INPUT=target:file");
        if target_name == name {
            run(target, &fs::read(file).expect("the input's file"));
        }
        return;
    }
    let (seed, times) = (variable("FUZZ_SEED").unwrap_or(1), variable("FUZZ_TIMES").unwrap_or(1));
    let seeds = seeds(target);
    for seed in &seeds {
        run(target, seed);
    }
    let config = Config { rng_seed: RngSeed::Fixed(seed), failure_persistence: None, ..Config::default() };
    let (mut runner, strategy) = (TestRunner::new(config), input(seeds));
    for _ in 0..u64::from(target.inputs) * times {
        run(target, &strategy.new_tree(&mut runner).expect("an input").current());
    }
}

/// Defines a test for each target, so that they run in parallel.
macro_rules! bounded {
    ($($target:ident)*) => {
        $(#[test] fn $target() { check(stringify!($target)); })*

        #[test]
        fn every_fuzz_target_has_a_test() {
            let tests = [$(stringify!($target)),*];
            assert_eq!(TARGETS.iter().map(|target| target.name).collect::<Vec<_>>(), tests);
        }
    };
}

bounded! { backup bodies client declared handler predicates queries requests scalars schemas search settings stored tokens words }
