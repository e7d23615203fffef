//! The platform functions that the edge and the objects share: bindings, the clock, and randomness.

use wasm_bindgen::prelude::*;
use worker::Env;

use crate::util::time::Millis;

use super::glue;

/// The maximum number of bytes that `crypto.getRandomValues` fills at once.
const RANDOM_BYTES: usize = 65_536;

/// Returns the variable or secret of the environment. `[vars]` may have values of other types than text, which count as
/// their JSON: `600` is "600". So none is ignored.
pub(super) fn setting(env: &Env, name: &str) -> Option<String> {
    let value = binding(env, name);
    if value.is_undefined() {
        return None;
    }
    let json = || js_sys::JSON::stringify(&value).ok().and_then(|json| json.as_string());
    // No setting accepts an empty text.
    Some(value.as_string().or_else(json).unwrap_or_default())
}

/// Returns the binding; `undefined` if the environment does not have it, and then every use of it fails.
pub(super) fn binding(env: &Env, name: &str) -> JsValue {
    js_sys::Reflect::get(env, &name.into()).unwrap_or_default()
}

/// Returns the time in milliseconds since 1970. It does not advance between two events.
pub(super) fn now() -> Millis {
    js_sys::Date::now() as Millis
}

/// Fills the bytes with random ones.
pub(super) fn random(bytes: &mut [u8]) {
    bytes.chunks_mut(RANDOM_BYTES).for_each(glue::random);
}
