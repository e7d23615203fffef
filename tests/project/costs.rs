//! The cost of a call: how many statements it runs, and how many rows it writes.

use resource_edge::call::reply::Reply;
use resource_edge::call::{Call, Lookup, Message, Query, Read, Search};
use resource_edge::contract::api::endpoint::CallId;
use resource_edge::contract::param;
use resource_edge::project::Project;
use resource_edge::util::time::Millis;
use resource_edge::{predicate, search};
use serde_json::{Value, json};

use crate::support::messages::{at, body, delete, message, post, resource, update};
use crate::support::shared::Shared;

struct Counted {
    database: Shared,
    project: Project<Shared>,
    now: Millis,
}

/// Returns the body of a reply.
fn json_of(reply: &Reply<String>) -> Value {
    serde_json::from_str(body(reply)).expect("a body is JSON")
}

fn by_id(id: &str) -> Read {
    Read::Resource(Lookup::Id(id.to_owned()))
}

impl Counted {
    fn new() -> Self {
        let database = Shared::new();
        Self { project: Project::new(database.clone()), database, now: 1_000 }
    }

    fn write(&mut self, message: &Message) -> Reply<String> {
        self.now += 1;
        self.project.perform(message, &at(self.now)).unwrap()
    }

    /// Returns the reply to a read, and how many statements it ran.
    fn read(&self, read: Read) -> (Reply<String>, usize) {
        self.database.statements.borrow_mut().clear();
        let message = message(Call::Read(read));
        let reply = self.project.perform(&message, &at(self.now)).unwrap();
        (reply, self.database.statements.borrow().len())
    }

    fn page(&self, read: Read) -> (Value, usize) {
        let (reply, statements) = self.read(read);
        (json_of(&reply), statements)
    }

    /// Returns how many rows the write adds, changes, or removes in each table of the index.
    fn rows(&mut self, message: &Message) -> Vec<(String, u64)> {
        self.database.rows.borrow_mut().clear();
        resource(&self.project.perform(message, &at(self.now + 1)).unwrap());
        self.now += 1;
        let rows = self.database.rows.borrow();
        ["resource", "term", "text"]
            .iter()
            .filter_map(|table| Some(((*table).to_owned(), *rows.get(*table)?)))
            .collect()
    }
}

fn query(predicate: &str, sort: &[&str], with_total: bool) -> Query {
    let written = Some(predicate).filter(|text| !text.is_empty());
    let condition = predicate::read(written, &predicate::Variables::default()).unwrap();
    let sort = sort.iter().map(|text| predicate::parse_sort(text).unwrap()).collect();
    Query { condition, sort, limit: 2, offset: 0, with_total }
}

fn searching(parameters: &str) -> Read {
    let passed = param::decode(CallId::Search.row().params, parameters).unwrap();
    let criteria = search::decode(&passed).unwrap();
    Read::Search(Search { criteria, sort: Vec::new(), limit: 2, offset: 0 })
}

/// Returns the small body of the benchmarks.
fn small(id: &str, number: u32) -> Value {
    json!({
        "id": id,
        "objectTypeProperty": {
            "arrayOfIntExample": [number, 6, 7],
            "arrayOfUniqueIntExample": [number, number + 1],
            "arrayOfTwonumbersExample": [13, 52],
            "arrayOfFloatExample": [f64::from(number) + 0.5],
            "arrayOfNumberNoDefaultsExample": [1.25],
            "arrayOfStringExample": [format!("item {number}"), "blue"],
            "arrayOfObjectType": [{"integerExample": number, "integerExampleInt32": 2}],
        },
        "someProperty": format!("resource {number}"),
    })
}

fn filled() -> Counted {
    let mut counted = Counted::new();
    for number in 0..40 {
        counted.write(&post(&small(&format!("r{number}"), 100 + number)));
    }
    // The size is counted once.
    counted.read(Read::QuerySorted(query("", &[], true)));
    // Whether there are long texts, too.
    counted.read(Read::QuerySorted(query("", &["custom"], true)));
    counted
}

#[test]
fn a_query_runs_one_statement_and_one_more_if_it_compares_indexes() {
    let counted = filled();
    for (predicate, sort, statements) in [
        ("", &[][..], 1),
        ("", &["createdAt desc"], 1),
        ("", &["lastModifiedAt desc"], 1),
        ("", &["id"], 1),
        ("", &["someProperty"], 1),
        ("", &["arrayOfIntExample desc", "id"], 1),
        ("", &["version desc"], 1),
        // Half of a page has no key.
        ("", &["key"], 2),
        ("arrayOfIntExample = 6", &[], 1),
        ("arrayOfIntExample contains any (6)", &["createdAt desc"], 1),
        ("arrayOfIntExample contains any (6, 101)", &[], 1),
        ("arrayOfIntExample = 6", &["someProperty"], 1),
        ("arrayOfIntExample = 6 and someProperty = \"resource 101\"", &[], 2),
        ("arrayOfObjectType(integerExample = 101)", &[], 1),
        ("arrayOfIntExample = 5 and version = 1", &[], 1),
        ("not (arrayOfIntExample < 100)", &[], 1),
        ("custom is not defined", &["someProperty desc"], 1),
    ] {
        for with_total in [false, true] {
            let query = query(predicate, sort, with_total);
            for call in [Read::QuerySorted(query.clone()), Read::Query(query)] {
                let (page, found) = counted.page(call);
                assert_eq!(found, statements, "{predicate} {sort:?} {with_total}");
                assert_eq!(page.get("total").is_some(), with_total);
                assert_eq!(page["count"], page["results"].as_array().unwrap().len());
            }
        }
    }
}

#[test]
fn a_check_for_matches_runs_at_most_two_statements() {
    let counted = filled();
    for (predicate, statements) in [
        ("", 0),
        ("arrayOfIntExample = 6", 1),
        ("arrayOfIntExample = 5", 1),
        ("not (arrayOfIntExample < 100)", 1),
        ("arrayOfIntExample contains any (6, 101)", 1),
        ("arrayOfObjectType(integerExample = 101)", 2),
    ] {
        let (reply, found) = counted.read(Read::Exists(query(predicate, &[], true)));
        assert_eq!(found, statements, "{predicate}: {reply:?}");
    }
}

#[test]
fn a_search_ranks_counts_and_joins_in_one_statement() {
    let counted = filled();
    for (parameters, statements, total) in [
        ("text.en=blue", 1, 40),
        ("text.en=nothing", 1, 0),
        ("text.en=blue&filter=arrayOfIntExample:101", 1, 1),
        ("text.en=blux&fuzzy=true", 2, 40),
        ("filter=arrayOfIntExample:101", 1, 1),
        // The number of values in the array, then the terms of the facet, then the number of resources without a value.
        ("text.en=blue&facet=arrayOfIntExample", 3, 40),
    ] {
        let (page, found) = counted.page(searching(parameters));
        assert_eq!((found, &page["total"]), (statements, &json!(total)), "{parameters}: {page}");
    }
}

#[test]
fn a_write_writes_one_row_for_each_distinct_value_that_changes() {
    let mut counted = Counted::new();
    let row = |table: &str, rows| (table.to_owned(), rows);
    // The tables are created on first use.
    counted.read(by_id("a"));
    // Fourteen values. The platform counts two more rows for the indexes of `resource`, and one for `text`.
    assert_eq!(counted.rows(&post(&small("a", 100))), [row("resource", 1), row("term", 14), row("text", 1)]);
    assert_eq!(counted.rows(&update("a", 1, None)), [row("resource", 1)]);
    // One value is removed and one added; so are the words.
    assert_eq!(
        counted.rows(&update("a", 2, Some("changed"))),
        [row("resource", 1), row("term", 2), row("text", 1)]
    );
    // A new smallest value: one row is added, and the old one is no longer the smallest.
    let arrays = json!({"arrayOfIntExample": [1, 6, 7, 100]});
    assert_eq!(
        counted.rows(&post(&json!({"id": "a", "objectTypeProperty": arrays}))),
        [row("resource", 1), row("term", 2)]
    );
    assert_eq!(counted.rows(&delete("a")), [row("resource", 1), row("term", 15), row("text", 1)]);
    let left =
        counted.database.sqlite.connection.query_row("SELECT count(*) FROM term", [], |row| row.get(0));
    assert_eq!(left, Ok(0));
}

#[test]
fn totals_follow_every_write_except_failed_ones() {
    let disk = Shared::new();
    let project = Project::new(disk.clone());
    let mut now = 0;
    let mut write = |message: &Message| {
        now += 1;
        project.perform(message, &at(now))
    };
    let total = || {
        let message = message(Call::Read(Read::QuerySorted(query("", &[], true))));
        json_of(&project.perform(&message, &at(1)).unwrap())["total"].clone()
    };
    assert_eq!(total(), 0);
    write(&post(&small("a", 1))).unwrap();
    write(&post(&small("b", 2))).unwrap();
    assert_eq!(total(), 2);
    for statements in 0..12 {
        disk.fails_after.set(Some(statements));
        let failed = write(&post(&small("c", 3))).is_err();
        disk.fails_after.set(None);
        assert_eq!(total(), if failed { 2 } else { 3 }, "{statements}");
        if !failed {
            write(&delete("c")).unwrap();
        }
        assert_eq!(total(), 2);
    }
    // Rejected writes.
    write(&update("a", 9, None)).unwrap();
    write(&delete("c")).unwrap();
    assert_eq!(total(), 2);
}

#[test]
fn every_test_finds_the_values_of_a_resource_with_many_values() {
    let mut counted = Counted::new();
    let numbers: Vec<f64> = (0..100).map(|number| f64::from(number) * 10.0 + 0.5).collect();
    let items: Vec<Value> =
        (0..100).map(|number| json!({"integerExample": number, "integerExampleInt32": -number})).collect();
    let many = json!({"arrayOfFloatExample": numbers, "arrayOfObjectType": items});
    for id in ["a", "b"] {
        counted.write(&post(&json!({"id": id, "objectTypeProperty": many})));
    }
    counted.write(&post(&json!({"id": "c", "objectTypeProperty": {"arrayOfFloatExample": [500.0], "arrayOfObjectType": [{"integerExample": 50}]}})));
    let list = (1..20).map(|number| format!("{number}00.5")).collect::<Vec<_>>().join(",");
    let gaps = (1..20).map(|number| format!("{number}01.5")).collect::<Vec<_>>().join(",");
    for (predicate, total) in [
        (format!("not (arrayOfFloatExample in ({list}))"), 1),
        (format!("not (arrayOfFloatExample in ({gaps}))"), 3),
        ("not (arrayOfFloatExample > 900)".to_owned(), 1),
        ("not (arrayOfFloatExample < 400)".to_owned(), 1),
        ("not (arrayOfObjectType(integerExample = 50 and integerExampleInt32 = -50))".to_owned(), 1),
        ("not (arrayOfObjectType(integerExample = 50 and integerExampleInt32 = -49))".to_owned(), 3),
        ("not (arrayOfObjectType(integerExample > 98))".to_owned(), 1),
        ("arrayOfObjectType is empty".to_owned(), 0),
    ] {
        let (page, _) = counted.page(Read::QuerySorted(query(&predicate, &[], true)));
        assert_eq!(page["total"], total, "{predicate}");
    }
    for (filter, total) in [("range(400.6 to 401)", 0), ("range(499 to 500)", 1), ("range(400 to 410)", 2)] {
        let parameters = format!(
            "filter=arrayOfObjectType:exists&filter=arrayOfFloatExample:{filter},({} to {})",
            5000, 6000
        );
        let (page, _) = counted.page(searching(&parameters.replace(' ', "%20")));
        assert_eq!(page["total"], total, "{filter}");
    }
}
