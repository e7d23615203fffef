//! The way of a call: its request, the step that follows a response or a failure, and the revisions that the session
//! observes (contract, section 9).

use super::attempt::{Attempt, SeenResource};
use super::call::Call;
use super::options::{Options, Retry};
use super::session::{KnownKey, Session};
use super::{request, retry};
use crate::contract::operation::OperationId;
use crate::contract::time::Millis;

/// A client of one project.
#[derive(Debug, Clone)]
pub struct Client {
    base: String,
    project: String,
    retry: Retry,
    session: Session,
    pause: Millis,
}

/// What follows an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Return the response as the result.
    Done,
    /// Fail: the same call would fail again.
    Fail,
    /// Fail: the same call may succeed later.
    FailRetryable,
    /// Wait for [`Client::pause`], then retry.
    Retry,
    /// Get another token, then try again. This happens once in a call.
    RenewToken,
    /// Read again from the source of truth: the response is older than what the session has seen of its resource.
    Refresh,
}

impl Step {
    /// All steps in the order of their numbers, which cross to JavaScript.
    pub const ALL: [Self; 6] =
        [Self::Done, Self::Fail, Self::FailRetryable, Self::Retry, Self::RenewToken, Self::Refresh];
}

impl Client {
    /// Creates a client, or returns what is wrong with the options, as a sentence.
    pub fn new(options: &Options<'_>) -> Result<Self, String> {
        Ok(Self {
            base: options.base()?,
            project: options.project_key.to_owned(),
            retry: options.retry(),
            session: Session::default(),
            pause: 0,
        })
    }

    /// The minimum revision of the ID or the key that the call names; 0 if any revision is enough.
    #[must_use]
    pub fn minimum_revision(&self, call: &Call<'_>) -> Millis {
        let subject = call.operation.and_then(|operation| operation.subject(call.first_variable));
        subject.map_or(0, |subject| self.session.minimum_revision(subject))
    }

    /// Renders the request of an attempt: returns its address, and passes each header to `set_header`. Returns what is
    /// wrong with the call, as a sentence, if it cannot be sent.
    pub fn render(
        &self,
        call: &Call<'_>,
        minimum_revision: Millis,
        set_header: impl FnMut(&str, &str),
    ) -> Result<String, String> {
        request::render(&self.base, &self.project, call, minimum_revision, set_header)
    }

    /// Decides what follows an attempt, and observes the revisions in its response. A 404 of operation 5 is a result.
    pub fn next(&mut self, attempt: &Attempt<'_>) -> Step {
        match (attempt.status, attempt.operation) {
            (200..300, None) => Step::Done,
            (200..300, Some(_)) if self.is_outdated(attempt) => Step::Refresh,
            (200..300, Some(_)) => {
                self.observe(attempt);
                Step::Done
            }
            (404, Some(operation)) => {
                let subject = operation.subject(attempt.first_variable);
                if let (Some(subject), Some(revision)) = (subject, attempt.revision) {
                    self.session.observe_resource(subject, KnownKey::None, revision);
                }
                if operation.id == OperationId::Exists { Step::Done } else { Step::Fail }
            }
            (401, _) if attempt.renewable => Step::RenewToken,
            (status, _) if retry::is_transient(status) => self.retry_step(attempt),
            _ => Step::Fail,
        }
    }

    /// The pause before the retry that [`Client::next`] decided on last, in milliseconds.
    #[must_use]
    pub fn pause(&self) -> Millis {
        self.pause
    }

    /// Retries if there are retries left, and time for the pause.
    fn retry_step(&mut self, attempt: &Attempt<'_>) -> Step {
        match self.retry.pause(attempt.retries, attempt.retry_after, attempt.jitter) {
            Some(pause) if attempt.now.saturating_add(pause) < attempt.deadline => {
                self.pause = pause;
                Step::Retry
            }
            _ => Step::FailRetryable,
        }
    }

    /// Whether a read returned an older revision than the session has seen of the ID in it: it read by a key with a lower
    /// minimum revision, or started before the newer revision was seen. A revision below the requested minimum, and the
    /// response to a fresh read, come from the source of truth, and are never outdated.
    fn is_outdated(&self, attempt: &Attempt<'_>) -> bool {
        if attempt.fresh || attempt.operation.is_none_or(|operation| operation.write || operation.page) {
            return false;
        }
        SeenResource::take(&mut { attempt.resources }).is_some_and(|seen| {
            let revision = attempt.revision.unwrap_or(seen.revision);
            revision >= attempt.minimum_revision && revision < self.session.minimum_revision(seen.id)
        })
    }

    /// Adds the revisions in a response to the session.
    fn observe(&mut self, attempt: &Attempt<'_>) {
        let Some(operation) = attempt.operation else { return };
        let mut resources = attempt.resources;
        let session = &mut self.session;
        if operation.page {
            while let Some(seen) = SeenResource::take(&mut resources) {
                session.observe_resource(seen.id, seen.key, seen.revision);
            }
            return;
        }
        let seen = SeenResource::take(&mut resources);
        let revision = attempt.revision.or(seen.map(|seen| seen.revision)).unwrap_or_default();
        let key = seen.map_or(attempt.key_in_body(), |seen| seen.key);
        let Some(id) = seen.map(|seen| seen.id).or_else(|| attempt.tagged_id()) else { return };
        if !operation.write {
            session.observe_read(id, revision, attempt.minimum_revision);
            if let KnownKey::Key(key) = key {
                session.observe_read(key, revision, attempt.minimum_revision);
            }
        }
        session.observe_resource(id, key, revision);
    }
}
