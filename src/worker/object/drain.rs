//! Performs the tasks of a project's machine (`project::machine`), and reports how they ended. It makes no decisions.

use core::cell::{Cell, RefCell};
use std::rc::Rc;

use wasm_bindgen::prelude::*;

use crate::contract::kv;
use crate::project::replication::machine::{Event, KV_MS, Machine, Task, Timer};
use crate::project::{Project, Put, Sweep};
use crate::util::json::{self, ObjectWriter};

use super::database::SqlDatabase;
use crate::worker::platform::now;

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
        let running = |kind| RunningTask { drain: Rc::clone(self), kind };
        match task {
            Task::Put(mut put) => {
                // Its end needs no value.
                let value = core::mem::take(&mut put.value);
                let (entry, metadata) = (Rc::clone(&put.entry), put.metadata.to_json());
                let ttl = put.ttl_seconds.unwrap_or(0);
                kv_put(running(Running::Put(put)), &self.kv, &entry, &value, &metadata, ttl, KV_MS);
            }
            Task::List(sweep) => {
                let (prefix, cursor) = (sweep.prefix.clone(), sweep.cursor.clone());
                kv_list(running(Running::List(sweep)), &self.kv, &prefix, cursor.as_deref(), KV_MS);
            }
            Task::Wait { ms, timer } => wait(running(Running::Wait(timer)), ms),
            Task::EndAlarm => done(self.ticket.get()),
            Task::Log { event, about, reason } => log(event, &about, &reason),
        }
    }
}

enum Running {
    Put(Put),
    List(Sweep),
    Wait(Timer),
}

/// A task that waits for the platform. JavaScript owns it until it ends it, exactly once.
#[wasm_bindgen]
pub struct RunningTask {
    drain: Rc<Drain>,
    kind: Running,
}

#[wasm_bindgen]
impl RunningTask {
    /// Ends the task. `page` is a page of KV's list, if the task is to read it.
    pub fn end(self, page: Option<String>) {
        self.finish(Ok(page));
    }

    /// Ends the task after a call that failed.
    pub fn fail(self, reason: String) {
        self.finish(Err(reason));
    }

    fn finish(self, outcome: Result<Option<String>, String>) {
        self.drain.on(match self.kind {
            Running::Put(put) => Event::PutEnded(put, outcome.map(drop)),
            Running::List(sweep) => {
                let read = |page: Option<String>| kv::listed(&page?);
                let page = outcome.and_then(|page| read(page).ok_or_else(|| "not a page".to_owned()));
                Event::Listed(sweep, page)
            }
            Running::Wait(timer) => Event::TimerRang(timer),
        });
    }
}

#[wasm_bindgen(raw_module = "../../src/worker/glue.ts")]
extern "C" {
    /// Resolves a wait that has no result.
    fn done(ticket: u32);

    /// Puts an entry into KV, then ends the task. `metadata` is JSON. `ttl` is in seconds; 0 means forever. Fails after
    /// `ms` milliseconds.
    #[wasm_bindgen(js_name = kvPut)]
    fn kv_put(task: RunningTask, kv: &JsValue, entry: &str, value: &str, metadata: &str, ttl: u32, ms: u32);

    /// Reads a page of the namespace's list, then ends the task with its JSON (`contract::kv::listed`).
    #[wasm_bindgen(js_name = kvList)]
    fn kv_list(task: RunningTask, kv: &JsValue, prefix: &str, cursor: Option<&str>, ms: u32);

    /// Ends the task after that time.
    fn wait(task: RunningTask, ms: u32);
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
