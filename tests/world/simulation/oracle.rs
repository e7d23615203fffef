//! The oracle follows the source of truth: it has every committed state, in order, and checks replies and
//! responses. It decides each write again by the contract's table (section 3) on its own states, and the content of a
//! declared resource by the rules of D38 to D41.

mod response;
mod writes;

use std::collections::BTreeMap;

use resource_edge::call::{CallResult, Reply};
use resource_edge::project::Put;
use resource_edge::util::time::Millis;
use serde_json::Value;

use crate::support::schemas::Design;
use crate::world::simulation::disk::Storage;
use crate::world::simulation::oracle::writes::{Decided, Step};
use crate::world::simulation::workload::{Condition, Intent, Operation};

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

#[derive(Default)]
pub(crate) struct Oracle {
    /// Every committed state in order.
    pub(crate) history: Vec<Commit>,
    /// The places in the history of each ID.
    places: BTreeMap<String, Vec<usize>>,
    /// The resource that had each key, with the place from which it had the key.
    holders: BTreeMap<String, Vec<(usize, Option<String>)>>,
    decided: BTreeMap<u64, Decided>,
    /// Decisions that change no resource, of which the instance ended before it replied.
    unknown: BTreeMap<u64, Vec<Vec<Step>>>,
    /// The number of replies that were replays.
    pub(crate) replays: u64,
    pub(crate) conflicts: u64,
    pub(crate) batches: u64,
    pub(crate) refused_batches: u64,
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
        let is_performed = |number: &&u64| self.decided.get(number).is_some_and(Decided::is_performed);
        let performed = numbers.iter().find(is_performed);
        need(performed.is_none(), || format!("a write was reported as refused and performed: {performed:?}"))
    }

    // -- the object ------------------------------------------------------------------------------------------------

    fn add(&mut self, commit: Commit) {
        let place = self.history.len();
        let key_of = |commit: &Commit| commit.record.as_ref().and_then(|record| record.key.clone());
        let before = self.last(&commit.id).and_then(key_of);
        let after = key_of(&commit);
        if before != after {
            // An earlier write of the same batch may have given the key to another resource.
            let lost = before.filter(|key| self.holder(key) == Some(&commit.id));
            for (key, holder) in [(lost, None), (after, Some(commit.id.clone()))] {
                if let Some(key) = key {
                    self.holders.entry(key).or_default().push((place, holder));
                }
            }
        }
        self.places.entry(commit.id.clone()).or_default().push(place);
        self.history.push(commit);
    }

    /// Discards the states from a place of the history on.
    fn forget(&mut self, place: usize) {
        self.history.truncate(place);
        self.places.retain(|_, places| {
            places.retain(|known| *known < place);
            !places.is_empty()
        });
        self.holders.retain(|_, holders| {
            holders.retain(|(known, _)| *known < place);
            !holders.is_empty()
        });
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
            Intent::Write(_) | Intent::Batch(_) => Ok(()),
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

/// Returns the states in the database whose revisions are later, in their order.
fn states(storage: &Storage, than: Millis) -> Vec<Commit> {
    let sql = "SELECT id, version, revision, key, body FROM resource WHERE revision > ?1 \
               UNION ALL SELECT id, version, revision, NULL, NULL FROM tombstone WHERE revision > ?1 ORDER BY revision";
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
