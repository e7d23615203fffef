//! The handler as a state machine. It runs until it needs something from outside, returns that as an [`Effect`], and
//! continues with the [`EffectOutcome`]. The code that performs the effects decides their order: the entry on Workers,
//! a test natively.
//!
//! ```text
//! Exchange::start(request) ──> HandlerStep::Perform(effect, exchange) ──> exchange.resume(outcome) ──> …
//!                          ──> HandlerStep::Respond(response, check)
//! ```
//!
//! A [`Check`] is an effect that follows the response: nobody waits for it.
//!
//! The code of the handler stays `async` and straight-line. An effect is a slot that its future fills and waits for, so
//! there is no executor, no queue, and no waker. An exchange that nobody resumes is dropped, and its memory is free.

use core::cell::RefCell;
use core::future::{Future, poll_fn};
use core::ops::Deref;
use core::pin::Pin;
use core::task::{Context, Poll, Waker};
use std::rc::Rc;

use crate::call::reply::Reply;
use crate::call::wire;
use crate::call::{Call, Message, RestorePoint};
use crate::contract::error::{ApiError, Code};
use crate::util::time::Millis;

use super::handler::{self, Handled, Service};
use super::http::{Request, Response};
use super::platform::{Asset, CacheCopy, Host, Limiter, Platform, Pointer, PublicKey, Unreachable};
use super::replication::Check;
use super::response::respond::{self, ErrorForm};

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

/// A request whose handling waits for the outcome of an effect.
pub struct Exchange<'a, H: Host> {
    port: Rc<Port<H>>,
    handling: Pin<Box<dyn Future<Output = Handled<H::Raw>> + 'a>>,
}

pub enum HandlerStep<'a, H: Host> {
    /// This is the response, and what follows it.
    Respond(Response<H::Raw>, Option<Check>),
    /// Perform the effect, then call [`Exchange::resume`].
    Perform(Effect, Exchange<'a, H>),
}

impl<'a, H: Host + 'a> Exchange<'a, H> {
    pub fn start<S: Deref<Target = Service> + 'a>(
        service: S,
        host: H,
        request: Request,
    ) -> HandlerStep<'a, H> {
        let port = Rc::new(Port { host, slot: RefCell::new(EffectSlot::Idle) });
        let outside = Rc::clone(&port);
        let handling = Box::pin(async move { handler::handle(&service, &*outside, request).await });
        Self { port, handling }.advance()
    }

    #[must_use]
    pub fn resume(self, outcome: EffectOutcome<H::Raw>) -> HandlerStep<'a, H> {
        self.port.slot.replace(EffectSlot::Done(outcome));
        self.advance()
    }

    fn advance(mut self) -> HandlerStep<'a, H> {
        // Nothing wakes a future here: it continues when its effect has an outcome.
        let polled = self.handling.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        if let Poll::Ready((response, check)) = polled {
            return HandlerStep::Respond(response, check);
        }
        match self.port.slot.replace(EffectSlot::Idle) {
            EffectSlot::Requested(effect) => HandlerStep::Perform(effect, self),
            // The handler waits only for effects, so this is a fault of the code.
            EffectSlot::Idle | EffectSlot::Done(_) => {
                self.port
                    .host
                    .log_failure("a request stopped", "the handler waits for something that is no effect");
                HandlerStep::Respond(respond::error(&ApiError::general(), ErrorForm::Contract), None)
            }
        }
    }
}

/// Where the handler leaves an effect and finds its outcome.
struct Port<H: Host> {
    host: H,
    slot: RefCell<EffectSlot<H::Raw>>,
}

enum EffectSlot<B> {
    Idle,
    Requested(Effect),
    Done(EffectOutcome<B>),
}

impl<H: Host> Port<H> {
    /// Returns the reply of a project's object.
    async fn reply(&self, effect: Effect) -> Result<Reply<H::Raw>, Unreachable> {
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

    async fn perform(&self, effect: Effect) -> Result<EffectOutcome<H::Raw>, Unreachable> {
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

fn unexpected<T>() -> Result<T, Unreachable> {
    Err(Unreachable("the outcome belongs to another effect".to_owned()))
}

impl<H: Host> Host for Port<H> {
    type Raw = H::Raw;

    fn now(&self) -> Millis {
        self.host.now()
    }

    fn random(&self, bytes: &mut [u8]) {
        self.host.random(bytes);
    }

    fn text(&self, raw: H::Raw) -> Option<String> {
        self.host.text(raw)
    }

    fn log(&self, line: &str) {
        self.host.log(line);
    }
}

/// Waits for the outcome of an effect, and returns what it contains.
macro_rules! outcome {
    ($performed:expr, $kind:ident) => {
        match $performed.await? {
            EffectOutcome::$kind(value) => Ok(value),
            _ => unexpected(),
        }
    };
}

impl<H: Host> Platform for Port<H> {
    async fn read_copy(&self, kv_key: String) -> Result<Option<CacheCopy<H::Raw>>, Unreachable> {
        outcome!(self.perform(Effect::ReadCopy { kv_key }), Copy)
    }

    async fn read_pointer(&self, kv_key: String) -> Result<Option<Pointer>, Unreachable> {
        outcome!(self.perform(Effect::ReadPointer { kv_key }), Pointer)
    }

    async fn call_object(&self, message: Message) -> Result<Reply<H::Raw>, Unreachable> {
        let bytes = wire::encode(&message).map_err(Unreachable)?;
        let Message { project, call } = message;
        self.reply(match call {
            Call::Listen(_) => Effect::Listen { project, message: bytes },
            Call::Restore(point) => Effect::CallObject { project, message: bytes, restore: Some(point) },
            _ => Effect::CallObject { project, message: bytes, restore: None },
        })
        .await
    }

    async fn stream_changes(&self, message: Message, ms: u32) -> Result<Reply<H::Raw>, Unreachable> {
        let bytes = wire::encode(&message).map_err(Unreachable)?;
        self.reply(Effect::Stream { project: message.project, message: bytes, ms }).await
    }

    async fn read_asset(&self, path: &'static str) -> Result<Asset<H::Raw>, Unreachable> {
        outcome!(self.perform(Effect::ReadAsset { path }), Asset)
    }

    async fn fetch_text(&self, url: &str) -> Result<String, Unreachable> {
        match self.perform(Effect::FetchText { url: url.to_owned() }).await {
            Ok(EffectOutcome::Text(text)) => Ok(text),
            Ok(_) => unexpected(),
            Err(Unreachable(reason)) => Err(Unreachable(format!("{url}: {reason}"))),
        }
    }

    async fn verify(&self, key: &PublicKey, data: &[u8], signature: &[u8]) -> Result<bool, Unreachable> {
        let effect = Effect::Verify { key: key.clone(), data: data.to_vec(), signature: signature.to_vec() };
        outcome!(self.perform(effect), Verified)
    }

    async fn read_body(&self, limit: usize, discard: usize) -> Result<Option<Vec<u8>>, Unreachable> {
        outcome!(self.perform(Effect::ReadBody { limit, discard }), Body)
    }

    async fn is_within_limit(&self, limiter: Limiter, key: String) -> Result<bool, Unreachable> {
        outcome!(self.perform(Effect::CountRequest { limiter, key }), WithinLimit)
    }
}
