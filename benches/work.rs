//! Measures the heaviest calls that a caller can send (D29), on native SQLite: in a collection of 100,000 small
//! resources, and in collections of 100 of nearly 1 MiB. `make bench-work` runs it. Fails if a call takes longer than
//! its bound. Of each kind of call (`lib/heaviest.rs`) it finds the largest that the budget allows, because a larger
//! one is refused at once and shows nothing. Of calls in a collection of large resources, only slow ones are printed.
//! Then it measures the turns of the project's object: each operation, calls for operators, and the events of its
//! machine (`lib/turns.rs`).
//!
//! `--large` measures only the large resources. `--only TEXT` measures only calls whose names contain the text; turns
//! are named `longest turn`.
//!
//! `--each` instead prints the cost of each kind of test per row: the figures behind `contract::limits`.

#![allow(
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::string_slice,
    clippy::format_collect,
    clippy::too_many_lines,
    reason = "a program for measuring, which may end where the service may not"
)]

#[path = "lib/collection.rs"]
mod collection;
#[path = "lib/cpu.rs"]
mod cpu;
#[path = "lib/heaviest.rs"]
mod heaviest;
#[path = "lib/large.rs"]
mod large;
#[path = "lib/turns.rs"]
mod turns;

use std::collections::BTreeSet;
use std::time::Duration;

use collection::{Sqlite, fill, query, searching};
use cpu::cpu;
use heaviest::{Growing, chain};
use resource_edge::call::{Call, CallResult, Message};
use resource_edge::contract::api::endpoint::CallId;
use resource_edge::contract::limits::work;
use resource_edge::project::{Moment, Project};

const RESOURCES: u64 = 100_000;
/// The size of the largest project in which the longest chains are allowed.
const CHAIN_RESOURCES: u64 = 10_000;
/// The longest time of a call: a quarter of a second, with room for a busy machine.
const BOUND: Duration = Duration::from_millis(300);
/// The longest time of a call in a project of the largest records, and of everything else that an object does.
const LARGE_BOUND: Duration = Duration::from_millis(500);

fn main() {
    if std::env::args().any(|arg| arg == "--chains") {
        return chains(&fill(CHAIN_RESOURCES, work::BUDGET));
    }
    if std::env::args().any(|arg| arg == "--rebuild") {
        return rebuild(fill(RESOURCES, work::BUDGET));
    }
    if std::env::args().any(|arg| arg == "--each") {
        return each(&fill(RESOURCES, u64::MAX));
    }
    println!("| call | largest allowed | ms | refused: ms |\n|---|---:|---:|---:|");
    let mut bench =
        Bench { only: std::env::args().skip_while(|arg| arg != "--only").nth(1), ..Bench::default() };
    if !std::env::args().any(|arg| arg == "--large") {
        let project = fill(RESOURCES, work::BUDGET);
        for (serial, call) in heaviest::exceptions().into_iter().enumerate() {
            let serial = serial as u64;
            collection::perform_at(&project, call, collection::moment(1_710_000_000_000 + serial, serial));
        }
        bench.measure("", &project, heaviest::calls(), BOUND);
        bench.turns("", project);
    }
    for (kind, project) in large::collections(work::BUDGET) {
        let mut calls = heaviest::calls();
        calls.extend(large::calls());
        bench.measure(kind, &project, calls, LARGE_BOUND);
        bench.turns(kind, project);
    }
    bench.end();
}

/// What was measured so far.
#[derive(Default)]
struct Bench {
    only: Option<String>,
    /// How many calls and turns take longer than their bounds.
    late: u32,
    /// The names of the endpoints whose calls were measured.
    performed: BTreeSet<&'static str>,
    /// The kinds of tests that were measured.
    tests: BTreeSet<&'static str>,
}

impl Bench {
    /// Prints the time of the slowest allowed call of each kind if it is slow, or one of an ordinary project.
    fn measure(&mut self, kind: &str, project: &Project<Sqlite>, calls: Vec<Growing>, bound: Duration) {
        for growing in calls {
            if self.only.as_ref().is_some_and(|only| ![kind, " ", &growing.name].concat().contains(only)) {
                continue;
            }
            let call = growing.call(growing.most);
            self.performed.extend(call.id().map(|id| id.row().name));
            heaviest::tests_of(&call, &mut self.tests);
            let Slowest { count, allowed, refused } = slowest(project, &growing);
            self.late += u32::from(allowed > bound) + u32::from(refused > bound);
            if kind.is_empty() || allowed.max(refused) > bound / 5 {
                let Growing { name, most, .. } = growing;
                let [allowed, refused] = [allowed, refused].map(|time| time.as_secs_f64() * 1000.0);
                println!("| {kind} {name} | {count} of {most} | {allowed:.1} | {refused:.1} |");
            }
        }
    }

    /// Prints the longest turns of each kind.
    fn turns(&mut self, kind: &str, project: Project<Sqlite>) {
        if self.only.as_ref().is_some_and(|only| !format!("{kind} longest turn").contains(only)) {
            return;
        }
        let life = turns::life(project);
        self.performed.extend(life.performed);
        for (turn, time) in life.longest {
            self.late += u32::from(time > LARGE_BOUND);
            println!("| {kind} longest turn: {turn} | | {:.1} | |", time.as_secs_f64() * 1000.0);
        }
    }

    /// Fails if something was late, or was not measured.
    fn end(self) {
        assert!(self.late == 0, "{} calls take too long", self.late);
        if self.only.is_some() {
            return;
        }
        let all: BTreeSet<&str> = CallId::ALL.iter().map(|id| id.row().name).collect();
        assert_eq!(self.performed, all, "the endpoints whose calls were measured");
        assert_eq!(self.tests, BTreeSet::from(heaviest::TESTS), "the tests that were measured");
    }
}

/// The slowest calls of a kind.
#[derive(Default)]
struct Slowest {
    /// The number of the slowest call that was allowed; 0 if all are refused.
    count: usize,
    allowed: Duration,
    /// The time of the slowest refusal.
    refused: Duration,
}

/// Finds the slowest call of a kind that the budget allows. A larger call may be allowed although a smaller one is not,
/// because another plan serves it.
fn slowest(project: &Project<Sqlite>, growing: &Growing) -> Slowest {
    let mut slowest = Slowest::default();
    let mut is_allowed = |count| {
        let (answer, time) = run(project, growing.call(count));
        let is_allowed = answer == "200";
        if is_allowed && time >= slowest.allowed {
            (slowest.count, slowest.allowed) = (count, time);
        } else if !is_allowed {
            assert!(answer.starts_with("400 "), "{} of {count}: {answer}", growing.name);
            slowest.refused = time.max(slowest.refused);
        }
        is_allowed
    };
    let mut before = (1, is_allowed(1));
    while before.0 < growing.most {
        let count = (2 * before.0).min(growing.most);
        let next = (count, is_allowed(count));
        // The last one that is allowed, or the first one.
        let (mut low, mut high) = (before, next);
        while low.1 != high.1 && high.0 - low.0 > 1 + low.0 / 16 {
            let middle = low.0.midpoint(high.0);
            let found = is_allowed(middle);
            if found == low.1 { low = (middle, found) } else { high = (middle, found) }
        }
        before = next;
    }
    slowest
}

/// Returns the response to the call, and the time of the faster of two runs.
fn run(project: &Project<Sqlite>, call: Call) -> (String, Duration) {
    let message = Message { project: "bench".to_owned(), call };
    let moment = Moment { now: 1_800_000_000_000, entropy: [0; 10] };
    let once = || {
        let began = cpu();
        let reply = project.perform(&message, &moment);
        (reply, cpu().saturating_sub(began))
    };
    let (first, time) = once();
    let answer = match first {
        Err(fault) => fault.reason.chars().take(60).collect(),
        Ok(reply) => match reply.head.result {
            CallResult::Error(error) => format!("{} {}", error.status(), error.message()),
            _ => "200".to_owned(),
        },
    };
    // A short time needs no second opinion.
    let is_long = (BOUND / 3..Duration::from_secs(1)).contains(&time);
    if is_long { (answer, time.min(once().1)) } else { (answer, time) }
}

/// Prints what a test of each kind costs per row: the difference of 10 and 5 of them, and of 50 and 25.
fn each(project: &Project<Sqlite>) {
    println!("| test | few, ns a row | many, ns a row |\n|---|---:|---:|");
    let tests = [
        "version < -#",
        "version < -#.5",
        "id = \"a#\"",
        "key in (\"a#\", \"b\", \"x\")",
        "custom = \"a#\"",
        "custom < \"a#\"",
        "not custom is defined",
        "custom matches ignore case \"x#\"",
        "arrayOfIntExample = 70#00",
        "arrayOfIntExample > 70000000#",
        "arrayOfFloatExample = 0.12#",
        "arrayOfFloatExample < -#.5",
        "arrayOfStringExample contains all (\"a#\", \"b\")",
        "custom in (\"a#\", \"b\")",
        "custom in (\"a#\", \"b\", \"c\", \"d\", \"e\")",
        "custom in (\"a#\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\", \"h\", \"i\", \"j\", \"k\")",
        "arrayOfTwonumbersExample within circle(#,1,1)",
        "arrayOfObjectType(integerExample = 100#)",
        "arrayOfObjectType(integerExample = 1# and integerExampleInt32 = 1)",
        "arrayOfObjectType(integerExampleInt32 = 1 and integerExampleInt32 = 2 and integerExampleInt32 = 3 and integerExample = 1#)",
    ];
    for test in tests {
        let time = |count: usize| {
            // The bound prevents the tests from being merged, and none can be skipped.
            let parts: Vec<String> = (0..count)
                .map(|at| format!("(version > -{at} and {})", test.replace('#', &at.to_string())))
                .collect();
            let (answer, time) = run(project, query(&format!("not ({})", parts.join(" or ")), &[], true));
            assert!(answer == "200", "{answer}");
            time
        };
        let each = |count: usize| {
            let both = time(2 * count).saturating_sub(time(count));
            both.as_nanos() as f64 / count as f64 / RESOURCES as f64
        };
        println!("| {test} | {:.0} | {:.0} |", each(5), each(25));
    }
    for sort in [
        &["version"][..],
        &["version", "custom"],
        &["version", "custom", "createdBy.firstName", "arrayOfIntExample"],
    ] {
        let time = run(project, query("", sort, true)).1.as_nanos() as f64 / RESOURCES as f64;
        println!("| sort {sort:?} | {time:.0} |");
    }
    for search in [
        "text.en=common",
        "text.en=common+text",
        "text.en=common+text+plenty",
        "text.en=common&filter=custom:exists",
        "facet=custom",
        "facet=createdBy.firstName",
        "facet=version",
        "facet=arrayOfIntExample",
        "facet=custom:%22a%22",
        "facet=arrayOfIntExample:range(0+to+*)",
        "filter.query=custom:exists",
        "filter.query=custom:exists&facet=custom",
        "filter.query=custom:exists&facet=version",
        "filter.query=custom:exists&facet=custom:%22a%22",
        "filter.query=custom:exists&facet=arrayOfIntExample:range(0+to+*)",
        "text.en=common&facet=custom:%22a%22",
        "text.en=common&facet=custom",
        "fuzzy=true&text.en=quixotic",
        "fuzzy=true&text.en=quixotic+quixotid",
        "fuzzy=true&text.en=nunber77",
        "fuzzy=true&text.en=nunber7777",
    ] {
        let (answer, time) = run(project, searching(search));
        let time = time.as_nanos() as f64 / RESOURCES as f64;
        println!("| {search} | {time:.0} | {answer}");
    }
}

/// Prints the cost of the longest chains of tests that are not merged.
fn chains(project: &Project<Sqlite>) {
    println!("| chain | tests | result | ms |\n|---|---:|---|---:|");
    for (part, glue) in [
        ("(custom != \"a#\" or version < -#)", " and "),
        ("(custom = \"a#\" and key != \"#\")", " or "),
        ("not (custom is defined and key = \"#\")", " and "),
        ("(arrayOfIntExample != # or custom = \"#\")", " and "),
        ("(arrayOfIntExample > 1000# and custom = \"#\")", " or "),
        ("(arrayOfFloatExample = 0.# and arrayOfIntExample < -#)", " or "),
        ("(arrayOfFloatExample > #.5 or custom = \"#\")", " and "),
        ("(arrayOfIntExample > 1000000# and custom < \"a#\")", " or "),
        ("(custom > \"x#\" and version < -#)", " or "),
        ("custom matches ignore case \"X#\"", " or "),
        ("arrayOfTwonumbersExample within circle(#,1,1)", " or "),
        ("not arrayOfObjectType(integerExample = 1#)", " and "),
        ("arrayOfObjectType(integerExample != 1# and integerExampleInt32 != #)", " or "),
        ("arrayOfIntExample contains all (#, 100#)", " or "),
    ] {
        let text = chain(part, glue, usize::MAX);
        let (answer, time) = run(project, query(&text, &["version"], true));
        let (count, answer) = (text.matches(glue).count() + 1, &answer[..answer.len().min(20)]);
        println!("| `{part}`{glue} | {count} | {answer} | {:.1} |", time.as_secs_f64() * 1000.0);
    }
}

/// Prints how long a rebuild of a project's index takes, and its longest turn.
fn rebuild(project: Project<Sqlite>) {
    let bytes: i64 = (project.database().connection)
        .query_row("SELECT sum(octet_length(body)) FROM resource", [], |row| row.get(0))
        .unwrap();
    project.database().connection.execute("UPDATE meta SET value=0 WHERE name='index'", []).unwrap();
    let project = Project::new(project.into_database(), collection::shape());
    let (mut turns, mut total, mut longest) = (0, Duration::ZERO, Duration::ZERO);
    loop {
        let began = cpu();
        project.make_ready().unwrap();
        let complete = project.renew(1).unwrap();
        let time = cpu().saturating_sub(began);
        (turns, total, longest) = (turns + 1, total + time, longest.max(time));
        if complete {
            println!(
                "{RESOURCES} resources, {bytes} bytes: {turns} turns, {total:.1?}, longest {longest:.1?}"
            );
            return;
        }
    }
}
