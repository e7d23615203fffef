//! Deterministic simulation: the real handler, project, and client in a world that a seed generates, with everything
//! that can go wrong around them.
//!
//! ```sh
//! # a bounded number of seeds, and the mutants
//! cargo test --no-default-features --test service simulation::
//! # one seed; prints its trace if it fails
//! FIRST_SEED=45 SEEDS=1 cargo test --no-default-features --test service no_seed_breaks_a_guarantee
//! # one mutant
//! MUTANT=SendUnstored cargo test --no-default-features --test service every_mutant -- --nocapture
//! # long runs: of the service, and of followers
//! SEEDS=100000 cargo test --profile bench --no-default-features --test service no_seed -- --nocapture
//! SEEDS=10000 cargo test --profile bench --no-default-features --test service followers_have -- --nocapture
//! ```
//!
//! # Real and simulated parts
//!
//! | part | here |
//! |---|---|
//! | `src/client`: requests, session, decisions | real; `client` performs the decisions, as `calls.ts` does |
//! | `src/server`: the handler with its tokens | real, as a state machine whose effects the world performs (`edge`) |
//! | `src/project`: writes, queries, outbox, queue, sweep, the event loop | real, on SQLite itself (`disk`) |
//! | `src/worker`: the calls of the platform | replaced: `object` performs the tasks of the event loop |
//! | KV | simulated (`kv`): a cache and a lag per location, absence included; puts that fail, land late, or never |
//! | the object's memory | real; a crash ends it between two events, or at any statement, commit, or alarm in a turn |
//! | network, clocks, alarms | simulated (`world`): messages lost, late, twice; jumping clocks; alarms at least once |
//! | deployments | simulated (`deploy`): the shape of a declared resource changes in any way |
//!
//! The project `p` has the interface's resource, or a random one that the deployment declares. A second project,
//! `neighbor`, has another one in the same instance.
//!
//! One thread, one queue of events, one source of randomness: a seed is always the same simulation. Each seed draws
//! faults and their frequencies (`faults`). Three clients send up to three calls at the same time (`workload`), on few
//! IDs and keys, so that the calls conflict. Then the faults stop, and pending work is completed (`rest`).
//!
//! `follower` is a second kind of worlds, with two installations: a standby imports the changes of a source, which is
//! restored and emptied meanwhile. It has no KV and no client. Its sockets have tokens that expire, and a kill of an
//! object may lose commits that are not on disk: then nothing that shows them may have left the object.
//!
//! # Checked guarantees
//!
//! - **The object** (`oracle`). Each write is decided again, by the contract's table: versions are contiguous, one
//!   writer wins an expected version, revisions rise, keys are unique, a rejected write changes nothing. A repeat
//!   changes nothing and gets the first response. A read, query, or search shows exactly what is committed. A put has a
//!   state that was committed.
//! - **Batches** (D43): each write is decided on the states that those before it leave; all are committed, or none.
//! - **The edge** (`oracle`). A response to a write is the object's reply. A read shows a state that was committed: the
//!   present one if it has to be fresh, no older one than the minimum revision, and by key only one that had the key. A
//!   404 is true. A copy that a location remembers is one that it has read within the age of the setting (`edge`).
//! - **KV that is behind** (`object::staleness`). The object reports that plain reads bypass KV while a write waits for
//!   its put for more than 5 seconds, whatever its revision is.
//! - **The client** (`session`). It reads its own writes and never an older state, by ID, by key, and in pages. A write
//!   that it reports as refused was not performed.
//! - **After a crash**, the database has exactly the committed state.
//! - **A declared resource** has exactly the content that D38 to D41 say: full and partial bodies, null, defaults,
//!   update actions, and unique values. An edge refuses a body that breaks a rule of its shape, and only such a body. A
//!   write is never refused for what an earlier shape allowed, and removes what its shape does not have.
//! - **Deployments** change no record, and nothing is refused after one. Between the deployments to the edges and to
//!   the object, 503 is right only for what names something that both do not have alike.
//! - **Projects** never have the fields of each other.
//! - **A follower** (`follower`) ends each run with the states of its source at its position. Positions are refused
//!   after a restore and a deletion of the data, and only then. What it got survives a kill, and its token gets nothing
//!   after its end. After the last page, and after a frame, it has whole batches.
//! - **At the end** (`rest`), KV equals the database: tombstones and pointers included, without orphans. The
//!   index equals a rebuilt index. Plain reads at each location return the present state.
//!
//! # Limits of the simulation
//!
//! - What is replaced (`src/worker`) or repeated (the client's loop) is tested on workerd and in Node.
//! - A crash never tears a commit, and a late put lands within 50 seconds after it failed: the code relies on both.
//! - A KV entry that is removed from outside is repaired only by the sweep. So is an uncertain put if the clock jumps
//!   forward over the time of its confirmation, or if its row cannot be stored. These entries are checked after the
//!   sweep.
//! - Few resources: limits and sizes are the subject of other tests.
//!
//! `mutant` breaks the code in many ways from outside; the simulation has to notice each.

mod client;
mod deploy;
mod disk;
mod edge;
mod faults;
mod follower;
mod kv;
mod mutant;
mod neighbor;
mod object;
mod oracle;
mod rest;
mod run;
mod session;
mod tests;
pub(crate) mod workload;
mod world;

use crate::support::random;
