//! The work of a call is bounded (D29): each kind of work counts, and what an index satisfies is never rejected. The
//! budget is scaled down with the collection.

use std::rc::Rc;

use resource_edge::call::{Call, CallResult, Change, Query, Read, Search};
use resource_edge::contract::api::endpoint::CallId;
use resource_edge::contract::limits::{self, work};
use resource_edge::contract::param;
use resource_edge::predicate::{self, Test, Typed, Variables};
use resource_edge::project::Project;
use resource_edge::search;
use resource_edge::shape::{Content, FieldPath, ResourceInput, Shape};
use serde_json::{Value as Json, json};

use super::extremes::{every_sort, longest};
use crate::support::messages;
use crate::support::shared::Shared;

mod arrays;
mod feed;
mod words;

const RESOURCES: u64 = 400;

fn write(project: &Project<Shared>, now: u64, change: Change) {
    let reply = project.perform(&messages::write(change), &messages::at(now));
    assert_eq!(messages::status(&reply.expect("no fault")), 0);
}

fn body(at: u64) -> ResourceInput {
    let words: Vec<String> = (0..30).map(|word| format!("common{}", 100 + word)).collect();
    let item = |number: u64| json!({ "integerExample": number, "integerExampleInt32": 1 });
    let content = content(&[
        ("arrayOfIntExample", json!([1, at, 10_000 + at])),
        ("arrayOfTwonumbersExample", json!([1, at % 90])),
        ("arrayOfFloatExample", json!([0.5, at])),
        ("arrayOfStringExample", json!(words)),
        ("arrayOfObjectType", json!([item(at), item(0)])),
        ("custom", json!(if at.is_multiple_of(2) { "red" } else { "blue" })),
        ("someProperty", json!(format!("number{at} other{at} third{at}"))),
    ]);
    ResourceInput { id: Some(format!("r{at}")), content, ..ResourceInput::default() }
}

fn content(fields: &[(&str, Json)]) -> Content {
    fields.iter().map(|(name, value)| (*name, value.to_string())).collect()
}

/// Returns a project of the shape of the interface, with a scan budget.
fn with_budget(database: Shared, budget: u64) -> Project<Shared> {
    Project::with_budget(database, Rc::default(), budget)
}

/// Creates a collection with some values in every resource, and a project on it with the budget of 100,000 resources.
fn filled() -> Project<Shared> {
    filled_as(work::RESOURCES)
}

/// Creates the filled project with the scan budget of a project that has `resources` resources.
fn filled_as(resources: u64) -> Project<Shared> {
    let project = Project::new(Shared::new(), Rc::default());
    for at in 0..RESOURCES {
        write(&project, 1_700_000_000_000 + at, Change::CreateOrUpdate(body(at)));
    }
    let budget = work::BUDGET * RESOURCES / resources;
    with_budget(project.database().clone(), budget)
}

/// Returns `200` and the total, or the status and the parameter of the error.
fn ask(project: &Project<Shared>, read: Read) -> String {
    let reply = project.perform(&messages::message(Call::Read(read)), &messages::at(1_800_000_000_000));
    let reply = reply.unwrap_or_else(|fault| panic!("{fault:?}"));
    match reply.head.result {
        CallResult::Error(error) => {
            let json: Json = serde_json::from_str(&error.to_json()).expect("JSON");
            assert!(error.message().contains("too much work"), "{json}");
            format!("{} {}", error.status(), json["errors"][0]["parameter"].as_str().unwrap_or_default())
        }
        CallResult::Exists(exists) => exists.to_string(),
        _ => {
            let page: Json = serde_json::from_str(&reply.body.expect("a page")).expect("JSON");
            format!("200 {}", page["total"])
        }
    }
}

/// Asks for a page of operation 5. If it is accepted, the feed accepts the predicate, too.
fn page(project: &Project<Shared>, text: &str, sort: &[&str], with_total: bool) -> String {
    let query = query(text, sort, with_total);
    let condition = query.condition.clone();
    let answer = ask(project, Read::QuerySorted(query));
    if let Some(total) = answer.strip_prefix("200 ") {
        let matches = feed::matches(project, condition).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert!(total == "null" || total == matches.to_string(), "{matches} instead of {total}: {text}");
    }
    answer
}

fn exists(project: &Project<Shared>, text: &str) -> String {
    ask(project, Read::Exists(query(text, &[], true)))
}

fn query(text: &str, sort: &[&str], with_total: bool) -> Query {
    let shape = Shape::built_in();
    let condition = predicate::read(&shape, Some(text).filter(|text| !text.is_empty()), &variables());
    Query {
        condition: condition.expect("a predicate"),
        sort: sort.iter().map(|text| predicate::parse_sort(&shape, text).expect("a sort")).collect(),
        limit: 20,
        offset: 0,
        with_total,
    }
}

/// Returns the list of values that tests search in a record.
fn variables() -> Variables {
    (0..12).map(|at| ("l", format!("7{at}"))).collect()
}

fn searching(parameters: &str) -> Read {
    let passed = param::decode(CallId::Search.row().params, parameters).expect("parameters");
    let criteria = search::decode(&Shape::built_in(), &passed).expect("criteria");
    Read::Search(Search { criteria, sort: Vec::new(), limit: 20, offset: 0 })
}

/// Joins `count` parts; `#` becomes the number of each part.
fn many(part: &str, glue: &str, count: usize) -> String {
    (0..count).map(|at| numbered(part, at)).collect::<Vec<_>>().join(glue)
}

fn numbered(part: &str, at: usize) -> String {
    part.replace('#', &(100 + at).to_string())
}

#[test]
fn the_scan_budget_counts_each_kind_of_test() {
    let project = filled();
    for (part, count) in [
        ("(custom != \"#\" or version < -#)", 5),
        ("(custom > \"#\" or version < -#)", 60),
        ("(not (custom matches ignore case \"X#\") or version < -#)", 3),
        ("(arrayOfIntExample != # or version < -#)", 5),
        ("(arrayOfFloatExample > #.5 or version < -#)", 60),
        ("(arrayOfIntExample not in :l or version < -#)", 2),
        ("(not (arrayOfStringExample contains all (\"x#\", \"y\")) or version < -#)", 3),
        ("(not (arrayOfTwonumbersExample within circle(#,1,1)) or version < -#)", 20),
        ("(arrayOfObjectType(integerExample != #) or version < -#)", 2),
        ("(someProperty is not defined or version < -#)", 0),
        ("(version > 0.# or version < -#)", 60),
        ("(id in (\"a#\", \"b\") or version > 0)", 33),
    ] {
        // The first part prevents the index from satisfying a single test.
        let text = ["version > 0", &many(part, " and ", count)].join(" and ");
        let text = text.strip_suffix(" and ").unwrap_or(&text);
        if count > 0 {
            assert_eq!(page(&project, text, &[], true), "400 withTotal", "{text}");
            assert_eq!(page(&project, text, &["version"], true), "400 where", "{text}");
            assert_eq!(
                ask(&project, Read::Query(query(text, &["custom desc"], false))),
                "400 where",
                "{text}"
            );
        }
        let few = format!("version > 0 and {}", part.replace('#', "5"));
        assert!(page(&project, &few, &[], true).starts_with("200 "), "{few}");
    }
}

#[test]
fn the_longest_chains_of_tests_that_do_not_merge_work_in_ten_thousand_resources() {
    let project = filled_as(10_000);
    for (part, glue) in [
        ("(custom!=\"a#\"or version<-#)", "and"),
        ("(custom=\"a#\"and key!=\"#\")", "or"),
        ("not(custom is defined and key=\"#\")", "and "),
        ("not(version>0.5 and custom=\"#\")", "and "),
        ("(arrayOfIntExample!=9# or custom=\"#\")", "and"),
        ("(arrayOfIntExample>1000# and custom=\"#\")", "or"),
        ("(arrayOfFloatExample=0.# and arrayOfIntExample<-#)", "or"),
        ("(arrayOfFloatExample>#.5 or custom=\"#\")", "and"),
        ("(arrayOfIntExample>1000000# and custom<\"a#\")", "or"),
        ("(custom>\"x#\"and version<-#)", "or"),
        ("custom matches ignore case\"X#\"", "or "),
        ("arrayOfTwonumbersExample within circle(#,1,1)", "or "),
        ("not arrayOfObjectType(integerExample=1#)", "and "),
        ("arrayOfObjectType(integerExample!=1# and integerExampleInt32!=#)", "or "),
        ("(arrayOfIntExample contains all(9#,100#)or version<-#)", "and"),
    ] {
        let text = longest(glue, limits::PREDICATE_BYTES, |at| numbered(part, at));
        for sort in [&[][..], &["version"], &["custom desc"]] {
            let answer = page(&project, &text, sort, true);
            assert!(answer.starts_with("200 "), "{answer}: {part} {glue} by {sort:?}");
        }
        let answer = exists(&project, &text);
        assert!(answer == "true" || answer == "false", "{answer}: {part} {glue}");
    }
}

#[test]
fn a_page_in_the_order_of_creation_is_rejected_only_if_the_budget_ends_before_it_is_full() {
    let project = filled();
    let max = many("(custom != \"#\" or version < -#)", " and ", 60);
    let none = many("(custom = \"#\" or version < -#)", " and ", 60);
    for (text, expected) in [(&max, "200 null"), (&none, "400 where")] {
        assert_eq!(page(&project, text, &[], false), expected, "{text}");
        assert_eq!(page(&project, text, &["createdAt desc"], false), expected, "{text}");
    }
    assert_eq!(exists(&project, &max), "true");
    assert_eq!(exists(&project, &none), "400 where");
}

#[test]
fn the_scan_budget_counts_the_keys_of_an_order() {
    let project = filled();
    let all = Query { sort: every_sort(&Shape::built_in()), ..query("", &[], true) };
    assert_eq!(ask(&project, Read::QuerySorted(all.clone())), "400 sort");
    let narrowed = Query { sort: every_sort(&Shape::built_in()), ..query("custom != \"x\"", &[], true) };
    assert_eq!(ask(&project, Read::QuerySorted(narrowed)), "400 where");
    let few = Query { sort: every_sort(&Shape::built_in()), ..query("arrayOfIntExample = 7", &[], true) };
    assert_eq!(ask(&project, Read::QuerySorted(few)), "200 1");
    for sort in [&["version"][..], &["custom desc"], &["custom", "version", "arrayOfIntExample desc"]] {
        assert_eq!(page(&project, "", sort, true), "200 400", "{sort:?}");
    }
}

/// Returns the condition that a resource has this many items.
fn contains_items(count: i32) -> Typed {
    let field = Shape::built_in().field_of(None, "arrayOfObjectType");
    let path: Option<FieldPath> = field.and_then(|field| field.path);
    let items = (0..count).map(|number| json!({ "integerExampleInt32": number }).to_string());
    Typed::Test { path: path.expect("a field"), test: Test::ContainsItems(items.collect()) }
}

#[test]
fn the_scan_budget_counts_required_items() {
    let project = filled();
    let all = |counts: &[i32]| {
        let items = counts.iter().map(|count| contains_items(*count));
        let condition = Typed::all(items.chain([query("version > 0", &[], true).condition]));
        Query { condition, ..query("", &[], true) }
    };
    assert_eq!(ask(&project, Read::Query(all(&[500]))), "200 0");
    assert_eq!(ask(&project, Read::Query(all(&[500, 499]))), "400 withTotal");
}

/// Creates a project with light resources, which have an item, and heavy ones, which have many.
fn of_items(budget: u64) -> Project<Shared> {
    let project = with_budget(Shared::new(), budget);
    for at in 0..320 {
        let count = if at < 20 { MANY } else { 1 };
        write_items(&project, 1_700_000_000_000 + at, &format!("r{at}"), count);
    }
    project
}

/// The number of items of a heavy resource.
const MANY: i64 = 3_000;

fn write_items(project: &Project<Shared>, now: u64, id: &str, count: i64) {
    let items: Vec<Json> = (0..count).map(|number| json!({ "integerExample": number })).collect();
    let custom = if count == MANY { "heavy" } else { "light" };
    let content = content(&[("arrayOfObjectType", json!(items)), ("custom", json!(custom))]);
    let body = ResourceInput { id: Some(id.to_owned()), content, ..ResourceInput::default() };
    write(project, now, Change::CreateOrUpdate(body));
}

#[test]
fn the_scan_budget_counts_the_items_of_each_resource() {
    let project = of_items(work::BUDGET / 5);
    assert_eq!(project.database().number("SELECT items FROM resource WHERE id = 'r20'"), 1, "light");
    // Every resource has an item with 0, so no index narrows the query.
    let one = "(arrayOfObjectType(integerExample = 0 and integerExampleInt32 < -#) and version > 0)";
    let tests = |count| many(one, " or ", count);
    for (text, with_total, expected) in [
        (tests(1), true, "200 0"),
        (tests(2), true, "400 where"),
        (tests(20), false, "400 where"),
        (format!("custom = \"light\" and ({})", tests(20)), true, "200 0"),
        (format!("custom = \"heavy\" and ({})", tests(20)), true, "400 where"),
        (format!("id in (\"r1\", \"r2\") and ({})", tests(10)), true, "200 0"),
        (format!("id in (\"r1\", \"r2\") and ({})", tests(90)), true, "400 where"),
        ("custom != \"x\"".to_owned(), true, "200 320"),
    ] {
        let found = page(&project, &text, &[], with_total);
        assert_eq!(found, expected, "{text:.80}");
    }
    let heavy = query(&tests(20), &[], true);
    assert_eq!(ask(&project, Read::Exists(heavy)), "400 where");
    let objects = |condition| Query { condition, ..query("", &[], true) };
    assert_eq!(ask(&project, Read::Query(objects(contains_items(1)))), "200 0");
    assert_eq!(
        ask(&project, Read::Query(objects(Typed::all([contains_items(1), contains_items(2)])))),
        "400 withTotal"
    );
}

#[test]
fn a_page_of_items_is_rejected_only_if_the_budget_ends_before_it_is_full() {
    let project = of_items(work::BUDGET / 10);
    let text = many(
        "not arrayOfObjectType(integerExample = 0 and integerExampleInt32 < -#)",
        " and (version > 0 or version < 0) and ",
        4,
    );
    // The heavy resources are the first.
    for (text, sort, expected) in [
        (&text, &["createdAt desc"][..], "200 null"),
        (&text, &[], "400 where"),
        (&["version < 0 and ", &text].concat(), &["createdAt desc"], "400 where"),
    ] {
        assert_eq!(page(&project, text, sort, false), expected, "{text} {sort:?}");
    }
}

#[test]
fn the_scan_budget_counts_items_again_after_each_write() {
    let project = of_items(work::BUDGET / 10);
    let text = "not arrayOfObjectType(integerExample = 0)";
    let asked = || page(&project, text, &[], true);
    assert_eq!(asked(), "400 withTotal");
    for at in 0..20 {
        write(&project, 1_700_000_001_000 + at, Change::DeleteById { id: format!("r{at}"), version: None });
    }
    assert_eq!(asked(), "200 0");
    // The same resource again and again is still one resource.
    for at in 0..20 {
        write_items(&project, 1_700_000_002_000 + at, "r20", MANY);
        assert_eq!(asked(), "200 0");
    }
    for at in 0..20 {
        write_items(&project, 1_700_000_003_000 + at, &format!("r{at}"), MANY);
    }
    assert_eq!(asked(), "400 withTotal");
}

/// Creates a project of 20 resources with this content, and another text each.
fn of_large(content: &Content, text: &str, budget: u64) -> Project<Shared> {
    let project = with_budget(Shared::new(), budget);
    for at in 0..20 {
        let content = content.clone().with("custom", &json!(format!("{text}{at}")).to_string());
        let body = ResourceInput { id: Some(format!("r{at}")), content, ..ResourceInput::default() };
        write(&project, 1_700_000_000_000 + at, Change::CreateOrUpdate(body));
    }
    project
}

#[test]
fn the_scan_budget_counts_the_bytes_of_long_texts() {
    let project = of_large(&Content::default(), &"x".repeat(200_000), 1_000_000);
    let values = |count| many("custom = \"c#\"", " or ", count);
    let tests = |count| many("(custom > \"#\" or version < -#)", " and ", count);
    for (text, sort, expected) in [
        ("", &["version", "custom"][..], "400 sort"),
        ("someProperty is not defined", &["version", "custom"], "400 where"),
        ("someProperty is not defined", &["version"], "200 20"),
        ("id in (\"r1\", \"r2\")", &["version", "custom"], "200 2"),
        (&values(200), &[], "200 0"),
        (&tests(50), &["version"], "200 20"),
        (&tests(120), &["version"], "400 where"),
    ] {
        let found = page(&project, text, sort, true);
        assert_eq!(found, expected, "{text:.80} {sort:?}");
    }
    let facets = |count| many("&facet=version as f#", "", count).replace(' ', "+");
    for (count, expected) in [(4, "200 20"), (6, "400 facet")] {
        let parameters = format!("filter.query=someProperty:missing{}", facets(count));
        assert_eq!(ask(&project, searching(&parameters)), expected, "{count} facets");
    }
    assert_eq!(ask(&project, searching("facet=custom")), "400 facet");
}

#[test]
fn the_scan_budget_counts_words_fuzzy_words_filters_and_facets() {
    let project = filled();
    let common: String = many("&text.en=common#", "", 30);
    let absent: String = many("&text.en=quixotic#", "", 200);
    let facets =
        |facet: &str, count: usize| many(&format!("facet={facet} as f#"), "&", count).replace(' ', "+");
    for (parameters, expected) in [
        (common[1..].to_owned(), "400 text.<language>"),
        ("text.en=common101+common102&filter=custom:exists".to_owned(), "200 400"),
        ("text.en=common101".to_owned(), "200 400"),
        ("text.en=common101&text.en=number7".to_owned(), "200 1"),
        (absent[1..].to_owned(), "400 text.<language>"),
        (format!("fuzzy=true{absent}"), "400 fuzzy"),
        (many("filter=arrayOfFloatExample:range(0.# to 9999)", "&", 100).replace(' ', "+"), "400 filter"),
        (many("filter=custom:\"red\",\"x#\"", "&", 100).replace('"', "%22"), "400 filter"),
        ("filter=arrayOfIntExample:range(0+to+9999)".to_owned(), "200 400"),
        ("filter=custom:%22red%22".to_owned(), "200 200"),
        ("filter=custom:%22red%22&filter=version:exists".to_owned(), "200 200"),
        (facets("custom", 50), "400 facet"),
        (facets("arrayOfIntExample", 50), "400 facet"),
        (facets("arrayOfIntExample:range(0 to 1000)", 50), "400 facet"),
        (facets("custom:1", 50).replace(":1", ":%22red%22"), "400 facet"),
        (format!("filter.query=someProperty:exists&{}", facets("version", 30)), "400 facet"),
        (format!("text.en=common101&{}", facets("version", 30)), "400 facet"),
        (facets("custom", 8), "200 400"),
        (facets("someProperty", 4), "400 facet"),
        (format!("text.en=common101&{}", facets("custom", 1)), "200 400"),
        (format!("text.en=common101&{}", facets("custom", 2)), "400 facet"),
        (format!("filter.query=custom:%22red%22&{}", facets("custom", 1)), "200 200"),
    ] {
        assert_eq!(ask(&project, searching(&parameters)), expected, "{parameters:.80}");
    }
    // Of all resources, no result is collected.
    let exact = RESOURCES * (work::GROUPED + work::GROUP);
    for (budget, expected) in [(exact, "200 400"), (exact - 1, "400 facet")] {
        let project = with_budget(project.database().clone(), budget);
        assert_eq!(ask(&project, searching("facet=version")), expected, "{budget}");
    }
}

#[test]
fn a_query_that_an_index_satisfies_is_never_rejected_because_of_the_size() {
    let project = filled();
    // So little that no test of the whole collection fits.
    let project = with_budget(project.database().clone(), 12_000);
    for sort in [&[][..], &["createdAt desc"], &["lastModifiedAt desc"], &["custom"], &["version desc"]] {
        for (text, total) in [
            ("custom = \"red\"", 200),
            ("custom in (\"red\", \"blue\")", 400),
            ("custom matches ignore case \"RED\"", 200),
            ("arrayOfIntExample = 1", 400),
            ("arrayOfIntExample < 300", 400),
            ("arrayOfIntExample contains all (1)", 400),
        ] {
            let expected = format!("200 {total}");
            assert_eq!(page(&project, text, sort, true), expected, "{text} {sort:?}");
            assert_eq!(ask(&project, Read::Exists(query(text, sort, true))), "true", "{text}");
        }
    }
    for filter in
        ["custom:%22red%22", "arrayOfIntExample:range(0+to+9999)", "arrayOfStringExample:%22common101%22"]
    {
        assert!(ask(&project, searching(&format!("filter={filter}"))).starts_with("200 "), "{filter}");
    }
    let negation = query("custom != \"x\"", &[], true);
    assert_eq!(ask(&project, Read::QuerySorted(negation)), "400 withTotal");
}

#[test]
fn the_scan_budget_ignores_deleted_resources() {
    let project = Project::new(Shared::new(), Rc::default());
    let mut now = 1_700_000_000_000;
    let mut next = || {
        now += 1;
        now
    };
    write(&project, next(), Change::CreateOrUpdate(body(0)));
    for at in 1..600 {
        write(&project, next(), Change::CreateOrUpdate(body(at)));
        write(&project, next(), Change::DeleteById { id: format!("r{at}"), version: None });
    }
    write(&project, next(), Change::CreateOrUpdate(body(600)));
    // Enough for a hundred resources, but not for a thousand.
    let project = with_budget(project.database().clone(), 100 * 200);
    for text in
        ["custom is not defined", "custom != \"x\"", "arrayOfIntExample is empty", "not (custom = \"red\")"]
    {
        for with_total in [true, false] {
            for sort in [&[][..], &["createdAt desc"], &["version"], &["custom desc"]] {
                let found = page(&project, text, sort, with_total);
                assert!(found.starts_with("200 "), "{text} {sort:?}: {found}");
            }
        }
        let found = exists(&project, text);
        assert!(matches!(found.as_str(), "true" | "false"), "{text}: {found}");
    }
}

#[test]
fn a_range_facet_adds_integers_beyond_the_largest_integer() {
    let project = Project::new(Shared::new(), Rc::default());
    let ints: Vec<i64> = (0..1_100).map(|at| 8_999_999_999_990_000 + at).collect();
    let content = content(&[("arrayOfIntExample", json!(ints))]);
    write(
        &project,
        1_700_000_000_000,
        Change::CreateOrUpdate(ResourceInput { content, ..ResourceInput::default() }),
    );
    assert_eq!(ask(&project, searching("facet=arrayOfIntExample:range(*+to+*)")), "200 1");
}
