//! Collections of the largest records: 100 of nearly 1 MiB, of one kind.

use std::fmt::Write as _;
use std::time::Instant;

use resource_edge::contract::limits;
use resource_edge::project::Project;

use resource_edge::call::{Call, Query, Read, Search};

use super::collection::{Sqlite, draft, moment, perform_at, query, searching};

/// How many records a collection has.
pub const RECORDS: u64 = 100;
/// The bytes of a record besides its large values.
const REST: usize = 1_000;

/// Creates a collection for each kind of large record, with its name.
pub fn collections(budget: u64) -> impl Iterator<Item = (&'static str, Project<Sqlite>)> {
    KINDS.into_iter().map(move |(name, members)| {
        let project = Project::with_budget(Sqlite::new(), budget);
        let began = Instant::now();
        for serial in 0..RECORDS {
            let body = format!("{{\"key\":\"k{serial}\",{}}}", members(serial));
            assert!(body.len() <= limits::BODY_BYTES, "{}", body.len());
            perform_at(&project, draft(&body), moment(1_700_000_000_000 + serial, serial));
        }
        eprintln!("{RECORDS} records with {name} written in {:.1} s", began.elapsed().as_secs_f64());
        (name, project)
    })
}

/// Returns the members of the record with this number.
type Members = fn(u64) -> String;

const KINDS: [(&str, Members); 5] = [
    ("as many items as fit", |_| {
        wrapped(&[array("arrayOfObjectType", 1, &|at| format!("{{\"integerExample\":{at}}}"))])
    }),
    ("33 items and a long text", |_| {
        let items: Vec<String> = (0..33).map(|at| format!("{{\"integerExample\":{at}}}")).collect();
        format!(
            "{},\"someProperty\":\"{}\"",
            wrapped(&[format!("\"arrayOfObjectType\":[{}]", items.join(","))]),
            "x".repeat(limits::BODY_BYTES - 2_000)
        )
    }),
    ("32 long texts", |serial| {
        let texts: Vec<String> =
            (0..32).map(|at| format!("\"{}{at}.{serial}\"", "x".repeat(32_000))).collect();
        wrapped(&[format!("\"arrayOfStringExample\":[{}]", texts.join(","))])
    }),
    ("a long text", |serial| {
        format!("{},\"custom\":\"{}{serial}\"", wrapped(&[]), "x".repeat(limits::BODY_BYTES - 2_000))
    }),
    ("all seven arrays", |serial| {
        wrapped(&[
            array("arrayOfIntExample", 7, &|at| at.to_string()),
            array("arrayOfUniqueIntExample", 7, &|at| at.to_string()),
            array("arrayOfFloatExample", 7, &|at| format!("{at}.5")),
            array("arrayOfNumberNoDefaultsExample", 7, &|at| format!("{at}.25")),
            array("arrayOfStringExample", 7, &|at| format!("\"{serial}.{at}\"")),
            array("arrayOfObjectType", 7, &|at| format!("{{\"integerExample\":{at}}}")),
            "\"arrayOfTwonumbersExample\":[13,52]".to_owned(),
        ])
    }),
];

fn wrapped(arrays: &[String]) -> String {
    format!("\"objectTypeProperty\":{{{}}}", arrays.join(","))
}

/// Returns an array with as many items as fit into a part of the largest body.
fn array(field: &str, parts: usize, item: &dyn Fn(usize) -> String) -> String {
    let mut out = format!("\"{field}\":[");
    for at in 0.. {
        let item = item(at);
        if out.len() + item.len() + 2 > (limits::BODY_BYTES - REST) / parts {
            break;
        }
        let _ = write!(out, "{}{item}", if at == 0 { "" } else { "," });
    }
    out + "]"
}

/// Returns the calls that are heavy because of large records, and each kind of heavy call without a page.
pub fn calls() -> Vec<(String, Call)> {
    let mut calls = Vec::new();
    let items =
        "(arrayOfObjectType(integerExample = 7 and integerExampleInt32 != #) and custom is not defined)";
    let chain = |part: &str, glue: &str, count: usize| {
        (0..count).map(|at| part.replace('#', &at.to_string())).collect::<Vec<_>>().join(glue)
    };
    for (text, sort) in [
        ("custom != \"x\"".to_owned(), &[][..]),
        ("custom < \"a\"".to_owned(), &["custom desc"]),
        ("arrayOfIntExample > 100000000".to_owned(), &["someProperty"]),
        ("not arrayOfObjectType(integerExample = -5)".to_owned(), &[]),
        (chain(items, " or ", 20), &["version"]),
        (chain(items, " or ", 80), &[]),
        ("version > 0".to_owned(), &["custom", "someProperty", "arrayOfStringExample desc"]),
        (chain("custom = \"c#\"", " or ", 400), &[]),
        (chain("(custom = \"c#\" and version != #)", " or ", 200), &[]),
    ] {
        for with_total in [true, false] {
            calls.push((format!("{text:.60}… by {sort:?}"), without_page(query(&text, sort, with_total))));
            calls.push((format!("{text:.60}… by {sort:?}, a page"), query(&text, sort, with_total)));
        }
    }
    for search in [
        "facet=custom",
        "facet=arrayOfStringExample",
        "facet=arrayOfIntExample",
        "filter.query=version:1&facet=custom",
        "filter.query=version:1&facet=arrayOfObjectType.integerExample",
        "filter=arrayOfIntExample:range(1+to+999999)&filter=version:1",
        "filter=arrayOfFloatExample:range(1+to+999999)",
    ] {
        calls.push((search.to_owned(), without_page(searching(search))));
        if let Some((before, facet)) = search.split_once("facet=") {
            let many: Vec<String> = (0..50).map(|at| format!("facet={facet}+as+f{at}")).collect();
            let many = format!("{before}{}", many.join("&"));
            calls.push((format!("50 times {search}"), without_page(searching(&many))));
        }
    }
    calls
}

/// Returns the call with a total, but without results: a page of large records may be refused before all is counted.
fn without_page(call: Call) -> Call {
    match call {
        Call::Read(Read::QuerySorted(query)) => Call::Read(Read::QuerySorted(Query { limit: 0, ..query })),
        Call::Read(Read::Search(search)) => Call::Read(Read::Search(Search { limit: 0, ..search })),
        other => other,
    }
}
