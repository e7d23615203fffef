//! The history of a run: a line of JSON for each operation, kill, and comparison of KV.

use std::collections::BTreeMap;

use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Line {
    Operation(Box<Operation>),
    /// An end of the service's process.
    Kill {},
    /// A comparison of KV with the source of truth, when nothing failed any more.
    Kv(Comparison),
}

/// The request of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Kind {
    Post,
    PostKey,
    /// Creates, or overwrites the expected version.
    Put,
    /// Overwrites the expected version.
    Patch,
    /// Changes the expected version by actions.
    Update,
    /// Deletes; optionally only the expected version.
    Delete,
    ReadId,
    ReadKey,
    /// Reads the whole group.
    Query,
}

impl Kind {
    /// Returns whether the operation may change something.
    pub fn is_write(self) -> bool {
        !matches!(self, Self::ReadId | Self::ReadKey | Self::Query)
    }
}

/// The required freshness of a read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Mode {
    Fresh,
    /// From a copy, however old.
    Plain,
    /// From a copy of the minimum revision or newer.
    Min,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Operation {
    pub n: u64,
    pub caller: u64,
    /// Whether the caller has a session: the npm package.
    pub session: bool,
    pub project: String,
    /// The group of resources that the operation uses.
    pub group: String,
    pub kind: Kind,
    /// The number of the first write of its batch. The writes of a batch follow each other.
    #[serde(default)]
    pub batch: Option<u64>,
    pub id: Option<String>,
    pub key: Option<String>,
    pub set: Option<String>,
    pub version: Option<u64>,
    pub mode: Option<Mode>,
    pub floor: Option<u64>,
    /// The text that it writes, which no other operation writes.
    pub value: String,
    /// The number that it writes besides the text, unless it is an update by actions.
    pub data: u64,
    /// When it began, in milliseconds.
    pub invoked: f64,
    pub returned: f64,
    pub outcome: Outcome,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub struct Record {
    pub id: String,
    pub version: u64,
    pub key: Option<String>,
    /// The text of the last write.
    pub value: Option<String>,
    /// The number of the last write that was not an update by actions.
    pub data: Option<u64>,
    pub revision: u64,
    /// A hash of the body.
    pub digest: String,
}

/// The result of an operation.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "is", rename_all = "camelCase")]
pub enum Outcome {
    Record {
        record: Record,
        created: Option<bool>,
        /// The header `Resource-Revision`.
        revision: u64,
        #[serde(default)]
        replay: Option<String>,
    },
    /// 404.
    NotFound {
        /// The header `Resource-Revision`; 0 if it is not known.
        revision: u64,
        #[serde(default)]
        replay: Option<String>,
    },
    /// 409.
    Conflict {
        version: u64,
        #[serde(default)]
        replay: Option<String>,
    },
    /// 400, because another resource has the key.
    Duplicate {
        #[serde(default)]
        replay: Option<String>,
    },
    Page {
        records: Vec<Record>,
    },
    /// Not performed, because another write of its batch was refused.
    Undone {},
    /// Without a response: a write may have been performed, or may still be performed.
    Unknown {},
    /// With a response that the contract does not allow.
    Fault {
        status: u16,
        text: String,
    },
}

impl Outcome {
    /// Returns the records that the response showed.
    pub fn records(&self) -> &[Record] {
        match self {
            Self::Record { record, .. } => std::slice::from_ref(record),
            Self::Page { records } => records,
            _ => &[],
        }
    }

    /// Returns the fault of the response to a repeat.
    pub fn replay(&self) -> Option<&str> {
        match self {
            Self::Record { replay, .. }
            | Self::NotFound { replay, .. }
            | Self::Conflict { replay, .. }
            | Self::Duplicate { replay } => replay.as_deref(),
            _ => None,
        }
    }

    /// Returns whether the caller has no response that determines what happened.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown {} | Self::Fault { .. })
    }
}

impl Operation {
    /// Returns whether the response shows the source of truth. A plain read with 404 does.
    pub fn is_truth(&self) -> bool {
        self.kind.is_write()
            || self.mode == Some(Mode::Fresh)
            || matches!(self.outcome, Outcome::NotFound { .. })
    }
}

/// A comparison of KV with the source of truth.
#[derive(Debug, Deserialize)]
pub struct Comparison {
    pub project: String,
    pub compared: u64,
    pub differing: Vec<Difference>,
}

/// A KV entry that differs from the source of truth.
#[derive(Debug, Deserialize)]
pub struct Difference {
    pub entry: String,
    /// The value in KV. `None` for a missing entry or a tombstone.
    pub kv: Option<String>,
    pub truth: Option<String>,
    /// Whether its put was in flight when the service's process ended.
    pub late: bool,
}

#[derive(Debug, Default)]
pub struct History {
    /// Operations by project, in the order of their starts.
    pub projects: BTreeMap<String, Vec<Operation>>,
    /// The number of times that the service's process ended.
    pub kills: u64,
    pub comparisons: Vec<Comparison>,
}

impl History {
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut history = Self::default();
        for (number, line) in text.lines().enumerate() {
            match serde_json::from_str(line).map_err(|error| format!("line {}: {error}", number + 1))? {
                Line::Operation(operation) => {
                    history.projects.entry(operation.project.clone()).or_default().push(*operation);
                }
                Line::Kill {} => history.kills += 1,
                Line::Kv(comparison) => history.comparisons.push(comparison),
            }
        }
        for operations in history.projects.values_mut() {
            operations.sort_by(|a, b| a.invoked.total_cmp(&b.invoked));
        }
        Ok(history)
    }
}
