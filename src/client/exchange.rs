//! The course of a call: its request, the step after a response or a failure, and the revisions that the session
//! observes (contract, section 9).

use super::attempt::{Attempt, Response, SeenResource};
use super::call::{CallState, Progress};
use super::message::TextList;
use super::operation::ClientOperation;
use super::options::{Options, Retry};
use super::request::{self, CheckJson};
use super::session::{KnownKey, Recency, Session};
use crate::contract::api::endpoint::ResponseBody;
use crate::util::time::Millis;

/// A client of one project.
#[derive(Debug, Clone)]
pub struct Client {
    base: String,
    project: String,
    retry: Retry,
    session: Session,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Done,
    /// Fail: the same call would fail again.
    Fail,
    /// Fail: the same call may succeed later.
    FailRetryable,
    /// End the attempt if it has not ended, wait for [`Decision::pause`], then try again.
    Retry,
    /// Drop the token, then try again, at most once in a call.
    RenewToken,
    /// Read again from the source of truth: the response is older than the revision that the session has.
    Refresh,
    /// Continue to wait for the response of the late attempt: no other attempt can follow.
    Wait,
}

impl Step {
    /// All steps in the order of their numbers, which JavaScript receives.
    pub const ALL: [Self; 7] = [
        Self::Done,
        Self::Fail,
        Self::FailRetryable,
        Self::Retry,
        Self::RenewToken,
        Self::Refresh,
        Self::Wait,
    ];
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    pub step: Step,
    /// The pause before the next attempt, in milliseconds.
    pub pause: Millis,
}

impl Client {
    /// Creates a client, or returns what is wrong with the options, as a sentence.
    pub fn new(options: &Options<'_>) -> Result<Self, String> {
        Ok(Self {
            base: options.base()?,
            project: options.project_key.to_owned(),
            retry: options.retry(),
            session: Session::default(),
        })
    }

    /// Renders the next request of a call: returns its address, and passes each header to `set_header`. If the call
    /// cannot be sent, returns all its errors. Each error has three texts, with U+0000 after each: `parameter` or
    /// `header`, a name, and a sentence.
    pub fn render(
        &self,
        call: &mut CallState,
        check_json: CheckJson,
        mut set_header: impl FnMut(&str, &str),
    ) -> Result<String, String> {
        call.progress.began = self.session.observations();
        let call = call.parts();
        let subject = call.operation.and_then(|operation| operation.subject(call.first_variable));
        let minimum_revision = match subject {
            Some(subject) => self.session.minimum_revision(subject),
            // So an older page goes back behind nothing that the session has seen.
            None if call.max_age > 0 => self.session.newest(),
            None => 0,
        };
        request::render(&self.base, &self.project, &call, minimum_revision, check_json, &mut set_header)
    }

    /// Decides what follows an attempt of a call, and observes the revisions in its response.
    pub fn next(&mut self, call: &mut CallState, response: &Response<'_>) -> Decision {
        let parts = call.parts();
        let attempt = Attempt { call: &parts, progress: call.progress, response };
        let (step, pause) = self.step(&attempt);
        let is_unknown = attempt.is_unknown();
        let progress = &mut call.progress;
        match step {
            Step::Retry => progress.retries = progress.retries.saturating_add(1),
            Step::RenewToken => progress.is_renewed = true,
            Step::Refresh => progress.is_refreshed = true,
            _ => {}
        }
        if step != Step::Wait {
            progress.is_unknown = is_unknown;
        }
        Decision { step, pause }
    }

    /// Observes resources that came in no response to a call. The session may have dropped newer revisions of them.
    pub fn observe(&mut self, resources: TextList<'_>) {
        self.observe_each(resources, Recency::Unknown);
    }

    /// Returns the step, and the pause before another attempt. A 404 of operation 5 is a result, and so is a 304, which
    /// a caller requests with `If-None-Match`.
    fn step(&mut self, attempt: &Attempt<'_>) -> (Step, Millis) {
        let Attempt { call, progress, response } = attempt;
        let step = match (response.status, call.operation) {
            _ if attempt.is_unanswered() => return self.retry_step(attempt),
            (200..300, None) => Step::Done,
            (404, _) if response.foreign => Step::Fail,
            (200..300 | 304 | 404, Some(operation)) => match self.compare_with_session(operation, attempt) {
                Some(recency) => {
                    self.observe_response(operation, attempt, recency);
                    let is_result = response.status != 404 || operation.shape == ResponseBody::Nothing;
                    if is_result { Step::Done } else { Step::Fail }
                }
                None if call.fresh => return self.retry_step(attempt),
                None => Step::Refresh,
            },
            (401, Some(_)) if call.renewable && !progress.is_renewed => Step::RenewToken,
            _ => Step::Fail,
        };
        (step, 0)
    }

    /// Retries if there are retries left, and time for the pause. A request for a token is retried by the calls that
    /// need it, so it has as many retries as they have.
    #[inline(never)]
    fn retry_step(&self, attempt: &Attempt<'_>) -> (Step, Millis) {
        let Attempt { call, progress: Progress { retries, .. }, response } = *attempt;
        let pause = self.retry.pause(retries, response.retry_after, response.jitter);
        let is_in_time = || response.now.saturating_add(pause) < call.deadline;
        if call.operation.is_none() || (retries < self.retry.retries && is_in_time()) {
            (Step::Retry, pause)
        } else {
            (if response.late { Step::Wait } else { Step::FailRetryable }, 0)
        }
    }

    /// Compares a response with the session. Returns `None` if the response shows an older state than the session has
    /// observed, of the ID or the key in its path or of an ID in its body. A response is current if it is not older
    /// than any revision that the session has dropped.
    ///
    /// A copy may be older for three reasons: the request named the resource by another name, the response was on its
    /// way while the session observed a newer state, or an intermediary ignored the minimum revision. The source of
    /// truth can be older only for the second reason: its response to a request that began later is the current state,
    /// even if the database was set back. So if a response is older than the session's revision, the client reads again
    /// from the source of truth.
    fn compare_with_session(&self, operation: &ClientOperation, attempt: &Attempt<'_>) -> Option<Recency> {
        // The source of truth decides a write, but a replay is the first response.
        if operation.write {
            return Some(Recency::Unknown);
        }
        let session = &self.session;
        let Attempt { call, progress: Progress { began, .. }, response } = *attempt;
        let subject = operation.subject(call.first_variable).zip(attempt.seen_revision());
        let mut is_truth = call.fresh || operation.is_page() || response.status == 404;
        let is_unsure = |name| session.has_risen(name, began) || (!call.fresh && session.has(name));
        if let Some((name, revision)) = subject
            && revision < session.minimum_revision(name)
        {
            if is_unsure(name) {
                return None;
            }
            // The request asked for a higher revision, and only the source of truth returns a lower one.
            is_truth = true;
        }
        let mut resources = response.resources;
        while let Some(seen) = SeenResource::take(&mut resources) {
            if seen.revision < session.minimum_revision(seen.id) && (!is_truth || is_unsure(seen.id)) {
                return None;
            }
        }
        let is_current = is_truth && session.dropped_none_since(began);
        Some(if is_current { Recency::Current } else { Recency::Unknown })
    }

    /// Adds the revisions in a response to the session.
    fn observe_response(&mut self, operation: &ClientOperation, attempt: &Attempt<'_>, recency: Recency) {
        let mut resources = attempt.response.resources;
        self.session.raise(attempt.response.revision.unwrap_or_default());
        if operation.is_page() {
            return self.observe_each(resources, recency);
        }
        let session = &mut self.session;
        let subject = operation.subject(attempt.call.first_variable);
        let (name, key) = match (attempt.response.status, SeenResource::take(&mut resources)) {
            (404, _) => (subject, KnownKey::None),
            (304, _) => (subject, KnownKey::Unknown),
            (_, Some(seen)) => (Some(seen.id), seen.key),
            (_, None) => (attempt.id(), attempt.key_in_body()),
        };
        match (name, key, attempt.seen_revision()) {
            (Some(name), key, Some(revision)) => session.observe_resource(name, key, revision, recency),
            (None, KnownKey::Key(key), Some(revision)) => session.observe(key, revision, recency),
            _ => {}
        }
    }

    #[inline(never)]
    fn observe_each(&mut self, mut resources: TextList<'_>, recency: Recency) {
        while let Some(seen) = SeenResource::take(&mut resources) {
            self.session.observe_resource(seen.id, seen.key, seen.revision, recency);
        }
    }
}
