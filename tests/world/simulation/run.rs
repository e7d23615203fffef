//! Runs seeds: one, a range in several threads, or until one fails.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::world::simulation::follower;
use crate::world::simulation::mutant::Mutant;
use crate::world::simulation::world::{Coverage, Trace, World};

/// The result of a seed.
#[derive(Debug, Default)]
pub(crate) struct Run {
    pub(crate) events: u64,
    pub(crate) coverage: Coverage,
    /// The first fault.
    pub(crate) violation: Option<String>,
}

/// The results of several seeds.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    pub(crate) seeds: u64,
    pub(crate) events: u64,
    pub(crate) coverage: Coverage,
    /// The seeds that failed, and how.
    pub(crate) failed: Vec<(u64, String)>,
}

impl Runs {
    fn add(&mut self, seed: u64, run: Run) {
        self.seeds += 1;
        self.events += run.events;
        for (what, times) in run.coverage {
            *self.coverage.entry(what).or_default() += times;
        }
        self.failed.extend(run.violation.map(|violation| (seed, violation)));
    }
}

/// Runs one seed of a kind of worlds.
pub(crate) type RunSeed = fn(u64, Option<Mutant>, Option<&Trace>) -> Run;

pub(crate) fn follower(seed: u64, mutant: Option<Mutant>, trace: Option<&Trace>) -> Run {
    caught(|| {
        let mut world = follower::World::new(seed, mutant, trace.cloned());
        let events = world.run();
        Run { events, coverage: world.report.coverage, violation: world.report.violation }
    })
}

/// Returns the result of a run; a panic is a violation.
fn caught(run: impl FnOnce() -> Run) -> Run {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        let what = panic.downcast_ref::<String>().cloned();
        let what = what.or_else(|| panic.downcast_ref::<&str>().map(|what| (*what).to_owned()));
        Run { violation: Some(format!("panic: {}", what.unwrap_or_default())), ..Run::default() }
    })
}

pub(crate) fn seed(seed: u64, mutant: Option<Mutant>, trace: Option<&Trace>) -> Run {
    caught(|| {
        let mut world = World::new(seed, mutant, trace.cloned());
        world.run();
        let World { events, oracle, report, .. } = world;
        let mut coverage = report.coverage;
        coverage.insert("a write is a replay", oracle.replays);
        coverage.insert("a write is a conflict", oracle.conflicts);
        coverage.insert("a batch is performed", oracle.batches);
        coverage.insert("a batch is refused", oracle.refused_batches);
        coverage.insert("a state is committed", oracle.history.len() as u64);
        Run { events, coverage, violation: report.violation }
    })
}

/// Which seeds to run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) first: u64,
    pub(crate) count: u64,
    /// After how many failures to stop.
    pub(crate) failures: u64,
    /// After how much time to stop.
    pub(crate) time: Duration,
}

/// Runs seeds in as many threads as there are processors.
pub(crate) fn seeds(run_seed: RunSeed, plan: Plan, mutant: Option<Mutant>) -> Runs {
    let Plan { first, count, failures, time } = plan;
    let began = Instant::now();
    let next = AtomicU64::new(first);
    let all = Mutex::new(Runs::default());
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            let is_enough = all.lock().expect("no panic").failed.len() as u64 >= failures;
            if seed >= first + count || is_enough || began.elapsed() > time {
                return;
            }
            let run = run_seed(seed, mutant, None);
            all.lock().expect("a panic of a seed is caught").add(seed, run);
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    let mut all = all.into_inner().expect("no panic");
    all.failed.sort();
    all
}
