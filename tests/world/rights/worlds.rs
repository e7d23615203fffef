//! The service with all resources, and for each reader a second one that has only the reader's.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use resource_edge::contract::response::export_end::ExportEnd;
use resource_edge::predicate::Typed;
use resource_edge::project::{Moment, Project};
use resource_edge::shape::Resources;
use serde_json::{Value, json};

use super::calls::{self, Asked};
use super::draw::{Plan, Reader};
use crate::native::reference::evaluate::holds;
use crate::support::caller::Caller;
use crate::support::edge::{Got, START, Sent, Stored, send};
use crate::support::random::Random;
use crate::support::shared::Shared;

/// The ID of a deletion that brings the project with a part to the revision of the whole.
const END: &str = "zz-end";

/// A project with only the resources of a reader.
pub(super) struct Twin {
    pub(super) caller: Caller,
    /// The IDs of the resources that it does not have.
    pub(super) hidden: BTreeSet<String>,
    pub(super) shown: usize,
    /// The project as it was when KV had its copies, if that is behind.
    older: Option<Caller>,
}

/// What a read has shown.
pub(super) struct Compared {
    pub(super) status: u16,
    /// Whether no object was called.
    pub(super) is_of_copy: bool,
    /// Whether the response is that of an earlier state.
    pub(super) is_old: bool,
}

pub(super) struct Worlds {
    pub(super) plan: Plan,
    pub(super) caller: Caller,
    now: Cell<u64>,
    seed: Cell<u64>,
    /// The positions that followers have.
    positions: RefCell<Vec<String>>,
    /// The operations that readers have sent, as the log names them.
    pub(super) operations: RefCell<BTreeSet<String>>,
    /// What KV has in the end.
    newest: RefCell<BTreeMap<String, Stored>>,
}

impl Worlds {
    /// Returns the worlds of a random plan whose project has some resources.
    pub(super) fn draw(random: &Random) -> Self {
        loop {
            let plan = Plan::draw(random);
            let caller = Caller::serving(&plan.resources());
            let worlds = Self {
                plan,
                caller,
                now: Cell::new(START),
                seed: Cell::new(0),
                positions: RefCell::default(),
                operations: RefCell::default(),
                newest: RefCell::default(),
            };
            for _ in 0..14 {
                let call = calls::creation(random, &worlds, None);
                worlds.send_as_operator(&call);
                worlds.next();
            }
            if worlds.all().len() > 3 {
                return worlds;
            }
        }
    }

    /// Changes resources, and returns what each reader then reads. If `lags`, KV keeps the copies from before.
    pub(super) fn change_under(&self, random: &Random, lags: bool) -> Vec<(Reader, Twin)> {
        let readers = || self.plan.readers();
        let older: Vec<_> = readers().map(|reader| lags.then(|| self.twin(&reader).caller)).collect();
        let kv = self.caller.edge.kv.borrow().clone();
        self.change(random);
        let twins = readers().zip(older).map(|(reader, older)| {
            let twin = Twin { older, ..self.twin(&reader) };
            (reader, twin)
        });
        let twins = twins.collect();
        self.newest.replace(self.caller.edge.kv.borrow().clone());
        if lags {
            self.caller.edge.kv.replace(kv);
        }
        twins
    }

    /// Lets KV have all copies.
    pub(super) fn catch_up(&self) {
        self.caller.edge.kv.replace(self.newest.take());
    }

    /// Changes resources as somebody who may do everything.
    fn change(&self, random: &Random) {
        for _ in 0..3 {
            let call = calls::operators_write(random, self);
            self.next();
            self.send_as_operator(&call);
        }
        self.positions.borrow_mut().push(self.present());
    }

    /// Returns the position that the project has.
    pub(super) fn present(&self) -> String {
        let got = self.send_as_operator(&Asked::new("feed", "GET /p/changes?after=now"));
        got.json()["to"].as_str().unwrap().to_owned()
    }

    /// Goes on in time, so far that no response is young.
    fn next(&self) {
        self.now.set(self.now.get() + 5_000);
        self.seed.set(self.seed.get() + 1);
    }

    fn send(&self, caller: &Caller, token: Option<&str>, call: &Asked) -> Got {
        send(&caller.service, &caller.edge, &self.prepared(caller, token, call))
    }

    /// Returns a request, after setting the clock and the randomness of its service: they are equal in all worlds.
    fn prepared(&self, caller: &Caller, token: Option<&str>, call: &Asked) -> Sent {
        caller.edge.frozen.set(true);
        caller.edge.clock.set(self.now.get());
        caller.edge.random.restart(self.seed.get());
        let mut sent = call.sent.clone();
        sent.headers.push(("X-Correlation-ID".to_owned(), "correlation".to_owned()));
        sent.headers.extend(token.map(|token| ("Authorization".to_owned(), format!("Bearer {token}"))));
        sent
    }

    /// Returns the request of a reader.
    pub(super) fn request(&self, caller: &Caller, reader: &Reader, call: &Asked) -> Sent {
        // The clock of the token is that of the service which all share.
        let token = reader.claims.as_ref().map(|claims| self.caller.token_of_user(claims));
        self.prepared(caller, token.as_deref(), call)
    }

    pub(super) fn send_as_operator(&self, call: &Asked) -> Got {
        self.send(&self.caller, Some(&self.caller.token), call)
    }

    pub(super) fn send_as(&self, caller: &Caller, reader: &Reader, call: &Asked) -> Got {
        let got = send(&caller.service, &caller.edge, &self.request(caller, reader, call));
        let line: Value = serde_json::from_str(caller.edge.log.borrow().last().unwrap()).unwrap();
        self.operations.borrow_mut().insert(line["operation"].as_str().unwrap().to_owned());
        got
    }

    /// Returns a position that the project had.
    pub(super) fn position(&self, random: &Random) -> String {
        random.pick(&self.positions.borrow()).clone()
    }

    /// Returns the lines of the export, without its end.
    fn export(&self, caller: &Caller) -> Vec<String> {
        let got = self.send(caller, Some(&caller.token), &Asked::new("export", "GET /p/export"));
        assert_eq!(got.status, 200, "{got:?}");
        let lines = got.body.lines().filter(|line| !line.starts_with(ExportEnd::BEGINNING));
        lines.map(str::to_owned).collect()
    }

    /// Returns the resources of the project, as an operator has them.
    pub(super) fn all(&self) -> Vec<Value> {
        let lines = self.export(&self.caller);
        let records = lines.iter().map(|line| serde_json::from_str::<Value>(line).unwrap());
        records.filter(|record| record["deletedAt"].is_null()).collect()
    }

    /// Returns the project that has only what the reader may read.
    pub(super) fn twin(&self, reader: &Reader) -> Twin {
        self.twin_of(reader, &self.plan.resources_of(reader))
    }

    /// Does the same, with these rules.
    fn twin_of(&self, reader: &Reader, resources: &Rc<Resources>) -> Twin {
        let condition = self.plan.condition(reader);
        let caller = Caller::serving(resources);
        let (mut hidden, mut shown, mut body, mut last) = (BTreeSet::new(), 0, String::new(), None);
        for line in self.export(&self.caller) {
            let record: Value = serde_json::from_str(&line).unwrap();
            last = None;
            if record["deletedAt"].is_null() {
                if !condition.as_ref().is_some_and(|condition| holds(condition, &record)) {
                    hidden.insert(record["id"].as_str().unwrap().to_owned());
                    last = Some(record["lastModifiedAt"].clone());
                    continue;
                }
                shown += 1;
            }
            body.push_str(&line);
            body.push('\n');
        }
        if let Some(at) = last {
            body.push_str(&json!({ "deletedAt": at, "id": END, "version": 1 }).to_string());
        }
        let mut import = Asked::new("import", "POST /p/import");
        import.sent.headers.push(("Content-Type".to_owned(), "application/x-ndjson".to_owned()));
        import.sent.body = body.into_bytes();
        let seed = self.seed.replace(0);
        let got = self.send(&caller, Some(&caller.token), &import);
        self.seed.set(seed);
        assert_eq!(got.status, 200, "{got:?}");
        Twin { caller, hidden, shown, older: None }
    }

    /// Sends a read in both worlds, and compares the responses.
    pub(super) fn compare_read(&self, reader: &Reader, twin: &Twin, call: &Asked) -> Compared {
        if ["feed", "socket"].contains(&call.kind) {
            let follow = if call.kind == "feed" { Self::feed } else { Self::frame };
            let [found, expected] =
                [&self.caller, &twin.caller].map(|caller| follow(self, caller, reader, twin, call));
            assert_eq!(found, expected, "{}", self.say(reader, call));
            return Compared { status: 200, is_of_copy: false, is_old: false };
        }
        let calls = self.caller.edge.object_calls.get();
        let found = self.send_as(&self.caller, reader, call);
        let is_of_copy = self.caller.edge.object_calls.get() == calls;
        let expected = self.send_as(&twin.caller, reader, call);
        let older =
            twin.older.as_ref().filter(|_| call.may_lag).map(|older| self.send_as(older, reader, call));
        self.check_order(reader, call, &found);
        let is_old = found != expected && older.as_ref() == Some(&found);
        assert!(
            is_old || found == expected,
            "{found:?}\n{expected:?}\n{older:?}\n{}",
            self.say(reader, call)
        );
        // A second time, perhaps from memory.
        assert_eq!(self.send_as(&self.caller, reader, call), found, "{}", self.say(reader, call));
        Compared { status: found.status, is_of_copy, is_old }
    }

    /// Checks that the words of hidden resources say nothing about the order of a search. The twin is no help: only a
    /// rare difference of the words changes an order by relevance.
    fn check_order(&self, reader: &Reader, call: &Asked, found: &Got) {
        let has = |part: &str| call.sent.target.contains(part);
        let is_by_creation =
            has("text.en=") && !has("sort=") && self.plan.condition(reader) != Some(Typed::True);
        if call.kind == "search" && is_by_creation {
            let page = found.json();
            let results = page["results"].as_array().into_iter().flatten();
            let created: Vec<&str> = results.filter_map(|record| record["createdAt"].as_str()).collect();
            assert!(created.is_sorted(), "{created:?} {}", self.say(reader, call));
        }
    }

    /// Returns what all pages of the feed have.
    pub(super) fn feed(&self, caller: &Caller, reader: &Reader, twin: &Twin, call: &Asked) -> Followed {
        let (mut call, mut all) = (call.clone(), Followed::default());
        loop {
            let got = self.send_as(caller, reader, &call);
            assert_eq!(got.status, 200, "{got:?}");
            all.add(&got.body, twin);
            let Some(link) = got.header("Link") else { return all };
            let target = link.trim_start_matches('<').split('>').next().unwrap();
            target.clone_into(&mut call.sent.target);
        }
    }

    /// Returns the frame of a socket after a position.
    fn frame(&self, caller: &Caller, reader: &Reader, twin: &Twin, call: &Asked) -> Followed {
        let mut followed = Followed::default();
        let message = self.accepted(caller, reader, call);
        let frame = self.with_project(caller, |project, moment| project.frame(&message, START + 2, moment));
        followed.add(&frame.unwrap().expect("a frame"), twin);
        followed
    }

    /// Returns what a function does with the project of a service.
    pub(super) fn with_project<T>(
        &self,
        caller: &Caller,
        run: impl FnOnce(&Project<Shared>, &Moment) -> T,
    ) -> T {
        caller.edge.clock.set(self.now.get());
        run(&caller.edge.projects.borrow()["p"], &caller.edge.moment())
    }

    /// Sends a write in both worlds, and compares the responses and what the projects then have. Returns what
    /// happened.
    pub(super) fn compare_write(&self, user: &Reader, call: &Asked) -> String {
        self.next();
        // A batch does not find what an earlier write of it has hidden.
        let twin = match call.kind {
            "batch" | "tool batch" => self.twin_of(user, &self.plan.resources()),
            _ => self.twin(user),
        };
        let before = self.export(&self.caller);
        let mut status = 0;
        for _ in 0..if call.repeats { 2 } else { 1 } {
            let (found, expected) =
                (self.send_as(&self.caller, user, call), self.send_as(&twin.caller, user, call));
            if found != expected && self.is_taken(&twin, &found) {
                assert_eq!(self.export(&self.caller), before, "{}", self.say(user, call));
                return "taken".to_owned();
            }
            assert_eq!(found, expected, "{}", self.say(user, call));
            status = failure(&found)["statusCode"].as_u64().unwrap_or(found.status.into());
            if call.sent.target.starts_with("/p/resource") && status < 300 {
                self.check_permitted(user, call, &before, &found.json());
            }
        }
        let of = |line: &String| serde_json::from_str::<Value>(line).unwrap();
        let is_hidden = |line: &String| {
            let state = of(line);
            state["deletedAt"].is_null() && twin.hidden.contains(state["id"].as_str().unwrap())
        };
        let (kept, shown): (Vec<_>, Vec<_>) = self.export(&self.caller).into_iter().partition(is_hidden);
        let mut others = self.export(&twin.caller);
        others.retain(|line| of(line)["id"] != END);
        assert_eq!(shown, others, "{}", self.say(user, call));
        assert!(kept.iter().all(|line| before.contains(line)), "{}", self.say(user, call));
        assert_eq!(kept.len(), twin.hidden.len(), "{}", self.say(user, call));
        self.check_replay(user, call);
        status.to_string()
    }

    /// Checks that the rules permit a write that was performed.
    fn check_permitted(&self, user: &Reader, call: &Asked, before: &[String], written: &Value) {
        let mut states = before.iter().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let old = states.find(|state| state["deletedAt"].is_null() && state["id"] == written["id"]);
        let permits = |name: &str, record: &Value| {
            self.plan.rule(user, name).is_some_and(|condition| holds(&condition, record))
        };
        let is_permitted = match &old {
            None => permits("create", written),
            Some(old) if call.kind == "delete" => permits("delete", old),
            Some(old) => {
                let fixed = self.plan.rules["fixed"].as_array().into_iter().flatten();
                let mut fixed = fixed.filter_map(Value::as_str);
                permits("update", old)
                    && permits("update", written)
                    && fixed.all(|name| old[name] == written[name])
            }
        };
        assert!(is_permitted, "{}", self.say(user, call));
    }

    /// Checks that nobody else, and no token with other rights, gets the stored response.
    fn check_replay(&self, user: &Reader, call: &Asked) {
        let sub = |reader: &Reader| reader.claims.as_ref().map(|claims| claims["sub"].clone());
        // A rule that permits nothing hides the same as a condition that nothing satisfies.
        let condition =
            |reader: &Reader| self.plan.condition(reader).filter(|condition| *condition != Typed::False);
        let mut senders = vec![(sub(user), condition(user))];
        for other in self.plan.users().filter(|_| call.repeats) {
            let known = (sub(&other), condition(&other));
            if senders.contains(&known) {
                continue;
            }
            let got = self.send_as(&self.caller, &other, call);
            let is_known = senders.iter().any(|(sub, _)| *sub == known.0);
            assert_eq!(got.header("Idempotency-Replayed"), None, "{}", self.say(&other, call));
            assert!(is_known || got.status != 422, "{}", self.say(&other, call));
            senders.push(known);
        }
    }

    /// Returns whether the error says that a name is in use, and a hidden resource has it.
    fn is_taken(&self, twin: &Twin, got: &Got) -> bool {
        let error = failure(got)["errors"][0].clone();
        let field = error["field"].as_str().unwrap_or_default();
        let has = |record: &Value| {
            let is_hidden = twin.hidden.contains(record["id"].as_str().unwrap());
            // Of the other fields, values may be spelled in different ways.
            is_hidden && (!["id", "key", "slug"].contains(&field) || record[field] == error["duplicateValue"])
        };
        error["code"] == "DuplicateField" && self.all().iter().any(has)
    }

    pub(super) fn say(&self, reader: &Reader, call: &Asked) -> String {
        let Sent { method, target, headers, body } = &call.sent;
        let body = String::from_utf8_lossy(body);
        format!("{reader:?}\n{method} {target} {headers:?} {body}\nrules {}", self.plan.rules)
    }
}

/// Returns the error of a response, or of a tool.
fn failure(got: &Got) -> Value {
    let body = got.json();
    let result = &body["result"]["structuredContent"];
    if result.is_object() { result.clone() } else { body }
}

/// What a follower gets.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Followed {
    lines: Vec<String>,
    outside: Vec<String>,
    /// The position at the end.
    to: Value,
}

impl Followed {
    /// Adds a page, but for what its reader learns of hidden resources.
    pub(super) fn add(&mut self, page: &str, twin: &Twin) {
        for line in page.lines() {
            let read: Value = serde_json::from_str(line).unwrap();
            if read["to"].is_string() {
                self.to = read["to"].clone();
            } else if let Some(ids) = read["outside"].as_array() {
                let is_known = |id: &&Value| !twin.hidden.contains(id.as_str().unwrap());
                self.outside.extend(ids.iter().filter(is_known).map(Value::to_string));
            } else if read["id"] != END {
                self.lines.push(line.to_owned());
            }
        }
    }
}
