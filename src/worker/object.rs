//! A project's object: performs the calls from the Worker, and replicates writes to KV.

use core::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use js_sys::JsString;
use wasm_bindgen::prelude::*;
use worker::Env;

use crate::call::{Call, Message, Reply, wire};
use crate::contract::error::ApiError;
use crate::contract::position::ProjectPosition;
use crate::project::replication::machine::{Event, Machine};
use crate::project::store::database::{Database as _, StoreError};
use crate::project::{self, Moment, Project};
use crate::util::time::Millis;

use self::database::{SqlDatabase, Storage};
use self::drain::Drain;
use super::glue::{self, Framed, Performed};
use super::platform::{self, now};
use super::resources;

/// The binding of the KV namespace.
const RESOURCES: &str = "RESOURCES";
/// When the alarm rings again if the stored key cannot be read, in milliseconds.
const RETRY_MS: Millis = 60_000;

/// Returns a random epoch.
#[wasm_bindgen(js_name = newEpoch)]
pub fn new_epoch() -> String {
    let mut entropy = [0; 10];
    platform::random(&mut entropy);
    ProjectPosition::new_history(&entropy)
}

/// The implementation of the class `ProjectObject` of `entry.ts`.
#[wasm_bindgen]
pub struct ProjectCore {
    storage: Storage,
    env: Env,
    /// When the alarm rings, as far as the object knows before the project is open.
    alarm: Cell<Option<Millis>>,
    /// The project, once its key is known: the key decides which shape its resources have. The platform need not report
    /// it, because an object that an alarm started may have no name. So a message opens the project, because it names
    /// it, or the key that the first write stored. Without either, nothing was written, and nothing is to be done.
    opened: OnceCell<Rc<Drain>>,
}

#[wasm_bindgen]
impl ProjectCore {
    /// Creates the project on the storage, with cache copies in the environment's KV namespace. The alarm is set to
    /// `alarm`.
    #[wasm_bindgen(constructor)]
    pub fn new(storage: Storage, env: Env, alarm: Option<f64>) -> Self {
        // An alarm's instant is an integer below 2^53.
        let alarm = Cell::new(alarm.map(|at| at as Millis));
        Self { storage, env, alarm, opened: OnceCell::new() }
    }

    /// Performs a message. A write is already committed then. A call that may wait first needs a turn. `listeners` is
    /// how many there are.
    pub fn perform(&self, message: &[u8], listeners: u32, has_turn: bool) -> Performed {
        let message: Message = match wire::decode(message) {
            Ok(message) => message,
            Err(error) => return refuse("message refused", "", &error),
        };
        {
            let machine = self.machine(&message.project).borrow();
            if machine.project().lacks_epoch(&message.call) {
                return glue::epoch(&message.project);
            }
            if let (Call::Changes(_), Some(caller), false) =
                (&message.call, message.call.listener(), has_turn)
            {
                return glue::turn(caller as f64);
            }
            machine.project().count_listeners(listeners);
        }
        self.reply(&message).unwrap_or_else(|error| refuse("reply refused", &message.project, &error))
    }

    /// Returns the next frame of the listeners with this message, from the revision that they have.
    pub fn frame(&self, message: &[u8], from: f64) -> Framed {
        let decoded: Result<Message, _> = wire::decode(message);
        // The message was stored by this version of the code, or its listeners begin again.
        let Ok(message) = decoded else { return glue::close("history") };
        let machine = self.machine(&message.project).borrow();
        let project = machine.project();
        if project.lacks_epoch(&message.call) {
            return glue::epoch(&message.project).unchecked_into();
        }
        let mut entropy = [0; 10];
        platform::random(&mut entropy);
        // A revision is an integer below 2^53.
        match project.frame(&message, from as Millis, &Moment { now: now(), entropy }) {
            Ok(Some(frame)) => glue::frame(&frame),
            Ok(None) => glue::close("history"),
            Err(error) => {
                drain::log("store fault", &message.project, &error.reason);
                glue::close("restart")
            }
        }
    }

    /// Brings the database up to date, if it is not, and returns the project's newest revision; 0 if it cannot be read.
    /// The frames of listeners that the platform kept begin there.
    pub fn begin(&self) -> f64 {
        let Ok(Some(drain)) = self.stored() else { return 0.0 };
        let is_sound = drain.machine.borrow().project().make_ready().is_ok();
        if is_sound { self.newest() } else { 0.0 }
    }

    /// Returns the project's newest revision, which is an integer below 2^53; 0 if it cannot be read.
    pub fn newest(&self) -> f64 {
        let newest = |drain: &Rc<Drain>| drain.machine.borrow().project().newest().ok();
        self.opened.get().and_then(newest).map_or(0.0, |revision| revision as f64)
    }

    /// Returns the reply to a caller that cannot wait for changes, because too many do.
    pub fn full(&self) -> Performed {
        let message = "Too many listeners follow the changes of the project. Try again later, or read pages without wait.";
        let error = ApiError::unavailable(message)
            .with_cause("as many as LISTENERS allows, or nine tenths of one caller".to_owned());
        let reply: Reply<JsString> = error.into();
        let head = wire::encode(&reply.head).unwrap_or_default();
        glue::reply(&head, &JsValue::UNDEFINED)
    }

    /// Sets the epoch of the positions of the project, which is this object's (`Project::set_epoch`).
    #[wasm_bindgen(js_name = setEpoch)]
    #[expect(clippy::needless_pass_by_value, reason = "wasm-bindgen passes no optional reference")]
    pub fn set_epoch(&self, project: &str, epoch: Option<String>) {
        self.machine(project).borrow().project().set_epoch(epoch.as_deref());
    }

    /// Returns whether the message is a write.
    #[wasm_bindgen(js_name = isWrite)]
    pub fn is_write(&self, message: &[u8]) -> bool {
        wire::decode(message).is_ok_and(|Message { call, .. }| call.is_write())
    }

    /// Returns whether the message is a read that first has to write to the index (`Project::has_to_index`).
    #[wasm_bindgen(js_name = hasToIndex)]
    pub fn has_to_index(&self, message: &[u8]) -> bool {
        let has_to =
            |Message { project, call }| self.machine(&project).borrow().project().has_to_index(&call);
        wire::decode(message).is_ok_and(has_to)
    }

    /// Reads again what a transaction that was rolled back has changed in memory (`Project::rolled_back`).
    #[wasm_bindgen(js_name = rolledBack)]
    pub fn rolled_back(&self) -> Result<(), JsValue> {
        let Some(drain) = self.opened.get() else { return Ok(()) };
        let machine = drain.machine.borrow();
        machine.project().database().forget_bytes();
        machine.project().rolled_back().map_err(|error| JsValue::from_str(&error.reason))
    }

    fn reply(&self, message: &Message) -> Result<Performed, String> {
        let call = &message.call;
        let writes = call.is_write();
        let mut entropy = [0; 10];
        if writes || call.needs_epoch() {
            platform::random(&mut entropy);
        }
        let Reply { head, body } = self.perform_call(message, &Moment { now: now(), entropy });
        self.open(&message.project).on(Event::Performed { writes });
        let waiting = message.waiting(&head).map(|(next, ms)| (next, Millis::from(ms)));
        let listening = waiting.or_else(|| message.listening(&head));
        let (head, body) = (wire::encode(&head)?, body.map_or(JsValue::UNDEFINED, JsValue::from));
        let Some((next, ms)) = listening else { return Ok(glue::reply(&head, &body)) };
        // Numbers of callers and times are integers below 2^53.
        let caller = call.listener().unwrap_or_default() as f64;
        Ok(glue::listen(&head, &body, &wire::encode(&next)?, ms as f64, caller))
    }

    fn perform_call(&self, message: &Message, moment: &Moment) -> Reply<JsString> {
        let machine = self.machine(&message.project).borrow();
        let project = machine.project();
        let before = project.database().cost();
        let mut reply = project.perform(message, moment).unwrap_or_else(|error| {
            drain::log("store fault", &message.project, &error.reason);
            ApiError::of_fault(error.reason).into()
        });
        reply.head.cost = project.database().cost().since(before);
        reply
    }

    /// Runs the alarm. Reports the end through `glue.ts`.
    pub fn alarm(&self, ticket: u32) {
        match self.stored() {
            Ok(Some(drain)) => drain.alarm_rang(ticket),
            Ok(None) => {
                self.alarm.set(None);
                drain::end_alarm(ticket);
            }
            Err(error) => {
                drain::log("store fault", "", &error.reason);
                self.alarm.set(Some(now() + RETRY_MS));
                if let Err(error) = self.database(None).arm(now() + RETRY_MS) {
                    drain::log("alarm not armed", "", &error.reason);
                }
                drain::end_alarm(ticket);
            }
        }
    }

    fn database(&self, alarm: Option<Millis>) -> SqlDatabase {
        SqlDatabase::new(self.storage.clone(), alarm)
    }

    /// Returns the project with this key, which is that of this object.
    fn open(&self, key: &str) -> &Rc<Drain> {
        self.opened.get_or_init(|| {
            let shape = Rc::clone(resources::current().shape(key));
            let project = Project::new(self.database(self.alarm.take()), shape);
            Rc::new(Drain::new(project, self.env.clone().into(), platform::binding(&self.env, RESOURCES)))
        })
    }

    fn machine(&self, key: &str) -> &RefCell<Machine<SqlDatabase>> {
        &self.open(key).machine
    }

    /// Returns the project whose key is stored, if a write has stored one.
    fn stored(&self) -> Result<Option<&Rc<Drain>>, StoreError> {
        if let Some(drain) = self.opened.get() {
            return Ok(Some(drain));
        }
        Ok(project::key_in(&self.database(None))?.map(|key| self.open(&key)))
    }
}

/// Returns the reply to a message that another version of the code has sent, or whose reply has no bytes.
fn refuse(event: &'static str, project: &str, error: &str) -> Performed {
    drain::log(event, project, error);
    glue::reply(&wire::UNKNOWN_FORMAT, &JsValue::UNDEFINED)
}

pub(crate) mod database;
pub(crate) mod drain;
