//! Brings KV up to what the project's outbox says, beside the requests.
//!
//! One put a key is in flight at a time, always of the newest value, and a second one waits until KV takes it (one write a
//! second and key). What fails or takes too long stays in the outbox for the alarm.

use core::cell::{Cell, RefCell};
use core::future::Future;
use core::pin::pin;
use core::task::{Poll, Waker};
use core::time::Duration;
use std::rc::Rc;

use wasm_bindgen::JsValue;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use worker::Delay;

use crate::contract::json::Object;
use crate::contract::time::Millis;
use crate::project::database::{Database, StoreError};
use crate::project::{Project, Put};

use super::database::SqlDatabase;
use super::glue;
use super::platform::now;

/// The least time between the beginnings of two puts of one key: KV takes one a second.
const BETWEEN_MS: u64 = 1_100;
/// How long a put may take.
const PUT: Duration = Duration::from_secs(30);
/// How many puts run at once: the platform opens no more connections.
const PUTS: usize = 6;
/// How far down the outbox one turn looks: past what is under way and what KV would not take yet.
const LOOK_AHEAD: u32 = 64;
/// How long the alarm waits for what it began.
const IDLE: Duration = Duration::from_secs(60);
/// When the alarm tries again if the store itself failed.
const RETRY_MS: u64 = 60_000;

/// A put that is under way, or that began so lately that KV would refuse the next one of its key.
struct Recent {
    entry: String,
    began: Millis,
    in_flight: bool,
}

impl Recent {
    /// When KV takes the next put of the key.
    fn free_at(&self) -> Millis {
        self.began + BETWEEN_MS
    }

    fn state(&self) -> (bool, Millis) {
        (self.in_flight, self.free_at())
    }
}

/// A project and the puts that it has under way.
pub(super) struct Drain {
    pub(super) project: Project<SqlDatabase>,
    kv: JsValue,
    recent: RefCell<Vec<Recent>>,
    timer: Cell<bool>,
    idle: RefCell<Vec<Waker>>,
}

impl Drain {
    /// A project without puts under way.
    pub(super) fn new(project: Project<SqlDatabase>, kv: JsValue) -> Self {
        Self { project, kv, recent: RefCell::default(), timer: Cell::new(false), idle: RefCell::default() }
    }

    /// Begins what is due and may begin.
    pub(super) fn pump(self: &Rc<Self>) {
        if let Err(error) = self.begin() {
            log("outbox not read", "", &error.0);
        }
    }

    fn in_flight(&self) -> usize {
        self.recent.borrow().iter().filter(|put| put.in_flight).count()
    }

    fn begin(self: &Rc<Self>) -> Result<(), StoreError> {
        let now = now();
        self.recent.borrow_mut().retain(|put| put.in_flight || put.free_at() > now);
        let mut wait = None;
        if self.in_flight() >= PUTS {
            return Ok(());
        }
        for due in self.project.due(now, LOOK_AHEAD)? {
            let busy = self.recent.borrow().iter().find(|put| put.entry == due.entry).map(Recent::state);
            if let Some((in_flight, free_at)) = busy {
                if !in_flight {
                    let rest = free_at.saturating_sub(now);
                    wait = Some(wait.map_or(rest, |least: Millis| least.min(rest)));
                }
                continue;
            }
            if self.in_flight() >= PUTS {
                break;
            }
            let put = self.project.put(due)?;
            let entry = put.due.entry.clone();
            self.recent.borrow_mut().push(Recent { entry, began: now, in_flight: true });
            spawn_local(Rc::clone(self).put(put));
        }
        if let Some(wait) = wait.filter(|_| !self.timer.replace(true)) {
            let drain = Rc::clone(self);
            spawn_local(async move {
                Delay::from(Duration::from_millis(wait)).await;
                drain.timer.set(false);
                drain.pump();
            });
        }
        Ok(())
    }

    async fn put(self: Rc<Self>, put: Put) {
        let ttl = put.ttl_seconds.unwrap_or(0);
        let outcome = match glue::kv_put(&self.kv, &put.due.entry, &put.value, &put.metadata, ttl) {
            Ok(promise) => within(PUT, JsFuture::from(promise)).await,
            Err(thrown) => Some(Err(thrown)),
        };
        for recent in self.recent.borrow_mut().iter_mut().filter(|recent| recent.entry == put.due.entry) {
            recent.in_flight = false;
        }
        let failed = match outcome {
            Some(Ok(_)) => None,
            Some(Err(thrown)) => Some(glue::reason(&thrown)),
            None => Some(format!("no answer within {} s", PUT.as_secs())),
        };
        let settled = match failed {
            None => self.project.put_done(&put, now()),
            Some(reason) => {
                log("put failed", &put.due.entry, &reason);
                self.project.put_failed(&put, now())
            }
        };
        if let Err(error) = settled.and_then(|()| self.arm_next()) {
            log("put not settled", &put.due.entry, &error.0);
        }
        self.pump();
        for waker in self.idle.take() {
            waker.wake();
        }
    }

    /// Drains what is due, waits for it, and arms the alarm for the rest.
    pub(super) async fn alarm(self: Rc<Self>) {
        self.project.database().alarm_rang();
        self.pump();
        let idle = core::future::poll_fn(|context| {
            if self.in_flight() == 0 {
                return Poll::Ready(());
            }
            self.idle.borrow_mut().push(context.waker().clone());
            Poll::Pending
        });
        // Under steady writes it is never idle; what is left then is begun by the writes themselves.
        within(IDLE, idle).await;
        if let Err(error) = self.arm_next() {
            log("alarm not armed", "", &error.0);
            // Where even this fails the platform has logged it, and the next write arms again.
            let _ = self.project.database().arm(now() + RETRY_MS);
        }
    }

    fn arm_next(&self) -> Result<(), StoreError> {
        match self.project.next_due()? {
            // Never in the past: an alarm that is due at once would ring in a circle around what is in flight.
            Some(due) => self.project.database().arm(due.max(now() + BETWEEN_MS)),
            None => Ok(()),
        }
    }
}

/// What the future gives, or `None` where the time is over first; the future is then dropped.
///
/// `Delay` wakes the waker of its first poll only, so this must be run from the queue (`spawn_local`).
async fn within<T>(limit: Duration, work: impl Future<Output = T>) -> Option<T> {
    let mut work = pin!(work);
    let mut delay = pin!(Delay::from(limit));
    core::future::poll_fn(|context| {
        if let Poll::Ready(done) = work.as_mut().poll(context) {
            return Poll::Ready(Some(done));
        }
        delay.as_mut().poll(context).map(|()| None)
    })
    .await
}

/// Writes one line of JSON to the log, without any body.
pub(super) fn log(event: &str, about: &str, reason: &str) {
    let mut line = String::with_capacity(128);
    let mut object = Object::open(&mut line);
    object.text("level", "error");
    object.text("event", event);
    object.text("about", about);
    object.text("reason", reason);
    object.close();
    worker::console_error!("{line}");
}
