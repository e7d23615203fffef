//! The edges: each location has its clock, its service, and its caches of KV. The real handler runs here; the world
//! performs its effects, late, twice, or not at all.

mod memory;
mod pages;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use resource_edge::call::{CallResult, ReplyHead, wire};
use resource_edge::contract::api::header::RequestHeader;
use resource_edge::contract::kv::Metadata;
use resource_edge::project::Moment;
use resource_edge::server::effect::{Effect, EffectOutcome, Exchange, HandlerStep};
use resource_edge::server::platform::{CacheCopy, Host, Pointer};
use resource_edge::server::{Check, Service};
use resource_edge::shape::Resources;
use resource_edge::util::time::Millis;
use serde_json::json;

use crate::support::caller::{token_in, token_request};
use crate::support::edge::{Got, Sent, body_of, embed, got, request, service};
use crate::support::invariants;
use crate::support::schemas::Design;
use crate::world::simulation::kv::Stored;
use crate::world::simulation::mutant::Mutant;
use crate::world::simulation::random::Random;
use crate::world::simulation::workload::{Intent, Operation};
use crate::world::simulation::world::World;

pub(crate) use memory::SECONDS;
pub(crate) use pages::{ObjectPage, SharedCall};

/// One in this number of responses is checked against the rules of every response, because parsing is slow.
const CHECKED: u64 = 4;

/// The lifetime of tokens, in seconds. They end soon, so that some end while they are in use.
pub(crate) const TOKEN_SECONDS: u64 = 300;

/// A place of the edge.
pub(crate) struct Location {
    /// By how much its clock is ahead.
    pub(crate) clock: Cell<i64>,
    /// When its clock last jumped.
    pub(crate) jumped: Cell<Millis>,
    /// When it last got another service, which remembers nothing.
    deployed: Cell<Millis>,
    service: RefCell<Rc<Service<String>>>,
    /// `HOT_SECONDS`
    seconds: u64,
    reads: RefCell<memory::Reads>,
    /// The KV key and the revision of each resource that it has returned, and when.
    returned: RefCell<Vec<(String, Millis, Millis)>>,
}

impl Location {
    pub(crate) fn new(resources: &Rc<Resources>, seconds: u64) -> Self {
        let service = RefCell::new(Self::serve(resources, seconds));
        let (clock, jumped, deployed) = <(Cell<_>, Cell<_>, Cell<_>)>::default();
        let (reads, returned) = <(RefCell<_>, RefCell<_>)>::default();
        Self { clock, jumped, deployed, service, seconds, reads, returned }
    }

    /// Starts the service with other resources. Requests that have begun end with those before.
    pub(crate) fn deploy(&self, resources: &Rc<Resources>, now: Millis) {
        self.deployed.set(now);
        self.service.replace(Self::serve(resources, self.seconds));
    }

    fn serve(resources: &Rc<Resources>, seconds: u64) -> Rc<Service<String>> {
        let settings = json!({ "LOG": "off", "TOKEN_TTL": TOKEN_SECONDS, "HOT_SECONDS": seconds });
        Rc::new(service(&settings).with_resources(Rc::clone(resources)))
    }

    fn host(self: &Rc<Self>, now: &Rc<Cell<Millis>>, random: &Rc<Random>) -> EdgeHost {
        EdgeHost { now: Rc::clone(now), location: Rc::clone(self), random: Rc::clone(random) }
    }

    /// Begins the handling of a request.
    pub(crate) fn start(
        self: &Rc<Self>,
        now: &Rc<Cell<Millis>>,
        random: &Rc<Random>,
        sent: &Sent,
    ) -> HandlerStep<'static, EdgeHost> {
        let service = Rc::clone(&self.service.borrow());
        Exchange::start(service, self.host(now, random), request(sent))
    }
}

/// Returns the time of a clock that is ahead by so much.
pub(crate) fn by_clock(now: Millis, ahead: i64) -> Millis {
    now.saturating_add_signed(ahead)
}

/// Synchronous functions of the host.
pub(crate) struct EdgeHost {
    now: Rc<Cell<Millis>>,
    location: Rc<Location>,
    random: Rc<Random>,
}

impl Host for EdgeHost {
    type Raw = String;

    fn now(&self) -> Millis {
        by_clock(self.now.get(), self.location.clock.get())
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

    fn log(&self, _: &str) {}
}

/// A request on its way or in its handling.
pub(crate) struct Request {
    pub(crate) call: u64,
    pub(crate) attempt: u32,
    pub(crate) location: usize,
    pub(crate) operation: Rc<Operation>,
    pub(crate) sent: Sent,
    /// The resource of its edge.
    pub(crate) design: Design,
    /// The number of committed states when the request was sent.
    pub(crate) began: usize,
    /// When the request arrived.
    pub(crate) arrived: Millis,
    /// Whether its handling read KV or called the object.
    pub(crate) asks: bool,
    /// The minimum revision of the request.
    pub(crate) minimum: Millis,
    /// Whether no client waits for the response.
    pub(crate) repeat: bool,
    /// Whether a statement failed on purpose, so that 500 is right.
    pub(crate) faulty: bool,
    pub(crate) exchange: Option<Exchange<'static, EdgeHost>>,
}

fn read(effect: &Effect, stored: Option<Stored>) -> EffectOutcome<String> {
    match effect {
        Effect::ReadCopy { .. } => EffectOutcome::Copy(stored.map(|Stored { value, metadata, .. }| {
            let Metadata { revision, key, deleted, .. } = metadata;
            CacheCopy { bytes: value.len(), body: value, revision, key, deleted }
        })),
        _ => EffectOutcome::Pointer(
            stored.map(|stored| Pointer { id: stored.value, deleted: stored.metadata.deleted }),
        ),
    }
}

impl World {
    /// Handles the arrival of a request at its edge.
    pub(crate) fn arrive(&mut self, number: u64) {
        let now = self.now();
        let Some(request) = self.requests.get_mut(&number) else { return };
        request.arrived = now;
        let ignores_minimum = match (self.mutant, &request.operation.intent) {
            (Some(Mutant::ForgetMinimumRevision), _) => true,
            (Some(Mutant::RememberPagesWithoutMinimum), _) => request.operation.is_query(),
            (Some(Mutant::RememberWithoutMinimum), Intent::ReadId(id)) => {
                self.locations[request.location].remembers(id, now)
            }
            _ => false,
        };
        if ignores_minimum {
            request.sent.headers.retain(|(name, _)| name != RequestHeader::MinRevision.name());
        }
        request.design = self.deployed.edges.clone();
        if self.mutant == Some(Mutant::RememberPagesTooLong) {
            for (_, value) in &mut request.sent.headers {
                *value = value.replace("max-age=", "max-age=9");
            }
        }
        let (location, sent) = (&self.locations[request.location], request.sent.clone());
        let step = if self.mutant == Some(Mutant::ForgetOwnWrites) && request.operation.is_write() {
            let resources = self.neighbor.resources(&self.deployed.edges, self.mutant);
            let other = Location::new(&resources, SECONDS);
            other.clock.set(location.clock.get());
            Rc::new(other).start(&self.now, &self.random, &sent)
        } else {
            location.start(&self.now, &self.random, &sent)
        };
        self.advance(number, step);
    }

    fn advance(&mut self, number: u64, step: HandlerStep<'static, EdgeHost>) {
        match step {
            HandlerStep::Respond(response, check) => {
                if let Some((check, request)) = check.zip(self.requests.get(&number)) {
                    let (location, pause) = (request.location, self.delay(5, 50));
                    self.after(pause, move |world| world.check_replication(location, &check));
                }
                self.respond(number, got(response));
            }
            HandlerStep::Perform(effect, exchange) => {
                let Some(request) = self.requests.get_mut(&number) else { return };
                request.exchange = Some(exchange);
                let operation = Rc::clone(&request.operation);
                self.begin_effect(number, operation, effect);
            }
        }
    }

    fn begin_effect(&mut self, number: u64, operation: Rc<Operation>, effect: Effect) {
        if let Some(request) = self.requests.get_mut(&number) {
            request.asks |= !matches!(effect, Effect::ReadBody { .. });
        }
        match effect {
            Effect::ReadCopy { .. } | Effect::ReadPointer { .. } => {
                let pause = self.delay(1, 10);
                self.after(pause, move |world| world.perform_effect(number, &effect));
            }
            Effect::ShareCall { message, joins, .. } if self.joins(number, &message, joins) => {}
            Effect::CallObject { message, .. } | Effect::ShareCall { message, .. } => {
                let Some(request) = self.requests.get(&number) else { return };
                let sender = request.design.clone();
                if self.goes_wrong(self.faults.repeated_messages) {
                    self.report.count("a message is repeated");
                    let pause = self.delay(5, 50) + self.random.below(20_000);
                    let (operation, sender, message) =
                        (Rc::clone(&operation), sender.clone(), message.clone());
                    self.after(pause, move |world| world.message(None, &operation, &sender, &message));
                }
                let pause = self.delay(5, 50);
                if self.goes_wrong(self.faults.lost_messages) {
                    self.report.count("a message is lost");
                    self.report.trace(|| format!("request {number}: the message is lost"));
                    let outcome = EffectOutcome::Failed("the message was lost".to_owned());
                    return self.after(pause, move |world| world.resume(number, outcome));
                }
                self.after(pause, move |world| world.message(Some(number), &operation, &sender, &message));
            }
            Effect::ReadBody { limit, .. } => {
                // Slow enough for other events to come between.
                let Some(request) = self.requests.get(&number) else { return };
                let outcome = body_of(&request.sent, limit);
                let pause = self.delay(1, 10);
                self.after(pause, move |world| world.resume(number, outcome));
            }
            other => self.report.check(Err(format!("an effect that no operation has: {other:?}"))),
        }
    }

    /// Performs the effect of a request: its location reads KV.
    pub(crate) fn perform_effect(&mut self, number: u64, effect: &Effect) {
        let Some(request) = self.requests.get(&number) else { return };
        let (location, operation) = (request.location, Rc::clone(&request.operation));
        let (Effect::ReadCopy { kv_key: entry } | Effect::ReadPointer { kv_key: entry }) = effect else {
            return;
        };
        if self.goes_wrong(self.faults.kv_reads) {
            self.report.count("a read of KV fails");
            return self.resume(number, EffectOutcome::Failed("KV was made to fail".to_owned()));
        }
        let (now, random) = (self.now(), Rc::clone(&self.random));
        let stored = self.kv.read(location, entry, now, &self.faults, &random);
        let is_stale = stored.as_ref() != self.kv.stored(entry, now);
        if is_stale {
            self.report.count("a location reads an old state of KV");
        }
        self.report.trace(|| {
            let found = stored.as_ref().map(|stored| stored.metadata.to_json());
            format!("request {number}: {entry} is {found:?}{}", if is_stale { ", an old state" } else { "" })
        });
        let mut outcome = read(effect, stored);
        if let EffectOutcome::Copy(Some(copy)) = &mut outcome {
            self.locations[location].note_copy(entry, copy.revision, now);
            match (self.mutant, &operation.intent) {
                (Some(Mutant::ServeTombstones), _) => copy.deleted = false,
                (Some(Mutant::TrustPointers), Intent::ReadKey(key)) => copy.key = Some(key.clone()),
                _ => {}
            }
        }
        self.resume(number, outcome);
    }

    /// Continues the handling of a request.
    pub(crate) fn resume(&mut self, number: u64, outcome: EffectOutcome<String>) {
        for waiting in self.waiting_for(number) {
            let outcome = match &outcome {
                EffectOutcome::Reply(head, body) => EffectOutcome::Reply(head.clone(), body.clone()),
                _ => EffectOutcome::Failed("the shared call failed".to_owned()),
            };
            let faulty = self.requests.get(&number).is_some_and(|request| request.faulty);
            if let Some(request) = self.requests.get_mut(&waiting) {
                request.faulty |= faulty;
            }
            self.resume(waiting, outcome);
        }
        let waiting = self.requests.get_mut(&number).and_then(|request| request.exchange.take());
        if let Some(exchange) = waiting {
            let step = exchange.resume(outcome);
            self.advance(number, step);
        }
    }

    fn respond(&mut self, number: u64, got: Got) {
        let Some(request) = self.requests.remove(&number) else { return };
        let Request { ref operation, call, attempt, began, minimum, ref sent, ref design, .. } = request;
        self.report.trace(|| {
            let revision = got.header("Resource-Revision").unwrap_or("-");
            format!("request {number} ({}): {} at revision {revision}", operation.mark(), got.status)
        });
        // A record keeps its bytes of an earlier deployment until its next write.
        if number.is_multiple_of(CHECKED)
            && (got.status >= 400 || !self.deployed.has_changed())
            && let Some(broken) = invariants::broken(&self.deployed.edges.shape, sent, &got)
        {
            self.report.check(Err(format!("{broken}: {sent:?} got {got:?}")));
        }
        let is_accepted = operation.is_accepted(design);
        let verdict = match got.status {
            401 | 503 => Ok(()),
            400 if !is_accepted => Ok(()),
            _ if !is_accepted => Err(format!("{operation:?} breaks a rule of {design:?}: {got:?}")),
            500 if request.faulty => Ok(()),
            500.. => Err(format!("{} for {operation:?}: {got:?}", got.status)),
            _ => self.oracle.responded(operation, began, minimum, &got),
        };
        self.report.check(verdict);
        self.check_memory(&request, &got);
        self.check_page(&request, &got);
        if got.header("Warning").is_some() {
            self.report.count("a stale copy in place of the object");
        }
        if request.repeat {
            return;
        }
        let pause = self.delay(5, 50);
        if !is_accepted {
            let what = ["a body breaks a rule", "an edge refuses what another accepts"];
            self.report.count(what[usize::from(operation.is_accepted(&self.deployed.newest))]);
        }
        if self.goes_wrong(self.faults.lost_responses) {
            self.report.count("a response is lost");
            return self.fails(call, attempt, pause);
        }
        self.after(pause, move |world| world.answer(call, attempt, Some(&got)));
    }

    /// Sends the check of a location to the object: whether KV is behind.
    pub(crate) fn check_replication(&mut self, location: usize, check: &Check) {
        let mut head = self.answer_check(&check.message().expect("a check has a message"));
        if let (Ok(head), Some(Mutant::HideBacklog)) = (&mut head, self.mutant)
            && let Ok(reply) = wire::decode::<ReplyHead>(head)
            && let CallResult::Replication { .. } = reply.result
        {
            let reply = ReplyHead { result: CallResult::Replication { bypass_kv: false }, ..reply };
            *head = wire::encode(&reply).expect("a head has bytes");
        }
        if let Ok(head) = &head {
            self.note_commits();
            let verdict = self.check_bypass(head);
            self.report.check(verdict);
        }
        if let Ok(head) = &head
            && let Ok(ReplyHead { result: CallResult::Replication { bypass_kv: true }, .. }) =
                wire::decode(head)
        {
            self.report.count("a location learns that KV is behind");
        }
        let location = &self.locations[location];
        let service = Rc::clone(&location.service.borrow());
        service.end_check(check, &location.host(&self.now, &self.random), head);
    }

    /// Sends a request, and performs its effects immediately.
    pub(crate) fn ask(&mut self, location: usize, sent: &Sent) -> Got {
        let mut step = self.locations[location].start(&self.now, &self.random, sent);
        loop {
            match step {
                HandlerStep::Respond(response, _) => return got(response),
                HandlerStep::Perform(effect, exchange) => {
                    let outcome = self.at_once(location, sent, &effect);
                    step = exchange.resume(outcome);
                }
            }
        }
    }

    fn at_once(&mut self, location: usize, sent: &Sent, effect: &Effect) -> EffectOutcome<String> {
        let (now, random) = (self.now(), Rc::clone(&self.random));
        match effect {
            Effect::ReadCopy { kv_key } | Effect::ReadPointer { kv_key } => {
                let outcome = read(effect, self.kv.read(location, kv_key, now, &self.faults, &random));
                if let EffectOutcome::Copy(Some(copy)) = &outcome {
                    self.locations[location].note_copy(kv_key, copy.revision, now);
                }
                outcome
            }
            Effect::ReadBody { limit, .. } => body_of(sent, *limit),
            Effect::CallObject { message, project, .. } if project == "q" => {
                let mut entropy = [0; 10];
                entropy.fill_with(|| random.next() as u8);
                self.neighbor.perform(message, &Moment { now, entropy })
            }
            _ => EffectOutcome::Failed("only the edge itself".to_owned()),
        }
    }

    /// Issues a new token, from the token endpoint of a location.
    pub(crate) fn issue_token(&mut self, location: usize) -> String {
        token_in(&self.ask(location, &token_request("tests", "manage_test:p")))
    }
}
