//! The responses of the paths beside the operations.

use super::ResponseType::{
    Any, Array, Boolean, Choice, Constant, Format, Inline, Integer, Object, Text, TextOrTexts,
};
use super::{ResponseContent, ResponseSchema, always, optional};
use crate::contract::prose;
use crate::contract::resource::ObjectId;

/// The state of a part that works, and of a database with room.
pub const OK: &str = "ok";
/// The state of a service whose objects work without KV.
pub const DEGRADED: &str = "degraded";
/// The state of a part that does not work.
pub const UNAVAILABLE: &str = "unavailable";
/// The state of a part before its first check has ended.
pub const UNKNOWN: &str = "unknown";
/// The state of a database that becomes full soon.
pub const NEARLY_FULL: &str = "nearlyFull";
/// The state of a database without room, except for deletions.
pub const FULL: &str = "full";
/// The only type of token.
pub const BEARER: &str = "Bearer";

shapes! {
    /// A token with its scope and lifetime (RFC 6749, 5.1).
    TOKEN token = "Token" {
        /// The token.
        always ACCESS_TOKEN = "access_token": Text,
        /// The type of the token.
        always TOKEN_TYPE = "token_type": Constant(BEARER),
        /// The lifetime in seconds.
        always EXPIRES_IN = "expires_in": Integer,
        /// The granted scopes, separated by spaces.
        always SCOPE = "scope": Text,
    }

    /// Whether a token is valid; if it is, its claims (RFC 7662, 2.2).
    INTROSPECTION introspection = "Introspection" {
        /// Whether the token is valid. The other members are absent if it is not.
        always ACTIVE = "active": Boolean,
        /// The scopes, separated by spaces.
        optional SCOPE = "scope": Text,
        /// The ID of the client.
        optional CLIENT_ID = "client_id": Text,
        /// `Bearer`
        optional TOKEN_TYPE = "token_type": Text,
        /// The end of validity, in seconds since 1970.
        optional EXP = "exp": Integer,
        /// The time of issue, in seconds since 1970.
        optional IAT = "iat": Integer,
        /// The subject: the client for tokens of the service.
        optional SUB = "sub": Text,
        /// The audience.
        optional AUD = "aud": TextOrTexts,
        /// The issuer.
        optional ISS = "iss": Text,
        /// The ID of the token.
        optional JTI = "jti": Text,
    }

    /// The state of the service and its parts. An instance checks at most once in ten seconds, and returns the last
    /// result in between.
    HEALTH health = "Health" {
        /// `degraded` if KV is unavailable: then the objects serve all reads.
        always STATUS = "status": Choice(&[OK, DEGRADED]),
        /// The settings are valid.
        always WORKER = "worker": Constant(OK),
        /// `unknown` until the first check has ended.
        always KV = "kv": Choice(&[OK, UNAVAILABLE, UNKNOWN]),
        /// `unknown` until the first check has ended.
        always OBJECT = "object": Choice(&[OK, UNKNOWN]),
    }

    /// The state of a project, for operators.
    STATUS status = "Status" {
        /// How many resources the project has.
        always RESOURCES = "resources": Integer,
        /// The size of the database in bytes.
        always DATABASE_BYTES = "databaseBytes": Integer,
        /// Its share of the largest size in percent, rounded down.
        always DATABASE_PERCENT = "databasePercent": Integer,
        /// `nearlyFull` from 80 percent on; `full` from 95 percent on: then only deletions are performed.
        always DATABASE_STATE = "databaseState": Choice(&[OK, NEARLY_FULL, FULL]),
        /// The revision of its last write; 0 before the first.
        always NEWEST_REVISION = "newestRevision": Integer,
        /// All writes up to this revision are in KV, or are queued for another attempt.
        always REPLICATED_REVISION = "replicatedRevision": Integer,
        /// How many KV entries still have to be updated.
        always BACKLOG = "backlog": Integer,
        /// The age of the oldest pending write in milliseconds; absent if `backlog` is 0.
        optional BACKLOG_AGE_MS = "backlogAgeMs": Integer,
        /// How many sockets are open to the changes, and how many requests wait for them.
        always LISTENERS = "listeners": Integer,
        /// The version of the tables.
        always TABLES_VERSION = "tablesVersion": Integer,
        /// The version of the index.
        always INDEX_VERSION = "indexVersion": Integer,
        /// False while the index is rebuilt.
        always IS_INDEXED = "isIndexed": Boolean,
        /// The format of messages between the Worker and the object.
        always MESSAGE_FORMAT = "messageFormat": Integer,
        /// The end of the last complete sweep; absent before the first.
        optional LAST_SWEEP_AT = "lastSweepAt": Format("date-time"),
        /// The time of the next step of the sweep; absent before the first write.
        optional NEXT_SWEEP_AT = "nextSweepAt": Format("date-time"),
    }
}

/// Lines of an export.
pub static LINES: ResponseSchema = ResponseSchema {
    name: prose("Lines"),
    about: prose(
        "A line of JSON for each resource, which is `Resource`, and for each deleted ID, which is \
         `{\"deletedAt\",\"id\",\"version\"}` in this order. The lines are in the order of their revisions \
         (`lastModifiedAt`, `deletedAt`). The last line of the last page is `{\"end\",\"lines\",\"checksum\"}`: the \
         position that the export has reached, and the number and a sum of the revisions of all states there.",
    ),
    content: ResponseContent::Text,
};

/// A page of the feed of changes (D36).
pub static CHANGES: ResponseSchema = ResponseSchema {
    name: prose("Changes"),
    about: prose(
        "Lines of JSON. The first is `{\"from\",\"to\"}`: the positions before and after the page. A line for each \
         changed resource follows, which is `Resource`, and for each deleted ID, which is \
         `{\"deletedAt\",\"id\",\"version\"}`, in the order of their revisions. With `where`, the last line may be \
         `{\"outside\"}`: the IDs of changed resources that do not match. `Link` names the next page, if more changes \
         follow.",
    ),
    content: ResponseContent::Text,
};

/// The members of the lines of a page of changes that are no states.
pub mod changes {
    /// The position before the page.
    pub const FROM: &str = "from";
    /// The position after the page.
    pub const TO: &str = "to";
    /// The IDs of changed resources that do not match.
    pub const OUTSIDE: &str = "outside";
    /// Whether the frame omits its lines, because there are too many. Read the pages after the own position.
    pub const BEHIND: &str = "behind";
}

shapes! {
    /// The result of an import.
    IMPORTED imported = "Imported" {
        /// How many lines were imported.
        always IMPORTED = "imported": Integer,
        /// How many lines the project had already.
        always SKIPPED = "skipped": Integer,
        /// How many lines of the request, from its beginning and with empty ones, were imported or skipped.
        always TAKEN = "taken": Integer,
        /// Whether these are all lines. If not, send the rest, or repeat the request: known lines are skipped.
        always IS_DONE = "isDone": Boolean,
        /// Whether the last line is the end of an export, and the project has everything that the source has there.
        always IS_COMPLETE = "isComplete": Boolean,
        /// The project's newest revision, which is that of the last imported line.
        always NEWEST_REVISION = "newestRevision": Integer,
    }

    /// The result of a request to delete a project.
    CLEARED cleared = "Cleared" {
        /// How many resources it deleted.
        always DELETED = "deleted": Integer,
        /// How many resources the project still has.
        always REMAINING = "remaining": Integer,
        /// Whether the project has neither resources nor stored responses.
        always IS_DONE = "isDone": Boolean,
        /// The project's newest revision.
        always NEWEST_REVISION = "newestRevision": Integer,
    }

    /// The result of a request to restore a project.
    RESTORED restored = "Restored" {
        /// The bookmark of the moment before. A restore to it undoes this one.
        always UNDO = "undo": Text,
    }

    /// The responses to the writes of a batch, in their order.
    BATCH_RESULTS batch_results = "BatchResults" {
        /// What each write returns.
        always RESULTS = "results": Array(&Inline(&WRITE_RESULT)),
    }

    /// What a write of a batch returns.
    WRITE_RESULT write_result = "WriteResult" {
        /// The status of its response: 200, or 201 if it created the resource.
        always STATUS = "status": Integer,
        /// The resource after the write; of a deletion, before it.
        always RESOURCE = "resource": Object(ObjectId::Record),
    }

    /// A document of the OpenAPI Specification.
    DOCUMENT document = "Document" {
        /// The version of the specification.
        always OPENAPI = "openapi": Any,
        /// The title and the version of the service.
        always INFO = "info": Any,
        /// The paths with their operations.
        always PATHS = "paths": Any,
    }
}
