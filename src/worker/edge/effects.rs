//! The functions of `effects.ts`. Each starts an effect, owns the exchange while it waits, and returns the promise of
//! the response. None throws: failures are passed to [`ExchangeHandle::fail`].

use wasm_bindgen::prelude::*;

use super::exchange::{CheckHandle, ExchangeHandle};

#[wasm_bindgen(raw_module = "../../src/worker/edge/effects.ts")]
extern "C" {
    /// The `Headers` of a request.
    pub type RequestHeaders;

    /// Returns the value of the request header with that number in `contract().requestHeaders`.
    pub(crate) fn header(headers: &RequestHeaders, number: u32) -> Option<String>;

    /// Creates a `Response` with `count` headers. `text` has a line for each header: the letter for its number in
    /// `contract().responseHeaders`, `A` for the first, and its value. `body` is null, or what KV or an object
    /// returned, or undefined: then the rest of `text` is the body. The body of a response 101 is a socket.
    pub(crate) fn respond(status: u16, count: usize, text: &str, body: &JsValue) -> JsValue;

    /// Reads a resource's KV entry, then calls `resumeWithCopy`.
    #[wasm_bindgen(js_name = readCopy)]
    pub(crate) fn read_copy(exchange: ExchangeHandle, kv_key: &str) -> JsValue;

    /// Reads the KV entry of a key, then calls `resumeWithPointer`.
    #[wasm_bindgen(js_name = readPointer)]
    pub(crate) fn read_pointer(exchange: ExchangeHandle, kv_key: &str) -> JsValue;

    /// Sends the message to the object of that name, then calls `resumeWithReply`. `repeats` is whether to send it
    /// again if the disk is full.
    #[wasm_bindgen(js_name = callObject)]
    pub(crate) fn call_object(exchange: ExchangeHandle, name: &str, message: &[u8], repeats: bool)
    -> JsValue;

    /// Sends the message to the object of that name, or waits for the reply to the same message of another request.
    /// Then calls `resumeWithReply`.
    #[wasm_bindgen(js_name = shareCall)]
    pub(crate) fn share_call(exchange: ExchangeHandle, name: &str, message: &[u8], joins: bool) -> JsValue;

    /// Sends the message to the object of that name, then calls `resumeWithReply` of the check. The response does not
    /// wait for it.
    #[wasm_bindgen(js_name = beginCheck)]
    pub(crate) fn begin_check(check: CheckHandle, name: &str, message: &[u8]);

    /// Restores the object of that name to a bookmark, or to a time if there is none, and starts it again. Sends it the
    /// message, then calls `resumeWithReply`. If the platform refuses, calls `resumeWithText` with the reason instead.
    pub(crate) fn restore(
        exchange: ExchangeHandle,
        name: &str,
        time: f64,
        bookmark: Option<&str>,
        message: &[u8],
    ) -> JsValue;

    /// Lets the object of that name accept a socket, then calls `resumeWithReply` with the other end of the socket as
    /// body, or without it.
    pub(crate) fn listen(exchange: ExchangeHandle, name: &str, message: &[u8]) -> JsValue;

    /// Sends the message to the object of that name, then calls `resumeWithReply`. The body of a page is a stream of
    /// events with this page and those that follow within `ms` milliseconds.
    #[wasm_bindgen(js_name = streamChanges)]
    pub(crate) fn stream_changes(exchange: ExchangeHandle, name: &str, message: &[u8], ms: u32) -> JsValue;

    /// Reads a static file, then calls `resumeWithAsset`.
    #[wasm_bindgen(js_name = readAsset)]
    pub(crate) fn read_asset(exchange: ExchangeHandle, path: &str) -> JsValue;

    /// Fetches a text of at most `limit` bytes within `ms` milliseconds, then calls `resumeWithText`.
    #[wasm_bindgen(js_name = fetchText)]
    pub(crate) fn fetch_text(exchange: ExchangeHandle, url: &str, ms: u32, limit: usize) -> JsValue;

    /// Verifies a signature with a public key, then calls `resumeWithVerified`.
    pub(crate) fn verify(
        exchange: ExchangeHandle,
        jwk: &str,
        es256: bool,
        data: &[u8],
        signature: &[u8],
    ) -> JsValue;

    /// Reads the body of the request if it has at most `limit` bytes. Discards a longer one of at most `discard` bytes.
    /// Then calls `resumeWithBody`.
    #[wasm_bindgen(js_name = readBody)]
    pub(crate) fn read_body(
        exchange: ExchangeHandle,
        request: JsValue,
        limit: usize,
        discard: usize,
    ) -> JsValue;

    /// Counts a request with the rate limiter of that binding, then calls `resumeWithinLimit`.
    #[wasm_bindgen(js_name = countRequest)]
    pub(crate) fn count_request(exchange: ExchangeHandle, binding: &str, key: &str) -> JsValue;
}
