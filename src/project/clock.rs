//! Time and randomness for a call.

use crate::util::time::Millis;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    pub now: Millis,
    /// Random bytes for an ID.
    pub entropy: [u8; 10],
}
