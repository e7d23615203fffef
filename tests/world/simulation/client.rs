//! The clients: the real `src/client` decides what follows an attempt. This code performs it, as
//! `pkg/src/client/calls.ts` does in TypeScript.

mod described;

use std::fmt::Write as _;
use std::rc::Rc;

use resource_edge::client::message::{Layout, TextList, encode};
use resource_edge::client::{
    self, ATTEMPTS, CallState, Client, Decision, Options, Response, Retry, Step, TIMEOUT_MS,
};
use resource_edge::contract::api::endpoint::{ENDPOINTS, Method, Target};
use resource_edge::util::time::{self, Millis};
use serde_json::Value;

use self::described::{Described, revision, written};
use crate::support::edge::{Got, Sent};
use crate::support::schemas::Design;
use crate::world::simulation::edge::Request;
use crate::world::simulation::mutant::Mutant;
use crate::world::simulation::session::{Result, Seen, Shown};
use crate::world::simulation::workload::{self, Intent, Known, Operation};
use crate::world::simulation::world::World;

/// The maximum number of concurrent calls of one client.
const AT_ONCE: usize = 3;
/// The timeouts of calls: mostly the default.
const TIMEOUTS_MS: [u32; 4] = [TIMEOUT_MS, TIMEOUT_MS, TIMEOUT_MS, 2_000];
/// The number of queries that clients may repeat.
const QUERIES: usize = 3;
const BASE: &str = "https://a.test";

/// A client with its user.
pub(crate) struct Caller {
    core: Client,
    home: usize,
    token: Option<String>,
    known: Known,
    seen: Seen,
    active: usize,
    left: u64,
}

impl Caller {
    pub(crate) fn new(home: usize, calls: u64) -> Self {
        Self {
            core: core(),
            home,
            token: None,
            known: Known::new(),
            seen: Seen::default(),
            active: 0,
            left: calls,
        }
    }

    pub(crate) fn is_done(&self) -> bool {
        self.left == 0 && self.active == 0
    }
}

fn core() -> Client {
    let Retry { retries, base_delay, max_delay } = Retry::DEFAULT;
    let options = Options { retries, base_delay, max_delay, ..Options::default() };
    Client::new(&Options { project_key: "p", base_url: BASE, ..options }).expect("good options")
}

/// A call that is under way.
pub(crate) struct Call {
    client: usize,
    operation: Rc<Operation>,
    core: CallState,
    /// Whether the request of the attempt was sent and has no response.
    is_sent: bool,
    /// Whether the network sent a request twice. A later copy may be performed after the first was refused.
    is_copied: bool,
    attempt: u32,
    timeout: Millis,
    /// The newest revision that its client had seen.
    seen: Millis,
}

/// Returns the number of an operation, and its method. Only calls of projects have numbers.
fn row(operation: &Operation) -> (usize, Method) {
    let rows = ENDPOINTS.iter().filter(|row| matches!(row.target, Target::Project(..)));
    let mut rows = rows.enumerate().map(|(number, row)| (number, row.method, row.name));
    let (number, method, _) = rows.find(|(.., name)| *name == operation.name).expect("a call of the table");
    (number, method)
}

/// Encodes a message to the client's core. Every number of its layout must be there, in any order.
fn message(layout: &Layout, numbers: &[(&str, f64)], texts: &[(&str, &str)], list: &[&str]) -> Vec<u8> {
    fn part<T: Copy>(layout: &Layout, parts: &[(&str, T)], name: &str) -> T {
        let found = parts.iter().find(|(known, _)| *known == name);
        found.unwrap_or_else(|| panic!("the simulation sets no {name} of a {}", layout.name)).1
    }
    let numbers: Vec<f64> = layout.numbers.iter().map(|name| part(layout, numbers, name)).collect();
    let texts = layout.texts.iter().map(|name| part(layout, texts, name));
    encode(&numbers, &texts.chain(list.iter().copied()).collect::<Vec<_>>())
}

fn begin(operation: &Operation, deadline: Millis) -> CallState {
    let numbers = [
        ("operation", row(operation).0 as f64),
        ("fresh", f64::from(u8::from(operation.fresh))),
        ("respond_async", f64::from(u8::from(operation.respond_async))),
        ("repeated", 0.0),
        ("renewable", 1.0),
        ("deadline", deadline as f64),
        ("failures", 0.0),
        ("parameters", operation.params.len() as f64),
        ("max_age", operation.max_age as f64),
    ];
    let key = operation.mark();
    let [first, second] = &operation.variables;
    let texts = [
        ("idempotency_key", key.as_str()),
        ("first_variable", first),
        ("second_variable", second),
        ("body_id", operation.body_id()),
        ("body_key", operation.body_key()),
    ];
    let pairs = operation.params.iter().chain(&operation.headers);
    let list: Vec<&str> = pairs.flat_map(|(name, value)| [*name, value.as_str()]).collect();
    CallState::new(&message(&client::Call::LAYOUT, &numbers, &texts, &list))
}

impl World {
    /// Begins a call of a client, if it can.
    pub(crate) fn act(&mut self, client: usize) {
        let random = Rc::clone(&self.random);
        let number = self.number();
        let caller = &mut self.callers[client];
        if caller.left == 0 {
            return;
        }
        if caller.active < AT_ONCE {
            caller.active += 1;
            caller.left -= 1;
            if self.mutant == Some(Mutant::ForgetSession) {
                caller.core = core();
            }
            let seen = caller.seen.newest;
            let operation = self.next_operation(number, client);
            let timeout = Millis::from(*random.pick(&TIMEOUTS_MS));
            let deadline = self.now() + timeout;
            let call = Call {
                client,
                core: begin(&operation, deadline),
                operation,
                is_sent: false,
                is_copied: false,
                attempt: 0,
                timeout,
                seen,
            };
            self.report
                .trace(|| format!("client {client} calls {}: {:?}", call.operation.mark(), call.operation));
            self.calls.insert(number, call);
            self.after(timeout, move |world| world.expire(number));
            self.send(number);
        }
        let pause = if random.chance(300) { random.below(20) } else { random.below(2_500) };
        self.after(pause, move |world| world.act(client));
    }

    /// Returns the operation of a call: one that is drawn, or a query again that was sent before.
    fn next_operation(&mut self, number: u64, client: usize) -> Rc<Operation> {
        let random = &self.random;
        let operation = if random.chance(self.popularity) && !self.queries.is_empty() {
            let query = random.pick(&self.queries);
            Operation { number, max_age: *random.pick(&[1, 5]), ..(**query).clone() }
        } else {
            workload::draw(random, number, &self.callers[client].known, &self.deployed.newest)
        };
        let operation = Rc::new(operation);
        if operation.is_query() && self.queries.len() < QUERIES {
            self.queries.push(Rc::clone(&operation));
        }
        operation
    }

    #[allow(clippy::too_many_lines, reason = "the steps of a call, as in the package")]
    pub(crate) fn send(&mut self, number: u64) {
        let Some(call) = self.calls.get_mut(&number) else { return };
        call.attempt += 1;
        call.is_sent = true;
        let operation = Rc::clone(&call.operation);
        let client = call.client;
        let caller = &self.callers[client];
        let mut headers: Vec<(String, String)> = Vec::new();
        let mut minimum = 0;
        let url = caller.core.render(
            &mut call.core,
            |_, _| None,
            |name, value| {
                let mut value = value.to_owned();
                match name {
                    "Resource-Min-Revision" => minimum = value.parse().expect("a revision"),
                    "Idempotency-Key" if self.mutant == Some(Mutant::RetryUnderNewKey) => {
                        write!(value, "-{}", call.attempt).expect("a text");
                    }
                    _ => {}
                }
                headers.push((name.to_owned(), value));
            },
        );
        let url = url.expect("a call that can be sent");
        let (attempt, limit) = (call.attempt, call.timeout / Millis::from(ATTEMPTS));
        let home = caller.home;
        self.after(limit, move |world| world.late(number, attempt));
        let roams = self.random.chance(150);
        let location = if roams { self.random.below(self.locations.len() as u64) as usize } else { home };
        let token = self.token(client);
        headers.push(("Authorization".to_owned(), format!("Bearer {token}")));
        let sent = Sent {
            method: row(&operation).1.name().to_owned(),
            target: url.strip_prefix(BASE).expect("an address of the service").to_owned(),
            headers,
            body: operation.body.as_ref().map(|body| body.to_string().into_bytes()).unwrap_or_default(),
        };
        let pause = self.delay(5, 50);
        if self.goes_wrong(self.faults.lost_requests) {
            self.report.count("a request is lost");
            return self.fails(number, attempt, pause);
        }
        let is_copied = self.goes_wrong(self.faults.repeated_requests);
        if let Some(call) = self.calls.get_mut(&number) {
            call.is_copied |= is_copied;
        }
        let repeats = if is_copied { 2 } else { 1 };
        for repeat in 0..repeats {
            let request = self.number();
            self.report.trace(|| {
                let mark = operation.mark();
                format!(
                    "request {request} of {mark} to {location}, minimum {minimum}: {} {}",
                    sent.method, sent.target
                )
            });
            let (sent, operation) = (sent.clone(), Rc::clone(&operation));
            let began = self.oracle.place();
            let waiting = Request {
                call: number,
                attempt,
                location,
                operation,
                sent,
                design: Design::default(),
                began,
                arrived: 0,
                asks: false,
                minimum,
                repeat: repeat > 0,
                faulty: false,
                exchange: None,
            };
            self.requests.insert(request, waiting);
            let pause = pause + repeat * self.random.below(10_000);
            self.after(pause, move |world| world.arrive(request));
        }
    }

    /// Returns the client's token. Gets one from its home location if it has none.
    fn token(&mut self, client: usize) -> String {
        if let Some(token) = &self.callers[client].token {
            return token.clone();
        }
        let token = self.issue_token(self.callers[client].home);
        self.callers[client].token.insert(token).clone()
    }

    /// Ends an attempt by a failure: the client learns of it, or the request hangs.
    pub(crate) fn fails(&mut self, call: u64, attempt: u32, pause: Millis) {
        if self.random.chance(850) {
            self.after(pause, move |world| world.answer(call, attempt, None));
        }
    }

    /// Handles the arrival of a response or a failure.
    pub(crate) fn answer(&mut self, number: u64, attempt: u32, got: Option<&Got>) {
        let Some(decision) = self.decide(number, attempt, got, false) else { return };
        if let Some(call) = self.calls.get_mut(&number) {
            call.is_sent = false;
        }
        self.carry_out(number, decision, got);
    }

    /// Handles an attempt that takes too long.
    pub(crate) fn late(&mut self, number: u64, attempt: u32) {
        if self.calls.get(&number).is_some_and(|call| call.is_sent)
            && let Some(decision) = self.decide(number, attempt, None, true)
        {
            self.report.count("an attempt hangs");
            self.carry_out(number, decision, None);
        }
    }

    /// Returns what follows an attempt, unless another has begun since.
    fn decide(&mut self, number: u64, attempt: u32, got: Option<&Got>, late: bool) -> Option<Decision> {
        let now = self.now();
        let jitter = self.random.next() as u32;
        let call = self.calls.get_mut(&number).filter(|call| call.attempt == attempt)?;
        let operation = &call.operation;
        let Described { status, revision, retry_after, tagged_id, resources } = Described::of(operation, got);
        let list = encode(&[], &resources.iter().map(String::as_str).collect::<Vec<_>>());
        let response = Response {
            now,
            jitter,
            late,
            status: status.into(),
            revision,
            retry_after,
            tagged_id: &tagged_id,
            resources: TextList::decode(&list),
            // The service responds, or nobody.
            foreign: false,
            unsent: false,
        };
        let decision = self.callers[call.client].core.next(&mut call.core, &response);
        self.report.trace(|| format!("{}: status {status}, then {decision:?}", operation.mark()));
        Some(decision)
    }

    fn carry_out(&mut self, number: u64, decision: Decision, got: Option<&Got>) {
        let Some(call) = self.calls.get_mut(&number) else { return };
        match decision.step {
            Step::Wait => return,
            Step::Done | Step::Fail => return self.complete(number, got),
            Step::FailRetryable => return self.complete(number, None),
            Step::Refresh if self.mutant == Some(Mutant::SkipRefresh) => return self.complete(number, got),
            Step::Retry => self.report.count("a call is retried"),
            Step::Refresh => self.report.count("a read is refreshed"),
            Step::RenewToken => {
                let client = call.client;
                self.callers[client].token = None;
                self.report.count("a token is renewed");
            }
        }
        // Until then, a response to the last attempt is ignored, as the response to an aborted request.
        if let Some(call) = self.calls.get_mut(&number) {
            (call.attempt, call.is_sent) = (call.attempt + 1, false);
        }
        self.after(decision.pause, move |world| world.send(number));
    }

    /// Ends a call that times out without a result.
    pub(crate) fn expire(&mut self, number: u64) {
        if self.calls.contains_key(&number) {
            self.report.count("a call times out");
            self.complete(number, None);
        }
    }

    /// Ends a call with this response. `None`: there is none, or it is no result.
    fn complete(&mut self, number: u64, got: Option<&Got>) {
        let Some(call) = self.calls.remove(&number) else { return };
        let is_unknown = call.core.is_unknown() || call.is_sent;
        let is_success = got.is_some_and(|got| got.status < 300);
        let claims = !is_unknown || self.mutant == Some(Mutant::UnknownIsRefused);
        if call.operation.is_write() && !is_success && claims && !call.is_copied {
            self.report.count("a write is refused");
            self.refused.push(call.operation.number);
        }
        let caller = &mut self.callers[call.client];
        caller.active -= 1;
        let Some(got) = got else { return };
        learn(&mut caller.known, &call.operation, got);
        let is_page = call.operation.is_query() && matches!(got.status, 200 | 404);
        let page = revision(got).filter(|_| is_page).map_or(Ok(()), |it| caller.seen.add_page(it, call.seen));
        self.report.check(page);
        let Some(result) = result(&call, got) else { return };
        let verdict = caller.seen.add(&result);
        let client = call.client;
        let verdict = verdict.map_err(|what| format!("client {client}, {}: {what}", call.operation.mark()));
        self.report.count("a call has a result");
        self.report.check(verdict);
    }
}

fn shown(data: &Value) -> Option<Shown> {
    Some(Shown {
        id: data["id"].as_str()?.to_owned(),
        key: data["key"].as_str().map(str::to_owned),
        revision: time::parse(data["lastModifiedAt"].as_str()?)?,
    })
}

/// Returns what the caller learns from a call's response.
fn result(call: &Call, got: &Got) -> Option<Result> {
    let operation = &call.operation;
    let data = got.json();
    let revision = revision(got);
    let read = |shown, asked: Option<&String>| Some(Result::Read { shown, asked: asked.cloned() });
    match (&operation.intent, got.status) {
        (Intent::ReadId(_), 200) => read(vec![shown(&data)?], None),
        (Intent::ReadKey(key), 200) => read(vec![shown(&data)?], Some(key)),
        (Intent::Find(_), 200) => read(data["results"].as_array()?.iter().filter_map(shown).collect(), None),
        (Intent::ReadId(id), 404) => {
            Some(Result::Missing { id: Some(id.clone()), key: None, revision: revision? })
        }
        (Intent::ReadKey(key), 404) => {
            Some(Result::Missing { id: None, key: Some(key.clone()), revision: revision? })
        }
        (Intent::Write(_), 200..300) if operation.name == "deleteById" => {
            Some(Result::Written(vec![Shown { revision: revision?, ..shown(&data)? }]))
        }
        (Intent::Batch(writes), 200) => {
            Some(Result::Written(written(writes, got).iter().filter_map(shown).collect()))
        }
        (Intent::Write(_), 200..300) => {
            if let Some(shown) = shown(&data) {
                return Some(Result::Written(vec![shown]));
            }
            // Operations 9 and 13 return no record. IDs here have no characters that a tag escapes.
            let (id, _) = got.header("ETag")?.trim_matches('"').rsplit_once('.')?;
            let key = Some(operation.body_key().to_owned()).filter(|key| !key.is_empty());
            Some(Result::Written(vec![Shown { id: id.to_owned(), key, revision: revision? }]))
        }
        _ => None,
    }
}

/// Stores what the caller needs for later writes.
fn learn(known: &mut Known, operation: &Operation, got: &Got) {
    let data = got.json();
    let mut see = |record: &Value| {
        if let (Some(shown), Some(version)) = (shown(record), record["version"].as_u64()) {
            known.insert(shown.id, (version, shown.revision));
        }
    };
    match got.status {
        200..300 => {
            data["results"].as_array().into_iter().flatten().for_each(&mut see);
            see(&data);
            if let Intent::Batch(writes) = &operation.intent {
                written(writes, got).iter().for_each(see);
            }
        }
        409 => {
            let version = data["errors"][0]["currentVersion"].as_u64();
            if let (Some(version), Intent::Write(write)) = (version, &operation.intent)
                && let Some(entry) = write.id.as_ref().and_then(|id| known.get_mut(id))
            {
                entry.0 = version;
            }
        }
        _ => {}
    }
}
