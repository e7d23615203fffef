//! The world of one seed: the clock, the queue of events, and everybody in it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use resource_edge::util::time::Millis;

use crate::support::edge::START;
use crate::world::simulation::client::{Call, Caller};
use crate::world::simulation::deploy::Deployed;
use crate::world::simulation::disk::Storage;
use crate::world::simulation::edge::{Location, ObjectPage, Request, SECONDS, SharedCall};
use crate::world::simulation::faults::Faults;
use crate::world::simulation::kv::Kv;
use crate::world::simulation::mutant::Mutant;
use crate::world::simulation::neighbor::Neighbor;
use crate::world::simulation::object::staleness::Committed;
use crate::world::simulation::object::{Object, PutInFlight};
use crate::world::simulation::oracle::{Oracle, Verdict};
use crate::world::simulation::random::Random;
use crate::world::simulation::workload::Operation;

/// The number of locations, of clients, and of calls by each client.
const LOCATIONS: usize = 3;
const CLIENTS: usize = 3;
const CALLS: u64 = 16;
/// More events than any simulation has.
const EVENTS: u64 = 100_000;
/// The maximum difference of a clock from the right time. Tokens live for an hour.
const EDGE_CLOCK_MS: u64 = 20 * 60_000;
const OBJECT_CLOCK_MS: u64 = 60 * 60_000;

/// Something that happens at an instant.
type Event = Box<dyn FnOnce(&mut World)>;

/// The number of occurrences by event. A simulation shows nothing about an event that never occurs.
pub(crate) type Coverage = BTreeMap<&'static str, u64>;

/// A line for each event. The trace outlives a simulation that panics.
pub(crate) type Trace = Rc<RefCell<Vec<String>>>;

/// What a world reports.
pub(crate) struct Report {
    now: Rc<Cell<Millis>>,
    pub(crate) coverage: Coverage,
    trace: Option<Trace>,
    /// The first fault, which ends the simulation.
    pub(crate) violation: Option<String>,
}

impl Report {
    pub(crate) fn new(now: &Rc<Cell<Millis>>, trace: Option<Trace>) -> Self {
        Self { now: Rc::clone(now), coverage: Coverage::new(), trace, violation: None }
    }

    pub(crate) fn count(&mut self, what: &'static str) {
        *self.coverage.entry(what).or_default() += 1;
    }

    /// Adds a line to the trace, if there is one.
    pub(crate) fn trace(&self, line: impl FnOnce() -> String) {
        if let Some(trace) = &self.trace {
            trace.borrow_mut().push(format!("{:>9} {}", self.now.get() - START, line()));
        }
    }

    /// Records a verdict that is an error.
    pub(crate) fn check(&mut self, verdict: Verdict) {
        if let Err(what) = verdict
            && self.violation.is_none()
        {
            self.trace(|| format!("VIOLATION {what}"));
            self.violation = Some(what);
        }
    }
}

pub(crate) struct World {
    pub(crate) now: Rc<Cell<Millis>>,
    pub(crate) random: Rc<Random>,
    pub(crate) faults: Faults,
    pub(crate) mutant: Option<Mutant>,
    /// The events still to come, by their time. Events of one time happen in the order in which they were added.
    queue: BTreeMap<(Millis, u64), Event>,
    order: u64,
    pub(crate) events: u64,
    pub(crate) locations: Vec<Rc<Location>>,
    pub(crate) kv: Kv,
    pub(crate) object: Object,
    pub(crate) deployed: Deployed,
    pub(crate) neighbor: Neighbor,
    pub(crate) puts: BTreeMap<u64, PutInFlight>,
    /// When each state was committed.
    pub(crate) commits: Vec<Committed>,
    pub(crate) callers: Vec<Caller>,
    pub(crate) calls: BTreeMap<u64, Call>,
    /// The writes that a client reported as refused.
    pub(crate) refused: Vec<u64>,
    pub(crate) requests: BTreeMap<u64, Request>,
    /// The calls that requests may share, by the request that began each.
    pub(crate) shared: BTreeMap<u64, SharedCall>,
    /// What the object replied to queries.
    pub(crate) pages: Vec<ObjectPage>,
    /// Queries that clients may repeat, and how often they do, per thousand calls.
    pub(crate) queries: Vec<Rc<Operation>>,
    pub(crate) popularity: u64,
    pub(crate) oracle: Oracle,
    pub(crate) report: Report,
    last: u64,
    /// Whether all calls are over, so that nothing goes wrong any more.
    pub(crate) quiet: bool,
}

impl World {
    #[allow(clippy::too_many_lines, reason = "everybody in the world")]
    pub(crate) fn new(seed: u64, mutant: Option<Mutant>, trace: Option<Trace>) -> Self {
        let random = Rc::new(Random::new(seed));
        let faults = Faults::draw(&random);
        let now = Rc::new(Cell::new(START));
        let deployed = Deployed::new(&random);
        let neighbor = Neighbor::new(&random);
        let resources = neighbor.resources(&deployed.newest, mutant);
        let seconds = if mutant == Some(Mutant::RememberTooLong) { 3 * SECONDS } else { SECONDS };
        let mut world = Self {
            random,
            faults,
            mutant,
            queue: BTreeMap::new(),
            order: 0,
            events: 0,
            locations: (0..LOCATIONS).map(|_| Rc::new(Location::new(&resources, seconds))).collect(),
            kv: Kv::default(),
            object: Object::new(Rc::new(Storage::new())),
            deployed,
            neighbor,
            puts: BTreeMap::new(),
            commits: Vec::new(),
            callers: (0..CLIENTS).map(|client| Caller::new(client % LOCATIONS, CALLS)).collect(),
            calls: BTreeMap::new(),
            refused: Vec::new(),
            requests: BTreeMap::new(),
            shared: BTreeMap::new(),
            pages: Vec::new(),
            queries: Vec::new(),
            popularity: 0,
            oracle: Oracle::default(),
            report: Report::new(&now, trace),
            now,
            last: 0,
            quiet: false,
        };
        if let Some(mutant) = mutant {
            mutant.prepare(&world.object.storage.sqlite);
            world.object.storage.mutant.set(Some(mutant));
        }
        world.object.shares = world.random.chance(500);
        world.popularity = *world.random.pick(&[0, 100, 500]);
        world.report.trace(|| {
            format!("{:?}, shares {}, {:?}", world.faults, world.object.shares, world.deployed.newest)
        });
        for client in 0..CLIENTS {
            world.after(client as u64 * 10, move |world| world.act(client));
        }
        world.after(100, Self::chaos);
        world
    }

    pub(crate) fn now(&self) -> Millis {
        self.now.get()
    }

    pub(crate) fn number(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    /// Schedules an event after a number of milliseconds.
    pub(crate) fn after(&mut self, pause: Millis, event: impl FnOnce(&mut Self) + 'static) {
        self.order += 1;
        self.queue.insert((self.now() + pause, self.order), Box::new(event));
    }

    /// Returns whether a fault occurs, with a probability in thousandths.
    pub(crate) fn goes_wrong(&self, permille: u64) -> bool {
        !self.quiet && permille > 0 && self.random.chance(permille)
    }

    /// Returns how long something takes.
    pub(crate) fn delay(&self, from: Millis, to: Millis) -> Millis {
        if self.goes_wrong(self.faults.slow) {
            return self.random.within(to, 6_000);
        }
        self.random.within(from, to)
    }

    /// Runs until all calls are over, then until nothing is left to do.
    pub(crate) fn run(&mut self) {
        while !self.callers.iter().all(Caller::is_done) && self.step(Millis::MAX) {}
        self.rest();
    }

    /// Performs the next event, if there is one until that instant. Returns whether the simulation continues.
    pub(crate) fn step(&mut self, until: Millis) -> bool {
        if self.report.violation.is_some() {
            return false;
        }
        let Some(next) = self.queue.first_entry().filter(|next| next.key().0 <= until) else { return false };
        let ((at, _), event) = next.remove_entry();
        self.now.set(at);
        self.events += 1;
        if self.events > EVENTS {
            self.report.check(Err(format!("no rest after {EVENTS} events")));
        }
        event(self);
        self.note_commits();
        self.schedule_alarm();
        true
    }

    /// Performs what the environment does spontaneously.
    fn chaos(&mut self) {
        if self.quiet {
            return;
        }
        let random = Rc::clone(&self.random);
        if self.goes_wrong(self.faults.crashes) {
            self.crash("a crash between two turns");
        }
        if self.goes_wrong(self.faults.edge_clocks) {
            let location = Rc::clone(random.pick(&self.locations));
            location.clock.set(offset(&random, EDGE_CLOCK_MS));
            location.jumped.set(self.now());
            self.report.count("the clock of an edge jumps");
            self.report.trace(|| format!("an edge's clock is {} ms ahead", location.clock.get()));
        }
        if self.goes_wrong(self.faults.object_clock) {
            self.object_clock_jumps(offset(&random, OBJECT_CLOCK_MS));
        }
        if self.goes_wrong(self.faults.deployments) {
            self.deploy();
        }
        if random.chance(200) {
            self.visit_neighbor();
        }
        if self.goes_wrong(self.faults.removals) {
            self.remove_an_entry();
        }
        let pause = random.within(100, 1_000);
        self.after(pause, Self::chaos);
    }
}

/// Returns by how much a clock is wrong: mostly little.
fn offset(random: &Random, max: u64) -> i64 {
    let max = if random.chance(500) { 3_000 } else { max };
    random.below(2 * max) as i64 - max as i64
}
