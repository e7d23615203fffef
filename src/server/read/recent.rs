//! Replies to queries and searches that an instance remembers for callers who accept their age (D19):
//! `Cache-Control: max-age`. Equal calls at one moment become one.
//!
//! The key is the message to the object, so everything that a reply depends on has to be in the message.

use core::cell::RefCell;

use crate::call::{Message, Reply, wire};
use crate::contract::api::header::RequestHeader;
use crate::contract::error::ApiError;
use crate::util::generations::Generations;
use crate::util::time::Millis;

use super::min_revision;
use crate::server::http::Headers;
use crate::server::log::trace::{ServedFrom, Trace};
use crate::server::platform::{Host, Port, Reached, Unreachable};

/// The highest age that a caller may allow, in seconds.
const MAX_SECONDS: Millis = 60;
/// The bytes of a generation: an instance remembers at most twice as many. A page takes more than a copy.
const BYTES: usize = 12 << 20;
/// What a reply takes beside its body and its message, in bytes.
const OVERHEAD: usize = 256;

/// What a caller accepts instead of a current reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::server) struct Accepted {
    /// How old it may be, in milliseconds; not 0.
    age: Millis,
    min_revision: Millis,
}

impl Accepted {
    /// Reads the headers. Returns `None` if the reply has to be current.
    pub(in crate::server) fn read(headers: &dyn Headers) -> Result<Option<Self>, ApiError> {
        let min_revision = min_revision(headers)?.unwrap_or_default();
        let Some(value) = headers.get(RequestHeader::CacheControl) else { return Ok(None) };
        let mut seconds = 0;
        for directive in value.split(',').map(|one| one.trim().to_ascii_lowercase()) {
            if directive == "no-cache" {
                return Ok(None);
            }
            if let Some(age) = directive.strip_prefix("max-age=") {
                seconds = age.parse().unwrap_or(0).min(MAX_SECONDS);
            }
        }
        Ok((seconds > 0).then_some(Self { age: seconds * 1_000, min_revision }))
    }

    fn covers<B>(self, reply: &Reply<B>) -> bool {
        reply.head.newest.is_some_and(|newest| newest >= self.min_revision)
    }
}

#[derive(Debug)]
pub(in crate::server) struct RecentReplies<B>(RefCell<Generations<Vec<u8>, Recent<B>>>);

/// A reply, or a call whose reply is still to come.
#[derive(Debug)]
struct Recent<B> {
    /// When the request began that called the object.
    began: Millis,
    reply: Option<Reply<B>>,
}

impl<B> Default for RecentReplies<B> {
    fn default() -> Self {
        Self(RefCell::new(Generations::new(BYTES)))
    }
}

impl<B: Clone> RecentReplies<B> {
    /// Returns the reply to a message, or calls the object if none is known that the caller accepts. `began` is when
    /// the request began.
    pub(in crate::server) async fn reply<H: Host<Raw = B>>(
        &self,
        platform: &Port<H>,
        message: Message,
        (began, accepted): (Millis, Accepted),
        trace: &mut Trace,
    ) -> Reached<Reply<B>> {
        let bytes = wire::encode(&message).map_err(Unreachable)?;
        let project = message.project;
        match self.find(&bytes, began, accepted.age) {
            Some(Some(reply)) if accepted.covers(&reply) => {
                trace.source = Some(ServedFrom::Memory);
                return Ok(reply);
            }
            Some(None) => {
                let joined = platform.share_call(project.clone(), bytes.clone(), true).await;
                // Its call may have preceded what this caller has seen.
                let is_behind = |reply: &Reply<B>| reply.head.newest.is_some() && !accepted.covers(reply);
                if !joined.as_ref().is_ok_and(is_behind) {
                    return joined.inspect(|reply| trace.add(&reply.head));
                }
            }
            _ => {}
        }
        self.insert(bytes.clone(), Recent { began, reply: None }, 0);
        let result = platform.share_call(project, bytes.clone(), false).await;
        // Only the request that called the object knows how old the reply is.
        match &result {
            Ok(reply) if reply.head.newest.is_some() => {
                let length = reply.body.as_ref().map_or(0, |body| platform.host.length(body));
                self.insert(bytes, Recent { began, reply: Some(reply.clone()) }, length);
            }
            _ => self.0.borrow_mut().remove(&bytes),
        }
        result.inspect(|reply| trace.add(&reply.head))
    }

    /// Returns what is known of a message: its reply, or that it is on its way. `None` if that is too old.
    #[allow(clippy::option_option, reason = "a reply that is still to come is known")]
    fn find(&self, bytes: &[u8], now: Millis, age: Millis) -> Option<Option<Reply<B>>> {
        let mut recent = self.0.borrow_mut();
        let known = recent.get_mut(bytes)?;
        let is_young = now.checked_sub(known.began).is_some_and(|passed| passed <= age);
        is_young.then(|| known.reply.clone())
    }

    fn insert(&self, bytes: Vec<u8>, recent: Recent<B>, length: usize) {
        let weight = bytes.len() + length + OVERHEAD;
        self.0.borrow_mut().insert_of(bytes, recent, weight);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::http::HeaderPairs;
    use crate::test;

    #[test]
    fn the_allowed_age_is_that_of_max_age_unless_the_caller_wants_more() {
        for (value, seconds) in [
            ("max-age=5", 5),
            ("private, Max-Age=7", 7),
            ("max-age=3600", MAX_SECONDS),
            ("max-age=0", 0),
            ("max-age=-1", 0),
            ("max-age=x", 0),
            ("max-age=5, no-cache", 0),
            ("no-cache, max-age=5", 0),
            ("", 0),
        ] {
            let headers = [("Cache-Control", value), ("Resource-Min-Revision", "7")];
            let accepted = Accepted::read(&HeaderPairs::new(&headers)).unwrap();
            let (age, min_revision) = (seconds * 1_000, 7);
            assert_eq!(accepted, (age > 0).then_some(Accepted { age, min_revision }), "{value}");
        }
        assert_eq!(Accepted::read(&HeaderPairs::default()).unwrap(), None);
    }
}
