//! KV entries: keys, metadata, and tombstones. The object writes them; reads at the edge rely on them.
//!
//! `r1:{project}:{id}` has the exact body of a read, `k1:{project}:{key}` the ID of the key's resource; `1` is the
//! format. A project key has no colon, so no two KV keys are equal.

use crate::util::json;
use crate::util::strict_json::{self, Json};
use crate::util::time::Millis;

/// How long a tombstone stays, in seconds: longer than any stale copy at the edge.
pub const TOMBSTONE_SECONDS: u32 = 24 * 60 * 60;

names! {
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metadata {
    /// The resource's version. `None` for a tombstone and for a key's entry.
    pub version: Option<u64>,
    pub revision: Millis,
    /// The resource's key, so that a read by key detects a pointer that is out of date.
    pub key: Option<String>,
    /// The ID in a key's entry, so that a list shows it.
    pub id: Option<String>,
    pub deleted: bool,
}

impl Metadata {
    pub fn to_json(&self) -> String {
        let Self { version, revision, key, id, deleted } = self;
        json::object(|object| {
            if let Some(version) = version {
                object.integer("version", *version as i64);
            }
            object.integer("revision", *revision as i64);
            object.text_if("key", key.as_deref());
            object.text_if("id", id.as_deref());
            if *deleted {
                object.boolean("deleted", true);
            }
        })
    }

    /// Reads the metadata of an entry; `None` if it does not have the form that the object writes.
    pub fn read(json: &Json) -> Option<Self> {
        let found = json.object()?;
        // Both are integers below 2^53.
        let number =
            |name| if let Json::Number(number) = found.get(name)? { Some(*number as u64) } else { None };
        let text = |name| strict_json::text_of(found, name).map(str::to_owned);
        let (version, revision) = (number("version"), number("revision")?);
        let deleted = found.get("deleted") == Some(&Json::Boolean(true));
        Some(Self { version, revision, key: text("key"), id: text("id"), deleted })
    }
}

/// An entry of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    pub entry: String,
    /// `None` if it has none that is valid.
    pub metadata: Option<Metadata>,
}

/// Reads a page of KV's list: `{"keys":[{"name","metadata"?},…],"cursor"?}`. There is a cursor only if there are more
/// pages.
pub fn listed(page: &str) -> Option<(Vec<Listed>, Option<String>)> {
    let page = strict_json::object(page.as_bytes())?;
    let entry = |key: &Json| {
        let key = key.object()?;
        let metadata = key.get("metadata").and_then(Metadata::read);
        Some(Listed { entry: strict_json::text_of(key, "name")?.to_owned(), metadata })
    };
    let entries = page.get("keys")?.array()?.iter().filter_map(entry).collect();
    Some((entries, strict_json::text_of(&page, "cursor").map(str::to_owned)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    #[test]
    fn a_page_has_its_entries_and_an_entry_of_another_program_no_metadata() {
        let metadata =
            Metadata { version: Some(2), revision: 7, key: Some("k".to_owned()), id: None, deleted: true };
        let page = format!(
            "{{\"keys\":[{{\"name\":\"a\",\"metadata\":{}}},{{\"name\":\"b\",\"metadata\":{{\"revision\":\"7\"}}}},\
             {{\"name\":\"c\",\"expiration\":5}}],\"list_complete\":false,\"cursor\":\"next\"}}",
            metadata.to_json()
        );
        let listed = |entry: &str, metadata| Listed { entry: entry.to_owned(), metadata };
        let entries = vec![listed("a", Some(metadata)), listed("b", None), listed("c", None)];
        assert_eq!(super::listed(&page), Some((entries, Some("next".to_owned()))));
        assert_eq!(super::listed("{\"keys\":[]}"), Some((vec![], None)));
        assert_eq!(super::listed("[]"), None);
    }
}
