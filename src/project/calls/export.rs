//! The export of a project.
//!
//! An export has a line for each resource and for the last deletion of each ID, in the order of revisions. An ID that
//! was created again has both. A state that is written meanwhile is exported again later, in its newer form. So after
//! the last line, an importer has exactly the state that the project had when the last page was read. The last page
//! ends with what the project has then (D32).

use crate::call::reply::{CallResult, Reply};
use crate::contract::error::{ApiError, Code, Member};
use crate::contract::limits;
use crate::contract::position::ProjectPosition;
use crate::contract::resource::model::Deleted;
use crate::contract::response::export_end::{ExportEnd, States};
use crate::util::time::Millis;

use crate::project::store::database::{Bind, Database, Result, Row, unexpected};

/// Returns a page of the export: the lines after the position, at most as many as an import accepts.
pub(crate) fn page<D: Database>(
    database: &D,
    after: Option<&ProjectPosition>,
    present: &ProjectPosition,
) -> Result<Reply<D::Text>> {
    let after = match after {
        Some(after) if after.history != present.history || after.revision > present.revision => {
            return Ok(history_changed(present).into());
        }
        after => after.map_or(0, |after| after.revision),
    };
    let Page { last, more } = page_after(database, after)?;
    let sql = "SELECT revision, body, NULL AS id, NULL AS version FROM resource WHERE revision > ?1 AND revision <= ?2 \
               UNION ALL SELECT revision, NULL, id, version FROM tombstone WHERE revision > ?1 AND revision <= ?2 \
               ORDER BY revision";
    let mut lines = String::new();
    database.query(sql, &[Bind::Integer(after as i64), Bind::Integer(last as i64)], &mut |row| {
        match row.text(1) {
            Some(body) => lines.push_str(&body),
            None => deleted(row).ok_or_else(|| unexpected(sql))?.write(&mut lines),
        }
        lines.push('\n');
        Ok(())
    })?;
    if !more {
        ExportEnd { position: present.clone(), states: states(database)? }.write(&mut lines);
        lines.push('\n');
    }
    let next = more.then(|| ProjectPosition { history: present.history.clone(), revision: last });
    Ok(Reply::new(CallResult::Export(next), Some(database.text_of(lines))))
}

/// Returns the error of a position that the project does not have (D31).
fn history_changed(present: &ProjectPosition) -> ApiError {
    let message = "The position belongs to another history: the project was restored, or its data was deleted. Discard \
                   what you have, and start again from the beginning.";
    ApiError::new(Code::HistoryChanged, message).with(Member::Position, &present.to_string())
}

fn deleted(row: &dyn Row) -> Option<Deleted> {
    let version = row.unsigned(3)?;
    Some(Deleted { revision: row.unsigned(0)?, id: row.text(2)?, version })
}

struct Page {
    /// The revision of its last line.
    last: Millis,
    /// Whether another page follows. The last page has the end of the export.
    more: bool,
}

/// Returns the extent of the page after a revision. Reads only sizes, because the bodies of all lines could fill the
/// memory.
fn page_after<D: Database>(database: &D, after: Millis) -> Result<Page> {
    // The line of a deleted ID has less than 128 bytes besides the ID, in which every byte may be escaped.
    let sql = "SELECT revision, octet_length(body) AS bytes FROM resource WHERE revision > ?1 \
               UNION ALL SELECT revision, 128 + 2 * octet_length(id) FROM tombstone WHERE revision > ?1 \
               ORDER BY revision LIMIT ?2";
    let binds = [Bind::Integer(after as i64), Bind::Integer(limits::EXPORT_LINES as i64 + 1)];
    let read = |row: &dyn Row| Some((row.unsigned(0)?, usize::try_from(row.integer(1)?).ok()?));
    let (mut last, mut lines, mut bytes, mut more) = (after, 0, 0, false);
    for (revision, size) in database.rows(sql, &binds, read)? {
        bytes += size + 1;
        more |= lines == limits::EXPORT_LINES || (lines > 0 && bytes > limits::BATCH_BYTES);
        if !more {
            last = revision;
            lines += 1;
        }
    }
    // The end is one of the lines that an import accepts.
    more |= lines == limits::EXPORT_LINES || (lines > 0 && bytes + ExportEnd::BYTES > limits::BATCH_BYTES);
    Ok(Page { last, more })
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
