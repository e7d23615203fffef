//! The client's side of `pkg/src/client/calls.ts` (`src/guide/change/boundaries.md`). Messages are in the
//! [`buffer`]; results are typed values. JavaScript has the bodies, the tokens, and everything that waits.

use gloo_net::http::Headers;
use js_sys::TypeError;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::{buffer, shape};
use crate::client::message::TextList;
use crate::client::{CallState, Client, Options, Response};
use crate::shape::ObjectId;
use crate::validate;

/// A client of one project; freed with the `ResourceClient` that owns it.
#[wasm_bindgen(skip_typescript)]
pub struct ClientCore(Client);

#[wasm_bindgen]
impl ClientCore {
    /// Creates a client from the [`Options`] in the first `options` bytes of the buffer. Throws a `TypeError` if an
    /// option is wrong.
    #[wasm_bindgen(constructor)]
    pub fn new(options: usize) -> Result<Self, JsValue> {
        let client = buffer::body(options, |options| Client::new(&Options::decode(options)));
        client.map(Self).map_err(|wrong| type_error(&wrong))
    }

    /// Adds resources to the session that came in no response to a call: those of the list in the first `resources`
    /// bytes of the buffer.
    pub fn observe(&mut self, resources: usize) {
        buffer::body(resources, |resources| self.0.observe(TextList::decode(resources)));
    }
}

/// A call from its first request to its end. JavaScript frees it then.
#[wasm_bindgen(skip_typescript)]
pub struct ClientCall {
    call: CallState,
    pause: f64,
}

#[wasm_bindgen]
impl ClientCall {
    /// Begins the [`crate::client::Call`] in the first `call` bytes of the buffer.
    #[wasm_bindgen(constructor)]
    pub fn new(call: usize) -> Self {
        Self { call: buffer::body(call, CallState::new), pause: 0.0 }
    }

    /// Renders its next request. Returns the address, and sets the headers except `Authorization` in `headers`: a
    /// `Headers`, or an object with the same `set`. Throws a `TypeError` if the call cannot be sent.
    pub fn render(&mut self, core: &ClientCore, headers: web_sys::Headers) -> Result<String, JsValue> {
        let headers = Headers::from_raw(headers);
        core.0
            .render(&mut self.call, check_json, |name, value| headers.set(name, value))
            .map_err(|wrong| type_error(&wrong))
    }

    /// Decides what follows its last attempt, which got the [`Response`] in the first `response` bytes of the buffer.
    /// Returns the number of the [`crate::client::Step`].
    pub fn next(&mut self, core: &mut ClientCore, response: usize) -> u32 {
        let decision =
            buffer::body(response, |response| core.0.next(&mut self.call, &Response::decode(response)));
        self.pause = decision.pause as f64;
        decision.step as u32
    }

    /// Returns the pause before its next attempt, in milliseconds.
    #[wasm_bindgen(getter)]
    pub fn pause(&self) -> f64 {
        self.pause
    }

    /// Returns whether the write may have been performed, without the attempt that has no response yet.
    #[wasm_bindgen(getter)]
    pub fn unknown(&self) -> bool {
        self.call.is_unknown()
    }
}

fn check_json(object: ObjectId, text: &str) -> Option<String> {
    validate::check(shape(0).object(object), text)
}

/// Creates the error that JavaScript catches, with a sentence about what is wrong.
#[inline(never)]
fn type_error(wrong: &str) -> JsValue {
    TypeError::new(wrong).into()
}
