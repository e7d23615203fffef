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
use crate::project::query::budget::RowCost;
use crate::project::store::database::{Database, Result, Row, binds, unexpected};
use crate::project::store::totals::Contents;

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
            cost: RowCost::default(),
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
    /// What it costs to examine its resources. A single one may exceed it.
    pub(crate) cost: RowCost,
    /// The bytes of the line at the end of the last page, if it has one.
    pub(crate) end: Option<usize>,
}

pub(crate) struct Extent {
    /// The revision of its last line.
    pub(crate) last: Millis,
    /// Whether another page follows. The last page has the end of the export.
    pub(crate) more: bool,
    /// The bytes of its lines, and the cost of examining its resources.
    pub(crate) bytes: usize,
    pub(crate) units: u64,
}

impl Bounds {
    /// Returns the extent of the page. Reads only sizes, because the bodies of all lines could fill the memory.
    pub(crate) fn extent<D: Database>(&self, database: &D) -> Result<Extent> {
        // The line of a deleted ID has less than 128 bytes besides the ID, in which every byte may be escaped.
        let sql = "SELECT revision, octet_length(body) AS bytes, octet_length(entries) / 1024 AS kib, items \
                   FROM resource WHERE revision > ?1 \
                   UNION ALL SELECT revision, 128 + 2 * octet_length(id), NULL, NULL FROM tombstone WHERE revision > ?2 \
                   ORDER BY revision LIMIT ?3";
        let binds = binds![self.after, self.deletions_after, self.lines + 1];
        let read = |row: &dyn Row| {
            let contents = row.unsigned(2).zip(row.unsigned(3)).map(|(kib, items)| Contents { kib, items });
            Some((row.unsigned(0)?, row.size(1)?, contents.map_or(0, |contents| self.cost.of(contents))))
        };
        let (mut last, mut lines, mut bytes, mut units, mut more) = (self.after, 0, 0, 0, false);
        for (revision, size, cost) in database.rows(sql, &binds, read)? {
            let is_over = bytes + size + 1 > self.bytes || units + cost > self.cost.left;
            more |= lines == self.lines || (lines > 0 && is_over);
            if !more {
                last = revision;
                lines += 1;
                bytes += size + 1;
                units += cost;
            }
        }
        if let Some(end) = self.end {
            more |= lines == self.lines || (lines > 0 && bytes + end > self.bytes);
        }
        Ok(Extent { last, more, bytes, units })
    }

    /// Writes the lines up to a revision.
    pub(crate) fn write<D: Database>(&self, database: &D, last: Millis, out: &mut String) -> Result<()> {
        let sql = "SELECT revision, body, NULL AS id, NULL AS version FROM resource \
                   WHERE revision > ?1 AND revision <= ?3 \
                   UNION ALL SELECT revision, NULL, id, version FROM tombstone WHERE revision > ?2 AND revision <= ?3 \
                   ORDER BY revision";
        let binds = binds![self.after, self.deletions_after, last];
        database.query(sql, &binds, &mut |row| {
            match row.text(1) {
                Some(body) => out.push_str(&body),
                None => deleted(row).ok_or_else(|| unexpected(sql))?.write(out),
            }
            out.push('\n');
            Ok(())
        })
    }
}

fn deleted(row: &dyn Row) -> Option<Deleted> {
    let version = row.unsigned(3)?;
    Some(Deleted { revision: row.unsigned(0)?, id: row.text(2)?, version })
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
