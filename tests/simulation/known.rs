//! Faults that the simulation has found and that are not fixed yet. While a fault is listed here, one invariant is weaker, or
//! one fault of the environment is kept away. `STRICT=1` shows them all again. Remove an entry together with its fault.

use std::env;
use std::sync::OnceLock;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    /// A put that is in flight when its instance ends, and lands over a newer one, is repaired only by the sweep.
    PutInFlightAtACrash,
}

/// The faults that are not fixed yet.
const LISTED: [Known; 1] = [Known::PutInFlightAtACrash];

impl Known {
    /// Whether the simulation makes allowance for the fault. `STRICT` is `1`, or names of faults separated by commas.
    pub(crate) fn is_allowed(self) -> bool {
        static STRICT: OnceLock<String> = OnceLock::new();
        let strict = STRICT.get_or_init(|| env::var("STRICT").unwrap_or_default());
        let is_strict = strict == "1" || strict.split(',').any(|name| name == format!("{self:?}"));
        LISTED.contains(&self) && !is_strict
    }
}
