//! The promise of rules (D44), with random resources, rules, users, and calls: each response to a user has the bytes
//! that it has in a project with only the resources that `read` selects. A second service is that project.
//!
//! ```sh
//! FIRST_SEED=45 SEEDS=1 cargo test --no-default-features --test service rights_hide
//! SEEDS=10000 cargo test --profile bench --no-default-features --test service rights_hide -- --nocapture
//! ```
//!
//! What D44 excepts is compared as far as it goes: the feed without the IDs outside, and a name that a hidden resource
//! has.

mod calls;
mod draw;
mod followers;
mod worlds;

use std::collections::BTreeMap;

use resource_edge::contract::api::endpoint::DECLARED;

use crate::support::random::{Random, variable};
use draw::Reader;
use worlds::{Compared, Worlds};

/// The number of seeds without the variable `SEEDS`.
const SEEDS: u64 = 20;
/// How often a seed's project changes, and how many calls each user sends between two changes.
const ROUNDS: u64 = 5;
const READS: u64 = 8;

/// What has to occur, so that the seeds show something.
const OFTEN: [&str; 27] = [
    "shows true, all false",
    "get 200",
    "get 200, a copy",
    "get 200, a copy, old",
    "get 404",
    "get 304, a copy",
    "page 200",
    "exists 200",
    "exists 404",
    "search 200",
    "feed 200",
    "socket 200",
    "tool 200",
    "create 201",
    "create 403",
    "create taken",
    "update 200",
    "update 403",
    "update 404",
    "update 409",
    "update 412",
    "delete 200",
    "delete 404",
    "batch 200",
    "tool batch 200",
    "tool batch 403",
    "tool batch 404",
];

/// How often each kind of call got each status, so that a run can prove that it tested something.
type Tally = BTreeMap<String, u64>;

fn run(seed: u64, tally: &mut Tally) {
    let random = Random::new(seed);
    let worlds = Worlds::draw(&random);
    for _ in 0..ROUNDS {
        let followers = worlds.follow(&random);
        let twins = worlds.change_under(&random, random.chance(400));
        worlds.compare_followers(&followers, &twins);
        for (_, twin) in &twins {
            let (all, hidden) = (twin.shown > 0, twin.hidden.is_empty());
            *tally.entry(format!("shows {all}, all {hidden}")).or_default() += 1;
        }
        for _ in 0..READS {
            let call = calls::read(&random, &worlds);
            // The instance may remember what it has sent to somebody who reads everything.
            worlds.send_as_operator(&call);
            for (reader, twin) in &twins {
                let Compared { status, is_of_copy, is_old } = worlds.compare_read(reader, twin, &call);
                let of = if is_of_copy { ", a copy" } else { "" };
                let old = if is_old { ", old" } else { "" };
                *tally.entry(format!("{} {status}{of}{old}", call.kind)).or_default() += 1;
            }
        }
        drop(twins);
        worlds.catch_up();
        let users: Vec<Reader> = worlds.plan.users().collect();
        for _ in 0..4 {
            let user = random.pick(&users);
            let call = calls::write(&random, &worlds, user);
            let what = worlds.compare_write(user, &call);
            *tally.entry(format!("{} {what}", call.kind)).or_default() += 1;
        }
    }
    for operation in worlds.operations.take() {
        *tally.entry(operation).or_default() += 1;
    }
}

#[test]
fn rights_hide_all_but_what_the_rule_selects() {
    let (first, seeds) = (variable("FIRST_SEED").unwrap_or(0), variable("SEEDS").unwrap_or(SEEDS));
    let mut tally = Tally::new();
    for seed in first..first + seeds {
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let mut own = Tally::new();
            run(seed, &mut own);
            own
        }));
        let own = result.unwrap_or_else(|_| {
            panic!(
                "once more: FIRST_SEED={seed} SEEDS=1 cargo test --no-default-features --test service rights_hide"
            )
        });
        for (what, times) in own {
            *tally.entry(what).or_default() += times;
        }
    }
    println!("{seeds} seeds: {tally:#?}");
    if seeds >= SEEDS {
        for what in OFTEN {
            assert!(tally.contains_key(what), "{what}: never");
        }
        for row in DECLARED.iter().filter(|row| row.is_for_users()) {
            assert!(tally.contains_key(row.name), "a user never sends {}: add it to calls.rs", row.name);
        }
    }
}
