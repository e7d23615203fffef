//! Rate limits (D28), counted by the platform's rate limiters. Without a limiter nothing is counted, and a limiter that
//! fails limits nobody: a limit protects the service, so its own outage must not end it.

use crate::contract::api::header::RequestHeader;
use crate::contract::error::quote::cut;
use crate::contract::error::{ApiError, Code};

use super::auth::{self, Parameters};
use super::http::Request;
use super::log::trace::Trace;
use super::platform::{Host, Limiter, Port, Unreachable};
use super::settings::ID_CHARS;

#[derive(Debug, Default)]
pub(super) struct RateLimits {
    bound: Vec<Limiter>,
    /// Their period in seconds.
    period: u32,
}

/// A count of a limiter: requests with the same key are counted together.
#[derive(Debug)]
pub(super) struct Count {
    limiter: Limiter,
    key: String,
}

impl RateLimits {
    pub(super) fn new(bound: Vec<Limiter>, period: u32) -> Self {
        Self { bound, period }
    }

    /// Returns the limiter and the key that count an authorized request: the key is the project and the caller. Returns
    /// `None` without a limiter.
    pub(super) fn of_caller(&self, project: &str, caller: &str) -> Option<Count> {
        let limiter = self.limiter(Limiter::Requests)?;
        // A project key has no spaces, so the parts cannot run into each other.
        Some(Count { limiter, key: [project, " ", caller].concat() })
    }

    /// Returns the limiter and the key that count a request for tokens: the key is the address and the client, whether
    /// or not the secret is right. The address prevents callers who guess from using up the limit of the client itself.
    /// Returns `None` without a limiter, and for requests whose secret is not compared.
    pub(super) fn of_client(&self, request: &Request, parameters: &Parameters) -> Option<Count> {
        let limiter = self.limiter(Limiter::Tokens)?;
        let client = auth::claimed_client(request, parameters)?;
        let address = request.headers.get(RequestHeader::ConnectingIp).unwrap_or_default();
        // The caller may name a client of any length.
        Some(Count { limiter, key: [&address, " ", cut(&client, ID_CHARS)].concat() })
    }

    fn limiter(&self, limiter: Limiter) -> Option<Limiter> {
        self.bound.contains(&limiter).then_some(limiter)
    }

    /// Counts a request. Returns 429 if there are too many.
    pub(super) async fn check<H: Host>(
        &self,
        platform: &Port<H>,
        count: Count,
        trace: &mut Trace,
    ) -> Result<(), ApiError> {
        match platform.is_within_limit(count.limiter, count.key).await {
            Ok(true) => Ok(()),
            Ok(false) => {
                let error = ApiError::new(Code::TooManyRequests, "Too many requests. Try again later.");
                Err(error.with_retry_after(self.period))
            }
            Err(Unreachable(cause)) => {
                trace.fail(&[count.limiter.binding(), ": ", &cause].concat());
                Ok(())
            }
        }
    }
}
