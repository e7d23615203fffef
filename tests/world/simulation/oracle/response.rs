//! Checks responses to requests: the decision of the object, or a state that was present during the request.

use resource_edge::call::CallResult;
use resource_edge::contract::api::etag;
use resource_edge::util::time::Millis;

use super::{Oracle, Verdict, need};
use crate::support::edge::Got;
use crate::world::simulation::workload::{Intent, Operation};

impl Oracle {
    /// Returns whether the version at a place of the history was present at some time since `began`.
    fn was_present(&self, place: usize, began: usize) -> bool {
        let places = &self.places[&self.history[place].id];
        let next = places.iter().find(|next| **next > place);
        next.is_none_or(|next| *next >= began)
    }

    /// Returns whether nothing had the ID at some time since `began`.
    fn was_absent(&self, id: &str, began: usize) -> bool {
        let places = self.places.get(id).into_iter().flatten();
        was_free(places.map(|place| (*place, self.history[*place].record.is_none())), began)
    }

    fn key_was_free(&self, key: &str, began: usize) -> bool {
        let holders = self.holders.get(key).into_iter().flatten();
        was_free(holders.map(|(place, holder)| (*place, holder.is_none())), began)
    }

    /// Checks a response with 2xx or 4xx to a request that began at the place `began`.
    #[allow(clippy::too_many_lines, reason = "all rules of a response, in their order")]
    pub(crate) fn responded(
        &self,
        operation: &Operation,
        began: usize,
        minimum: Millis,
        got: &Got,
    ) -> Verdict {
        let wrong = |what: &str| format!("{what}: {operation:?} with minimum {minimum} got {got:?}");
        if operation.is_write() {
            let decided = self.decided.get(&operation.number).and_then(|decided| decided.reply.as_ref());
            let Some(reply) = decided else { return Err(wrong("a response that nothing decided")) };
            return match &reply.head.result {
                CallResult::Resource(head) => need(
                    got.status == head.outcome.status()
                        && got.header("ETag") == Some(&etag::of(&head.id, head.revision))
                        && got.header("Resource-Revision") == Some(&head.newest.to_string())
                        && Some(&got.body) == reply.body.as_ref(),
                    || wrong("not the object's reply"),
                ),
                CallResult::Batch { newest } => need(
                    got.status == 200
                        && got.header("Resource-Revision") == Some(&newest.to_string())
                        && Some(&got.body) == reply.body.as_ref(),
                    || wrong("not the object's reply"),
                ),
                CallResult::Error(error) => need(got.status == error.status(), || wrong("another error")),
                _ => Err(wrong("no reply to a write")),
            };
        }
        match (&operation.intent, got.status) {
            (Intent::ReadId(_) | Intent::ReadKey(_), 200) => {
                let record = got.json();
                let id = record["id"].as_str().unwrap_or_default();
                let revision = got.header("Resource-Revision").and_then(|value| value.parse().ok());
                let revision: Millis = revision.ok_or_else(|| wrong("no revision"))?;
                let place = self.find(id, revision).ok_or_else(|| wrong("a state that never was"))?;
                let state = self.history[place].record.as_ref().ok_or_else(|| wrong("a deleted state"))?;
                need(state.body == got.body, || wrong("not the record of its revision"))?;
                let asked = match &operation.intent {
                    Intent::ReadKey(key) => state.key.as_ref() == Some(key),
                    _ => operation.variables[0] == id,
                };
                need(asked, || wrong("another resource"))?;
                let source_of_truth = operation.fresh || revision < minimum;
                need(!source_of_truth || self.was_present(place, began), || {
                    wrong("an older state than the request accepts")
                })
            }
            (Intent::ReadId(id), 404) => {
                need(self.was_absent(id, began), || wrong("404 of what was there all the time"))
            }
            (Intent::ReadKey(key), 404) => {
                need(self.key_was_free(key, began), || wrong("404 of what was there all the time"))
            }
            (Intent::Find(_), 200) | (Intent::Exists(_), 200 | 404) => Ok(()),
            _ => Err(wrong("an unexpected status")),
        }
    }
}

/// Returns whether a name was free at some time since `began`. Each change of it has its place, and whether the name is
/// free from there on.
fn was_free(changes: impl Iterator<Item = (usize, bool)>, began: usize) -> bool {
    let mut at_begin = true;
    let mut later = false;
    for (place, is_free) in changes {
        if place < began {
            at_begin = is_free;
        } else {
            later |= is_free;
        }
    }
    at_begin || later
}
