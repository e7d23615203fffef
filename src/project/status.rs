//! The status of a project for its operator, as JSON.

use crate::util::json::ObjectWriter;
use crate::util::time::{self, Millis};
use crate::wire;

use super::database::{Database, StoreError};
use super::outbox::Outbox;
use super::records::millis;
use super::sweep;
use super::tables;

/// Writes the project's status. `size` is the number of its resources, `newest` its newest revision.
pub(super) fn describe<D: Database>(
    database: &D,
    outbox: &Outbox,
    size: i64,
    newest: Millis,
    now: Millis,
) -> Result<String, StoreError> {
    let mut versions = tables::Versions::default();
    let (mut next, mut last) = (None, None);
    database.query("SELECT name, value FROM meta", &[], &mut |row| {
        match row.text(0).as_deref() {
            Some(sweep::DUE) => next = millis(row, 1),
            Some(sweep::ENDED) => last = millis(row, 1),
            Some(name) => versions.read(name, row),
            None => {}
        }
        Ok(())
    })?;
    let backlog = outbox.backlog(database)?;
    let mut out = String::with_capacity(512);
    let mut status = ObjectWriter::open(&mut out);
    // All are integers below 2^53.
    status.integer("resources", size);
    status.integer("databaseBytes", database.bytes()? as i64);
    status.integer("newestRevision", newest as i64);
    status.integer("replicatedRevision", outbox.replicated(newest) as i64);
    status.integer("backlog", backlog.entries as i64);
    if let Some(oldest) = backlog.oldest {
        status.integer("backlogAgeMs", now.saturating_sub(oldest) as i64);
    }
    status.integer("tablesVersion", versions.tables);
    status.integer("indexVersion", versions.index.abs() >> 32);
    status.member("isIndexed").push_str(if versions.is_indexed() { "true" } else { "false" });
    status.integer("messageFormat", i64::from(wire::FORMAT));
    for (name, at) in [("lastSweepAt", last), ("nextSweepAt", next)] {
        if let Some(at) = at {
            status.text(name, &time::format(at));
        }
    }
    status.close();
    Ok(out)
}
