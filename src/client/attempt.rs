//! An attempt of a call with its response, which JavaScript describes.

use super::call::{Call, Progress};
use super::message::{TextList, message};
use super::session::{KnownKey, NameHash};
use crate::util::time::{self, Millis};

message! {
    /// The response to an attempt of a call, or what is known without one.
    Response {
        numbers {
            /// The time now.
            now: Millis,
            /// A random number from the full range of its type.
            jitter: u32,
            /// Whether it takes too long: no response has arrived yet.
            late: bool,
            /// Whether the request was not sent, because there is no token. Then it is the token endpoint's.
            unsent: bool,
            /// Its status; 0 if no response arrived.
            status: u32,
            /// Whether it is an error that has not the form of the service's: another server responded.
            foreign: bool,
            /// `Resource-Revision` (D19).
            revision: Option<Millis>,
            /// The time to wait from `Retry-After`, in milliseconds.
            retry_after: Option<Millis>,
        }
        texts {
            /// The ID in `ETag` (D16); empty if there is none.
            tagged_id,
        }
        list {
            /// ID, key, and `lastModifiedAt` of each resource in it; an absent key is empty.
            resources
        }
    }
}

/// An attempt of a call, with the response that it got.
#[derive(Debug, Clone, Copy)]
pub(super) struct Attempt<'a> {
    pub(super) call: &'a Call<'a>,
    /// What the earlier attempts changed.
    pub(super) progress: Progress,
    pub(super) response: &'a Response<'a>,
}

/// A resource in a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SeenResource {
    pub(super) id: NameHash,
    pub(super) key: KnownKey,
    /// Its revision (D6).
    pub(super) revision: Millis,
}

impl SeenResource {
    /// Removes and returns the first resource of [`Response::resources`].
    #[inline(never)]
    pub(super) fn take(resources: &mut TextList<'_>) -> Option<Self> {
        let (id, key) = resources.take_pair()?;
        let key = if key.is_empty() { KnownKey::None } else { KnownKey::Key(NameHash::key(key)) };
        let revision = resources.take().and_then(time::parse).unwrap_or_default();
        Some(Self { id: NameHash::id(id), key, revision })
    }
}

impl Attempt<'_> {
    /// Returns whether the service did not respond, or asks to try again: there is no response, the service is busy or
    /// unavailable, or a server before it failed. Of its statuses, only 501 and those from 505 to 511 say that it would
    /// fail again. The service itself also responds with 500 and 507, which would repeat.
    pub(super) fn is_unanswered(&self) -> bool {
        match self.response.status {
            0 | 408 | 425 | 429 => true,
            500 => self.response.foreign,
            501 | 505..=511 => false,
            status => (502..600).contains(&status),
        }
    }

    /// Returns whether this attempt or an earlier one may have performed the write.
    ///
    /// A response that decides the write is stored under its idempotency key (D18), and a request of a wrong media type
    /// or size is rejected each time. So after these, no earlier attempt can have performed the write. Other refusals
    /// are only about this attempt: a shape that has changed since may refuse a body that the earlier one accepted
    /// (D41).
    pub(super) fn is_unknown(&self) -> bool {
        let is_write = self.call.operation.is_some_and(|operation| operation.write);
        let Response { status, unsent, foreign, revision, .. } = *self.response;
        let before = self.progress.is_unknown;
        is_write
            && match status {
                _ if unsent => before,
                409 | 412 | 413 | 415 | 422 if !foreign => false,
                // Only the database returns the revision.
                404 if revision.is_some() => false,
                // A server in between may have forwarded the request.
                408 => true,
                400..500 => before,
                507 if !foreign => before,
                _ => true,
            }
    }

    /// Returns the revision of the response: the header's, or that of its only resource if there is no header.
    pub(super) fn seen_revision(&self) -> Option<Millis> {
        let resource = || SeenResource::take(&mut { self.response.resources }).map(|seen| seen.revision);
        self.response.revision.or_else(resource)
    }

    /// Returns the key in the request's body.
    pub(super) fn key_in_body(&self) -> KnownKey {
        let key = self.call.body_key;
        if key.is_empty() { KnownKey::Unknown } else { KnownKey::Key(NameHash::key(key)) }
    }

    /// Returns the ID of the resource: that of the entity tag, or that in the body of the request.
    pub(super) fn id(&self) -> Option<NameHash> {
        let known = [self.response.tagged_id, self.call.body_id];
        known.into_iter().find(|id| !id.is_empty()).map(NameHash::id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::message::encode;
    use crate::test;

    #[test]
    fn the_resources_of_a_response_are_read_in_their_order() {
        let list = encode(&[], &["a", "k", "2023-11-14T22:13:20.123Z", "b", "", "never"]);
        let mut resources = TextList::decode(&list);
        let mut next = || SeenResource::take(&mut resources);
        let first = SeenResource {
            id: NameHash::id("a"),
            key: KnownKey::Key(NameHash::key("k")),
            revision: 1_700_000_000_123,
        };
        let second = SeenResource { id: NameHash::id("b"), key: KnownKey::None, revision: 0 };
        assert_eq!([next(), next(), next()], [Some(first), Some(second), None]);
    }
}
