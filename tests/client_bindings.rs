//! The client as it is built for the npm package, in a JavaScript runtime: what crosses, and the default transport.
#![cfg(all(target_arch = "wasm32", feature = "client"))]
#![allow(clippy::unwrap_used, reason = "a test ends by a panic")]

use js_sys::{Array, Function, Promise, Reflect, Uint8Array, WebAssembly};
use resource_edge::bindings::buffer::reserve;
use resource_edge::bindings::client::ClientCore;
use resource_edge::transport;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::RequestInit;

const OPTIONS: &str = "demo\0\0\0\0https://a.test\x004\x00200\x008000";

/// Writes the text into the buffer as `put` in pkg/core.js does, and returns its length.
fn put(text: &str) -> usize {
    let address = reserve(text.len());
    let memory: WebAssembly::Memory = wasm_bindgen::memory().unchecked_into();
    Uint8Array::new_with_byte_offset_and_length(&memory.buffer(), address, text.len() as u32)
        .copy_from(text.as_bytes());
    text.len()
}

fn client(options: &str) -> ClientCore {
    ClientCore::new(put(options))
}

#[wasm_bindgen_test]
fn a_client_says_its_address_or_what_is_wrong_with_its_options() {
    assert_eq!(client(OPTIONS).base(), "https://a.test");
    let wrong = client("demo\0eu\0gcp\0a..b\0\x004\x00200\x008000");
    assert_eq!(wrong.base(), "!domain: expected a DNS label (a-z 0-9 -), or baseUrl instead, found 'a..b'.");
    assert_eq!(wrong.request(put("1\0\0\0\0a\0")), "!");
    assert!(client(OPTIONS).request(usize::MAX).starts_with('!'));
}

#[wasm_bindgen_test]
fn a_request_is_one_text_with_its_floor_in_front() {
    let mut core = client(OPTIONS);
    let read = "1\0f\0\0\0\u{e4} b\0\0expand\0x.y";
    assert_eq!(
        core.request(put(read)),
        "0\0https://a.test/demo/resource/%C3%A4%20b?expand=x.y\0Cache-Control\0no-cache"
    );
    let answer = "200\x001700000000123\0\0\0\u{e4} b\0k\x002023-11-14T22:13:20.123Z";
    let bytes = put(&format!("{read}{answer}"));
    assert!((core.next(bytes, read.len(), 0.0, f64::INFINITY, 0, false, 1e12, 0) + 1.0).abs() < f64::EPSILON);
    assert_eq!(
        core.request(put("2\0\0\0\0k\0")),
        "1700000000123\0https://a.test/demo/resource/key=k\0Resource-Min-Revision\x001700000000123"
    );
    assert!(core.request(put("1\0\0\0\0..\0")).starts_with("!id: expected"));
}

#[wasm_bindgen_test]
fn what_follows_an_answer_is_a_pause_or_a_negative_number() {
    let mut core = client(OPTIONS);
    let call = "1\0\0\0\0a\0";
    for (answer, retries, renewable, next) in [
        ("503", 0, false, 99.0),
        ("0", 1, false, 199.0),
        ("503\0\x001500", 0, false, 1500.0),
        ("200", 0, false, -1.0),
        ("409", 0, true, -2.0),
        ("503", 4, true, -3.0),
        ("401", 0, true, -4.0),
        ("401", 0, false, -2.0),
    ] {
        let bytes = put(&format!("{call}{answer}"));
        let told = core.next(bytes, call.len(), 0.0, 1e13, retries, renewable, 1e12, u32::MAX / 2);
        assert!((told - next).abs() < f64::EPSILON, "{answer}: {told}");
    }
}

/// Runs with a global `fetch` of this JavaScript.
fn with_fetch<T>(javascript: &str, run: impl FnOnce() -> T) -> T {
    let name = JsValue::from_str("fetch");
    let real = Reflect::get(&js_sys::global(), &name).unwrap();
    let odd = Function::new_with_args("url, init", javascript);
    Reflect::set(&js_sys::global(), &name, &odd).unwrap();
    let result = run();
    Reflect::set(&js_sys::global(), &name, &real).unwrap();
    result
}

fn send(request: &str) -> Result<Promise, JsValue> {
    let init = RequestInit::new();
    init.set_method("POST");
    init.set_body(&JsValue::from_str("{}"));
    transport::send(put(&format!("{request}\0Authorization\0Bearer t")), &init)
}

#[wasm_bindgen_test]
async fn the_default_transport_gives_the_request_to_the_global_fetch() {
    let told = "const request = new Request(url, init), h = request.headers; return request.text().then((body) => [request.method, request.url, body, \
                h.get('authorization'), h.get('idempotency-key'), h.get('content-type')]);";
    let promise = with_fetch(told, || {
        send("https://a.test/b?c=%20%2B\0Idempotency-Key\0k\0Content-Type\0application/json").unwrap()
    });
    let parts: Array = JsFuture::from(promise).await.unwrap().unchecked_into();
    let expected = ["POST", "https://a.test/b?c=%20%2B", "{}", "Bearer t", "k", "application/json"];
    assert_eq!(parts.iter().map(|part| part.as_string().unwrap()).collect::<Vec<_>>(), expected);
}

#[wasm_bindgen_test]
async fn what_fetch_rejects_with_or_throws_comes_out_as_it_is() {
    let promise = with_fetch("return Promise.reject('offline');", || send("https://a.test/").unwrap());
    assert_eq!(JsFuture::from(promise).await.unwrap_err().as_string().as_deref(), Some("offline"));
    let thrown = with_fetch("throw 'thrown';", || send("https://a.test/").unwrap_err());
    assert_eq!(thrown.as_string().as_deref(), Some("thrown"));
}
