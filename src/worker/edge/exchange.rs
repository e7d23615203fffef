//! The handles that JavaScript has of a request that waits, and of a check. `entry.rs` has their functions.

use wasm_bindgen::JsCast as _;
use wasm_bindgen::prelude::*;

use crate::server::platform::Host;
use crate::server::{self, effect};
use crate::util::time::Millis;

use crate::worker::platform;

#[wasm_bindgen(raw_module = "../../src/worker/edge/effects.ts")]
extern "C" {
    /// Returns the message of [`Host::embed`]; undefined if the body is no text.
    fn embed(message: &str, body: &JsValue) -> JsValue;
}

/// A request that waits for an effect. JavaScript owns it until it resumes it, exactly once.
#[wasm_bindgen(js_name = Exchange)]
pub struct ExchangeHandle {
    pub(crate) exchange: effect::Exchange<'static, Isolate>,
    pub(crate) request: JsValue,
}

/// A check that follows a response. JavaScript owns it until it ends it, exactly once.
#[wasm_bindgen(js_name = Check)]
pub struct CheckHandle(pub(crate) server::Check);

/// The isolate as the handler's host.
pub(crate) struct Isolate;

impl Host for Isolate {
    type Raw = JsValue;

    fn now(&self) -> Millis {
        platform::now()
    }

    fn random(&self, bytes: &mut [u8]) {
        platform::random(bytes);
    }

    fn embed(&self, message: &str, raw: JsValue) -> Option<JsValue> {
        Some(embed(message, &raw)).filter(|joined| !joined.is_undefined())
    }

    fn text(&self, raw: JsValue) -> Option<String> {
        // Objects return texts, and KV the bytes of a text.
        raw.as_string().or_else(|| String::from_utf8(js_sys::Uint8Array::new(&raw).to_vec()).ok())
    }

    fn length(&self, raw: &JsValue) -> usize {
        // A character has one or two bytes.
        raw.dyn_ref::<js_sys::JsString>().map_or(0, |text| 2 * text.length() as usize)
    }

    fn log(&self, line: &str) {
        worker::console_log!("{line}");
    }
}
