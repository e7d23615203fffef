//! The exact import of an export.
//!
//! An import appends: the revision of each line is above all earlier revisions, as if the writes were repeated. A line
//! that is not newer must be known already and is skipped, so every request can be repeated. The first ordinary write
//! ends the import: after it, the project accepts no more lines, so an import never replaces what a caller wrote.
//!
//! A request does a bounded amount of work (D29, D32). A line counts with its own bytes and with those of the records
//! that it removes or changes, which may be much larger. If the sum exceeds the bound, the rest of the lines is left to
//! the next request.

use crate::call::Reply;
use crate::contract::error::{ApiError, Code, Member};
use crate::contract::limits;
use crate::contract::response::export_end::ExportEnd;
use crate::contract::response::services::imported;
use crate::shape::{Deleted, Line, Record, System};
use crate::util::json;
use crate::util::time::Millis;
use crate::validate::{self, Exported, Rejection};

use super::write::{check_body_size, content_too_large};
use crate::project::failure::Failure;
use crate::project::replication::outbox;
use crate::project::store::database::{Database, Result, binds};
use crate::project::store::fields::Fields;
use crate::project::store::log;
use crate::project::store::meta;
use crate::project::store::records::{self, By, Stored, StoredRow};
use crate::project::store::totals::Contents;
use crate::project::{Moment, Project};

/// What a request has imported.
#[derive(Default)]
struct Imported {
    /// The number of imported lines.
    lines: i64,
    /// The number of lines that were known.
    skipped: i64,
    /// The number of lines from the beginning of the request that were imported or skipped, or are empty.
    taken: i64,
    /// Whether these are all lines.
    is_done: bool,
    /// Whether the last of them is the end of an export, and the project has everything that it describes.
    is_complete: bool,
    newest: Millis,
    added: i64,
    contents: Contents,
}

impl Imported {
    fn to_json(&self) -> String {
        json::object(|object| {
            object.integer(imported::IMPORTED, self.lines);
            object.integer(imported::SKIPPED, self.skipped);
            object.integer(imported::TAKEN, self.taken);
            json::boolean(object.member(imported::IS_DONE), self.is_done);
            json::boolean(object.member(imported::IS_COMPLETE), self.is_complete);
            object.integer(imported::NEWEST_REVISION, self.newest as i64);
        })
    }
}

impl<D: Database> Project<D> {
    /// Imports the lines of an export in one transaction: all of them or none.
    pub(crate) fn import(
        &self,
        project: &str,
        lines: &str,
        moment: &Moment,
    ) -> Result<Reply<D::Text>, Failure> {
        if let Some(full) = self.capacity.refuse(&self.database)? {
            return Err(full.into());
        }
        let before = self.totals.newest(&self.database)?;
        self.catch_up()?;
        let done = self.transaction(|| {
            let done = self.import_lines(before, lines, moment.now)?;
            self.store_name(project, &moment.entropy)?;
            Ok::<_, Failure>(done)
        })?;
        if done.newest > before {
            self.totals.change(done.newest, done.added, done.contents);
            self.name.get_or_init(|| project.to_owned());
            self.outbox.borrow_mut().read_from(before, moment.now);
        }
        Ok(self.performed(done.to_json()))
    }

    /// Imports the lines. The caller opens the transaction, and rolls it back if a line is rejected.
    fn import_lines(&self, newest: Millis, lines: &str, now: Millis) -> Result<Imported, Failure> {
        if newest > 0 && meta::time(&self.database, meta::IMPORTED)? != Some(newest) {
            let message = "The project has been written to. Import into a project that is empty, or that has only \
                           imported resources.";
            return Err(ApiError::new(Code::InvalidOperation, message).into());
        }
        let done = Imported { is_done: true, newest, ..Imported::default() };
        let mut import = Import {
            project: self,
            fields: self.fields()?,
            now,
            bytes: 0,
            new: Vec::new(),
            is_earlier: false,
            done,
        };
        let size = lines.len();
        let lines = lines.split('\n').map(str::trim_ascii).zip(1..);
        let mut lines = lines.filter(|(line, _)| !line.is_empty()).enumerate().peekable();
        while let Some((count, (line, number))) = lines.next() {
            check_size(count, size)?;
            if import.bytes > limits::BATCH_BYTES {
                import.done.is_done = false;
                break;
            }
            let imported = import.line(line, lines.peek().is_none());
            imported.map_err(|stop| stop.map(|error| error.at_line(number)))?;
            import.done.taken = number;
        }
        import.index_new()?;
        let done = import.done;
        if done.newest > newest {
            meta::set(&self.database, meta::IMPORTED, done.newest)?;
            self.database.arm(now + outbox::ALARM_MS)?;
        }
        Ok(done)
    }
}

/// Returns an error if a request of this many bytes has more than `before` lines, and that is too large.
fn check_size(before: usize, bytes: usize) -> Result<(), ApiError> {
    if before == limits::EXPORT_LINES {
        let message = format!("The import has more than {} lines.", limits::EXPORT_LINES);
        return Err(content_too_large(message, Member::MaxItems, limits::EXPORT_LINES));
    }
    if before == 1 && bytes > limits::BATCH_BYTES {
        let message = format!("An import of several lines has at most {} bytes.", limits::BATCH_BYTES);
        return Err(content_too_large(message, Member::Maximum, limits::BATCH_BYTES));
    }
    Ok(())
}

struct Import<'i, D> {
    project: &'i Project<D>,
    fields: &'i Fields,
    now: Millis,
    /// The bytes of the imported lines, and of the records that they removed or changed.
    bytes: usize,
    /// The imported records that the index does not have.
    new: Vec<StoredRow>,
    /// Whether one of the lines has values that the shape does not allow.
    is_earlier: bool,
    done: Imported,
}

impl<D: Database> Import<'_, D> {
    fn line(&mut self, line: &str, is_last: bool) -> Result<(), Failure> {
        if line.starts_with(ExportEnd::BEGINNING) {
            return self.end(line, is_last);
        }
        let read =
            validate::export_line(&self.fields.shape, line.as_bytes()).map_err(Rejection::into_error)?;
        let Exported { line: state, is_earlier } = read.ok_or_else(|| before_1970(line))?;
        if is_earlier && !self.is_earlier {
            meta::set(&self.project.database, meta::FOREIGN, 1_i64)?;
            self.is_earlier = true;
        }
        self.state(state, line.len())
    }

    /// Imports a state from a line of this many bytes, or skips it.
    fn state(&mut self, line: Line, bytes: usize) -> Result<(), Failure> {
        let (time, id, version, revision) = match &line {
            Line::Resource(record) => (System::LastModifiedAt, &record.id, record.version, record.revision),
            Line::Deleted(line) => (System::DeletedAt, &line.id, line.version, line.revision),
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
        let before = records::find_named(self.fields, &self.project.database, id)?;
        let last = before.stored.as_ref().map_or(before.last_version, |stored| stored.record.version);
        // A delete keeps the version.
        let minimum = last + u64::from(matches!(line, Line::Resource(_)));
        if !(minimum..=limits::IMPORT_VERSION_MAX).contains(&version) {
            let message = format!("The version must be from {minimum} to {}.", limits::IMPORT_VERSION_MAX);
            return Err(refused(System::Version, &message).into());
        }
        match line {
            Line::Resource(record) => self.store(before.stored, &record)?,
            Line::Deleted(line) => {
                if let Some(stored) = before.stored {
                    self.remove(&stored, None, revision)?;
                }
                records::bury(&self.project.database, &line.id, version, revision)?;
            }
        }
        self.bytes += bytes;
        self.done.newest = revision;
        self.done.lines += 1;
        Ok(())
    }

    /// Compares the project with the end of an export, if it is the last line. Another one is a beginning of what
    /// follows, and an older one says nothing about the present.
    fn end(&mut self, line: &str, is_last: bool) -> Result<(), Failure> {
        let Some(end) = ExportEnd::parse(line) else {
            let message = "The line is not the end of an export, as the service returned it.";
            return Err(ApiError::new(Code::InvalidInput, message).into());
        };
        if end.position.revision > self.done.newest {
            return Err(incomplete("Lines before the end of the export are missing.").into());
        }
        if !is_last || end.position.revision < self.done.newest {
            return Ok(());
        }
        let states = log::states(&self.project.database)?;
        if states != end.states {
            let missing = end.states.lines.saturating_sub(states.lines);
            let what = if missing > 0 {
                format!("The project has {} of the {} states of the export.", states.lines, end.states.lines)
            } else {
                "The project does not have the states of the export.".to_owned()
            };
            return Err(incomplete(&what).into());
        }
        self.done.is_complete = true;
        Ok(())
    }

    /// Returns the revision of the project's state of the ID; 0 if there is none.
    fn known(&self, id: &str) -> Result<Millis, Failure> {
        let sql = "SELECT coalesce(max(revision), 0) FROM (SELECT revision FROM resource WHERE id = ?1 \
                   UNION ALL SELECT revision FROM tombstone WHERE id = ?1)";
        Ok(self.project.database.first(sql, &binds![id], |row| row.unsigned(0))?.unwrap_or(0))
    }

    fn remove(&mut self, stored: &Stored, key: Option<&str>, revision: Millis) -> Result<(), Failure> {
        self.leave(stored, key, revision)?;
        records::remove(self.fields, &self.project.database, true, stored)?;
        self.done.added -= 1;
        Ok(())
    }

    /// Indexes the new records if one of them is about to change.
    fn index_before_change(&mut self, stored: &Stored) -> Result<(), Failure> {
        if self.new.iter().any(|row| row.seq == stored.seq) { self.index_new() } else { Ok(()) }
    }

    fn index_new(&mut self) -> Result<(), Failure> {
        Ok(self.project.index.insert(self.fields, &self.project.database, &core::mem::take(&mut self.new))?)
    }

    /// Keeps what others still need of a state that another one follows, with this key.
    fn leave(&mut self, stored: &Stored, key: Option<&str>, revision: Millis) -> Result<(), Failure> {
        self.index_before_change(stored)?;
        self.project.replays.keep(&self.project.database, stored, false)?;
        self.bytes += stored.body.len();
        match stored.record.key.as_deref() {
            Some(lost) if key != Some(lost) => {
                Ok(outbox::record_lost_key(&self.project.database, lost, revision, self.now)?)
            }
            _ => Ok(()),
        }
    }

    fn store(&mut self, before: Option<Stored>, record: &Record) -> Result<(), Failure> {
        let body = record.to_json(&self.fields.shape);
        check_body_size(&body)?;
        let key = record.key.as_deref();
        match before {
            // Of a later state of the same resource, the index changes only where they differ.
            Some(stored) if stored.record.created_at == record.created_at => {
                self.leave(&stored, key, record.revision)?;
                if stored.record.key != record.key {
                    self.take_key(record)?;
                }
                let contents =
                    records::replace(self.fields, &self.project.database, true, &stored, record, &body)?;
                self.done.contents = self.done.contents.and(contents);
                return Ok(());
            }
            Some(stored) => self.remove(&stored, key, record.revision)?,
            None => {}
        }
        let created = record.created_at;
        if self.project.database.has_row("SELECT 1 FROM resource WHERE seq = ?", &binds![created])?
            || !(1..=record.revision).contains(&created)
        {
            let message = "`createdAt` must be unique in the project and not later than `lastModifiedAt`.";
            return Err(refused(System::CreatedAt, message).into());
        }
        self.take_key(record)?;
        let contents = records::insert(self.fields, &self.project.database, record, &body)?;
        self.done.contents = self.done.contents.and(contents);
        self.new.push(StoredRow { seq: created as i64, generation: self.fields.newest.number, body });
        self.done.added += 1;
        Ok(())
    }

    /// Removes the record's key from another one. The export ran during writes: the other no longer has the key, and
    /// its newer state follows in a later line.
    fn take_key(&mut self, record: &Record) -> Result<(), Failure> {
        if let Some(key) = &record.key
            && let Some(holder) = records::find(self.fields, &self.project.database, By::Key(key))?
        {
            let without_key = Record { key: None, ..holder.record.clone() };
            let body = without_key.to_json(&self.fields.shape);
            self.index_before_change(&holder)?;
            records::replace(self.fields, &self.project.database, true, &holder, &without_key, &body)?;
            self.bytes += holder.body.len();
        }
        Ok(())
    }
}

/// Returns the error of an export that was not imported whole.
fn incomplete(what: &str) -> ApiError {
    let message = format!("{what} Import all pages of the export, in their order, into an empty project.");
    ApiError::new(Code::InvalidInput, message)
}

fn before_1970(line: &str) -> ApiError {
    let deleted = line.starts_with(Deleted::BEGINNING);
    refused(if deleted { System::DeletedAt } else { System::CreatedAt }, "The time is before 1970.")
}

fn refused(id: System, message: &str) -> ApiError {
    ApiError::new(Code::InvalidField, message)
        .with(Member::Path, ["/", id.name()].concat())
        .with(Member::Field, id.name())
}
