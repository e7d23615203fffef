//! HTTP as the entry hands it over: text, bytes and lists, no platform types.

use crate::contract::header::RequestHeader;

/// A request.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// The method, upper case as sent.
    pub method: &'a str,
    /// The path, still percent-encoded, beginning with `/`.
    pub path: &'a str,
    /// The query without its `?`, still encoded; empty where there is none.
    pub query: &'a str,
    /// The headers that the contract reads.
    pub headers: Headers<'a>,
    /// The body.
    pub body: RequestBody,
}

/// A request's body, read no further than the contract lets it be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestBody {
    /// All of it; empty where there is none.
    Whole(Vec<u8>),
    /// It is longer than [`crate::contract::limits::BODY_BYTES`].
    TooLarge,
}

/// The values of the headers of [`RequestHeader::ALL`], in that order.
#[derive(Debug, Clone, Default)]
pub struct Headers<'a>(Vec<Option<&'a str>>);

impl<'a> Headers<'a> {
    /// Reads what the entry joined: one line a header in the order of [`RequestHeader::ALL`], an absent one a single
    /// U+0000. Header values hold neither line feeds nor U+0000.
    #[must_use]
    pub fn from_lines(lines: &'a str) -> Self {
        Self(lines.split('\n').map(|line| (line != "\0").then_some(line)).collect())
    }

    /// Takes headers by name, whatever their case; others are passed over.
    #[must_use]
    pub fn from_pairs(pairs: &[(&str, &'a str)]) -> Self {
        Self(
            RequestHeader::ALL
                .iter()
                .map(|header| {
                    pairs
                        .iter()
                        .find(|(name, _)| name.eq_ignore_ascii_case(header.name()))
                        .map(|(_, value)| *value)
                })
                .collect(),
        )
    }

    /// The header's value.
    #[must_use]
    pub fn get(&self, header: RequestHeader) -> Option<&'a str> {
        // The discriminants count in the order of ALL.
        self.0.get(header as usize).copied().flatten()
    }
}

/// A response; `B` is a body that the platform passes through untouched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response<B> {
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: Body<B>,
}

/// A response's body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body<B> {
    /// None.
    Empty,
    /// Made here.
    Text(String),
    /// Passed through.
    Raw(B),
}
