//! A call's way: what follows an answer or a failure, and what the answer teaches (contract, section 9).

use super::call::Call;
use super::floor::{Bears, Floor};
use super::options::{Options, Retry};
use super::response::Answer;
use super::{request, retry};
use crate::contract::operation::OperationId;
use crate::contract::time::Millis;

/// A client of one project.
#[derive(Debug, Clone)]
pub struct Client {
    base: String,
    project: String,
    retry: Retry,
    floor: Floor,
}

/// Where a call stands: whoever runs it keeps this between its attempts, so that a call which is given up leaves nothing
/// behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stage {
    /// The oldest revision that its request takes.
    pub asked: Millis,
    /// When its time is over.
    pub deadline: Millis,
    /// How often it was tried again.
    pub retries: u32,
    /// Whether another token may be had when this one is refused.
    pub renewable: bool,
}

/// What is to be done next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Nothing: the answer is the result.
    Done,
    /// Nothing: the call failed. The same call may succeed a little later where this is so.
    Fail(bool),
    /// Get another token, and send the request again; no further token may be had after that.
    Renew,
    /// Wait that many milliseconds, and send the request again.
    Again(Millis),
    /// Make the call again, fresh: a copy came that is older than what was seen of its resource.
    Refresh,
}

impl Client {
    /// A client as the options set it up; or what is wrong with them, as a sentence.
    pub fn new(options: &Options<'_>) -> Result<Self, String> {
        Ok(Self {
            base: options.base()?,
            project: options.project_key.to_owned(),
            retry: options.retry,
            floor: Floor::default(),
        })
    }

    /// The service's address, without a slash at its end.
    #[must_use]
    pub fn base(&self) -> &str {
        &self.base
    }

    /// The oldest revision that the call's answer may show, which it keeps through all attempts; 0 where any will do.
    #[must_use]
    pub fn floor(&self, call: &Call<'_>) -> Millis {
        call.subject().map_or(0, |subject| self.floor.of(subject))
    }

    /// The request of the call, the same at each attempt: its address, and the names and values of its headers
    /// ([`read`](super::read)). Or what is wrong with the call, as a sentence.
    pub fn request(&self, call: &Call<'_>, floor: Millis) -> Result<String, String> {
        request::render(&self.base, &self.project, call, floor)
    }

    /// What follows the answer to the call's request; without a call, to a request for a token. `dice` is a random number.
    /// A 404 of operation 5 is a result too.
    pub fn next(
        &mut self,
        call: Option<&Call<'_>>,
        stage: Stage,
        answer: &Answer<'_>,
        now: Millis,
        dice: u32,
    ) -> Next {
        match (answer.status, call) {
            (200..300, call) => {
                if let Some(call) = call {
                    if self.is_behind(call, stage.asked, *answer) {
                        return Next::Refresh;
                    }
                    self.learn(call, stage.asked, *answer);
                }
                return Next::Done;
            }
            (404, Some(call)) => {
                if let (Some(subject), Some(newest)) = (call.subject(), answer.revision) {
                    self.floor.resource(subject, Bears::None, newest);
                }
                return if call.row.id == OperationId::Exists { Next::Done } else { Next::Fail(false) };
            }
            (401, _) if stage.renewable => return Next::Renew,
            (status, _) if !retry::is_transient(status) => return Next::Fail(false),
            _ => {}
        }
        match self.retry.pause(stage.retries, answer.retry_after, dice) {
            Some(pause) if now.saturating_add(pause) < stage.deadline => Next::Again(pause),
            _ => Next::Fail(true),
        }
    }

    /// Whether a read's answer is older than what was seen of the id that it shows: asked for by a key whose floor is
    /// lower, or before the newer one was seen. What is older than `asked`, or came fresh, is the truth all the same.
    fn is_behind(&self, call: &Call<'_>, asked: Millis, mut answer: Answer<'_>) -> bool {
        if call.row.write || call.row.page || call.is_fresh() {
            return false;
        }
        answer.next_seen().is_some_and(|seen| {
            let revision = answer.revision.unwrap_or(seen.revision);
            revision >= asked && revision < self.floor.of(seen.id)
        })
    }

    /// What an answer says of revisions.
    fn learn(&mut self, call: &Call<'_>, asked: Millis, mut answer: Answer<'_>) {
        let floor = &mut self.floor;
        if call.row.page {
            while let Some(seen) = answer.next_seen() {
                floor.resource(seen.id, seen.bears, seen.revision);
            }
            return;
        }
        let seen = answer.next_seen();
        let revision = answer.revision.or(seen.map(|seen| seen.revision)).unwrap_or_default();
        let bears = seen.map_or(call.named(), |seen| seen.bears);
        let Some(id) = seen.map(|seen| seen.id).or_else(|| answer.tagged_id()) else { return };
        if !call.row.write {
            floor.settle(id, revision, asked);
            if let Bears::Key(key) = bears {
                floor.settle(key, revision, asked);
            }
        }
        floor.resource(id, bears, revision);
    }
}
