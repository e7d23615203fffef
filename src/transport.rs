//! The default transport: gloo-net's headers, given to the global `fetch`.
//!
//! Of gloo-net's way to `fetch` the rest is left out. Its `send` (0.7.0) panics when `fetch` rejects with what is no
//! `Error` of the same realm, which a page's own `fetch` may do, and a panic ends the WebAssembly; here JavaScript settles
//! the promise. Its builder takes each address apart and puts it together again, for 2 kB gz. And a `Request` made
//! beforehand is one more than needed, since `fetch` makes its own: a quarter of a call's time.

use gloo_net::http::Headers;
use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::RequestInit;

use crate::bindings::buffer;
use crate::client;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = fetch, catch)]
    fn global_fetch(url: &str, init: &RequestInit) -> Result<Promise, JsValue>;
}

/// The promise of the response to the request whose text is that many bytes of the buffer: its address and headers
/// ([`client::read`]); `init` is the rest of it. Throws where `fetch` does.
#[wasm_bindgen(skip_typescript)]
pub fn send(bytes: usize, init: &RequestInit) -> Result<Promise, JsValue> {
    // A page's own `fetch` may use the buffer again.
    let request = buffer::text(bytes, ToOwned::to_owned);
    let (url, pairs) = client::read(&request);
    let headers = Headers::new();
    for (name, value) in pairs {
        headers.set(name, value);
    }
    init.set_headers(&headers.into_raw());
    global_fetch(url, init)
}
