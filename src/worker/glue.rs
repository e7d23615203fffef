//! The bindings of `glue.mjs`: each is one crossing. All that can throw are caught; an exception that is not caught
//! runs through the instance like a trap.

use js_sys::{Array, Error, Promise, Uint8Array};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(raw_module = "../../src/worker/glue.mjs")]
extern "C" {
    /// Answers the waiting request with bytes, or with no body.
    pub(super) fn answer(ticket: u32, status: u16, headers: &str, body: Option<&[u8]>);

    /// Answers the waiting request with a body that came out of the platform.
    #[wasm_bindgen(js_name = answerRaw)]
    pub(super) fn answer_raw(ticket: u32, status: u16, headers: &str, body: &JsValue);

    /// Ends the waiting for something that has no answer.
    pub(super) fn done(ticket: u32);

    /// KV's entry with its value as an `ArrayBuffer`.
    #[wasm_bindgen(catch, js_name = kvRaw)]
    pub(super) fn kv_raw(kv: &JsValue, entry: &str) -> Result<Promise, JsValue>;

    /// KV's entry with its value as text.
    #[wasm_bindgen(catch, js_name = kvText)]
    pub(super) fn kv_text(kv: &JsValue, entry: &str) -> Result<Promise, JsValue>;

    /// Puts an entry into KV; `metadata` is JSON, `ttl` is in seconds, 0 for ever. Fails after `ms` milliseconds.
    #[wasm_bindgen(catch, js_name = kvPut)]
    pub(super) fn kv_put(
        kv: &JsValue,
        entry: &str,
        value: &str,
        metadata: &str,
        ttl: u32,
        ms: u32,
    ) -> Result<Promise, JsValue>;

    /// The turns of an object's event loop.
    pub(super) type Turns;

    /// The turns of an object that was just started.
    #[wasm_bindgen(constructor)]
    pub(super) fn new() -> Turns;

    /// The reply, or a promise of it if the sockets should be read first.
    #[wasm_bindgen(method)]
    pub(super) fn pace(this: &Turns, reply: Uint8Array) -> JsValue;

    /// The reply of the object of that name, as an `Uint8Array`.
    #[wasm_bindgen(catch)]
    pub(super) fn perform(projects: &JsValue, name: &str, message: &[u8]) -> Result<Promise, JsValue>;

    /// The text at an address, refused after `ms` milliseconds and beyond `limit` bytes.
    #[wasm_bindgen(catch, js_name = fetchText)]
    pub(super) fn fetch_text(url: &str, ms: u32, limit: usize) -> Result<Promise, JsValue>;

    /// A public key out of its JWK.
    #[wasm_bindgen(catch, js_name = importKey)]
    pub(super) fn import_key(jwk: &str, es256: bool) -> Result<Promise, JsValue>;

    /// Whether the signature over the data was made with the key's private half.
    #[wasm_bindgen(catch, js_name = verifySignature)]
    pub(super) fn verify_signature(
        key: &JsValue,
        es256: bool,
        signature: &[u8],
        data: &[u8],
    ) -> Result<Promise, JsValue>;

    /// A page of the namespace's list: `{keys: [{name, metadata?}, …], cursor?}`, the cursor only where there is more.
    #[wasm_bindgen(catch, js_name = kvList)]
    pub(super) fn kv_list(
        kv: &JsValue,
        prefix: &str,
        cursor: Option<&str>,
        ms: u32,
    ) -> Result<Promise, JsValue>;

    /// A promise that is resolved after that time.
    pub(super) fn wait(ms: u32) -> Promise;

    /// Runs a statement that returns no rows.
    #[wasm_bindgen(catch, js_name = sqlRun)]
    pub(super) fn sql_run(sql: &JsValue, statement: &JsValue, binds: &Array) -> Result<(), JsValue>;

    /// Runs a statement and gives its first row; `undefined` without one.
    #[wasm_bindgen(catch, js_name = sqlFirst)]
    pub(super) fn sql_first(sql: &JsValue, statement: &JsValue, binds: &Array) -> Result<JsValue, JsValue>;

    /// Runs a statement and gives its rows.
    #[wasm_bindgen(catch, js_name = sqlRows)]
    pub(super) fn sql_rows(sql: &JsValue, statement: &JsValue, binds: &Array) -> Result<Array, JsValue>;

    /// How many rows all statements that gave rows have read by now, those of indexes too.
    #[wasm_bindgen(js_name = rowsRead)]
    pub(super) fn rows_read() -> f64;
}

#[wasm_bindgen]
extern "C" {
    /// Fills the bytes (65,536 at most) with unpredictable ones. Not caught: without them nothing may go on.
    #[wasm_bindgen(js_namespace = crypto, js_name = getRandomValues)]
    pub(super) fn random(bytes: &mut [u8]);
}

/// What an exception says, for the log.
pub(super) fn reason(thrown: &JsValue) -> String {
    match thrown.dyn_ref::<Error>() {
        Some(error) => String::from(error.message()),
        None => thrown.as_string().unwrap_or_else(|| "an exception without a message".to_owned()),
    }
}
