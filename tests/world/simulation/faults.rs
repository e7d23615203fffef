//! The faults of a simulation. Each seed draws a set of faults with their frequencies, so that some seeds have one
//! fault often and others have many faults together.

use crate::world::simulation::random::Random;

/// Declares the faults, each with the highest frequency that a seed draws.
macro_rules! faults {
    ($($(#[$about:meta])* $fault:ident up to $max:literal,)*) => {
        /// The frequency of each fault, per thousand occasions.
        #[derive(Debug, Clone, Default)]
        pub(crate) struct Faults {
            $($(#[$about])* pub(crate) $fault: u64,)*
        }

        impl Faults {
            pub(crate) fn draw(random: &Random) -> Self {
                // Half of the faults of a seed do not occur at all.
                let upto = |max: u64| if random.chance(500) { 0 } else { random.within(1, max) };
                Self { $($fault: upto($max),)* }
            }
        }
    };
}

faults! {
    /// A request, or its response, is lost between client and edge.
    lost_requests up to 100,
    lost_responses up to 200,
    /// The edge receives a request twice.
    repeated_requests up to 100,
    /// A message, or its reply, is lost between edge and object.
    lost_messages up to 80,
    lost_replies up to 150,
    /// The object receives a message twice, the second time perhaps much later.
    repeated_messages up to 150,
    /// A transmission lasts seconds instead of milliseconds, so that others overtake it.
    slow up to 150,
    /// A location reads an old state of KV.
    kv_lag up to 900,
    /// A read of KV fails.
    kv_reads up to 100,
    /// A put fails and changes nothing.
    puts_lost up to 300,
    /// A put fails or times out, but still lands, perhaps much later.
    puts_late up to 300,
    /// A put fails with 429.
    puts_refused up to 200,
    /// A list of KV fails.
    lists up to 300,
    /// The object's memory ends between two events.
    crashes up to 120,
    /// The object's memory ends during a turn: at a statement, at the commit, before the reply.
    crashes_inside up to 60,
    /// A statement fails, and the object lives on.
    statements up to 15,
    /// A clock of an edge, or of the object, is set to another time.
    edge_clocks up to 60,
    object_clock up to 60,
    /// An alarm that has rung rings again.
    repeated_alarms up to 300,
    /// The service gets another shape of its resource.
    deployments up to 200,
    /// A KV entry is removed from outside the service.
    removals up to 20,
}
