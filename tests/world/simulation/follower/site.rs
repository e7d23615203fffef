//! An installation: the real handler, and the project's object on its storage with the object that has the epoch, as
//! `src/worker/entry.ts` combines them. Every step may be the last one of an object.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use resource_edge::call::{Call, CallResult, Changes, Message, Reply, RestorePoint, wire};
use resource_edge::contract::error::{ApiError, Code};
use resource_edge::contract::response::export_end::ExportEnd;
use resource_edge::project::store::database::{Bind, Database as _};
use resource_edge::project::{Moment, Project};
use resource_edge::server::effect::{Effect, EffectOutcome, HandlerStep};
use resource_edge::util::time::Millis;
use serde_json::Value;

use super::transfer::is_whole;
use crate::native::reference::unique::is_taken;
use crate::support::caller::{token_in, token_request};
use crate::support::edge::{Got, Sent, body_of, got};
use crate::support::schemas::Design;
use crate::world::simulation::disk::{Disk, Fuse, Storage};
use crate::world::simulation::edge::Location;
use crate::world::simulation::mutant::Mutant;
use crate::world::simulation::random::Random;

/// The most steps of a turn until its fuse ends it.
const STEPS: u64 = 24;

/// A response, with what the world needs of it.
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) body: String,
    /// The target of the next page.
    pub(super) next: Option<String>,
    /// The position that an export has reached, whether its response arrives or not.
    pub(super) reached: Option<String>,
    /// How many histories had begun.
    pub(super) histories: u32,
    /// Whether it is the last page, so that its reader has whole batches.
    pub(super) is_whole: bool,
}

/// A state of an ID: its revision, version, and key, and its record. Without a record, it was deleted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct State {
    head: String,
    body: Option<String>,
}

impl State {
    /// Returns the state as a text, without the letters of long texts, and with the parts of the record that the
    /// function returns, or all.
    pub(super) fn shown(&self, kept: &dyn Fn(&Value) -> Option<Value>) -> String {
        let Some(body) = &self.body else { return self.head.clone() };
        let record = serde_json::from_str(&body.replace("xxxxxxxxxx", "")).expect("a record is JSON");
        format!("{} {}", self.head, kept(&record).unwrap_or(record))
    }
}

/// The edge of an installation: where the handler runs, its clock, and its randomness.
pub(super) struct Edge {
    pub(super) location: Rc<Location>,
    pub(super) now: Rc<Cell<Millis>>,
    pub(super) random: Rc<Random>,
}

/// A socket that listens to changes. It survives the hibernation of its object.
struct Socket {
    /// The message of its frames.
    message: Message,
    /// When its token expires.
    expires: Millis,
    /// The revision that it has; `None` until a hibernated object has woken.
    from: Option<Millis>,
}

/// The next frame of a socket.
pub(super) enum Frame {
    Text(String),
    Nothing,
    /// The service closes it, for this reason.
    Closed(&'static str),
}

/// An installation with one project.
pub(super) struct Site {
    storage: Rc<Storage>,
    design: Design,
    project: Option<Project<Disk>>,
    /// The epoch, which no restore of the storage reaches.
    epoch: String,
    /// What the storage is restored to when the object starts.
    pending: Option<Rc<Storage>>,
    kept: Vec<Rc<Storage>>,
    mutant: Option<Mutant>,
    /// The sockets of the followers of the feed.
    sockets: [Option<Socket>; 2],
    /// The message of frames and the end of the token, if the last request was accepted as a socket.
    listening: Option<(Message, Millis)>,
    /// How many histories have begun: by restores, and by deletions of the data.
    pub(super) histories: u32,
    /// Whether a part of the data is deleted.
    is_clearing: bool,
    /// The number of histories at each position.
    begun: BTreeMap<String, u32>,
    reached: Option<String>,
}

fn with(storage: Storage, mutant: Option<Mutant>) -> Storage {
    storage.mutant.set(mutant);
    storage
}

impl Site {
    pub(super) fn new(mutant: Option<Mutant>, design: &Design) -> Self {
        Self {
            design: design.clone(),
            storage: Rc::new(with(Storage::new(), mutant)),
            project: None,
            epoch: String::new(),
            pending: None,
            kept: Vec::new(),
            mutant,
            sockets: [None, None],
            listening: None,
            histories: 0,
            is_clearing: false,
            begun: BTreeMap::new(),
            reached: None,
        }
    }

    /// Lets the object start with another resource, when it has ended.
    pub(super) fn deploy(&mut self, design: &Design) {
        self.design = design.clone();
    }

    /// Kills the object, which ends its sockets. Returns whether that loses commits.
    pub(super) fn end(&mut self) -> bool {
        self.project = None;
        self.sockets = [None, None];
        self.storage.lose()
    }

    /// Removes the object from memory. Its sockets stay.
    pub(super) fn hibernate(&mut self) {
        self.storage.sync();
        self.project = None;
        for socket in self.sockets.iter_mut().flatten() {
            socket.from = None;
        }
    }

    pub(super) fn has_socket(&self, at: usize) -> bool {
        self.sockets[at].is_some()
    }

    /// Opens the socket of a follower with a token. Returns the status, and the first frame if it gets one.
    pub(super) fn listen(
        &mut self,
        edge: &Edge,
        at: usize,
        target: &str,
        token: &str,
        faulty: bool,
    ) -> (u16, Option<String>) {
        let headers = [("Upgrade", "websocket"), ("Sec-WebSocket-Protocol", "resource-edge.changes")];
        let got = self.send(edge, token, &format!("GET {target}"), &headers, "", faulty);
        let listening = self.listening.take().filter(|_| got.status == 101);
        let from = self.project.as_ref().and_then(|project| project.newest().ok());
        if let (Some((message, expires)), Some(from)) = (listening, from)
            && !self.has_expired(expires, edge.now.get())
        {
            self.sockets[at] = Some(Socket { message, expires, from: Some(from) });
            return (got.status, Some(got.body));
        }
        (got.status, None)
    }

    /// Returns the status of a page of changes with a token.
    pub(super) fn page(&mut self, edge: &Edge, target: &str, token: &str) -> u16 {
        self.send(edge, token, &format!("GET {target}"), &[], "", false).status
    }

    fn has_expired(&self, expires: Millis, now: Millis) -> bool {
        now >= expires && self.mutant != Some(Mutant::ServeExpired)
    }

    /// Returns the next frame of a socket, as `Listeners` does in a batch.
    pub(super) fn frame(&mut self, at: usize, now: Millis, random: &Random) -> Frame {
        self.wake();
        let mut entropy = [0; 10];
        entropy.fill_with(|| random.next() as u8);
        let (Some(project), Some(socket)) = (&self.project, &mut self.sockets[at]) else {
            return Frame::Nothing;
        };
        let newest = project.newest().expect("the newest revision");
        let from = socket.from.unwrap_or_default();
        if from == newest {
            return Frame::Nothing;
        }
        if self.mutant != Some(Mutant::SendUnstored) {
            self.storage.sync();
        }
        if project.lacks_epoch(&socket.message.call) {
            project.set_epoch(Some(&self.epoch));
        }
        let begin = if self.mutant == Some(Mutant::BridgeGaps) { from.max(newest - 1) } else { from };
        let frame = project.frame(&socket.message, begin, &Moment { now, entropy }).expect("a frame");
        socket.from = Some(newest);
        let expires = socket.expires;
        let closed = match frame {
            Some(_) if self.has_expired(expires, now) => "a socket of an expired token is closed",
            Some(text) => {
                return Frame::Text(text.replacen(&format!(".{begin}\""), &format!(".{from}\""), 1));
            }
            None => "a socket of another history is closed",
        };
        self.sockets[at] = None;
        Frame::Closed(closed)
    }

    /// Starts the object, if it does not run, on restored storage if that is prepared. The sockets of a hibernated
    /// object have what its database has.
    fn wake(&mut self) {
        if let Some(restored) = self.pending.take() {
            self.storage = restored;
        }
        let (storage, shape) = (Rc::clone(&self.storage), Rc::clone(&self.design.shape));
        let project = self.project.get_or_insert_with(|| Project::new(Disk::new(storage), shape));
        for socket in self.sockets.iter_mut().flatten().filter(|socket| socket.from.is_none()) {
            project.make_ready().expect("tables");
            socket.from = project.newest().ok();
        }
    }

    /// Keeps the present, so that it can be restored.
    pub(super) fn keep(&mut self) {
        self.storage.sync();
        self.kept.push(Rc::new(with(self.storage.copy(), self.mutant)));
    }

    pub(super) fn some_bookmark(&self, random: &Random) -> Option<u64> {
        (!self.kept.is_empty()).then(|| random.below(self.kept.len() as u64))
    }

    /// Returns how many histories had begun at a position that an export has reached.
    pub(super) fn histories_of(&self, position: &str) -> u32 {
        self.begun.get(position).copied().unwrap_or_default()
    }

    /// Returns the positions that exports have reached, with the number of histories that had begun at each.
    pub(super) fn begun(&self) -> BTreeMap<String, u32> {
        self.begun.clone()
    }

    /// Returns the states of all IDs.
    pub(super) fn states(&self) -> Vec<State> {
        let storage = self.pending.as_ref().unwrap_or(&self.storage);
        let mut states = Vec::new();
        for sql in [
            "SELECT revision || ' ' || version || ' ' || coalesce(key, '-'), body FROM resource ORDER BY revision",
            "SELECT revision || ' ' || version || ' ' || id, NULL FROM tombstone ORDER BY revision",
        ] {
            let read = storage.sqlite.query(sql, &[], &mut |row| {
                states.push(State { head: row.text(0).expect("a head"), body: row.text(1) });
                Ok(())
            });
            read.expect("the states");
        }
        states
    }

    /// Returns the revision of the newest state.
    pub(super) fn newest(&self) -> Option<Millis> {
        let sql = "SELECT max(revision) FROM (SELECT revision FROM resource UNION ALL SELECT revision FROM tombstone)";
        let storage = self.pending.as_ref().unwrap_or(&self.storage);
        let newest: Option<i64> =
            storage.sqlite.connection.query_row(sql, [], |row| row.get(0)).expect("a revision");
        newest.map(i64::unsigned_abs)
    }

    /// Returns the records in the order of their IDs.
    pub(super) fn records(&self) -> Vec<String> {
        self.texts("SELECT body FROM resource ORDER BY id", &[])
    }

    fn texts(&self, sql: &str, binds: &[Bind<'_>]) -> Vec<String> {
        let storage = self.pending.as_ref().unwrap_or(&self.storage);
        let mut texts = Vec::new();
        let read = storage.sqlite.query(sql, binds, &mut |row| {
            texts.extend(row.text(0));
            Ok(())
        });
        read.expect("the records");
        texts
    }

    /// Returns whether the project has whole batches: a deletion of the data has no order.
    pub(super) fn is_whole(&self) -> bool {
        let find = |id: &str| self.texts("SELECT body FROM resource WHERE id = ?", &[Bind::Text(id)]).pop();
        !self.is_clearing && is_whole(find)
    }

    /// Returns the response to a request. If it is `faulty`, something ends or fails at one of its steps.
    pub(super) fn ask(&mut self, edge: &Edge, line: &str, body: &str, faulty: bool) -> Answer {
        let media = if line.ends_with("/import") { "application/x-ndjson" } else { "application/json" };
        let token = self.token(edge, "manage_test:p");
        let got = self.send(edge, &token, line, &[("Content-Type", media)], body, faulty);
        let next = got.header("Link").and_then(|value| value.strip_prefix('<')?.split('>').next());
        let (next, histories) = (next.map(str::to_owned), self.histories);
        let (reached, is_whole) = (self.reached.take(), next.is_none() && self.is_whole());
        Answer { status: got.status, next, body: got.body, reached, histories, is_whole }
    }

    /// Returns a new token with a scope.
    pub(super) fn token(&mut self, edge: &Edge, scope: &str) -> String {
        token_in(&self.respond(edge, &token_request("tests", scope), false))
    }

    /// Sends a request with a token and these headers.
    fn send(
        &mut self,
        edge: &Edge,
        token: &str,
        line: &str,
        headers: &[(&str, &str)],
        body: &str,
        faulty: bool,
    ) -> Got {
        let mut bearer = format!("Bearer {token}");
        if self.mutant == Some(Mutant::AcceptAnyToken) {
            bearer = format!("Bearer {}", self.token(edge, "manage_test:p"));
        }
        let sent = Sent::new(line, &[&[("Authorization", bearer.as_str())], headers].concat(), body);
        self.reached = None;
        self.listening = None;
        self.respond(edge, &sent, faulty)
    }

    fn respond(&mut self, edge: &Edge, sent: &Sent, faulty: bool) -> Got {
        let (now, random) = (edge.now.get(), &edge.random);
        let mut step = edge.location.start(&edge.now, random, sent);
        loop {
            match step {
                HandlerStep::Respond(response, _) => return got(response),
                HandlerStep::Perform(effect, exchange) => {
                    let outcome = match &effect {
                        Effect::ReadBody { limit, .. } => Ok(body_of(sent, *limit)),
                        Effect::CallObject { message, restore, .. } => {
                            self.call_object(message, restore.as_ref(), now, random, faulty)
                        }
                        Effect::Listen { message, .. } => {
                            self.call_object(message, None, now, random, faulty)
                        }
                        other => panic!("an effect that no request of a follower has: {other:?}"),
                    };
                    step = exchange.resume(outcome.unwrap_or_else(EffectOutcome::Failed));
                }
            }
        }
    }

    /// Calls the object, after a restore if there is one.
    fn call_object(
        &mut self,
        message: &[u8],
        restore: Option<&RestorePoint>,
        now: Millis,
        random: &Random,
        faulty: bool,
    ) -> Result<EffectOutcome<String>, String> {
        let last = if faulty { random.below(4) } else { u64::MAX };
        if let Some(point) = restore {
            self.restore(point, random, last)?;
        }
        let message: Message = wire::decode(message)?;
        let reply = match self.refusal(&message) {
            Some(error) => Reply::from(error),
            None => self.perform(&message, now, random, faulty && restore.is_none_or(|_| last == 3))?,
        };
        let body = match (&message.call, self.mutant, reply.body) {
            _ if restore.is_some() => Some("{\"undo\":\"0\"}".to_owned()),
            (Call::Changes(Changes { condition: Some(_), .. }), Some(mutant), Some(page)) => {
                Some(mutant.without_omitted(&page))
            }
            (_, _, body) => body,
        };
        Ok(EffectOutcome::Reply(wire::encode(&reply.head)?, body))
    }

    /// Prepares a restore, as the platform and `ProjectObject.restore` do. It may end after each of its steps.
    fn restore(&mut self, point: &RestorePoint, random: &Random, last: u64) -> Result<(), String> {
        let RestorePoint::Bookmark(bookmark) = point else { return Err("a bookmark".to_owned()) };
        let at: usize = bookmark.parse().map_err(|_| "a bookmark".to_owned())?;
        let kept = Rc::clone(&self.kept[at]);
        let epoch = format!("epoch {}", random.next());
        let is_late = self.mutant == Some(Mutant::ChangeEpochLast);
        self.histories += 1;
        self.is_clearing = false;
        if self.mutant != Some(Mutant::KeepEpoch) && !is_late {
            self.epoch.clone_from(&epoch);
        }
        if last == 0 {
            // The platform refuses the restore.
            self.end();
            return Err("refused".to_owned());
        }
        self.keep();
        self.pending = Some(Rc::new(with(kept.copy(), self.mutant)));
        self.end();
        if last == 1 {
            return Err("the message was lost".to_owned());
        }
        if is_late {
            self.epoch = epoch;
        }
        Ok(())
    }

    /// Performs a message, as `ProjectObject.perform` does.
    fn perform(
        &mut self,
        message: &Message,
        now: Millis,
        random: &Random,
        faulty: bool,
    ) -> Result<Reply<String>, String> {
        self.wake();
        let storage = Rc::clone(&self.storage);
        let Some(project) = &self.project else { return Err("no object".to_owned()) };
        if project.lacks_epoch(&message.call) {
            project.set_epoch(Some(&self.epoch));
        }
        let mut entropy = [0; 10];
        entropy.fill_with(|| random.next() as u8);
        if faulty && matches!(message.call, Call::Write(_)) && random.chance(500) {
            // Performed, but the platform delays the reply until the disk has it.
            storage.hold();
            let performed = project.perform(message, &Moment { now, entropy });
            return Err(performed.map_or_else(|fault| fault.reason, |_| "not on disk yet".to_owned()));
        }
        let fuse = if random.chance(700) { Fuse::Crash } else { Fuse::Fail };
        if faulty {
            storage.light(random.below(STEPS) as u32, fuse);
        }
        let holds_any = || storage.sqlite.rows("SELECT count(*) > 0 FROM resource") == ["[Integer(1)]"];
        let had_records = holds_any();
        let performed = project.perform(message, &Moment { now, entropy });
        let ended = project.database().has_ended();
        let burns = storage.put_out();
        storage.sync();
        // A deletion of data ends the history when its last part is committed, whatever happens to its reply.
        if matches!(message.call, Call::Clear) && had_records {
            self.is_clearing = holds_any();
            self.histories += u32::from(!self.is_clearing);
        }
        if ended || burns && fuse == Fuse::Crash {
            self.end();
        }
        if ended {
            return Err("the object ended".to_owned());
        }
        let reply = performed.unwrap_or_else(|fault| Reply::from(ApiError::of_fault(fault.reason)));
        self.listening = message.listening(&reply.head);
        if matches!(reply.head.result, CallResult::Export(None)) {
            self.reach(reply.body.as_deref().unwrap_or_default());
        }
        Ok(reply)
    }

    /// Returns the error of an import that a mutant refuses.
    fn refusal(&self, message: &Message) -> Option<ApiError> {
        let Call::Import(lines) = &message.call else { return None };
        let is_refused = self.mutant == Some(Mutant::RefuseDuplicates) && self.has_values_of(lines);
        is_refused.then(|| ApiError::new(Code::DuplicateField, "Another resource has the value."))
    }

    /// Returns whether resources other than those of the lines have unique values of these.
    fn has_values_of(&self, lines: &str) -> bool {
        let read = |line: &str| serde_json::from_str(line).expect("a line is JSON");
        let lines: Vec<Value> = lines.lines().map(read).collect();
        let mut others: Vec<Value> = self.records().iter().map(|record| read(record)).collect();
        others.retain(|other| lines.iter().all(|line| line["id"] != other["id"]));
        lines.iter().any(|line| is_taken(&self.design, None, line, &others.iter()))
    }

    /// The last page of an export has a position.
    fn reach(&mut self, page: &str) {
        let end = page.lines().last().and_then(ExportEnd::parse);
        let end = end.expect("the end of an export").position.to_string();
        self.begun.insert(end.clone(), self.histories);
        self.reached = Some(end);
    }
}
