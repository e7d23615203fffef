//! Performs the tasks of a project's machine (`project::machine`), and reports how they ended. It makes no decisions.

use core::cell::{Cell, RefCell};
use std::rc::Rc;

use wasm_bindgen::prelude::*;

use crate::contract::kv;
use crate::project::replication::machine::{BATCH_MS, Batch, Event, KV_MS, Machine, PUTS, Task, Timer};
use crate::project::{Project, Put, Sweep};
use crate::util::json;

use super::database::SqlDatabase;
use crate::worker::glue;
use crate::worker::platform::now;

/// The machine of a project on the platform.
pub(crate) struct Drain {
    pub(crate) machine: RefCell<Machine<SqlDatabase>>,
    env: JsValue,
    kv: JsValue,
    /// The puts and lists in flight.
    calls: glue::Deadlines,
    /// The ticket of the alarm that rang last.
    ticket: Cell<u32>,
}

impl Drain {
    pub(crate) fn new(project: Project<SqlDatabase>, env: JsValue, kv: JsValue) -> Self {
        let machine = RefCell::new(Machine::new(project));
        Self { machine, env, kv, calls: glue::Deadlines::new(KV_MS), ticket: Cell::new(0) }
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
                kv_put(running(Running::Put(put)), &self.calls, &self.kv, &entry, &value, &metadata, ttl);
            }
            Task::Batch(mut batch) => {
                let entries = entries(&batch.puts);
                // Its end needs no values.
                batch.puts.iter_mut().for_each(|put| put.value = String::new());
                // A batch has entries, so the project has a name.
                let project = self.machine.borrow().project().name().unwrap_or_default().to_owned();
                let (env, helper) = (&self.env, batch.helper as u32);
                let task = running(Running::Batch(batch));
                kv_put_all(task, env, &project, helper, &entries, PUTS as u32, BATCH_MS, KV_MS);
            }
            Task::List(sweep) => {
                let (prefix, cursor) = (sweep.prefix.clone(), sweep.cursor.clone());
                let task = running(Running::List(sweep));
                kv_list(task, &self.calls, &self.kv, &prefix, cursor.as_deref());
            }
            Task::Wait { ms, timer } => wait(running(Running::Wait(timer)), ms),
            Task::EndAlarm => done(self.ticket.get()),
            Task::Log { event, about, reason } => log(event, &about, &reason),
        }
    }
}

/// Returns the entries of puts as JSON: `[[entry, value, metadata, ttl], …]`.
fn entries(puts: &[Put]) -> String {
    let mut out = String::new();
    json::array(&mut out, puts, |out, put| {
        out.push('[');
        json::string(out, &put.entry);
        out.push(',');
        json::string(out, &put.value);
        out.push(',');
        out.push_str(&put.metadata.to_json());
        out.push(',');
        json::integer(out, put.ttl_seconds.unwrap_or(0).into());
        out.push(']');
    });
    out
}

/// Ends an alarm that has nothing to do.
pub(crate) fn end_alarm(ticket: u32) {
    done(ticket);
}

enum Running {
    Put(Put),
    Batch(Batch),
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

    /// Ends a batch. `failures` has the reason for each put that failed; an empty one means that it succeeded.
    #[wasm_bindgen(js_name = endBatch)]
    pub fn end_batch(self, failures: Vec<String>) {
        let Running::Batch(batch) = self.kind else { return };
        let outcome = |reason: String| if reason.is_empty() { Ok(()) } else { Err(reason) };
        self.drain.on(Event::BatchEnded(batch, Ok(failures.into_iter().map(outcome).collect())));
    }

    /// Ends the task after a call that failed.
    pub fn fail(self, reason: String) {
        self.finish(Err(reason));
    }

    fn finish(self, outcome: Result<Option<String>, String>) {
        self.drain.on(match self.kind {
            Running::Put(put) => Event::PutEnded(put, outcome.map(drop)),
            Running::Batch(batch) => Event::BatchEnded(batch, outcome.map(|_| Vec::new())),
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

    /// Puts an entry into KV, then ends the task. `metadata` is JSON. `ttl` is in seconds; 0 means forever.
    #[wasm_bindgen(js_name = kvPut)]
    fn kv_put(
        task: RunningTask,
        calls: &glue::Deadlines,
        kv: &JsValue,
        entry: &str,
        value: &str,
        metadata: &str,
        ttl: u32,
    );

    /// Lets a helper put a batch, at most `at_once` at once, then ends the task. The helper begins none after
    /// `begin_ms` milliseconds. Each put fails after `ms`.
    #[wasm_bindgen(js_name = kvPutAll)]
    #[allow(clippy::too_many_arguments, reason = "a binding")]
    fn kv_put_all(
        task: RunningTask,
        env: &JsValue,
        project: &str,
        helper: u32,
        entries: &str,
        at_once: u32,
        begin_ms: u32,
        ms: u32,
    );

    /// Reads a page of the namespace's list, then ends the task with its JSON (`contract::kv::listed`).
    #[wasm_bindgen(js_name = kvList)]
    fn kv_list(task: RunningTask, calls: &glue::Deadlines, kv: &JsValue, prefix: &str, cursor: Option<&str>);

    /// Ends the task after that time.
    fn wait(task: RunningTask, ms: u32);
}

/// Writes one line of JSON to the log, without a body.
pub(crate) fn log(event: &str, about: &str, reason: &str) {
    worker::console_error!(
        "{}",
        json::log_line(json::object(|object| {
            object.text("level", "error");
            object.text("event", event);
            object.text("about", about);
            object.text("reason", reason);
        }))
    );
}
