//! Whether KV refuses a project's puts, for example because the plan's writes of the day are used up. The copies in KV
//! then grow old, so plain reads go to the project's object.
//!
//! The object knows. An instance asks it after the response to a plain read, at most once in [`PERIOD`] for each
//! project.

use core::cell::RefCell;

use crate::call::{Call, Message};
use crate::contract::reply::{CallResult, ReplyHead};
use crate::util::sorted::SortedMap;
use crate::util::time::Millis;
use crate::wire;

use super::platform::Host;

/// The time between two checks of a project, in milliseconds.
const PERIOD: Millis = 60_000;
/// How many projects an instance remembers. With more, it starts again with none.
const PROJECTS: usize = 1_024;

/// What an instance knows about projects.
#[derive(Debug, Default)]
pub(super) struct Replication(RefCell<SortedMap<String, Known>>);

#[derive(Debug, Clone, Copy)]
struct Known {
    /// When the last check began. It may never have ended.
    checked: Millis,
    is_refused: bool,
}

impl Replication {
    /// Returns whether KV refused the project's puts at the last check.
    pub(super) fn is_refused(&self, project: &str) -> bool {
        self.0.borrow().get(project).is_some_and(|known| known.is_refused)
    }

    /// Returns the check of a project that a plain read used, if it is due.
    pub(super) fn check(&self, project: &str, now: Millis) -> Option<Check> {
        let mut projects = self.0.borrow_mut();
        match projects.get_mut(project) {
            Some(known) if now.abs_diff(known.checked) < PERIOD => return None,
            Some(known) => known.checked = now,
            None => {
                if projects.len() >= PROJECTS {
                    *projects = SortedMap::default();
                }
                projects.insert(project.to_owned(), Known { checked: now, is_refused: false });
            }
        }
        Some(Check { project: project.to_owned() })
    }

    /// Stores the head of the reply to a check. After a failure, what was known remains, and the log has a line.
    pub(super) fn end<H: Host>(&self, check: &Check, host: &H, head: Result<Vec<u8>, String>) {
        match head.and_then(|head| is_refused(&head)) {
            Ok(is_refused) => {
                if let Some(known) = self.0.borrow_mut().get_mut(&check.project) {
                    known.is_refused = is_refused;
                }
            }
            Err(cause) => host.log_failure("whether KV refuses puts could not be checked", &cause),
        }
    }
}

/// A question to a project's object that follows a response.
#[derive(Debug)]
pub struct Check {
    project: String,
}

impl Check {
    /// Returns the project whose object is asked.
    #[must_use]
    pub fn project(&self) -> &str {
        &self.project
    }

    /// Returns the message to the object, in the bytes of [`wire`].
    pub fn message(&self) -> Result<Vec<u8>, String> {
        wire::encode(&Message { project: self.project.clone(), call: Call::Replication })
    }
}

/// Returns whether KV refuses the project's puts, as the head of the object's reply reports it.
fn is_refused(head: &[u8]) -> Result<bool, String> {
    match wire::decode::<ReplyHead>(head)?.result {
        CallResult::Replication { is_refused } => Ok(is_refused),
        CallResult::Error(error) => Err(error.message().to_owned()),
        CallResult::Resource(_) | CallResult::Page | CallResult::Exists(_) | CallResult::Export(_) => {
            Err("the reply belongs to another call".to_owned())
        }
    }
}
