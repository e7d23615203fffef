//! The interface of the handler to the outside: KV, the projects' objects, keys of an external issuer, time, and
//! randomness.

use crate::call::Message;
use crate::call::reply::Reply;
use crate::contract::error::quote::cut;
use crate::contract::names;
use crate::util::json::{self, ObjectWriter};
use crate::util::time::Millis;

use super::log::CAUSE_CHARS;

/// A resource's cache copy in KV.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CacheCopy<B> {
    /// The body of a read, which passes through unread.
    pub body: B,
    pub revision: Millis,
    pub key: Option<String>,
    pub deleted: bool,
}

/// A key's entry in KV.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pointer {
    pub id: String,
    pub deleted: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asset<B> {
    pub etag: String,
    /// Its content, which passes through unread.
    pub body: B,
}

/// Something outside is unavailable or returned something unusable. The reason is only for the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreachable(pub String);

/// A public key of an external issuer, as its JWKS states it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicKey {
    pub algorithm: Algorithm,
    /// The key as JWK (JSON), ready for WebCrypto's `importKey`.
    pub jwk: String,
}

names! {
    /// A signature algorithm of external issuers, with its name in JOSE (RFC 7518, 3.1).
    pub enum Algorithm name:
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    Rs256 = "RS256",
    /// ECDSA on P-256 with SHA-256.
    Es256 = "ES256",
}

names! {
    /// A rate limiter of the platform (D28), with the name of its binding. It exists if the environment has that.
    pub enum Limiter binding:
    /// Counts the requests of each caller in each project.
    Requests = "REQUEST_LIMIT",
    /// Counts the requests for tokens of each client from each address.
    Tokens = "TOKEN_LIMIT",
}

/// Synchronous functions of the host.
pub trait Host {
    /// A body that passes through unread.
    type Raw;

    /// Returns the time in milliseconds since 1970.
    fn now(&self) -> Millis;

    /// Fills the bytes with unpredictable ones.
    fn random(&self, bytes: &mut [u8]);

    /// Returns the text of a body that an object returned. `None` if the body is no text.
    fn text(&self, raw: Self::Raw) -> Option<String>;

    /// Writes one line to the log.
    fn log(&self, line: &str);

    /// Writes a line about a failure that belongs to no single request.
    fn log_failure(&self, what: &str, cause: &str) {
        let mut line = String::new();
        let mut object = ObjectWriter::open(&mut line);
        object.text("level", "error");
        object.text("message", what);
        object.text("cause", cut(cause, CAUSE_CHARS));
        object.close();
        self.log(&json::log_line(line));
    }
}

/// Asynchronous functions of the host.
#[allow(async_fn_in_trait, reason = "single-threaded: no future of these is ever sent to another thread")]
pub trait Platform: Host {
    /// Reads a resource's entry under a KV key.
    async fn read_copy(&self, kv_key: String) -> Result<Option<CacheCopy<Self::Raw>>, Unreachable>;

    /// Reads a key's entry under a KV key.
    async fn read_pointer(&self, kv_key: String) -> Result<Option<Pointer>, Unreachable>;

    /// Sends the message to the project's object and returns its reply. Restores the object first if the call is a
    /// restore. The message is dropped before the wait: a large body takes many times its bytes as typed values.
    async fn call_object(&self, message: Message) -> Result<Reply<Self::Raw>, Unreachable>;

    /// Sends a request for a page of changes, and returns its reply. The body is a stream of events with this page and
    /// those that follow. It ends after that many milliseconds.
    async fn stream_changes(&self, message: Message, ms: u32) -> Result<Reply<Self::Raw>, Unreachable>;

    /// Reads the static file under a path.
    async fn read_asset(&self, path: &'static str) -> Result<Asset<Self::Raw>, Unreachable>;

    /// Fetches the text at an address (the JWKS of an external issuer).
    async fn fetch_text(&self, url: &str) -> Result<String, Unreachable>;

    /// Returns whether the key's private half signed the data.
    async fn verify(&self, key: &PublicKey, data: &[u8], signature: &[u8]) -> Result<bool, Unreachable>;

    /// Reads the body of the request. Returns `None` if it is longer than `limit`; then it is read on to the end and
    /// discarded, if it has at most `discard` bytes. The handler calls it once at most.
    async fn read_body(&self, limit: usize, discard: usize) -> Result<Option<Vec<u8>>, Unreachable>;

    /// Counts a request under a key, and returns whether the key is within its limit.
    async fn is_within_limit(&self, limiter: Limiter, key: String) -> Result<bool, Unreachable>;
}
