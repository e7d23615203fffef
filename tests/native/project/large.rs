//! Every valid body up to the limit can be stored, read back, found, changed, and removed, whatever its items are
//! (D28).

use std::fmt::Write as _;
use std::time::Instant;

use resource_edge::contract::limits;
use resource_edge::shape::{ObjectId, ResourceInput};
use resource_edge::validate;

use super::*;

/// The bytes that a body leaves for the other fields of its record: ID, times, and the empty arrays.
const REST: usize = 600;

/// A body near the limit.
struct Large {
    name: &'static str,
    /// The members of the body besides ID and version.
    members: String,
    /// A predicate that it satisfies, and a search query that finds it.
    predicate: String,
    search: String,
    /// The large text, if it is one that remains until another text replaces it.
    text: Option<&'static str>,
}

/// Returns an array of as many items as fit. In an item, `#` is its number, `%` the largest
/// integer's last digits minus it, and `^` a number from 10 to 289.
fn list(field: &str, pattern: &str) -> String {
    let mut out = format!(r#""objectTypeProperty":{{"{field}":["#);
    for at in 0.. {
        let item = pattern.replace('#', &at.to_string()).replace('^', &(at % 280 + 10).to_string());
        let item = item.replace('%', &(54_740_991 - at).to_string());
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

/// A name; an array or a text; the pattern of its items, or its unit; a predicate; a search. `@` is the field.
type Row = (&'static str, &'static str, &'static str, &'static str, &'static str);

const TEXTS: &str = "arrayOfStringExample";
const NUMBERS: &str = "arrayOfNumberNoDefaultsExample";

/// The largest arrays, including those with the largest index entries. `FOLDS`, `QUOTES`, and `LONG` are long texts.
const ARRAYS: [Row; 12] = [
    ("300,000 items without members", "arrayOfObjectType", "{}", "@ is not empty", "filter=@:exists"),
    ("distinct items", "arrayOfObjectType", ITEM, ITEM_PREDICATE, "filter=@.integerExample:9999"),
    ("one integer, repeated", "arrayOfIntExample", "1", "@ contains all (1)", "filter=@:range(1%20to%201)"),
    ("distinct integers", "arrayOfIntExample", "#", "@ = 99999", "filter=@:99999&facet=@"),
    (
        "the largest integers",
        "arrayOfUniqueIntExample",
        "90071992%",
        "@ = 9007199254740991",
        "filter=@:9007199254740991",
    ),
    ("one double, repeated", "arrayOfFloatExample", "0.5", "@ = 0.5", "filter=@:0.5"),
    ("distinct doubles of all magnitudes", NUMBERS, "#.7e-^", "@ = 1.7e-11", "filter=@:exists"),
    ("one text, repeated", TEXTS, "\"S123\"", "@ = \"S123\"", "text.en=s123"),
    ("distinct short texts", TEXTS, "\"T#\"", "@ = \"T54321\"", "text.en=t19876&facet=@"),
    ("distinct texts that fold to longer ones", TEXTS, "\"# FOLDS\"", "@ is not empty", "text.en=999"),
    ("distinct texts as long as IDs may be", TEXTS, "\"# QUOTES\"", "@ is not empty", "text.en=999"),
    ("two long texts", TEXTS, "\"# LONG\"", "@ is not empty", "text.en=1"),
];
const ITEM: &str = r#"{"integerExample":#,"integerExampleInt32":-#}"#;
const ITEM_PREDICATE: &str = "@(integerExample = 9999 and integerExampleInt32 = -9999)";

/// The largest texts, which remain until another text replaces them.
const SINGLE: [Row; 3] = [
    ("a long text", "someProperty", "ab ", "@ is defined", "text.en=ab"),
    ("a long text that folds to a longer one", "custom", FOLDS, "@ is defined", "filter=@:exists"),
    ("a long text of escapes", "fifteenthProperty", "\\u0001", "@ is defined", "filter=@:exists"),
];

/// Returns the bodies that another body replaces, and then those that remain.
fn all() -> (Vec<Large>, Vec<Large>) {
    let large = |(name, field, _, predicate, search): Row, members, text| {
        let [predicate, search] = [predicate, search].map(|text| text.replace('@', field));
        Large { name, members, predicate, search, text }
    };
    let long = [("FOLDS", FOLDS.repeat(250)), ("QUOTES", "\\\"".repeat(250)), ("LONG", "x".repeat(500_000))];
    let array = |row: Row| {
        let pattern = long.iter().fold(row.2.to_owned(), |text, (name, long)| text.replace(name, long));
        large(row, list(row.1, &pattern), None)
    };
    let names = [FOLDS.repeat(250_000), "Z".repeat(500_000)];
    let person = format!(
        r#""objectTypeProperty":{{}},"lastModifiedBy":{{"firstName":"{}","lastName":"{}"}}"#,
        names[0], names[1]
    );
    let row = ("a person with long names", "lastModifiedBy", "", "@ is defined", "filter=@.firstName:exists");
    let replaced = ARRAYS.map(array).into_iter().chain([large(row, person, None)]).collect();
    (replaced, SINGLE.map(|row| large(row, text(row.1, row.2), Some(row.1))).into())
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
        let mut stage = Self { project: start(disk.clone()), disk, now: 1_000, name };
        stage.write(post(&json!({"id": "small", "objectTypeProperty": {}})));
        stage
    }

    fn perform(&mut self, message: &Message) -> Reply<String> {
        self.now += 1;
        let reply = self
            .project
            .perform(message, &at(self.now))
            .unwrap_or_else(|error| panic!("{}: {error:?}", self.name));
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
            let query = Query { limit: 1, ..query("id = \"big\"", &["createdAt desc"]) };
            let call = if with_first { Read::Query(query) } else { Read::QuerySorted(query) };
            let page = self.perform(&message(Call::Read(call)));
            assert!(body(&page).contains(body(&record)), "{}", self.name);
        }
        assert_eq!(
            self.total(Read::QuerySorted(query(&large.predicate, &["createdAt desc"]))),
            1,
            "{}",
            self.name
        );
        assert_eq!(self.total(searching(&large.search)), 1, "{}", self.name);
        let opposite = format!("not ({})", large.predicate);
        assert_eq!(
            self.total(Read::QuerySorted(query(&opposite, &["createdAt desc"]))),
            1,
            "{}: only the small one",
            self.name
        );
    }

    fn left(&self, table: &str) -> i64 {
        self.disk.number(&format!("SELECT count(*) FROM {table}"))
    }
}

/// Returns a body of operations 6 to 8 with these members. It sends a version.
fn input(members: &str) -> ResourceInput {
    let text = format!(r#"{{"id":"big","version":1,{members}}}"#);
    assert!(text.len() <= limits::BODY_BYTES && text.len() > limits::BODY_BYTES / 2 - REST, "{}", text.len());
    validate::resource_input(&Shape::built_in(), ObjectId::Draft, text.as_bytes()).expect("a good body")
}

/// Runs every operation on the body. `next` are members that can replace the members of the body.
fn live(large: &Large, next: &str) {
    let mut stage = Stage::new(large.name);
    // Each is read once: that takes longer than a write.
    let (body, next) = (input(&large.members), input(next));
    let at = |body: &ResourceInput, version| ResourceInput { version: Some(version), ..body.clone() };
    // Created, updated by actions, merged with texts.
    stage.write(write(Change::CreateOrUpdate(at(&body, 1))));
    stage.found(large);
    stage.write(update("big", 1, None));
    stage.write(merge(&json!({"id": "big", "eigthProperty": "eight"})));
    // Replaced by a body that has nothing in common with it, and vice versa.
    stage.write(write(Change::CreateOrOverwrite(at(&next, 3))));
    stage.write(write(Change::Overwrite(at(&body, 4))));
    stage.write(delete("big"));
    assert_eq!((stage.left("term"), stage.left("vocabulary")), (0, 0), "{}", large.name);
    // Created empty, then overwritten.
    stage.write(post(&json!({"id": "big", "objectTypeProperty": {}})));
    stage.write(write(Change::Overwrite(at(&body, 6))));
    // The index can be rebuilt.
    stage.project.follow().unwrap();
    let entries = (stage.left("term"), stage.left("vocabulary"));
    stage.disk.run("UPDATE meta SET value = 0 WHERE name = 'index'");
    stage.project = start(stage.disk.clone());
    stage.found(large);
    assert_eq!((stage.left("term"), stage.left("vocabulary")), entries, "{}", large.name);
    // Written unchanged, emptied, and removed.
    stage.write(write(Change::CreateOrUpdate(at(&body, 7))));
    stage.write(put(&json!({"id": "big", "version": 8, "objectTypeProperty": {}})));
    stage.write(delete("big"));
    assert_eq!((stage.left("term"), stage.left("vocabulary")), (0, 0), "{}", large.name);
}

/// Tests every second body, so that the tests share two cores.
fn live_all(first: usize) {
    let (replaced, remaining) = all();
    for (number, large) in replaced.iter().chain(&remaining).enumerate().skip(first).step_by(2) {
        // Arrays replace each other as a whole; a text remains unless another replaces it.
        let next = match large.text {
            None => replaced[(number + 1) % replaced.len()].members.clone(),
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
