//! The session guarantees (contract, section 9) as the caller of a client sees them: it reads its own writes, and never a
//! state older than one that a call has returned before. This is kept apart from the client's own session, by names instead
//! of hashes, without a bound, and from results alone.

use std::collections::BTreeMap;

use resource_edge::contract::time::Millis;

use crate::known::Known;
use crate::oracle::{Verdict, need};

/// A resource in a result.
#[derive(Debug, Clone)]
pub(crate) struct Shown {
    pub(crate) id: String,
    pub(crate) key: Option<String>,
    pub(crate) revision: Millis,
}

/// What a result shows.
#[derive(Debug, Clone)]
pub(crate) enum Result {
    /// One resource. `asked` is the key by which it was read; `fresh` says that the source of truth returned it: the read
    /// asked for that, or for a newer revision than it got.
    One { shown: Shown, asked: Option<String>, fresh: bool },
    /// The write of a resource.
    Written(Shown),
    /// A page.
    Page(Vec<Shown>),
    /// A resource was deleted, at this revision.
    Deleted(Shown),
    /// There is no resource with that ID or key at this revision.
    Missing { id: Option<String>, key: Option<String>, revision: Millis },
}

/// The newest revision of each name that calls have returned.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seen {
    ids: BTreeMap<String, Millis>,
    keys: BTreeMap<String, Millis>,
}

impl Seen {
    fn id(&self, id: &str) -> Millis {
        self.ids.get(id).copied().unwrap_or_default()
    }

    fn key(&self, key: &str) -> Millis {
        self.keys.get(key).copied().unwrap_or_default()
    }

    /// Judges a result and adds it. `before` is what was seen when the call began.
    pub(crate) fn add(&mut self, before: &Self, result: &Result) -> Verdict {
        let now = self.clone();
        let back = |what: &str, seen: Millis| format!("{what}: seen {seen}, then {result:?}");
        match result {
            Result::One { shown, asked, fresh } => {
                let overtaken = *fresh && Known::FreshReadThatBeganBefore.is_allowed();
                let by_id = if overtaken { before } else { &now };
                need(shown.revision >= by_id.id(&shown.id), || {
                    back("a read went back behind what was seen of the ID", by_id.id(&shown.id))
                })?;
                if let Some(key) = asked {
                    let allowed = overtaken || Known::ReadByKeyThatBeganBefore.is_allowed();
                    let by_key = if allowed { before } else { &now };
                    need(shown.revision >= by_key.key(key), || {
                        back("a read went back behind what was seen of the key", by_key.key(key))
                    })?;
                }
                self.observe(shown);
            }
            Result::Written(shown) | Result::Deleted(shown) => self.observe(shown),
            Result::Page(all) => {
                let by = if Known::PageThatBeganBefore.is_allowed() { before } else { &now };
                for shown in all {
                    need(shown.revision >= by.id(&shown.id), || {
                        back("a page went back behind what was seen of the ID", by.id(&shown.id))
                    })?;
                    self.observe(shown);
                }
            }
            Result::Missing { id, key, revision } => {
                let by = if Known::MissThatBeganBefore.is_allowed() { before } else { &now };
                if let Some(id) = id {
                    need(*revision >= by.id(id), || back("a 404 of the ID went back", by.id(id)))?;
                    raise(&mut self.ids, id, *revision);
                }
                if let Some(key) = key {
                    need(*revision >= by.key(key), || back("a 404 of the key went back", by.key(key)))?;
                    raise(&mut self.keys, key, *revision);
                }
            }
        }
        Ok(())
    }

    fn observe(&mut self, shown: &Shown) {
        raise(&mut self.ids, &shown.id, shown.revision);
        if let Some(key) = &shown.key {
            raise(&mut self.keys, key, shown.revision);
        }
    }
}

fn raise(revisions: &mut BTreeMap<String, Millis>, name: &str, revision: Millis) {
    let known = revisions.entry(name.to_owned()).or_default();
    *known = revision.max(*known);
}
