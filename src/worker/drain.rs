//! Replicates writes to KV in the background. The queue (`project`) decides which put begins when; this file runs the
//! puts and waits.

use core::cell::Cell;
use core::future::poll_fn;
use core::task::{Poll, Waker};
use std::rc::Rc;

use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};

use crate::project::database::{Database, StoreError};
use crate::project::{Next, Project, Put};
use crate::util::json::{self, ObjectWriter};
use crate::util::time::Millis;

use super::database::SqlDatabase;
use super::glue;
use super::platform::{self, now};

/// The timeout of a KV call.
const KV_MS: u32 = 30_000;
/// The longest wait for a timer. The alarm does longer waits, because a timer keeps the object in memory.
const TIMER_MS: Millis = 2_000;
/// How long the alarm waits for puts.
const DRAIN_MS: Millis = 5_000;
/// The shortest time until the next alarm.
const ALARM_MIN_MS: Millis = 1_100;
/// How many parts of an incomplete index an alarm rebuilds, each in a separate turn: a few seconds of work, of the
/// thirty that the platform allows an alarm.
const INDEX_PARTS: u32 = 64;
/// When the alarm retries if the database failed.
const RETRY_MS: Millis = 60_000;

/// A project with its puts in flight.
pub(super) struct Drain {
    pub(super) project: Project<SqlDatabase>,
    kv: JsValue,
    /// How many puts are in flight.
    puts: Cell<usize>,
    /// The alarm, while it waits for puts to end.
    waiting: Cell<Option<Waker>>,
    /// When the timer rings, if it is set.
    timer: Cell<Option<Millis>>,
}

impl Drain {
    /// Creates a drain without puts in flight.
    pub(super) fn new(project: Project<SqlDatabase>, kv: JsValue) -> Self {
        Self { project, kv, puts: Cell::new(0), waiting: Cell::new(None), timer: Cell::new(None) }
    }

    /// Begins every put that may begin.
    pub(super) fn pump(self: &Rc<Self>) {
        let now = now();
        loop {
            match self.project.next_put(now) {
                Ok(Next::Put(put)) => {
                    self.puts.set(self.puts.get() + 1);
                    spawn_local(Rc::clone(self).put(put));
                }
                Ok(Next::Wait(at)) => return self.wait(now, at),
                Ok(Next::Nothing) => return,
                Err(error) => {
                    log("outbox not read", "", &error.0);
                    return self.arm(now + ALARM_MIN_MS);
                }
            }
        }
    }

    /// Pumps again at that time, with a timer if that is soon.
    fn wait(self: &Rc<Self>, now: Millis, at: Millis) {
        if at > now + TIMER_MS || self.timer.get().is_some_and(|known| known <= at) {
            return;
        }
        self.timer.set(Some(at));
        let drain = Rc::clone(self);
        spawn_local(async move {
            // At most `TIMER_MS`.
            pause((at - now) as u32).await;
            // An earlier timer may have replaced it.
            if drain.timer.get() == Some(at) {
                drain.timer.set(None);
                drain.pump();
            }
        });
    }

    async fn put(self: Rc<Self>, put: Put) {
        let metadata = put.metadata.to_json();
        let ttl = put.ttl_seconds.unwrap_or(0);
        let failed = match glue::kv_put(&self.kv, &put.entry, &put.value, &metadata, ttl, KV_MS) {
            Ok(promise) => JsFuture::from(promise).await.err(),
            Err(thrown) => Some(thrown),
        };
        self.puts.set(self.puts.get().saturating_sub(1));
        let settled = match failed {
            None => self.project.put_done(&put, now()),
            Some(thrown) => {
                log("put failed", &put.entry, &glue::reason(&thrown));
                self.project.put_failed(&put, now()).and_then(|()| self.arm_next())
            }
        };
        if let Err(error) = settled {
            log("put not settled", &put.entry, &error.0);
            self.arm(now() + ALARM_MIN_MS);
        }
        self.pump();
        if let Some(waker) = self.waiting.take() {
            waker.wake();
        }
    }

    /// Waits until no put is in flight, but not much longer than [`DRAIN_MS`]: under steady writes there is always a
    /// put in flight, and the writes themselves start the remaining puts. Every put that ends checks this; a put takes
    /// at most [`KV_MS`].
    async fn puts_ended(&self) {
        let end = now() + DRAIN_MS;
        poll_fn(|context| {
            if self.puts.get() == 0 || now() >= end {
                return Poll::Ready(());
            }
            self.waiting.set(Some(context.waker().clone()));
            Poll::Pending
        })
        .await;
    }

    /// Drains what is due, waits for the puts, and arms the alarm for the rest.
    pub(super) async fn alarm(self: Rc<Self>) {
        self.project.database().alarm_rang();
        for _ in 0..INDEX_PARTS {
            // A fault occurs again below.
            if self.project.make_ready().unwrap_or(true) {
                break;
            }
            pause(0).await;
        }
        self.pump();
        self.puts_ended().await;
        if let Err(error) = self.sweep().await {
            log("sweep failed", "", &error.0);
        }
        let rested = self.project.checkpoint().and_then(|()| self.arm_next()).and_then(|()| self.arm_sweep());
        if let Err(error) = rested {
            log("alarm not armed", "", &error.0);
            self.arm(now() + RETRY_MS);
        }
    }

    /// Lists a page of KV if one is due, and records what differs from the source of truth.
    async fn sweep(self: &Rc<Self>) -> Result<(), StoreError> {
        let Some(sweep) = self.project.sweep(now())? else { return Ok(()) };
        let listed = match glue::kv_list(&self.kv, &sweep.prefix, sweep.cursor.as_deref(), KV_MS) {
            Ok(promise) => JsFuture::from(promise).await,
            Err(thrown) => Err(thrown),
        };
        match listed {
            Ok(page) => {
                let (entries, cursor) = platform::listed(&page.unchecked_into());
                self.project.sweep_done(&sweep, &entries, cursor.as_deref(), now())?;
                self.pump();
                Ok(())
            }
            Err(thrown) => {
                log("KV not listed", &sweep.prefix, &glue::reason(&thrown));
                self.project.sweep_failed(now())
            }
        }
    }

    /// Arms the alarm after a fault. If this fails too, the platform has logged it, and the next write arms the alarm.
    fn arm(&self, at: Millis) {
        if let Err(error) = self.project.database().arm(at) {
            log("alarm not armed", "", &error.0);
        }
    }

    fn arm_sweep(&self) -> Result<(), StoreError> {
        match self.project.next_sweep(now())? {
            Some(due) => self.project.database().arm(due.max(now() + ALARM_MIN_MS)),
            None => Ok(()),
        }
    }

    fn arm_next(&self) -> Result<(), StoreError> {
        match self.project.next_due(now())? {
            // Never in the past: an alarm that is due at once would ring repeatedly while puts are in flight.
            Some(due) => self.project.database().arm(due.max(now() + ALARM_MIN_MS)),
            None => Ok(()),
        }
    }
}

async fn pause(ms: u32) {
    // This promise is never rejected.
    let _ = JsFuture::from(glue::wait(ms)).await;
}

/// Writes one line of JSON to the log, without a body.
pub(super) fn log(event: &str, about: &str, reason: &str) {
    let mut line = String::with_capacity(128);
    let mut object = ObjectWriter::open(&mut line);
    object.text("level", "error");
    object.text("event", event);
    object.text("about", about);
    object.text("reason", reason);
    object.close();
    worker::console_error!("{}", json::log_line(line));
}
