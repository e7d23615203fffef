//! An entry of the queue: what waits for its put, and what is being put.

use crate::util::time::Millis;

/// The outbox row of an entry: what a restart needs besides the revisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OutboxRow {
    /// The revision of the write that the row belongs to.
    pub(crate) revision: Millis,
    /// How many puts failed since the last success.
    pub(crate) attempts: u32,
    /// Until when an earlier put may still land late.
    pub(crate) confirm: Option<Millis>,
}

#[derive(Debug)]
pub(super) struct Pending {
    pub(super) revision: Millis,
    /// Since when the oldest write waits that no put in flight has. A revision is no time: it may be ahead of the
    /// clock.
    pub(super) since: Millis,
    /// When the put may begin; `None` if the entry is in `ready`.
    pub(super) due: Option<Millis>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct InFlight {
    pub(super) revision: Millis,
    pub(super) since: Millis,
    pub(super) lane: Lane,
}

/// Who puts an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    /// The project's object.
    Own,
    /// A helper object, with separate connections.
    Helper,
}

#[derive(Debug, Default)]
pub(super) struct QueuedEntry {
    pub(super) pending: Option<Pending>,
    pub(super) in_flight: Option<InFlight>,
    /// When KV accepts the next put.
    pub(super) free_at: Millis,
    pub(super) row: Option<OutboxRow>,
    /// Until when a put that an earlier instance began may land.
    pub(super) doubtful_until: Millis,
}

impl QueuedEntry {
    /// Returns the revision of the newest write that waits or is being put.
    pub(super) fn revision(&self) -> Option<Millis> {
        self.pending.as_ref().map(|pending| pending.revision).or(self.in_flight.map(|put| put.revision))
    }

    /// Returns since when the oldest write waits that KV lacks.
    pub(super) fn since(&self) -> Option<Millis> {
        self.in_flight.map(|put| put.since).or(self.pending.as_ref().map(|pending| pending.since))
    }

    /// Returns whether KV has the newest state, and the entry only waits to be put again.
    pub(super) fn is_confirming(&self) -> bool {
        let due = self.pending.as_ref().and_then(|pending| pending.due);
        due.is_some() && self.row.is_some_and(|row| row.attempts == 0 && row.confirm == due)
    }

    /// Returns the revision that no put and no row covers yet.
    pub(super) fn open_revision(&self) -> Option<Millis> {
        let revision = self.revision()?;
        self.row.is_none_or(|row| row.revision < revision).then_some(revision)
    }
}
