//! What a location remembers of KV: an answer from memory is a copy that it has read within the age of the setting.

use resource_edge::contract::kv::EntryKind;
use resource_edge::server::settings::HOT_SECONDS;

use super::*;
use crate::world::simulation::oracle::need;

/// How long a copy is remembered, in seconds: the default of the setting.
pub(crate) const SECONDS: u64 = match u64::from_str_radix(HOT_SECONDS.default, 10) {
    Ok(seconds) => seconds,
    Err(_) => panic!("the default is a number of seconds"),
};

/// When a location last read each revision of a copy from KV: the time, and by how much its clock was ahead.
pub(crate) type Reads = BTreeMap<(String, Millis), (Millis, i64)>;

/// Returns the KV key and the revision that a read or a write returned.
fn shown(got: &Got) -> Option<(String, Millis)> {
    let id = got.json()["id"].as_str()?.to_owned();
    Some((EntryKind::Resource.entry("p", &id), got.header("Resource-Revision")?.parse().ok()?))
}

impl Location {
    /// Notes that KV returned a copy.
    pub(super) fn note_copy(&self, entry: &str, revision: Millis, now: Millis) {
        self.reads.borrow_mut().insert((entry.to_owned(), revision), (now, self.clock.get()));
    }

    /// Returns whether a copy of the resource is young enough for a read that begins now.
    pub(super) fn remembers(&self, id: &str, now: Millis) -> bool {
        let entry = EntryKind::Resource.entry("p", id);
        let reads = self.reads.borrow();
        reads.iter().any(|((known, _), (at, _))| *known == entry && now < at + SECONDS * 1_000)
    }
}

impl World {
    /// Checks a response for which nothing was asked: it shows a copy that the location has read recently, and since
    /// then it has returned no newer state of the resource.
    pub(super) fn check_memory(&mut self, request: &Request, got: &Got) {
        let Some((entry, revision)) = shown(got).filter(|_| (200..300).contains(&got.status)) else { return };
        let location = &self.locations[request.location];
        if request.asks {
            // The service of an earlier deployment has another memory.
            if request.arrived <= location.deployed.get() {
                return;
            }
            location.returned.borrow_mut().push((entry, revision, self.now.get()));
            return;
        }
        self.report.count("a copy is remembered");
        let found = location.reads.borrow().get(&(entry.clone(), revision)).copied();
        let is_newer = |(known, newer, since): &(String, Millis, Millis), at| {
            *known == entry && *newer > revision && (at..request.arrived).contains(since)
        };
        // A jump of the clock may hide the age.
        let is_right = found.is_some_and(|(at, clock)| {
            let is_young = request.arrived < at + SECONDS * 1_000;
            let is_newest = !location.returned.borrow().iter().any(|returned| is_newer(returned, at + 1));
            is_young && is_newest || clock != location.clock.get()
        });
        self.report.check(need(is_right, || format!("{got:?} is from {found:?}, or was overwritten here")));
    }
}
