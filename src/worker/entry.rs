//! What `entry.mjs` calls for a request: one call in, one call of `glue::answer` out.

use core::cell::RefCell;
use core::future::Future;
use core::task::{Context, Poll, Waker};
use std::rc::Rc;

use wasm_bindgen::prelude::*;
use worker::Env;

use crate::contract::header::RequestHeader;
use crate::contract::limits::BODY_BYTES;
use crate::server::http::{Body, Headers, Request, RequestBody, Response};
use crate::server::{self, Service};

use super::glue;
use super::platform::Edge;

/// What an isolate keeps: its environment never changes.
struct Isolate {
    service: Service,
    edge: Edge,
}

thread_local! {
    static ISOLATE: RefCell<Option<Rc<Isolate>>> = const { RefCell::new(None) };
}

/// The names of the headers that a request is asked for, a line each, in the order in which `handle` takes them.
#[wasm_bindgen(js_name = requestHeaders)]
#[must_use]
pub fn request_headers() -> String {
    RequestHeader::ALL.iter().map(|header| header.name()).collect::<Vec<_>>().join("\n")
}

/// The largest body that is read, in bytes.
#[wasm_bindgen(js_name = bodyBytes)]
#[must_use]
pub fn body_bytes() -> usize {
    BODY_BYTES
}

/// Answers a request through `glue.mjs` under its ticket.
///
/// `request` is a line each for method, URL and the headers of [`request_headers`], an absent one U+0000. `body` is
/// absent where there is none, `too_large` where it was not read for its length.
#[wasm_bindgen]
pub fn handle(ticket: u32, request: String, body: Option<Vec<u8>>, too_large: bool, env: &Env) {
    let isolate = isolate(env);
    let body = if too_large { RequestBody::TooLarge } else { RequestBody::Whole(body.unwrap_or_default()) };
    let mut work = Box::pin(async move {
        let response = server::handle(&isolate.service, &isolate.edge, parse(&request, body)).await;
        answer(ticket, response);
    });
    // Most of what fails, and what needs neither KV nor an object, is done at once. What must wait is polled again from
    // the queue, with a waker that counts.
    if work.as_mut().poll(&mut Context::from_waker(Waker::noop())) == Poll::Pending {
        wasm_bindgen_futures::spawn_local(work);
    }
}

/// Answers a request that a trap ended.
#[wasm_bindgen]
pub fn fault(ticket: u32, request: &str, env: &Env) {
    let isolate = isolate(env);
    let request = parse(request, RequestBody::Whole(Vec::new()));
    answer(ticket, server::fault(&isolate.service, &isolate.edge, &request));
}

/// The isolate's service, made at its first request.
fn isolate(env: &Env) -> Rc<Isolate> {
    ISOLATE.with_borrow_mut(|isolate| {
        let isolate = isolate.get_or_insert_with(|| {
            let setting = |name: &str| env.var(name).ok().map(|value| value.to_string());
            Rc::new(Isolate { service: Service::new(&setting), edge: Edge::new(env) })
        });
        Rc::clone(isolate)
    })
}

fn parse(request: &str, body: RequestBody) -> Request<'_> {
    let (method, rest) = request.split_once('\n').unwrap_or((request, ""));
    let (url, headers) = rest.split_once('\n').unwrap_or((rest, ""));
    let (_, after_scheme) = url.split_once("://").unwrap_or(("", url));
    let target = after_scheme.find('/').and_then(|at| after_scheme.get(at..)).unwrap_or("/");
    let target = target.split_once('#').map_or(target, |(target, _)| target);
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    Request { method, path, query, headers: Headers::from_lines(headers), body }
}

fn answer(ticket: u32, response: Response<JsValue>) {
    let mut lines = String::with_capacity(512);
    for (name, value) in &response.headers {
        lines.extend([name, "\n", value, "\n"]);
    }
    match response.body {
        Body::Empty => glue::answer(ticket, response.status, &lines, None),
        Body::Text(text) => glue::answer(ticket, response.status, &lines, Some(text.as_bytes())),
        Body::Raw(raw) => glue::answer_raw(ticket, response.status, &lines, &raw),
    }
}
