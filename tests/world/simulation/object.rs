//! The project's object: the real machine (`project::machine`) on its storage. This is its adapter to the world, as
//! `src/worker/object/drain.rs` is the one to Workers: it performs the tasks, and reports how they ended.

mod alarm;
mod chaos;
pub(crate) mod staleness;

use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;

use resource_edge::call::{Reply, wire};
use resource_edge::contract::error::{ApiError, Code};
use resource_edge::project::replication::machine::{self, Batch, CONFIRM_MS, KV_MS, Machine, Task, Timer};
use resource_edge::project::{Listed, Moment, Project, Put, Sweep};
use resource_edge::server::effect::EffectOutcome;
use resource_edge::util::time::Millis;

use crate::support::schemas::Design;
use crate::world::simulation::disk::{Disk, Fuse, Storage};
use crate::world::simulation::edge::by_clock;
use crate::world::simulation::mutant::Mutant;
use crate::world::simulation::oracle::need;
use crate::world::simulation::workload::Operation;
use crate::world::simulation::world::World;

/// The maximum time from the failure of a put until it lands. It is less than the time after which an uncertain put is
/// confirmed.
const LATE_MS: Millis = CONFIRM_MS - 10_000;
/// The time until the platform repeats an alarm after its handler ended.
const ALARM_RETRY_MS: Millis = 2_000;
/// An alarm that is further away than this is that of the sweep.
const SWEEP_AWAY_MS: Millis = 3 * 60 * 60_000;
/// The most steps of a turn until its fuse ends it.
const STEPS: u64 = 16;

/// The memory of the object, from its start to a crash.
struct Instance {
    machine: Machine<Disk>,
    /// The timers that have not rung.
    timers: usize,
}

pub(crate) struct Object {
    pub(crate) storage: Rc<Storage>,
    instance: Option<Instance>,
    /// The number of the instance.
    generation: u64,
    /// Whether helpers put its entries, and its index follows in a write, even if few wait.
    pub(crate) shares: bool,
    alarm_is_running: bool,
    /// The time of the next queued check of the alarm.
    alarm_queued: Option<Millis>,
    /// By how much its clock is ahead.
    clock: Cell<i64>,
    /// Entries that only the sweep can repair: somebody removed them, or the clock jumped over the time in which an
    /// uncertain put is confirmed.
    pub(crate) excused: BTreeSet<String>,
    /// Entries over which an older put has landed. A later put corrects them, unless the clock jumps over its time.
    overwritten: BTreeSet<String>,
}

impl Object {
    pub(crate) fn new(storage: Rc<Storage>) -> Self {
        Self {
            storage,
            instance: None,
            generation: 0,
            shares: false,
            alarm_is_running: false,
            alarm_queued: None,
            clock: Cell::new(0),
            excused: BTreeSet::new(),
            overwritten: BTreeSet::new(),
        }
    }
}

/// A put that began.
struct BegunPut {
    number: u64,
    /// When it ends.
    ends: Millis,
    succeeded: bool,
}

pub(crate) struct PutInFlight {
    put: Put,
    generation: u64,
    /// When it lands; `None`: never, or it has landed.
    lands: Option<Millis>,
    /// Whether the instance that started the put has received its end.
    ended: bool,
}

impl World {
    pub(crate) fn object_time(&self) -> Millis {
        by_clock(self.now(), self.object.clock.get())
    }

    fn start_instance(&mut self) {
        if self.object.instance.is_none() {
            let disk = Disk::new(Rc::clone(&self.object.storage));
            let project = Project::new(disk, self.object_shape());
            let machine = if self.object.shares {
                Machine::with_many(project.with_waiting(3), 1)
            } else {
                Machine::new(project)
            };
            self.object.instance = Some(Instance { machine, timers: 0 });
        }
    }

    /// Starts an instance, and brings the database up to date, unless a statement fails.
    pub(crate) fn start(&mut self) {
        self.start_instance();
        let _ = self.project().map(Project::make_ready);
    }

    /// Returns the project of the instance, if it lives.
    fn project(&self) -> Option<&Project<Disk>> {
        self.object.instance.as_ref().map(|instance| instance.machine.project())
    }

    fn lives(&self, generation: u64) -> bool {
        self.object.instance.is_some() && self.object.generation == generation
    }

    /// Runs a turn of the object. A fuse may end it anywhere.
    pub(crate) fn turn(&mut self, run: impl FnOnce(&mut Self)) {
        let fuse = if self.goes_wrong(self.faults.crashes_inside) {
            Some(Fuse::Crash)
        } else if self.goes_wrong(self.faults.statements) {
            Some(Fuse::Fail)
        } else {
            None
        };
        if let Some(fuse) = fuse {
            self.object.storage.light(self.random.below(STEPS) as u32, fuse);
        }
        run(self);
        self.object.storage.put_out();
        if self.project().is_some_and(|project| project.database().has_ended()) {
            self.crash("a crash inside a turn");
        }
    }

    /// Ends the object's memory. Committed data remains.
    pub(crate) fn crash(&mut self, when: &'static str) {
        if self.object.instance.take().is_none() {
            return;
        }
        self.report.count(when);
        self.report.trace(|| when.to_uppercase());
        let generation = self.object.generation;
        self.object.generation += 1;
        if self.object.alarm_is_running {
            self.object.alarm_is_running = false;
            if self.mutant != Some(Mutant::AlarmAtMostOnce) {
                let again = self.object_time() + ALARM_RETRY_MS;
                let alarm = self.object.storage.alarm.get().map_or(again, |at| at.min(again));
                self.object.storage.alarm.set(Some(alarm));
            }
        }
        let open: Vec<u64> = self
            .puts
            .iter()
            .filter(|(_, put)| put.generation == generation && !put.ended)
            .map(|(number, _)| *number)
            .collect();
        for number in open {
            self.end_of_an_open_put(number);
        }
        let verdict = self.oracle.database(&self.object.storage);
        self.report.check(verdict);
    }

    /// Decides the result of a put whose instance ended: the put never lands, or lands at another time, or at the
    /// planned time.
    fn end_of_an_open_put(&mut self, number: u64) {
        let choice = self.random.below(3);
        let (now, late) = (self.now(), self.random.within(1, LATE_MS));
        let Some(open) = self.puts.get_mut(&number) else { return };
        open.ended = true;
        if open.lands.is_none() {
            return;
        }
        if choice == 0 {
            open.lands = None;
        } else if choice == 1 || open.lands > Some(now + LATE_MS) {
            open.lands = Some(now + late);
            self.report.count("a put of an ended instance lands late");
            self.after(late, move |world| world.put_lands(number));
        }
    }

    /// Handles the arrival of a message of an edge of this resource.
    pub(crate) fn message(
        &mut self,
        request: Option<u64>,
        operation: &Rc<Operation>,
        sender: &Design,
        message: &[u8],
    ) {
        let mut outcome = None;
        self.turn(|world| outcome = world.perform(request, operation, sender, message));
        let Some(request) = request else { return };
        let pause = self.delay(5, 50);
        let outcome = match outcome {
            Some(_) if self.goes_wrong(self.faults.lost_replies) => {
                self.report.count("a reply is lost");
                EffectOutcome::Failed("the reply was lost".to_owned())
            }
            Some(outcome) => outcome,
            None => EffectOutcome::Failed("the object ended".to_owned()),
        };
        self.after(pause, move |world| world.resume(request, outcome));
    }

    /// Performs the message of a check. Returns the reply, or the reason why there is none.
    pub(crate) fn answer_check(&mut self, message: &[u8]) -> Result<Vec<u8>, String> {
        let mut head = Err("the object ended".to_owned());
        self.turn(|world| {
            world.start_instance();
            let Some(message) = world.read(message) else { return };
            let moment = Moment { now: world.object_time(), entropy: [0; 10] };
            let Some(project) = world.project() else { return };
            if let Ok(reply) = project.perform(&message, &moment) {
                head = Ok(wire::encode(&reply.head).expect("a head has bytes"));
            }
            world.on(machine::Event::Performed { writes: message.call.is_write() });
        });
        if self.goes_wrong(self.faults.lost_replies) {
            head = Err("the reply was lost".to_owned());
        }
        head
    }

    /// Performs a message, as `ProjectCore::perform` does. Returns the reply, unless the instance ends before it
    /// leaves.
    #[allow(clippy::too_many_lines, reason = "the steps of the object, as in the Worker")]
    fn perform(
        &mut self,
        request: Option<u64>,
        operation: &Operation,
        sender: &Design,
        message: &[u8],
    ) -> Option<EffectOutcome<String>> {
        self.start_instance();
        let mut message = self.read(message)?;
        self.report.check(need(operation.is_accepted(sender), || {
            format!("{operation:?} breaks a rule of {sender:?}, and reaches the object")
        }));
        if let Some(mutant) = self.mutant {
            let version = |id: &str| self.oracle.live(id).map(|(commit, _)| commit.version);
            mutant.message(&mut message, &self.deployed.object.shape, version);
        }
        let mut entropy = [0; 10];
        entropy.fill_with(|| self.random.next() as u8);
        let moment = Moment { now: self.object_time(), entropy };
        let performed = if self.refuses_earlier(operation) {
            Ok(ApiError::new(Code::InvalidInput, "refused").into())
        } else {
            self.project()?.perform(&message, &moment)
        };
        let ended = self.project()?.database().has_ended();
        self.report.trace(|| {
            let head = performed.as_ref().map(|reply| &reply.head);
            format!("object performs {} of {request:?}: {head:?}", operation.mark())
        });
        let reply = performed.as_ref().ok().filter(|reply| self.decides(operation, sender, reply));
        let design = &self.deployed.object;
        let verdict = if operation.is_write() {
            self.oracle.wrote(&self.object.storage, design, operation, reply)
        } else {
            reply.map_or(Ok(()), |reply| self.oracle.read([design, sender], operation, reply))
        };
        self.report.check(verdict);
        if ended {
            return None;
        }
        if let Ok(reply) = &performed {
            self.note_page(request, operation, reply);
        }
        let reply = performed.unwrap_or_else(|fault| {
            if let Some(request) = request.and_then(|request| self.requests.get_mut(&request)) {
                request.faulty = true;
            }
            self.report.count("a statement fails");
            Reply::from(ApiError::of_fault(fault.reason))
        });
        // The fuse burns still: the instance ends after the commit, with the reply on its way or not.
        if self.object.storage.put_out() {
            let mutant = self.mutant == Some(Mutant::AcknowledgeBeforeCommit);
            self.crash("a crash between two turns");
            if !mutant && self.random.chance(500) {
                return None;
            }
        } else {
            self.on(machine::Event::Performed { writes: message.call.is_write() });
        }
        let head = wire::encode(&reply.head).expect("a head");
        Some(EffectOutcome::Reply(head, reply.body))
    }

    /// Reports an event to the machine, and begins the tasks that follow.
    fn on(&mut self, event: machine::Event) {
        self.on_at(event, self.object_time());
    }

    fn on_at(&mut self, event: machine::Event, now: Millis) {
        let Some(instance) = &mut self.object.instance else { return };
        let tasks = instance.machine.on(event, now);
        // On Workers a task begins after the turn.
        if instance.machine.project().database().has_ended() {
            return;
        }
        for task in tasks {
            self.begin(task);
        }
    }

    fn begin(&mut self, task: Task) {
        let generation = self.object.generation;
        match task {
            Task::Put(put) => self.begin_puts(vec![put], None),
            Task::Batch(Batch { helper, puts }) => self.begin_puts(puts, Some(helper)),
            Task::List(sweep) => self.list(sweep),
            Task::Wait { ms, timer } => {
                if let Some(instance) = &mut self.object.instance {
                    instance.timers += 1;
                }
                self.after(Millis::from(ms), move |world| world.timer(generation, timer));
            }
            Task::EndAlarm => self.object.alarm_is_running = false,
            Task::Log { event, about, reason } => {
                self.report.trace(|| format!("{event} {about}: {reason}"));
                if event == "put not settled" {
                    // Two faults at once: that the put is uncertain could not be stored.
                    self.object.excused.insert(about);
                }
            }
        }
    }

    pub(crate) fn timer(&mut self, generation: u64, timer: Timer) {
        if !self.lives(generation) {
            return;
        }
        if let Some(instance) = &mut self.object.instance {
            instance.timers -= 1;
        }
        self.turn(|world| world.on(machine::Event::TimerRang(timer)));
    }

    /// Begins puts: one of the object itself, or a batch of a helper, which ends with its last put.
    fn begin_puts(&mut self, puts: Vec<Put>, helper: Option<usize>) {
        let begun: Vec<_> = puts.into_iter().map(|put| self.begin_put(put)).collect();
        let ends = begun.iter().map(|put| put.ends).max().unwrap_or_default();
        let mut ended: Vec<_> = begun.into_iter().map(|put| (put.number, put.succeeded)).collect();
        let generation = self.object.generation;
        if helper.is_none() {
            return self.after(ends, move |world| world.puts_end(generation, &ended, helper));
        }
        self.report.count("a helper puts");
        let is_lost = self.goes_wrong(self.faults.lost_replies);
        let early = self.mutant == Some(Mutant::BatchIsDoneAtOnce);
        for (_, succeeded) in &mut ended {
            *succeeded = early || *succeeded && !is_lost;
        }
        if is_lost {
            self.report.count("the end of a batch is lost");
            if self.mutant == Some(Mutant::HelperPutsTooLate) {
                for (number, _) in &ended {
                    self.delay_put(*number);
                }
            }
        }
        self.after(if early { 1 } else { ends }, move |world| world.puts_end(generation, &ended, helper));
    }

    /// Lets a put land after it was confirmed.
    fn delay_put(&mut self, number: u64) {
        let pause = 2 * CONFIRM_MS;
        let lands = self.now() + pause;
        if let Some(open) = self.puts.get_mut(&number) {
            open.lands = Some(lands);
            self.after(pause, move |world| world.put_lands(number));
        }
    }

    fn begin_put(&mut self, put: Put) -> BegunPut {
        let verdict = self.oracle.put(&put);
        self.report.check(verdict);
        let now = self.now();
        let number = self.number();
        let pause = self.delay(5, 60);
        let too_soon = self.kv.is_too_soon(&put.entry, now) && self.random.chance(500);
        let (mut lands, ends, succeeded) = if too_soon || self.goes_wrong(self.faults.puts_refused) {
            self.report.count("a put is refused");
            (None, pause, false)
        } else if self.goes_wrong(self.faults.puts_lost) {
            self.report.count("a put is lost");
            (None, pause, false)
        } else if self.goes_wrong(self.faults.puts_late) {
            self.report.count("a put fails and lands late");
            let ends = if self.random.chance(300) { KV_MS.into() } else { pause };
            (Some(ends + self.random.below(LATE_MS)), ends, false)
        } else {
            let lands = self.random.below(pause);
            (Some(lands), pause, true)
        };
        if self.mutant == Some(Mutant::SkipDeletions) && put.metadata.deleted {
            lands = None;
        }
        self.report.trace(|| {
            let metadata = put.metadata.to_json();
            format!("put {number} of {}: {metadata}, lands {lands:?}, ends {ends} {succeeded}", put.entry)
        });
        if let Some(pause) = lands {
            self.after(pause, move |world| world.put_lands(number));
        }
        let lands = lands.map(|pause| now + pause);
        let generation = self.object.generation;
        self.puts.insert(number, PutInFlight { put, generation, lands, ended: false });
        BegunPut { number, ends, succeeded }
    }

    pub(crate) fn put_lands(&mut self, number: u64) {
        let now = self.now();
        let Some(open) = self.puts.get_mut(&number) else { return };
        // A put of an ended instance may have got another time.
        if open.lands.is_none_or(|at| at > now) {
            return;
        }
        open.lands = None;
        let put = open.put.clone();
        let before = self.kv.stored(&put.entry, now).map_or(0, |stored| stored.metadata.revision);
        if before > put.metadata.revision {
            self.report.count("a put lands over a newer one");
            self.object.overwritten.insert(put.entry.to_string());
        } else {
            self.object.overwritten.remove(&*put.entry);
        }
        self.kv.land(&put, now);
        self.report.trace(|| format!("put {number} lands: {}", put.entry));
    }

    /// Ends puts, with their numbers and whether they succeeded.
    pub(crate) fn puts_end(&mut self, generation: u64, ended: &[(u64, bool)], helper: Option<usize>) {
        if self.lives(generation) {
            self.turn(|world| world.settle(ended, helper));
        }
    }

    /// Reports the end of puts.
    fn settle(&mut self, ended: &[(u64, bool)], helper: Option<usize>) {
        let all_are_done = self.mutant == Some(Mutant::FailedPutIsDone);
        let outcome = |done: bool| if done || all_are_done { Ok(()) } else { Err("made to fail".to_owned()) };
        let mut puts: Vec<_> = ended.iter().map(|(number, _)| self.puts[number].put.clone()).collect();
        let mut outcomes: Vec<_> = ended.iter().map(|(_, succeeded)| outcome(*succeeded)).collect();
        let skips = outcomes.iter().any(Result::is_err) && self.mutant == Some(Mutant::SkipConfirm);
        let now = self.object_time() - if skips { CONFIRM_MS } else { 0 };
        let event = match helper {
            Some(helper) => machine::Event::BatchEnded(Batch { helper, puts }, Ok(outcomes)),
            None => machine::Event::PutEnded(puts.remove(0), outcomes.remove(0)),
        };
        self.on_at(event, now);
        let lives = self.project().is_some_and(|project| !project.database().has_ended());
        for (number, _) in ended {
            if let Some(open) = self.puts.get_mut(number) {
                open.ended = lives;
            }
        }
        self.report.trace(|| {
            let sql = "SELECT name, revision, due, attempts, confirm FROM outbox";
            format!("puts ended: {ended:?}, outbox {:?}", self.object.storage.sqlite.rows(sql))
        });
    }

    /// Returns whether nothing more happens before the next sweep: no put, no timer, no alarm.
    pub(crate) fn is_at_rest(&self) -> bool {
        if self.puts.values().any(|put| put.lands.is_some() || !put.ended && self.lives(put.generation)) {
            return false;
        }
        let timers = self.object.instance.as_ref().map_or(0, |instance| instance.timers);
        let soon = self.object_time() + SWEEP_AWAY_MS;
        let alarm = self.object.storage.alarm.get();
        !self.object.alarm_is_running && timers == 0 && alarm.is_none_or(|at| at > soon)
    }
}
