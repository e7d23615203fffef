//! Faults that the simulation has found and that are not fixed yet. Each switch makes one invariant weaker, or keeps one
//! fault of the environment away. Remove a switch together with its fault.

pub(crate) struct Known {
    /// A read by key accepts a state that is older than what the client saw of the key while the read was under way.
    pub(crate) reads_by_key_that_began_before: bool,
    /// So does a page of what it saw of an ID.
    pub(crate) pages_that_began_before: bool,
    /// So does a 404.
    pub(crate) misses_that_began_before: bool,
    /// So does a read from the source of truth.
    pub(crate) fresh_reads_that_began_before: bool,
    /// A put that is in flight when its instance ends, and lands after a newer one, is repaired only by the sweep.
    pub(crate) puts_in_flight_at_a_crash: bool,
}

pub(crate) const KNOWN: Known = Known {
    reads_by_key_that_began_before: true,
    pages_that_began_before: true,
    misses_that_began_before: true,
    fresh_reads_that_began_before: true,
    puts_in_flight_at_a_crash: true,
};
