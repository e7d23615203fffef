//! Deliberate faults. Each breaks one rule of the code under test from outside, between the parts of the simulation: at
//! a statement, a message, an effect, the alarm, a put, or the client. A simulation that misses a mutant would also
//! miss this fault in the code.

use resource_edge::call::{Call, Change, Message, Write};
use resource_edge::project::store::database::{Bind, Database as _, Row, StoreError};
use resource_edge::shape::{Action, Content, Shape};
use serde_json::Value;

use crate::support::schemas::rules::KEYWORDS;
use crate::support::schemas::{Design, without};
use crate::support::sqlite::Sqlite;

/// Declares the mutants of a world with clients, and those of followers.
macro_rules! mutants {
    ($($(#[$about:meta])* $mutant:ident,)* ; $($(#[$further:meta])* $follower:ident,)*) => {
        /// A rule that is broken.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Mutant {
            $($(#[$about])* $mutant,)*
            $($(#[$further])* $follower,)*
        }

        impl Mutant {
            pub(crate) const ALL: &[Self] = &[$(Self::$mutant),*];
            pub(crate) const OF_FOLLOWERS: &[Self] = &[$(Self::$follower),*];
        }
    };
}

mutants! {
    /// A write does not compare the expected version (D17).
    SkipVersionCheck,
    /// Two resources may have one key (D3).
    AllowDuplicateKeys,
    /// First responses are not stored (D18).
    ForgetResponses,
    /// A retry of the client is a new write (D18).
    RetryUnderNewKey,
    /// A write is acknowledged before it is committed (D17).
    AcknowledgeBeforeCommit,
    /// The statements of a write are committed one by one.
    NoTransaction,
    /// A batch of which a write is refused keeps the writes before it (D43).
    KeepRefusedBatch,
    /// The last write of a batch is lost (D43).
    LoseLastOfBatch,
    /// A deleted ID starts at version 1 again (D5).
    ForgetTombstones,
    /// A start does not read the newest revision, and relies on the clock (D6).
    ForgetNewestRevision,
    /// The index keeps entries of values that a record no longer has.
    KeepOldIndexEntries,
    /// The last indexed record is stored before it is indexed.
    IndexTooEarly,
    /// The last indexed record is not stored, so a batch is indexed again after a restart.
    IndexTwice,
    /// A batch does not index its first record.
    SkipOneRecord,
    /// A batch indexes a record that waited for it and was deleted.
    IndexDeleted,
    /// The watermark is stored beyond puts that are still pending.
    AdvanceWatermark,
    /// The object does not report that a write waits too long for its put (D33).
    HideBacklog,
    /// The key that a resource lost has no row in the outbox.
    ForgetLostKeys,
    /// A put that failed counts as done.
    FailedPutIsDone,
    /// An uncertain put is not confirmed.
    SkipConfirm,
    /// A batch of a helper counts as done before its puts end.
    BatchIsDoneAtOnce,
    /// A helper begins puts of a batch whose end was lost after they were confirmed, over newer ones.
    HelperPutsTooLate,
    /// Deletions are not replicated.
    SkipDeletions,
    /// No write arms the alarm.
    LoseAlarms,
    /// An alarm does not ring again if its instance ended.
    AlarmAtMostOnce,
    /// The sweep finds no difference.
    BlindSweep,
    /// The edge ignores the minimum revision (D19).
    ForgetMinimumRevision,
    /// The edge ignores the minimum revision if it remembers a copy (D33).
    RememberWithoutMinimum,
    /// The edge remembers copies for too long (D33).
    RememberTooLong,
    /// The edge remembers copies despite the writes that it sends (D19).
    ForgetOwnWrites,
    /// The edge ignores the minimum revision of queries (D45).
    RememberPagesWithoutMinimum,
    /// The edge remembers replies to queries for too long (D45).
    RememberPagesTooLong,
    /// The edge treats tombstones as cache copies (D19).
    ServeTombstones,
    /// The edge does not check that the record still has the key (D19).
    TrustPointers,
    /// The numbers of the fields in the index are not stored, so that a service of another shape has others (D41).
    ForgetFields,
    /// The index of records does not follow a field that gets another type (D41).
    SkipRenewal,
    /// The generations of the index that records have are not stored, so that a record seems to have the newest (D41).
    ForgetGenerations,
    /// A write ignores the fields that the object does not have (D41).
    IgnoreFields,
    /// The edge checks types, but no rules.
    IgnoreRules,
    /// The edge does not check what a body must have (D38).
    IgnoreRequired,
    /// A value loses a member of an object in it.
    LoseInnerMembers,
    /// A creation does not store defaults (D39).
    ForgetDefaults,
    /// Operations 7 and 8 keep what a body lacks (D38).
    KeepOnReplace,
    /// Null removes nothing (D38).
    IgnoreNulls,
    /// A field that was removed keeps its value in a write (D41).
    KeepRemovedFields,
    /// A write is refused because its resource lacks what an earlier shape did not require (D41).
    RefuseEarlier,
    /// A write does not look for other resources with a unique value (D40).
    SkipUniqueCheck,
    /// A write finds other resources with a unique value only in the index, for which records may wait (D40).
    UniqueInIndexOnly,
    /// A project has the resource of another one.
    SwapResources,
    /// The client discards its session between two calls (contract, section 9).
    ForgetSession,
    /// The client does not read again when a response is older than its session.
    SkipRefresh,
    /// The client reports a write without a response as refused.
    UnknownIsRefused,

    ;
    // Of followers.
    /// A restore does not change the epoch of positions (D31).
    KeepEpoch,
    /// A restore changes the epoch only after the object has started on the restored data.
    ChangeEpochLast,
    /// A deletion of the data does not end the history.
    KeepHistory,
    /// The history is not stored, so each start of the object begins another.
    ForgetHistory,
    /// The follower does not send the rest of an import that took only some lines (D32).
    StopImports,
    /// A line of an export is lost, and nobody compares the end.
    LoseLines,
    /// The statements of an import are committed one by one.
    ImportPartly,
    /// An import does not store how far it came, so the next one finds writes.
    ForgetImports,
    /// An import refuses a unique value that another resource has (D40).
    RefuseDuplicates,
    /// An import stores no deleted IDs.
    ForgetImportedTombstones,
    /// A page of changes with a predicate omits deletions (D36).
    OmitDeletions,
    /// A page of changes does not name what no longer matches.
    OmitOutside,
    /// A page of changes ends before the position from which it was requested.
    FallBack,
    /// A follower of changes applies a page whatever its positions.
    IgnoreWindows,
    /// A frame to a socket begins, according to its window, where the last one ended, but has only the last change.
    BridgeGaps,
    /// A follower of changes takes the position of a frame without lines.
    ApplyBehind,
    /// A frame leaves before the changes in it are on disk.
    SendUnstored,
    /// A socket gets frames after its token has expired.
    ServeExpired,
    /// The edge accepts any token: one that has expired, and one for another project.
    AcceptAnyToken,
    /// A follower of changes applies half of a page, and has its position.
    ApplyHalf,
    /// Pages and frames end before the last write of a batch (D43).
    HalveBatches,
    /// A follower of changes applies pages of another first reading, which omits other deletions.
    MixReadings,
}

/// Inserts the values of a record that waits for its index.
const INDEX_WAITING: &str = "INSERT INTO term(path, value, resource, edge) \
    SELECT DISTINCT field.key, item.value, seq, 0 FROM resource, json_each(entries) field, json_each(field.value) item \
    WHERE seq = ? AND seq > coalesce((SELECT value FROM meta WHERE name = 'indexed'), 0) \
    AND field.type = 'array' AND item.type IN ('integer', 'text')";

/// Selects the resources with a unique value.
const HOLDERS: &str = "SELECT seq FROM (SELECT resource AS seq FROM term WHERE path = ?1 AND value";

impl Mutant {
    /// Returns whether a mutant of followers is in the installation that is followed.
    pub(crate) const fn is_of_source(self) -> bool {
        matches!(
            self,
            Self::KeepEpoch
                | Self::ChangeEpochLast
                | Self::KeepHistory
                | Self::ForgetHistory
                | Self::OmitDeletions
                | Self::OmitOutside
                | Self::BridgeGaps
                | Self::SendUnstored
                | Self::ServeExpired
                | Self::AcceptAnyToken
        )
    }

    /// Runs a statement, unless the mutant leaves it out or changes it.
    pub(crate) fn query(
        self,
        sqlite: &Sqlite,
        sql: &str,
        binds: &[Bind<'_>],
        each: &mut dyn FnMut(&dyn Row) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        if self.leaves_out(sql, binds) {
            return Ok(());
        }
        let changed = self.changed(sql);
        let sql = changed.as_deref().unwrap_or(sql);
        match self {
            Self::ForgetNewestRevision if sql.starts_with("SELECT max(coalesce(") => {
                sqlite.query("SELECT 0", &[], each)
            }
            Self::IndexTooEarly if sql.starts_with("INSERT INTO resource") => {
                sqlite.query(sql, binds, each)?;
                let newest =
                    "INSERT OR REPLACE INTO meta(name, value) SELECT 'indexed', max(seq) FROM resource";
                sqlite.query(newest, &[], each)
            }
            Self::IndexDeleted if sql.starts_with("DELETE FROM resource") => {
                sqlite.query(INDEX_WAITING, binds, each)?;
                sqlite.query(sql, binds, each)
            }
            Self::AdvanceWatermark if binds.first() == Some(&Bind::Text("replicated")) => {
                let newest = "SELECT 'replicated', max(revision) FROM resource WHERE true";
                let sql = sql.replace("VALUES(?, ?)", newest);
                sqlite.query(&sql, &[], each)
            }
            _ => sqlite.query(sql, binds, each),
        }
    }

    fn leaves_out(self, sql: &str, binds: &[Bind<'_>]) -> bool {
        match self {
            Self::AllowDuplicateKeys => sql.starts_with("SELECT 1 FROM resource WHERE key"),
            Self::ForgetResponses => sql.contains("INTO idempotency"),
            Self::KeepHistory => sql.starts_with("UPDATE meta"),
            Self::ForgetFields => sql.starts_with("INSERT INTO field"),
            Self::SkipRenewal => sql.starts_with("UPDATE resource SET items"),
            Self::ForgetGenerations => sql.contains("INTO generation"),
            Self::ForgetHistory => binds.first() == Some(&Bind::Text("history")),
            Self::IndexTwice => binds.first() == Some(&Bind::Text("indexed")),
            Self::ForgetImports => binds.first() == Some(&Bind::Text("imported")),
            Self::ForgetTombstones | Self::ForgetImportedTombstones => {
                sql.starts_with("INSERT INTO tombstone")
            }
            Self::KeepOldIndexEntries => sql.starts_with("DELETE FROM term"),
            Self::SkipUniqueCheck => sql.starts_with(HOLDERS),
            Self::ForgetLostKeys => {
                sql.starts_with("INSERT INTO outbox(kind, name, revision, due, attempts) VALUES")
            }
            _ => false,
        }
    }

    /// Returns the statement as the mutant changes it.
    fn changed(self, sql: &str) -> Option<String> {
        let (start, from, to) = match self {
            Self::UniqueInIndexOnly => (HOLDERS, "r.seq > ?3", "0"),
            Self::SkipOneRecord => ("SELECT seq, generation, body FROM", "seq > ?", "seq - 1 > ?"),
            _ => return None,
        };
        sql.starts_with(start).then(|| sql.replace(from, to))
    }

    /// Removes the lines that the mutant omits from a page of changes with a predicate.
    pub(crate) fn without_omitted(self, page: &str) -> String {
        let omitted = match self {
            Self::OmitDeletions => "{\"deletedAt\"",
            Self::OmitOutside => "{\"outside\"",
            _ => return page.to_owned(),
        };
        page.split_inclusive('\n').filter(|line| !line.starts_with(omitted)).collect()
    }

    /// Changes the storage before the first write.
    pub(crate) fn prepare(self, sqlite: &Sqlite) {
        if self == Self::AllowDuplicateKeys {
            sqlite.query("DROP INDEX resource_key", &[], &mut |_| Ok(())).expect("the index of keys");
        }
    }

    /// Changes a message before an object of a shape gets it. `version` returns the current version of an ID.
    pub(crate) fn message(self, message: &mut Message, shape: &Shape, version: impl Fn(&str) -> Option<u64>) {
        if let (Self::LoseLastOfBatch, Call::Batch(batch)) = (self, &mut message.call) {
            batch.writes.pop();
        }
        let Call::Write(write) = &mut message.call else { return };
        let Write { change, .. } = write.as_mut();
        match self {
            Self::SkipVersionCheck => skip_version(change, version),
            Self::IgnoreFields => remove_foreign_fields(change, shape),
            Self::LoseInnerMembers => each_content(change, |content| {
                content.iter().map(|(name, value)| (name, without_last(value))).collect()
            }),
            Self::IgnoreNulls => each_content(change, |content| {
                let mut content = content.clone();
                content.drop_nulls();
                content
            }),
            Self::KeepOnReplace if shape.is_declared() => {
                if let Change::Overwrite(input) = change {
                    *change = Change::UpdateByPath(input.clone());
                }
            }
            _ => {}
        }
    }

    /// Returns the schema of a resource as an edge reads it.
    pub(crate) fn schema(self, schema: &Value) -> Value {
        match self {
            // A format may be another type in queries. A default may need the rules.
            Self::IgnoreRules => {
                without(schema, &KEYWORDS.map(|it| if it == "format" { "default" } else { it }))
            }
            Self::IgnoreRequired => without(schema, &["required", "default"]),
            _ => schema.clone(),
        }
    }

    /// Returns the shape of a resource that an object has. `previous`: what was deployed before.
    pub(crate) fn of_object(self, design: &Design, previous: &Design) -> Design {
        let Some(schema) = &design.schema else { return design.clone() };
        match self {
            Self::ForgetDefaults => Design::of(without(schema, &["default"])),
            Self::KeepRemovedFields => {
                let mut schema = (**schema).clone();
                for (name, property) in previous.properties().filter(|(name, _)| design.at(name).is_none()) {
                    schema["properties"][name] = property.clone();
                }
                Design::of(schema)
            }
            _ => design.clone(),
        }
    }
}

/// Returns a value without the last member of an object in it.
fn without_last(value: &str) -> String {
    let mut read: Value = serde_json::from_str(value).expect("a value is JSON");
    let object = if read.is_array() { read.get_mut(0) } else { Some(&mut read) };
    if let Some(Value::Object(members)) = object {
        let last = members.keys().next_back().cloned();
        last.map(|name| members.shift_remove(&name));
        return read.to_string();
    }
    value.to_owned()
}

fn each_content(change: &mut Change, new: impl FnOnce(&Content) -> Content) {
    match change {
        Change::CreateOrUpdate(input)
        | Change::Overwrite(input)
        | Change::CreateOrOverwrite(input)
        | Change::UpdateByPath(input)
        | Change::UpdateWithUrnLinks(input) => input.content = new(&input.content),
        Change::UpdateById { .. } | Change::DeleteById { .. } => {}
    }
}

fn skip_version(change: &mut Change, version: impl Fn(&str) -> Option<u64>) {
    match change {
        Change::CreateOrUpdate(input)
        | Change::Overwrite(input)
        | Change::CreateOrOverwrite(input)
        | Change::UpdateByPath(input)
        | Change::UpdateWithUrnLinks(input) => input.version = None,
        Change::UpdateById { id, update } => update.version = version(id).unwrap_or(update.version),
        Change::DeleteById { version, .. } => *version = None,
    }
}

fn remove_foreign_fields(change: &mut Change, shape: &Shape) {
    match change {
        Change::UpdateById { update, .. } => {
            for action in &mut update.actions {
                let field = match action {
                    Action::Nothing => None,
                    Action::Set { field, .. } | Action::Add { field, .. } | Action::Remove { field, .. } => {
                        Some(field)
                    }
                };
                if field.is_some_and(|field| shape.content_field(field).is_none()) {
                    *action = Action::Nothing;
                }
            }
        }
        other => each_content(other, |content| {
            content.iter().filter(|(name, _)| shape.content_field(name).is_some()).collect()
        }),
    }
}
