//! Performs the tasks of a project's machine (`project::machine`), and reports how they ended. It makes no decisions.

use core::cell::{Cell, RefCell};
use std::rc::Rc;

use js_sys::Promise;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};

use crate::project::replication::machine::{Event, KV_MS, Machine, Task};
use crate::project::{Project, Put, Sweep};
use crate::util::json::{self, ObjectWriter};

use super::database::SqlDatabase;
use crate::worker::glue;
use crate::worker::platform::{self, now};

/// The machine of a project on the platform.
pub(crate) struct Drain {
    pub(crate) machine: RefCell<Machine<SqlDatabase>>,
    kv: JsValue,
    /// The ticket of the alarm that rang last.
    ticket: Cell<u32>,
}

impl Drain {
    pub(crate) fn new(project: Project<SqlDatabase>, kv: JsValue) -> Self {
        Self { machine: RefCell::new(Machine::new(project)), kv, ticket: Cell::new(0) }
    }

    /// Reports an event to the machine, and begins the tasks that follow.
    pub(crate) fn on(self: &Rc<Self>, event: Event) {
        let tasks = self.machine.borrow_mut().on(event, now());
        for task in tasks {
            self.perform(task);
        }
    }

    /// Reports that the alarm rang. Its end resolves the ticket.
    pub(crate) fn alarm_rang(self: &Rc<Self>, ticket: u32) {
        self.ticket.set(ticket);
        self.on(Event::AlarmRang);
    }

    fn perform(self: &Rc<Self>, task: Task) {
        let drain = Rc::clone(self);
        match task {
            Task::Put(put) => spawn_local(async move {
                let outcome = ended(drain.put(&put)).await.map(|_| ());
                drain.on(Event::PutEnded(put, outcome));
            }),
            Task::List(sweep) => spawn_local(async move {
                let page = ended(drain.list(&sweep)).await;
                let page = page.map(|page| platform::listed(&page.unchecked_into()));
                drain.on(Event::Listed(sweep, page));
            }),
            Task::Wait { ms, timer } => spawn_local(async move {
                // This promise is never rejected.
                let _ = JsFuture::from(glue::wait(ms)).await;
                drain.on(Event::TimerRang(timer));
            }),
            Task::EndAlarm => glue::done(self.ticket.get()),
            Task::Log { event, about, reason } => log(event, &about, &reason),
        }
    }

    fn put(&self, put: &Put) -> Result<Promise, JsValue> {
        let metadata = put.metadata.to_json();
        glue::kv_put(&self.kv, &put.entry, &put.value, &metadata, put.ttl_seconds.unwrap_or(0), KV_MS)
    }

    fn list(&self, sweep: &Sweep) -> Result<Promise, JsValue> {
        glue::kv_list(&self.kv, &sweep.prefix, sweep.cursor.as_deref(), KV_MS)
    }
}

/// Waits for a call of the platform. Returns its value, or why it failed.
async fn ended(called: Result<Promise, JsValue>) -> Result<JsValue, String> {
    let ended = match called {
        Ok(promise) => JsFuture::from(promise).await,
        Err(thrown) => Err(thrown),
    };
    ended.map_err(|thrown| glue::reason(&thrown))
}

/// Writes one line of JSON to the log, without a body.
pub(crate) fn log(event: &str, about: &str, reason: &str) {
    let mut line = String::with_capacity(128);
    let mut object = ObjectWriter::open(&mut line);
    object.text("level", "error");
    object.text("event", event);
    object.text("about", about);
    object.text("reason", reason);
    object.close();
    worker::console_error!("{}", json::log_line(line));
}
