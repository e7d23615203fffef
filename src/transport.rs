//! The default transport: gloo-net's headers and request, given to the global `fetch`.
//!
//! gloo-net's own `send` is not used: 0.7.0 panics when `fetch` rejects with what is no `Error` of the same realm, which a
//! page's own `fetch` may do, and a panic ends the WebAssembly; the promise is settled in JavaScript instead. Nor is its
//! builder, which takes each address apart and puts it together again, and costs 2 kB gz.

use gloo_net::http::{Headers, Request};
use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::RequestInit;

use crate::client;
use crate::contract::header::RequestHeader;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = fetch, catch)]
    fn global_fetch(request: &web_sys::Request) -> Result<Promise, JsValue>;
}

/// The promise of the response to a request: its address and headers ([`client::read`]), its token, and the rest of it as
/// JavaScript has it. Throws where the request cannot be made.
#[wasm_bindgen(skip_typescript)]
pub fn send(request: &str, authorization: &str, init: &RequestInit) -> Result<Promise, JsValue> {
    let (url, pairs) = client::read(request);
    let headers = Headers::new();
    for (name, value) in pairs {
        headers.set(name, value);
    }
    if !authorization.is_empty() {
        headers.set(RequestHeader::Authorization.name(), authorization);
    }
    init.set_headers(&headers.into_raw());
    let request = Request::from(web_sys::Request::new_with_str_and_init(url, init)?);
    global_fetch(&request.into())
}
