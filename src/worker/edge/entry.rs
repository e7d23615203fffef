//! The edge on Workers: `entry.ts` passes a request in, Rust returns the response or the effect that it needs first.
//!
//! [`handle`] and each `resume…` return the platform's result: a `Response`, or a promise of one. The promise comes
//! from the function of `effects.ts` that performs the effect. That function owns the [`Exchange`] while it waits, so
//! if the caller disconnects, the exchange is freed with it.

use core::cell::RefCell;
use std::rc::Rc;

use serde::ser::{SerializeMap as _, Serializer as _};
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;
use worker::Env;

use crate::call::{Message, RestorePoint, wire};
use crate::contract::api::header::{RequestHeader, ResponseHeader};
use crate::server::effect::{self, Effect, EffectOutcome, HandlerStep};
use crate::server::http::{Body, Headers, Request, Response};
use crate::server::platform::{Algorithm, Asset, CacheCopy, Limiter, Pointer};
use crate::server::settings::{KV_CACHE_TTL, LISTENERS};
use crate::server::{self, Service};
use crate::util::time::Millis;

use super::effects;
use super::exchange::{CheckHandle, ExchangeHandle, Isolate};
use crate::worker::{platform, resources};

/// How long an external issuer may take, in milliseconds.
const FETCH_MS: u32 = 5_000;
/// The limit of an external issuer's response, in bytes.
const FETCH_BYTES: usize = 64 * 1024;

thread_local! {
    /// The environment of an isolate never changes.
    static SERVICE: RefCell<Option<Rc<Service<JsValue>>>> = const { RefCell::new(None) };
}

/// Returns what the entry needs from the contract: the request headers that the handler reads, and the headers of
/// responses, by number; the defaults of `KV_CACHE_TTL` and `LISTENERS`. The entry calls it once.
#[wasm_bindgen]
pub fn contract() -> Result<JsValue, JsValue> {
    // A struct would need 1 kB more: serde-wasm-bindgen keeps a table of the names of fields.
    let serializer = Serializer::new().serialize_maps_as_objects(true);
    let mut object = serializer.serialize_map(None)?;
    let request_headers: Vec<String> =
        RequestHeader::ALL.iter().map(|header| header.name().to_owned()).collect();
    object.serialize_entry("requestHeaders", &request_headers)?;
    // workerd converts lower-case names in two thirds of the time.
    let response_headers: Vec<String> =
        ResponseHeader::ALL.iter().map(|header| header.name().to_ascii_lowercase()).collect();
    object.serialize_entry("responseHeaders", &response_headers)?;
    object.serialize_entry("kvCacheTtl", KV_CACHE_TTL.default)?;
    object.serialize_entry("listeners", LISTENERS.default)?;
    Ok(object.end()?)
}

/// Handles a request. Returns a `Response`, or a promise of one. `request` is the platform's, whose body is read if the
/// handler needs it.
#[wasm_bindgen]
pub fn handle(
    method: String,
    url: String,
    headers: effects::RequestHeaders,
    request: JsValue,
    env: &Env,
) -> JsValue {
    let started = Request::new(method, url, Box::new(headers));
    step(effect::Exchange::start(service(env), Isolate, started), request)
}

/// Returns the message for the page after a page of changes, which waits for it. `undefined` if the reply to the
/// message is not a page: then the stream ends.
#[wasm_bindgen(js_name = nextPage)]
pub fn next_page(message: &[u8], head: &[u8], wait: u32) -> Option<Vec<u8>> {
    let message: Message = wire::decode(message).ok()?;
    wire::encode(&message.next(&wire::decode(head).ok()?, wait)?).ok()
}

/// Returns the response to a request whose handling ended with a trap.
#[wasm_bindgen]
pub fn fault(method: String, url: String, headers: effects::RequestHeaders, env: &Env) -> JsValue {
    let request = Request::new(method, url, Box::new(headers));
    respond(server::fault(&service(env), &Isolate, &request))
}

/// Returns the isolate's service, created at its first request.
fn service(env: &Env) -> Rc<Service<JsValue>> {
    SERVICE.with_borrow_mut(|service| {
        let service = service.get_or_insert_with(|| {
            let setting = |name: &str| platform::setting(env, name);
            let limiters = Limiter::ALL.iter().copied();
            let bound = limiters.filter(|one| !platform::binding(env, one.binding()).is_undefined());
            let service = Service::new(&setting).with_resources(resources::current());
            let service = service.limited_by(bound.collect());
            service.report(&Isolate);
            Rc::new(service)
        });
        Rc::clone(service)
    })
}

#[wasm_bindgen(js_class = Exchange)]
impl ExchangeHandle {
    /// Continues with a resource's KV entry. `body` is null if there is none; `bytes` is its length.
    #[wasm_bindgen(js_name = resumeWithCopy)]
    pub fn resume_with_copy(
        self,
        body: JsValue,
        bytes: u32,
        revision: Option<f64>,
        key: Option<String>,
        deleted: bool,
    ) -> JsValue {
        // Revisions are integers below 2^53. An entry without one was not written by this service, so the object
        // decides.
        let revision = revision.filter(|revision| revision.is_finite() && !body.is_null());
        let copy = revision.map(|revision| {
            let (bytes, revision) = (bytes as usize, revision as Millis);
            CacheCopy { body, bytes, revision, key, deleted }
        });
        self.resume(EffectOutcome::Copy(copy))
    }

    /// Continues with the KV entry of a key.
    #[wasm_bindgen(js_name = resumeWithPointer)]
    pub fn resume_with_pointer(self, id: Option<String>, deleted: bool) -> JsValue {
        self.resume(EffectOutcome::Pointer(id.map(|id| Pointer { id, deleted })))
    }

    /// Continues with the reply of a project's object: its head, and its body, which is undefined if it has none.
    #[wasm_bindgen(js_name = resumeWithReply)]
    pub fn resume_with_reply(self, head: Vec<u8>, body: JsValue) -> JsValue {
        let body = (!body.is_undefined()).then_some(body);
        self.resume(EffectOutcome::Reply(head, body))
    }

    /// Continues with a static file.
    #[wasm_bindgen(js_name = resumeWithAsset)]
    pub fn resume_with_asset(self, etag: String, body: JsValue) -> JsValue {
        self.resume(EffectOutcome::Asset(Asset { etag, body }))
    }

    /// Continues with a fetched text, or the reason why the platform refuses a restore.
    #[wasm_bindgen(js_name = resumeWithText)]
    pub fn resume_with_text(self, text: String) -> JsValue {
        self.resume(EffectOutcome::Text(text))
    }

    /// Continues with the result of verifying a signature.
    #[wasm_bindgen(js_name = resumeWithVerified)]
    pub fn resume_with_verified(self, valid: bool) -> JsValue {
        self.resume(EffectOutcome::Verified(valid))
    }

    /// Continues with the body of the request, which is undefined if it is too large.
    #[wasm_bindgen(js_name = resumeWithBody)]
    pub fn resume_with_body(self, body: Option<Vec<u8>>) -> JsValue {
        self.resume(EffectOutcome::Body(body))
    }

    /// Continues with the verdict of a rate limiter.
    #[wasm_bindgen(js_name = resumeWithinLimit)]
    pub fn resume_within_limit(self, within: bool) -> JsValue {
        self.resume(EffectOutcome::WithinLimit(within))
    }

    /// Continues after an effect that failed.
    pub fn fail(self, reason: String) -> JsValue {
        self.resume(EffectOutcome::Failed(reason))
    }

    fn resume(self, outcome: EffectOutcome<JsValue>) -> JsValue {
        let Self { exchange, request } = self;
        step(exchange.resume(outcome), request)
    }
}

fn step(step: HandlerStep<'static, Isolate>, request: JsValue) -> JsValue {
    match step {
        HandlerStep::Respond(response, check) => {
            if let Some(check) = check {
                begin(check);
            }
            respond(response)
        }
        HandlerStep::Perform(effect, exchange) => perform(&effect, ExchangeHandle { exchange, request }),
    }
}

#[wasm_bindgen(js_class = Check)]
impl CheckHandle {
    /// Ends with the reply of a project's object. It has no body.
    #[wasm_bindgen(js_name = resumeWithReply)]
    pub fn resume_with_reply(self, head: Vec<u8>) {
        self.end(Ok(head));
    }

    /// Ends after a call that failed.
    pub fn fail(self, reason: String) {
        self.end(Err(reason));
    }

    fn end(self, head: Result<Vec<u8>, String>) {
        // The service exists: a request with it started the check.
        if let Some(service) = SERVICE.with_borrow(Clone::clone) {
            service.end_check(&self.0, &Isolate, head);
        }
    }
}

/// Starts the check in JavaScript, which ends it after the response.
fn begin(check: server::Check) {
    match check.message() {
        Ok(message) => {
            let name = object_name(&check.project);
            effects::begin_check(CheckHandle(check), &name, &message);
        }
        Err(reason) => CheckHandle(check).fail(reason),
    }
}

/// Starts the effect in JavaScript, which resumes the exchange.
fn perform(effect: &Effect, exchange: ExchangeHandle) -> JsValue {
    match effect {
        Effect::ReadCopy { kv_key } => effects::read_copy(exchange, kv_key),
        Effect::ReadPointer { kv_key } => effects::read_pointer(exchange, kv_key),
        Effect::CallObject { project, message, restore: None, repeats } => {
            effects::call_object(exchange, &object_name(project), message, *repeats)
        }
        Effect::CallObject { project, message, restore: Some(point), .. } => {
            let (time, bookmark) = match point {
                RestorePoint::Time(time) => (*time, None),
                RestorePoint::Bookmark(bookmark) => (0, Some(bookmark.as_str())),
            };
            // An instant is an integer below 2^53.
            effects::restore(exchange, &object_name(project), time as f64, bookmark, message)
        }
        Effect::ShareCall { project, message, joins } => {
            effects::share_call(exchange, &object_name(project), message, *joins)
        }
        Effect::Listen { project, message } => effects::listen(exchange, &object_name(project), message),
        Effect::Stream { project, message, ms } => {
            effects::stream_changes(exchange, &object_name(project), message, *ms)
        }
        Effect::ReadAsset { path } => effects::read_asset(exchange, path),
        Effect::FetchText { url } => effects::fetch_text(exchange, url, FETCH_MS, FETCH_BYTES),
        Effect::Verify { key, data, signature } => {
            effects::verify(exchange, &key.jwk, key.algorithm == Algorithm::Es256, data, signature)
        }
        Effect::ReadBody { limit, discard } => {
            let mut exchange = exchange;
            // It is needed only once.
            let request = core::mem::replace(&mut exchange.request, JsValue::UNDEFINED);
            effects::read_body(exchange, request, *limit, *discard)
        }
        Effect::CountRequest { limiter, key } => effects::count_request(exchange, limiter.binding(), key),
    }
}

/// Returns the name of a project's object.
fn object_name(project: &str) -> String {
    ["v1/", project].concat()
}

fn respond(response: Response<JsValue>) -> JsValue {
    let mut text = String::with_capacity(512);
    for (header, value) in &response.headers {
        // Headers are sent as one letter each, so that JavaScript does not decode their names for every response.
        text.push(char::from(b'A' + *header as u8));
        text.extend([value, "\n"]);
    }
    let body = match response.body {
        Body::Empty => JsValue::NULL,
        // Headers and body are one text: decoding a second one costs more.
        Body::Text(body) => {
            text.push_str(&body);
            JsValue::UNDEFINED
        }
        Body::Raw(raw) => raw,
    };
    effects::respond(response.status, response.headers.len(), &text, &body)
}

impl Headers for effects::RequestHeaders {
    fn get(&self, header: RequestHeader) -> Option<String> {
        // The discriminants are the numbers of `requestHeaders`.
        effects::header(self, header as u32)
    }
}
