//! The cost of a call: how many statements it runs, and how many rows it writes.

use resource_edge::call::Lookup;

use super::*;

struct Counted {
    database: Shared,
    project: Project<Shared>,
    now: Millis,
}

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
    of_resources(40)
}

fn of_resources(count: u32) -> Counted {
    let mut counted = Counted::new();
    for number in 0..count {
        counted.write(&post(&small(&format!("r{number}"), 100 + number)));
    }
    // The size is counted once.
    counted.read(Read::QuerySorted(query("", &[])));
    // Whether there are long texts, too.
    counted.read(Read::QuerySorted(query("", &["custom"])));
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
            let query = Query { with_total, ..query(predicate, sort) };
            for call in [Read::QuerySorted(query.clone()), Read::Query(query)] {
                let (page, found) = counted.page(call);
                assert_eq!(found, statements, "{predicate} {sort:?} {with_total}");
                assert_eq!(page.get("total").is_some(), with_total);
                assert_eq!(page["count"], page["results"].as_array().unwrap().len());
            }
        }
    }
}

/// Checks that each page takes no more steps with the second number of resources than with the first.
#[track_caller]
fn check_steps(resources: [u32; 2], pages: &[(&str, &str)]) {
    let collections = resources.map(of_resources);
    for (predicate, sort) in pages {
        let steps = |counted: &Counted| {
            let query = Query { with_total: false, ..query(predicate, &[*sort]) };
            counted.database.sqlite.steps.take();
            counted.read(Read::QuerySorted(query));
            counted.database.sqlite.steps.take()
        };
        let [few, many] = collections.each_ref().map(steps);
        assert!(many <= few + few / 10, "{predicate} {sort}: {few} and {many}");
    }
}

#[test]
fn a_page_along_an_index_takes_no_more_steps_in_a_larger_collection() {
    let pages = [
        ("", "someProperty"),
        ("", "someProperty desc"),
        ("", "arrayOfIntExample desc"),
        ("arrayOfIntExample = 6", "createdAt desc"),
    ];
    check_steps([40, 400], &pages);
}

#[test]
fn a_set_ends_where_the_guess_that_it_is_small_is_wrong() {
    check_steps([1_100, 3_300], &[("someProperty >= \"\"", "createdAt")]);
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
        let (reply, found) = counted.read(Read::Exists(query(predicate, &[])));
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
