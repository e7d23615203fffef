//! Measures the heaviest calls that a caller can send (D29), on native SQLite: in a collection of 100,000 small
//! resources, and in collections of 100 of nearly 1 MiB. `make bench-work` runs it. Fails if a call takes longer than
//! its bound. Of calls in a collection of large resources, only slow ones are printed. Then it measures the turns of
//! the project's object: writes, calls for operators, and the events of its machine (`lib/turns.rs`).
//!
//! `--large` measures only the large resources.
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
#[path = "lib/large.rs"]
mod large;
#[path = "lib/turns.rs"]
mod turns;

use std::fmt::Write as _;
use std::time::Duration;

use collection::{Sqlite, fill, query, searching};
use cpu::cpu;
use resource_edge::call::reply::CallResult;
use resource_edge::call::{Call, Message, Read};
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
    println!("| call | result | ms |\n|---|---|---:|");
    let mut late = 0;
    if !std::env::args().any(|arg| arg == "--large") {
        let project = fill(RESOURCES, work::BUDGET);
        late += measure("", &project, heaviest(), BOUND);
        late += turns("", project);
    }
    for (kind, project) in large::collections(work::BUDGET) {
        let mut calls = heaviest();
        calls.extend(large::calls());
        late += measure(kind, &project, calls, LARGE_BOUND);
        late += turns(kind, project);
    }
    assert!(late == 0, "{late} calls take too long");
}

/// Prints the time of each call that is slow or is one of an ordinary project. Returns how many take longer than the
/// bound.
fn measure(kind: &str, project: &Project<Sqlite>, calls: Vec<(String, Call)>, bound: Duration) -> u32 {
    let mut late = 0;
    for (name, call) in calls {
        let (answer, time) = run(project, call);
        let answer: String = answer.chars().take(45).collect();
        late += u32::from(time > bound);
        if kind.is_empty() || time > bound / 5 {
            println!("| {kind} {name} | {answer} | {:.1} |", time.as_secs_f64() * 1000.0);
        }
    }
    late
}

/// Prints the longest turns of each kind. Returns how many take longer than [`LARGE_BOUND`].
fn turns(kind: &str, project: Project<Sqlite>) -> u32 {
    let mut late = 0;
    for (turn, time) in turns::longest(project) {
        late += u32::from(time > LARGE_BOUND);
        println!("| {kind} longest turn: {turn} | | {:.1} |", time.as_secs_f64() * 1000.0);
    }
    late
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
    if time < Duration::from_secs(1) { (answer, time.min(once().1)) } else { (answer, time) }
}

/// Repeats the part as often as it fits into 8 KiB. `#` becomes its number.
fn chain(part: &str, glue: &str) -> String {
    let mut out = String::new();
    for at in 0.. {
        let next = part.replace('#', &at.to_string());
        if out.len() + glue.len() + next.len() > 8_000 {
            return out;
        }
        let _ = write!(out, "{}{next}", if at == 0 { "" } else { glue });
    }
    out
}

fn heaviest() -> Vec<(String, Call)> {
    let mut calls = Vec::new();
    let chains = [
        ("custom != \"a#\"", " and "),
        ("(custom != \"a#\" or version < -#)", " and "),
        ("not (custom is defined and key = \"#\")", " and "),
        ("not (version > 0.5 and custom = \"#\")", " and "),
        ("(arrayOfIntExample != # or custom = \"#\")", " and "),
        ("(arrayOfFloatExample > #.5 or custom = \"#\")", " and "),
        ("custom matches ignore case \"X#\"", " or "),
        ("arrayOfTwonumbersExample within circle(#,1,1)", " or "),
        ("arrayOfObjectType(integerExample = 1#)", " or "),
        ("arrayOfObjectType(integerExample != 3 and integerExampleInt32 = #)", " or "),
        ("arrayOfIntExample contains all (#, 100#)", " or "),
        ("arrayOfStringExample contains all (\"a#\", \"b\")", " or "),
        ("id in (\"a#\", \"b\") and key not in (\"c\", \"d#\")", " or "),
    ];
    for (part, glue) in chains {
        let text = format!("{} and not (version > 0.5)", chain(part, glue));
        let text = if glue == " or " { chain(part, glue) } else { text };
        calls.push((format!("8 KiB of `{part}`{glue}"), query(&text, &[], true)));
        calls.push((
            format!("8 KiB of `{part}`{glue}, no total, by version"),
            query(&text, &["version"], false),
        ));
        if let Call::Read(Read::QuerySorted(query)) = query(&text, &[], true) {
            calls.push((format!("HEAD: 8 KiB of `{part}`{glue}"), Call::Read(Read::Exists(query))));
        }
    }
    let sorts: Vec<String> = [
        "someProperty",
        "custom",
        "createdBy.firstName",
        "arrayOfIntExample",
        "arrayOfFloatExample",
        "arrayOfStringExample",
        "arrayOfObjectType.integerExample",
        "arrayOfObjectType.integerExampleInt32",
        "arrayOfUniqueIntExample",
        "arrayOfTwonumbersExample",
        "arrayOfNumberNoDefaultsExample",
        "createdBy.lastName",
        "lastModifiedBy.firstName",
        "lastModifiedBy.lastName",
        "key",
        "version",
    ]
    .iter()
    .flat_map(|path| [format!("{path} desc"), format!("{path} asc")])
    .collect();
    let sorts: Vec<&str> = sorts.iter().map(String::as_str).collect();
    let last = [&["version desc"], &sorts[..]].concat();
    let ties = [&["createdBy.lastName desc"], &sorts[..]].concat();
    for (name, sort) in [("30 keys", &sorts), ("30 keys after version", &last), ("30 keys after ties", &ties)]
    {
        calls.push((format!("sort by {name}"), query("", sort, true)));
        calls.push((format!("sort by {name}, a common value"), query("arrayOfIntExample = 1", sort, true)));
        calls.push((format!("sort by {name}, a negation"), query("custom != \"x\"", sort, true)));
    }
    let deep = |sort: &[&str]| match query("custom != \"x\" and version > 0", sort, true) {
        Call::Read(Read::QuerySorted(mut query)) => {
            (query.offset, query.limit) = (10_000, 500);
            Call::Read(Read::QuerySorted(query))
        }
        other => other,
    };
    for sort in
        [&[][..], &["custom desc"], &["createdBy.firstName desc"], &["version"], &["arrayOfIntExample desc"]]
    {
        calls.push((format!("offset 10,000, limit 500, sort {sort:?}"), deep(sort)));
    }
    calls.push(("lists".to_owned(), lists()));
    let facet = |facet: &str| -> String {
        (0..50).map(|at| format!("&facet={}+as+f{at}", facet.replace('#', &at.to_string()))).collect()
    };
    let facets = [
        "custom",
        "createdBy.firstName",
        "arrayOfIntExample",
        "version",
        "arrayOfStringExample:%22a%23%22",
        "arrayOfIntExample:range(0+to+%23),(%23+to+*)",
        "arrayOfFloatExample:1,2,3,4,5,6,7,8,9,10",
    ];
    for one in facets {
        let one = one.replace("%23", "#");
        calls.push((format!("a facet {one}"), searching(&format!("facet={}", one.replace('#', "7")))));
        calls.push((format!("50 facets {one}"), searching(&facet(&one)[1..])));
        calls.push((
            format!("50 filtered facets {one}"),
            searching(&format!("filter.query=custom:exists{}", facet(&one))),
        ));
        calls.push((
            format!("50 facets {one} of a word"),
            searching(&format!("text.en=common{}", facet(&one))),
        ));
        calls.push((
            format!("50 facets {one} of a scarce word"),
            searching(&format!("text.en=scarce{}", facet(&one))),
        ));
    }
    let filters = |filter: &str| -> String {
        (0..100).map(|at| format!("&filter={}", filter.replace('#', &(at + 100).to_string()))).collect()
    };
    for filter in [
        "custom:exists",
        "custom:%22a%23%22,%22b%22",
        "arrayOfIntExample:range(%23+to+9999999)",
        "arrayOfFloatExample:range(0.%23+to+9999999)",
        "version:%23,1",
    ] {
        let filter = filter.replace("%23", "#");
        calls.push((
            format!("a filter {filter}"),
            searching(filters(&filter)[1..].split('&').next().unwrap()),
        ));
        calls.push((format!("100 filters {filter}"), searching(&filters(&filter)[1..])));
        calls.push((
            format!("100 filters {filter} of a word"),
            searching(&format!("text.en=common{}", filters(&filter))),
        ));
    }
    for (field, sort) in [
        ("arrayOfIntExample", "someProperty"),
        ("arrayOfIntExample", "custom desc"),
        ("arrayOfFloatExample", "version"),
    ] {
        calls.push((
            format!("a filter {field}:range(2 to 9999), by {sort}"),
            sorted(&format!("filter={field}:range(2+to+9999)"), sort),
        ));
    }
    let ranges: Vec<String> = (0..100).map(|at| format!("({at}.25+to+{at}.5)")).collect();
    for field in ["version", "arrayOfIntExample", "arrayOfFloatExample"] {
        calls.push((
            format!("100 ranges {field}"),
            searching(&format!("filter={field}:range{}", ranges.join(","))),
        ));
    }
    let words = |word: &dyn Fn(usize) -> String, count: usize| -> String {
        let words: Vec<String> = (0..count).map(word).collect();
        words.chunks(30).map(|words| format!("&text.en={}", words.join("+"))).collect()
    };
    let near = |at: usize| format!("nunber{at}");
    let far = |at: usize| format!("quixotic{at}");
    let common = |at: usize| ["common", "text", "plenty"][at % 3].to_owned();
    calls.push(("a word in every record".to_owned(), searching("text.en=common")));
    calls.push(("three words in every record".to_owned(), searching(&words(&common, 3)[1..])));
    calls.push(("a word in every record and a scarce one".to_owned(), searching("text.en=common+scarce")));
    calls.push(("a word in every record, by version".to_owned(), sorted("text.en=common", "version")));
    calls.push(("a word in every record, by custom".to_owned(), sorted("text.en=common", "custom desc")));
    for count in [1, 8, 64, 256] {
        calls.push((
            format!("{count} near fuzzy words"),
            searching(&format!("fuzzy=true{}", words(&near, count))),
        ));
        calls.push((
            format!("{count} far fuzzy words"),
            searching(&format!("fuzzy=true{}", words(&far, count))),
        ));
        calls.push((format!("{count} absent words"), searching(&words(&far, count)[1..])));
        let many = |at: usize| format!("number{at}");
        calls.push((format!("{count} rare words"), searching(&words(&many, count)[1..])));
    }
    calls
        .push(("a fuzzy word near a word in every record".to_owned(), searching("fuzzy=true&text.en=comon")));
    calls.push((
        "fuzzy words near many".to_owned(),
        searching("fuzzy=true&text.en=number1000+number2000+comon"),
    ));
    for count in [10, 100, 500] {
        calls.push((format!("objectParameter of {count} items"), object(count)));
    }
    calls
}

fn sorted(parameters: &str, sort: &str) -> Call {
    match searching(parameters) {
        Call::Read(Read::Search(mut search)) => {
            search.sort = vec![resource_edge::predicate::parse_sort(sort).unwrap()];
            Call::Read(Read::Search(search))
        }
        other => other,
    }
}

/// Lists of variables of the greatest length.
fn lists() -> Call {
    use resource_edge::predicate::{self, Variables};
    let mut variables = Variables::default();
    for at in 0..5_000 {
        variables.insert("a", format!("c{at:05}"));
        variables.insert("n", at.to_string());
    }
    let text = "custom in :a and not (arrayOfIntExample in :n and version > 0)";
    let Call::Read(Read::QuerySorted(mut query)) = query("", &[], true) else { panic!("a query") };
    query.condition = predicate::read([text], &variables).unwrap();
    Call::Read(Read::QuerySorted(query))
}

/// Creates the condition of `objectParameter` with `count` items that any record may have.
fn object(count: i32) -> Call {
    use resource_edge::contract::resource::field::FieldPath;
    use resource_edge::contract::resource::model::ObjectItem;
    use resource_edge::contract::resource::schema::FieldId;
    use resource_edge::predicate::{Test, Typed};
    let item = |number| ObjectItem { integer_example: None, integer_example_int32: Some(number) };
    let test = Test::ContainsItems((0..count).map(item).collect());
    let Call::Read(Read::QuerySorted(mut query)) = query("", &[], true) else { panic!("a query") };
    query.condition = Typed::Test { path: FieldPath::of(FieldId::ArrayOfObjectType), test };
    Call::Read(Read::QuerySorted(query))
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
        let text = chain(part, glue);
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
    let project = Project::new(project.into_database());
    let (mut turns, mut total, mut longest) = (0, Duration::ZERO, Duration::ZERO);
    loop {
        let began = cpu();
        let complete = project.make_ready().unwrap();
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
