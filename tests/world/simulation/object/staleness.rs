//! Plain reads bypass KV while a write waits too long for its put (D33).

use std::collections::BTreeSet;

use resource_edge::call::{CallResult, ReplyHead};
use resource_edge::contract::kv::EntryKind;

use super::*;
use crate::world::simulation::oracle::{Verdict, need};

/// How long a write may wait.
const BEHIND_MS: Millis = 5_000;

/// When a state was committed: the time, that of the object, and by how much its clock was ahead; and by which
/// instance.
pub(crate) struct Committed {
    at: Millis,
    by_clock: Millis,
    clock: i64,
    generation: u64,
}

impl World {
    /// Notes when the newest states were committed.
    pub(crate) fn note_commits(&mut self) {
        let (at, by_clock, clock) = (self.now(), self.object_time(), self.object.clock.get());
        let generation = self.object.generation;
        self.commits.resize_with(self.oracle.place(), || Committed { at, by_clock, clock, generation });
    }

    /// Checks the answer of the object whether plain reads bypass KV. A jump of the clock may hide how long a write has
    /// waited. So does a restart, unless the revision of the newest state was the time, or is ahead of it.
    pub(crate) fn check_bypass(&self, head: &[u8]) -> Verdict {
        let Ok(ReplyHead { result: CallResult::Replication { bypass_kv: false }, .. }) = wire::decode(head)
        else {
            return Ok(());
        };
        let (now, mut seen) = (self.now(), BTreeSet::new());
        for (commit, committed) in self.oracle.history.iter().zip(&self.commits) {
            let entry = EntryKind::Resource.entry("p", &commit.id);
            let Committed { at, by_clock, clock, generation } = *committed;
            // The oldest state that KV never had.
            if commit.revision <= self.kv.newest(&entry) || !seen.insert(&commit.id) {
                continue;
            }
            let is_newest = self.oracle.newest_of(&commit.id) == Some(commit.revision);
            let knows = generation == self.object.generation
                || is_newest && (commit.revision == by_clock || commit.revision > self.object_time());
            need(
                now <= at + BEHIND_MS
                    || !knows
                    || clock != self.object.clock.get()
                    || self.object.excused.contains(&entry),
                || format!("{entry} waits for {} ms, and plain reads use KV", now - at),
            )?;
        }
        Ok(())
    }
}
