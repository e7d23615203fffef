//! The interface of the handler to the outside: KV, the projects' objects, keys of an external issuer, time, and
//! randomness. What takes time is an [`Effect`].

use core::cell::RefCell;
use core::future::poll_fn;
use core::task::Poll;

use crate::call::{Call, Message, Reply, RestorePoint, wire};
use crate::contract::error::quote::cut;
use crate::contract::error::{ApiError, Code};
use crate::contract::names;
use crate::util::json;
use crate::util::time::Millis;

use super::log::CAUSE_CHARS;

/// A resource's cache copy in KV.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CacheCopy<B> {
    /// The body of a read, which passes through unread.
    pub body: B,
    /// The length of the body.
    pub bytes: usize,
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

/// The result of something outside.
pub(super) type Reached<T> = Result<T, Unreachable>;

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
    type Raw: Clone;

    /// Returns the time in milliseconds since 1970.
    fn now(&self) -> Millis;

    /// Fills the bytes with unpredictable ones.
    fn random(&self, bytes: &mut [u8]);

    /// Returns a message with a body that an object returned in the places of its two tabs: first as a JSON text, then
    /// as it is. `None` if the body is no text.
    fn embed(&self, message: &str, raw: Self::Raw) -> Option<Self::Raw>;

    /// Returns the text of a body; `None` if it is no text.
    fn text(&self, raw: Self::Raw) -> Option<String>;

    /// Returns about how many bytes of memory a body takes that an object returned.
    fn length(&self, raw: &Self::Raw) -> usize;

    fn log(&self, line: &str);

    /// Writes a line about a failure that belongs to no single request.
    fn log_failure(&self, what: &str, cause: &str) {
        self.log(&json::log_line(json::object(|object| {
            object.text("level", "error");
            object.text("message", what);
            object.text("cause", cut(cause, CAUSE_CHARS));
        })));
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Read a resource's entry in KV; [`EffectOutcome::Copy`].
    ReadCopy { kv_key: String },
    /// Read a key's entry in KV; [`EffectOutcome::Pointer`].
    ReadPointer { kv_key: String },
    /// Send a message to a project's object; [`EffectOutcome::Reply`].
    CallObject {
        project: String,
        /// The message in the bytes of [`wire`].
        message: Vec<u8>,
        /// The point to which the object is restored before it gets the message. Then the body of the reply has the
        /// bookmark that undoes it, or the outcome is [`EffectOutcome::Text`]: why the platform refuses.
        restore: Option<RestorePoint>,
        /// Whether to send the message again if the object ends because the disk is full ([`Call::may_repeat`]).
        repeats: bool,
    },
    /// Send a message that only reads to a project's object, so that equal requests can share its reply;
    /// [`EffectOutcome::Reply`].
    ShareCall {
        project: String,
        message: Vec<u8>,
        /// Whether a request has sent this message and waits for the reply, which this one gets too.
        joins: bool,
    },
    /// Let a project's object accept a socket that listens to changes; [`EffectOutcome::Reply`], with the other end of
    /// the socket as body.
    Listen { project: String, message: Vec<u8> },
    /// Begin a stream of events with the page of changes that the message requests; [`EffectOutcome::Reply`], with the
    /// stream as body.
    Stream {
        project: String,
        message: Vec<u8>,
        /// When the stream ends, in milliseconds.
        ms: u32,
    },
    /// Read a static file; [`EffectOutcome::Asset`].
    ReadAsset { path: &'static str },
    /// Fetch a text; [`EffectOutcome::Text`].
    FetchText { url: String },
    /// Verify a signature; [`EffectOutcome::Verified`].
    Verify { key: PublicKey, data: Vec<u8>, signature: Vec<u8> },
    /// Read the body of the request; [`EffectOutcome::Body`].
    ReadBody {
        /// The most bytes that are kept.
        limit: usize,
        /// How much of a longer body is read and discarded before the outcome, in bytes. A caller who is still sending
        /// may lose the response with the connection.
        discard: usize,
    },
    /// Count a request with a rate limiter; [`EffectOutcome::WithinLimit`]. Only if the limiter is bound.
    CountRequest {
        limiter: Limiter,
        /// The key: requests with the same key are counted together.
        key: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EffectOutcome<B> {
    /// The resource's entry; `None` if KV has no usable one.
    Copy(Option<CacheCopy<B>>),
    /// The key's entry; `None` if KV has no usable one.
    Pointer(Option<Pointer>),
    /// The object's reply: its head in the bytes of [`wire`], and its body.
    Reply(Vec<u8>, Option<B>),
    Asset(Asset<B>),
    Text(String),
    Verified(bool),
    /// The body, empty if there is none; `None` if it is longer than the limit.
    Body(Option<Vec<u8>>),
    WithinLimit(bool),
    Failed(String),
}

/// What is outside, for the handler of a request: the host, and where an effect waits for its outcome.
pub struct Port<H: Host> {
    pub(super) host: H,
    pub(super) slot: RefCell<EffectSlot<H::Raw>>,
}

pub(super) enum EffectSlot<B> {
    Idle,
    Requested(Effect),
    Done(EffectOutcome<B>),
}

impl<H: Host> Port<H> {
    pub(super) fn new(host: H) -> Self {
        Self { host, slot: RefCell::new(EffectSlot::Idle) }
    }

    /// Returns the reply of a project's object.
    async fn reply(&self, effect: Effect) -> Reached<Reply<H::Raw>> {
        match self.perform(effect).await? {
            // An object whose instance ended has logged why, and replies without bytes.
            EffectOutcome::Reply(head, _) if head.is_empty() => {
                Ok(ApiError::of_fault("the object's instance ended; its log line has the reason".to_owned())
                    .into())
            }
            EffectOutcome::Reply(head, body) => {
                let head = wire::decode(&head).map_err(|error| Unreachable(format!("object: {error}")))?;
                Ok(Reply { head, body })
            }
            EffectOutcome::Text(reason) => Ok(not_restored(reason).into()),
            _ => unexpected(),
        }
    }

    async fn perform(&self, effect: Effect) -> Reached<EffectOutcome<H::Raw>> {
        self.slot.replace(EffectSlot::Requested(effect));
        let outcome = poll_fn(|_| {
            let mut slot = self.slot.borrow_mut();
            match core::mem::replace(&mut *slot, EffectSlot::Idle) {
                EffectSlot::Done(outcome) => Poll::Ready(outcome),
                waiting => {
                    *slot = waiting;
                    Poll::Pending
                }
            }
        });
        match outcome.await {
            EffectOutcome::Failed(reason) => Err(Unreachable(reason)),
            outcome => Ok(outcome),
        }
    }
}

/// Returns 400 for a restore that the platform refuses. The reason goes to the log.
fn not_restored(reason: String) -> ApiError {
    let message = "The project was not restored, and nothing was changed. It can only be restored on Cloudflare, to a \
                   time or a bookmark of the last 30 days.";
    ApiError::new(Code::InvalidOperation, message).with_cause(reason)
}

fn unexpected<T>() -> Reached<T> {
    Err(Unreachable("the outcome belongs to another effect".to_owned()))
}

/// Waits for the outcome of an effect, and returns what it contains.
macro_rules! outcome {
    ($performed:expr, $kind:ident) => {
        match $performed.await {
            Ok(EffectOutcome::$kind(value)) => Ok(value),
            Ok(_) => unexpected(),
            Err(failure) => Err(failure),
        }
    };
}

impl<H: Host> Port<H> {
    /// Reads a resource's entry under a KV key.
    pub(super) async fn read_copy(&self, kv_key: String) -> Reached<Option<CacheCopy<H::Raw>>> {
        outcome!(self.perform(Effect::ReadCopy { kv_key }), Copy)
    }

    /// Reads a key's entry under a KV key.
    pub(super) async fn read_pointer(&self, kv_key: String) -> Reached<Option<Pointer>> {
        outcome!(self.perform(Effect::ReadPointer { kv_key }), Pointer)
    }

    /// Sends the message to the project's object and returns its reply. Restores the object first if the call is a
    /// restore. The message is dropped before the wait: a large body takes many times its bytes as typed values.
    pub(super) async fn call_object(&self, message: Message) -> Reached<Reply<H::Raw>> {
        let bytes = wire::encode(&message).map_err(Unreachable)?;
        let Message { project, call } = message;
        let repeats = call.may_repeat();
        self.reply(match call {
            Call::Listen(_) => Effect::Listen { project, message: bytes },
            Call::Restore(point) => {
                Effect::CallObject { project, message: bytes, restore: Some(point), repeats }
            }
            _ => Effect::CallObject { project, message: bytes, restore: None, repeats },
        })
        .await
    }

    /// Sends a message, or waits for the reply to an equal one that another request has sent.
    pub(super) async fn share_call(
        &self,
        project: String,
        message: Vec<u8>,
        joins: bool,
    ) -> Reached<Reply<H::Raw>> {
        self.reply(Effect::ShareCall { project, message, joins }).await
    }

    /// Sends a request for a page of changes, and returns its reply. The body is a stream of events with this page and
    /// those that follow. It ends after that many milliseconds.
    pub(super) async fn stream_changes(&self, message: Message, ms: u32) -> Reached<Reply<H::Raw>> {
        let bytes = wire::encode(&message).map_err(Unreachable)?;
        self.reply(Effect::Stream { project: message.project, message: bytes, ms }).await
    }

    /// Reads the static file under a path.
    pub(super) async fn read_asset(&self, path: &'static str) -> Reached<Asset<H::Raw>> {
        outcome!(self.perform(Effect::ReadAsset { path }), Asset)
    }

    /// Fetches the text at an address (the JWKS of an external issuer).
    pub(super) async fn fetch_text(&self, url: &str) -> Reached<String> {
        let fetched = outcome!(self.perform(Effect::FetchText { url: url.to_owned() }), Text);
        fetched.map_err(|Unreachable(reason)| Unreachable(format!("{url}: {reason}")))
    }

    /// Returns whether the key's private half signed the data.
    pub(super) async fn verify(&self, key: PublicKey, data: &[u8], signature: &[u8]) -> Reached<bool> {
        let effect = Effect::Verify { key, data: data.to_vec(), signature: signature.to_vec() };
        outcome!(self.perform(effect), Verified)
    }

    /// Reads the body of the request. Returns `None` if it is longer than `limit`; then it is read on to the end and
    /// discarded, if it has at most `discard` bytes. The handler calls it once at most.
    pub(super) async fn read_body(&self, limit: usize, discard: usize) -> Reached<Option<Vec<u8>>> {
        outcome!(self.perform(Effect::ReadBody { limit, discard }), Body)
    }

    /// Counts a request under a key, and returns whether the key is within its limit.
    pub(super) async fn is_within_limit(&self, limiter: Limiter, key: String) -> Reached<bool> {
        outcome!(self.perform(Effect::CountRequest { limiter, key }), WithinLimit)
    }
}
