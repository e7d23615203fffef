//! Deployments with other shapes over the data of a project: after each, queries find what the records have.

mod random;
mod renewal;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::*;
use crate::call::{
    Call, CallResult, Change, Listener, Message, Query, Read, Reply, Search, Write, WriteOptions,
};
use crate::contract::api::endpoint::CallId;
use crate::contract::limits;
use crate::contract::param;
use crate::predicate::{self, Variables};
use crate::project::store::database::{Database, Row, binds};
use crate::project::store::index;
use crate::project::store::index::entries::Index;
use crate::project::store::index::values::FOLDED;
use crate::project::store::records::StoredRow;
use crate::project::{Moment, Project};
use crate::sqlite::Sqlite;
use crate::test;
use crate::util::time::Millis;
use crate::{search, validate};

/// How many parts of a renewal a query runs.
const PARTS: u32 = 4;
/// More results than a test has.
const LIMIT: u32 = 1_000;

/// A project and the deployments of its service.
struct Stage {
    project: Project<Sqlite>,
    now: Millis,
}

/// Returns a shape with a text `custom` and the fields of a table: a line with name and type for each, in order.
fn shape(table: &str) -> Rc<Shape> {
    let schema_of = |kind: &str| match kind {
        "text" => json!({"type": "string"}),
        "datetime" => json!({"type": "string", "format": "date-time"}),
        other => json!({"type": other}),
    };
    let mut properties = Map::from_iter([("custom".to_owned(), schema_of("text"))]);
    for line in table.lines() {
        let (name, kind) = line.split_once(' ').unwrap();
        let array = kind.strip_suffix("[]").map(|items| json!({"type": "array", "items": schema_of(items)}));
        let schema = array.unwrap_or_else(|| schema_of(kind));
        properties.insert(name.to_owned(), schema);
    }
    let schema = json!({"type": "object", "properties": properties});
    Rc::new(Shape::of_schema(&schema.to_string()).unwrap())
}

fn write(change: Change) -> Call {
    Call::Write(Box::new(Write { change, options: WriteOptions::default() }))
}

fn post(shape: &Shape, body: &Value) -> Call {
    let input = validate::resource_input(shape, ObjectId::Draft, body.to_string().as_bytes());
    write(Change::CreateOrUpdate(input.map_err(|rejection| rejection.into_error().to_json()).unwrap()))
}

/// Returns a body with members beside the ID.
fn body(id: &str, members: &Value) -> Value {
    let mut body = json!({"id": id});
    body.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    body
}

fn condition(shape: &Shape, text: &str) -> predicate::Typed {
    predicate::read(shape, [text], &Variables::default()).map_err(|error| error.to_json()).unwrap()
}

fn query(shape: &Shape, text: &str, sort: &[&str]) -> Call {
    let sort = sort.iter().map(|text| predicate::parse_sort(shape, text).unwrap()).collect();
    let condition = if text.is_empty() { predicate::Typed::True } else { condition(shape, text) };
    Call::Read(Read::QuerySorted(Query { condition, sort, limit: LIMIT, offset: 0, with_total: true }))
}

fn searching(shape: &Shape, parameters: &str) -> Call {
    let passed = param::decode(CallId::Search.row().params, parameters).unwrap();
    let criteria = search::decode(shape, &passed).unwrap();
    Call::Read(Read::Search(Search { criteria, sort: Vec::new(), limit: LIMIT, offset: 0 }))
}

impl Stage {
    fn new(table: &str) -> Self {
        let project = Project::new(Sqlite::new(), shape(table));
        project.set_epoch(Some(""));
        project.make_ready().unwrap();
        Self { project, now: 1_000 }
    }

    fn shape(&self) -> Rc<Shape> {
        Rc::clone(&self.project.shape)
    }

    fn run(&self, sql: &str) {
        self.project.database().connection.execute(sql, []).unwrap();
    }

    /// Begins with another shape on the same data, without anything else.
    fn restart(self, table: &str) -> Self {
        let project =
            Project::new(self.project.into_database(), shape(table)).with_parts(128, PARTS, usize::MAX);
        project.set_epoch(Some(""));
        Self { project, ..self }
    }

    /// Deploys another shape, and renews the index. Returns whether it was renewed or rebuilt.
    fn deploy(self, table: &str) -> (Self, bool) {
        // No field has this number, and a rebuild removes it.
        self.run("INSERT INTO term VALUES(0, 0, 0, 0)");
        let stage = self.restart(table);
        stage.project.make_ready().unwrap();
        let sql = "DELETE FROM term WHERE path = 0";
        let marks = stage.project.database().connection.execute(sql, []).unwrap();
        let is_renewed = stage.project.is_renewing();
        stage.check();
        while !stage.project.renew(1).unwrap() {
            stage.check();
        }
        stage.check();
        (stage, is_renewed || marks == 0)
    }

    fn perform(&mut self, call: Call) -> Reply<String> {
        self.now += 1;
        let message = Message { project: "p".to_owned(), call };
        self.project.perform(&message, &Moment { now: self.now, entropy: [7; 10] }).unwrap()
    }

    fn done(&mut self, call: Call) -> Value {
        let reply = self.perform(call);
        assert!(!matches!(reply.head.result, CallResult::Error(_)), "{reply:?}");
        serde_json::from_str(&reply.body.unwrap()).unwrap()
    }

    fn post(&mut self, id: &str, members: &Value) -> Value {
        let call = post(&self.shape(), &body(id, members));
        self.done(call)
    }

    fn delete(&mut self, id: &str) -> Value {
        self.done(write(Change::DeleteById { id: id.to_owned(), version: None }))
    }

    /// Returns the IDs of the results, in their order, and checks the total.
    fn ids(&mut self, call: Call) -> Vec<String> {
        let page = self.done(call);
        let results = page["results"].as_array().unwrap();
        assert_eq!(page["total"], results.len());
        results.iter().map(|result| result["id"].as_str().unwrap().to_owned()).collect()
    }

    fn find(&mut self, text: &str) -> Vec<String> {
        let call = query(&self.shape(), text, &[]);
        self.ids(call)
    }

    fn sorted(&mut self, key: &str) -> Vec<String> {
        let call = query(&self.shape(), "", &[key]);
        self.ids(call)
    }

    fn search(&mut self, word: &str) -> BTreeSet<String> {
        let call = searching(&self.shape(), &format!("text.en={word}"));
        self.ids(call).into_iter().collect()
    }

    fn bodies(&self) -> BTreeMap<String, Map<String, Value>> {
        let sql = "SELECT id, body FROM resource";
        let read = |row: &dyn Row| Some((row.text(0)?, serde_json::from_str(&row.text(1)?).unwrap()));
        Database::rows(self.project.database(), sql, &[], read).unwrap().into_iter().collect()
    }

    /// Checks that the index has exactly the values of each record by its generation.
    fn check(&self) {
        self.project.catch_up().unwrap();
        let fields = self.project.fields().unwrap();
        let (database, copy) = (self.project.database(), self.project.database().copy());
        copy.execute("DELETE FROM term", &[]).unwrap();
        copy.execute("INSERT INTO text(text) VALUES('delete-all')", &[]).unwrap();
        let sql = "SELECT seq, generation, body FROM resource ORDER BY seq";
        let rows = Database::rows(&copy, sql, &[], StoredRow::read).unwrap();
        let indexes: Vec<(i64, Index<'_>)> = rows
            .iter()
            .map(|row| (row.seq, Index::of(fields.generation(row.generation), &row.body)))
            .collect();
        let changes: Vec<_> = indexes.iter().map(|(seq, index)| (*seq, None, Some(index))).collect();
        index::write(&copy, &changes).unwrap();
        let is_current = |row: &&StoredRow| !fields.generation(row.generation).is_empty();
        for StoredRow { seq, generation, body } in rows.iter().filter(is_current) {
            let index = Index::of(fields.generation(*generation), body);
            let sql = "UPDATE resource SET items = ?, entries = jsonb(?) WHERE seq = ?";
            copy.execute(sql, &binds![index.items, &index.to_json(), *seq]).unwrap();
        }
        for sql in [
            "SELECT * FROM term ORDER BY path, value, resource",
            "SELECT seq, items, json(entries) FROM resource ORDER BY seq",
            "SELECT * FROM vocabulary ORDER BY term",
            // FTS5's totals, which are absent or zero if there are no words.
            "SELECT ltrim(coalesce(max(hex(block)), ''), '0') FROM text_data WHERE id = 1",
        ] {
            assert_eq!(database.rows(sql), copy.rows(sql), "{sql}");
        }
    }
}

#[test]
fn a_field_with_a_new_name_is_added_without_a_rebuild() {
    let mut stage = Stage::new("");
    stage.post("a", &json!({"custom": "red"}));
    let (mut stage, rebuilt) = stage.deploy("title text\nprice number[]");
    assert!(!rebuilt);
    stage.post("b", &json!({"title": "red", "price": [0.5]}));
    stage.check();
    assert_eq!(stage.find("title = \"red\""), ["b"]);
    assert_eq!(stage.find("price contains any (0.5)"), ["b"]);
    assert_eq!(stage.find("title is not defined"), ["a"]);
    assert_eq!(stage.search("red"), ["a", "b"].map(str::to_owned).into());
}

#[test]
fn a_removed_field_stays_until_a_write_and_may_be_added_again_without_a_rebuild() {
    let mut stage = Stage::new("title text\nmoments datetime[]");
    for id in ["a", "b", "c", "d"] {
        stage.post(id, &json!({"title": "green", "moments": ["2026-01-31T00:00:00.000Z"]}));
    }
    let (mut stage, rebuilt) = stage.deploy("");
    assert!(!rebuilt);
    assert_eq!(stage.search("green").len(), 4);
    let after = stage.post("a", &json!({"custom": "new"}));
    assert_eq!((&after["title"], &after["moments"]), (&Value::Null, &Value::Null));
    stage.check();
    assert_eq!(stage.search("green"), ["b", "c", "d"].map(str::to_owned).into());
    assert_eq!(stage.delete("b")["title"], "green");
    stage.check();
    let (mut stage, rebuilt) = stage.deploy("moments datetime[]\ntitle text");
    assert!(!rebuilt);
    for text in ["title = \"green\"", "moments contains any (\"2026-01-31T00:00:00.000Z\")"] {
        assert_eq!(stage.find(text), ["c", "d"], "{text}");
    }
    let after = stage.post("c", &json!({"custom": "new"}));
    assert_eq!(after["title"], "green");
    stage.check();
}

#[test]
fn a_rebuild_leaves_out_removed_fields_and_another_one_adds_them_again() {
    let mut stage = Stage::new("title text");
    stage.post("a", &json!({"title": "green"}));
    let (stage, _) = stage.deploy("");
    stage.run("UPDATE meta SET value = 0 WHERE name = 'index'");
    let (mut stage, rebuilt) = stage.deploy("");
    assert!(rebuilt);
    assert_eq!(stage.search("green"), BTreeSet::new());
    let (stage, rebuilt) = stage.deploy("other text");
    assert!(!rebuilt);
    let (mut stage, rebuilt) = stage.deploy("title text");
    assert!(rebuilt);
    assert_eq!(stage.find("title = \"green\""), ["a"]);
    let (_, rebuilt) = stage.deploy("title text\nother text");
    assert!(rebuilt, "the last rebuild left out `other`");
}

#[test]
fn another_type_rebuilds_the_index_and_queries_find_the_values_that_have_it() {
    let mut stage = Stage::new("size text");
    stage.post("a", &json!({"size": "7"}));
    let (mut stage, rebuilt) = stage.deploy("size number");
    assert!(rebuilt);
    assert_eq!(stage.find("size is not defined"), ["a"]);
    stage.post("b", &json!({"size": 7.5}));
    stage.post("c", &json!({"size": 8}));
    stage.check();
    assert_eq!(stage.find("size > 7"), ["b", "c"]);
    let (mut stage, rebuilt) = stage.deploy("size integer");
    assert!(rebuilt);
    assert_eq!(stage.find("size > 7"), ["c"]);
    let (mut stage, rebuilt) = stage.deploy("size text");
    assert!(rebuilt);
    assert_eq!(stage.find("size = \"7\""), ["a"]);
    stage.post("b", &json!({"size": "large"}));
    stage.check();
    assert_eq!(stage.find("size is defined"), ["a", "b"]);
    let (_, rebuilt) = stage.deploy("size text[]");
    assert!(!rebuilt);
}

#[test]
fn a_resource_with_several_values_of_what_is_no_array_any_more_is_listed_once() {
    let mut stage = Stage::new("tags text[]");
    stage.post("a", &json!({"tags": ["red", "blue"]}));
    stage.post("b", &json!({"tags": ["green"]}));
    stage.post("c", &json!({}));
    let (mut stage, rebuilt) = stage.deploy("tags text");
    assert!(!rebuilt);
    stage.post("d", &json!({"tags": "cyan"}));
    stage.check();
    assert_eq!(stage.sorted("tags asc"), ["a", "d", "b", "c"]);
    assert_eq!(stage.sorted("tags desc"), ["a", "b", "d", "c"]);
    assert_eq!(stage.find("tags = \"red\""), ["a"]);
    let call = searching(&stage.shape(), "facet=tags");
    let facet = &stage.done(call)["facets"]["tags"];
    assert_eq!((&facet["missing"], &facet["total"]), (&json!(1), &json!(4)), "{facet}");
}

#[test]
fn calls_with_fields_that_the_project_does_not_have_are_refused_during_a_deploy() {
    let mut stage = Stage::new("title text");
    stage.post("a", &json!({"title": "green"}));
    let newer = shape("title number\nprice number");
    let actions = br#"{"version":1,"actions":[{"action":"setPrice","price":7}]}"#;
    let update = validate::update_input(&newer, actions).unwrap_or_else(|_| panic!("an update"));
    let calls = [
        query(&newer, "price = 1", &[]),
        query(&newer, "not (title = 1)", &[]),
        query(&newer, "", &["price asc"]),
        searching(&newer, "filter=price:1"),
        searching(&newer, "facet=price"),
        post(&newer, &body("a", &json!({"price": 7}))),
        write(Change::UpdateById { id: "a".to_owned(), update }),
    ];
    for call in calls {
        let reply = stage.perform(call);
        let CallResult::Error(error) = &reply.head.result else { panic!("{reply:?}") };
        assert_eq!(error.status(), 503);
        assert!(error.to_json().contains("being deployed"), "{}", error.to_json());
    }
    let listener = |shape: &Shape, text: &str| {
        let after = crate::call::After::Now;
        Call::Listen(Listener { after, condition: Some(condition(shape, text)), expires: 0, caller: 1 })
    };
    assert!(matches!(stage.perform(listener(&newer, "price = 1")).head.result, CallResult::Error(_)));
    let accepted = stage.perform(listener(&newer, "custom = \"x\""));
    assert!(matches!(accepted.head.result, CallResult::Listening(_)), "{accepted:?}");
    // A field that an older shape has is not lost either.
    let (mut stage, _) = stage.deploy("");
    let older = shape("title text");
    assert_eq!(stage.ids(query(&older, "title = \"green\"", &[])), ["a"]);
    let reply = stage.perform(post(&older, &body("a", &json!({"title": "red"}))));
    assert!(matches!(reply.head.result, CallResult::Error(_)), "{reply:?}");
    assert_eq!(stage.bodies()["a"]["title"], "green");
}

#[test]
fn the_first_response_is_replayed_whatever_the_shape_is() {
    let mut stage = Stage::new("title text");
    let text = "x".repeat(limits::IDEMPOTENCY_BODY_BYTES);
    let keyed = |call: Call| {
        let Call::Write(write) = call else { panic!("a write") };
        let idempotency =
            crate::call::Idempotency { caller: "c".to_owned(), key: "k".to_owned(), fingerprint: [1; 16] };
        let options = WriteOptions { idempotency: Some(idempotency), ..write.options };
        Call::Write(Box::new(Write { options, ..*write }))
    };
    let call = post(&stage.shape(), &body("a", &json!({"title": text})));
    let first = stage.done(keyed(call.clone()));
    let (mut stage, _) = stage.deploy("other text");
    let again = post(&stage.shape(), &body("a", &json!({})));
    assert_eq!(stage.done(keyed(again.clone())), first);
    stage.done(again.clone());
    assert_eq!(stage.done(keyed(again)), first);
}

/// Returns a shape with objects in an array, and with another object.
fn nested() -> Rc<Shape> {
    let [text, moment] = [json!({"type": "string"}), json!({"type": "string", "format": "date-time"})];
    let item =
        json!({"type": "object", "properties": {"name": text, "price": {"type": "number"}, "at": moment}});
    let size = json!({"type": "object", "properties": {"width": {"type": "integer"}, "unit": text}});
    let schema =
        json!({"type": "object", "properties": {"items": {"type": "array", "items": item}, "size": size}});
    Rc::new(Shape::of_schema(&schema.to_string()).unwrap())
}

#[test]
fn values_inside_objects_are_found_by_their_path() {
    let shape = nested();
    let project = Project::new(Sqlite::new(), Rc::clone(&shape));
    let mut stage = Stage { project, now: 1_000 };
    let items: Vec<Value> = (0..40).map(|at| json!({"name": format!("N{at}"), "price": 0.5})).collect();
    for (id, members) in [
        (
            "a",
            json!({
                "items": [{"name": "Red", "price": 1.5, "at": "2026-01-31T00:00:00.000Z"}, {"price": 2}],
                "size": {"width": 7, "unit": "cm"},
            }),
        ),
        ("b", json!({"items": items, "size": {"unit": "CM"}})),
        ("c", json!({"size": {}})),
    ] {
        stage.done(post(&shape, &body(id, &members)));
    }
    stage.check();
    for (text, expected) in [
        ("items.price > 1", &["a"][..]),
        ("items.price = 0.5", &["b"]),
        ("items.name matches ignore case \"red\"", &["a"]),
        ("items(name = \"N39\")", &["b"]),
        ("items(name = \"Red\" and price > 1)", &["a"]),
        ("items(name = \"Red\" and price > 1.5)", &[]),
        ("items(price in (1.5, 0.5))", &["a", "b"]),
        ("items(price = 1.5 and at < \"2026-02-01T00:00:00.000Z\")", &["a"]),
        ("items(price != 2 and at > \"2026-02-01T00:00:00.000Z\")", &[]),
        ("items is empty", &["c"]),
        ("size.width = 7", &["a"]),
        ("size.unit matches ignore case \"cm\"", &["a", "b"]),
        ("size is defined", &["a", "b", "c"]),
        ("size.width is not defined", &["b", "c"]),
    ] {
        assert_eq!(stage.find(text), expected, "{text}");
    }
    assert_eq!(stage.sorted("items.price desc"), ["a", "b", "c"]);
}

#[test]
fn numbers_are_stable_and_bounded() {
    let paths =
        |rows: &FieldRows| rows.rows.iter().map(|row| (row.name.clone(), row.number)).collect::<Vec<_>>();
    let none = FieldRows::default();
    let rows = none.with(&shape("b text\na integer[]"), false).unwrap();
    assert!(rows.rows.iter().zip(1..).all(|(row, number)| row.number == number && row.is_indexed()));
    let array = |name: &str| rows.rows.iter().find(|row| row.name == name).map(|row| row.array);
    assert_eq!((array("a"), array("b"), array("c")), (Some(true), Some(false), None));
    let other = rows.with(&shape("a integer\nc text\nb number"), false).unwrap();
    assert_eq!(paths(&other)[..rows.rows.len()], paths(&rows));
    let added: Vec<_> =
        other.rows[rows.rows.len()..].iter().map(|row| (&*row.name, row.is_indexed())).collect();
    assert_eq!(added, [("c", true), ("b", false)]);
    assert_eq!(other.rows.iter().find(|row| row.name == "a").map(|row| row.array), Some(true));
    assert!(!other.are_indexed(&shape("b number")) && other.are_indexed(&shape("b text")));
    let mut full = rows;
    full.rows.last_mut().unwrap().number = FOLDED - 1;
    assert!(full.with(&shape("new text"), false).is_err());
    assert!(full.with(&shape("b text"), false).is_ok());
}
