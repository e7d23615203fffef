//! How far a call has come: what its attempts used up and changed. JavaScript stores it as one number from attempt to
//! attempt, and never looks into it.

use super::message::Number;

/// The progress of a call after some attempts. Default: no attempt.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    pub(super) retries: u32,
    /// Whether the service rejected a token, so that the call got another.
    pub(super) is_renewed: bool,
    /// Whether the call reads from the source of truth now, because a response was outdated.
    pub(super) is_refreshed: bool,
    /// Whether an attempt may have performed the write.
    pub(super) is_unknown: bool,
}

const RENEWED: u64 = 1;
const REFRESHED: u64 = 2;
const UNKNOWN: u64 = 4;
const RETRY: u64 = 8;

impl Progress {
    /// Returns whether an attempt may have performed the write. If not, no attempt did.
    pub fn is_unknown(self) -> bool {
        self.is_unknown
    }

    /// Returns it as a number, as messages contain it.
    pub fn number(self) -> f64 {
        let flags = [(self.is_renewed, RENEWED), (self.is_refreshed, REFRESHED), (self.is_unknown, UNKNOWN)];
        let flags = flags.into_iter().map(|(is_set, flag)| if is_set { flag } else { 0 });
        (u64::from(self.retries) * RETRY + flags.sum::<u64>()) as f64
    }
}

impl Number for Progress {
    fn of(number: f64) -> Self {
        let bits = number as u64;
        Self {
            retries: (bits / RETRY) as u32,
            is_renewed: bits & RENEWED != 0,
            is_refreshed: bits & REFRESHED != 0,
            is_unknown: bits & UNKNOWN != 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    #[test]
    fn a_number_contains_the_whole_progress() {
        for retries in [0, 1, u32::MAX] {
            for flags in 0..8 {
                let [is_renewed, is_refreshed, is_unknown] = [1, 2, 4].map(|flag| flags & flag != 0);
                let progress = Progress { retries, is_renewed, is_refreshed, is_unknown };
                assert_eq!(Progress::of(progress.number()), progress);
            }
        }
        assert_eq!(Progress::of(f64::NAN), Progress::default());
    }
}
