//! What the machine of an object asks of its project: the records to index, and the puts.

use std::rc::Rc;

use super::outbox::{self, ALARM_MS};
use super::queue::{Lane, Settled};
use super::tasks::{Next, Put};
use crate::project::Project;
use crate::project::store::database::{Database, Result};
use crate::project::store::meta;
use crate::util::time::Millis;

/// The maximum number of puts in a batch, and of bytes of their values that allow another put.
const BATCH: usize = 64;
const BATCH_BYTES: usize = 1 << 20;

impl<D: Database> Project<D> {
    /// Brings the database up to date. Returns the project's key if there was a write.
    pub(super) fn ready_name(&self) -> Result<Option<&str>> {
        self.make_ready()?;
        Ok(self.name())
    }

    /// Returns whether [`Self::follow`] should be called soon.
    pub fn is_index_behind(&self) -> bool {
        self.index.is_behind()
    }

    /// Indexes the records that wait.
    pub fn follow(&self) -> Result<()> {
        self.catch_up()
    }

    pub fn next_put(&self, now: Millis) -> Result<Next> {
        let Some(project) = self.ready_name()? else { return Ok(Next::Nothing) };
        self.outbox.borrow_mut().read(&self.database, project, now)?;
        if let Some(put) = self.begin_put(Lane::Own, now)? {
            return Ok(Next::Put(put));
        }
        let due = self.outbox.borrow_mut().next_begin(now).filter(|at| *at > now);
        Ok(due.map_or(Next::Nothing, Next::Wait))
    }

    /// Returns the next puts of a helper object; none if fewer than `many` entries only wait for a connection.
    pub fn next_batch(&self, many: usize, now: Millis) -> Result<Vec<Put>> {
        let (mut puts, mut bytes) = (Vec::new(), 0);
        let Some(project) = self.ready_name()? else { return Ok(puts) };
        self.outbox.borrow_mut().read(&self.database, project, now)?;
        if !self.outbox.borrow().queue.has_many(many) {
            return Ok(puts);
        }
        while puts.len() < BATCH && bytes < BATCH_BYTES {
            match self.begin_put(Lane::Helper, now) {
                Ok(Some(put)) => {
                    bytes += put.value.len();
                    puts.push(put);
                }
                Err(error) if puts.is_empty() => return Err(error),
                // After a fault the entry is due again soon. If the fault remains, that attempt reports it.
                Ok(None) | Err(_) => break,
            }
        }
        Ok(puts)
    }

    fn begin_put(&self, lane: Lane, now: Millis) -> Result<Option<Put>> {
        let queue = &mut self.outbox.borrow_mut().queue;
        let Some(begun) = queue.begin(now, lane) else { return Ok(None) };
        let entry = Rc::clone(&begun.entry);
        let put = outbox::complete(&self.database, begun);
        if put.is_err() {
            queue.put_back(&entry, now);
        }
        put.map(Some)
    }

    pub fn put_done(&self, put: &Put, now: Millis) -> Result<()> {
        let queue = &mut self.outbox.borrow_mut().queue;
        queue.follow_clock(now);
        match queue.succeeded(&put.entry, now) {
            None => Ok(()),
            Some(Settled::Confirm(row, due)) => {
                outbox::store(&self.database, &put.entry, row, due)?;
                queue.set_row(&put.entry, row);
                Ok(())
            }
            Some(Settled::Done(row)) => {
                let removed = outbox::remove(&self.database, &put.entry);
                if removed.is_err() {
                    queue.load(&put.entry, row, now, now + ALARM_MS);
                }
                removed
            }
        }
    }

    /// Records that a put failed, or that its outcome is unknown.
    pub fn put_failed(&self, put: &Put, now: Millis) -> Result<()> {
        let queue = &mut self.outbox.borrow_mut().queue;
        queue.follow_clock(now);
        let Some((row, due)) = queue.failed(&put.entry, now) else { return Ok(()) };
        outbox::store(&self.database, &put.entry, row, due)?;
        queue.set_row(&put.entry, row);
        Ok(())
    }

    /// Stores how far writes are replicated, for the next start. Only the alarm calls it, because it costs a row.
    pub fn checkpoint(&self) -> Result<()> {
        self.make_ready()?;
        let mut outbox = self.outbox.borrow_mut();
        let replicated = outbox.replicated(self.totals.newest(&self.database)?);
        if replicated > outbox.watermark {
            meta::set(&self.database, meta::REPLICATED, replicated)?;
            outbox.watermark = replicated;
        }
        Ok(())
    }

    /// Returns when the next put is due; `None` if KV has everything.
    pub fn next_due(&self, now: Millis) -> Result<Option<Millis>> {
        Ok(self.ready_name()?.and_then(|_| self.outbox.borrow_mut().next_due(now)))
    }
}
