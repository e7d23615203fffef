//! A project's object: performs the calls from the Worker, and replicates writes to KV.

use std::rc::Rc;

use js_sys::JsString;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use worker::Env;

use crate::call::{Call, Message};
use crate::contract::error::ApiError;
use crate::contract::reply::Reply;
use crate::project::database::Database as _;
use crate::project::{Moment, Project};

use super::database::{SqlDatabase, Storage};
use super::drain::{self, Drain};
use super::glue;
use super::platform::{self, now};
use crate::wire;

/// The implementation of the class `ProjectObject` of `entry.mjs`.
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
    #[must_use]
    pub fn new(storage: Storage, env: &Env, alarm: Option<f64>) -> Self {
        // An alarm's instant is an integer below 2^53.
        let database = SqlDatabase::new(storage, alarm.map(|at| at as u64));
        let drain = Drain::new(Project::new(database), platform::resources(env));
        Self { drain: Rc::new(drain), turns: glue::Turns::new() }
    }

    /// Returns the reply to a message, or a promise of it: `[head, body]`, the head in the bytes of `wire`. A write is
    /// already committed.
    #[must_use]
    pub fn perform(&self, message: &[u8]) -> JsValue {
        let (head, body) = self.reply(message);
        self.turns.reply(message.len(), &head, &body.map_or(JsValue::UNDEFINED, JsValue::from))
    }

    fn reply(&self, message: &[u8]) -> (Vec<u8>, Option<JsString>) {
        let message: Message = match wire::decode(message) {
            Ok(message) => message,
            Err(error) => {
                drain::log("message refused", "", &error);
                return (wire::UNKNOWN_FORMAT.to_vec(), None);
            }
        };
        let writes =
            matches!(message.call, Call::Write(_) | Call::Import(_) | Call::Clear | Call::Restore(_));
        let mut entropy = [0; 10];
        if writes {
            platform::random(&mut entropy);
        }
        let moment = Moment { now: now(), entropy };
        let before = self.drain.project.database().cost();
        let Reply { mut head, body } =
            self.drain.project.perform(&message, &moment).unwrap_or_else(|error| {
                drain::log("store fault", &message.project, &error.0);
                ApiError::general().into()
            });
        head.cost = self.drain.project.database().cost().since(before);
        if writes {
            self.drain.pump();
        }
        match wire::encode(&head) {
            Ok(head) => (head, body),
            Err(error) => {
                drain::log("reply refused", &message.project, &error);
                (wire::UNKNOWN_FORMAT.to_vec(), None)
            }
        }
    }

    /// Drains what is due, and arms the alarm for the rest. Reports the end through `glue.mjs`.
    pub fn alarm(&self, ticket: u32) {
        let drain = Rc::clone(&self.drain);
        spawn_local(async move {
            drain.alarm().await;
            glue::done(ticket);
        });
    }
}
