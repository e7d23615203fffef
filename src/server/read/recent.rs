//! Replies to queries and searches that an instance remembers for callers who accept their age (D19):
//! `Cache-Control: max-age`. Equal calls at one moment become one.
//!
//! The key is the message to the object, so everything that a reply depends on has to be in the message.

use core::cell::RefCell;

use crate::call::{CallResult, Message, Reply, wire};
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
/// The bytes of a generation: an instance remembers at most twice as many.
const BYTES: usize = 8 << 20;
/// What a reply takes beside its body and its message, in bytes.
const OVERHEAD: usize = 256;

/// Returns how old the reply to a query may be, in milliseconds; 0 if it has to be current. It has to be for a caller
/// with a minimum revision, because a page has no revision.
pub(in crate::server) fn allowed_age(headers: &dyn Headers) -> Result<Millis, ApiError> {
    let is_minimum_set = min_revision(headers)?.is_some();
    let Some(value) = headers.get(RequestHeader::CacheControl) else { return Ok(0) };
    let mut seconds = 0;
    for directive in value.split(',').map(|one| one.trim().to_ascii_lowercase()) {
        if directive == "no-cache" {
            return Ok(0);
        }
        if let Some(age) = directive.strip_prefix("max-age=") {
            seconds = age.parse().unwrap_or(0).min(MAX_SECONDS);
        }
    }
    Ok(if is_minimum_set { 0 } else { seconds * 1_000 })
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
    /// Returns the reply to a message, or calls the object if there is none of that age. `began` is when the request
    /// began.
    pub(in crate::server) async fn reply<H: Host<Raw = B>>(
        &self,
        platform: &Port<H>,
        message: Message,
        (began, age): (Millis, Millis),
        trace: &mut Trace,
    ) -> Reached<Reply<B>> {
        let bytes = wire::encode(&message).map_err(Unreachable)?;
        let project = message.project;
        let known = self.find(&bytes, began, age);
        if let Some(Some(reply)) = known {
            trace.source = ServedFrom::Memory;
            return Ok(reply);
        }
        let joins = known.is_some();
        if !joins {
            self.insert(bytes.clone(), Recent { began, reply: None }, 0);
        }
        let result = platform.share_call(project, bytes.clone(), joins).await;
        if let Ok(reply) = &result {
            trace.add(&reply.head);
        }
        // Only the request that called the object knows how old the reply is.
        if !joins {
            match &result {
                Ok(reply) if matches!(reply.head.result, CallResult::Performed | CallResult::Exists(_)) => {
                    let length = reply.body.as_ref().map_or(0, |body| platform.host.length(body));
                    self.insert(bytes, Recent { began, reply: Some(reply.clone()) }, length);
                }
                _ => self.0.borrow_mut().remove(&bytes),
            }
        }
        result
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
            let age = |more: &[(&str, &str)]| {
                let pairs = [&[("Cache-Control", value)], more].concat();
                allowed_age(&HeaderPairs::new(&pairs)).unwrap()
            };
            assert_eq!(age(&[]), seconds * 1_000, "{value}");
            assert_eq!(age(&[("Resource-Min-Revision", "1")]), 0, "{value}");
        }
        assert_eq!(allowed_age(&HeaderPairs::default()).unwrap(), 0);
    }
}
