//! The faults of a simulation. Each seed draws a set of faults with their frequencies, so that some seeds have one
//! fault often and others have many faults together.

use crate::simulation::random::Random;

/// The frequency of each fault, per thousand occasions.
#[derive(Debug, Clone, Default)]
pub(crate) struct Faults {
    /// A request, or its response, is lost between client and edge.
    pub(crate) lost_requests: u64,
    pub(crate) lost_responses: u64,
    /// The edge receives a request twice.
    pub(crate) repeated_requests: u64,
    /// A message, or its reply, is lost between edge and object.
    pub(crate) lost_messages: u64,
    pub(crate) lost_replies: u64,
    /// The object receives a message twice, the second time perhaps much later.
    pub(crate) repeated_messages: u64,
    /// A transmission lasts seconds instead of milliseconds, so that others overtake it.
    pub(crate) slow: u64,
    /// A location reads an old state of KV.
    pub(crate) kv_lag: u64,
    /// A read of KV fails.
    pub(crate) kv_reads: u64,
    /// A put fails and changes nothing.
    pub(crate) puts_lost: u64,
    /// A put fails or times out, but still lands, perhaps much later.
    pub(crate) puts_late: u64,
    /// A put fails with 429.
    pub(crate) puts_refused: u64,
    /// A list of KV fails.
    pub(crate) lists: u64,
    /// The object's memory ends between two events.
    pub(crate) crashes: u64,
    /// The object's memory ends during a turn: at a statement, at the commit, before the reply.
    pub(crate) crashes_inside: u64,
    /// A statement fails, and the object lives on.
    pub(crate) statements: u64,
    /// A clock of an edge, or of the object, is set to another time.
    pub(crate) edge_clocks: u64,
    pub(crate) object_clock: u64,
    /// An alarm that has rung rings again.
    pub(crate) repeated_alarms: u64,
    /// A KV entry is removed from outside the service.
    pub(crate) removals: u64,
}

impl Faults {
    pub(crate) fn draw(random: &Random) -> Self {
        // Half of the faults of a seed do not occur at all.
        let upto = |max: u64| if random.chance(500) { 0 } else { random.within(1, max) };
        Self {
            lost_requests: upto(100),
            lost_responses: upto(200),
            repeated_requests: upto(100),
            lost_messages: upto(80),
            lost_replies: upto(150),
            repeated_messages: upto(150),
            slow: upto(150),
            kv_lag: upto(900),
            kv_reads: upto(100),
            puts_lost: upto(300),
            puts_late: upto(300),
            puts_refused: upto(200),
            lists: upto(300),
            crashes: upto(120),
            crashes_inside: upto(60),
            statements: upto(15),
            edge_clocks: upto(60),
            object_clock: upto(60),
            repeated_alarms: upto(300),
            removals: upto(20),
        }
    }
}
