//! Reads of one resource: from KV at the edge where that is fresh enough, else from the truth (D19).

use crate::call::{Call, Freshness, Message, WriteTerms};
use crate::contract::error::ApiError;
use crate::contract::etag;
use crate::contract::header::{RequestHeader, answer};
use crate::contract::kv::Kind;
use crate::contract::limits;
use crate::contract::time::Millis;

use super::decode;
use super::http::{Body, Headers, Response};
use super::log::Source;
use super::platform::{Entry, Platform, Unreachable};
use super::respond;

/// What a read was answered with, and from where.
pub(super) struct Read<B> {
    /// The response.
    pub(super) response: Response<B>,
    /// Where it came from.
    pub(super) source: Source,
    /// What could not be reached on the way, for the log.
    pub(super) cause: Option<String>,
}

/// A copy in KV that is alive.
struct Copy<B> {
    id: String,
    entry: Entry<B>,
}

/// What the caller demands of a read's freshness: its headers, and the setting for those that send none.
pub(super) fn freshness(headers: &Headers<'_>) -> Result<Freshness, ApiError> {
    let min_revision = match headers.get(RequestHeader::MinRevision) {
        None => 0,
        Some(text) => revision(text.trim()).ok_or_else(|| {
            ApiError::header(
                RequestHeader::MinRevision.name(),
                "expected a revision: milliseconds since 1970",
            )
        })?,
    };
    let fresh = headers
        .get(RequestHeader::CacheControl)
        .is_some_and(|value| value.split(',').any(|one| one.trim().eq_ignore_ascii_case("no-cache")));
    Ok(Freshness { fresh, min_revision })
}

/// The revision that the digits name, where there can be such a one.
fn revision(text: &str) -> Option<Millis> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|revision| digits && *revision <= limits::INTEGER_MAX as Millis)
}

/// Reads one resource. `prefer_fresh` is the setting that makes every plain read ask the truth.
pub(super) async fn read<P: Platform>(
    platform: &P,
    project: &str,
    call: Call,
    headers: &Headers<'_>,
    prefer_fresh: bool,
    problem: bool,
) -> Result<Read<P::Raw>, ApiError> {
    let freshness = freshness(headers)?;
    let if_none_match = decode::condition(headers, RequestHeader::IfNoneMatch)?;
    let mut cause = None;
    if !freshness.fresh && !prefer_fresh {
        match copy(platform, project, &call, freshness.min_revision).await {
            Ok(Some(copy)) => {
                let response = from_copy(copy);
                return Ok(Read {
                    response: conditional(response, if_none_match.as_ref()),
                    source: Source::Kv,
                    cause,
                });
            }
            Ok(None) => {}
            Err(Unreachable(why)) => cause = Some(why),
        }
    }
    let message = Message { project: project.to_owned(), call, terms: WriteTerms::default() };
    let (response, source) = match platform.object(&message).await {
        Ok(answer) => (respond::answer(answer, project, problem), Source::Object),
        Err(Unreachable(why)) => {
            // A caller who did not ask for the truth may have the copy, marked (architecture: the object down).
            let spare = if freshness.fresh {
                None
            } else {
                copy(platform, project, &message.call, freshness.min_revision).await.ok().flatten()
            };
            cause = Some(why);
            let Some(spare) = spare else { return Err(out_of_reach(cause)) };
            let mut response = from_copy(spare);
            response.headers.push((answer::WARNING, "110 - \"Response is Stale\"".to_owned()));
            (response, Source::Kv)
        }
    };
    Ok(Read { response: conditional(response, if_none_match.as_ref()), source, cause })
}

fn out_of_reach(cause: Option<String>) -> ApiError {
    let mut error = ApiError::unavailable("The project's store is out of reach. Try again.");
    error.cause = cause;
    error
}

fn from_copy<B>(copy: Copy<B>) -> Response<B> {
    let revision = copy.entry.metadata.revision;
    Response {
        status: 200,
        headers: respond::validators(&copy.id, revision, revision),
        body: Body::Raw(copy.entry.value),
    }
}

/// The resource's copy in KV, where it is alive, recent enough, and, for a read by key, still bears the key.
async fn copy<P: Platform>(
    platform: &P,
    project: &str,
    call: &Call,
    min_revision: Millis,
) -> Result<Option<Copy<P::Raw>>, Unreachable> {
    let (id, key) = match call {
        Call::GetByKey { key } => {
            let Some(pointer) = platform.kv_text(&Kind::Key.entry(project, key)).await? else {
                return Ok(None);
            };
            if pointer.metadata.deleted {
                return Ok(None);
            }
            (pointer.value, Some(key))
        }
        Call::GetById { id } => (id.clone(), None),
        _ => return Ok(None),
    };
    let Some(entry) = platform.kv_raw(&Kind::Resource.entry(project, &id)).await? else { return Ok(None) };
    let metadata = &entry.metadata;
    let right = !metadata.deleted
        && metadata.revision >= min_revision
        && key.is_none_or(|key| metadata.key.as_ref() == Some(key));
    Ok(right.then_some(Copy { id, entry }))
}

/// 304 where the caller has what would be answered (D20).
pub(super) fn conditional<B>(
    mut response: Response<B>,
    if_none_match: Option<&etag::Condition>,
) -> Response<B> {
    let etag = response.headers.iter().find(|(name, _)| *name == answer::ETAG);
    let same = match (etag, if_none_match) {
        (Some((_, etag)), Some(condition)) => condition.matches(etag, true),
        _ => false,
    };
    if same {
        response.status = 304;
        response.headers.retain(|(name, _)| *name != answer::CONTENT_TYPE);
        response.body = Body::Empty;
    }
    response
}
