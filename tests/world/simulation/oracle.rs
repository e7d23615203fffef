//! The oracle follows the source of truth: it has every committed state, in order, and checks replies and
//! responses. It decides each write again by the contract's table (section 3) on its own states, and the content of a
//! declared resource by the rules of D38 to D41.

mod response;

use std::collections::BTreeMap;

use resource_edge::call::{CallResult, Outcome, Reply};
use resource_edge::project::Put;
use resource_edge::shape::System;
use resource_edge::util::time::Millis;
use serde_json::Value;

use crate::native::reference::unique::is_taken;
use crate::support::schemas::Design;
use crate::support::schemas::writes::{Members, changed, created};
use crate::world::simulation::disk::Storage;
use crate::world::simulation::workload::{Condition, Intent, Kind, Operation, Write};

/// The result of a check, with a description of the fault.
pub(crate) type Verdict = Result<(), String>;

pub(crate) fn need(holds: bool, what: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err(what()) }
}

/// A committed state of a resource.
#[derive(Debug, Clone)]
pub(crate) struct Commit {
    pub(crate) id: String,
    pub(crate) version: u64,
    pub(crate) revision: Millis,
    /// `None` if the resource was deleted.
    pub(crate) record: Option<Record>,
}

#[derive(Debug, Clone)]
pub(crate) struct Record {
    pub(crate) key: Option<String>,
    pub(crate) body: String,
    pub(crate) value: Value,
}

/// The result of a write by the contract.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Expected {
    /// A resource with this version; `None`: the server generates the ID.
    Changed(Option<String>, u64),
    Deleted(String),
    /// Nothing is performed, and the record is returned.
    Same(String),
    Refused(u16),
    /// 409 with the present version.
    Conflict(u64),
}

/// The decision on a write.
#[derive(Debug, Clone)]
struct Decided {
    expected: Expected,
    /// The place of its commit in the history.
    commit: Option<usize>,
    /// `None` if the instance ended before it replied.
    reply: Option<Reply<String>>,
}

#[derive(Default)]
pub(crate) struct Oracle {
    /// Every committed state in order.
    pub(crate) history: Vec<Commit>,
    /// The places in the history of each ID.
    places: BTreeMap<String, Vec<usize>>,
    /// The resource that had each key, with the place from which it had the key.
    holders: BTreeMap<String, Vec<(usize, Option<String>)>>,
    decided: BTreeMap<u64, Decided>,
    /// Decisions with an unknown commit: the instance ended, and they change no resource.
    unknown: BTreeMap<u64, Vec<Expected>>,
    /// The number of replies that were replays.
    pub(crate) replays: u64,
    pub(crate) conflicts: u64,
}

impl Oracle {
    /// Returns the number of committed states. An interval of time is an interval of this number.
    pub(crate) fn place(&self) -> usize {
        self.history.len()
    }

    pub(crate) fn newest(&self) -> Millis {
        self.history.last().map_or(0, |commit| commit.revision)
    }

    fn last(&self, id: &str) -> Option<&Commit> {
        self.places.get(id)?.last().map(|place| &self.history[*place])
    }

    /// Returns the revision of the newest state of an ID.
    pub(crate) fn newest_of(&self, id: &str) -> Option<Millis> {
        self.last(id).map(|commit| commit.revision)
    }

    pub(crate) fn live(&self, id: &str) -> Option<(&Commit, &Record)> {
        let commit = self.last(id)?;
        Some((commit, commit.record.as_ref()?))
    }

    pub(crate) fn holder(&self, key: &str) -> Option<&str> {
        self.holders.get(key)?.last()?.1.as_deref()
    }

    /// Returns the present records in the order of creation.
    pub(crate) fn records(&self) -> Vec<(&Commit, &Record)> {
        let mut found: Vec<_> = self.places.keys().filter_map(|id| self.live(id)).collect();
        found.sort_by(|(_, one), (_, two)| {
            one.value["createdAt"].as_str().cmp(&two.value["createdAt"].as_str())
        });
        found
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = &String> {
        self.places.keys()
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = &String> {
        self.holders.keys()
    }

    /// Checks that none of these writes was performed.
    pub(crate) fn refused(&self, numbers: &[u64]) -> Verdict {
        let is_performed =
            |number: &&u64| self.decided.get(number).is_some_and(|decided| decided.commit.is_some());
        let performed = numbers.iter().find(is_performed);
        need(performed.is_none(), || format!("a write was reported as refused and performed: {performed:?}"))
    }

    // -- the object ------------------------------------------------------------------------------------------------

    /// Checks the effect and the reply of a write by an object of this resource. There is no reply if the instance
    /// ended, or a statement failed.
    #[allow(clippy::too_many_lines, reason = "all rules of a write, in their order")]
    pub(crate) fn wrote(
        &mut self,
        storage: &Storage,
        design: &Design,
        operation: &Operation,
        reply: Option<&Reply<String>>,
    ) -> Verdict {
        let Intent::Write(write) = &operation.intent else { return Ok(()) };
        let commits = states(storage, self.newest());
        if let Some(before) = self.decided.get_mut(&operation.number) {
            need(commits.is_empty(), || format!("{} is performed twice: {commits:?}", operation.mark()))?;
            let Some(reply) = reply else { return Ok(()) };
            self.replays += 1;
            need(reply.head.replayed, || format!("a repeat is no replay: {:?}", reply.head))?;
            if let Some(first) = &before.reply {
                let is_first = first.head.result == reply.head.result && first.body == reply.body;
                return need(is_first, || {
                    format!("a replay is not the first response: {reply:?} after {first:?}")
                });
            }
            before.reply = Some(reply.clone());
            return agrees(&before.expected, before.commit.map(|place| &self.history[place]), reply);
        }
        if let Some(reply) = reply.filter(|reply| reply.head.replayed) {
            return self.replayed_from_nowhere(operation, reply);
        }
        let (expected, content) = self.decide(design, write);
        let changes = matches!(expected, Expected::Changed(..) | Expected::Deleted(_));
        if commits.is_empty() && (reply.is_none() || !changes) {
            let Some(reply) = reply else {
                self.unknown.entry(operation.number).or_default().push(expected);
                return Ok(());
            };
            self.conflicts += u64::from(matches!(expected, Expected::Conflict(_)));
            agrees(&expected, None, reply)?;
            let decided = Decided { expected, commit: None, reply: Some(reply.clone()) };
            self.decided.insert(operation.number, decided);
            return Ok(());
        }
        let [commit] = commits.as_slice() else {
            return Err(format!("expected {expected:?}, committed {commits:?}, replied {reply:?}"));
        };
        need(changes, || format!("expected {expected:?}, committed {commit:?}"))?;
        self.follows(&expected, commit, operation, write)?;
        has_content(design, commit, write, &content)?;
        if let Some(reply) = reply {
            agrees(&expected, Some(commit), reply)?;
        }
        self.add(commit.clone());
        let commit = Some(self.history.len() - 1);
        self.decided.insert(operation.number, Decided { expected, commit, reply: reply.cloned() });
        Ok(())
    }

    /// Checks a replay of a response that was decided by an instance that ended before it replied.
    fn replayed_from_nowhere(&mut self, operation: &Operation, reply: &Reply<String>) -> Verdict {
        let unknown = self.unknown.get(&operation.number).cloned().unwrap_or_default();
        let Some(expected) = unknown.into_iter().find(|expected| agrees(expected, None, reply).is_ok())
        else {
            return Err(format!("a replay of what was never decided: {reply:?}"));
        };
        let decided = Decided { expected, commit: None, reply: Some(reply.clone()) };
        self.decided.insert(operation.number, decided);
        Ok(())
    }

    /// Decides a write on the present state. Returns also the content that it leaves in a declared resource.
    fn decide(&self, design: &Design, write: &Write) -> (Expected, Members) {
        let target = match (&write.id, &write.key) {
            (Some(id), _) => self.live(id),
            (None, Some(key)) => self.holder(key).and_then(|id| self.live(id)),
            (None, None) => None,
        };
        let expected = self.expected(write, target);
        if !matches!(expected, Expected::Changed(..)) {
            return (expected, Members::new());
        }
        let record = target.map(|(_, record)| &record.value);
        match content_after(design, write, record) {
            Some(content) if !self.takes(design, record, &content) => (expected, content),
            _ => (Expected::Refused(400), Members::new()),
        }
    }

    /// Returns whether the content brings a unique value that another resource has (D40).
    fn takes(&self, design: &Design, before: Option<&Value>, content: &Members) -> bool {
        let others = self.records();
        let others = others.iter().map(|(_, record)| &record.value);
        let others = others.filter(|other| before.is_none_or(|before| before["id"] != other["id"]));
        is_taken(design, before, &Value::Object(content.clone()), &others)
    }

    fn expected(&self, write: &Write, target: Option<(&Commit, &Record)>) -> Expected {
        match target {
            None if write.kind != Kind::Put => return Expected::Refused(404),
            Some((commit, _)) if write.version.is_some_and(|version| version != commit.version) => {
                return Expected::Conflict(commit.version);
            }
            _ => {}
        }
        if let Some((id, revision)) = &write.if_match
            && target.is_none_or(|(commit, _)| commit.id != *id || commit.revision != *revision)
        {
            return Expected::Refused(412);
        }
        if let (Some(id), Some(key)) = (&write.id, &write.key)
            && self.holder(key).is_some_and(|holder| holder != id)
        {
            return Expected::Refused(400);
        }
        match target {
            None => {
                let last = write.id.as_ref().and_then(|id| self.last(id)).map_or(0, |commit| commit.version);
                Expected::Changed(write.id.clone(), last + 1)
            }
            Some((commit, _)) => match write.kind {
                Kind::Delete => Expected::Deleted(commit.id.clone()),
                Kind::NoUpdate => Expected::Same(commit.id.clone()),
                _ => Expected::Changed(Some(commit.id.clone()), commit.version + 1),
            },
        }
    }

    /// Returns whether a commit is what the write should do, and follows from what was there.
    fn follows(&self, expected: &Expected, commit: &Commit, operation: &Operation, write: &Write) -> Verdict {
        let wrong = |what: &str| format!("{what}: {operation:?} committed {commit:?}, expected {expected:?}");
        need(commit.revision > self.newest(), || wrong("revisions do not rise"))?;
        let before = self.last(&commit.id);
        match (expected, &commit.record) {
            (Expected::Changed(id, version), Some(record)) => {
                need(id.as_ref().is_none_or(|id| *id == commit.id), || wrong("another resource"))?;
                need(id.is_some() || before.is_none(), || wrong("a generated ID is not new"))?;
                need(commit.version == *version, || wrong("versions are not contiguous"))?;
                let key = write.key.as_ref().or_else(|| before?.record.as_ref()?.key.as_ref());
                need(record.key.as_ref() == key, || wrong("another key"))?;
                let held = record.key.as_ref().and_then(|key| self.holder(key));
                need(held.is_none_or(|holder| holder == commit.id), || wrong("two resources have one key"))?;
                let mark = write.marks.is_none_or(|member| record.value[member] == operation.mark());
                need(mark, || wrong("the record is not what was written"))
            }
            (Expected::Deleted(id), None) => {
                need(*id == commit.id, || wrong("another resource"))?;
                let last = before.map_or(0, |before| before.version);
                need(commit.version == last, || wrong("a tombstone of another version"))
            }
            _ => Err(wrong("another change")),
        }
    }

    fn add(&mut self, commit: Commit) {
        let place = self.history.len();
        let key_of = |commit: &Commit| commit.record.as_ref().and_then(|record| record.key.clone());
        let before = self.last(&commit.id).and_then(key_of);
        let after = key_of(&commit);
        if before != after {
            for (key, holder) in [(before, None), (after, Some(commit.id.clone()))] {
                if let Some(key) = key {
                    self.holders.entry(key).or_default().push((place, holder));
                }
            }
        }
        self.places.entry(commit.id.clone()).or_default().push(place);
        self.history.push(commit);
    }

    /// Checks the object's reply to a read: exactly the present state. `both`: the resource of the object, and that of
    /// the edge, which read the request.
    pub(crate) fn read(&self, both: [&Design; 2], operation: &Operation, reply: &Reply<String>) -> Verdict {
        let wrong = |what: &str| format!("{what}: {operation:?} got {reply:?}");
        let single = |present: Option<(&Commit, &Record)>| match (&reply.head.result, present) {
            (CallResult::Resource(head), Some((commit, record))) => need(
                (&head.id, head.revision) == (&commit.id, commit.revision)
                    && reply.body.as_ref() == Some(&record.body),
                || wrong("not the present record"),
            ),
            (CallResult::Error(error), None) => {
                need(error.status() == 404 && error.revision == Some(self.newest()), || {
                    wrong("not the newest revision")
                })
            }
            _ => Err(wrong("not the present state")),
        };
        match &operation.intent {
            Intent::Write(_) => Ok(()),
            Intent::ReadId(id) => single(self.live(id)),
            Intent::ReadKey(key) => single(self.holder(key).and_then(|id| self.live(id))),
            Intent::Exists(condition) => {
                let exists =
                    self.records().iter().any(|(_, record)| condition.holds(both[0], both[1], &record.value));
                need(reply.head.result == CallResult::Exists(exists), || wrong("not whether it exists"))
            }
            Intent::Find(condition) => self.found(both, condition, reply.body.as_deref().unwrap_or_default()),
        }
    }

    fn found(&self, both: [&Design; 2], condition: &Condition, body: &str) -> Verdict {
        let page: Value = serde_json::from_str(body).map_err(|error| format!("a page: {error}"))?;
        let records = self.records();
        let results: Vec<&Value> = page["results"].as_array().into_iter().flatten().collect();
        let is_wanted = |value: &&Value| {
            condition.holds(both[0], both[1], value) || condition.may_hold(value) && results.contains(value)
        };
        let wanted: Vec<&Value> = records.iter().map(|(_, record)| &record.value).filter(is_wanted).collect();
        need(results == wanted && page["total"] == wanted.len(), || {
            format!("the index differs from the records: {condition:?} finds {page}, not {wanted:?}")
        })
    }

    /// Returns the place of a state in the history.
    fn find(&self, id: &str, revision: Millis) -> Option<usize> {
        let places = self.places.get(id)?;
        places.iter().copied().find(|place| self.history[*place].revision == revision)
    }

    /// Checks a put: KV gets only committed states.
    pub(crate) fn put(&self, put: &Put) -> Verdict {
        let name = put.entry.splitn(3, ':').nth(2).unwrap_or_default();
        let revision = put.metadata.revision;
        let was_committed = if put.metadata.deleted {
            put.value.is_empty() && revision <= self.newest()
        } else if put.entry.starts_with("r1:") {
            let record = self.find(name, revision).and_then(|place| self.history[place].record.as_ref());
            record.is_some_and(|record| record.body == put.value && record.key == put.metadata.key)
        } else {
            let holders = self.holders.get(name).map(Vec::as_slice).unwrap_or_default();
            holders.iter().any(|(_, holder)| holder.as_ref() == Some(&put.value))
        };
        need(was_committed, || format!("a put of what was never committed: {put:?}"))
    }

    // -- the end ---------------------------------------------------------------------------------------------------

    /// Checks that the database is what was committed.
    pub(crate) fn database(&self, storage: &Storage) -> Verdict {
        let newest = self.newest();
        let text = |commit: &Commit, record: &Record| {
            format!("{} {} {} {}", commit.id, commit.version, commit.revision, record.body)
        };
        let mut wanted: Vec<String> =
            self.records().into_iter().map(|(commit, record)| text(commit, record)).collect();
        let present = |commit: &Commit| Some(text(commit, commit.record.as_ref()?));
        let mut found: Vec<String> = states(storage, 0).iter().filter_map(present).collect();
        wanted.sort();
        found.sort();
        need(found == wanted, || {
            format!("a committed write is lost (newest {newest}): found {found:#?}, not {wanted:#?}")
        })
    }
}

/// Checks that a commit has this content, in the order of the schema. An interface's resource has no content here.
fn has_content(design: &Design, commit: &Commit, write: &Write, content: &Members) -> Verdict {
    let (Some(_), Some(record)) = (&design.schema, &commit.record) else { return Ok(()) };
    let unknown = write.content.keys().find(|name| design.at(name).is_none());
    need(unknown.is_none(), || format!("a write is performed without {unknown:?}, which {design:?} lacks"))?;
    let found = content_of(&record.value);
    let order = design.properties().map(|(name, _)| name).filter(|name| content.contains_key(*name));
    need(found == *content && found.keys().eq(order), || {
        format!("{} is not what was written: {content:?} of {design:?}", record.body)
    })
}

/// Returns the content of a record of a declared resource.
fn content_of(record: &Value) -> Members {
    let members = record.as_object().into_iter().flatten();
    let content = members.filter(|(name, _)| System::ALL.iter().all(|system| system.name() != *name));
    content.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// Returns the content of a declared resource after a write; `None` if one of its actions is refused.
fn content_after(design: &Design, write: &Write, record: Option<&Value>) -> Option<Members> {
    let Some(schema) = &design.schema else { return Some(Members::new()) };
    let Some(before) = record.map(content_of) else { return Some(created(schema, &write.content)) };
    let mut content = changed(schema, &before, &write.content, write.lacking);
    for act in &write.acts {
        act.perform(schema, &mut content).then_some(())?;
    }
    let order = design.properties().filter_map(|(name, _)| Some((name.clone(), content.remove(name)?)));
    Some(order.collect())
}

/// Returns the states in the database whose revisions are later.
fn states(storage: &Storage, than: Millis) -> Vec<Commit> {
    let sql = "SELECT id, version, revision, key, body FROM resource WHERE revision > ?1 \
               UNION ALL SELECT id, version, revision, NULL, NULL FROM tombstone WHERE revision > ?1";
    let mut statement = storage.sqlite.connection.prepare_cached(sql).expect("a statement");
    let number = |row: &rusqlite::Row<'_>, column: usize| row.get::<_, i64>(column).map(i64::unsigned_abs);
    let rows = statement.query_map([than as i64], |row| {
        let (key, body): (_, Option<String>) = (row.get(3)?, row.get(4)?);
        let value = |body: &str| serde_json::from_str(body).expect("a record is JSON");
        let record = body.map(|body| Record { key, value: value(&body), body });
        Ok(Commit { id: row.get(0)?, version: number(row, 1)?, revision: number(row, 2)?, record })
    });
    rows.expect("rows").map(|row| row.expect("a state")).collect()
}

/// Checks that a reply has the expected and committed result.
fn agrees(expected: &Expected, commit: Option<&Commit>, reply: &Reply<String>) -> Verdict {
    let wrong = || format!("expected {expected:?}, committed {commit:?}, replied {reply:?}");
    let holds = match (expected, &reply.head.result) {
        (Expected::Refused(status), CallResult::Error(error)) => error.status() == *status,
        (Expected::Conflict(version), CallResult::Error(error)) => {
            error.status() == 409 && error.to_json().contains(&format!("\"currentVersion\":{version}"))
        }
        (Expected::Changed(..), CallResult::Resource(head)) => commit.is_some_and(|commit| {
            let tag = (&head.id, head.revision, head.newest);
            tag == (&commit.id, commit.revision, commit.revision) && head.outcome != Outcome::Deleted
        }),
        (Expected::Deleted(_), CallResult::Resource(head)) => commit.is_some_and(|commit| {
            head.outcome == Outcome::Deleted && (&head.id, head.newest) == (&commit.id, commit.revision)
        }),
        (Expected::Same(id), CallResult::Resource(head)) => head.id == *id && commit.is_none(),
        _ => false,
    };
    need(holds, wrong)
}
