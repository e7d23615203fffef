//! The export of a project.
//!
//! An export has a line for each resource and for the last deletion of each ID, in the order of revisions. An ID that
//! was created again has both. A state that is written meanwhile is exported again later, in its newer form. So after
//! the last line, an importer has exactly the state that the project had when the last page was read. The last page
//! ends with what the project has then (D32).

use crate::call::{CallResult, Reply};
use crate::contract::error::{ApiError, Code, Member};
use crate::contract::limits;
use crate::contract::position::ProjectPosition;
use crate::contract::response::export_end::{ExportEnd, States};
use crate::shape::Deleted;
use crate::util::time::Millis;

use crate::project::Project;
use crate::project::store::database::{Database, Result, Row, binds, unexpected};

impl<D: Database> Project<D> {
    /// Returns a page of the export: the lines after the position, at most as many as an import accepts.
    pub(crate) fn export(
        &self,
        after: Option<&ProjectPosition>,
        present: &ProjectPosition,
    ) -> Result<Reply<D::Text>> {
        let after = match after {
            Some(after) if after.history != present.history || after.revision > present.revision => {
                return Ok(history_changed(present).into());
            }
            after => after.map_or(0, |after| after.revision),
        };
        let bounds = Bounds {
            after,
            deletions_after: after,
            lines: limits::EXPORT_LINES,
            bytes: limits::BATCH_BYTES,
            // The end is one of the lines that an import accepts.
            end: Some(ExportEnd::BYTES),
        };
        let Extent { last, more, .. } = bounds.extent(&self.database)?;
        let mut lines = String::new();
        bounds.write(&self.database, last, &mut lines)?;
        if !more {
            ExportEnd { position: present.clone(), states: states(&self.database)? }.write(&mut lines);
            lines.push('\n');
        }
        let next = more.then(|| ProjectPosition { history: present.history.clone(), revision: last });
        Ok(Reply::new(CallResult::Export(next), Some(self.database.text_of(lines))))
    }
}

/// Returns the error of a position that the project does not have (D31).
pub(crate) fn history_changed(present: &ProjectPosition) -> ApiError {
    let message = "The position belongs to another history: the project was restored, or its data was deleted. Discard \
                   what you have, and start again from the beginning.";
    ApiError::new(Code::HistoryChanged, message).with(Member::Position, present.to_string())
}

/// Where a page begins, and how large it may be.
pub(crate) struct Bounds {
    /// The revision before its first line.
    pub(crate) after: Millis,
    /// The revision up to which it omits deletions.
    pub(crate) deletions_after: Millis,
    pub(crate) lines: usize,
    /// The maximum number of bytes. A single line may have more.
    pub(crate) bytes: usize,
    /// The bytes of the line at the end of the last page, if it has one.
    pub(crate) end: Option<usize>,
}

pub(crate) struct Extent {
    /// The revision of its last line.
    pub(crate) last: Millis,
    /// Whether another page follows. The last page has the end of the export.
    pub(crate) more: bool,
    /// The bytes of its lines.
    pub(crate) bytes: usize,
}

impl Bounds {
    /// Returns the extent of the page. Reads only sizes, because the bodies of all lines could fill the memory.
    pub(crate) fn extent<D: Database>(&self, database: &D) -> Result<Extent> {
        // The line of a deleted ID has less than 128 bytes besides the ID, in which every byte may be escaped.
        let sql = "SELECT revision, octet_length(body) AS bytes FROM resource WHERE revision > ?1 \
                   UNION ALL SELECT revision, 128 + 2 * octet_length(id) FROM tombstone WHERE revision > ?2 \
                   ORDER BY revision LIMIT ?3";
        let binds = binds![self.after, self.deletions_after, self.lines + 1];
        let (mut last, mut lines, mut bytes, mut more) = (self.after, 0, 0, false);
        for (revision, size) in database.rows(sql, &binds, |row| Some((row.unsigned(0)?, row.size(1)?)))? {
            more |= lines == self.lines || (lines > 0 && bytes + size + 1 > self.bytes);
            if !more {
                last = revision;
                lines += 1;
                bytes += size + 1;
            }
        }
        if let Some(end) = self.end {
            more |= lines == self.lines || (lines > 0 && bytes + end > self.bytes);
        }
        Ok(Extent { last, more, bytes })
    }

    /// Writes the lines up to a revision.
    pub(crate) fn write<D: Database>(&self, database: &D, last: Millis, out: &mut String) -> Result<()> {
        self.each(database, last, &mut |state| {
            state.write(out);
            Ok(())
        })
    }

    /// Passes the states up to a revision to a function, one by one.
    pub(crate) fn each<D: Database>(
        &self,
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
}

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

/// Returns what the project has. Reads only indexes of revisions.
pub(crate) fn states<D: Database>(database: &D) -> Result<States> {
    let sql = "SELECT count(*), coalesce(sum(revision & 4294967295), 0) & 4294967295 FROM \
               (SELECT revision FROM resource UNION ALL SELECT revision FROM tombstone)";
    let read = |row: &dyn Row| {
        Some(States { lines: row.integer(0)?.try_into().ok()?, checksum: row.integer(1)?.try_into().ok()? })
    };
    database.first(sql, &[], read)?.ok_or_else(|| unexpected(sql))
}
