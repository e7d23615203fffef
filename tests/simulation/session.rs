//! The session guarantees (contract, section 9) for the caller of a client: it reads its own writes, and never a state
//! older than one that a call has returned before. These checks do not use the client's session. They use names instead
//! of hashes, have no size limit, and read only results.

use std::collections::BTreeMap;

use resource_edge::util::time::Millis;

use crate::simulation::oracle::{Verdict, need};

/// A resource in a result.
#[derive(Debug, Clone)]
pub(crate) struct Shown {
    pub(crate) id: String,
    pub(crate) key: Option<String>,
    pub(crate) revision: Millis,
}

#[derive(Debug, Clone)]
pub(crate) enum Result {
    /// One resource. `asked` is the key by which it was read.
    One { shown: Shown, asked: Option<String> },
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
#[derive(Debug, Default)]
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

    pub(crate) fn add(&mut self, result: &Result) -> Verdict {
        let back = |what: &str, seen: Millis| format!("{what}: seen {seen}, then {result:?}");
        match result {
            Result::One { shown, asked } => {
                let seen = self.id(&shown.id);
                need(shown.revision >= seen, || {
                    back("a read went back behind what was seen of the ID", seen)
                })?;
                if let Some(key) = asked {
                    let seen = self.key(key);
                    need(shown.revision >= seen, || {
                        back("a read went back behind what was seen of the key", seen)
                    })?;
                }
                self.observe(shown);
            }
            Result::Written(shown) | Result::Deleted(shown) => self.observe(shown),
            Result::Page(all) => {
                for shown in all {
                    let seen = self.id(&shown.id);
                    need(shown.revision >= seen, || {
                        back("a page went back behind what was seen of the ID", seen)
                    })?;
                    self.observe(shown);
                }
            }
            Result::Missing { id, key, revision } => {
                if let Some(id) = id {
                    let seen = self.id(id);
                    need(*revision >= seen, || back("a 404 of the ID went back", seen))?;
                    raise(&mut self.ids, id, *revision);
                }
                if let Some(key) = key {
                    let seen = self.key(key);
                    need(*revision >= seen, || back("a 404 of the key went back", seen))?;
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
