//! The event loop of a project's object as a machine: an event and the time go in, tasks come out. The machine decides
//! when a put, a list, a timer, or the alarm begins. An adapter performs the tasks and reports how they ended:
//! `src/worker/object/drain.rs` on the platform, `tests/world/simulation/object.rs` in a simulated world.

use crate::util::time::Millis;

pub use super::queue::{CONFIRM_MS, PUTS};
use crate::project::store::database::{Database, Result, StoreError};
use crate::project::{Listed, Next, Project, Put, Sweep};

/// The timeout of a put or a list, in milliseconds.
pub const KV_MS: u32 = 30_000;
/// How many puts and batches may begin after a call or an alarm. The end of one begins the next, so a backlog would be
/// one chain, and the platform limits what one invocation does: 1,000 operations of KV, 50 requests on the Free
/// plan. The alarm continues at once, in a new invocation.
const CHAIN_PUTS: u32 = 40;
/// How many helpers put at once, each another object with separate connections.
const HELPERS: usize = 24;
/// With this many entries that only wait for a connection, helpers put too.
const MANY: usize = 64;
/// How long a helper begins puts of its batch, in milliseconds. So a batch ends before an uncertain put is confirmed.
pub const BATCH_MS: u32 = 10_000;
/// The longest wait for a timer. The alarm does longer waits, because a timer keeps the object in memory.
const TIMER_MS: Millis = 2_000;
/// How long the alarm waits for puts.
const DRAIN_MS: Millis = 5_000;
/// The shortest time until the next alarm.
const ALARM_MIN_MS: Millis = 1_100;
/// How many parts of an incomplete index an alarm renews, each in a separate turn: a few seconds of work,
/// of the thirty that the platform allows an alarm.
const INDEX_PARTS: u32 = 64;
/// How long after a write the index follows, in milliseconds, if much waits.
const INDEX_MS: u32 = 10;
/// When the alarm retries if the database failed.
const RETRY_MS: Millis = 60_000;

#[derive(Debug)]
pub enum Event {
    /// The project has performed a call.
    Performed {
        /// Whether the call may have changed the database.
        writes: bool,
    },
    /// The alarm rang. It runs until [`Task::EndAlarm`].
    AlarmRang,
    TimerRang(Timer),
    /// A put ended. An error is the reason of its failure.
    PutEnded(Put, Result<(), String>),
    /// A batch ended: the outcome of each put, or the reason why there is none.
    BatchEnded(Batch, Result<Vec<Result<(), String>>, String>),
    /// A list ended: the entries of the page, and KV's cursor of the next page. An error is the reason of its failure.
    Listed(Sweep, Result<(Vec<Listed>, Option<String>), String>),
}

#[derive(Debug)]
pub enum Task {
    /// Put to KV, then report [`Event::PutEnded`].
    Put(Put),
    /// Let a helper put the batch, then report [`Event::BatchEnded`].
    Batch(Batch),
    /// List a page of KV, then report [`Event::Listed`].
    List(Sweep),
    /// Report [`Event::TimerRang`] after `ms` milliseconds, in a separate turn.
    Wait {
        ms: u32,
        timer: Timer,
    },
    EndAlarm,
    Log {
        event: &'static str,
        /// The KV key or prefix, if there is one.
        about: String,
        reason: String,
    },
}

/// Puts that a helper object performs: at most [`PUTS`] at once. It begins none after [`BATCH_MS`].
#[derive(Debug)]
pub struct Batch {
    /// The helper's number.
    pub helper: usize,
    pub puts: Vec<Put>,
}

/// What continues when a timer rings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Timer {
    /// The puts, at that time. A later timer may have replaced this one.
    Puts(Millis),
    /// The next part of an incomplete index.
    Renewal,
    /// The index of records that wait.
    Index,
}

/// What a running alarm waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Alarm {
    /// The next part of the index. It renews at most so many more.
    Renewal(u32),
    /// The puts in flight, until that time at most: under steady writes there is always a put in flight, and the writes
    /// themselves start the remaining puts.
    Puts(Millis),
    List,
}

#[derive(Debug)]
pub struct Machine<D> {
    project: Project<D>,
    /// How many puts and batches are in flight.
    puts: usize,
    /// The helpers that have no batch.
    idle: Vec<usize>,
    many: usize,
    /// How many puts and batches began since the last call or alarm.
    chain: u32,
    /// When the timer of the puts rings, if it is set.
    timer: Option<Millis>,
    /// Whether the timer of the index is set.
    follows: bool,
    /// Whether the last part of the index was renewed, and others are left.
    renews: bool,
    alarm: Option<Alarm>,
    seen: Millis,
    tasks: Vec<Task>,
}

impl<D: Database> Machine<D> {
    pub fn new(project: Project<D>) -> Self {
        Self::with_many(project, MANY)
    }

    /// Sets with how many waiting entries helpers put too, so that a test has batches in a small project.
    pub fn with_many(project: Project<D>, many: usize) -> Self {
        let idle = (0..HELPERS).rev().collect();
        Self {
            project,
            many,
            idle,
            puts: 0,
            chain: 0,
            timer: None,
            follows: false,
            renews: false,
            alarm: None,
            seen: 0,
            tasks: Vec::new(),
        }
    }

    pub fn project(&self) -> &Project<D> {
        &self.project
    }

    #[must_use]
    pub fn on(&mut self, event: Event, now: Millis) -> Vec<Task> {
        match event {
            Event::Performed { writes } => {
                self.chain = 0;
                if writes && self.project.is_ready() {
                    self.pump(now);
                    self.follow_when_idle();
                }
            }
            Event::AlarmRang => {
                self.chain = 0;
                self.project.database().alarm_rang();
                self.renew(INDEX_PARTS, now);
            }
            Event::TimerRang(timer) => self.timer_rang(timer, now),
            Event::PutEnded(put, outcome) => {
                self.puts = self.puts.saturating_sub(1);
                self.settle(&put, outcome, now);
                self.pump(now);
            }
            Event::BatchEnded(batch, outcomes) => self.batch_ended(&batch, outcomes, now),
            Event::Listed(sweep, outcome) => self.listed(&sweep, outcome, now),
        }
        self.continue_alarm(now);
        if now < self.seen {
            self.clock_was_set_back(now);
        }
        self.seen = now;
        core::mem::take(&mut self.tasks)
    }

    /// Arms the alarm again: it would ring when the clock is where it was.
    fn clock_was_set_back(&mut self, now: Millis) {
        if self.alarm.is_some() || !self.project.is_ready() {
            return;
        }
        if let Err(error) = self.arm_rest(now) {
            self.log("alarm not armed", "", error);
            self.arm(now + RETRY_MS);
        }
    }

    fn timer_rang(&mut self, timer: Timer, now: Millis) {
        match (timer, self.alarm) {
            (Timer::Puts(at), _) if self.timer == Some(at) => {
                self.timer = None;
                self.pump(now);
            }
            (Timer::Renewal, Some(Alarm::Renewal(parts))) => self.renew(parts, now),
            (Timer::Index, _) => {
                self.follows = false;
                self.follow();
            }
            (Timer::Puts(_) | Timer::Renewal, _) => {}
        }
    }

    /// Begins every put that may begin.
    fn pump(&mut self, now: Millis) {
        if let Err(error) = self.begin_batches(now).and_then(|()| self.begin_puts(now)) {
            self.log("outbox not read", "", error);
            self.arm(now + ALARM_MIN_MS);
        } else if self.is_chain_over()
            && let Err(error) = self.arm_next(now)
        {
            self.log("alarm not armed", "", error);
        }
    }

    fn begin_puts(&mut self, now: Millis) -> Result<()> {
        while !self.is_chain_over() {
            match self.project.next_put(now)? {
                Next::Put(put) => self.begin(Task::Put(put)),
                Next::Wait(at) => {
                    self.wait(at, now);
                    return Ok(());
                }
                Next::Nothing => return Ok(()),
            }
        }
        Ok(())
    }

    /// Lets helpers put, if many entries wait for a connection.
    fn begin_batches(&mut self, now: Millis) -> Result<()> {
        while let Some(helper) = self.idle.last().copied().filter(|_| !self.is_chain_over()) {
            let puts = self.project.next_batch(self.many, now)?;
            if puts.is_empty() {
                break;
            }
            self.idle.pop();
            self.begin(Task::Batch(Batch { helper, puts }));
        }
        Ok(())
    }

    fn begin(&mut self, task: Task) {
        self.puts += 1;
        self.chain += 1;
        self.tasks.push(task);
    }

    /// Indexes the records that wait. After a fault, the next query tries again.
    fn follow(&mut self) {
        if let Err(error) = self.project.follow() {
            self.log("index not updated", "", error);
        }
    }

    /// Sets a timer for the index if much waits. The platform lets it ring when the object has no other work.
    fn follow_when_idle(&mut self) {
        if !self.follows && self.project.is_index_behind() {
            self.follows = true;
            self.tasks.push(Task::Wait { ms: INDEX_MS, timer: Timer::Index });
        }
    }

    fn is_chain_over(&self) -> bool {
        self.chain >= CHAIN_PUTS
    }

    /// Pumps again at that time, with a timer if that is soon.
    fn wait(&mut self, at: Millis, now: Millis) {
        if at > now + TIMER_MS || self.timer.is_some_and(|known| known <= at) {
            return;
        }
        self.timer = Some(at);
        // At most `TIMER_MS`.
        let ms = at.saturating_sub(now) as u32;
        self.tasks.push(Task::Wait { ms, timer: Timer::Puts(at) });
    }

    fn batch_ended(&mut self, batch: &Batch, outcomes: Result<Vec<Result<(), String>>, String>, now: Millis) {
        self.puts = self.puts.saturating_sub(1);
        self.idle.push(batch.helper);
        let mut outcomes = outcomes.unwrap_or_else(|reason| vec![Err(reason); batch.puts.len()]);
        outcomes.resize(batch.puts.len(), Err("no outcome".to_owned()));
        for (put, outcome) in batch.puts.iter().zip(outcomes) {
            self.settle(put, outcome, now);
        }
        self.pump(now);
    }

    /// Records the end of a put.
    fn settle(&mut self, put: &Put, outcome: Result<(), String>, now: Millis) {
        let settled = match outcome {
            Ok(()) => self.project.put_done(put, now),
            Err(reason) => {
                self.log("put failed", &put.entry, StoreError::new(reason));
                self.project.put_failed(put, now).and_then(|()| self.arm_next(now))
            }
        };
        if let Err(error) = settled {
            self.log("put not settled", &put.entry, error);
            self.arm(now + ALARM_MIN_MS);
        }
    }

    /// Renews a part of the index if it is incomplete, and drains otherwise.
    fn renew(&mut self, parts: u32, now: Millis) {
        // A fault of the start occurs again in the pump, which logs it.
        let renewed = if self.project.make_ready().is_ok() { self.project.renew(1) } else { Ok(true) };
        self.renews = matches!(renewed, Ok(false));
        if let Err(error) = renewed {
            self.log("index not renewed", "", error);
        }
        if self.renews && parts > 1 {
            self.alarm = Some(Alarm::Renewal(parts - 1));
            self.tasks.push(Task::Wait { ms: 0, timer: Timer::Renewal });
        } else {
            self.follow();
            self.alarm = Some(Alarm::Puts(now + DRAIN_MS));
            self.pump(now);
        }
    }

    /// Continues an alarm that waits for puts, if none is in flight, another alarm has to continue them, its time is
    /// over, or the clock was set back.
    fn continue_alarm(&mut self, now: Millis) {
        if let Some(Alarm::Puts(until)) = self.alarm
            && (self.puts == 0 || self.is_chain_over() || now >= until || until > now + DRAIN_MS)
        {
            self.sweep(now);
        }
    }

    /// Lists a page of KV if one is due. Otherwise the alarm ends.
    fn sweep(&mut self, now: Millis) {
        match self.project.sweep(now) {
            Ok(Some(sweep)) => {
                self.alarm = Some(Alarm::List);
                self.tasks.push(Task::List(sweep));
            }
            Ok(None) => self.rest(now),
            Err(error) => {
                self.log("sweep failed", "", error);
                self.rest(now);
            }
        }
    }

    /// Records what differs on a page of KV from the source of truth, and ends the alarm.
    fn listed(&mut self, sweep: &Sweep, outcome: Result<(Vec<Listed>, Option<String>), String>, now: Millis) {
        let ended = match outcome {
            Ok((entries, cursor)) => self.project.sweep_done(sweep, &entries, cursor.as_deref(), now),
            Err(reason) => {
                self.log("KV not listed", &sweep.prefix, StoreError::new(reason));
                self.project.sweep_failed(now)
            }
        };
        match ended {
            Ok(()) => self.pump(now),
            Err(error) => self.log("sweep failed", "", error),
        }
        self.rest(now);
    }

    /// Ends the alarm: stores how far writes are replicated, and arms the next alarm for the rest.
    fn rest(&mut self, now: Millis) {
        if let Err(error) = self.project.checkpoint().and_then(|()| self.arm_rest(now)) {
            self.log("alarm not armed", "", error);
            self.arm(now + RETRY_MS);
        }
        self.end_alarm();
    }

    fn end_alarm(&mut self) {
        self.alarm = None;
        self.tasks.push(Task::EndAlarm);
    }

    /// Arms the alarm after a fault. If this fails too, the next write arms it.
    fn arm(&mut self, at: Millis) {
        if let Err(error) = self.project.database().arm(at) {
            self.log("alarm not armed", "", error);
        }
    }

    /// Arms the alarm for the next put.
    fn arm_next(&self, now: Millis) -> Result<()> {
        let Some(due) = self.project.next_due(now)? else { return Ok(()) };
        // An alarm that is due at once would ring repeatedly while puts are in flight. After a chain it rings once.
        let earliest = if self.is_chain_over() { now } else { now + ALARM_MIN_MS };
        self.project.database().arm(due.max(earliest))
    }

    /// Arms the alarm for everything that waits.
    fn arm_rest(&self, now: Millis) -> Result<()> {
        self.arm_next(now)?;
        if self.project.is_renewing() {
            let wait = if self.renews { ALARM_MIN_MS } else { RETRY_MS };
            self.project.database().arm(now + wait)?;
        }
        match self.project.next_sweep(now)? {
            Some(due) => self.project.database().arm(due.max(now + ALARM_MIN_MS)),
            None => Ok(()),
        }
    }

    fn log(&mut self, event: &'static str, about: &str, error: StoreError) {
        self.tasks.push(Task::Log { event, about: about.to_owned(), reason: error.reason });
    }
}
