//! The session guarantees (contract, section 9) for the caller of a client: it reads its own writes, and never a state
//! older than one that a call has returned before. These checks do not use the client's session. They use names instead
//! of hashes, have no size limit, and read only results.

use std::collections::BTreeMap;

use resource_edge::util::time::Millis;

use crate::world::simulation::oracle::{Verdict, need};

/// A resource in a result.
#[derive(Debug, Clone)]
pub(crate) struct Shown {
    pub(crate) id: String,
    pub(crate) key: Option<String>,
    pub(crate) revision: Millis,
}

#[derive(Debug, Clone)]
pub(crate) enum Result {
    /// Resources that were read, in a page or alone. `asked` is the key by which a resource was read.
    Read { shown: Vec<Shown>, asked: Option<String> },
    /// Resources were written, or deleted at this revision.
    Written(Vec<Shown>),
    /// There is no resource with that ID or key at this revision.
    Missing { id: Option<String>, key: Option<String>, revision: Millis },
}

/// The newest revision of each name that calls have returned.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    ids: BTreeMap<String, Millis>,
    keys: BTreeMap<String, Millis>,
    /// The newest revision of anything, and of the project in a page.
    pub(crate) newest: Millis,
}

impl Seen {
    pub(crate) fn add(&mut self, result: &Result) -> Verdict {
        match result {
            Result::Read { shown, asked } => {
                for shown in shown {
                    follows(&self.ids, Some(&shown.id), shown.revision, result)?;
                    follows(&self.keys, asked.as_ref(), shown.revision, result)?;
                    self.observe(shown);
                }
            }
            Result::Written(shown) => shown.iter().for_each(|shown| self.observe(shown)),
            Result::Missing { id, key, revision } => {
                follows(&self.ids, id.as_ref(), *revision, result)?;
                follows(&self.keys, key.as_ref(), *revision, result)?;
                self.newest = self.newest.max(*revision);
                raise(&mut self.ids, id.as_ref(), *revision);
                raise(&mut self.keys, key.as_ref(), *revision);
            }
        }
        Ok(())
    }

    /// Adds the newest revision of the project in the result of a query. `began`: what was seen before the call.
    pub(crate) fn add_page(&mut self, revision: Millis, began: Millis) -> Verdict {
        self.newest = self.newest.max(revision);
        need(revision >= began, || format!("a page went back behind what was seen: {began}, then {revision}"))
    }

    fn observe(&mut self, shown: &Shown) {
        self.newest = self.newest.max(shown.revision);
        raise(&mut self.ids, Some(&shown.id), shown.revision);
        raise(&mut self.keys, shown.key.as_ref(), shown.revision);
    }
}

/// Checks that a result is not older than what was seen of the name.
fn follows(
    seen: &BTreeMap<String, Millis>,
    name: Option<&String>,
    revision: Millis,
    result: &Result,
) -> Verdict {
    let seen = name.and_then(|name| seen.get(name)).copied().unwrap_or_default();
    need(revision >= seen, || {
        format!("a result went back behind what was seen of {name:?}: {seen}, then {result:?}")
    })
}

fn raise(seen: &mut BTreeMap<String, Millis>, name: Option<&String>, revision: Millis) {
    if let Some(name) = name {
        let known = seen.entry(name.clone()).or_default();
        *known = revision.max(*known);
    }
}
