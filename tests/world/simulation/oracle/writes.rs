//! Decides writes, and the writes of batches one after the other, by the contract's table.

use std::collections::BTreeSet;

use resource_edge::call::{CallResult, Outcome, Reply};
use resource_edge::shape::System;
use resource_edge::util::time::{self, Millis};
use serde_json::{Value, json};

use super::{Commit, Oracle, Record, Verdict, need, states};
use crate::native::reference::unique::is_taken;
use crate::support::schemas::Design;
use crate::support::schemas::writes::{Members, changed, created};
use crate::world::simulation::disk::Storage;
use crate::world::simulation::workload::{Intent, Kind, Operation, Write};

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

/// A write, alone or of a batch.
#[derive(Debug, Clone)]
pub(super) struct Step {
    expected: Expected,
    /// The state that it leaves.
    left: Option<Commit>,
}

impl Step {
    fn is_refused(&self) -> bool {
        matches!(self.expected, Expected::Refused(_) | Expected::Conflict(_))
    }
}

/// The decision on an operation.
#[derive(Debug, Clone)]
pub(super) struct Decided {
    /// Its writes; of a batch that is refused, up to the one that is.
    steps: Vec<Step>,
    /// `None` if the instance ended before it replied.
    pub(super) reply: Option<Reply<String>>,
}

impl Decided {
    pub(super) fn is_performed(&self) -> bool {
        changes(&self.steps)
    }
}

/// Returns whether the writes change something.
fn changes(steps: &[Step]) -> bool {
    !steps.iter().any(Step::is_refused) && steps.iter().any(|step| step.left.is_some())
}

impl Oracle {
    /// Checks the effect and the reply of a write, or of a batch, by an object of this resource. There is no reply if
    /// the instance ended, or a statement failed.
    pub(crate) fn wrote(
        &mut self,
        storage: &Storage,
        design: &Design,
        operation: &Operation,
        reply: Option<&Reply<String>>,
    ) -> Verdict {
        let mut commits = states(storage, self.newest());
        // A batch may create what it has deleted. Nobody sees the tombstone, which stays.
        let present: BTreeSet<String> =
            commits.iter().filter(|it| it.record.is_some()).map(|it| it.id.clone()).collect();
        commits.retain(|commit| commit.record.is_some() || !present.contains(&commit.id));
        if self.decided.contains_key(&operation.number) {
            need(commits.is_empty(), || format!("{} is performed twice: {commits:?}", operation.mark()))?;
            return reply.map_or(Ok(()), |reply| self.repeated(operation, reply));
        }
        if let Some(reply) = reply.filter(|reply| reply.head.replayed) {
            return self.replayed_from_nowhere(operation, reply);
        }
        let began = self.place();
        let decided = self.decide_each(design, operation, &commits);
        let steps = decided.and_then(|steps| self.are_committed(began, &steps, &commits).map(|()| steps));
        self.forget(began);
        let steps = steps
            .map_err(|what| format!("{what}: {operation:?} committed {commits:?}, replied {reply:?}"))?;
        for commit in commits {
            self.add(commit);
        }
        let is_performed = self.place() > began;
        let Some(reply) = reply else {
            if is_performed {
                self.decided.insert(operation.number, Decided { steps, reply: None });
            } else if !changes(&steps) {
                self.unknown.entry(operation.number).or_default().push(steps);
            }
            return Ok(());
        };
        need(is_performed == changes(&steps), || format!("expected {steps:?}, replied {reply:?}"))?;
        let last = steps.last().map(|step| &step.expected);
        self.conflicts += u64::from(matches!(last, Some(Expected::Conflict(_))));
        agrees(operation, &steps, reply)?;
        if matches!(operation.intent, Intent::Batch(_)) {
            self.batches += u64::from(is_performed);
            self.refused_batches += u64::from(!is_performed);
        }
        self.decided.insert(operation.number, Decided { steps, reply: Some(reply.clone()) });
        Ok(())
    }

    /// Checks the reply to a repeat: it is the first one.
    fn repeated(&mut self, operation: &Operation, reply: &Reply<String>) -> Verdict {
        let Some(before) = self.decided.get_mut(&operation.number) else { return Ok(()) };
        self.replays += 1;
        need(reply.head.replayed, || format!("a repeat is no replay: {:?}", reply.head))?;
        if let Some(first) = &before.reply {
            let is_first = first.head.result == reply.head.result && first.body == reply.body;
            return need(is_first, || {
                format!("a replay is not the first response: {reply:?} after {first:?}")
            });
        }
        before.reply = Some(reply.clone());
        agrees(operation, &before.steps, reply)
    }

    /// Checks a replay of a response that was decided by an instance that ended before it replied.
    fn replayed_from_nowhere(&mut self, operation: &Operation, reply: &Reply<String>) -> Verdict {
        let unknown = self.unknown.get(&operation.number).cloned().unwrap_or_default();
        let Some(steps) = unknown.into_iter().find(|steps| agrees(operation, steps, reply).is_ok()) else {
            return Err(format!("a replay of what was never decided: {reply:?}"));
        };
        self.decided.insert(operation.number, Decided { steps, reply: Some(reply.clone()) });
        Ok(())
    }

    /// Decides the writes of an operation, each on the states that those before it leave, and checks what they have
    /// committed. The revisions of a batch follow each other, and the last one is that of a state that is stored.
    fn decide_each(
        &mut self,
        design: &Design,
        operation: &Operation,
        commits: &[Commit],
    ) -> Result<Vec<Step>, String> {
        let writes = || {
            operation.each().iter().filter_map(|operation| operation.write().map(|write| (operation, write)))
        };
        let mut left = writes().filter(|(_, write)| write.changes()).count() as u64;
        let last = commits.last().map_or(self.newest() + left, |commit| commit.revision);
        let mut steps = Vec::new();
        for (operation, write) in writes() {
            let (expected, content) = self.decide(design, write);
            let mut step = Step { expected, left: None };
            if matches!(step.expected, Expected::Changed(..) | Expected::Deleted(_)) {
                left -= 1;
                let stored = commits.iter().find(|commit| commit.revision + left == last);
                if let Some(commit) = stored {
                    self.follows(&step.expected, commit, operation, write)?;
                    has_content(design, commit, write, &content)?;
                }
                let commit = stored.cloned();
                let commit = commit
                    .unwrap_or_else(|| self.replaced(&step.expected, write, content, last - left, commits));
                self.add(commit.clone());
                step.left = Some(commit);
            }
            let is_refused = step.is_refused();
            steps.push(step);
            if is_refused {
                break;
            }
        }
        Ok(steps)
    }

    /// Returns the state of a write of a batch that a later write of the batch replaces.
    fn replaced(
        &self,
        expected: &Expected,
        write: &Write,
        mut content: Members,
        revision: Millis,
        commits: &[Commit],
    ) -> Commit {
        let is_created = |commit: &&Commit| {
            let record = commit.record.as_ref();
            record.and_then(|record| time::parse(record.value["createdAt"].as_str()?)) == Some(revision)
        };
        let (id, version) = match expected {
            Expected::Changed(Some(id), version) => (id.clone(), *version),
            Expected::Changed(None, version) => {
                let created = commits.iter().find(is_created).map(|commit| commit.id.clone());
                (created.unwrap_or_else(|| format!("new {revision}")), *version)
            }
            Expected::Deleted(id) | Expected::Same(id) => {
                (id.clone(), self.last(id).map_or(0, |commit| commit.version))
            }
            Expected::Refused(_) | Expected::Conflict(_) => (String::new(), 0),
        };
        content.insert("id".to_owned(), json!(id));
        let before = self.live(&id).and_then(|(_, record)| record.key.clone());
        let record =
            Record { key: write.key.clone().or(before), body: String::new(), value: Value::Object(content) };
        let is_deleted = matches!(expected, Expected::Deleted(_));
        Commit { id, version, revision, record: (!is_deleted).then_some(record) }
    }

    /// Checks that all the writes are committed, or nothing: of each resource, the last state.
    fn are_committed(&self, began: usize, steps: &[Step], commits: &[Commit]) -> Verdict {
        if commits.is_empty() {
            return Ok(());
        }
        need(changes(steps), || format!("expected {steps:?}"))?;
        let left = |commit: &&Commit| self.newest_of(&commit.id) == Some(commit.revision);
        let revisions: Vec<Millis> =
            self.history[began..].iter().filter(left).map(|commit| commit.revision).collect();
        need(revisions.iter().eq(commits.iter().map(|commit| &commit.revision)), || {
            format!("not all of {steps:?} is committed")
        })
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

/// Checks that a reply is that of the writes.
fn agrees(operation: &Operation, steps: &[Step], reply: &Reply<String>) -> Verdict {
    let wrong = || format!("expected {steps:?}, replied {reply:?}");
    let Some(last) = steps.last() else { return Err(wrong()) };
    if !matches!(operation.intent, Intent::Batch(_)) {
        return agrees_alone(last, reply);
    }
    if last.is_refused() {
        let index = format!("\"index\":{}", steps.len() - 1);
        let CallResult::Error(error) = &reply.head.result else { return Err(wrong()) };
        need(error.to_json().contains(&index), wrong)?;
        return agrees_alone(last, reply);
    }
    let newest = steps.iter().filter_map(|step| Some(step.left.as_ref()?.revision)).max();
    let is_newest = matches!(reply.head.result, CallResult::Batch { newest: found } if Some(found) == newest);
    let body: Value = serde_json::from_str(reply.body.as_deref().unwrap_or_default()).unwrap_or_default();
    let results = body["results"].as_array().map(Vec::as_slice).unwrap_or_default();
    let is_each =
        steps.len() == results.len() && steps.iter().zip(results).all(|(step, result)| shows(result, step));
    need(is_newest && is_each, wrong)
}

/// Returns whether a result of a batch is that of the write.
fn shows(result: &Value, Step { expected, left }: &Step) -> bool {
    let (status, resource) = (&result["status"], &result["resource"]);
    match (expected, left) {
        (Expected::Changed(..), Some(Commit { id, version, revision, record: Some(record) })) => {
            let is_new = resource["createdAt"] == resource["lastModifiedAt"];
            // Nobody sees the body of a state that a later write of the batch has replaced.
            let is_body = record.body.is_empty() || record.value == *resource;
            *status == if is_new { 201 } else { 200 }
                && (&resource["id"], &resource["version"]) == (&json!(id), &json!(version))
                && resource["key"].as_str() == record.key.as_deref()
                && resource["lastModifiedAt"] == time::format(*revision)
                && is_body
        }
        (Expected::Deleted(id), Some(Commit { version, .. })) => {
            *status == 200 && (&resource["id"], &resource["version"]) == (&json!(id), &json!(version))
        }
        (Expected::Same(id), None) => *status == 200 && resource["id"] == **id,
        _ => false,
    }
}

/// Checks that a reply has the expected and committed result.
fn agrees_alone(Step { expected, left: commit }: &Step, reply: &Reply<String>) -> Verdict {
    let wrong = || format!("expected {expected:?}, committed {commit:?}, replied {reply:?}");
    let holds = match (expected, &reply.head.result) {
        (Expected::Refused(status), CallResult::Error(error)) => error.status() == *status,
        (Expected::Conflict(version), CallResult::Error(error)) => {
            error.status() == 409 && error.to_json().contains(&format!("\"currentVersion\":{version}"))
        }
        (Expected::Changed(..), CallResult::Resource(head)) => commit.as_ref().is_some_and(|commit| {
            let tag = (&head.id, head.revision, head.newest);
            tag == (&commit.id, commit.revision, commit.revision) && head.outcome != Outcome::Deleted
        }),
        (Expected::Deleted(_), CallResult::Resource(head)) => commit.as_ref().is_some_and(|commit| {
            head.outcome == Outcome::Deleted && (&head.id, head.newest) == (&commit.id, commit.revision)
        }),
        (Expected::Same(id), CallResult::Resource(head)) => head.id == *id && commit.is_none(),
        _ => false,
    };
    need(holds, wrong)
}
