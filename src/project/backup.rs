//! The export of a project, and its exact import.
//!
//! An export has one line for the state of each ID, in the order of revisions: a resource, or its last version after a
//! delete. A state that is written meanwhile is exported again later, in its newer form. So after the last line, an
//! importer has exactly the state that the project had when the last page was read.
//!
//! An import appends: the revision of each line is above all earlier revisions, as if the writes were repeated. A line
//! that is not newer must be known already and is skipped, so every request can be repeated. The first ordinary write
//! ends the import: after it, the project accepts no more lines, so an import never replaces what a caller wrote.

use crate::contract::error::{ApiError, Code, Member};
use crate::contract::limits;
use crate::contract::model::{Deleted, Line, Record};
use crate::contract::reason::Reason;
use crate::contract::reply::{CallResult, Reply};
use crate::contract::response::services::imported;
use crate::contract::schema::FieldId;
use crate::util::json::ObjectWriter;
use crate::util::time::Millis;
use crate::validate::{self, Rejection};

use super::database::{Bind, Database, Row, StoreError, unexpected};
use super::failure::Failure;
use super::outbox;
use super::records::{self, By, Named, millis};
use super::replay::Replays;
use super::write::body_within_bounds;

/// The revision up to which a project has only imported lines, in `meta`.
const IMPORTED: &str = "imported";

/// Returns a page of the export: the lines above the revision, at most as many as an import accepts.
pub(super) fn export<D: Database>(database: &D, after: Millis) -> Result<Reply<D::Text>, StoreError> {
    let (last, more) = end(database, after)?;
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
    Ok(Reply::new(CallResult::Export(more.then_some(last)), Some(database.text_of(lines))))
}

fn deleted(row: &dyn Row) -> Option<Deleted> {
    let version = u64::try_from(row.integer(3)?).ok()?;
    Some(Deleted { revision: millis(row, 0)?, id: row.text(2)?, version })
}

/// Returns the revision of the last line of the page, and whether more lines follow. Reads only sizes, because the
/// bodies of all lines could fill the memory.
fn end<D: Database>(database: &D, after: Millis) -> Result<(Millis, bool), StoreError> {
    // The line of a deleted ID has less than 128 bytes besides the ID, in which every byte may be escaped.
    let sql = "SELECT revision, octet_length(body) AS bytes FROM resource WHERE revision > ?1 \
               UNION ALL SELECT revision, 128 + 2 * octet_length(id) FROM tombstone WHERE revision > ?1 \
               ORDER BY revision LIMIT ?2";
    let (mut last, mut lines, mut bytes, mut more) = (after, 0, 0, false);
    let binds = [Bind::Integer(after as i64), Bind::Integer(limits::EXPORT_LINES as i64 + 1)];
    database.query(sql, &binds, &mut |row| {
        let line = || Some((millis(row, 0)?, usize::try_from(row.integer(1)?).ok()?));
        let (revision, size) = line().ok_or_else(|| unexpected(sql))?;
        bytes += size + 1;
        more |= lines == limits::EXPORT_LINES || (lines > 0 && bytes > limits::BATCH_BYTES);
        if !more {
            last = revision;
            lines += 1;
        }
        Ok(())
    })?;
    Ok((last, more))
}

/// The result of an import.
#[derive(Debug)]
pub(super) struct Imported {
    /// The number of imported lines.
    lines: i64,
    /// The number of skipped lines, which were known.
    skipped: i64,
    /// The project's newest revision before and after it.
    pub(super) before: Millis,
    pub(super) newest: Millis,
    /// The number of added resources.
    pub(super) added: i64,
}

impl Imported {
    /// Returns the body of the response.
    pub(super) fn to_json(&self) -> String {
        let mut out = String::new();
        let mut object = ObjectWriter::open(&mut out);
        object.integer(imported::IMPORTED, self.lines);
        object.integer(imported::SKIPPED, self.skipped);
        object.integer(imported::NEWEST_REVISION, self.newest as i64);
        object.close();
        out
    }
}

/// Imports the lines. The caller opens the transaction, and rolls it back if a line is rejected.
pub(super) fn import<D: Database>(
    database: &D,
    replays: &Replays,
    newest: Millis,
    lines: &str,
    now: Millis,
) -> Result<Imported, Failure> {
    let sql = "SELECT value FROM meta WHERE name = 'imported'";
    if newest > 0 && database.first(sql, &[], |row| millis(row, 0))? != Some(newest) {
        let message = "The project has been written to. Import into a project that is empty, or that has only imported \
                       resources.";
        return Err(ApiError::new(Code::InvalidOperation, message).into());
    }
    let mut import = Import {
        database,
        replays,
        now,
        done: Imported { lines: 0, skipped: 0, before: newest, newest, added: 0 },
    };
    let size = lines.len();
    let lines = lines.split('\n').map(str::trim_ascii).zip(1..);
    for (count, (line, number)) in lines.filter(|(line, _)| !line.is_empty()).enumerate() {
        if count == limits::EXPORT_LINES {
            let message = format!("The import has more than {} lines.", limits::EXPORT_LINES);
            return Err(too_large(&message, Member::MaxItems, limits::EXPORT_LINES).into());
        }
        if count == 1 && size > limits::BATCH_BYTES {
            let message = format!("An import of several lines has at most {} bytes.", limits::BATCH_BYTES);
            return Err(too_large(&message, Member::Maximum, limits::BATCH_BYTES).into());
        }
        let parsed = validate::export_line(line.as_bytes()).map_err(Rejection::into_error);
        let parsed = parsed.and_then(|parsed| parsed.ok_or_else(|| before_1970(line)));
        let imported = parsed.map_err(Failure::Refused).and_then(|line| import.line(line));
        imported.map_err(|stop| stop.map(|error| error.at_line(number)))?;
    }
    let done = import.done;
    if done.newest > done.before {
        records::set_meta(database, IMPORTED, Bind::Integer(done.newest as i64))?;
        database.arm(now + outbox::ALARM_MS)?;
    }
    Ok(done)
}

fn too_large(message: &str, member: Member, limit: usize) -> ApiError {
    ApiError::new(Code::ContentTooLarge, message).because(Reason::Size).with_integer(member, limit as i64)
}

struct Import<'i, D> {
    database: &'i D,
    replays: &'i Replays,
    now: Millis,
    done: Imported,
}

impl<D: Database> Import<'_, D> {
    /// Imports a line, or skips it.
    fn line(&mut self, line: Line) -> Result<(), Failure> {
        let (time, id, version, revision) = match &line {
            Line::Resource(record) => (FieldId::LastModifiedAt, &record.id, record.version, record.revision),
            Line::Deleted(line) => (FieldId::DeletedAt, &line.id, line.version, line.revision),
        };
        if revision <= self.done.newest {
            if self.known(id)? >= revision {
                self.done.skipped += 1;
                return Ok(());
            }
            return Err(refused(time, "The lines are not in the order of the export.").into());
        }
        if revision > self.now + limits::IMPORT_AHEAD_MS {
            return Err(refused(time, "The time is more than a day in the future.").into());
        }
        let before = records::find_named(self.database, id)?;
        let last = before.stored.as_ref().map_or(before.last_version, |stored| stored.record.version);
        // A delete keeps the version.
        let minimum = last + u64::from(matches!(line, Line::Resource(_)));
        if !(minimum..=limits::IMPORT_VERSION_MAX).contains(&version) {
            let message = format!("The version must be from {minimum} to {}.", limits::IMPORT_VERSION_MAX);
            return Err(refused(FieldId::Version, &message).into());
        }
        match line {
            Line::Resource(record) => {
                let body = body_within_bounds(&record)?;
                self.remove(before, record.key.as_deref(), revision)?;
                self.insert(&record, &body)?;
            }
            Line::Deleted(line) => {
                self.remove(before, None, revision)?;
                records::bury(self.database, &line.id, version, revision)?;
            }
        }
        self.done.newest = revision;
        self.done.lines += 1;
        Ok(())
    }

    /// Returns the revision of the project's state of the ID; 0 if there is none.
    fn known(&self, id: &str) -> Result<Millis, Failure> {
        let sql = "SELECT coalesce(max(revision), 0) FROM (SELECT revision FROM resource WHERE id = ?1 \
                   UNION ALL SELECT revision FROM tombstone WHERE id = ?1)";
        Ok(self.database.first(sql, &[Bind::Text(id)], |row| millis(row, 0))?.unwrap_or(0))
    }

    /// Removes the older state, and records the key that the ID no longer has.
    fn remove(&mut self, before: Named, key: Option<&str>, revision: Millis) -> Result<(), Failure> {
        let Some(stored) = before.stored else { return Ok(()) };
        self.replays.keep_if_referenced(self.database, &stored)?;
        records::remove(self.database, &stored)?;
        self.done.added -= 1;
        match stored.record.key.as_deref() {
            Some(lost) if key != Some(lost) => {
                Ok(outbox::record_lost_key(self.database, lost, revision, self.now)?)
            }
            _ => Ok(()),
        }
    }

    fn insert(&mut self, record: &Record, body: &str) -> Result<(), Failure> {
        let created = record.created_at;
        let sql = "SELECT 1 FROM resource WHERE seq = ?";
        let taken = self.database.first(sql, &[Bind::Integer(created as i64)], |row| row.integer(0))?;
        if taken.is_some() || !(1..=record.revision).contains(&created) {
            let message = "`createdAt` must be unique in the project and not later than `lastModifiedAt`.";
            return Err(refused(FieldId::CreatedAt, message).into());
        }
        if let Some(key) = &record.key
            && let Some(mut holder) = records::find(self.database, By::Key(key))?
        {
            // The export ran during writes: the holder no longer has the key, and its newer state follows in a later
            // line.
            records::remove(self.database, &holder)?;
            holder.record.key = None;
            records::insert(self.database, &holder.record, &holder.record.to_json())?;
        }
        records::insert(self.database, record, body)?;
        self.done.added += 1;
        Ok(())
    }
}

fn before_1970(line: &str) -> ApiError {
    let deleted = line.starts_with(Deleted::BEGINNING);
    refused(if deleted { FieldId::DeletedAt } else { FieldId::CreatedAt }, "The time is before 1970.")
}

/// Returns the error of a line's field.
fn refused(id: FieldId, message: &str) -> ApiError {
    ApiError::new(Code::InvalidField, message)
        .with(Member::Path, &["/", id.name()].concat())
        .with(Member::Field, id.name())
}
