//! Reads of one resource: from KV at the edge if the cache copy is recent enough, else from the project's object (D19).

mod hot;
pub(super) mod recent;

use core::cell::RefCell;

use crate::call::{Call, CallResult, Lookup, Message};
use crate::contract::api::etag;
use crate::contract::api::header::{RequestHeader, ResponseHeader};
use crate::contract::error::ApiError;
use crate::contract::kv::EntryKind;
use crate::contract::limits::{self, work};
use crate::evaluate::Evaluator;
use crate::predicate::Typed;
use crate::rights::Rights;
use crate::shape::Shape;
use crate::util::generations::Generations;
use crate::util::time::Millis;

use super::http::{Body, Headers, Response};
use super::log::trace::{KvOutcome, ServedFrom, Trace};
use super::platform::{CacheCopy, Host, Port, Unreachable};
use super::request::decode;
use super::request::fields::{self, ChosenFields};
use super::response::respond;
use super::settings::ReadDefault;
use hot::HotCopies;

/// The bytes of a generation of pointers: an instance remembers at most twice as many.
const POINTER_BYTES: usize = 4 << 20;
/// What a pointer takes beside its KV key and its ID, in bytes.
const POINTER_OVERHEAD: usize = 64;

/// The freshness that a read needs, and the representation that the caller has.
#[derive(Debug)]
pub(super) struct Freshness {
    /// The caller accepts only the source of truth: `Cache-Control: no-cache`.
    no_cache: bool,
    /// The read starts at the object: `no-cache`, or the setting `READ_DEFAULT=fresh`.
    skip_kv: bool,
    min_revision: Millis,
    if_none_match: Option<etag::Condition>,
}

impl Freshness {
    /// Reads the headers. The setting applies to callers that send none.
    pub(super) fn read(headers: &dyn Headers, default: ReadDefault) -> Result<Self, ApiError> {
        let min_revision = min_revision(headers)?.unwrap_or_default();
        let no_cache = headers
            .get(RequestHeader::CacheControl)
            .is_some_and(|value| value.split(',').any(|one| one.trim().eq_ignore_ascii_case("no-cache")));
        let skip_kv = no_cache || default == ReadDefault::Fresh;
        let if_none_match = decode::condition(headers, RequestHeader::IfNoneMatch)?;
        Ok(Self { no_cache, skip_kv, min_revision, if_none_match })
    }
}

/// Returns the minimum revision of the caller's session.
fn min_revision(headers: &dyn Headers) -> Result<Option<Millis>, ApiError> {
    let Some(text) = headers.get(RequestHeader::MinRevision) else { return Ok(None) };
    let name = RequestHeader::MinRevision.name();
    let error = || ApiError::header(name, "expected a revision: milliseconds since 1970");
    revision(text.trim()).map(Some).ok_or_else(error)
}

/// Parses a revision. Returns `None` if it is out of range.
fn revision(text: &str) -> Option<Millis> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|revision| digits && *revision <= limits::INTEGER_MAX as Millis)
}

/// What an instance remembers of KV.
#[derive(Debug)]
pub(super) struct Copies<B> {
    /// The IDs of keys, by their KV keys: with them a read by key needs one read of KV instead of two. One that is out
    /// of date does no harm: the reader uses a copy only if it still has the key.
    pointers: RefCell<Generations<String, String>>,
    hot: HotCopies<B>,
}

impl<B: Clone> Copies<B> {
    /// Remembers copies for so many seconds.
    pub(super) fn new(seconds: u32) -> Self {
        let pointers = RefCell::new(Generations::new(POINTER_BYTES));
        Self { pointers, hot: HotCopies::new(Millis::from(seconds) * 1_000) }
    }

    /// Discards what is older than the reply to a call that began at that time.
    pub(super) fn observe(&self, project: &str, result: &CallResult, is_write: bool, began: Millis) {
        match result {
            CallResult::Resource(head) => self.hot.observe(project, &head.id, head.newest, began),
            // It refused the write, or has changed any number of resources.
            CallResult::Error(_) => {}
            _ if is_write => self.hot.clear(),
            _ => {}
        }
    }
}

/// A read of one resource of a project.
pub(super) struct ResourceRead<'a, H: Host> {
    pub(super) platform: &'a Port<H>,
    pub(super) copies: &'a Copies<H::Raw>,
    pub(super) project: &'a str,
    pub(super) shape: &'a Shape,
    /// When the request began. A copy is at most as old as the setting allows at that time.
    pub(super) began: Millis,
}

impl<H: Host> ResourceRead<'_, H> {
    /// Reads the resource that a call looks up, or the fields of it that the caller asks for.
    pub(super) async fn resource(
        &self,
        call: Call,
        freshness: Freshness,
        bypass_kv: bool,
        fields: Option<&ChosenFields>,
        trace: &mut Trace,
    ) -> Result<Response<H::Raw>, ApiError> {
        let mut found = self.find(call, &freshness, bypass_kv, trace).await?;
        if let Some(fields) = fields {
            fields.tag(&mut found);
        }
        let response = conditional(found, freshness.if_none_match.as_ref());
        fields::select(fields, &self.platform.host, response)
    }

    /// Finds one resource. If `bypass_kv`, the copies in KV are used only if the object is unavailable.
    async fn find(
        &self,
        call: Call,
        freshness: &Freshness,
        bypass_kv: bool,
        trace: &mut Trace,
    ) -> Result<Response<H::Raw>, ApiError> {
        let Self { platform, copies, project, began, .. } = *self;
        let Freshness { no_cache, skip_kv, min_revision, .. } = *freshness;
        let lookup = call.lookup();
        let needs = Needs { min_revision, rights: call.rights() };
        if bypass_kv && !skip_kv {
            trace.kv = Some(KvOutcome::Behind);
        } else if let Some(lookup) = lookup.filter(|_| !skip_kv) {
            match self.copy(lookup, needs, trace).await {
                Ok(found) => return Ok(found),
                Err(NoCopy { why, cause }) => {
                    trace.kv = Some(why);
                    if let Some(cause) = cause {
                        trace.fail(&cause);
                    }
                }
            }
        }
        let message = Message { project: project.to_owned(), call: call.clone() };
        let failure = match platform.call_object(message).await {
            Ok(reply) => {
                trace.add(&reply.head);
                copies.observe(project, &reply.head.result, false, began);
                return respond::reply(reply, project, "");
            }
            Err(failure) => failure,
        };
        // The object is unavailable: a caller that did not send `no-cache` may get the copy, marked as stale.
        let spare = match lookup {
            Some(lookup) if !no_cache => self.copy(lookup, needs, trace).await.ok(),
            _ => None,
        };
        let Some(mut response) = spare else { return Err(respond::not_performed(failure)) };
        trace.fail(&failure.0);
        response.push(ResponseHeader::Warning, "110 - \"Response is Stale\"");
        Ok(response)
    }

    /// Returns the cache copy as a response, if it is no tombstone, is what the caller needs, and, for a read by key,
    /// still has the key; otherwise the reason why not.
    async fn copy(
        &self,
        lookup: &Lookup,
        needs: Needs<'_>,
        trace: &mut Trace,
    ) -> Result<Response<H::Raw>, NoCopy> {
        let Self { platform, copies, project, .. } = *self;
        let (Lookup::Id(name) | Lookup::Key(name)) = lookup;
        // No resource has such a name (D3), and KV rejects long keys. The object decides, as after every miss.
        if name.len() > limits::NAME_BYTES {
            return Err(KvOutcome::Miss.into());
        }
        let key = match lookup {
            Lookup::Id(id) => return self.copy_of(id, None, needs, trace).await,
            Lookup::Key(key) => key,
        };
        let kv_key = EntryKind::Key.entry(project, key);
        let known = copies.pointers.borrow_mut().get_mut(&kv_key).cloned();
        if let Some(id) = known
            && let Ok(found) = self.copy_of(&id, Some(key), needs, trace).await
        {
            return Ok(found);
        }
        // The instance has no ID of the key, or one that does not lead to it.
        match platform.read_pointer(kv_key.clone()).await? {
            Some(pointer) if !pointer.deleted => {
                let found = self.copy_of(&pointer.id, Some(key), needs, trace).await?;
                let weight = kv_key.len() + pointer.id.len() + POINTER_OVERHEAD;
                copies.pointers.borrow_mut().insert_of(kv_key, pointer.id, weight);
                Ok(found)
            }
            Some(_) => Err(KvOutcome::Deleted.into()),
            None => Err(KvOutcome::Miss.into()),
        }
    }

    /// Returns the copy of the ID; of a read by key only if it has the key.
    async fn copy_of(
        &self,
        id: &str,
        key: Option<&String>,
        needs: Needs<'_>,
        trace: &mut Trace,
    ) -> Result<Response<H::Raw>, NoCopy> {
        let Self { platform, copies, project, began, .. } = *self;
        let kv_key = EntryKind::Resource.entry(project, id);
        let is_accepted = |copy: &CacheCopy<H::Raw>| {
            copy.revision >= needs.min_revision && key.is_none_or(|key| copy.key.as_ref() == Some(key))
        };
        let (copy, source) = if let Some(copy) = copies.hot.get(&kv_key, began).filter(is_accepted) {
            (copy, ServedFrom::Memory)
        } else {
            let Some(copy) = platform.read_copy(kv_key.clone()).await? else {
                return Err(KvOutcome::Miss.into());
            };
            if copy.deleted {
                return Err(KvOutcome::Deleted.into());
            }
            if !is_accepted(&copy) {
                return Err(KvOutcome::Stale.into());
            }
            copies.hot.insert(&kv_key, &copy, began);
            (copy, ServedFrom::Kv)
        };
        // The response to a read of what the rules hide is that of the object, as to a read of nothing.
        if !needs.rights.is_none_or(|rights| self.shows(rights, &copy)) {
            return Err(KvOutcome::Hidden.into());
        }
        trace.source = Some(source);
        trace.kv = Some(KvOutcome::Hit);
        let headers = respond::validators(id, copy.revision, copy.revision);
        Ok(Response { status: 200, headers, body: Body::Raw(copy.body) })
    }

    /// Returns whether the state that a copy has exists for a user. What would be too much work does not.
    fn shows(&self, rights: &Rights, copy: &CacheCopy<H::Raw>) -> bool {
        let holds = |body: String| {
            let bytes = work::BUDGET.saturating_mul(work::BYTES_PER_UNIT);
            Evaluator::new(self.shape, rights.read.clone(), bytes).holds(&body) == Some(true)
        };
        rights.read == Typed::True || self.platform.host.text(copy.body.clone()).is_some_and(holds)
    }
}

/// What a copy has to be for a read.
#[derive(Debug, Clone, Copy)]
struct Needs<'a> {
    min_revision: Millis,
    rights: Option<&'a Rights>,
}

#[derive(Debug)]
struct NoCopy {
    why: KvOutcome,
    /// The cause of a failure, for the log.
    cause: Option<String>,
}

impl From<KvOutcome> for NoCopy {
    fn from(why: KvOutcome) -> Self {
        Self { why, cause: None }
    }
}

impl From<Unreachable> for NoCopy {
    fn from(Unreachable(cause): Unreachable) -> Self {
        Self { why: KvOutcome::Failed, cause: Some(cause) }
    }
}

/// Turns the response into 304 if the caller has this representation already (D20).
pub(super) fn conditional<B>(
    mut response: Response<B>,
    if_none_match: Option<&etag::Condition>,
) -> Response<B> {
    let matches = match (response.header(ResponseHeader::ETag), if_none_match) {
        (Some(etag), Some(condition)) => condition.matches_weakly(etag),
        _ => false,
    };
    if matches {
        response.status = 304;
        response.headers.retain(|(name, _)| *name != ResponseHeader::ContentType);
        response.body = Body::Empty;
    }
    response
}
