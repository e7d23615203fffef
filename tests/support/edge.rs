//! An edge in memory: KV as a map, each project's object on SQLite, a ticking clock, and repeatable randomness.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use resource_edge::call::wire;
use resource_edge::call::{Call, Message, RestorePoint};
use resource_edge::contract::api::endpoint::DOCUMENT_PATH;
use resource_edge::contract::error::ApiError;
use resource_edge::contract::kv::Metadata;
use resource_edge::openapi;
use resource_edge::project::{Moment, Next, Project, Put};
use resource_edge::server::effect::{Effect, EffectOutcome, Exchange, HandlerStep};
use resource_edge::server::http::{Body, HeaderPairs, Request, Response};
use resource_edge::server::platform::{Asset, CacheCopy, Host, Limiter, Pointer};
use resource_edge::server::{Check, Service};
use resource_edge::shape::{Resources, Shape};
use resource_edge::util::strict_json;
use resource_edge::util::time::Millis;
use serde_json::Value;

use super::log::check_log;
use super::random::Random;
use super::settings::settings;
use super::shared::Shared;

/// 2024-01-01T00:00:00.000Z
pub const START: Millis = 1_704_067_200_000;

/// A value of KV with its metadata as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    pub value: String,
    pub metadata: String,
    pub ttl_seconds: Option<u32>,
}

/// The faults that a test sets.
#[derive(Default)]
pub struct Faults {
    /// Reads of KV fail.
    pub kv_reads: Cell<bool>,
    /// Puts to KV fail.
    pub kv_puts: Cell<bool>,
    /// Nothing is put to KV: the time between a response and the drain, or a crash in it.
    pub drain_held: Cell<bool>,
    pub objects: Cell<bool>,
    /// The rate limiters fail.
    pub limiters: Cell<bool>,
    /// An object does not start after a restore.
    pub starts: Cell<bool>,
}

#[derive(Default)]
pub struct Edge {
    /// The resources with which objects start, and how often they have changed.
    resources: RefCell<Rc<Resources>>,
    pub deployments: Cell<u32>,
    pub clock: Cell<Millis>,
    /// Whether the clock is stopped.
    pub frozen: Cell<bool>,
    pub random: Random,
    pub log: RefCell<Vec<String>>,
    pub kv: RefCell<BTreeMap<String, Stored>>,
    pub projects: RefCell<BTreeMap<String, Project<Shared>>>,
    /// The epochs of the projects that were restored. A restore does not reach them.
    pub epochs: RefCell<BTreeMap<String, String>>,
    /// The past of the projects that can be restored, by bookmark. A bookmark is the time.
    pub past: RefCell<BTreeMap<(String, Millis), Shared>>,
    pub faults: Faults,
    pub object_calls: Cell<u32>,
    pub last_message: RefCell<Vec<u8>>,
    /// The pages by address, for the JWKS of an external issuer.
    pub pages: RefCell<BTreeMap<String, String>>,
    pub fetches: Cell<u32>,
    /// The counts of the rate limiters, by binding and key.
    pub counts: RefCell<BTreeMap<(&'static str, String), u32>>,
    /// The number of requests per key that the limiters allow.
    pub limit: Cell<u32>,
}

impl Edge {
    pub fn new() -> Self {
        Self { clock: Cell::new(START), random: Random::new(1), ..Self::default() }
    }

    /// Creates an edge of these resources.
    pub fn of(resources: &Rc<Resources>) -> Self {
        Self { resources: RefCell::new(Rc::clone(resources)), ..Self::new() }
    }

    /// Returns the shape of the project of most tests.
    pub fn shape(&self) -> Rc<Shape> {
        self.shape_in("p")
    }

    /// Returns the shape of a project.
    pub fn shape_in(&self, project: &str) -> Rc<Shape> {
        Rc::clone(self.resources.borrow().shape(project))
    }

    /// Returns the shape of the project that a request names.
    pub fn shape_for(&self, sent: &Sent) -> Rc<Shape> {
        self.shape_in(sent.target.split('/').nth(1).unwrap_or_default())
    }

    /// Deploys other resources to the objects: each ends, and the next call starts it again on its storage.
    pub fn deploy(&self, resources: &Rc<Resources>) {
        self.resources.replace(Rc::clone(resources));
        self.deployments.set(self.deployments.get() + 1);
        self.restart();
    }

    fn start(&self, project: &str, database: Shared) -> Project<Shared> {
        Project::new(database, self.shape_in(project))
    }

    fn tick(&self) -> Millis {
        self.clock.set(self.clock.get() + Millis::from(!self.frozen.get()));
        self.clock.get()
    }

    pub fn moment(&self) -> Moment {
        let mut entropy = [0; 10];
        Host::random(&self, &mut entropy);
        Moment { now: self.tick(), entropy }
    }

    /// Ends every object. The next call starts it again on its storage.
    pub fn restart(&self) {
        for (key, project) in self.projects.borrow_mut().iter_mut() {
            *project = self.start(key, project.database().clone());
        }
    }

    /// Keeps the present of a project, so that it can be restored. Returns its time.
    pub fn keep(&self, project: &str) -> Millis {
        let now = self.tick();
        let copy = self.projects.borrow()[project].database().copy();
        self.past.borrow_mut().insert((project.to_owned(), now), copy);
        now
    }

    /// Restores a project as the Worker and the platform do: changes the epoch, and ends the object.
    fn restore(&self, project: &str, point: &RestorePoint) -> Option<String> {
        let newest = match point {
            RestorePoint::Time(time) => *time,
            RestorePoint::Bookmark(bookmark) => bookmark.parse().ok()?,
        };
        let span = (project.to_owned(), 0)..=(project.to_owned(), newest);
        let kept = self.past.borrow().range(span).next_back().map(|(_, kept)| kept.copy())?;
        let undo = self.keep(project);
        self.epochs.borrow_mut().insert(project.to_owned(), format!("epoch {undo}"));
        self.projects.borrow_mut().insert(project.to_owned(), self.start(project, kept));
        Some(undo.to_string())
    }

    /// Puts what waits to KV, as the Worker does after each response and at each alarm. Pauses between two puts of one
    /// KV key take no time here.
    pub fn drain(&self, project: &Project<Shared>) {
        let mut now = self.clock.get();
        let end = now + 60_000;
        while !self.faults.drain_held.get() {
            match project.next_put(now).expect("the outbox can be read") {
                Next::Put(put) => self.put(project, &put, now),
                Next::Wait(at) if at <= end && !self.faults.kv_puts.get() => now = at,
                Next::Wait(_) | Next::Nothing => return,
            }
        }
    }

    fn put(&self, project: &Project<Shared>, put: &Put, now: Millis) {
        if self.faults.kv_puts.get() {
            project.put_failed(put, now).expect("the outbox can be written");
            return;
        }
        let metadata = put.metadata.to_json();
        let stored = Stored { value: put.value.clone(), metadata, ttl_seconds: put.ttl_seconds };
        assert!(stored.metadata.len() <= 1024, "KV takes 1,024 bytes of metadata: {}", stored.metadata);
        assert!(put.entry.len() <= 512, "KV takes keys of 512 bytes: {}", put.entry);
        self.kv.borrow_mut().insert(put.entry.to_string(), stored);
        project.put_done(put, now).expect("the outbox can be written");
    }

    fn read<T>(&self, kv_key: &str, read: impl FnOnce(&Stored, &Metadata) -> T) -> Result<Option<T>, String> {
        if self.faults.kv_reads.get() {
            return Err("KV is made to fail".to_owned());
        }
        Ok(self.kv.borrow().get(kv_key).map(|stored| read(stored, &metadata(stored))))
    }

    /// Performs an effect of a request immediately, as the Worker's entry does with KV, objects, and WebCrypto.
    pub fn perform(&self, sent: &Sent, effect: &Effect) -> EffectOutcome<String> {
        let outcome = match effect {
            Effect::ReadCopy { kv_key } => self.read(kv_key, copy).map(EffectOutcome::Copy),
            Effect::ReadPointer { kv_key } => self.read(kv_key, pointer).map(EffectOutcome::Pointer),
            // A socket is its first frame here, and a stream its first page.
            Effect::CallObject { message, restore: None, .. }
            | Effect::ShareCall { message, .. }
            | Effect::Listen { message, .. }
            | Effect::Stream { message, .. } => self.call_object(message),
            Effect::CallObject { .. } if self.faults.objects.get() => {
                Err("the object is made to fail".to_owned())
            }
            Effect::CallObject { project, message, restore: Some(point), .. } => {
                let Some(undo) = self.restore(project, point) else {
                    return EffectOutcome::Text("made to be refused".to_owned());
                };
                self.call_object(message).map(|replied| match replied {
                    EffectOutcome::Reply(head, _) => {
                        EffectOutcome::Reply(head, Some(format!("{{\"undo\":\"{undo}\"}}")))
                    }
                    other => other,
                })
            }
            Effect::ReadAsset { path } => {
                assert_eq!(*path, DOCUMENT_PATH);
                let body = openapi::document(self.resources.borrow().built_in());
                Ok(EffectOutcome::Asset(Asset { etag: format!("\"{}\"", body.len()), body }))
            }
            Effect::FetchText { url } => {
                self.fetches.set(self.fetches.get() + 1);
                let page = self.pages.borrow().get(url).cloned();
                page.map(EffectOutcome::Text).ok_or_else(|| format!("{url} is unavailable"))
            }
            // Replaces WebCrypto: a signature is valid here if it begins with `good`.
            Effect::Verify { signature, .. } => Ok(EffectOutcome::Verified(signature.starts_with(b"good"))),
            Effect::CountRequest { limiter, key } => self.count(*limiter, key),
            Effect::ReadBody { limit, .. } => Ok(body_of(sent, *limit)),
        };
        outcome.unwrap_or_else(EffectOutcome::Failed)
    }

    fn count(&self, limiter: Limiter, key: &str) -> Result<EffectOutcome<String>, String> {
        if self.faults.limiters.get() {
            return Err("the limiter is made to fail".to_owned());
        }
        let mut counts = self.counts.borrow_mut();
        let count = counts.entry((limiter.binding(), key.to_owned())).or_default();
        *count += 1;
        Ok(EffectOutcome::WithinLimit(*count <= self.limit.get()))
    }

    /// Performs a check that follows a response. The check does not advance the clock, count towards a limit, or put
    /// anything.
    pub fn check(&self, service: &Service<String>, check: &Check) {
        let head = if self.faults.objects.get() {
            Err("the object is made to fail".to_owned())
        } else {
            let message = check.message().expect("a check has a message");
            let message: Message = wire::decode(&message).expect("the message can be read");
            let mut projects = self.projects.borrow_mut();
            let start = || self.start(&message.project, Shared::new());
            let project = projects.entry(message.project.clone()).or_insert_with(start);
            let moment = Moment { now: self.clock.get(), entropy: [0; 10] };
            let reply = project.perform(&message, &moment).expect("the object's memory replies");
            Ok(wire::encode(&reply.head).expect("a head has bytes"))
        };
        service.end_check(check, &self, head);
    }

    fn call_object(&self, message: &[u8]) -> Result<EffectOutcome<String>, String> {
        if self.faults.objects.get() {
            return Err("the object is made to fail".to_owned());
        }
        message.clone_into(&mut self.last_message.borrow_mut());
        self.object_calls.set(self.object_calls.get() + 1);
        let message: Message = wire::decode(message)?;
        if matches!(message.call, Call::Restore(_)) && self.faults.starts.get() {
            return Err("the object is made not to start".to_owned());
        }
        let moment = self.moment();
        let mut projects = self.projects.borrow_mut();
        let start = || self.start(&message.project, Shared::new());
        let project = projects.entry(message.project.clone()).or_insert_with(start);
        if project.lacks_epoch(&message.call) {
            let epochs = self.epochs.borrow();
            project.set_epoch(Some(epochs.get(&message.project).map_or("", String::as_str)));
        }
        let performed = project.perform(&message, &moment);
        let reply = performed.unwrap_or_else(|fault| ApiError::of_fault(fault.reason).into());
        self.drain(project);
        Ok(EffectOutcome::Reply(wire::encode(&reply.head)?, reply.body))
    }
}

fn copy(stored: &Stored, metadata: &Metadata) -> CacheCopy<String> {
    let Metadata { revision, key, deleted, .. } = metadata.clone();
    CacheCopy { body: stored.value.clone(), bytes: stored.value.len(), revision, key, deleted }
}

fn pointer(stored: &Stored, metadata: &Metadata) -> Pointer {
    Pointer { id: stored.value.clone(), deleted: metadata.deleted }
}

pub fn metadata(stored: &Stored) -> Metadata {
    let json = strict_json::value(stored.metadata.as_bytes());
    json.and_then(|json| Metadata::read(&json)).expect("metadata of the contract's shape")
}

/// Returns a message with a body in the places of its tabs, as effects.ts does.
pub fn embed(message: &str, body: &str) -> Option<String> {
    let [before, between, after] = message.split('\t').collect::<Vec<_>>().try_into().ok()?;
    Some([before, &Value::from(body).to_string(), between, body, after].concat())
}

impl Host for &Edge {
    type Raw = String;

    fn now(&self) -> Millis {
        self.tick()
    }

    fn random(&self, bytes: &mut [u8]) {
        bytes.fill_with(|| self.random.next() as u8);
    }

    fn embed(&self, message: &str, raw: String) -> Option<String> {
        embed(message, &raw)
    }

    fn text(&self, raw: String) -> Option<String> {
        Some(raw)
    }

    fn length(&self, raw: &String) -> usize {
        raw.len()
    }

    fn log(&self, line: &str) {
        self.log.borrow_mut().push(line.to_owned());
    }
}

/// Creates the service with the settings of the tests, with `changes` on top.
pub fn service(changes: &Value) -> Service<String> {
    let settings = settings(changes);
    Service::new(&|name| settings.get(name).cloned())
}

/// Creates the service with the settings of the tests, with `changes` on top, and with resources of this shape.
pub fn service_of(shape: &Rc<Shape>, changes: &Value) -> Service<String> {
    service(changes).with_resources(Rc::new(Rc::clone(shape).into()))
}

/// A request of a test runner.
#[derive(Debug, Clone, Default)]
pub struct Sent {
    pub method: String,
    /// Path and query, as on the wire.
    pub target: String,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Sent {
    /// Creates a request of a method and a target.
    pub fn new(line: &str, headers: &[(&str, &str)], body: impl Into<Vec<u8>>) -> Self {
        let (method, target) = line.split_once(' ').expect("a method and a target");
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Self { method: method.to_owned(), target: target.to_owned(), headers, body: body.into() }
    }

    /// Returns whether the response has only some fields of resources.
    pub fn has_fields(&self) -> bool {
        self.target.contains("fields=")
    }
}

/// A response of a test runner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Got {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Got {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    /// Checks that the response has the status, and its first error the code.
    #[track_caller]
    pub fn is_refused(&self, status: u16, code: &str) {
        let found = self.json()["errors"][0]["code"].clone();
        assert_eq!((self.status, found), (status, Value::from(code)), "{self:?}");
    }

    /// Returns the body as JSON; null if it is empty or not JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }
}

/// Returns the handler's response to a request, and checks the log.
pub fn send(service: &Service<String>, edge: &Edge, sent: &Sent) -> Got {
    let lines = edge.log.borrow().len();
    let (got, check) = drive(service, edge, request(sent), sent, |_| None);
    if let Some(check) = check {
        edge.check(service, &check);
    }
    check_log(&edge.log.borrow()[lines..], sent, got.status);
    got
}

/// Converts the response as the entry does.
pub fn got(response: Response<String>) -> Got {
    let Response { status, headers, body } = response;
    let body = match body {
        Body::Empty => String::new(),
        Body::Text(text) | Body::Raw(text) => text,
    };
    let headers =
        headers.into_iter().map(|(header, value)| (header.name().to_owned(), value.into_owned())).collect();
    Got { status, headers, body }
}

/// Converts the request as the entry does.
pub fn request(sent: &Sent) -> Request {
    let headers = Box::new(HeaderPairs::new(&sent.headers));
    Request::new(sent.method.clone(), sent.target.clone(), headers)
}

/// Reads the body of a request.
pub fn body_of(sent: &Sent, limit: usize) -> EffectOutcome<String> {
    EffectOutcome::Body((sent.body.len() <= limit).then(|| sent.body.clone()))
}

/// Runs an exchange. The function performs each effect, or the edge immediately if it returns `None`.
pub fn drive(
    service: &Service<String>,
    edge: &Edge,
    request: Request,
    sent: &Sent,
    mut perform: impl FnMut(&Effect) -> Option<EffectOutcome<String>>,
) -> (Got, Option<Check>) {
    let mut step = Exchange::start(service, edge, request);
    loop {
        match step {
            HandlerStep::Respond(response, check) => return (got(response), check),
            HandlerStep::Perform(effect, exchange) => {
                step = exchange.resume(perform(&effect).unwrap_or_else(|| edge.perform(sent, &effect)));
            }
        }
    }
}
