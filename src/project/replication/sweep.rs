//! The sweep: lists the contents of KV page by page, and records what differs from the source of truth. It finds
//! differences that no outbox can record: an entry that a late put overwrote, an entry that somebody removed, or a lost
//! namespace.
//!
//! A turn compares one page of KV with at most [`TURN_ROWS`] names of the source of truth, and stores where the next
//! turn continues. So a turn is short however many entries are missing, and an interrupted sweep loses at most one
//! turn.

use crate::call::wire;
use crate::contract::kv::{EntryKind, Listed, Metadata};
use crate::util::time::Millis;

use super::outbox;
use super::queue::CONFIRM_MS;
use super::tasks::Sweep;
use crate::project::Project;
use crate::project::store::database::{Database, Result, StoreError, binds};
use crate::project::store::meta::{self, REPAIR, SWEEP_DUE, SWEEP_ENDED, SWEEP_PLACE};

/// The time between the end of a sweep and the start of the next.
const SWEEP_MS: Millis = 24 * 60 * 60 * 1000;
/// The pause between two pages, so that a sweep never competes with the project's calls.
const PAUSE_MS: Millis = 1_000;
/// The maximum number of names of the source of truth that one turn compares.
const TURN_ROWS: usize = 1_000;
/// How long a turn is postponed while many puts wait, so that differences do not pile up.
const BUSY_MS: Millis = 10_000;
/// After this time, a turn is no longer postponed.
const PATIENCE_MS: Millis = 60 * 60 * 1000;
/// After how many turns in a row without progress the sweep restarts. KV may return empty pages, but not forever.
const IDLE_TURNS: u32 = 1_000;

/// How many sweeps a repair needs. The second finds what the first cannot: puts of the time before the restore that
/// landed late, and entries that KV did not list yet.
const REPAIR_SWEEPS: i64 = 2;

impl<D: Database> Project<D> {
    /// Returns when the next page of the sweep is due; later if the outbox is busy. `None` before the first write: the
    /// first sweep begins a while after it.
    pub fn next_sweep(&self, now: Millis) -> Result<Option<Millis>> {
        if self.ready_name()?.is_none() {
            return Ok(None);
        }
        let Some(due) = meta::time(&self.database, SWEEP_DUE)? else {
            meta::set(&self.database, SWEEP_DUE, now + SWEEP_MS)?;
            return Ok(Some(now + SWEEP_MS));
        };
        // A time further ahead is from before the clock was set back. A small correction of the clock is no reason to
        // sweep.
        let due = if due > now + SWEEP_MS + PATIENCE_MS { 0 } else { due };
        let waits = (due..due + PATIENCE_MS).contains(&now) && self.outbox.borrow().queue.is_busy();
        Ok(Some(if waits { now + BUSY_MS } else { due }))
    }

    /// Returns the page of KV to list now for the sweep; `None` if none is due, or if many puts wait.
    pub fn sweep(&self, now: Millis) -> Result<Option<Sweep>> {
        if self.next_sweep(now)?.is_none_or(|due| due > now) {
            return Ok(None);
        }
        let Some(project) = self.name() else { return Ok(None) };
        // A place of another format is none.
        let place = meta::bytes(&self.database, SWEEP_PLACE)?.and_then(|bytes| wire::decode(&bytes).ok());
        let (is_key, after, cursor, idle) = place.unwrap_or_default();
        let kind = if is_key { EntryKind::Key } else { EntryKind::Resource };
        Ok(Some(Sweep { prefix: kind.prefix(project), cursor, kind, after, idle }))
    }

    /// Records how a page of KV differs from the source of truth. `cursor` is KV's cursor of the next page.
    pub fn sweep_done(
        &self,
        sweep: &Sweep,
        page: &[Listed],
        cursor: Option<&str>,
        now: Millis,
    ) -> Result<()> {
        self.repair.set(self.database.transaction(|| self.compare(sweep, page, cursor, now))?);
        self.outbox.borrow_mut().reread_rows();
        Ok(())
    }

    /// Restarts the sweep in an hour, after a list that failed.
    pub fn sweep_failed(&self, now: Millis) -> Result<()> {
        self.database.transaction(|| restart(&self.database, now))
    }

    /// Begins to repair KV after a restore: a sweep is due now, and discards the place of an earlier one. The name is
    /// stored again: the project may have had no write at that time, but KV has entries of later ones. A fault leaves
    /// nothing wrong, and the caller repeats the restore. If there is none, [`Self::repair_began`] follows.
    pub(crate) fn begin_repair(&self, project: &str, now: Millis) -> Result<()> {
        if self.name.get().is_none() {
            meta::set(&self.database, meta::PROJECT, project)?;
        }
        meta::set(&self.database, REPAIR, REPAIR_SWEEPS)?;
        finish(&self.database, now)?;
        self.database.arm(now)
    }

    /// Records in memory that [`Self::begin_repair`] was committed.
    pub(crate) fn repair_began(&self, project: &str) {
        self.name.get_or_init(|| project.to_owned());
        self.repair.set(REPAIR_SWEEPS);
    }

    /// Compares a page with the source of truth and records what differs. Returns how many sweeps a repair needs after
    /// this page.
    fn compare(&self, sweep: &Sweep, page: &[Listed], cursor: Option<&str>, now: Millis) -> Result<i64> {
        let (database, outbox, repair) = (&self.database, self.outbox.borrow(), self.repair.get());
        let names = page
            .iter()
            .filter_map(|listed| Some((listed.entry.strip_prefix(&sweep.prefix)?, listed.metadata.as_ref())));
        // An earlier turn may have compared the beginning of the page.
        let mut names: Vec<(&str, Option<&Metadata>)> =
            names.filter(|(name, _)| *name > sweep.after.as_str()).collect();
        let last = cursor.and(Some(names.last().map_or(sweep.after.as_str(), |(name, _)| *name)));
        let truth = present(database, sweep, last)?;
        // If the source of truth has more names than one turn compares, the page is listed again for the rest.
        let end = truth.get(TURN_ROWS - 1).map(|present| present.name.clone());
        let end = end.filter(|end| last.is_none_or(|last| end.as_str() < last));
        if let Some(end) = &end {
            names.retain(|(name, _)| *name <= end.as_str());
        }
        let newest = self.totals.newest(database)?;
        for (name, revision) in differences(sweep.kind, &names, truth) {
            let entry = [&sweep.prefix, name.as_str()].concat();
            if !outbox.contains(&entry, revision) {
                outbox::record_difference(database, &entry, newest, now)?;
            }
        }
        match (end, cursor) {
            (Some(end), _) => advance(database, sweep, sweep.kind, &end, sweep.cursor.as_deref(), now)?,
            (None, Some(_)) => advance(database, sweep, sweep.kind, last.unwrap_or_default(), cursor, now)?,
            (None, None) if sweep.kind == EntryKind::Resource => {
                advance(database, sweep, EntryKind::Key, "", None, now)?;
            }
            (None, None) => {
                meta::set(database, SWEEP_ENDED, now)?;
                let left = (repair - 1).max(0);
                if left < repair {
                    meta::set(database, REPAIR, left)?;
                }
                // A put from before the repair may land until then.
                let pause = if left > 0 { CONFIRM_MS } else { SWEEP_MS };
                finish(database, now + pause)?;
                return Ok(left);
            }
        }
        Ok(repair)
    }
}

/// Returns the names whose state in KV is not that in the source of truth, each with its revision there. Both lists are
/// in the order of names.
fn differences(
    kind: EntryKind,
    listed: &[(&str, Option<&Metadata>)],
    truth: Vec<Present>,
) -> Vec<(String, Option<Millis>)> {
    let mut truth = truth.into_iter().peekable();
    let mut differing = Vec::new();
    for (name, metadata) in listed {
        // What precedes this name in the source of truth is missing in KV.
        while let Some(missing) = truth.next_if(|present| present.name.as_str() < *name) {
            differing.push((missing.name, Some(missing.revision)));
        }
        let present = truth.next_if(|present| present.name == *name);
        if !agrees(kind, present.as_ref(), *metadata) {
            differing.push(((*name).to_owned(), present.map(|present| present.revision)));
        }
    }
    differing.extend(truth.map(|missing| (missing.name, Some(missing.revision))));
    differing
}

struct Present {
    name: String,
    id: String,
    revision: Millis,
}

/// Returns the names that the page covers: after the last turn, up to the last name of this one; at most [`TURN_ROWS`].
fn present<D: Database>(database: &D, sweep: &Sweep, last: Option<&str>) -> Result<Vec<Present>> {
    let sql = match sweep.kind {
        EntryKind::Resource => {
            "SELECT id AS name, id, revision FROM resource WHERE id > ?1 AND (?2 IS NULL OR id <= ?2) ORDER BY id LIMIT ?3"
        }
        EntryKind::Key => {
            "SELECT key AS name, id, revision FROM resource WHERE key > ?1 AND (?2 IS NULL OR key <= ?2) ORDER BY key LIMIT ?3"
        }
    };
    let binds = binds![&sweep.after, last, TURN_ROWS];
    database.rows(sql, &binds, |row| {
        Some(Present { name: row.text(0)?, id: row.text(1)?, revision: row.unsigned(2)? })
    })
}

fn agrees(kind: EntryKind, present: Option<&Present>, metadata: Option<&Metadata>) -> bool {
    match (present, metadata) {
        (None, Some(metadata)) => metadata.deleted,
        (Some(present), Some(metadata)) => {
            !metadata.deleted
                && match kind {
                    EntryKind::Resource => metadata.revision == present.revision,
                    EntryKind::Key => metadata.id.as_ref() == Some(&present.id),
                }
        }
        (_, None) => false,
    }
}

/// Stores where the sweep continues. Restarts a sweep that made no progress for many turns.
fn advance<D: Database>(
    database: &D,
    sweep: &Sweep,
    kind: EntryKind,
    after: &str,
    cursor: Option<&str>,
    now: Millis,
) -> Result<()> {
    let idle = if kind == sweep.kind && after == sweep.after { sweep.idle + 1 } else { 0 };
    if idle >= IDLE_TURNS {
        return restart(database, now);
    }
    let place = wire::encode(&(kind == EntryKind::Key, after, cursor, idle)).map_err(StoreError::new)?;
    meta::set(database, SWEEP_PLACE, place.as_slice())?;
    meta::set(database, SWEEP_DUE, now + PAUSE_MS)
}

/// Restarts the sweep in an hour: KV lost its place in the list, or no longer accepts it.
fn restart<D: Database>(database: &D, now: Millis) -> Result<()> {
    finish(database, now + SWEEP_MS / 24)
}

/// Discards the sweep's place. The next sweep begins at that time.
fn finish<D: Database>(database: &D, due: Millis) -> Result<()> {
    meta::remove(database, SWEEP_PLACE)?;
    meta::set(database, SWEEP_DUE, due)
}
