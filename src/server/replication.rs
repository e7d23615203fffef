//! Tracks whether plain reads of a project bypass KV (D33): because its writes wait too long for their puts, because KV
//! refuses the puts, for example after the plan's writes of the day, or because KV is being repaired after a restore.
//! Its copies may then be out of date, so plain reads go to the project's object.
//!
//! The object has this state. An instance requests it after the response to a plain read, at most once in [`PERIOD`]
//! for each project.

use core::cell::RefCell;

use crate::call::{Call, CallResult, Message, ReplyHead, wire};
use crate::util::generations::Generations;
use crate::util::time::Millis;

use super::platform::Host;

/// The time between two checks of a project, in milliseconds.
const PERIOD: Millis = 10_000;
/// How many projects the cache has at least, those that were read last.
const PROJECTS: usize = 4_096;

/// The state of projects, cached by an instance.
#[derive(Debug)]
pub(super) struct Replication(RefCell<Generations<String, Known>>);

impl Default for Replication {
    fn default() -> Self {
        Self(RefCell::new(Generations::new(PROJECTS)))
    }
}

#[derive(Debug, Clone, Copy)]
struct Known {
    /// When the last check began. It may never have ended.
    checked: Millis,
    bypass_kv: bool,
}

impl Replication {
    /// Returns whether plain reads bypass KV, according to the last check.
    pub(super) fn bypasses_kv(&self, project: &str) -> bool {
        self.0.borrow_mut().get_mut(project).is_some_and(|known| known.bypass_kv)
    }

    /// Returns the check of a project that a plain read used, if it is due.
    pub(super) fn check(&self, project: &str, now: Millis) -> Option<Check> {
        let mut projects = self.0.borrow_mut();
        match projects.get_mut(project) {
            Some(known) if now.abs_diff(known.checked) < PERIOD => return None,
            Some(known) => known.checked = now,
            None => projects.insert(project.to_owned(), Known { checked: now, bypass_kv: false }),
        }
        Some(Check { project: project.to_owned() })
    }

    /// Stores the head of the reply to a check. After a failure, the cached state remains, and the log has a line.
    pub(super) fn end<H: Host>(&self, check: &Check, host: &H, head: Result<Vec<u8>, String>) {
        match head.and_then(|head| decode_check(&head)) {
            Ok(bypass_kv) => {
                if let Some(known) = self.0.borrow_mut().get_mut(&check.project) {
                    known.bypass_kv = bypass_kv;
                }
            }
            Err(cause) => host.log_failure("whether KV is behind could not be checked", &cause),
        }
    }
}

#[derive(Debug)]
pub struct Check {
    pub project: String,
}

impl Check {
    /// Returns the message to the object, in the bytes of [`wire`].
    pub fn message(&self) -> Result<Vec<u8>, String> {
        wire::encode(&Message { project: self.project.clone(), call: Call::Replication })
    }
}

/// Returns whether plain reads bypass KV, from the head of the object's reply.
fn decode_check(head: &[u8]) -> Result<bool, String> {
    let result = wire::decode::<ReplyHead>(head)?.result;
    if let CallResult::Replication { bypass_kv } = result {
        return Ok(bypass_kv);
    }
    Err(match result {
        CallResult::Error(error) => error.into_cause(),
        _ => "the reply belongs to another call".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Reply;
    use crate::server::auth::tests::fake::Fake;
    use crate::test;

    fn check(replication: &Replication, at: usize, now: Millis) -> Option<Check> {
        replication.check(&format!("p{at}"), now)
    }

    #[test]
    fn an_instance_checks_thousands_of_projects_once_a_period() {
        const MANY: usize = 4_000;
        let replication = Replication::default();
        let due = |now| (0..MANY).filter(|at| check(&replication, *at, now).is_some()).count();
        assert_eq!([PERIOD, PERIOD + 1, 2 * PERIOD - 1, 2 * PERIOD].map(due), [MANY, 0, 0, MANY]);
    }

    #[test]
    fn a_project_that_bypasses_kv_and_is_read_does_so_among_any_number_of_projects() {
        let replication = Replication::default();
        let first = check(&replication, 0, PERIOD).unwrap();
        let reply: Reply<()> = Reply::new(CallResult::Replication { bypass_kv: true }, None);
        replication.end(&first, &&Fake::new(), Ok(wire::encode(&reply.head).unwrap()));
        for at in 1..4 * PROJECTS {
            check(&replication, at, PERIOD).unwrap();
            assert!(replication.bypasses_kv("p0"), "not after {at} other projects");
            assert!(!replication.bypasses_kv(&format!("p{at}")));
        }
    }
}
