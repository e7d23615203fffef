//! HTTP as the entry passes it on: text, bytes, and lists, without platform types.

use std::borrow::Cow;

use crate::contract::api::header::{RequestHeader, ResponseHeader};

/// A request without its body, which the handler reads when it needs it.
pub struct Request {
    pub method: String,
    /// The URL, or the path and query alone.
    url: String,
    path: core::ops::Range<usize>,
    pub headers: Box<dyn Headers>,
}

impl Request {
    /// Creates a request. `url` is absolute, or begins with the path. A fragment is ignored.
    pub fn new(method: String, url: String, headers: Box<dyn Headers>) -> Self {
        let host = if url.starts_with('/') { 0 } else { url.find("://").map_or(0, |at| at + 3) };
        let from = |start: usize, end: char| {
            url.get(start..).and_then(|rest| rest.find(end)).map_or(url.len(), |at| start + at)
        };
        let start = from(host, '/');
        let end = from(start, '?').min(from(start, '#'));
        Self { method, path: start..end, url, headers }
    }

    /// Returns the path, still percent-encoded.
    pub fn path(&self) -> &str {
        self.url.get(self.path.clone()).filter(|path| !path.is_empty()).unwrap_or("/")
    }

    /// Returns the query without its `?`, still encoded. It is empty if there is none.
    pub fn query(&self) -> &str {
        let rest = self.url.get(self.path.end..).unwrap_or_default();
        let query = rest.strip_prefix('?').unwrap_or_default();
        query.split_once('#').map_or(query, |(query, _)| query)
    }
}

/// The headers of a request. Each is read when it is needed, because reading one costs a call into the platform.
pub trait Headers {
    /// Returns the header's value; several values are joined by commas.
    fn get(&self, header: RequestHeader) -> Option<String>;
}

/// Headers as a list of names and values. Names are compared without regard to case.
#[derive(Debug, Clone, Default)]
pub struct HeaderPairs(Vec<(String, String)>);

impl HeaderPairs {
    pub fn new<N: AsRef<str>, V: AsRef<str>>(pairs: &[(N, V)]) -> Self {
        let pair = |(name, value): &(N, V)| (name.as_ref().to_owned(), value.as_ref().to_owned());
        Self(pairs.iter().map(pair).collect())
    }
}

impl Headers for HeaderPairs {
    fn get(&self, header: RequestHeader) -> Option<String> {
        let found = self.0.iter().find(|(name, _)| name.eq_ignore_ascii_case(header.name()));
        found.map(|(_, value)| value.clone())
    }
}

/// A response. `B` is the type of a body that passes through unread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response<B> {
    pub status: u16,
    pub headers: Vec<(ResponseHeader, Cow<'static, str>)>,
    pub body: Body<B>,
}

impl<B> Response<B> {
    /// Creates a response without a body.
    pub fn empty(status: u16) -> Self {
        Self { status, headers: Vec::with_capacity(8), body: Body::Empty }
    }

    /// Creates a response 200 with a body of a media type.
    pub fn of(media: &'static str, body: Body<B>) -> Self {
        let mut response = Self { body, ..Self::empty(200) };
        response.push(ResponseHeader::ContentType, media);
        response
    }

    pub fn header(&self, header: ResponseHeader) -> Option<&str> {
        self.headers.iter().find(|(known, _)| *known == header).map(|(_, value)| value.as_ref())
    }

    pub fn push(&mut self, header: ResponseHeader, value: impl Into<Cow<'static, str>>) {
        self.headers.push((header, value.into()));
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body<B> {
    Empty,
    Text(String),
    /// A body that passes through unread.
    Raw(B),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    #[test]
    fn a_url_is_split_into_path_and_query() {
        for (url, path, query) in [
            ("https://a.test/p/resource?limit=1", "/p/resource", "limit=1"),
            ("https://a.test", "/", ""),
            ("https://a.test?x", "/", ""),
            ("https://a.test/?x=a://b/c?d", "/", "x=a://b/c?d"),
            ("https://a.test/p#f?x", "/p", ""),
            ("https://a.test/p?x#f", "/p", "x"),
            ("/p?url=https://a.test/", "/p", "url=https://a.test/"),
            ("/p", "/p", ""),
            ("", "/", ""),
        ] {
            let headers = Box::new(HeaderPairs::default());
            let request = Request::new("GET".to_owned(), url.to_owned(), headers);
            assert_eq!((request.path(), request.query()), (path, query), "{url}");
        }
    }
}
