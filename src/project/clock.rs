//! Time and randomness for a call.

use crate::util::time::Millis;

/// The external inputs of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// The time.
    pub now: Millis,
    /// Random bytes for an ID.
    pub entropy: [u8; 10],
}
