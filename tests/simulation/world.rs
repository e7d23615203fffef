//! The world of one seed: the clock, the queue of events, and everybody in it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use resource_edge::project::replication::machine::Timer;
use resource_edge::project::{Listed, Sweep};
use resource_edge::server::Check;
use resource_edge::server::effect::{Effect, EffectOutcome};
use resource_edge::util::time::Millis;

use crate::simulation::client::{Call, Caller};
use crate::simulation::disk::Storage;
use crate::simulation::edge::{Location, Request};
use crate::simulation::faults::Faults;
use crate::simulation::kv::Kv;
use crate::simulation::mutant::Mutant;
use crate::simulation::object::{Object, PutInFlight};
use crate::simulation::oracle::{Oracle, Verdict};
use crate::simulation::random::Random;
use crate::simulation::workload::Operation;
use crate::support::edge::{Got, START};

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
pub(crate) enum Event {
    /// A client begins a call.
    Act { client: usize },
    /// A client sends the next attempt of a call.
    Send { call: u64 },
    /// The time of an attempt is over.
    Late { call: u64, attempt: u32 },
    /// The time of a call is over.
    Expire { call: u64 },
    /// A request arrives at its edge.
    Arrive { request: u64 },
    /// An effect of a request's handling is performed.
    Perform { request: u64, effect: Effect },
    /// An effect has its outcome.
    Resume { request: u64, outcome: EffectOutcome<String> },
    /// A response, or a failure, arrives at its client.
    Answer { call: u64, attempt: u32, got: Option<Got> },
    /// A message arrives at the object. `request` waits for the reply, unless the message is a repeat.
    Message { request: Option<u64>, operation: Rc<Operation>, message: Vec<u8> },
    /// The check that follows a response arrives at the object.
    Check { location: usize, check: Check },
    /// A put becomes visible.
    PutLands { put: u64 },
    /// The object receives the end of a put.
    PutEnds { put: u64, succeeded: bool },
    /// A timer of an instance rings.
    Timer { generation: u64, timer: Timer },
    /// The alarm may be due.
    Alarm,
    /// The alarm rings, whether it is set or not.
    RingAgain,
    /// A list of KV ends; `None`: it fails.
    Listed { generation: u64, sweep: Sweep, page: Option<(Vec<Listed>, Option<String>)> },
    /// The environment may do something.
    Chaos,
}

/// The number of occurrences by event. A simulation shows nothing about an event that never occurs.
pub(crate) type Coverage = BTreeMap<&'static str, u64>;

/// A line for each event. The trace outlives a simulation that panics.
pub(crate) type Trace = Rc<RefCell<Vec<String>>>;

pub(crate) struct World {
    pub(crate) now: Rc<Cell<Millis>>,
    pub(crate) random: Rc<Random>,
    pub(crate) faults: Faults,
    pub(crate) mutant: Option<Mutant>,
    /// What happens later, by its time and its order.
    queue: BTreeMap<(Millis, u64), Event>,
    order: u64,
    pub(crate) events: u64,
    pub(crate) locations: Vec<Rc<Location>>,
    pub(crate) kv: Kv,
    pub(crate) object: Object,
    pub(crate) puts: BTreeMap<u64, PutInFlight>,
    pub(crate) callers: Vec<Caller>,
    pub(crate) calls: BTreeMap<u64, Call>,
    /// The writes that a client reported as refused.
    pub(crate) refused: Vec<u64>,
    pub(crate) requests: BTreeMap<u64, Request>,
    pub(crate) oracle: Oracle,
    pub(crate) coverage: Coverage,
    trace: Option<Trace>,
    pub(crate) violation: Option<String>,
    last: u64,
    /// Whether all calls are over, so that nothing goes wrong any more.
    pub(crate) quiet: bool,
}

impl World {
    pub(crate) fn new(seed: u64, mutant: Option<Mutant>, storage: Rc<Storage>, trace: Option<Trace>) -> Self {
        let random = Rc::new(Random::new(seed));
        let faults = Faults::draw(&random);
        let mut world = Self {
            now: Rc::new(Cell::new(START)),
            random,
            faults,
            mutant,
            queue: BTreeMap::new(),
            order: 0,
            events: 0,
            locations: (0..LOCATIONS).map(|_| Rc::new(Location::new())).collect(),
            kv: Kv::default(),
            object: Object::new(storage),
            puts: BTreeMap::new(),
            callers: (0..CLIENTS).map(|client| Caller::new(client % LOCATIONS, CALLS)).collect(),
            calls: BTreeMap::new(),
            refused: Vec::new(),
            requests: BTreeMap::new(),
            oracle: Oracle::default(),
            coverage: Coverage::new(),
            trace,
            violation: None,
            last: 0,
            quiet: false,
        };
        if let Some(mutant) = mutant {
            mutant.prepare(&world.object.storage.sqlite);
            world.object.storage.mutant.set(Some(mutant));
        }
        world.trace(|world| format!("{:?}", world.faults));
        for client in 0..CLIENTS {
            world.after(client as u64 * 10, Event::Act { client });
        }
        world.after(100, Event::Chaos);
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
    pub(crate) fn after(&mut self, pause: Millis, event: Event) {
        self.order += 1;
        self.queue.insert((self.now() + pause, self.order), event);
    }

    pub(crate) fn count(&mut self, what: &'static str) {
        *self.coverage.entry(what).or_default() += 1;
    }

    /// Adds a line to the trace, if there is one.
    pub(crate) fn trace(&self, line: impl FnOnce(&Self) -> String) {
        if let Some(trace) = &self.trace {
            trace.borrow_mut().push(format!("{:>9} {}", self.now() - START, line(self)));
        }
    }

    /// Ends the simulation if the verdict is an error.
    pub(crate) fn end_if_broken(&mut self, verdict: Verdict) {
        if let Err(what) = verdict
            && self.violation.is_none()
        {
            self.trace(|_| format!("VIOLATION {what}"));
            self.violation = Some(what);
        }
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
        if self.violation.is_some() {
            return false;
        }
        let Some(next) = self.queue.first_entry().filter(|next| next.key().0 <= until) else { return false };
        let ((at, _), event) = next.remove_entry();
        self.now.set(at);
        self.events += 1;
        if self.events > EVENTS {
            self.end_if_broken(Err(format!("no rest after {EVENTS} events")));
        }
        self.happen(event);
        self.schedule_alarm();
        true
    }

    fn happen(&mut self, event: Event) {
        match event {
            Event::Act { client } => self.act(client),
            Event::Send { call } => self.send(call),
            Event::Late { call, attempt } => self.late(call, attempt),
            Event::Expire { call } => self.expire(call),
            Event::Arrive { request } => self.arrive(request),
            Event::Perform { request, effect } => self.perform_effect(request, &effect),
            Event::Resume { request, outcome } => self.resume(request, outcome),
            Event::Answer { call, attempt, got } => self.answer(call, attempt, got.as_ref()),
            Event::Message { request, operation, message } => self.message(request, &operation, &message),
            Event::Check { location, check } => self.check_replication(location, &check),
            Event::PutLands { put } => self.put_lands(put),
            Event::PutEnds { put, succeeded } => self.put_ends(put, succeeded),
            Event::Timer { generation, timer } => self.timer(generation, timer),
            Event::Alarm => self.alarm_is_due(),
            Event::RingAgain => self.ring(),
            Event::Listed { generation, sweep, page } => self.listed(generation, sweep, page),
            Event::Chaos => self.chaos(),
        }
    }

    /// Performs what the environment does spontaneously.
    fn chaos(&mut self) {
        if self.quiet {
            return;
        }
        let random = Rc::clone(&self.random);
        if self.goes_wrong(self.faults.crashes) {
            self.crash("between two events");
        }
        if self.goes_wrong(self.faults.edge_clocks) {
            let location = Rc::clone(random.pick(&self.locations));
            location.clock.set(offset(&random, EDGE_CLOCK_MS));
            self.count("the clock of an edge jumps");
            self.trace(|_| format!("an edge's clock is {} ms ahead", location.clock.get()));
        }
        if self.goes_wrong(self.faults.object_clock) {
            self.object_clock_jumps(offset(&random, OBJECT_CLOCK_MS));
        }
        if self.goes_wrong(self.faults.removals) {
            self.remove_an_entry();
        }
        let pause = random.within(100, 1_000);
        self.after(pause, Event::Chaos);
    }
}

/// Returns by how much a clock is wrong: mostly little.
fn offset(random: &Random, max: u64) -> i64 {
    let max = if random.chance(500) { 3_000 } else { max };
    random.below(2 * max) as i64 - max as i64
}
