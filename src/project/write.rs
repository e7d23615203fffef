//! The seven writes: each decides on the truth before it changes anything, inside one transaction (contract, section 3).

use crate::call::{Call, Message, WriteTerms};
use crate::contract::error::{ApiError, Code, Detail};
use crate::contract::etag;
use crate::contract::kv::Kind;
use crate::contract::limits;
use crate::contract::model::{Action, Arrays, Record, ResourceInput, UpdateInput};
use crate::contract::reply::{Outcome, Reply, ResourceReply};
use crate::contract::time::{self, Millis};

use super::database::{Database, StoreError};
use super::records::{self, By, Stored};
use super::{Moment, Newest, not_found, outbox};

/// Why a write was not performed: the caller's error, or a fault of the store.
#[derive(Debug)]
enum Stop {
    Refused(ApiError),
    Fault(StoreError),
}

impl From<ApiError> for Stop {
    fn from(error: ApiError) -> Self {
        Self::Refused(error)
    }
}

impl From<StoreError> for Stop {
    fn from(error: StoreError) -> Self {
        Self::Fault(error)
    }
}

type Step<T> = Result<T, Stop>;

/// How operations 6 to 9 and 13 differ (contract, section 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// 6: arrays present in the body replace.
    Draft,
    /// 7: the arrays are replaced whole, and the target must exist.
    Overwrite,
    /// 8: the arrays are replaced whole.
    CreateOrOverwrite,
    /// 9, 13: present fields are merged.
    Complex,
}

/// Performs a write; the caller has opened a transaction.
pub(super) fn perform<D: Database>(
    database: &D,
    newest: &Newest,
    message: &Message,
    moment: &Moment,
) -> Result<Reply, StoreError> {
    let write = Write { database, newest, terms: &message.terms, moment };
    let done = match &message.call {
        Call::CreateOrUpdate(input) => write.resource(Mode::Draft, input),
        Call::Overwrite(input) => write.resource(Mode::Overwrite, input),
        Call::CreateOrOverwrite(input) => write.resource(Mode::CreateOrOverwrite, input),
        Call::UpdateByPath(input) | Call::UpdateWithUrnLinks(input) => write.resource(Mode::Complex, input),
        Call::UpdateById { id, update } => write.update(id, update),
        Call::DeleteById { id, version } => write.delete(id, *version),
        Call::Query(_)
        | Call::GetById { .. }
        | Call::GetByKey { .. }
        | Call::Search(_)
        | Call::Exists(_)
        | Call::QuerySorted(_) => Err(Stop::Fault(StoreError("a read came as a write".to_owned()))),
    };
    match done {
        Ok(reply) => Ok(Reply::Resource(reply)),
        Err(Stop::Refused(error)) => Ok(Reply::Error(error)),
        Err(Stop::Fault(fault)) => Err(fault),
    }
}

struct Write<'w, D> {
    database: &'w D,
    newest: &'w Newest,
    terms: &'w WriteTerms,
    moment: &'w Moment,
}

impl<D: Database> Write<'_, D> {
    /// Operations 6 to 9 and 13.
    fn resource(&self, mode: Mode, input: &ResourceInput) -> Step<ResourceReply> {
        let target = self.target(mode, input)?;
        match &target {
            None if mode == Mode::Overwrite => return Err(self.absent(input)?.into()),
            // What is made has no version to compare (section 3).
            None => {}
            Some(stored) => check_version(&stored.record, input.version)?,
        }
        self.check_preconditions(target.as_ref())?;
        let id = target.as_ref().map(|stored| stored.record.id.as_str()).or(input.id.as_deref());
        self.check_key(input.key.as_deref(), id)?;
        match target {
            None => self.create(mode, input),
            Some(stored) => self.change(&stored, mode, |record| merge(record, mode, input)),
        }
    }

    /// Operation 10.
    fn update(&self, id: &str, update: &UpdateInput) -> Step<ResourceReply> {
        let stored = self.present(id)?;
        check_version(&stored.record, Some(update.version))?;
        self.check_preconditions(Some(&stored))?;
        if update.actions.is_empty() {
            // Nothing is performed, so nothing changes (D5).
            return Ok(reply(Outcome::Done, &stored.record, stored.record.to_json()));
        }
        self.change(&stored, Mode::Draft, |record| {
            record.last_modified_by = None;
            for action in &update.actions {
                match action {
                    Action::DoSomeThing => {}
                    Action::ChangeSomeProperty { some_property } => {
                        record.texts.some_property = Some(some_property.clone());
                    }
                }
            }
        })
    }

    /// Operation 11.
    fn delete(&self, id: &str, version: Option<u64>) -> Step<ResourceReply> {
        let stored = self.present(id)?;
        check_version(&stored.record, version)?;
        self.check_preconditions(Some(&stored))?;
        let revision = self.next_revision()?;
        records::remove(self.database, &stored, revision)?;
        self.newest.size.change(-1);
        self.note(Kind::Resource, id, revision)?;
        if let Some(key) = &stored.record.key {
            self.note(Kind::Key, key, revision)?;
        }
        let deleted = reply(Outcome::Deleted, &stored.record, stored.record.to_json());
        Ok(ResourceReply { newest: revision, ..deleted })
    }

    /// The resource that a body names (D12).
    fn target(&self, mode: Mode, input: &ResourceInput) -> Step<Option<Stored>> {
        if let Some(id) = &input.id {
            return Ok(records::find(self.database, By::Id(id))?);
        }
        if let Some(key) = &input.key {
            return Ok(records::find(self.database, By::Key(key))?);
        }
        if matches!(mode, Mode::Draft | Mode::Complex) {
            return Ok(None);
        }
        let mut both = records::first_two(self.database)?.into_iter();
        match (both.next(), both.next()) {
            (_, Some(_)) => Err(ApiError::new(
                Code::InvalidOperation,
                "The project has several resources: name the resource by `id` or `key`.",
            )
            .into()),
            (only, None) => Ok(only),
        }
    }

    fn present(&self, id: &str) -> Step<Stored> {
        match records::find(self.database, By::Id(id))? {
            Some(stored) => Ok(stored),
            None => Err(not_found(self.database, self.newest, By::Id(id))?.into()),
        }
    }

    fn absent(&self, input: &ResourceInput) -> Result<ApiError, StoreError> {
        match (&input.id, &input.key) {
            (Some(id), _) => not_found(self.database, self.newest, By::Id(id)),
            (None, Some(key)) => not_found(self.database, self.newest, By::Key(key)),
            (None, None) => {
                let mut error =
                    ApiError::new(Code::ResourceNotFound, "The project has no resource to overwrite.");
                error.revision = Some(self.newest.get(self.database)?);
                Ok(error)
            }
        }
    }

    /// D20: `If-Match` compares strongly, `If-None-Match` weakly.
    fn check_preconditions(&self, target: Option<&Stored>) -> Step<()> {
        let etag = target.map(|stored| etag::of(&stored.record.id, stored.record.revision));
        let matches = |condition: &etag::Condition, weak| {
            etag.as_ref().is_some_and(|etag| condition.matches(etag, weak))
        };
        if self.terms.if_match.as_ref().is_some_and(|condition| !matches(condition, false)) {
            return Err(precondition_failed("If-Match", "no longer what the caller last saw").into());
        }
        if self.terms.if_none_match.as_ref().is_some_and(|condition| matches(condition, true)) {
            return Err(precondition_failed("If-None-Match", "already there").into());
        }
        Ok(())
    }

    fn check_key(&self, key: Option<&str>, id: Option<&str>) -> Step<()> {
        let Some(key) = key else { return Ok(()) };
        if !records::key_is_taken(self.database, key, id)? {
            return Ok(());
        }
        Err(ApiError::new(Code::DuplicateField, format!("A duplicate value '{key}' exists for field 'key'."))
            .with(Detail::Path("/key".to_owned()))
            .with(Detail::Field("key".to_owned()))
            .with(Detail::DuplicateValue(key.to_owned()))
            .into())
    }

    fn create(&self, mode: Mode, input: &ResourceInput) -> Step<ResourceReply> {
        let revision = self.next_revision()?;
        let id = input.id.clone().unwrap_or_else(|| new_id(revision, self.moment.entropy));
        let mut record = Record {
            version: records::last_version(self.database, &id)? + 1,
            id,
            key: None,
            created_at: revision,
            created_by: input.created_by.clone(),
            revision,
            last_modified_by: None,
            arrays: Arrays::default(),
            texts: input.texts.clone(),
        };
        merge(&mut record, mode, input);
        let body = body_within_bounds(&record)?;
        records::insert(self.database, &record, &body)?;
        self.newest.size.change(1);
        self.note(Kind::Resource, &record.id, revision)?;
        if let Some(key) = &record.key {
            self.note(Kind::Key, key, revision)?;
        }
        let outcome = if mode == Mode::Complex { Outcome::Placed } else { Outcome::Created };
        Ok(self.answer(mode, outcome, &record, body))
    }

    fn change(&self, stored: &Stored, mode: Mode, apply: impl FnOnce(&mut Record)) -> Step<ResourceReply> {
        let mut record = stored.record.clone();
        apply(&mut record);
        record.version += 1;
        record.revision = self.next_revision()?;
        let body = body_within_bounds(&record)?;
        records::replace(self.database, stored, &record, &body)?;
        self.note(Kind::Resource, &record.id, record.revision)?;
        if record.key != stored.record.key {
            for key in [&stored.record.key, &record.key].into_iter().flatten() {
                self.note(Kind::Key, key, record.revision)?;
            }
        }
        Ok(self.answer(mode, Outcome::Done, &record, body))
    }

    fn answer(&self, mode: Mode, outcome: Outcome, record: &Record, body: String) -> ResourceReply {
        if mode != Mode::Complex {
            return reply(outcome, record, body);
        }
        if self.terms.respond_async {
            return reply(Outcome::Accepted, record, time::sample(record.revision));
        }
        let mut arrays = String::new();
        record.arrays.write(&mut arrays);
        reply(outcome, record, arrays)
    }

    /// The next revision: the time, or the instant after the newest where that is not past it (D6).
    fn next_revision(&self) -> Result<Millis, StoreError> {
        let revision = self.moment.now.max(self.newest.get(self.database)? + 1);
        self.newest.set(revision);
        Ok(revision)
    }

    fn note(&self, kind: Kind, name: &str, revision: Millis) -> Result<(), StoreError> {
        outbox::note(self.database, kind, name, revision, self.moment.now)
    }
}

fn reply(outcome: Outcome, record: &Record, body: String) -> ResourceReply {
    ResourceReply { outcome, id: record.id.clone(), revision: record.revision, newest: record.revision, body }
}

/// Puts into the record what the body has (D6, D11).
fn merge(record: &mut Record, mode: Mode, input: &ResourceInput) {
    if mode == Mode::Overwrite || mode == Mode::CreateOrOverwrite {
        record.arrays = Arrays::default();
    }
    input.arrays.clone().merge_into(&mut record.arrays);
    record.texts.merge(input.texts.clone());
    if input.key.is_some() {
        record.key.clone_from(&input.key);
    }
    record.last_modified_by.clone_from(&input.last_modified_by);
}

/// D5, D17: the one place where versions are compared.
fn check_version(record: &Record, expected: Option<u64>) -> Result<(), ApiError> {
    match expected {
        Some(expected) if expected != record.version => Err(ApiError::new(
            Code::ConcurrentModification,
            format!(
                "Object {} has a different version than expected. Expected: {expected} - Actual: {}.",
                record.id, record.version
            ),
        )
        .with(Detail::CurrentVersion(record.version))),
        _ => Ok(()),
    }
}

fn precondition_failed(header: &str, state: &str) -> ApiError {
    ApiError::new(Code::PreconditionFailed, format!("{header} does not hold: the resource is {state}."))
        .with(Detail::Header(header.to_owned()))
}

fn body_within_bounds(record: &Record) -> Result<String, ApiError> {
    let body = record.to_json();
    if body.len() > limits::BODY_BYTES {
        return Err(ApiError::new(
            Code::ContentTooLarge,
            format!(
                "The resource would take {} bytes; a record holds at most {}.",
                body.len(),
                limits::BODY_BYTES
            ),
        ));
    }
    Ok(body)
}

/// A `UUIDv7` out of the revision, which strictly rises, and random bytes (D3).
fn new_id(revision: Millis, entropy: [u8; 10]) -> String {
    uuid::Builder::from_unix_timestamp_millis(revision, &entropy).into_uuid().to_string()
}
