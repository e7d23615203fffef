//! The client's boundary as built for the npm package, in a JavaScript runtime.
#![cfg(all(target_arch = "wasm32", feature = "client"))]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test ends by a panic")]

use js_sys::{Function, Object, Reflect, TypeError, Uint8Array, WebAssembly};
use resource_edge::bindings::buffer::reserve;
use resource_edge::bindings::client::{ClientCall, ClientCore};
use resource_edge::client::message::encode;
use resource_edge::client::{Call, Response, Step};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::Headers;

const GET_BY_ID: f64 = 1.0;
const GET_BY_KEY: f64 = 2.0;
const UPDATE_BY_ID: f64 = 9.0;

/// Writes a message into the buffer as `putMessage` in pkg/src/core/instance.ts does, and returns its length.
fn put(numbers: &[f64], texts: &[&str]) -> usize {
    let bytes = encode(numbers, texts);
    let address = reserve(bytes.len());
    let memory: WebAssembly::Memory = wasm_bindgen::memory().unchecked_into();
    Uint8Array::new_with_byte_offset_and_length(&memory.buffer(), address, bytes.len() as u32)
        .copy_from(&bytes);
    bytes.len()
}

fn client() -> ClientCore {
    ClientCore::new(put(&[4.0, 200.0, 8000.0], &["demo", "", "", "", "https://a.test"])).unwrap()
}

/// Begins a call without parameters at the instant 10^12. `renewable`: another token is available.
fn begin(operation: f64, fresh: bool, renewable: bool, first_variable: &str, headers: &[&str]) -> ClientCall {
    let number = |name: &&str| match *name {
        "operation" => operation,
        "fresh" => f64::from(u8::from(fresh)),
        "renewable" => f64::from(u8::from(renewable)),
        "deadline" => 1e13,
        "respond_async" | "repeated" | "failures" | "parameters" => 0.0,
        other => panic!("give the number {other} a value"),
    };
    let numbers: Vec<f64> = Call::LAYOUT.numbers.iter().map(number).collect();
    let mut texts = vec!["key", first_variable, "", "", ""];
    texts.extend(headers);
    ClientCall::new(put(&numbers, &texts))
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

fn message(error: &JsValue) -> String {
    error.dyn_ref::<TypeError>().unwrap().message().into()
}

#[wasm_bindgen_test]
fn wrong_options_and_calls_throw_a_type_error() {
    let options = put(&[4.0, 200.0, 8000.0], &["demo", "eu", "gcp", "a..b", ""]);
    let error = ClientCore::new(options).map(|_| ()).unwrap_err();
    assert_eq!(
        message(&error),
        "domain: expected a DNS label (a-z 0-9 -) or the option baseUrl, found 'a..b'."
    );
    let mut call = begin(GET_BY_ID, false, true, "..", &[]);
    let error = call.render(&client(), Headers::new().unwrap()).unwrap_err();
    let wrong: String = message(&error);
    assert!(wrong.starts_with("parameter\0id\0Malformed parameter: id: expected"), "{wrong:?}");
}

#[wasm_bindgen_test]
fn a_request_has_the_minimum_revision_of_the_session() {
    let mut core = client();
    let headers = Headers::new().unwrap();
    let mut call = begin(GET_BY_ID, true, true, "\u{e4} b", &["X-A", "b"]);
    let url = call.render(&core, headers.clone()).unwrap();
    assert_eq!(url, "https://a.test/demo/resource/%C3%A4%20b");
    let header = |headers: &Headers, name| headers.get(name).unwrap();
    assert_eq!(header(&headers, "cache-control").as_deref(), Some("no-cache"));
    assert_eq!(header(&headers, "x-a").as_deref(), Some("b"));
    let minimum = |core: &ClientCore, operation, name| {
        let headers = Headers::new().unwrap();
        begin(operation, false, true, name, &[]).render(core, headers.clone()).unwrap();
        header(&headers, "resource-min-revision")
    };
    assert_eq!(minimum(&core, GET_BY_KEY, "k"), None);

    let resource = ["a", "k", "2023-11-14T22:13:20.123Z"];
    assert_eq!(call.next(&mut core, response(200.0, f64::NAN, &resource)), Step::Done as u32);
    assert_eq!(minimum(&core, GET_BY_KEY, "k").as_deref(), Some("1700000000123"));
    core.observe(put(&[], &["b", "", "2023-11-14T22:13:20.124Z"]));
    assert_eq!(minimum(&core, GET_BY_ID, "b").as_deref(), Some("1700000000124"));
}

#[wasm_bindgen_test]
fn headers_are_set_on_any_object_with_a_set_method() {
    let headers = Object::new();
    let set = Function::new_with_args("name, value", "this[name] = value");
    Reflect::set(&headers, &"set".into(), &set).unwrap();
    let mut call = begin(UPDATE_BY_ID, false, true, "a", &[]);
    call.render(&client(), headers.clone().unchecked_into()).unwrap();
    let header = |name: &str| Reflect::get(&headers, &name.into()).unwrap().as_string();
    assert_eq!(header("Content-Type").as_deref(), Some("application/json"));
    assert_eq!(header("Idempotency-Key").as_deref(), Some("key"));
}

#[wasm_bindgen_test]
fn each_attempt_gets_its_next_step_and_a_retry_its_pause() {
    let mut core = client();
    for (status, renewable, step) in [
        (200.0, false, Step::Done),
        (409.0, true, Step::Fail),
        (401.0, true, Step::RenewToken),
        (401.0, false, Step::Fail),
    ] {
        let mut call = begin(GET_BY_ID, false, renewable, "a", &[]);
        assert_eq!(call.next(&mut core, response(status, f64::NAN, &[])), step as u32, "{status}");
    }
    let mut call = begin(UPDATE_BY_ID, false, true, "a", &[]);
    assert!(!call.unknown());
    for (status, retry_after, pause) in
        [(503.0, f64::NAN, 99.0), (0.0, f64::NAN, 199.0), (503.0, 1500.0, 1500.0), (429.0, f64::NAN, 799.0)]
    {
        assert_eq!(call.next(&mut core, response(status, retry_after, &[])), Step::Retry as u32);
        assert!((call.pause() - pause).abs() < f64::EPSILON, "{status}: {}", call.pause());
        assert!(call.unknown(), "{status}");
    }
    assert_eq!(call.next(&mut core, response(503.0, f64::NAN, &[])), Step::FailRetryable as u32);
}

#[wasm_bindgen_test]
fn a_message_of_more_bytes_than_were_reserved_is_read_as_empty() {
    assert!(ClientCore::new(usize::MAX).is_err());
    // It has no operation, so it is a request for a token. The calls that need the token decide how long they wait.
    assert_eq!(ClientCall::new(usize::MAX).next(&mut client(), usize::MAX), Step::Retry as u32);
}
