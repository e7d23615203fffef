//! The client's side of `pkg/src/client/calls.ts` (`src/guide/change/boundaries.md`). Messages are in the
//! [`buffer`]; results are typed values. JavaScript has the bodies, the tokens, and everything that waits.

use gloo_net::http::Headers;
use js_sys::TypeError;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::buffer;
use crate::client::{Attempt, Call, Client, Decision, Options, Progress, Step};
use crate::validate;

/// A client of one project; freed with the `ResourceClient` that owns it.
#[wasm_bindgen(skip_typescript)]
pub struct ClientCore {
    client: Client,
    decision: Decision,
}

#[wasm_bindgen]
impl ClientCore {
    /// Creates a client from the [`Options`] in the first `options` bytes of the buffer. Throws a `TypeError` if an
    /// option is wrong.
    #[wasm_bindgen(constructor)]
    pub fn new(options: usize) -> Result<Self, JsValue> {
        let client = buffer::body(options, |options| Client::new(&Options::decode(options)));
        let decision = Decision { step: Step::Fail, pause: 0, progress: Progress::default() };
        client.map(|client| Self { client, decision }).map_err(|wrong| type_error(&wrong))
    }

    /// Renders the request of the [`Call`] in the first `call` bytes of the buffer. Returns its address, and sets its
    /// headers except `Authorization` in `headers`: a `Headers`, or an object with the same `set`, which must not use
    /// the buffer. Throws a `TypeError` if the call cannot be sent.
    pub fn render(&self, call: usize, headers: web_sys::Headers) -> Result<String, JsValue> {
        let headers = Headers::from_raw(headers);
        buffer::body(call, |call| {
            let call = Call::decode(call);
            let minimum_revision = self.client.minimum_revision(&call);
            self.client
                .render(&call, minimum_revision, validate::check, |name, value| headers.set(name, value))
        })
        .map_err(|wrong| type_error(&wrong))
    }

    /// Returns how many observations the session has made, for [`Attempt::began`].
    #[wasm_bindgen(getter)]
    pub fn observations(&self) -> f64 {
        self.client.observations() as f64
    }

    /// Decides what follows the [`Attempt`] in the first `attempt` bytes of the buffer. Returns the number of the
    /// [`Step`]. The other parts of the [`Decision`] are available until the next one.
    pub fn next(&mut self, attempt: usize) -> u32 {
        self.decision = buffer::body(attempt, |attempt| self.client.next(&Attempt::decode(attempt)));
        self.decision.step as u32
    }

    /// Returns the pause before the next attempt, in milliseconds.
    #[wasm_bindgen(getter)]
    pub fn pause(&self) -> f64 {
        self.decision.pause as f64
    }

    /// Returns the progress of the call, for its next messages.
    #[wasm_bindgen(getter)]
    pub fn progress(&self) -> f64 {
        self.decision.progress.number()
    }

    /// Returns whether an attempt of the call may have performed the write.
    #[wasm_bindgen(getter)]
    pub fn unknown(&self) -> bool {
        self.decision.progress.is_unknown()
    }
}

/// Creates the error that JavaScript catches, with a sentence about what is wrong.
#[inline(never)]
fn type_error(wrong: &str) -> JsValue {
    TypeError::new(wrong).into()
}
