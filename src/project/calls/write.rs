//! The seven writes. Each decides on the source of truth before it changes anything, in one transaction (contract,
//! section 3).

mod bounds;
mod refusals;

use core::cell::Cell;

use crate::call::{self, CallResult, Change, Outcome, Reply, ResourceHead, WriteOptions};
use crate::contract::api::etag::{self, Condition};
use crate::contract::error::{ApiError, Code};
use crate::contract::response::receipt;
use crate::rights::Rights;
use crate::shape::{Content, Record, ResourceInput, Shape, UpdateInput};
use crate::util::time::Millis;

use self::bounds::check_bounds;
pub(super) use self::bounds::{check_body_size, content_too_large};
use self::refusals::{check_version, in_use, key_taken, named, precondition_failed, taken};
use super::{actions, replay, unique};
use crate::project::failure::Failure;
use crate::project::permit::Permit;
use crate::project::replication::outbox::{self, Committed};
use crate::project::store::database::{Database, Result};
use crate::project::store::fields::Fields;
use crate::project::store::records::{self, By, Named, Stored};
use crate::project::store::totals::Contents;
use crate::project::{Moment, Project};

/// How operations 6 to 9 and 13 differ (contract, section 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// 6: arrays present in the body replace.
    Draft,
    /// 7: arrays are replaced as a whole, and the target must exist.
    Overwrite,
    /// 8: arrays are replaced as a whole.
    CreateOrOverwrite,
    /// 9, 13: present fields are merged.
    Complex,
}

/// The reply, and the changes.
pub(super) type Written = (Reply<String>, Vec<Committed>);

impl<D: Database> Project<D> {
    /// Performs a write in a transaction, and enqueues its changes after the commit.
    pub(crate) fn write(
        &self,
        project: &str,
        write: &call::Write,
        rights: Option<&Rights>,
        moment: &Moment,
    ) -> Result<Reply<D::Text>> {
        let call::Write { change, options } = write;
        if let Some(reply) = self.before_write(options, change.is_deletion(), moment.now)? {
            return Ok(reply);
        }
        let done = self.write_transaction(project, options, moment, None, || {
            let write = OpenWrite::new(self, options, rights, *moment)?;
            let arrays = change.returns_arrays(&write.fields.shape);
            let written = write.perform(change).or_else(|failure| match failure.refusal()? {
                // A repeat is performed, and so the refusal is not stored.
                error if error.code() == Code::ServiceUnavailable => Err(Failure::Refused(error)),
                error => Ok((error.into(), Vec::new())),
            })?;
            Ok((written, arrays))
        });
        match done {
            Ok(reply) => Ok(reply),
            Err(failure) => Ok(failure.refusal()?.into()),
        }
    }

    /// Returns the reply of a write that must not be performed: the first one to its idempotency key, or an error if
    /// the database is full.
    pub(super) fn before_write(
        &self,
        options: &WriteOptions,
        only_deletes: bool,
        now: Millis,
    ) -> Result<Option<Reply<D::Text>>> {
        if let Some(idempotency) = &options.idempotency {
            if let Some(first) = replay::recall(&self.database, idempotency, now)? {
                return Ok(Some(self.reply(first)));
            }
            self.replays.prune(&self.database, now)?;
        }
        if only_deletes {
            return Ok(None);
        }
        Ok(self.capacity.refuse_write(&self.database)?.map(Into::into))
    }

    /// Runs writes in a transaction that also stores the reply to their idempotency key. After the commit, enqueues
    /// what they changed. `run` also returns whether the reply has only arrays; `own` is that of [`Replays::store`].
    ///
    /// [`Replays::store`]: replay::Replays::store
    pub(super) fn write_transaction(
        &self,
        project: &str,
        options: &WriteOptions,
        moment: &Moment,
        own: Option<Millis>,
        run: impl FnOnce() -> Result<(Written, bool), Failure>,
    ) -> Result<Reply<D::Text>, Failure> {
        let (reply, committed) = self.transaction(|| {
            let (written, arrays) = run()?;
            let is_changed = !written.1.is_empty();
            if is_changed {
                self.store_name(project, &moment.entropy)?;
            }
            if let Some(idempotency) = &options.idempotency {
                let own = own.filter(|_| is_changed);
                self.replays.store(&self.database, idempotency, &written.0, arrays, own, moment.now)?;
            }
            Ok::<_, Failure>(written)
        })?;
        for committed in committed {
            self.totals.change(committed.revision, committed.added, committed.contents);
            let project = self.name.get_or_init(|| project.to_owned());
            self.outbox.borrow_mut().enqueue(project, committed, moment.now);
        }
        Ok(self.reply(reply))
    }

    fn reply(&self, Reply { head, body }: Reply<String>) -> Reply<D::Text> {
        Reply { head, body: body.map(|body| self.database.text_of(body)) }
    }
}

/// A write in its transaction.
pub(super) struct OpenWrite<'w, D> {
    project: &'w Project<D>,
    fields: &'w Fields,
    options: &'w WriteOptions,
    permit: Permit<'w>,
    moment: Moment,
    /// The newest revision before it.
    newest: Millis,
    /// The bytes of the records that it has read and written.
    bytes: Cell<usize>,
}

impl<'w, D: Database> OpenWrite<'w, D> {
    pub(super) fn new(
        project: &'w Project<D>,
        options: &'w WriteOptions,
        rights: Option<&'w Rights>,
        moment: Moment,
    ) -> Result<Self> {
        let (fields, permit) = (project.fields()?, project.permit(rights));
        let newest = project.totals.newest(&project.database)?;
        Ok(Self { project, fields, options, permit, moment, newest, bytes: Cell::default() })
    }

    /// Returns the write that follows the one of this revision in the same transaction.
    pub(super) fn after(self, newest: Millis, entropy: [u8; 10]) -> Self {
        Self { newest, moment: Moment { entropy, ..self.moment }, ..self }
    }

    /// Returns the bytes of the records that this write, and those before it, have read and written.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.get()
    }

    fn count(&self, body: &str) {
        self.bytes.set(self.bytes.get() + body.len());
    }

    pub(super) fn perform(&self, change: &Change) -> Result<Written, Failure> {
        match change {
            Change::CreateOrUpdate(input) => self.resource(Mode::Draft, input),
            Change::Overwrite(input) => self.resource(Mode::Overwrite, input),
            Change::CreateOrOverwrite(input) => self.resource(Mode::CreateOrOverwrite, input),
            Change::UpdateByPath(input) | Change::UpdateWithUrnLinks(input) => {
                self.resource(Mode::Complex, input)
            }
            Change::UpdateById { id, update } => self.update(id, update),
            Change::DeleteById { id, version } => self.delete(id, *version),
        }
    }

    fn resource(&self, mode: Mode, input: &ResourceInput) -> Result<Written, Failure> {
        let Named { stored, last_version } = self.target(mode, input)?;
        let is_taken = stored.is_some();
        let target = stored.filter(|stored| self.permit.shows(&stored.body));
        if let Some(stored) = &target {
            self.count(&stored.body);
        }
        match &target {
            None if self.must_exist(mode, input) => return Err(self.absent(mode, input)?.into()),
            // A creation has no version to compare (section 3).
            None => {}
            Some(stored) => {
                self.permit.change_of(&stored.body)?;
                check_version(&stored.record, input.version)?;
            }
        }
        self.check_preconditions(target.as_ref(), Some(input))?;
        match target {
            None => {
                let record = self.new_record(input, last_version + 1);
                let body = record.to_json(&self.fields.shape);
                self.permit.creation(&body)?;
                if is_taken {
                    return Err(taken(input).into());
                }
                self.check_key(input, None)?;
                self.create(mode, &record, body)
            }
            Some(stored) => {
                let record = self.next(merge(&self.fields.shape, &stored.record, mode, input));
                let body = record.to_json(&self.fields.shape);
                self.permit.change(&stored.body, &body)?;
                self.check_key(input, Some(&stored))?;
                self.change(&stored, mode, (&record, body), &|_| None)
            }
        }
    }

    /// Returns whether the write needs a resource: of a declared one, every write that changes it (D38).
    fn must_exist(&self, mode: Mode, input: &ResourceInput) -> bool {
        match mode {
            Mode::Overwrite => true,
            Mode::CreateOrOverwrite => false,
            Mode::Draft => self.fields.shape.is_declared() && input.version.is_some(),
            Mode::Complex => self.fields.shape.is_declared(),
        }
    }

    fn update(&self, id: &str, update: &UpdateInput) -> Result<Written, Failure> {
        let stored = self.present(id)?;
        self.permit.change_of(&stored.body)?;
        check_version(&stored.record, Some(update.version))?;
        self.check_preconditions(Some(&stored), None)?;
        if update.actions.is_empty() {
            // There are no actions, so nothing changes (D5).
            let head = CallResult::Resource(head(Outcome::Done, &stored.record));
            return Ok((Reply::new(head, Some(stored.body)), Vec::new()));
        }
        let mut record = stored.record.clone();
        record.last_modified_by = None;
        actions::perform(&self.fields.shape, &mut record.content, &update.actions)?;
        let record = self.next(record);
        let body = record.to_json(&self.fields.shape);
        self.permit.change(&stored.body, &body)?;
        self.change(&stored, Mode::Draft, (&record, body), &|field| actions::place_of(&update.actions, field))
    }

    fn delete(&self, id: &str, version: Option<u64>) -> Result<Written, Failure> {
        let stored = self.present(id)?;
        self.permit.deletion(&stored.body)?;
        check_version(&stored.record, version)?;
        self.check_preconditions(Some(&stored), None)?;
        let revision = self.next_revision();
        records::remove(self.fields, &self.project.database, self.project.index.has(stored.seq), &stored)?;
        records::bury(&self.project.database, id, stored.record.version, revision)?;
        // The removal itself frees the space that its response needs.
        self.project.replays.keep(&self.project.database, &stored, self.options.idempotency.is_some())?;
        let committed = Committed {
            revision,
            id: id.to_owned(),
            gained: None,
            lost: stored.record.key.clone(),
            added: -1,
            contents: Contents::default(),
        };
        let head = ResourceHead { newest: revision, ..head(Outcome::Deleted, &stored.record) };
        self.commit(head, stored.body, committed)
    }

    /// Finds the resource that a body names (D12).
    fn target(&self, mode: Mode, input: &ResourceInput) -> Result<Named, Failure> {
        let unnamed = |stored| Named { stored, last_version: 0 };
        if let Some(id) = &input.id {
            return Ok(records::find_named(self.fields, &self.project.database, id)?);
        }
        if let Some(key) = &input.key {
            return Ok(unnamed(records::find(self.fields, &self.project.database, By::Key(key))?));
        }
        if matches!(mode, Mode::Draft | Mode::Complex) && !self.must_exist(mode, input) {
            return Ok(unnamed(None));
        }
        if self.permit.rights.is_some() {
            // How many resources there are says nothing to a user.
            let message = "Name the resource by `id` or `key`.";
            return Err(ApiError::new(Code::InvalidOperation, message).into());
        }
        let mut both = records::first_two(self.fields, &self.project.database)?.into_iter();
        match (both.next(), both.next()) {
            (_, Some(_)) => Err(ApiError::new(
                Code::InvalidOperation,
                "The project has several resources: name the resource by `id` or `key`.",
            )
            .into()),
            (only, None) => Ok(unnamed(only)),
        }
    }

    fn present(&self, id: &str) -> Result<Stored, Failure> {
        let found = records::find(self.fields, &self.project.database, By::Id(id))?;
        let found = found.filter(|stored| self.permit.shows(&stored.body));
        let Some(stored) = found else { return Err(self.project.not_found(By::Id(id))?.into()) };
        self.count(&stored.body);
        Ok(stored)
    }

    fn absent(&self, mode: Mode, input: &ResourceInput) -> Result<ApiError> {
        match (&input.id, &input.key) {
            (Some(id), _) => self.project.not_found(By::Id(id)),
            (None, Some(key)) => self.project.not_found(By::Key(key)),
            (None, None) => {
                let verb = if mode == Mode::Overwrite { "overwrite" } else { "change" };
                self.project.absent(format!("The project has no resource to {verb}."))
            }
        }
    }

    /// Checks the preconditions (D20): `If-Match` compares strongly, `If-None-Match` weakly. `input` is the body if it
    /// names the target.
    fn check_preconditions(
        &self,
        target: Option<&Stored>,
        input: Option<&ResourceInput>,
    ) -> Result<(), Failure> {
        let etag = target.map(|stored| etag::of(&stored.record.id, stored.record.revision));
        let etag = etag.as_deref();
        let WriteOptions { if_match, if_none_match, .. } = self.options;
        if let Some(condition) = if_match
            && !etag.is_some_and(|etag| condition.matches_strongly(etag))
        {
            return Err(precondition_failed("If-Match", "the resource does not match If-Match.").into());
        }
        if let Some(condition) = if_none_match
            && etag.is_some_and(|etag| condition.matches_weakly(etag))
        {
            let error = match input.and_then(named) {
                Some(name) if *condition == Condition::Any => in_use(name),
                _ => precondition_failed("If-None-Match", "the resource matches If-None-Match."),
            };
            return Err(error.into());
        }
        Ok(())
    }

    fn check_key(&self, input: &ResourceInput, target: Option<&Stored>) -> Result<(), Failure> {
        // Without an ID, the key itself found the target or nothing.
        let (Some(_), Some(key)) = (&input.id, &input.key) else { return Ok(()) };
        let own = target.is_some_and(|stored| stored.record.key.as_ref() == Some(key));
        if own || !records::is_key_in_use(&self.project.database, key)? {
            return Ok(());
        }
        Err(key_taken(key).into())
    }

    fn new_record(&self, input: &ResourceInput, version: u64) -> Record {
        let revision = self.next_revision();
        let id = input.id.clone().unwrap_or_else(|| new_id(revision, self.moment.entropy));
        Record {
            version,
            id,
            key: input.key.clone(),
            created_at: revision,
            created_by: input.created_by.clone(),
            revision,
            last_modified_by: input.last_modified_by.clone(),
            content: Content::created_by(&self.fields.shape, &input.content),
        }
    }

    fn create(&self, mode: Mode, record: &Record, body: String) -> Result<Written, Failure> {
        check_bounds(self.fields, &body)?;
        self.count(&body);
        unique::check(self.project, self.fields, None, &body, &|_| None)?;
        let contents = records::insert(self.fields, &self.project.database, record, &body)?;
        self.project.index.wait(self.fields, &self.project.database, body.len())?;
        let outcome = if mode == Mode::Complex { Outcome::Placed } else { Outcome::Created };
        let committed = Committed { added: 1, ..changed(record, None, contents) };
        let (head, body) = self.response(mode, outcome, record, body);
        self.commit(head, body, committed)
    }

    /// Returns a changed record with its next version and revision.
    fn next(&self, record: Record) -> Record {
        Record { version: record.version + 1, revision: self.next_revision(), ..record }
    }

    /// Stores `record` with its body: the stored record with the change.
    /// `place`: the JSON Pointer of a field in the body of the request, if it is not one of its members.
    fn change(
        &self,
        stored: &Stored,
        mode: Mode,
        (record, body): (&Record, String),
        place: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Written, Failure> {
        check_bounds(self.fields, &body)?;
        self.count(&body);
        unique::check(self.project, self.fields, Some(stored), &body, place)?;
        let is_indexed = self.project.index.has(stored.seq);
        let contents =
            records::replace(self.fields, &self.project.database, is_indexed, stored, record, &body)?;
        if !is_indexed {
            self.project.index.wait(self.fields, &self.project.database, body.len())?;
        }
        self.project.replays.keep(&self.project.database, stored, false)?;
        let committed = changed(record, stored.record.key.as_deref(), contents);
        let (head, body) = self.response(mode, Outcome::Done, record, body);
        self.commit(head, body, committed)
    }

    /// Returns the head and the body of the response to a write (D15).
    fn response(
        &self,
        mode: Mode,
        outcome: Outcome,
        record: &Record,
        body: String,
    ) -> (ResourceHead, String) {
        if mode != Mode::Complex {
            return (head(outcome, record), body);
        }
        if self.options.respond_async {
            return (head(Outcome::Accepted, record), receipt::json(record.revision));
        }
        if self.fields.shape.is_declared() {
            return (head(outcome, record), body);
        }
        let mut arrays = String::new();
        record.content.write_arrays(&self.fields.shape, &mut arrays);
        (head(outcome, record), arrays)
    }

    /// Returns the next revision: the time, or the instant after the newest revision if the time is not later (D6).
    pub(super) fn next_revision(&self) -> Millis {
        self.moment.now.max(self.newest + 1)
    }

    /// Records what revisions cannot show, and arms the alarm as a fallback.
    fn commit(&self, head: ResourceHead, body: String, committed: Committed) -> Result<Written, Failure> {
        let now = self.moment.now;
        if let Some(key) = &committed.lost {
            outbox::record_lost_key(&self.project.database, key, committed.revision, now)?;
        }
        self.project.database.arm(now + outbox::ALARM_MS)?;
        Ok((Reply::new(CallResult::Resource(head), Some(body)), vec![committed]))
    }
}

/// Returns the changes of a write of the record in KV. `before` is the key that the resource had.
fn changed(record: &Record, before: Option<&str>, contents: Contents) -> Committed {
    let Record { id, key, revision, .. } = record;
    let moved = key.as_deref() != before;
    Committed {
        revision: *revision,
        id: id.clone(),
        gained: key.clone().filter(|_| moved),
        lost: before.filter(|_| moved).map(str::to_owned),
        added: 0,
        contents,
    }
}

fn head(outcome: Outcome, record: &Record) -> ResourceHead {
    ResourceHead { outcome, id: record.id.clone(), revision: record.revision, newest: record.revision }
}

/// Merges the body into the record (D6, D11).
fn merge(shape: &Shape, before: &Record, mode: Mode, input: &ResourceInput) -> Record {
    let content = match mode {
        Mode::Overwrite | Mode::CreateOrOverwrite => before.content.overwritten_by(shape, &input.content),
        Mode::Draft | Mode::Complex => before.content.updated_by(shape, &input.content),
    };
    Record {
        id: before.id.clone(),
        version: before.version,
        key: input.key.as_ref().or(before.key.as_ref()).cloned(),
        created_at: before.created_at,
        created_by: before.created_by.clone(),
        revision: before.revision,
        last_modified_by: input.last_modified_by.clone(),
        content,
    }
}

/// Creates a `UUIDv7` from the revision, which strictly rises, and random bytes (D3).
fn new_id(revision: Millis, entropy: [u8; 10]) -> String {
    uuid::Builder::from_unix_timestamp_millis(revision, &entropy).into_uuid().to_string()
}
