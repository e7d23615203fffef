//! The log of a project: the newest state of each resource, and the last deletion of each ID, in the order of
//! revisions. An ID that was created again has both. Whoever follows the project reads the log after a revision: the
//! feed, the export, and the replication to KV. A state that is replaced meanwhile has a later revision, so it is read
//! later.

use super::database::{Database, Result, Row, binds, unexpected};
use crate::contract::response::export_end::States;
use crate::shape::Deleted;
use crate::util::time::Millis;

/// What a project has of an ID at a revision.
pub(crate) struct LogState {
    pub(crate) revision: Millis,
    pub(crate) id: String,
    pub(crate) form: LogStateForm,
}

pub(crate) enum LogStateForm {
    /// The resource with this body.
    Resource(String),
    /// It was deleted with this version.
    Deleted(u64),
}

impl LogState {
    fn read(row: &dyn Row) -> Option<Self> {
        let form = match row.text(2) {
            Some(body) => LogStateForm::Resource(body),
            None => LogStateForm::Deleted(row.unsigned(3)?),
        };
        Some(Self { revision: row.unsigned(0)?, id: row.text(1)?, form })
    }

    /// Appends its line.
    pub(crate) fn write(&self, out: &mut String) {
        match &self.form {
            LogStateForm::Resource(body) => out.push_str(body),
            LogStateForm::Deleted(version) => {
                Deleted { revision: self.revision, id: self.id.clone(), version: *version }.write(out);
            }
        }
        out.push('\n');
    }
}

/// A state without its body, which may be large.
pub(crate) struct LogEntry {
    pub(crate) revision: Millis,
    pub(crate) id: String,
    pub(crate) key: Option<String>,
    /// The bytes of its line, at most.
    bytes: usize,
}

/// What a follower reads of the log.
#[derive(Clone, Copy)]
pub(crate) struct LogReader {
    /// The revision after which it reads.
    pub(crate) after: Millis,
    /// The revision up to which it needs no deletions.
    pub(crate) deletions_after: Millis,
}

impl LogReader {
    pub(crate) const fn after(revision: Millis) -> Self {
        Self { after: revision, deletions_after: revision }
    }

    /// Returns the next entries, at most so many.
    pub(crate) fn entries<D: Database>(self, database: &D, limit: usize) -> Result<Vec<LogEntry>> {
        // The line of a deleted ID has less than 128 bytes besides the ID, in which every byte may be escaped.
        let sql = "SELECT revision, id, key, octet_length(body) + 1 FROM resource WHERE revision > ?1 UNION ALL \
                   SELECT revision, id, NULL, 129 + 2 * octet_length(id) FROM tombstone WHERE revision > ?2 \
                   ORDER BY revision LIMIT ?3";
        database.rows(sql, &binds![self.after, self.deletions_after, limit], |row| {
            Some(LogEntry {
                revision: row.unsigned(0)?,
                id: row.text(1)?,
                key: row.text(2),
                bytes: row.size(3)?,
            })
        })
    }

    /// Passes the states up to a revision to a function, one by one.
    pub(crate) fn each<D: Database>(
        self,
        database: &D,
        last: Millis,
        take: &mut dyn FnMut(LogState) -> Result<()>,
    ) -> Result<()> {
        let sql = "SELECT revision, id, body, NULL AS version FROM resource WHERE revision > ?1 AND revision <= ?3 \
                   UNION ALL SELECT revision, id, NULL, version FROM tombstone WHERE revision > ?2 AND revision <= ?3 \
                   ORDER BY revision";
        let binds = binds![self.after, self.deletions_after, last];
        database.query(sql, &binds, &mut |row| take(LogState::read(row).ok_or_else(|| unexpected(sql))?))
    }

    /// Returns the lines of the states up to a revision.
    pub(crate) fn lines<D: Database>(self, database: &D, last: Millis) -> Result<String> {
        let mut lines = String::new();
        self.each(database, last, &mut |state| {
            state.write(&mut lines);
            Ok(())
        })?;
        Ok(lines)
    }

    /// Returns how many states follow, and the first and the last revision of them.
    pub(crate) fn rest<D: Database>(self, database: &D) -> Result<(u64, Option<(Millis, Millis)>)> {
        let sql = "SELECT count(*), min(revision), max(revision) FROM \
                   (SELECT revision FROM resource WHERE revision > ?1 \
                   UNION ALL SELECT revision FROM tombstone WHERE revision > ?2)";
        let read = |row: &dyn Row| Some((row.unsigned(0)?, row.unsigned(1).zip(row.unsigned(2))));
        Ok(database.first(sql, &binds![self.after, self.deletions_after], read)?.unwrap_or_default())
    }
}

/// How large a page of states may be.
pub(crate) struct Bounds {
    pub(crate) lines: usize,
    /// The maximum number of bytes. A single line may have more.
    pub(crate) bytes: usize,
    /// The bytes of the line at the end of the last page, if it has one.
    pub(crate) end: Option<usize>,
}

pub(crate) struct Extent {
    /// The revision of its last line.
    pub(crate) last: Millis,
    /// Whether another page follows.
    pub(crate) more: bool,
    /// The bytes of its lines.
    pub(crate) bytes: usize,
}

impl Bounds {
    /// Returns the extent of the page of a reader.
    pub(crate) fn extent<D: Database>(&self, database: &D, reader: LogReader) -> Result<Extent> {
        let mut extent = Extent { last: reader.after, more: false, bytes: 0 };
        let entries = reader.entries(database, self.lines + 1)?;
        let is_full = |lines: usize, bytes: usize| lines == self.lines || (lines > 0 && bytes > self.bytes);
        for (lines, entry) in entries.iter().enumerate() {
            if is_full(lines, extent.bytes + entry.bytes) {
                extent.more = true;
                return Ok(extent);
            }
            extent.last = entry.revision;
            extent.bytes += entry.bytes;
        }
        extent.more = self.end.is_some_and(|end| is_full(entries.len(), extent.bytes + end));
        Ok(extent)
    }
}

/// Returns what the project has. Reads only indexes of revisions.
pub(crate) fn states<D: Database>(database: &D) -> Result<States> {
    let sql = "SELECT count(*), coalesce(sum(revision & 4294967295), 0) & 4294967295 FROM \
               (SELECT revision FROM resource UNION ALL SELECT revision FROM tombstone)";
    let read = |row: &dyn Row| {
        Some(States { lines: row.integer(0)?.try_into().ok()?, checksum: row.integer(1)?.try_into().ok()? })
    };
    database.first(sql, &[], read)?.ok_or_else(|| unexpected(sql))
}
