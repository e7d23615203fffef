//! The end of a simulation: the faults stop, pending work gets its time, and then everything must agree.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use resource_edge::contract::kv::{EntryKind, Metadata};
use resource_edge::project::Project;
use resource_edge::util::time::Millis;

use crate::support::edge::Sent;
use crate::world::simulation::disk::{Disk, Storage};
use crate::world::simulation::kv::{CACHE_MS, LAG_MS};
use crate::world::simulation::oracle::{Verdict, need};
use crate::world::simulation::world::World;

/// The longest until everything is replicated: clocks that were set back, retries, and confirmations.
const REST_MS: Millis = 4 * 60 * 60_000;
/// The longest until a sweep has passed after that.
const SWEEP_MS: Millis = 26 * 60 * 60_000;
const DAY_MS: Millis = 24 * 60 * 60_000;

impl World {
    /// Completes all pending work, and checks the result.
    pub(crate) fn rest(&mut self) {
        self.quiet = true;
        self.end_deployments();
        self.report.trace(|| "from now on nothing goes wrong".to_owned());
        self.run_until(REST_MS, |world| world.requests.is_empty() && world.is_at_rest());
        let verdict = need(self.is_at_rest(), || "replication never ends".to_owned());
        self.report.check(verdict);
        self.check(|world| world.kv_agrees(true));
        self.check(|world| world.oracle.database(&world.object.storage));
        self.check(|world| world.oracle.refused(&world.refused));
        self.check(Self::reads_agree);
        self.check(Self::index_agrees);
        if self.random.chance(300) || !self.object.excused.is_empty() {
            self.sweep();
        }
    }

    /// Runs a sweep, which repairs what nothing else can.
    fn sweep(&mut self) {
        if self.oracle.history.is_empty() {
            return;
        }
        self.run_until(SWEEP_MS, |_| false);
        self.run_until(REST_MS, Self::is_at_rest);
        self.report.count("a sweep has passed");
        self.check(|world| world.kv_agrees(false));
        self.check(|world| world.oracle.database(&world.object.storage));
    }

    fn check(&mut self, check: impl FnOnce(&mut Self) -> Verdict) {
        if self.report.violation.is_none() {
            let verdict = check(self);
            self.report.check(verdict);
        }
    }

    /// Runs until `done` returns true, or `max` milliseconds have passed.
    fn run_until(&mut self, max: Millis, done: impl Fn(&Self) -> bool) {
        let end = self.now() + max;
        while !done(self) && self.step(end) {}
        if self.report.violation.is_none() && !done(self) {
            self.now.set(end);
        }
    }

    /// Checks that KV equals the source of truth. Entries that only the sweep can repair may be excused.
    fn kv_agrees(&mut self, excuse: bool) -> Verdict {
        let now = self.now();
        // The value of each entry, and the metadata of a resource.
        let mut wanted: BTreeMap<String, (&str, Option<Metadata>)> = BTreeMap::new();
        for (commit, record) in self.oracle.records() {
            let (version, key) = (Some(commit.version), record.key.clone());
            let metadata = Metadata { version, revision: commit.revision, key, id: None, deleted: false };
            wanted.insert(EntryKind::Resource.entry("p", &commit.id), (&record.body, Some(metadata)));
        }
        for key in self.oracle.keys() {
            if let Some(id) = self.oracle.holder(key) {
                wanted.insert(EntryKind::Key.entry("p", key), (id, None));
            }
        }
        let entries: BTreeSet<&str> =
            wanted.keys().map(String::as_str).chain(self.kv.all(now).map(|(entry, _)| entry)).collect();
        for entry in entries {
            let (stored, wanted) = (self.kv.stored(entry, now), wanted.get(entry));
            let agrees = stored.is_some_and(|stored| match wanted {
                Some((value, None)) => stored.value == *value && !stored.metadata.deleted,
                Some((value, Some(metadata))) => {
                    stored.value == *value && stored.metadata == *metadata && stored.expires.is_none()
                }
                None => {
                    stored.metadata.deleted
                        && stored.value.is_empty()
                        && stored.expires.is_some_and(|at| at <= now + DAY_MS)
                }
            });
            let is_excused = excuse && self.object.excused.contains(entry);
            need(agrees || is_excused, || format!("{entry} is {stored:?}, not {wanted:?}"))?;
        }
        Ok(())
    }

    /// Checks whether plain reads at every location agree with the source of truth, once their caches have ended.
    fn reads_agree(&mut self) -> Verdict {
        self.run_until(CACHE_MS + LAG_MS, |_| false);
        let oracle = &self.oracle;
        let ids = oracle.ids().map(|id| (EntryKind::Resource, id, Some(id.as_str())));
        let keys = oracle.keys().map(|key| (EntryKind::Key, key, oracle.holder(key)));
        let is_certain = |(kind, name, id): &(EntryKind, &String, Option<&str>)| {
            let copy = id.map(|id| EntryKind::Resource.entry("p", id));
            let entries = [Some(kind.entry("p", name)), copy];
            let mut excused = self.object.excused.iter();
            // A location may remember any resource that had the key.
            let any_copy = *kind == EntryKind::Key;
            !excused
                .any(|entry| entries.contains(&Some(entry.clone())) || any_copy && entry.starts_with("r1:"))
        };
        let body = |id: &str| oracle.live(id).map(|(_, record)| record.body.clone());
        let wanted: Vec<_> = ids
            .chain(keys)
            .filter(is_certain)
            .map(|(kind, name, id)| (kind, name.clone(), id.and_then(body)))
            .collect();
        let tokens: Vec<String> =
            (0..self.locations.len()).map(|location| self.issue_token(location)).collect();
        for (at, (kind, name, body)) in wanted.into_iter().enumerate() {
            let location = at % self.locations.len();
            let prefix = if kind == EntryKind::Key { "key=" } else { "" };
            let bearer = format!("Bearer {}", tokens[location]);
            let line = format!("GET /p/resource/{prefix}{name}");
            let sent = Sent::new(&line, &[("Authorization", &bearer)], "");
            // Only KV replies here: 503 means that the handler called the object, as it must for a missing resource.
            let got = self.ask(location, &sent);
            match body {
                Some(body) => need(got.status == 200 && got.body == body, || {
                    format!("a read of {name} at {location} is {got:?}, not {body}")
                })?,
                None => need(got.status == 503, || format!("a read of the absent {name} is {got:?}"))?,
            }
        }
        Ok(())
    }

    /// Checks that the index is what a rebuilt index has. It also has the fields that the service lacks, until it is
    /// rebuilt.
    fn index_agrees(&mut self) -> Verdict {
        let storage = &self.object.storage;
        let open = |storage: &Rc<Storage>| Project::new(Disk::new(Rc::clone(storage)), self.object_shape());
        let project = open(storage);
        let followed = project.make_ready().and_then(|()| project.follow());
        followed.map_err(|error| format!("the index cannot follow: {error:?}"))?;
        let copy = Rc::new(storage.copy());
        copy.sqlite.rows("UPDATE meta SET value = 0 WHERE name = 'index'");
        let rebuilding = open(&copy);
        let rebuilt = rebuilding.make_ready().and_then(|()| rebuilding.renew(u32::MAX));
        rebuilt.map_err(|error| format!("the index cannot be rebuilt: {error:?}"))?;
        let fields = copy.indexed_fields();
        let has_more = storage.indexed_fields() != fields;
        let words = |storage: &Storage| if has_more { Vec::new() } else { storage.words() };
        let [before, after] = [storage, &copy].map(|storage| (storage.index(&fields), words(storage)));
        need(before == after, || {
            format!("the index differs from the records: {before:#?}, rebuilt {after:#?}")
        })
    }
}
