//! The bindings of `glue.ts`: each is one boundary call. All that can throw are caught; an uncaught exception would
//! end the instance like a trap.

use js_sys::{Array, Error};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(raw_module = "../../src/worker/glue.ts")]
extern "C" {
    /// What the object does about a message (`Performed` in types.ts).
    pub type Performed;

    /// The reply: its head in the bytes of `wire`, and its body.
    pub(super) fn reply(head: &[u8], body: &JsValue) -> Performed;

    /// The caller waits or has a socket. `next` is the message that requests what comes next, `ms` the time of the wait
    /// in milliseconds, or the end of the token of a socket.
    pub(super) fn listen(head: &[u8], body: &JsValue, next: &[u8], ms: f64, caller: f64) -> Performed;

    /// The caller has to wait for its turn.
    pub(super) fn turn(caller: f64) -> Performed;

    /// The project first needs its epoch (`ProjectCore::set_epoch`). It is also what [`Framed`] may be.
    pub(super) fn epoch(project: &str) -> Performed;

    /// The next frame of sockets, or why there is none (`Framed` in types.ts).
    pub type Framed;

    pub(super) fn frame(text: &str) -> Framed;

    /// The sockets have to be closed, for a reason of `CLOSE` in listeners.ts.
    pub(super) fn close(why: &str) -> Framed;

    /// Calls that fail if they take too long.
    pub(super) type Deadlines;

    /// Creates the calls of a new object, each of which fails after `ms` milliseconds.
    #[wasm_bindgen(constructor)]
    pub(super) fn new(ms: u32) -> Deadlines;

    /// Fails if the disk is full (`room.ts`). A call before each change.
    #[wasm_bindgen(catch, js_name = claimRoom)]
    pub(super) fn claim_room() -> Result<(), JsValue>;

    /// Returns whether changes are rolled back.
    #[wasm_bindgen(js_name = isRehearsal)]
    pub(super) fn is_rehearsal() -> bool;

    /// Runs a statement that changes the database, and has no rows.
    #[wasm_bindgen(catch, js_name = sqlRun)]
    pub(super) fn sql_run(sql: &JsValue, statement: &JsValue, binds: &Array) -> Result<(), JsValue>;

    /// Runs a statement and returns its first row; `undefined` if there is none.
    #[wasm_bindgen(catch, js_name = sqlFirst)]
    pub(super) fn sql_first(sql: &JsValue, statement: &JsValue, binds: &Array) -> Result<JsValue, JsValue>;

    /// Runs a statement and returns its rows.
    #[wasm_bindgen(catch, js_name = sqlRows)]
    pub(super) fn sql_rows(sql: &JsValue, statement: &JsValue, binds: &Array) -> Result<Array, JsValue>;

    #[wasm_bindgen(js_name = databaseSize)]
    pub(super) fn database_size(sql: &JsValue) -> f64;

    /// Returns how many statements have run so far in this isolate.
    pub(super) fn statements() -> f64;

    /// Returns how many rows they have read, including rows of indexes.
    #[wasm_bindgen(js_name = rowsRead)]
    pub(super) fn rows_read() -> f64;

    /// Returns how many rows they have written, including rows of indexes.
    #[wasm_bindgen(js_name = rowsWritten)]
    pub(super) fn rows_written() -> f64;
}

#[wasm_bindgen]
extern "C" {
    /// Fills the bytes (at most 65,536) with random ones. Not caught: without randomness, nothing may continue.
    #[wasm_bindgen(js_namespace = crypto, js_name = getRandomValues)]
    pub(super) fn random(bytes: &mut [u8]);
}

/// Returns the text of an exception, for the log.
pub(super) fn reason(thrown: &JsValue) -> String {
    match thrown.dyn_ref::<Error>() {
        Some(error) => String::from(error.message()),
        None => thrown.as_string().unwrap_or_else(|| "an exception without a message".to_owned()),
    }
}
