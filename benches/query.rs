//! Measures how query times grow with the collection, on native SQLite: `make bench-query`.
//!
//! For each query that must not become slower, both collections have the same number of matches. The others show which
//! queries may become slower. Each figure is the median of many runs that alternate between the two collections.

#![allow(
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a program for measuring, which may end where the service may not"
)]

#[path = "lib/collection.rs"]
mod collection;

use std::time::{Duration, Instant};

use collection::{Sqlite, fill, perform_at, query, searching};
use resource_edge::call::Call;
use resource_edge::contract::limits::work;
use resource_edge::project::{Moment, Project};

const SMALL: u64 = 1_000;
const LARGE: u64 = 100_000;
/// How long one query is measured in each collection.
const BUDGET: Duration = Duration::from_millis(400);

struct Case {
    name: &'static str,
    /// The maximum growth of the time; `None` if there is no limit.
    bound: Option<f64>,
    call: Call,
}

fn main() {
    let large = std::env::args().skip_while(|arg| arg != "--resources").nth(1);
    let large = large.map_or(LARGE, |count| count.parse().unwrap());
    let small = fill(SMALL.min(large), work::BUDGET);
    let big = fill(large, work::BUDGET);
    println!("\n| query | {SMALL} | {large} | growth | bound |\n|---|---|---|---|---|");
    for case in cases() {
        let (few, many) = measure(&small, &big, &case.call);
        let growth = many.as_secs_f64() / few.as_secs_f64();
        let bound = case.bound.map_or_else(|| "may grow".to_owned(), |bound| format!("{bound}×"));
        println!("| {} | {} | {} | {growth:.2}× | {bound} |", case.name, shown(few), shown(many));
    }
}

fn shown(time: Duration) -> String {
    format!("{:.3} ms", time.as_secs_f64() * 1000.0)
}

fn measure(small: &Project<Sqlite>, big: &Project<Sqlite>, call: &Call) -> (Duration, Duration) {
    let run = |project| {
        let began = Instant::now();
        perform_at(project, call.clone(), Moment { now: 1_800_000_000_000, entropy: [0; 10] });
        began.elapsed()
    };
    // The first runs fill the caches.
    run(small);
    run(big);
    let (mut few, mut many) = (Vec::new(), Vec::new());
    let began = Instant::now();
    while began.elapsed() < BUDGET * 2 || few.len() < 5 {
        few.push(run(small));
        many.push(run(big));
    }
    (median(few), median(many))
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

#[allow(clippy::too_many_lines, reason = "a table of queries")]
fn cases() -> Vec<Case> {
    let case = |name, bound, call| Case { name, bound, call };
    let rare = "arrayOfIntExample contains any (4242)";
    let common = "arrayOfIntExample contains any (1)";
    let both = "arrayOfStringExample = \"seldom\" and version > 0";
    vec![
        case("`contains any` of a rare value", Some(2.0), query(rare, &[], false)),
        case("`contains any` of a value in all", Some(2.0), query(common, &[], false)),
        case("rare and common, sorted by a scalar", Some(2.0), query(both, &["custom desc"], false)),
        case(
            "one item of an array of objects",
            Some(2.0),
            query("arrayOfObjectType(integerExample = -7)", &[], false),
        ),
        case("first page by creation", Some(2.0), query("", &["createdAt desc"], false)),
        case("first page by key", Some(2.0), query("", &["key"], false)),
        // The version has no index, because each update would change it.
        case("first page by version, descending", None, query("", &["version desc"], false)),
        case("first page by custom", Some(2.0), query("", &["custom"], false)),
        case("first page by custom, descending", Some(2.0), query("", &["custom desc"], false)),
        case(
            "first page by firstName, ties, descending",
            Some(2.0),
            query("", &["createdBy.firstName desc"], false),
        ),
        case(
            "first page by lastModifiedAt, descending",
            Some(2.0),
            query("", &["lastModifiedAt desc"], false),
        ),
        case("text search, 20 matches", Some(3.0), searching("text.en=scarce")),
        case("text search, 20 matches, with a common word", None, searching("text.en=scarce+common")),
        case("a common word", None, searching("text.en=common")),
        case("a fuzzy word, all words different", None, searching("text.en=nunber77&fuzzy=true")),
        case("a filter and a terms facet", None, searching("filter=custom:exists&facet=createdBy.firstName")),
        case("`withTotal` of everything", None, query("", &[], true)),
        case("`withTotal` of a value in all", None, query(common, &[], true)),
        case(
            "no index: a negation that few satisfy",
            None,
            query("not (arrayOfIntExample < 4000)", &[], false),
        ),
    ]
}
