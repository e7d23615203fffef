//! The kinds of the heaviest calls, each with a number by which it grows: of tests, keys, facets, filters, words, or
//! values.

use std::collections::BTreeSet;

use resource_edge::call::{Call, Query, Read, Search};
use resource_edge::contract::limits;
use resource_edge::predicate::{self, Comparison, Test, Typed, Variables};
use resource_edge::shape::built_in::{INTEGER_EXAMPLE_INT32, OBJECTS};

use super::collection::{draft, query, searching, shape};

/// The bytes of a chain of tests. The rest of a predicate is for what stands around the chain.
const CHAIN_BYTES: usize = limits::PREDICATE_BYTES - 192;
/// The values of a variable, of six bytes each, that fit into a request.
const VALUES: usize = limits::PREDICATE_VARIABLE_BYTES / (limits::PREDICATE_VALUE_COST + 6);

/// Calls of one kind.
pub struct Growing {
    pub name: String,
    /// The largest number that the contract accepts.
    pub most: usize,
    call: Box<dyn Fn(usize) -> Call>,
}

impl Growing {
    pub fn new(name: &str, most: usize, call: impl Fn(usize) -> Call + 'static) -> Self {
        Self { name: name.to_owned(), most, call: Box::new(call) }
    }

    /// A call that does not grow.
    pub fn one(name: &str, call: Call) -> Self {
        Self::new(name, 1, move |_| call.clone())
    }

    pub fn call(&self, count: usize) -> Call {
        (self.call)(count)
    }
}

/// Joins parts, at most as many as fit into a predicate. `#` becomes the number of each.
pub fn chain(part: &str, glue: &str, count: usize) -> String {
    let mut out = String::new();
    for at in 0..count {
        let next = part.replace('#', &at.to_string());
        if out.len() + glue.len() + next.len() > CHAIN_BYTES {
            break;
        }
        if at > 0 {
            out.push_str(glue);
        }
        out.push_str(&next);
    }
    out
}

/// Returns how many parts fit into a predicate.
pub fn longest(part: &str, glue: &str) -> usize {
    let whole = chain(part, glue, usize::MAX).len();
    (1..CHAIN_BYTES).find(|count| chain(part, glue, *count).len() == whole).unwrap_or(1)
}

/// Returns every kind of heavy call.
pub fn calls() -> Vec<Growing> {
    let mut calls = chains();
    calls.extend(lists());
    calls.extend(comparisons());
    calls.extend(orders());
    calls.extend(facets());
    calls.extend(filters());
    calls.extend(words());
    for (name, beside) in [("", ""), (" beside a test", "version > 0")] {
        calls.push(Growing::new(&format!("objectParameter{name}"), limits::OBJECT_ITEMS, move |count| {
            object(count as i32, beside)
        }));
    }
    calls
}

/// The chains of tests: each kind of test of each kind of field. A second test in a part keeps the parts from being
/// merged, and an index from satisfying them.
const CHAINS: [(&str, &str); 35] = [
    ("custom != \"a#\"", " and "),
    ("(custom != \"a#\" or version < -#)", " and "),
    ("(custom > \"#\" or version < -#)", " and "),
    ("(custom >= \"#\" or version <= -#)", " and "),
    ("(custom < \"d#\" or version >= #.5)", " and "),
    ("(custom <= \"d#\" or version > #.5)", " and "),
    ("(createdBy(firstName != \"a#\") or version < -#)", " and "),
    ("(createdAt > \"2023-01-01T00:00:00.000Z\" or version < -#)", " and "),
    ("not (custom is defined and key = \"#\")", " and "),
    ("not (custom is not defined or key = \"#\")", " and "),
    ("(key in (\"a#\", \"b\") or version != #.5)", " and "),
    ("id in (\"a#\", \"b\") and key not in (\"c\", \"d#\")", " or "),
    ("(custom not in (\"a#\", \"b\", \"c\") or version = -#)", " and "),
    ("(arrayOfIntExample != # or custom = \"#\")", " and "),
    ("(arrayOfIntExample not in (-#, -5) or version < -#)", " and "),
    ("(arrayOfIntExample > -# or version < -#)", " and "),
    ("(arrayOfFloatExample > #.5 or custom = \"#\")", " and "),
    ("(arrayOfFloatExample < 1000000.5 or version < -#)", " and "),
    ("(arrayOfIntExample is not empty or version < -#)", " and "),
    ("not (arrayOfIntExample is empty or version < -#)", " and "),
    ("arrayOfIntExample contains all (#, 100#)", " or "),
    ("(not (arrayOfStringExample contains all (\"x#\", \"y\")) or version < -#)", " and "),
    ("(not (arrayOfIntExample contains any (-#, -100#)) or version < -#)", " and "),
    ("arrayOfStringExample contains all (\"a#\", \"b\")", " or "),
    ("custom matches ignore case \"X#\"", " or "),
    ("(not (custom matches ignore case \"X#\") or version < -#)", " and "),
    ("(not (id matches ignore case \"X#\") or version < -#)", " and "),
    ("arrayOfTwonumbersExample within circle(#,1,1)", " or "),
    ("(not (arrayOfTwonumbersExample within circle(#,1,1)) or version < -#)", " and "),
    ("arrayOfObjectType(integerExample = 1#)", " or "),
    ("arrayOfObjectType(integerExample != 3 and integerExampleInt32 = #)", " or "),
    ("(not arrayOfObjectType(integerExample = -# and integerExampleInt32 != #) or version < -#)", " and "),
    ("not (version > 0.5 and custom = \"#\")", " and "),
    ("(version < -# or version > 0.5)", " and "),
    ("(arrayOfObjectType.integerExample != -# or version < -#)", " and "),
];

/// Returns the query of [`query`]'s call.
fn sorted_query(predicate: &str, sort: &[&str], with_total: bool) -> Query {
    match query(predicate, sort, with_total) {
        Call::Read(Read::QuerySorted(query)) => query,
        other => panic!("a query, not {other:?}"),
    }
}

fn chains() -> Vec<Growing> {
    let mut calls = Vec::new();
    for (part, glue) in CHAINS {
        // All tests are evaluated, and no page is full before the end.
        let end = if glue == " or " { "" } else { " and not (version > 0.5)" };
        let text = move |count| chain(part, glue, count) + end;
        let most = longest(part, glue);
        calls.push(Growing::new(&format!("`{part}`"), most, move |count| query(&text(count), &[], true)));
        calls.push(Growing::new(&format!("op 1, no total, by version: `{part}`"), most, move |count| {
            Call::Read(Read::Query(sorted_query(&text(count), &["version"], false)))
        }));
        calls.push(Growing::new(&format!("HEAD: `{part}`"), most, move |count| {
            Call::Read(Read::Exists(sorted_query(&text(count), &[], true)))
        }));
    }
    calls
}

/// Returns queries with long lists, each a variable.
fn lists() -> Vec<Growing> {
    let texts = [
        "custom in :a",
        "custom not in :a",
        "arrayOfIntExample in :n",
        "arrayOfIntExample contains all :n",
        "arrayOfIntExample contains any :n",
        "arrayOfFloatExample contains all :n",
        "arrayOfStringExample contains all :a",
        "arrayOfStringExample contains any :a",
    ];
    let with = |text: &str, count: usize| {
        let mut variables = Variables::default();
        for at in 0..count {
            variables.insert("a", format!("c{at:05}"));
            variables.insert("n", at.to_string());
        }
        let mut query = sorted_query("", &[], true);
        query.condition = predicate::read(&shape(), [text], &variables).unwrap();
        Call::Read(Read::QuerySorted(query))
    };
    let mut calls = Vec::new();
    for text in texts {
        for text in
            [text.to_owned(), format!("{text} and version > 0"), format!("not ({text} and version > 0)")]
        {
            calls.push(Growing::new(&format!("`{text}`"), VALUES, move |count| with(&text, count)));
        }
    }
    let both = "custom in :a and not (arrayOfIntExample in :n and version > 0)";
    calls.push(Growing::new(&format!("`{both}`"), VALUES / 2, move |count| with(both, count)));
    calls
}

/// Returns queries with one comparison that an index satisfies, and that most resources satisfy with all their values.
fn comparisons() -> Vec<Growing> {
    let mut calls = Vec::new();
    for condition in [
        "arrayOfIntExample >= 0",
        "arrayOfIntExample < 10000000",
        "arrayOfFloatExample > 0.1",
        "arrayOfStringExample >= \"\"",
        "custom > \"\"",
        "arrayOfObjectType.integerExample <= 10000000",
    ] {
        for sort in [&[][..], &["version"], &["custom desc"]] {
            calls.push(Growing::one(&format!("`{condition}` by {sort:?}"), query(condition, sort, true)));
        }
    }
    calls
}

/// Returns all keys of an order that leave ties, each in both directions.
fn keys() -> Vec<String> {
    let fields = shape().query_fields();
    let fields: BTreeSet<String> =
        fields.into_iter().filter_map(|field| field.path).map(|path| path.to_string()).collect();
    let unique = ["id", "createdAt", "lastModifiedAt"];
    let fields = fields.into_iter().filter(|path| !unique.contains(&path.as_str()));
    let fields = fields.filter(|path| predicate::parse_sort(&shape(), path).is_ok());
    fields.flat_map(|path| [format!("{path} desc"), format!("{path} asc")]).collect()
}

fn orders() -> Vec<Growing> {
    let keys = keys();
    assert!(keys.len() > 30, "{keys:?}");
    let mut calls = Vec::new();
    for first in ["", "version desc", "createdBy.lastName desc"] {
        for condition in ["", "arrayOfIntExample = 1", "custom != \"x\""] {
            let keys = keys.clone();
            let name = format!("an order of keys after `{first}` of `{condition}`");
            calls.push(Growing::new(&name, keys.len(), move |count| {
                let first = Some(first).filter(|first| !first.is_empty());
                let keys: Vec<&str> =
                    first.into_iter().chain(keys.iter().take(count).map(String::as_str)).collect();
                query(condition, &keys, true)
            }));
        }
    }
    for key in &keys {
        calls.push(Growing::one(&format!("by {key}"), query("", &[key], true)));
    }
    for sort in
        [&[][..], &["custom desc"], &["createdBy.firstName desc"], &["version"], &["arrayOfIntExample desc"]]
    {
        let query = sorted_query("custom != \"x\" and version > 0", sort, true);
        let deep = Query { offset: limits::OFFSET_MAX, limit: limits::PAGE_MAX, ..query };
        calls.push(Growing::one(
            &format!("the deepest page by {sort:?}"),
            Call::Read(Read::QuerySorted(deep)),
        ));
    }
    calls
}

fn facets() -> Vec<Growing> {
    let mut calls = Vec::new();
    for facet in [
        "custom",
        "createdBy.firstName",
        "arrayOfIntExample",
        "version",
        "createdAt",
        "arrayOfObjectType.integerExample",
        "arrayOfStringExample:%22a#%22",
        "arrayOfIntExample:range(0+to+#),(#+to+*)",
        "arrayOfFloatExample:1,2,3,4,5,6,7,8,9,10",
    ] {
        for beside in [
            "",
            "filter.query=custom:exists&",
            "filter.facets=custom:exists&",
            "text.en=common&",
            "text.en=scarce&",
        ] {
            calls.push(Growing::new(
                &format!("facets {beside}{facet}"),
                limits::SEARCH_FACETS,
                move |count| {
                    let one = |at: usize| format!("facet={}+as+f{at}", facet.replace('#', &at.to_string()));
                    let facets: Vec<String> = (0..count).map(one).collect();
                    searching(&[beside, &facets.join("&")].concat())
                },
            ));
        }
    }
    calls
}

fn filters() -> Vec<Growing> {
    let mut calls = Vec::new();
    for filter in [
        "custom:exists",
        "custom:missing",
        "custom:%22a%22,%22b#%22",
        "createdAt:range(%222023-01-01T00:00:00.000Z%22+to+*)",
        "arrayOfIntExample:range(#+to+9999999)",
        "arrayOfFloatExample:range(0.#+to+9999999)",
        "arrayOfObjectType.integerExample:range(-#+to+9999999)",
        "version:#,1",
    ] {
        for (beside, sort) in
            [("", ""), ("", "someProperty"), ("", "custom desc"), ("", "version"), ("&text.en=common", "")]
        {
            let name = format!("filters {filter}{beside} by `{sort}`");
            calls.push(Growing::new(&name, limits::SEARCH_FILTERS, move |count| {
                let one = |at: usize| format!("filter={}", filter.replace('#', &(at + 100).to_string()));
                let filters: Vec<String> = (0..count).map(one).collect();
                sorted(&(filters.join("&") + beside), sort)
            }));
        }
    }
    for field in ["version", "arrayOfIntExample", "arrayOfFloatExample"] {
        let ranges =
            |count: usize| (0..count).map(|at| format!("({at}.25+to+{at}.5)")).collect::<Vec<_>>().join(",");
        calls.push(Growing::new(&format!("ranges of {field}"), limits::SEARCH_RANGES, move |count| {
            searching(&format!("filter={field}:range{}", ranges(count)))
        }));
        calls.push(Growing::new(
            &format!("ranges of a facet of {field}"),
            limits::SEARCH_RANGES,
            move |count| searching(&format!("facet={field}:range{}", ranges(count))),
        ));
    }
    calls
}

fn words() -> Vec<Growing> {
    /// A kind of words: its name, and the word with a number.
    type Words = (&'static str, fn(usize) -> String);
    let kinds: [Words; 8] = [
        ("different", |at| format!("{at:05x}")),
        ("repeated", |at| at.checked_sub(1).map_or_else(|| "a".to_owned(), similar)),
        ("similar", similar),
        ("near", |at| format!("nunber{at}")),
        ("far", |at| format!("quixotic{at}")),
        ("rare", |at| format!("number{at}")),
        ("short", |at| format!("c{at:03}")),
        ("common", |at| {
            ["common", "text", "plenty"]
                .get(at)
                .map_or_else(|| format!("number{at}"), |word| (*word).to_owned())
        }),
    ];
    let mut calls = Vec::new();
    for (name, word) in kinds {
        for (beside, sort) in [("", ""), ("fuzzy=true&", ""), ("", "version"), ("", "custom desc")] {
            let name = format!("{name} words {beside} by `{sort}`");
            calls.push(Growing::new(&name, limits::SEARCH_WORDS, move |count| {
                let words: Vec<String> = (0..count).map(word).collect();
                let texts: Vec<String> =
                    words.chunks(30).map(|words| format!("text.en={}", words.join("+"))).collect();
                sorted(&[beside, &texts.join("&")].concat(), sort)
            }));
        }
    }
    for search in [
        "text.en=common+scarce",
        "fuzzy=true&text.en=comon",
        "fuzzy=true&text.en=number1000+number2000+comon",
    ] {
        calls.push(Growing::one(search, searching(search)));
    }
    calls
}

/// A word that is similar to many others that this function returns.
pub fn similar(at: usize) -> String {
    format!("word{at:03}")
}

/// Returns creations of resources that others of the project do not resemble: one with as many similar words as a
/// search may have, and some with long texts among the short ones of the index.
pub fn exceptions() -> Vec<Call> {
    let words: Vec<String> = (0..limits::SEARCH_WORDS).map(|at| format!("\"{}\"", similar(at))).collect();
    let words = format!("{{\"objectTypeProperty\":{{\"arrayOfStringExample\":[{}]}}}}", words.join(","));
    let long = "x".repeat(limits::BODY_BYTES - 2_000);
    let texts = ["c1", "c4", "c7"]
        .map(|start| format!("{{\"custom\":\"{start}{long}\",\"objectTypeProperty\":{{}}}}"));
    std::iter::once(words).chain(texts).map(|body| draft(&body)).collect()
}

fn sorted(parameters: &str, sort: &str) -> Call {
    match searching(parameters) {
        Call::Read(Read::Search(mut search)) => {
            search.sort.extend((!sort.is_empty()).then(|| predicate::parse_sort(&shape(), sort).unwrap()));
            Call::Read(Read::Search(search))
        }
        other => other,
    }
}

/// Creates the condition of `objectParameter` with `count` items that any record may have.
fn object(count: i32, beside: &str) -> Call {
    let item = |number| format!("{{\"{INTEGER_EXAMPLE_INT32}\":{number}}}");
    let test = Test::ContainsItems((0..count).map(item).collect());
    let path = shape().field_of(None, OBJECTS).and_then(|field| field.path).unwrap();
    let mut query = sorted_query(beside, &[], true);
    let items = Typed::Test { path, test };
    query.condition = Typed::all([query.condition, items]);
    Call::Read(Read::Query(query))
}

/// The names of all tests.
pub const TESTS: [&str; 18] = [
    "=",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "in",
    "not in",
    "contains all",
    "contains any",
    "between",
    "is empty",
    "is not empty",
    "is defined",
    "is not defined",
    "matches ignore case",
    "within circle",
    "items",
];

/// Adds the names of the tests in a call.
pub fn tests_of(call: &Call, found: &mut BTreeSet<&'static str>) {
    match call {
        Call::Read(Read::Query(query) | Read::QuerySorted(query) | Read::Exists(query)) => {
            tests(&query.condition, found);
        }
        Call::Read(Read::Search(Search { criteria, .. })) => {
            let filters = criteria.of_results().chain(&criteria.filter_facets);
            filters.for_each(|filter| tests(filter, found));
        }
        _ => {}
    }
}

fn tests(condition: &Typed, found: &mut BTreeSet<&'static str>) {
    match condition {
        Typed::True | Typed::False => {}
        Typed::And(parts) | Typed::Or(parts) => parts.iter().for_each(|part| tests(part, found)),
        Typed::Not(inner) | Typed::Element { condition: inner, .. } => tests(inner, found),
        Typed::Test { test, .. } => drop(found.insert(name(test))),
    }
}

const fn name(test: &Test) -> &'static str {
    match test {
        Test::Compare(Comparison::Eq, _) => "=",
        Test::Compare(Comparison::Ne, _) => "!=",
        Test::Compare(Comparison::Lt, _) => "<",
        Test::Compare(Comparison::Le, _) => "<=",
        Test::Compare(Comparison::Gt, _) => ">",
        Test::Compare(Comparison::Ge, _) => ">=",
        Test::In(_) => "in",
        Test::NotIn(_) => "not in",
        Test::ContainsAll(_) => "contains all",
        Test::ContainsAny(_) => "contains any",
        Test::Between(_) => "between",
        Test::IsEmpty => "is empty",
        Test::IsNotEmpty => "is not empty",
        Test::IsDefined => "is defined",
        Test::IsNotDefined => "is not defined",
        Test::MatchesIgnoreCase(_) => "matches ignore case",
        Test::WithinCircle { .. } => "within circle",
        Test::ContainsItems(_) => "items",
    }
}
