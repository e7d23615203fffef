//! A project's object: performs the calls from the Worker, and replicates writes to KV.

use std::rc::Rc;

use js_sys::{Array, JsString, Uint8Array};
use wasm_bindgen::prelude::*;
use worker::Env;

use crate::call::{Call, Message, Reply, wire};
use crate::contract::error::ApiError;
use crate::contract::position::ProjectPosition;
use crate::project::replication::machine::Event;
use crate::project::store::database::Database as _;
use crate::project::{Moment, Project};
use crate::util::time::Millis;

use self::database::{SqlDatabase, Storage};
use self::drain::Drain;
use super::glue;
use super::platform::{self, now};

/// The binding of the KV namespace.
const RESOURCES: &str = "RESOURCES";

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
    drain: Rc<Drain>,
    turns: glue::Turns,
}

#[wasm_bindgen]
impl ProjectCore {
    /// Creates the project on the storage, with cache copies in the environment's KV namespace. The alarm is set to
    /// `alarm`.
    #[wasm_bindgen(constructor)]
    pub fn new(storage: Storage, env: &Env, alarm: Option<f64>) -> Self {
        // An alarm's instant is an integer below 2^53.
        let database = SqlDatabase::new(storage, alarm.map(|at| at as u64));
        let drain = Drain::new(Project::new(database), env.into(), platform::binding(env, RESOURCES));
        Self { drain: Rc::new(drain), turns: glue::Turns::new() }
    }

    /// Returns the reply to a message, or a promise of it: `[head, body]`, the head in the bytes of `wire`. A write is
    /// already committed. If the call first needs [`Self::set_epoch`], returns the project's key instead. If the caller
    /// waits for the first change, the message that requests the page again and the time in milliseconds follow. If it
    /// listens, the message of its frames follows, and the end of its token. The number of the caller is the last.
    /// `listeners` is how many there are. A call that may wait has a turn: before that, returns only the number of the
    /// caller.
    pub fn perform(&self, message: &[u8], listeners: u32, has_turn: bool) -> JsValue {
        let decoded: Result<Message, _> = wire::decode(message);
        if let Ok(Message { project, call }) = &decoded {
            let machine = self.drain.machine.borrow();
            if machine.project().lacks_epoch(call) {
                return JsValue::from_str(project);
            }
            if let (Call::Changes(_), Some(caller), false) = (call, call.listener(), has_turn) {
                return number(caller);
            }
            machine.project().count_listeners(listeners);
        }
        let EncodedReply { head, body, listening } = self.reply(decoded);
        let body = body.map_or(JsValue::UNDEFINED, JsValue::from);
        match listening {
            None => self.turns.reply(message.len(), &head, &body),
            Some((message, ms, caller)) => {
                let bytes = |bytes: Vec<u8>| Uint8Array::from(bytes.as_slice());
                Array::of5(&bytes(head), &body, &bytes(message), &number(ms), &number(caller)).into()
            }
        }
    }

    /// Returns the next frame of the listeners with this message, from the revision that they have. `undefined` if they
    /// have another history. If the project first needs [`Self::set_epoch`], returns its key in a list.
    pub fn frame(&self, message: &[u8], from: f64) -> JsValue {
        let decoded: Result<Message, _> = wire::decode(message);
        let machine = self.drain.machine.borrow();
        let project = machine.project();
        // The message was stored by this version of the code, or its listeners begin again.
        let Ok(message) = decoded else { return JsValue::UNDEFINED };
        if project.lacks_epoch(&message.call) {
            return Array::of1(&message.project.into()).into();
        }
        let mut entropy = [0; 10];
        platform::random(&mut entropy);
        // A revision is an integer below 2^53.
        match project.frame(&message, from as Millis, &Moment { now: now(), entropy }) {
            Ok(frame) => frame.map_or(JsValue::UNDEFINED, |frame| JsValue::from_str(&frame)),
            Err(error) => {
                drain::log("store fault", &message.project, &error.reason);
                JsValue::NULL
            }
        }
    }

    /// Brings the database up to date, if it is not, and returns the project's newest revision; 0 if it cannot be read.
    /// The frames of listeners that the platform kept begin there.
    pub fn begin(&self) -> f64 {
        let machine = self.drain.machine.borrow();
        if machine.project().make_ready().is_ok() { self.newest() } else { 0.0 }
    }

    /// Returns the project's newest revision, which is an integer below 2^53; 0 if it cannot be read.
    pub fn newest(&self) -> f64 {
        self.drain.machine.borrow().project().newest().map_or(0.0, |revision| revision as f64)
    }

    /// Returns the reply to a caller that cannot wait for changes, because too many do.
    pub fn full(&self) -> JsValue {
        let message = "Too many listeners follow the changes of the project. Try again later, or read pages without wait.";
        let error = ApiError::unavailable(message)
            .with_cause("as many as LISTENERS allows, or nine tenths of one caller".to_owned());
        let reply: Reply<JsString> = error.into();
        let head = wire::encode(&reply.head).unwrap_or_default();
        self.turns.reply(0, &head, &JsValue::UNDEFINED)
    }

    /// Sets the epoch of the project's positions (`Project::set_epoch`).
    #[wasm_bindgen(js_name = setEpoch)]
    #[expect(clippy::needless_pass_by_value, reason = "wasm-bindgen passes no optional reference")]
    pub fn set_epoch(&self, epoch: Option<String>) {
        self.drain.machine.borrow().project().set_epoch(epoch.as_deref());
    }

    /// Returns whether the message is a write.
    #[wasm_bindgen(js_name = isWrite)]
    pub fn is_write(&self, message: &[u8]) -> bool {
        wire::decode(message).is_ok_and(|Message { call, .. }| call.is_write())
    }

    /// Returns whether the message is a read that first has to write to the index (`Project::has_to_index`).
    #[wasm_bindgen(js_name = hasToIndex)]
    pub fn has_to_index(&self, message: &[u8]) -> bool {
        let has_to = |Message { call, .. }| self.drain.machine.borrow().project().has_to_index(&call);
        wire::decode(message).is_ok_and(has_to)
    }

    /// Reads again what a transaction that was rolled back has changed in memory (`Project::rolled_back`).
    #[wasm_bindgen(js_name = rolledBack)]
    pub fn rolled_back(&self) -> Result<(), JsValue> {
        let read = self.drain.machine.borrow().project().rolled_back();
        read.map_err(|error| JsValue::from_str(&error.reason))
    }

    fn reply(&self, message: Result<Message, String>) -> EncodedReply {
        let message = match message {
            Ok(message) => message,
            Err(error) => {
                drain::log("message refused", "", &error);
                return EncodedReply::unknown_format();
            }
        };
        let writes = message.call.is_write();
        let mut entropy = [0; 10];
        if writes || message.call.needs_epoch() {
            platform::random(&mut entropy);
        }
        let moment = Moment { now: now(), entropy };
        let Reply { head, body } = self.perform_call(&message, &moment);
        self.drain.on(Event::Performed { writes });
        let waiting = message.waiting(&head).map(|(message, ms)| (message, Millis::from(ms)));
        let listening = waiting.or_else(|| message.listening(&head));
        let caller = message.call.listener().unwrap_or_default();
        let encoded = wire::encode(&head).and_then(|head| {
            let encode =
                |(message, ms): (Message, Millis)| wire::encode(&message).map(|bytes| (bytes, ms, caller));
            Ok(EncodedReply { head, body, listening: listening.map(encode).transpose()? })
        });
        encoded.unwrap_or_else(|error| {
            drain::log("reply refused", &message.project, &error);
            EncodedReply::unknown_format()
        })
    }

    fn perform_call(&self, message: &Message, moment: &Moment) -> Reply<JsString> {
        let machine = self.drain.machine.borrow();
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
        self.drain.alarm_rang(ticket);
    }
}

/// A reply as it leaves the object.
struct EncodedReply {
    /// In the bytes of [`wire`].
    head: Vec<u8>,
    body: Option<JsString>,
    /// The message that requests what comes next, and how long the caller waits for it ([`Message::waiting`]) or when
    /// its token ends ([`Message::listening`]).
    /// The number of the caller is the last ([`Call::listener`]).
    listening: Option<(Vec<u8>, Millis, u64)>,
}

/// Returns an integer below 2^53.
fn number(integer: u64) -> JsValue {
    JsValue::from_f64(integer as f64)
}

impl EncodedReply {
    fn unknown_format() -> Self {
        Self { head: wire::UNKNOWN_FORMAT.to_vec(), body: None, listening: None }
    }
}

pub(crate) mod database;
pub(crate) mod drain;
