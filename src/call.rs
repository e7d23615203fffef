//! A request as a typed call: the handler decodes it once, and the project performs it. Imports the contract and the
//! query languages.

mod fields;
pub mod reply;
pub mod wire;

use serde::{Deserialize, Serialize};

use crate::contract::api::endpoint::{CallId, ResponseBody};
use crate::contract::api::etag::Condition;
use crate::contract::position::{FeedPosition, ProjectPosition};
use crate::predicate::Typed;
use crate::rights::Rights;
use crate::search::Criteria;
use crate::shape::{FieldPath, ResourceInput, Shape, Sort, System, UpdateInput};
use crate::util::time::Millis;

pub use self::reply::{CallResult, Cost, More, Outcome, Reply, ReplyHead, ResourceHead};

/// A call that a project performs: a read or a write of the operations, or another one. The variants that callers can
/// send are those of [`CallId`]: a new one does not compile until every place handles it. Messages number the variants,
/// so a new one is the last.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Call {
    Read(Read),
    /// A call that may change the collection.
    Write(Box<Write>),
    /// The status of the project for its operator.
    Status,
    /// Whether an object and its database work.
    Ping,
    /// A page of the export: the project's states after the position, or from the beginning.
    Export(Option<ProjectPosition>),
    /// Imports the lines of an export.
    Import(String),
    /// A turn that deletes a part of the project's data.
    Clear,
    /// Whether plain reads should not use KV.
    Replication,
    /// Restores the project to the point before the call arrives, then begins to repair KV.
    Restore(RestorePoint),
    /// A page of the feed of changes.
    Changes(Changes),
    /// Whether a socket may listen to changes.
    Listen(Listener),
    /// Several writes, all or nothing (D43).
    Batch(Box<WriteBatch>),
    /// The call of a user, within its rights. Of reads, only that of one resource: the conditions of the others have
    /// the rights.
    Limited(Box<Limited>),
}

/// A call of a user.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Limited {
    pub call: Call,
    pub rights: Rights,
}

impl Call {
    /// Returns the call as a user may send it.
    #[must_use]
    pub fn limited(self, rights: Rights) -> Self {
        let narrowed = |condition| Typed::all([condition, rights.read.clone()]);
        let followed = |condition: Option<Typed>| {
            Some(narrowed(condition.unwrap_or(Typed::True))).filter(|condition| *condition != Typed::True)
        };
        match self {
            Self::Read(read) => Self::Read(match read {
                Read::Query(query) => Read::Query(query.narrowed(narrowed)),
                Read::Exists(query) => Read::Exists(query.narrowed(narrowed)),
                Read::QuerySorted(query) => Read::QuerySorted(query.narrowed(narrowed)),
                Read::Search(search) => Read::Search(search.limited(rights.read)),
                Read::Resource(_) => {
                    return Self::Limited(Box::new(Limited { call: Self::Read(read), rights }));
                }
            }),
            Self::Changes(changes) => {
                Self::Changes(Changes { condition: followed(changes.condition), ..changes })
            }
            Self::Listen(listener) => {
                Self::Listen(Listener { condition: followed(listener.condition), ..listener })
            }
            call => Self::Limited(Box::new(Limited { call, rights })),
        }
    }

    /// Returns the idempotency key of a write.
    pub fn idempotency_mut(&mut self) -> Option<&mut Idempotency> {
        match self {
            Self::Write(write) => write.options.idempotency.as_mut(),
            Self::Batch(batch) => batch.options.idempotency.as_mut(),
            _ => None,
        }
    }

    /// Returns what a read of one resource looks up.
    pub fn lookup(&self) -> Option<&Lookup> {
        match self {
            Self::Read(Read::Resource(lookup)) => Some(lookup),
            Self::Limited(limited) => limited.call.lookup(),
            _ => None,
        }
    }

    /// Returns the rights of the user who reads one resource, or writes. `None` if the call has no limits.
    pub const fn rights(&self) -> Option<&Rights> {
        match self {
            Self::Limited(limited) => Some(&limited.rights),
            _ => None,
        }
    }

    /// Returns the ID of the call. `None` if only the service sends it.
    pub const fn id(&self) -> Option<CallId> {
        Some(match self {
            Self::Limited(limited) => return limited.call.id(),
            Self::Read(read) => read.id(),
            Self::Write(write) => write.change.id(),
            Self::Status => CallId::Status,
            Self::Export(_) => CallId::Export,
            Self::Import(_) => CallId::Import,
            Self::Clear => CallId::Clear,
            Self::Restore(_) => CallId::Restore,
            Self::Changes(_) | Self::Listen(_) => CallId::Changes,
            Self::Batch(_) => CallId::Batch,
            Self::Ping | Self::Replication => return None,
        })
    }

    /// Returns whether the call may change the database.
    pub const fn is_write(&self) -> bool {
        match self {
            Self::Limited(limited) => limited.call.is_write(),
            Self::Write(_) | Self::Batch(_) | Self::Import(_) | Self::Clear | Self::Restore(_) => true,
            Self::Read(_)
            | Self::Status
            | Self::Ping
            | Self::Export(_)
            | Self::Replication
            | Self::Changes(_)
            | Self::Listen(_) => false,
        }
    }

    /// Returns whether the call may be performed again if its outcome is unknown: then it does nothing a second time.
    pub fn may_repeat(&self) -> bool {
        match self {
            Self::Limited(limited) => limited.call.may_repeat(),
            Self::Write(write) => write.options.idempotency.is_some(),
            Self::Batch(batch) => batch.options.idempotency.is_some(),
            Self::Restore(_) => false,
            Self::Import(_) | Self::Clear => true,
            _ => !self.is_write(),
        }
    }

    /// Returns who needs a place among the listeners of the project for this call: to wait for a change, or to have a
    /// socket.
    pub const fn listener(&self) -> Option<u64> {
        match self {
            Self::Changes(Changes { wait: 1.., caller, .. }) | Self::Listen(Listener { caller, .. }) => {
                Some(*caller)
            }
            _ => None,
        }
    }

    /// Returns whether the call needs the epoch of the project's positions (D31).
    pub const fn needs_epoch(&self) -> bool {
        matches!(self, Self::Export(_) | Self::Restore(_) | Self::Changes(_) | Self::Listen(_))
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Read {
    /// Operations 2 and 3.
    Resource(Lookup),
    /// Operation 1.
    Query(Query),
    /// Operation 4.
    Search(Search),
    /// Operation 5.
    Exists(Query),
    /// Operation 12.
    QuerySorted(Query),
}

impl Read {
    const fn id(&self) -> CallId {
        match self {
            Self::Resource(Lookup::Id(_)) => CallId::GetById,
            Self::Resource(Lookup::Key(_)) => CallId::GetByKey,
            Self::Query(_) => CallId::Query,
            Self::Search(_) => CallId::Search,
            Self::Exists(_) => CallId::Exists,
            Self::QuerySorted(_) => CallId::QuerySorted,
        }
    }
}

/// The point to which a project is restored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum RestorePoint {
    /// An instant of the last 30 days.
    Time(Millis),
    /// The bookmark of the state that a restore replaced.
    Bookmark(String),
}

/// A page of the feed of changes (D36).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Changes {
    pub after: After,
    /// The condition that the states of the page satisfy. `None` if the page has all states.
    pub condition: Option<Typed>,
    /// The maximum number of states and deletions in the page.
    pub limit: u32,
    /// How long the reply may wait for the first change, in milliseconds.
    pub wait: u32,
    /// Who waits, as a number below 2^53. It is 0 in a message that does not wait.
    pub caller: u64,
}

/// Who listens to the changes of a project over a socket (D36).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Listener {
    /// The position that it has. A frame begins after it; a socket that is accepted gets only what follows.
    pub after: After,
    /// The condition that the states in its frames satisfy. `None` if it gets all states.
    pub condition: Option<Typed>,
    /// The end of its token. Nothing is sent later.
    pub expires: Millis,
    /// Who listens, as a number below 2^53. It is 0 in the message of frames.
    pub caller: u64,
}

/// Where a page of changes begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum After {
    Beginning,
    /// After the newest change.
    Now,
    Position(FeedPosition),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Lookup {
    Id(String),
    Key(String),
}

/// A call that may change the collection, with its options.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Write {
    pub change: Change,
    /// Preconditions, idempotency key, and the form of the response.
    pub options: WriteOptions,
}

/// Several writes in one transaction, in their order: all of them, or none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WriteBatch {
    pub writes: Vec<Change>,
    /// The options of the request. It has no preconditions.
    pub options: WriteOptions,
}

/// The operation of a write, with its input.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Change {
    /// Operation 6.
    CreateOrUpdate(ResourceInput),
    /// Operation 7.
    Overwrite(ResourceInput),
    /// Operation 8.
    CreateOrOverwrite(ResourceInput),
    /// Operation 9.
    UpdateByPath(ResourceInput),
    /// Operation 10.
    UpdateById { id: String, update: UpdateInput },
    /// Operation 11.
    DeleteById {
        id: String,
        /// The expected version, if the caller sends one.
        version: Option<u64>,
    },
    /// Operation 13.
    UpdateWithUrnLinks(ResourceInput),
}

impl Change {
    const fn id(&self) -> CallId {
        match self {
            Self::CreateOrUpdate(_) => CallId::CreateOrUpdate,
            Self::Overwrite(_) => CallId::Overwrite,
            Self::CreateOrOverwrite(_) => CallId::CreateOrOverwrite,
            Self::UpdateByPath(_) => CallId::UpdateByPath,
            Self::UpdateById { .. } => CallId::UpdateById,
            Self::DeleteById { .. } => CallId::DeleteById,
            Self::UpdateWithUrnLinks(_) => CallId::UpdateWithUrnLinks,
        }
    }

    pub const fn is_deletion(&self) -> bool {
        matches!(self, Self::DeleteById { .. })
    }

    /// Returns whether the response has the arrays of the resource only, instead of the whole resource. A declared
    /// resource has no such arrays.
    pub fn returns_arrays(&self, shape: &Shape) -> bool {
        !shape.is_declared() && self.id().row().may_return(ResponseBody::Arrays)
    }
}

/// A query's condition, order, and page (D22, D23).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Query {
    /// The condition that results satisfy: the conjunction of the predicates and the operation parameters.
    pub condition: Typed,
    pub sort: Vec<Sort>,
    /// The maximum number of results in the page.
    pub limit: u32,
    pub offset: u32,
    pub with_total: bool,
}

impl Query {
    fn narrowed(self, narrowed: impl FnOnce(Typed) -> Typed) -> Self {
        Self { condition: narrowed(self.condition), ..self }
    }
}

/// A search (contract, section 6).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Search {
    /// The words, filters, and facets.
    pub criteria: Criteria,
    /// The order, most significant key first; if empty, by relevance if there are words, else by creation.
    pub sort: Vec<Sort>,
    /// The maximum number of results in the page.
    pub limit: u32,
    pub offset: u32,
}

impl Search {
    /// Returns the search of a user that may read what satisfies a condition.
    fn limited(mut self, read: Typed) -> Self {
        if read == Typed::True {
            return self;
        }
        // The relevance would depend on the words of all records.
        if self.sort.is_empty() && !self.criteria.words.is_empty() {
            self.sort = vec![Sort { path: FieldPath::of_system(System::CreatedAt), descending: false }];
        }
        self.criteria.filter_query.push(read);
        self
    }
}

/// Options of a write, which come from its headers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WriteOptions {
    pub if_match: Option<Condition>,
    pub if_none_match: Option<Condition>,
    /// `Idempotency-Key`, with the caller and a hash of the request (D18).
    pub idempotency: Option<Idempotency>,
    /// Whether the caller asks for a receipt: `Prefer: respond-async` (D15).
    pub respond_async: bool,
}

/// An `Idempotency-Key` in use (D18).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Idempotency {
    /// The caller: keys of different callers are independent.
    pub caller: String,
    pub key: String,
    /// A hash of method, path, query, and body.
    pub fingerprint: [u8; 16],
}

/// A message from the edge to a project's object.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// The project, which names the object and its KV keys.
    pub project: String,
    pub call: Call,
}

impl Message {
    /// Returns the message that requests a page of changes again after the first change, and how long to wait for it,
    /// in milliseconds. `None` if the reply is not an empty page, or its caller does not wait.
    pub fn waiting(&self, head: &ReplyHead) -> Option<(Self, u32)> {
        match (&self.call, &head.result) {
            (Call::Changes(changes), CallResult::Changes { to, more: More::Idle }) if changes.wait > 0 => {
                let after = After::Position(to.clone());
                let call = Call::Changes(Changes { after, wait: 0, caller: 0, ..changes.clone() });
                Some((Self { project: self.project.clone(), call }, changes.wait))
            }
            _ => None,
        }
    }

    /// Returns the message that requests the frames of a listener, and the end of its token. Listeners with the same
    /// condition have equal messages. `None` if the reply does not accept a listener.
    pub fn listening(&self, head: &ReplyHead) -> Option<(Self, Millis)> {
        match (&self.call, &head.result) {
            (Call::Listen(listener), CallResult::Listening(at)) => {
                // The revision of each frame comes later.
                let at = ProjectPosition { revision: 0, ..at.clone() };
                let after = After::Position(FeedPosition { at, began: 0 });
                let condition = listener.condition.clone();
                let call = Call::Listen(Listener { after, condition, expires: 0, caller: 0 });
                Some((Self { project: self.project.clone(), call }, listener.expires))
            }
            _ => None,
        }
    }

    /// Returns the message that requests the page of changes after a page, and waits for it. `None` if the reply is not
    /// a page.
    pub fn next(self, head: &ReplyHead, wait: u32) -> Option<Self> {
        match (self.call, &head.result) {
            (Call::Changes(changes), CallResult::Changes { to, .. }) => {
                let after = After::Position(to.clone());
                Some(Self { project: self.project, call: Call::Changes(Changes { after, wait, ..changes }) })
            }
            _ => None,
        }
    }
}
