//! Every valid body up to the limit can be stored, read back, found, changed, and removed, whatever its items are
//! (D28).

use std::fmt::Write as _;
use std::time::Instant;

use resource_edge::call::reply::Reply;
use resource_edge::call::{Call, Change, Message, Query, Read, Search};
use resource_edge::contract::api::endpoint::CallId;
use resource_edge::contract::limits;
use resource_edge::contract::param;
use resource_edge::contract::resource::model::ResourceInput;
use resource_edge::contract::resource::schema;
use resource_edge::project::Project;
use resource_edge::{predicate, search, validate};
use serde_json::{Value, json};

use crate::support::messages::{
    at, body, delete, get, merge, message, once, post, put, status, update, write,
};
use crate::support::shared::Shared;

/// The bytes that a body leaves for the other fields of its record: ID, times, and the empty arrays.
const REST: usize = 600;

/// A body near the limit.
struct Large {
    name: &'static str,
    /// The members of the body besides ID and version.
    members: String,
    /// A predicate that it satisfies, and a search query that finds it.
    predicate: &'static str,
    search: &'static str,
    /// The large text, if it is one that remains until another text replaces it.
    text: Option<&'static str>,
}

fn list(field: &str, item: &dyn Fn(usize) -> String) -> String {
    let mut out = format!(r#""objectTypeProperty":{{"{field}":["#);
    for at in 0.. {
        let item = item(at);
        if out.len() + item.len() + REST > limits::BODY_BYTES {
            break;
        }
        let _ = write!(out, "{}{item}", if at == 0 { "" } else { "," });
    }
    out + "]}"
}

fn text(field: &str, unit: &str) -> String {
    let bytes = limits::BODY_BYTES - REST;
    format!(r#""objectTypeProperty":{{}},"{field}":"{}""#, unit.repeat(bytes / unit.len()))
}

/// A letter that folds to three.
const FOLDS: &str = "\u{390}";

fn row(name: &'static str, members: String, predicate: &'static str, search: &'static str) -> Large {
    Large { name, members, predicate, search, text: None }
}

/// Returns the largest bodies that another body replaces: one for each array, including those with the largest index
/// entries, and one for a person.
#[allow(clippy::too_many_lines, reason = "a table of resources")]
fn arrays() -> Vec<Large> {
    vec![
        row(
            "300,000 items without members",
            list("arrayOfObjectType", &|_| "{}".to_owned()),
            "arrayOfObjectType is not empty",
            "filter=arrayOfObjectType:exists",
        ),
        row(
            "distinct items",
            list("arrayOfObjectType", &|at| {
                format!(r#"{{"integerExample":{at},"integerExampleInt32":-{at}}}"#)
            }),
            "arrayOfObjectType(integerExample = 9999 and integerExampleInt32 = -9999)",
            "filter=arrayOfObjectType.integerExample:9999",
        ),
        row(
            "one integer, repeated",
            list("arrayOfIntExample", &|_| "1".to_owned()),
            "arrayOfIntExample contains all (1)",
            "filter=arrayOfIntExample:range(1%20to%201)",
        ),
        row(
            "distinct integers",
            list("arrayOfIntExample", &|at| at.to_string()),
            "arrayOfIntExample = 99999",
            "filter=arrayOfIntExample:99999&facet=arrayOfIntExample",
        ),
        row(
            "the largest integers",
            list("arrayOfUniqueIntExample", &|at| (limits::INTEGER_MAX - at as i64).to_string()),
            "arrayOfUniqueIntExample = 9007199254740991",
            "filter=arrayOfUniqueIntExample:9007199254740991",
        ),
        row(
            "one double, repeated",
            list("arrayOfFloatExample", &|_| "0.5".to_owned()),
            "arrayOfFloatExample = 0.5",
            "filter=arrayOfFloatExample:0.5",
        ),
        row(
            "distinct doubles of all magnitudes",
            list("arrayOfNumberNoDefaultsExample", &|at| format!("{}.7e-{}", at / 280, at % 280 + 10)),
            "arrayOfNumberNoDefaultsExample = 0.7e-11",
            "filter=arrayOfNumberNoDefaultsExample:exists",
        ),
        row(
            "one text, repeated",
            list("arrayOfStringExample", &|_| "\"S123\"".to_owned()),
            "arrayOfStringExample = \"S123\"",
            "text.en=s123",
        ),
        row(
            "distinct short texts",
            list("arrayOfStringExample", &|at| format!("\"T{at}\"")),
            "arrayOfStringExample = \"T54321\"",
            "text.en=t54321&facet=arrayOfStringExample",
        ),
        row(
            "distinct texts that fold to longer ones",
            list("arrayOfStringExample", &|at| format!("\"{at} {}\"", FOLDS.repeat(250))),
            "arrayOfStringExample is not empty",
            "text.en=999",
        ),
        row(
            "distinct texts as long as IDs may be",
            list("arrayOfStringExample", &|at| format!("\"{at} {}\"", "\\\"".repeat(250))),
            "arrayOfStringExample is not empty",
            "text.en=999",
        ),
        row(
            "two long texts",
            list("arrayOfStringExample", &|at| format!("\"{at} {}\"", "x".repeat(500_000))),
            "arrayOfStringExample is not empty",
            "text.en=1",
        ),
        row(
            "a person with a long name",
            format!(
                r#""objectTypeProperty":{{}},"lastModifiedBy":{{"firstName":"{}","lastName":"{}"}}"#,
                FOLDS.repeat(250_000),
                "Z".repeat(500_000)
            ),
            "lastModifiedBy is defined",
            "filter=lastModifiedBy.firstName:exists",
        ),
    ]
}

/// Returns the largest texts, which remain until another text replaces them.
fn texts() -> Vec<Large> {
    let of_text = |name, field: &'static str, unit, predicate, search| Large {
        text: Some(field),
        ..row(name, text(field, unit), predicate, search)
    };
    vec![
        of_text("a long text", "someProperty", "ab ", "someProperty is defined", "text.en=ab"),
        of_text(
            "a long text that folds to a longer one",
            "custom",
            FOLDS,
            "custom is defined",
            "filter=custom:exists",
        ),
        of_text(
            "a long text of escapes",
            "fifteenthProperty",
            "\\u0001",
            "fifteenthProperty is defined",
            "filter=fifteenthProperty:exists",
        ),
    ]
}

struct Stage {
    disk: Shared,
    project: Project<Shared>,
    now: u64,
    name: &'static str,
}

impl Stage {
    fn new(name: &'static str) -> Self {
        let disk = Shared::new();
        let mut stage = Self { project: Project::new(disk.clone()), disk, now: 1_000, name };
        stage.write(post(&json!({"id": "small", "objectTypeProperty": {}})));
        stage
    }

    fn perform(&mut self, message: &Message) -> Reply<String> {
        self.now += 1;
        let reply = self
            .project
            .perform(message, &at(self.now))
            .unwrap_or_else(|error| panic!("{}: {error}", self.name));
        assert_eq!(status(&reply), 0, "{}: {:?}", self.name, reply.head);
        reply
    }

    /// Performs a write, its repeat, and a read of the result.
    fn write(&mut self, write: Message) -> Reply<String> {
        let write = once(write, &format!("k{}", self.now));
        let first = self.perform(&write);
        let again = self.perform(&write);
        assert!(again.head.replayed, "{}", self.name);
        assert_eq!(again.body, first.body, "{}", self.name);
        first
    }

    fn total(&mut self, read: Read) -> Value {
        let reply = self.perform(&message(Call::Read(read)));
        // `found` reads back the record itself.
        serde_json::from_str::<Value>(body(&reply)).unwrap()["total"].clone()
    }

    /// Checks that a page with the body, a query, and a search find it as it is read.
    fn found(&mut self, large: &Large) {
        let record = self.perform(&get("big"));
        for with_first in [false, true] {
            let query = query("id = \"big\"");
            let call = if with_first { Read::Query(query) } else { Read::QuerySorted(query) };
            let page = self.perform(&message(Call::Read(call)));
            assert!(body(&page).contains(body(&record)), "{}", self.name);
        }
        assert_eq!(self.total(Read::QuerySorted(query(large.predicate))), 1, "{}", self.name);
        assert_eq!(self.total(searching(large.search)), 1, "{}", self.name);
        let opposite = format!("not ({})", large.predicate);
        assert_eq!(self.total(Read::QuerySorted(query(&opposite))), 1, "{}: only the small one", self.name);
    }

    fn left(&self, table: &str) -> i64 {
        self.disk.number(&format!("SELECT count(*) FROM {table}"))
    }
}

fn query(predicate: &str) -> Query {
    let condition = predicate::read(Some(predicate), &predicate::Variables::default()).unwrap();
    let sort = vec![predicate::parse_sort("createdAt desc").unwrap()];
    Query { condition, sort, limit: 1, offset: 0, with_total: true }
}

fn searching(parameters: &str) -> Read {
    let passed = param::decode(CallId::Search.row().params, parameters).unwrap();
    Read::Search(Search { criteria: search::decode(&passed).unwrap(), sort: Vec::new(), limit: 1, offset: 0 })
}

/// Returns a body of operations 6 to 8 with these members.
fn input(members: &str, version: u64) -> ResourceInput {
    let text = format!(r#"{{"id":"big","version":{version},{members}}}"#);
    assert!(text.len() <= limits::BODY_BYTES && text.len() > limits::BODY_BYTES / 2 - REST, "{}", text.len());
    validate::resource_input(&schema::RESOURCE_DRAFT, text.as_bytes()).expect("a good body")
}

/// Runs every operation on the body. `next` are members that can replace the members of the body.
fn live(large: &Large, next: &str) {
    let mut stage = Stage::new(large.name);
    // Created, updated by actions, merged with texts.
    stage.write(write(Change::CreateOrUpdate(input(&large.members, 1))));
    stage.found(large);
    stage.write(update("big", 1, None));
    stage.write(merge(&json!({"id": "big", "eigthProperty": "eight"})));
    // Replaced by a body that has nothing in common with it, and vice versa.
    stage.write(write(Change::CreateOrOverwrite(input(next, 3))));
    stage.write(write(Change::Overwrite(input(&large.members, 4))));
    stage.write(delete("big"));
    assert_eq!((stage.left("term"), stage.left("vocabulary")), (0, 0), "{}", large.name);
    // Created empty, then overwritten.
    stage.write(post(&json!({"id": "big", "objectTypeProperty": {}})));
    stage.write(write(Change::Overwrite(input(&large.members, 6))));
    // The index can be rebuilt.
    let entries = (stage.left("term"), stage.left("vocabulary"));
    stage.disk.sqlite.connection.execute("UPDATE meta SET value = 0 WHERE name = 'index'", []).unwrap();
    stage.project = Project::new(stage.disk.clone());
    stage.found(large);
    assert_eq!((stage.left("term"), stage.left("vocabulary")), entries, "{}", large.name);
    // Written unchanged, emptied, and removed.
    stage.write(write(Change::CreateOrUpdate(input(&large.members, 7))));
    stage.write(put(&json!({"id": "big", "version": 8, "objectTypeProperty": {}})));
    stage.write(delete("big"));
    assert_eq!((stage.left("term"), stage.left("vocabulary")), (0, 0), "{}", large.name);
}

/// Tests every second body, so that the tests share two cores.
fn live_all(first: usize) {
    let all: Vec<Large> = arrays().into_iter().chain(texts()).collect();
    let arrays = all.iter().filter(|large| large.text.is_none()).count();
    for (number, large) in all.iter().enumerate().skip(first).step_by(2) {
        // Arrays replace each other as a whole; a text remains unless another replaces it.
        let next = match large.text {
            None => all[(number + 1) % arrays].members.clone(),
            Some(field) => text(field, "Other "),
        };
        let started = Instant::now();
        live(large, &next);
        println!("{}: {:?}", large.name, started.elapsed());
    }
}

#[test]
fn every_largest_body_works_in_every_operation() {
    live_all(0);
}

#[test]
fn every_other_largest_body_works_in_every_operation() {
    live_all(1);
}
