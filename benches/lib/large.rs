//! Collections of the largest records: 100 of nearly 1 MiB, of one kind.

use std::fmt::Write as _;
use std::time::Instant;

use resource_edge::contract::limits;
use resource_edge::project::Project;

use resource_edge::call::{Call, Query, Read, Search};

use super::collection::{Sqlite, draft, moment, perform_at, query, searching, shape};
use super::heaviest::{Growing, chain, longest, similar};

/// How many records a collection has.
pub const RECORDS: u64 = 100;
/// The bytes of a record besides its large values.
const REST: usize = 1_000;

/// Creates a collection for each kind of large record, with its name.
pub fn collections(budget: u64) -> impl Iterator<Item = (&'static str, Project<Sqlite>)> {
    KINDS.into_iter().map(move |(name, members)| {
        let project = Project::with_budget(Sqlite::new(), shape(), budget);
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

const KINDS: [(&str, Members); 8] = [
    ("as many words as fit", |_| {
        let words = format!("\"{}\"", ["a"; limits::SEARCH_TEXT_CHARS / 2].join(" "));
        let mut texts: Vec<String> =
            (0..limits::SEARCH_WORDS).map(|at| format!("\"{}\"", similar(at))).collect();
        let bytes: usize = texts.iter().map(|text| text.len() + 1).sum();
        texts.resize(texts.len() + (limits::BODY_BYTES - REST - bytes) / (words.len() + 1), words);
        wrapped(&[format!("\"arrayOfStringExample\":[{}]", texts.join(","))])
    }),
    ("as many different words as fit", |_| {
        // Words of five characters.
        let text = |at: usize| (42 * at..42 * (at + 1)).map(|at| format!("{at:05x}")).collect::<Vec<_>>();
        wrapped(&[array("arrayOfStringExample", 1, &|at| format!("\"{}\"", text(at).join(" ")))])
    }),
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
    ("short texts among long ones", |serial| {
        let text = |at: usize| format!("\"{:06x}.{serial}\"", at * 7919 % 100_003);
        if serial % 25 > 0 {
            return wrapped(&[array("arrayOfStringExample", 1, &text)]);
        }
        let long = "x".repeat(limits::BODY_BYTES / 32 - 100);
        let texts: Vec<String> =
            (0..32).map(|at| format!("\"{:06x}{long}\"", at * 3_125 + serial as usize)).collect();
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
pub fn calls() -> Vec<Growing> {
    let mut calls = Vec::new();
    for (part, glue, sort) in [
        ("custom != \"x\"", "", &[][..]),
        ("custom < \"a\"", "", &["custom desc"]),
        ("arrayOfIntExample > 100000000", "", &["someProperty"]),
        ("not arrayOfObjectType(integerExample = -5)", "", &[]),
        (ITEMS, " or ", &["version"]),
        (ITEMS, " or ", &[]),
        ("version > 0", "", &["custom", "someProperty", "arrayOfStringExample desc"]),
        ("custom = \"c#\"", " or ", &[]),
        ("(custom = \"c#\" and version != #)", " or ", &[]),
    ] {
        let most = if glue.is_empty() { 1 } else { longest(part, glue) };
        for with_total in [true, false] {
            let text = move |count| query(&chain(part, glue, count), sort, with_total);
            let name = format!("`{part}` by {sort:?}, total: {with_total}");
            calls.push(Growing::new(&format!("{name}, no page"), most, move |count| {
                without_page(text(count))
            }));
            calls.push(Growing::new(&name, most, text));
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
        let most = if search.contains("facet=") { limits::SEARCH_FACETS } else { 1 };
        calls.push(Growing::new(&format!("{search}, no page"), most, move |count| {
            let Some((before, facet)) = search.split_once("facet=") else {
                return without_page(searching(search));
            };
            let facets: Vec<String> = (0..count).map(|at| format!("facet={facet}+as+f{at}")).collect();
            without_page(searching(&[before, &facets.join("&")].concat()))
        }));
    }
    calls
}

/// A test of items beside another test.
const ITEMS: &str =
    "(arrayOfObjectType(integerExample = 7 and integerExampleInt32 != #) and custom is not defined)";

/// Returns the call with a total, but without results: a page of large records may be refused before all is counted.
fn without_page(call: Call) -> Call {
    match call {
        Call::Read(Read::QuerySorted(query)) => Call::Read(Read::QuerySorted(Query { limit: 0, ..query })),
        Call::Read(Read::Search(search)) => Call::Read(Read::Search(Search { limit: 0, ..search })),
        other => other,
    }
}
