//! Rate limits (D28), counted by the platform's rate limiters. Without a limiter nothing is counted, and a limiter that
//! fails limits nobody: a limit protects the service, so its own outage must not end it.

use crate::contract::error::{ApiError, Code};
use crate::contract::header::RequestHeader;
use crate::contract::service;

use super::auth;
use super::handler::Trace;
use super::http::Request;
use super::platform::{Limiter, Platform, Unreachable};

/// The limiters that the environment has.
#[derive(Debug, Default)]
pub(super) struct RateLimits {
    bound: Vec<Limiter>,
    /// Their period in seconds.
    period: u32,
}

impl RateLimits {
    pub(super) fn new(bound: Vec<Limiter>, period: u32) -> Self {
        Self { bound, period }
    }

    /// Counts a request of a caller who may enter the project. Returns 429 if there are too many.
    pub(super) async fn check_caller<P: Platform>(
        &self,
        platform: &P,
        project: &str,
        caller: &str,
        trace: &mut Trace,
    ) -> Result<(), ApiError> {
        // A project key has no spaces, so the parts cannot run into each other.
        self.check(platform, Limiter::Requests, || Some([project, " ", caller].concat()), trace).await
    }

    /// Counts a request for tokens under the client that it names, before its secret is compared. The address keeps
    /// callers who guess from using up the limit of the client itself. Returns 429 if there are too many.
    pub(super) async fn check_client<P: Platform>(
        &self,
        platform: &P,
        request: &Request,
        row: &service::Service,
        trace: &mut Trace,
    ) -> Result<(), ApiError> {
        let key = || {
            let client = auth::claimed_client(request, row.form)?;
            let address = request.headers.get(RequestHeader::ConnectingIp).unwrap_or_default();
            Some([&address, " ", &*client].concat())
        };
        self.check(platform, Limiter::Tokens, key, trace).await
    }

    async fn check<P: Platform>(
        &self,
        platform: &P,
        limiter: Limiter,
        key: impl FnOnce() -> Option<String>,
        trace: &mut Trace,
    ) -> Result<(), ApiError> {
        if !self.bound.contains(&limiter) {
            return Ok(());
        }
        let Some(key) = key() else { return Ok(()) };
        match platform.is_within_limit(limiter, key).await {
            Ok(true) => Ok(()),
            Ok(false) => {
                let mut error = ApiError::new(Code::TooManyRequests, "Too many requests. Try again later.");
                error.retry_after = Some(self.period);
                Err(error)
            }
            Err(Unreachable(cause)) => {
                trace.cause = Some(format!("{}: {cause}", limiter.binding()));
                Ok(())
            }
        }
    }
}
