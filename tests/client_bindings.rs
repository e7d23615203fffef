//! The client's boundary as built for the npm package, in a JavaScript runtime.
#![cfg(all(target_arch = "wasm32", feature = "client"))]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test ends by a panic")]

use js_sys::{Function, JSON, Object, Reflect, Uint8Array, WebAssembly};
use resource_edge::bindings::client::{
    begin_call, create_client, decide, drop_client, end_call, observe, render,
};
use resource_edge::bindings::{reserve, result};
use resource_edge::client::message::encode;
use resource_edge::client::{Call, Response, Step};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::Headers;

const GET_BY_ID: f64 = 1.0;
const GET_BY_KEY: f64 = 2.0;
const UPDATE_BY_ID: f64 = 9.0;

/// Returns a part of the memory.
fn memory(address: usize, length: usize) -> Uint8Array {
    let memory: WebAssembly::Memory = wasm_bindgen::memory().unchecked_into();
    Uint8Array::new_with_byte_offset_and_length(&memory.buffer(), address as u32, length as u32)
}

/// Writes a message into the buffer as `putMessage` in pkg/src/core/instance.ts does, and returns its length.
fn put(numbers: &[f64], texts: &[&str]) -> usize {
    let bytes = encode(numbers, texts);
    memory(reserve(bytes.len()), bytes.len()).copy_from(&bytes);
    bytes.len()
}

/// Reads the JSON that a function returned by its length, as `result` in pkg/src/core/instance.ts does.
fn json(length: usize) -> JsValue {
    let text = String::from_utf8(memory(result(), length).to_vec()).unwrap();
    JSON::parse(&text).unwrap()
}

fn member(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).unwrap()
}

fn text(object: &JsValue, name: &str) -> String {
    member(object, name).as_string().unwrap()
}

fn client() -> usize {
    let created = create_client(put(&[4.0, 200.0, 8000.0], &["demo", "", "", "", "https://a.test"]));
    member(&json(created), "client").as_f64().unwrap() as usize
}

/// Begins a call without parameters at the instant 10^12. `renewable`: another token is available.
fn begin(operation: f64, fresh: bool, renewable: bool, first_variable: &str, headers: &[&str]) -> usize {
    let number = |name: &&str| match *name {
        "operation" => operation,
        "fresh" => f64::from(u8::from(fresh)),
        "renewable" => f64::from(u8::from(renewable)),
        "deadline" => 1e13,
        "respond_async" | "repeated" | "failures" | "parameters" | "max_age" => 0.0,
        other => panic!("give the number {other} a value"),
    };
    let numbers: Vec<f64> = Call::LAYOUT.numbers.iter().map(number).collect();
    let mut texts = vec!["key", first_variable, "", "", ""];
    texts.extend(headers);
    begin_call(put(&numbers, &texts))
}

/// Encodes a `Response` at the instant 10^12, with jitter in the middle.
fn response(status: f64, retry_after: f64, resource: &[&str]) -> usize {
    let number = |name: &&str| match *name {
        "now" => 1e12,
        "jitter" => f64::from(u32::MAX / 2),
        "status" => status,
        "retry_after" => retry_after,
        "revision" => f64::NAN,
        "late" | "unsent" | "foreign" => 0.0,
        other => panic!("give the number {other} a value"),
    };
    let numbers: Vec<f64> = Response::LAYOUT.numbers.iter().map(number).collect();
    let mut texts = vec![""];
    texts.extend(resource);
    put(&numbers, &texts)
}

/// Returns the step after a response to a call.
fn step(client: usize, call: usize, response: usize) -> u32 {
    member(&json(decide(client, call, response)), "step").as_f64().unwrap() as u32
}

#[wasm_bindgen_test]
fn wrong_options_and_calls_are_described() {
    let options = put(&[4.0, 200.0, 8000.0], &["demo", "eu", "gcp", "a..b", ""]);
    assert_eq!(
        text(&json(create_client(options)), "wrong"),
        "domain: expected a DNS label (a-z 0-9 -) or the option baseUrl, found 'a..b'."
    );
    let call = begin(GET_BY_ID, false, true, "..", &[]);
    let wrong = text(&json(render(client(), call, Headers::new().unwrap())), "wrong");
    assert!(wrong.starts_with("parameter\0id\0Malformed parameter: id: expected"), "{wrong:?}");
}

#[wasm_bindgen_test]
fn a_request_has_the_minimum_revision_of_the_session() {
    let core = client();
    let headers = Headers::new().unwrap();
    let call = begin(GET_BY_ID, true, true, "\u{e4} b", &["X-A", "b"]);
    let url = text(&json(render(core, call, headers.clone())), "url");
    assert_eq!(url, "https://a.test/demo/resource/%C3%A4%20b");
    let header = |headers: &Headers, name| headers.get(name).unwrap();
    assert_eq!(header(&headers, "cache-control").as_deref(), Some("no-cache"));
    assert_eq!(header(&headers, "x-a").as_deref(), Some("b"));
    let minimum = |operation, name| {
        let headers = Headers::new().unwrap();
        render(core, begin(operation, false, true, name, &[]), headers.clone());
        header(&headers, "resource-min-revision")
    };
    assert_eq!(minimum(GET_BY_KEY, "k"), None);

    let resource = ["a", "k", "2023-11-14T22:13:20.123Z"];
    assert_eq!(step(core, call, response(200.0, f64::NAN, &resource)), Step::Done as u32);
    assert_eq!(minimum(GET_BY_KEY, "k").as_deref(), Some("1700000000123"));
    observe(core, put(&[], &["b", "", "2023-11-14T22:13:20.124Z"]));
    assert_eq!(minimum(GET_BY_ID, "b").as_deref(), Some("1700000000124"));
}

#[wasm_bindgen_test]
fn headers_are_set_on_any_object_with_a_set_method() {
    let headers = Object::new();
    let set = Function::new_with_args("name, value", "this[name] = value");
    Reflect::set(&headers, &"set".into(), &set).unwrap();
    render(client(), begin(UPDATE_BY_ID, false, true, "a", &[]), headers.clone().unchecked_into());
    assert_eq!(text(&headers, "Content-Type"), "application/json");
    assert_eq!(text(&headers, "Idempotency-Key"), "key");
}

#[wasm_bindgen_test]
fn each_attempt_gets_its_next_step_and_a_retry_its_pause() {
    let core = client();
    for (status, renewable, expected) in [
        (200.0, false, Step::Done),
        (409.0, true, Step::Fail),
        (401.0, true, Step::RenewToken),
        (401.0, false, Step::Fail),
    ] {
        let call = begin(GET_BY_ID, false, renewable, "a", &[]);
        assert_eq!(step(core, call, response(status, f64::NAN, &[])), expected as u32, "{status}");
    }
    let call = begin(UPDATE_BY_ID, false, true, "a", &[]);
    for (status, retry_after, pause) in
        [(503.0, f64::NAN, 99.0), (0.0, f64::NAN, 199.0), (503.0, 1500.0, 1500.0), (429.0, f64::NAN, 799.0)]
    {
        let decision = json(decide(core, call, response(status, retry_after, &[])));
        let found = ["step", "pause"].map(|name| member(&decision, name).as_f64());
        assert_eq!(found, [Some(f64::from(Step::Retry as u32)), Some(pause)], "{status}");
        assert_eq!(member(&decision, "isUnknown").as_bool(), Some(true), "{status}");
    }
    let last = response(503.0, f64::NAN, &[]);
    assert_eq!(step(core, call, last), Step::FailRetryable as u32);
}

#[wasm_bindgen_test]
fn a_message_of_more_bytes_than_were_reserved_is_read_as_empty() {
    assert!(!text(&json(create_client(usize::MAX)), "wrong").is_empty());
    // It has no operation, so it is a request for a token. The calls that need the token decide how long they wait.
    assert_eq!(step(client(), begin_call(usize::MAX), usize::MAX), Step::Retry as u32);
}

#[wasm_bindgen_test]
fn what_was_freed_is_found_no_more_and_what_is_left_stays() {
    let [one, two] = [client(), client()];
    let [first, second, third] = ["a", "b", "c"].map(|id| begin(GET_BY_ID, false, true, id, &[]));
    let left = end_call(first);
    assert_eq!(end_call(first), left);
    let url = |client, call| {
        let length = render(client, call, Headers::new().unwrap());
        (length > 0).then(|| text(&json(length), "url"))
    };
    drop_client(one);
    assert_eq!([url(two, first), url(one, second)], [None, None]);
    assert_eq!(url(two, second).as_deref(), Some("https://a.test/demo/resource/b"));
    assert_eq!(url(two, third).as_deref(), Some("https://a.test/demo/resource/c"));
    assert!(begin(GET_BY_ID, false, true, "d", &[]) > third);
}
