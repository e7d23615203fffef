//! What the machine lets others perform: puts, and lists of KV's entries.

use std::rc::Rc;

use crate::contract::kv::{EntryKind, Metadata};
use crate::util::time::Millis;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Put {
    pub entry: Rc<str>,
    /// The value: a record's body, the ID that a key points to, or nothing for a tombstone.
    pub value: String,
    pub metadata: Metadata,
    /// After how many seconds the entry expires; `None` if never.
    pub ttl_seconds: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    Put(Put),
    /// Ask again at that time, or earlier if a put ends.
    Wait(Millis),
    /// Ask again after a put ended or a write committed.
    Nothing,
}

/// A page of KV that is due to be listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sweep {
    /// The prefix of the entries' keys.
    pub prefix: String,
    /// KV's cursor of the page; `None` for the first page.
    pub cursor: Option<String>,
    pub(super) kind: EntryKind,
    /// The last name that was compared.
    pub(super) after: String,
    /// How many turns in a row made no progress.
    pub(super) idle: u32,
}
