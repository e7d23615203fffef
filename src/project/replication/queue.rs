//! The KV entries that wait for replication, in memory: which put begins next, and what a restart has to read.
//!
//! A KV key has at most one put in flight, and 1.1 s pass between the starts of two puts. Writes to a waiting entry
//! coalesce to the newest state. The queue is bounded: what does not fit is read from the tables later (`outbox`).

mod entry;

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use self::entry::{InFlight, Pending, QueuedEntry};
pub(crate) use self::entry::{Lane, OutboxRow};
use crate::util::time::Millis;

/// The time between the starts of two puts of one KV key: KV accepts one per second.
const BETWEEN_MS: Millis = 1_100;
/// How many puts an object runs at once: the platform opens no more connections.
pub const PUTS: usize = 6;
/// The maximum number of entries in the queue.
const ENTRIES: usize = 4_096;
/// With this many waiting entries, the queue does not read more.
const ENOUGH: usize = 64;
/// How many entries must fail in a row before KV counts as unavailable.
const OUTAGE: u32 = 6;
/// How many puts must fail in a row, retries included, before plain reads no longer use KV.
const REFUSED: u32 = 2;
/// The longest pause between two attempts.
const BACKOFF_MAX_MS: Millis = 60_000;
/// How long after an uncertain put the KV key is put again: the put may still land, over a newer one.
pub const CONFIRM_MS: Millis = 60_000;
/// How long to wait before a retry after a fault of the database.
const FAULT_MS: Millis = 1_000;

#[derive(Debug)]
pub(crate) struct Begun {
    pub(crate) entry: Rc<str>,
    pub(crate) revision: Millis,
    /// Whether the put confirms an uncertain one. Until now, its outbox row marks it as waiting.
    pub(crate) confirms: bool,
}

/// The next step after a successful put, if nothing newer waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Settled {
    /// The entry no longer needs a row. It had this one.
    Done(OutboxRow),
    /// An earlier put may still land late: store this row, and put again at its `confirm`.
    Confirm(OutboxRow, Millis),
}

/// Which entries the queue accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Accept {
    All,
    /// Only those that it already has, because earlier writes are not in the queue yet.
    Known,
}

/// The queue. The caller passes the time.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    /// By KV key.
    entries: BTreeMap<Rc<str>, QueuedEntry>,
    /// Entries whose put may begin, in the order of their writes.
    ready: VecDeque<Rc<str>>,
    /// Entries whose put may begin later, the next one last. An item is void if its time differs from that of its
    /// entry.
    later: Vec<(Millis, Rc<str>)>,
    /// Entries by the time at which KV accepts their next put.
    cooling: VecDeque<(Millis, Rc<str>)>,
    /// Whether `later` has precedence over `ready`. They alternate, so that neither starves.
    later_first: bool,
    /// How many puts are in flight, and how many of them in helpers.
    in_flight: usize,
    in_helpers: usize,
    /// How many entries failed in a row. Retries count if KV is unavailable.
    failures: u32,
    /// How many puts failed since the last success, retries included.
    refused: u32,
    /// When puts may begin again during an outage of KV.
    resume_at: Millis,
    /// Since when writes wait that have to be read, if this instance of the object performed them.
    pub(super) unread_since: Option<Millis>,
    /// The time of the last call.
    seen: Millis,
}

impl Queue {
    /// Continues the count of failed puts of an earlier instance of the object.
    pub(crate) fn start(refused: u32) -> Self {
        Self { refused, ..Self::default() }
    }

    /// Returns whether KV refuses puts. One failure is no sign of that: most retries succeed.
    pub(crate) fn is_refused(&self) -> bool {
        self.refused >= REFUSED
    }

    /// Follows the clock. If it was set back, all times move with it: otherwise the entries would wait until the clock
    /// is where it was, and would fill the queue meanwhile.
    pub(crate) fn follow_clock(&mut self, now: Millis) {
        let by = self.seen.saturating_sub(now);
        self.seen = now;
        if by == 0 {
            return;
        }
        let move_back = |at: &mut Millis| *at = at.saturating_sub(by);
        for known in self.entries.values_mut() {
            move_back(&mut known.free_at);
            move_back(&mut known.doubtful_until);
            if let Some(pending) = &mut known.pending {
                move_back(&mut pending.since);
                pending.due.as_mut().map(move_back);
            }
            known.in_flight.as_mut().map(|put| &mut put.since).map(move_back);
            known.row.as_mut().and_then(|row| row.confirm.as_mut()).map(move_back);
        }
        self.later.iter_mut().chain(&mut self.cooling).for_each(|(at, _)| move_back(at));
        self.unread_since.as_mut().map(move_back);
        move_back(&mut self.resume_at);
    }

    /// Adds a write to the entry, which waits since that time. Returns whether the queue accepted it; otherwise it has
    /// to be read later.
    pub(crate) fn enqueue(
        &mut self,
        entry: &Rc<str>,
        revision: Millis,
        since: Millis,
        accept: Accept,
    ) -> bool {
        if (accept == Accept::Known || self.entries.len() >= ENTRIES) && !self.entries.contains_key(entry) {
            return false;
        }
        let known = self.entries.entry(Rc::clone(entry)).or_default();
        let outage = self.failures >= OUTAGE;
        // What only waits to confirm an earlier put is no retry.
        let before = known.pending.as_ref().filter(|_| !known.is_confirming());
        let since = before.map_or(since, |before| before.since.min(since));
        let due = match before {
            Some(Pending { due: None, .. }) => None,
            Some(Pending { due, .. }) if outage => *due,
            _ => Some(known.free_at),
        };
        if let Some(row) = known.row.as_mut().filter(|_| !outage) {
            row.attempts = 0;
        }
        self.wait(entry, Pending { revision, since, due });
        true
    }

    /// Makes an entry wait for its time, or for its turn if it has none. An entry that is being put first waits for the
    /// end of that.
    fn wait(&mut self, entry: &Rc<str>, mut pending: Pending) {
        let Some(known) = self.entries.get_mut(entry) else { return };
        pending.due = pending.due.filter(|at| *at > 0);
        let due = pending.due;
        let before = known.pending.replace(pending);
        if known.in_flight.is_some() || before.is_some_and(|before| before.due == due) {
            return;
        }
        match due {
            Some(at) => {
                let place = self.later.partition_point(|(other, _)| *other > at);
                self.later.insert(place, (at, Rc::clone(entry)));
            }
            None => self.ready.push_back(Rc::clone(entry)),
        }
    }

    /// Sets the outbox row of an entry in the queue, as stored. An earlier `confirm` remains.
    pub(crate) fn set_row(&mut self, entry: &str, row: OutboxRow) {
        if let Some(known) = self.entries.get_mut(entry) {
            let confirm = row.confirm.or_else(|| known.row.and_then(|before| before.confirm));
            known.row = Some(OutboxRow { confirm, ..row });
        }
    }

    /// Adds an outbox row from the table, for which [`Self::wants_more`] ensured that there is room. The queue already
    /// has all rows except those of an earlier instance of the object.
    pub(crate) fn load(&mut self, entry: &Rc<str>, row: OutboxRow, since: Millis, due: Millis) {
        let known = self.entries.entry(Rc::clone(entry)).or_default();
        if let Some(before) = &mut known.row {
            before.confirm = before.confirm.max(row.confirm);
            return;
        }
        known.row = Some(row);
        if known.pending.is_none() {
            let due = due.max(known.free_at);
            self.wait(entry, Pending { revision: row.revision, since, due: Some(due) });
        }
    }

    /// Records that an earlier instance may have begun a put of the entry, which may land until that time.
    pub(crate) fn doubt(&mut self, entry: &str, until: Millis) {
        if let Some(known) = self.entries.get_mut(entry) {
            known.doubtful_until = known.doubtful_until.max(until);
        }
    }

    /// Returns whether the queue can read more: few entries wait, and there is room.
    pub(crate) fn wants_more(&self) -> bool {
        self.ready.len() < ENOUGH && self.entries.len() <= ENTRIES / 2
    }

    pub(crate) fn is_busy(&self) -> bool {
        self.entries.len() > ENTRIES / 8
    }

    /// Returns whether at least `many` entries only wait for a connection.
    pub(crate) fn has_many(&self, many: usize) -> bool {
        self.failures < OUTAGE && self.ready.len() >= many
    }

    /// Removes and returns the next entry whose put may begin.
    pub(crate) fn begin(&mut self, now: Millis, lane: Lane) -> Option<Begun> {
        let limit = if self.failures >= OUTAGE { 1 } else { PUTS };
        let is_full = lane == Lane::Own && self.in_flight - self.in_helpers >= limit;
        if is_full || now < self.resume_at {
            return None;
        }
        while let Some(entry) = self.next(now) {
            let Some(known) = self.entries.get_mut(&entry).filter(|known| known.in_flight.is_none()) else {
                continue;
            };
            let Some(Pending { revision, since, .. }) = known.pending.take() else { continue };
            let confirms = known
                .row
                .as_mut()
                .filter(|row| row.attempts == 0 && row.confirm.is_some_and(|confirm| confirm <= now));
            let confirms = confirms.map(|row| row.confirm = None).is_some();
            known.in_flight = Some(InFlight { revision, since, lane });
            known.free_at = now + BETWEEN_MS;
            self.cooling.push_back((known.free_at, Rc::clone(&entry)));
            self.in_flight += 1;
            self.in_helpers += usize::from(lane == Lane::Helper);
            return Some(Begun { entry, revision, confirms });
        }
        None
    }

    /// Removes and returns the next entry: alternately from `ready` and from the due entries in `later`.
    fn next(&mut self, now: Millis) -> Option<Rc<str>> {
        let due = self.next_later().is_some_and(|at| at <= now);
        if due && (self.later_first || self.ready.is_empty()) {
            self.later_first = false;
            return self.later.pop().map(|(_, entry)| entry);
        }
        self.later_first = true;
        self.ready.pop_front()
    }

    /// Removes void items, and returns the earliest time in `later`.
    fn next_later(&mut self) -> Option<Millis> {
        while let Some((at, entry)) = self.later.last() {
            let known = self.entries.get(entry).filter(|known| known.in_flight.is_none());
            let pending = known.and_then(|known| known.pending.as_ref());
            if pending.is_some_and(|pending| pending.due == Some(*at)) {
                return Some(*at);
            }
            self.later.pop();
        }
        None
    }

    /// Records that a put succeeded. `None` if something newer waits, or if the entry has no row and needs none.
    pub(crate) fn succeeded(&mut self, entry: &Rc<str>, now: Millis) -> Option<Settled> {
        self.failures = 0;
        self.refused = 0;
        self.resume_at = 0;
        let InFlight { revision, .. } = self.end(entry)?;
        let known = self.entries.get_mut(entry)?;
        if let Some(pending) = known.pending.take() {
            let due = Some(known.free_at);
            self.wait(entry, Pending { due, ..pending });
            return None;
        }
        let confirm = known.row.and_then(|row| row.confirm).unwrap_or(0).max(known.doubtful_until);
        if confirm > now {
            // KV has the state.
            self.wait(entry, Pending { revision, since: confirm, due: Some(confirm) });
            let row = OutboxRow { revision, attempts: 0, confirm: Some(confirm) };
            return Some(Settled::Confirm(row, confirm));
        }
        let row = known.row.take();
        if known.free_at <= now {
            self.entries.remove(entry);
        }
        row.map(Settled::Done)
    }

    /// Records that a put failed, or that its outcome is unknown. Returns its outbox row and when it is due.
    pub(crate) fn failed(&mut self, entry: &Rc<str>, now: Millis) -> Option<(OutboxRow, Millis)> {
        self.refused = self.refused.saturating_add(1);
        let InFlight { revision, since, .. } = self.end(entry)?;
        let known = self.entries.get_mut(entry)?;
        let attempts = known.row.map_or(0, |row| row.attempts);
        let revision = known.pending.as_ref().map_or(revision, |pending| pending.revision);
        let due = now + backoff(attempts);
        let row =
            OutboxRow { revision, attempts: attempts.saturating_add(1), confirm: Some(now + CONFIRM_MS) };
        known.pending = None;
        self.wait(entry, Pending { revision, since, due: Some(due) });
        if attempts == 0 || self.failures >= OUTAGE {
            self.failures = self.failures.saturating_add(1);
            if let Some(more) = self.failures.checked_sub(OUTAGE) {
                self.resume_at = now + backoff(more);
            }
        }
        Some((row, due))
    }

    /// Puts an entry back if its put could not begin because its state could not be read.
    pub(crate) fn put_back(&mut self, entry: &Rc<str>, now: Millis) {
        let Some(InFlight { revision, since, .. }) = self.end(entry) else { return };
        self.wait(entry, Pending { revision, since, due: Some(now + FAULT_MS) });
    }

    /// Returns what was being put.
    fn end(&mut self, entry: &Rc<str>) -> Option<InFlight> {
        let put = self.entries.get_mut(entry)?.in_flight.take()?;
        self.in_flight -= 1;
        self.in_helpers -= usize::from(put.lane == Lane::Helper);
        Some(put)
    }

    /// Returns when there is room to read more, if idle entries have to be removed before.
    pub(crate) fn room_at(&self) -> Option<Millis> {
        let many = self.entries.len().checked_sub(ENTRIES / 2)?;
        let (at, _) = self.cooling.get(many.checked_sub(1)?).or(self.cooling.back())?;
        Some(*at)
    }

    /// Removes idle entries after KV's write limit for their key has passed.
    pub(crate) fn remove_idle(&mut self, now: Millis) {
        while let Some((at, entry)) = self.cooling.front() {
            if *at > now {
                return;
            }
            let idle = self.entries.get(entry).is_some_and(|known| {
                known.pending.is_none() && known.in_flight.is_none() && known.free_at <= now
            });
            if idle {
                self.entries.remove(entry);
            }
            self.cooling.pop_front();
        }
    }

    /// Returns when a put may begin; `None` if nothing waits. A time in the past is returned as `now`.
    pub(crate) fn next_due(&mut self, now: Millis) -> Option<Millis> {
        let due = if self.ready.is_empty() { self.next_later()? } else { now };
        Some(due.max(self.resume_at).max(now))
    }

    pub(crate) fn in_flight(&self) -> usize {
        self.in_flight
    }

    /// Returns how many entries wait for their put or are being put, and since when the oldest of them does. Entries
    /// that are only put again to confirm do not count.
    pub(crate) fn backlog(&self) -> (usize, Option<Millis>) {
        let open = || self.entries.values().filter(|known| !known.is_confirming());
        let times = || open().filter_map(QueuedEntry::since);
        (times().count(), times().min())
    }

    /// Returns whether the entry waits or is being put with a write that is at least as new.
    pub(crate) fn covers(&self, entry: &str, revision: Millis) -> bool {
        self.entries.get(entry).and_then(QueuedEntry::revision).is_some_and(|known| known >= revision)
    }

    /// Returns the newest revision up to which nothing is open, if every write up to `newest` was enqueued.
    pub(crate) fn replicated(&self, newest: Millis) -> Millis {
        let oldest = self.entries.values().filter_map(QueuedEntry::open_revision).min();
        oldest.map_or(newest, |revision| newest.min(revision - 1))
    }
}

fn backoff(attempts: u32) -> Millis {
    BACKOFF_MAX_MS.min(1_000 << attempts.min(10))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    #[test]
    fn the_queue_reads_more_if_few_entries_wait_and_there_is_room() {
        for (ready, later, wants) in
            [(ENOUGH - 1, 0, true), (ENOUGH, 0, false), (0, ENTRIES / 2, true), (0, ENTRIES / 2 + 1, false)]
        {
            let mut queue = Queue::default();
            let row = OutboxRow { revision: 1, attempts: 1, confirm: None };
            for number in 0..ready + later {
                let due = if number < ready { 0 } else { 1_000 };
                queue.load(&number.to_string().into(), row, 0, due);
            }
            assert_eq!(queue.wants_more(), wants, "{ready} and {later}");
        }
    }
}
