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

use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use worker::Delay;

use crate::contract::json::Object;
use crate::contract::time::Millis;
use crate::project::database::{Database, StoreError};
use crate::project::{Project, Put};

use super::database::SqlDatabase;
use super::glue;
use super::platform::{self, now};

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

/// A put that began a short while ago.
#[derive(Clone, Copy)]
struct Recent {
    began: Millis,
    /// The revision that is being put; `None` once the put has ended.
    in_flight: Option<Millis>,
}

impl Recent {
    /// When KV takes the next put of the key.
    fn free_at(&self) -> Millis {
        self.began + BETWEEN_MS
    }
}

/// A project and the puts that it has under way.
pub(super) struct Drain {
    pub(super) project: Project<SqlDatabase>,
    kv: JsValue,
    /// By key, sorted.
    recent: RefCell<Vec<(String, Recent)>>,
    /// How many puts are in flight.
    puts: Cell<usize>,
    /// When `recent` was last cleared of what is no longer recent.
    cleared: Cell<Millis>,
    /// Whether the outbox may have something that could not begin when it was last read.
    behind: Cell<bool>,
    timer: Cell<bool>,
    idle: RefCell<Vec<Waker>>,
}

impl Drain {
    /// A project without puts under way.
    pub(super) fn new(project: Project<SqlDatabase>, kv: JsValue) -> Self {
        Self {
            project,
            kv,
            recent: RefCell::default(),
            puts: Cell::new(0),
            cleared: Cell::new(0),
            // An earlier instance may have left something.
            behind: Cell::new(true),
            timer: Cell::new(false),
            idle: RefCell::default(),
        }
    }

    /// Begins what is due and may begin.
    pub(super) fn pump(self: &Rc<Self>) {
        if let Err(error) = self.begin() {
            log("outbox not read", "", &error.0);
        }
    }

    fn begin(self: &Rc<Self>) -> Result<(), StoreError> {
        let now = now();
        self.clear(now);
        self.behind.set(true);
        if self.puts.get() >= PUTS {
            return Ok(());
        }
        let mut behind = false;
        let mut wait: Option<Millis> = None;
        for due in self.project.due(now, LOOK_AHEAD)? {
            let place = self.place(&due.entry);
            match place.ok().and_then(|at| self.recent.borrow().get(at).map(|(_, recent)| *recent)) {
                // What is in flight is looked at again when it ends; only a later write makes that worth while.
                Some(Recent { in_flight: Some(revision), .. }) => {
                    behind |= revision != due.revision();
                    continue;
                }
                Some(recent) if recent.free_at() > now => {
                    let rest = recent.free_at() - now;
                    wait = Some(wait.map_or(rest, |least| least.min(rest)));
                    behind = true;
                    continue;
                }
                _ => {}
            }
            if self.puts.get() >= PUTS {
                behind = true;
                break;
            }
            let put = self.project.put(due)?;
            let recent = Recent { began: now, in_flight: Some(put.due.revision()) };
            match place {
                Ok(at) => {
                    if let Some((_, before)) = self.recent.borrow_mut().get_mut(at) {
                        *before = recent;
                    }
                }
                Err(at) => self.recent.borrow_mut().insert(at, (put.due.entry.clone(), recent)),
            }
            self.puts.set(self.puts.get() + 1);
            spawn_local(Rc::clone(self).put(put));
        }
        self.behind.set(behind);
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

    /// Where a key stands among the recent ones, or would stand. Most are new ids, which rise, and so are appended.
    fn place(&self, entry: &str) -> Result<usize, usize> {
        self.recent.borrow().binary_search_by(|(other, _)| other.as_str().cmp(entry))
    }

    /// Forgets, once in a while, the keys that KV takes again.
    fn clear(&self, now: Millis) {
        if self.cleared.get() + BETWEEN_MS <= now {
            self.recent
                .borrow_mut()
                .retain(|(_, recent)| recent.in_flight.is_some() || recent.free_at() > now);
            self.cleared.set(now);
        }
    }

    async fn put(self: Rc<Self>, put: Put) {
        let ttl = put.ttl_seconds.unwrap_or(0);
        let begun = serde_wasm_bindgen::to_value(&put.metadata)
            .map_err(JsValue::from)
            .and_then(|metadata| glue::kv_put(&self.kv, &put.due.entry, &put.value, &metadata, ttl));
        let outcome = match begun {
            Ok(promise) => within(PUT, JsFuture::from(promise)).await,
            Err(thrown) => Some(Err(thrown)),
        };
        self.puts.set(self.puts.get().saturating_sub(1));
        if let Ok(at) = self.place(&put.due.entry)
            && let Some((_, recent)) = self.recent.borrow_mut().get_mut(at)
        {
            recent.in_flight = None;
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
                self.project.put_failed(&put, now()).and_then(|()| self.arm_next())
            }
        };
        if let Err(error) = settled {
            log("put not settled", &put.due.entry, &error.0);
        }
        if self.behind.get() {
            self.pump();
        }
        for waker in self.idle.take() {
            waker.wake();
        }
    }

    /// Drains what is due, waits for it, and arms the alarm for the rest.
    pub(super) async fn alarm(self: Rc<Self>) {
        self.project.database().alarm_rang();
        self.pump();
        let idle = core::future::poll_fn(|context| {
            if self.puts.get() == 0 {
                return Poll::Ready(());
            }
            self.idle.borrow_mut().push(context.waker().clone());
            Poll::Pending
        });
        // Under steady writes it is never idle; what is left then is begun by the writes themselves.
        within(IDLE, idle).await;
        if let Err(error) = self.sweep().await {
            log("sweep failed", "", &error.0);
        }
        if let Err(error) = self.arm_next().and_then(|()| self.arm_sweep()) {
            log("alarm not armed", "", &error.0);
            // Where even this fails the platform has logged it, and the next write arms again.
            let _ = self.project.database().arm(now() + RETRY_MS);
        }
    }

    /// Lists a page of KV where one is due, and notes what differs from the truth.
    async fn sweep(self: &Rc<Self>) -> Result<(), StoreError> {
        let Some(sweep) = self.project.sweep(now())? else { return Ok(()) };
        let listed = match glue::kv_list(&self.kv, &sweep.prefix, sweep.cursor.as_deref()) {
            Ok(promise) => within(PUT, JsFuture::from(promise)).await.unwrap_or(Err(JsValue::NULL)),
            Err(thrown) => Err(thrown),
        };
        match listed {
            Ok(page) => {
                let (entries, cursor) = platform::listed(&page.unchecked_into());
                self.project.swept(&sweep, &entries, cursor.as_deref(), now())?;
                self.pump();
                Ok(())
            }
            Err(thrown) => {
                log("KV not listed", &sweep.prefix, &glue::reason(&thrown));
                self.project.sweep_failed(now())
            }
        }
    }

    fn arm_sweep(&self) -> Result<(), StoreError> {
        match self.project.next_sweep(now())? {
            Some(due) => self.project.database().arm(due.max(now() + BETWEEN_MS)),
            None => Ok(()),
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
