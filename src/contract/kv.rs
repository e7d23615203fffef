//! KV entries: keys, metadata, and tombstones. The object writes them; reads at the edge rely on them.
//!
//! `r1:{project}:{id}` has the exact body of a read, `k1:{project}:{key}` the ID of the key's resource; `1` is the
//! format. A project key has no colon, so no two KV keys are equal.

use serde::{Deserialize, Serialize};

use crate::util::json::ObjectWriter;
use crate::util::time::Millis;

/// How long a tombstone stays, in seconds: longer than any stale copy at the edge.
pub const TOMBSTONE_SECONDS: u32 = 24 * 60 * 60;

names! {
    /// The kind of a KV entry.
    #[derive(Hash, PartialOrd, Ord)]
    pub enum EntryKind name:
    /// A resource under its ID.
    Resource = "r1",
    /// An ID under a key.
    Key = "k1",
}

impl EntryKind {
    /// Returns the prefix of all the project's entries of the kind.
    pub fn prefix(self, project: &str) -> String {
        [self.name(), ":", project, ":"].concat()
    }

    /// Returns the KV key of the entry; `name` is the resource's ID or key.
    pub fn entry(self, project: &str, name: &str) -> String {
        self.prefix(project) + name
    }
}

/// The metadata of an entry: at most 1,024 bytes of JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Metadata {
    /// The resource's version. `None` for a tombstone and for a key's entry.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub version: Option<u64>,
    pub revision: Millis,
    /// The resource's key, so that a read by key detects a pointer that is out of date.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub key: Option<String>,
    /// The ID in a key's entry, so that a list shows it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub id: Option<String>,
    #[serde(skip_serializing_if = "core::ops::Not::not", default)]
    pub deleted: bool,
}

impl Metadata {
    pub fn to_json(&self) -> String {
        let Self { version, revision, key, id, deleted } = self;
        let mut json = String::with_capacity(96);
        let mut object = ObjectWriter::open(&mut json);
        if let Some(version) = version {
            object.integer("version", *version as i64);
        }
        object.integer("revision", *revision as i64);
        object.text_if("key", key.as_deref());
        object.text_if("id", id.as_deref());
        if *deleted {
            object.member("deleted").push_str("true");
        }
        object.close();
        json
    }
}
