//! One call as it comes from JavaScript: one text, so that it crosses in one piece.

use super::floor::{Bears, Name};
use super::row::{ROWS, Row};
use super::text::Parts;
use crate::contract::operation::OperationId;

/// How a call's text asks for the truth, and for a receipt.
const FRESH: u8 = b'f';
const RESPOND_ASYNC: u8 = b'a';

/// A call of one operation.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    pub(super) row: &'static Row,
    /// Letters that say what is asked for.
    letters: &'a str,
    /// The idempotency key of a write (D18).
    pub(super) idempotency_key: &'a str,
    /// The key that the body names, where the answer will not say it (operations 9 and 13); empty where there is none.
    key: &'a str,
    /// The path variables but the project, in the order of the path; empty where there are fewer.
    pub(super) variables: [&'a str; 2],
    /// Pairs of parameters, a pair of nothing, and pairs of headers.
    rest: Parts<'a>,
}

impl<'a> Call<'a> {
    /// The call that the text describes: the operation's number in the order of `interface.md` (from 0), letters that say what is asked for (`f`: the truth, D19; `a`:
    /// a receipt will do, D15), the idempotency key, the key in the body, two path variables,
    /// then pairs of parameters, two empty parts, and pairs of headers; U+0000 between them. `None` for an unknown
    /// operation.
    #[must_use]
    pub fn parse(text: &'a str) -> Option<Self> {
        let mut parts = Parts::of(text);
        Some(Self {
            row: ROWS.get(usize::try_from(parts.number()?).ok()?)?,
            letters: parts.word(),
            idempotency_key: parts.word(),
            key: parts.word(),
            variables: [parts.word(), parts.word()],
            rest: parts,
        })
    }

    /// Whether the truth must be read (D19).
    pub(super) fn is_fresh(&self) -> bool {
        self.has(FRESH)
    }

    /// Whether a receipt will do (D15).
    pub(super) fn is_async(&self) -> bool {
        self.has(RESPOND_ASYNC)
    }

    /// The id or the key that it is about, where it is about one resource.
    pub(super) fn subject(&self) -> Option<Name> {
        let [first, _] = self.variables;
        match self.row.id {
            OperationId::GetById | OperationId::UpdateById | OperationId::DeleteById => Some(Name::id(first)),
            OperationId::GetByKey => Some(Name::key(first)),
            _ => None,
        }
    }

    /// The key that its body names.
    pub(super) fn named(&self) -> Bears {
        if self.key.is_empty() { Bears::Unsaid } else { Bears::Key(Name::key(self.key)) }
    }

    fn has(&self, letter: u8) -> bool {
        self.letters.bytes().any(|one| one == letter)
    }

    /// The query parameters by name, in any order.
    pub(super) fn params(&self) -> Pairs<'a> {
        Pairs(self.rest)
    }

    /// The headers of the caller's own.
    pub(super) fn headers(&self) -> Pairs<'a> {
        let mut params = self.params();
        while params.next().is_some() {}
        params
    }
}

/// Pairs of parts, up to one without a name.
#[derive(Debug, Clone)]
pub(super) struct Pairs<'a>(Parts<'a>);

impl<'a> Iterator for Pairs<'a> {
    type Item = (&'a str, &'a str);

    #[inline(never)]
    fn next(&mut self) -> Option<Self::Item> {
        self.0.pair().filter(|(name, _)| !name.is_empty())
    }
}
