//! An answer as the client reads it: the few headers that matter, and which resources it shows at which revision.

use super::floor::{Bears, Name};
use super::text::{Parts, cut};
use crate::contract::percent;
use crate::contract::time::{self, Millis};

/// The answer to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer<'a> {
    /// The status; 0 where the service was not reached or its answer broke off.
    pub(super) status: u64,
    /// `Resource-Revision` (D19).
    pub(super) revision: Option<Millis>,
    /// How long `Retry-After` says to wait, in milliseconds.
    pub(super) retry_after: Option<Millis>,
    /// `ETag`, which names the id (D16); empty where there is none.
    tag: &'a str,
    /// Of each resource that the body shows: id, key, revision.
    seen: Parts<'a>,
}

/// A resource that an answer shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) id: Name,
    pub(super) bears: Bears,
    /// Its revision (D6).
    pub(super) revision: Millis,
}

impl<'a> Answer<'a> {
    /// The answer that the text describes: status (0: none came), `Resource-Revision`, milliseconds to wait by `Retry-After`,
    /// `ETag`, then id, key and `lastModifiedAt` of each resource in its body; U+0000 between them, an absent one empty.
    #[must_use]
    pub fn parse(text: &'a str) -> Self {
        let mut parts = Parts::of(text);
        Self {
            status: parts.number().unwrap_or_default(),
            revision: parts.number(),
            retry_after: parts.number(),
            tag: parts.word(),
            seen: parts,
        }
    }

    /// The next resource that it shows.
    pub(super) fn next_seen(&mut self) -> Option<Seen> {
        let (id, key) = self.seen.pair()?;
        let bears = if key.is_empty() { Bears::None } else { Bears::Key(Name::key(key)) };
        let revision = time::parse(self.seen.word()).unwrap_or_default();
        Some(Seen { id: Name::id(id), bears, revision })
    }

    /// The id that the entity tag names (D16), which escapes all but its own dots; `None` where the tag has another form.
    pub(super) fn tagged_id(&self) -> Option<Name> {
        let (_, opaque) = cut(self.tag, b'"');
        let end = opaque?.bytes().rposition(|byte| byte == b'.')?;
        Some(Name::id(&percent::decode(opaque?.get(..end)?, false).ok()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::etag;

    #[test]
    fn parts_are_read_in_their_order() {
        let text = "200\x001700000000123\0\0\"a.1\"\0a\0k\x002023-11-14T22:13:20.123Z\0b\0\0never";
        let mut answer = Answer::parse(text);
        assert_eq!((answer.status, answer.revision), (200, Some(1_700_000_000_123)));
        assert_eq!((answer.retry_after, answer.tag), (None, "\"a.1\""));
        let first =
            Seen { id: Name::id("a"), bears: Bears::Key(Name::key("k")), revision: 1_700_000_000_123 };
        let second = Seen { id: Name::id("b"), bears: Bears::None, revision: 0 };
        assert_eq!(
            [answer.next_seen(), answer.next_seen(), answer.next_seen()],
            [Some(first), Some(second), None]
        );
        for nothing in ["", "0", "x"] {
            let mut answer = Answer::parse(nothing);
            assert_eq!((answer.status, answer.revision, answer.next_seen()), (0, None, None));
        }
    }

    #[test]
    fn the_tag_of_any_id_names_it() {
        let tagged = |tag: &str| Answer { tag, ..Answer::parse("200") }.tagged_id();
        for id in ["a", "0198c5d4-0000-7000-8000-000000000000", "ä\"b.7", "a%2F"] {
            assert_eq!(tagged(&etag::of(id, 7)), Some(Name::id(id)), "{id}");
        }
        for bad in ["", "a.1", "\"a\"", "\"%zz.1\""] {
            assert_eq!(tagged(bad), None, "{bad}");
        }
    }
}
