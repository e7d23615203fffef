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

use core::future::Future;
use core::ops::Deref;
use core::pin::Pin;
use core::task::{Context, Poll, Waker};
use std::rc::Rc;

use crate::contract::error::ApiError;

use super::handler::{self, Handled, Service};
use super::http::{Request, Response};
pub use super::platform::{Effect, EffectOutcome};
use super::platform::{EffectSlot, Host, Port};
use super::replication::Check;
use super::response::respond::{self, ErrorForm};

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
    pub fn start<S: Deref<Target = Service<H::Raw>> + 'a>(
        service: S,
        host: H,
        request: Request,
    ) -> HandlerStep<'a, H> {
        let port = Rc::new(Port::new(host));
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
