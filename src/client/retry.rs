//! Which responses a call retries after, and the pause before a retry (contract, section 9).

use super::options::Retry;
use crate::util::time::Millis;

/// Returns whether the same request may succeed a little later: the service is busy, starting, or unavailable (status
/// 0).
pub(super) const fn is_transient(status: u32) -> bool {
    matches!(status, 0 | 429 | 502 | 503 | 504)
}

impl Retry {
    /// Returns the pause before the retry with that number (from 0): the service's `Retry-After` if there is one, else
    /// a backoff, if there are retries at all.
    pub(super) fn pause(&self, retry: u32, retry_after: Option<Millis>, jitter: u32) -> Millis {
        let backoff = || if self.retries == 0 { 0 } else { self.backoff(retry, jitter) };
        retry_after.unwrap_or_else(backoff)
    }

    /// Returns a random pause. Its upper bound doubles with each retry, up to the limit (full jitter).
    fn backoff(&self, retry: u32, jitter: u32) -> Millis {
        let factor = 1_u32.checked_shl(retry).unwrap_or(u32::MAX);
        let span = self.base_delay.saturating_mul(factor).min(self.max_delay);
        (u64::from(span) * u64::from(jitter)) >> 32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    #[test]
    fn pauses_are_random_out_of_a_span_that_doubles_to_a_bound() {
        let retry = Retry { retries: 9, base_delay: 100, max_delay: 1000 };
        let longest: Vec<_> = (0..9).map(|at| retry.backoff(at, u32::MAX)).collect();
        assert_eq!(longest, [99, 199, 399, 799, 999, 999, 999, 999, 999]);
        assert_eq!(retry.backoff(3, 0), 0);
        assert_eq!(retry.backoff(3, u32::MAX / 2), 399);
        assert_eq!(retry.backoff(200, u32::MAX), 999);
    }

    #[test]
    fn retry_after_precedes_the_backoff() {
        let retry = Retry { retries: 4, base_delay: 200, max_delay: 8000 };
        assert_eq!([retry.pause(0, Some(7000), 5), retry.pause(9, Some(7000), 5)], [7000; 2]);
        assert_eq!(retry.pause(9, None, u32::MAX), 7999);
        let none = Retry { retries: 0, ..retry };
        assert_eq!([none.pause(0, Some(7000), 5), none.pause(0, None, u32::MAX)], [7000, 0]);
    }
}
