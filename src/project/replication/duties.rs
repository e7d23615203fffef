//! What the machine of an object asks of its project: the records to index, the puts, and the sweep.

use super::outbox::{Next, Put};
use super::sweep::{self, Sweep};
use crate::contract::kv::Listed;
use crate::project::Project;
use crate::project::store::database::{Database, Result};
use crate::util::time::Millis;

impl<D: Database> Project<D> {
    /// Returns the project's key if the database is up to date and has a write.
    fn ready_name(&self) -> Result<Option<&str>> {
        Ok(if self.make_ready()? { self.name() } else { None })
    }

    /// Returns whether [`Self::follow`] should be called soon.
    pub fn is_index_behind(&self) -> bool {
        self.index.is_behind()
    }

    /// Indexes the records that wait.
    pub fn follow(&self) -> Result<()> {
        self.index.catch_up(&self.database)
    }

    pub fn next_put(&self, now: Millis) -> Result<Next> {
        match self.ready_name()? {
            Some(project) => self.outbox.next(&self.database, project, now),
            None => Ok(Next::Nothing),
        }
    }

    /// Returns the next puts of a helper object; none if fewer than `many` entries only wait for a connection.
    pub fn next_batch(&self, many: usize, now: Millis) -> Result<Vec<Put>> {
        match self.ready_name()? {
            Some(project) => self.outbox.next_batch(&self.database, project, many, now),
            None => Ok(Vec::new()),
        }
    }

    pub fn put_done(&self, put: &Put, now: Millis) -> Result<()> {
        self.outbox.done(&self.database, put, now)
    }

    /// Records that a put failed, or that its outcome is unknown.
    pub fn put_failed(&self, put: &Put, now: Millis) -> Result<()> {
        self.outbox.failed(&self.database, put, now)
    }

    /// Stores how far writes are replicated, for the next start. Only the alarm calls it, because it costs a row.
    pub fn checkpoint(&self) -> Result<()> {
        if !self.make_ready()? {
            return Ok(());
        }
        self.outbox.advance(&self.database, self.newest.get(&self.database)?)
    }

    /// Returns the page of KV to list now for the sweep; `None` if none is due, or if many puts wait.
    pub fn sweep(&self, now: Millis) -> Result<Option<Sweep>> {
        match self.ready_name()? {
            Some(project) => sweep::due(&self.database, &self.outbox, project, now),
            None => Ok(None),
        }
    }

    /// Records how a page of KV differs from the source of truth. `cursor` is KV's cursor of the next page.
    pub fn sweep_done(
        &self,
        sweep: &Sweep,
        page: &[Listed],
        cursor: Option<&str>,
        now: Millis,
    ) -> Result<()> {
        let repair = self.repair.get();
        let compare = || sweep::compare(&self.database, &self.outbox, sweep, page, cursor, repair, now);
        self.repair.set(self.database.transaction(compare)?);
        self.outbox.reread_rows();
        Ok(())
    }

    /// Restarts the sweep in an hour, after a list that failed.
    pub fn sweep_failed(&self, now: Millis) -> Result<()> {
        self.database.transaction(|| sweep::restart(&self.database, now))
    }

    /// Returns when the next put, or the next part of an incomplete index, is due; `None` if KV has everything.
    pub fn next_due(&self, now: Millis) -> Result<Option<Millis>> {
        if !self.make_ready()? {
            return Ok(Some(now));
        }
        Ok(self.name().and_then(|_| self.outbox.next_due(now)))
    }

    /// Returns when the next page of the sweep is due; `None` before the first write.
    pub fn next_sweep(&self, now: Millis) -> Result<Option<Millis>> {
        self.ready_name()?.map(|_| sweep::next(&self.database, &self.outbox, now)).transpose()
    }
}
