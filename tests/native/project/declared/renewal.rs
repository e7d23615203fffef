//! Changes of the shape while the index is renewed: random writes, queries, crashes, faults, and further changes,
//! compared with the reference. `QUERY_SEED` and `QUERY_CASES` change the run.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngSeed, TestRunner};
use resource_edge::project::store::database::Database;

use super::*;
use crate::native::reference::fields::{compare, values};
use crate::native::reference::random::asking::asking;
use crate::native::reference::random::records;
use crate::native::reference::twin::{Tally, Twin};
use crate::native::reference::words::texts;
use crate::support::random::{Random, variable};
use crate::support::schemas::Design;

/// What happens to a project, and its reference.
struct Play {
    twin: Twin,
    /// The shapes so far.
    designs: Vec<Design>,
    random: Random,
    runner: TestRunner,
    tally: Tally,
    /// How many queries were asked while the index was renewed, and how many parts of it failed.
    renewing: usize,
    faults: usize,
}

impl Play {
    fn new(seed: u64) -> Self {
        let random = Random::new(seed);
        let design = if random.chance(150) { Design::default() } else { Design::draw(&random) };
        let config =
            Config { rng_seed: RngSeed::Fixed(seed), failure_persistence: None, ..Config::default() };
        let mut play = Self {
            twin: Twin::of(&design),
            designs: vec![design],
            random,
            runner: TestRunner::new(config),
            tally: Tally::default(),
            renewing: 0,
            faults: 0,
        };
        play.restart();
        play
    }

    fn design(&self) -> Design {
        self.designs.last().expect("a shape").clone()
    }

    fn draw<S: Strategy>(&mut self, strategy: &S) -> S::Value {
        strategy.new_tree(&mut self.runner).expect("a value").current()
    }

    /// Begins again on the same data, with the newest shape and small parts.
    fn restart(&mut self) {
        let design = self.design();
        self.twin.restart(&design);
        let project = Project::new(self.twin.project.database().clone(), Rc::clone(&design.shape));
        project.set_epoch(Some(""));
        self.twin.project = project.with_parts(1, 2, usize::MAX);
    }

    fn deploy(&mut self) {
        let earlier = self.random.pick(&self.designs).clone();
        let next = match self.random.below(10) {
            0 => Design::draw(&self.random),
            // A declared resource does not become that of the interface, whose records always have some fields.
            1..4 if earlier.schema.is_some() => earlier,
            _ => self.design().changed(&self.random),
        };
        self.designs.push(next);
        self.restart();
    }

    fn write(&mut self) -> Result<(), String> {
        let write = self.draw(&records::write(&self.design().shape));
        let change = write.call(&self.twin.collection);
        self.twin.write(&change, &self.tally)
    }

    fn ask(&mut self) -> Result<(), String> {
        self.renewing += usize::from(self.twin.project.is_renewing());
        let asking = self.draw(&asking(&self.design().shape, 2));
        self.twin.ask(&asking, &self.tally).map_err(|error| format!("{asking:?}\n{error}"))
    }

    fn search(&mut self, parameters: &str) -> Result<Value, String> {
        let shape = self.design().shape;
        let passed = param::decode(CallId::Search.row().params, parameters).unwrap();
        let criteria = search::decode(&shape, &passed).map_err(|error| format!("{error:?}"))?;
        let search = Search { criteria, sort: Vec::new(), limit: 500, offset: 0 };
        let reply = self.twin.perform(Call::Read(Read::Search(search)), 0)?;
        serde_json::from_str(&reply.body.ok_or_else(|| format!("{:?}", reply.head))?)
            .map_err(|error| error.to_string())
    }

    /// Counts the values of a field, and searches for words.
    fn count(&mut self) -> Result<(), String> {
        let design = self.design();
        let fields =
            design.shape.query_fields().into_iter().filter(|field| field.field_type.data().is_some());
        let paths: Vec<_> = fields.filter_map(|field| field.path).collect();
        let path = self.random.pick(&paths).clone();
        let found = self.search(&format!("facet={path}"))?;
        let facet = &found["facets"][path.name()];
        let bodies: Vec<Value> = self.twin.stored().iter().map(|stored| stored.body.clone()).collect();
        let distinct = |body: &Value| {
            let mut values = values(body, &path);
            values.sort_by(compare);
            values.dedup();
            values.len()
        };
        let counts: Vec<usize> = bodies.iter().map(distinct).collect();
        let without = counts.iter().filter(|count| **count == 0).count();
        if facet["total"] != counts.iter().sum::<usize>() || facet["missing"] != without {
            return Err(format!("{path} of {counts:?}: {facet}"));
        }
        for word in ["red", "blue"] {
            let found = self.search(&format!("text.en={word}"))?;
            let has = |body: &&Value| texts(&design, body).iter().any(|text| text.eq_ignore_ascii_case(word));
            for body in bodies.iter().filter(has) {
                let is_found = |result: &Value| result["id"] == body["id"];
                if !found["results"].as_array().is_some_and(|results| results.iter().any(is_found)) {
                    return Err(format!("{word} is not found in {body}"));
                }
            }
        }
        Ok(())
    }

    /// Renews a part of the index, which may fail at any statement.
    fn renew(&mut self) {
        let fails_after = Rc::clone(&self.twin.project.database().fails_after);
        fails_after.set(Some(self.random.below(12) as u32).filter(|_| self.random.chance(500)));
        let renewed = self.twin.project.renew(1);
        fails_after.set(None);
        self.faults += usize::from(renewed.is_err());
        if renewed.is_err() && self.random.chance(500) {
            self.restart();
        }
    }

    fn step(&mut self) -> Result<(), String> {
        match self.random.below(20) {
            0..3 => self.deploy(),
            3 => self.restart(),
            4..6 => self.ask()?,
            6 => self.count()?,
            7..10 => self.renew(),
            _ => self.write()?,
        }
        Ok(())
    }

    fn run(&mut self) -> Result<(), String> {
        for _ in 0..8 {
            self.write()?;
        }
        for _ in 0..40 {
            self.step()?;
        }
        self.ask()?;
        self.count()?;
        self.twin.read()?;
        self.rest()
    }

    /// Checks that the index has nothing after the last resource is deleted, whatever is not renewed yet.
    fn rest(&mut self) -> Result<(), String> {
        for record in self.twin.collection.records.clone() {
            self.twin.write(&Change::DeleteById { id: record.id, version: None }, &self.tally)?;
        }
        for table in ["term", "vocabulary"] {
            let sql = format!("SELECT count(*) FROM {table}");
            let rows = Database::first(self.twin.project.database(), &sql, &[], |row| row.integer(0));
            if rows != Ok(Some(0)) {
                return Err(format!("{table} has {rows:?} rows"));
            }
        }
        Ok(())
    }
}

/// Returns a project of ten resources with a number, which became whole. The index is not renewed yet.
fn renewing() -> Declared {
    let size = |kind: &str| schema(&json!({"size": {"type": kind}, "note": {"type": "string"}}), &[]);
    let mut declared = Declared::new(&size("number"));
    for at in 0..10 {
        declared.create(&json!({"id": format!("r{at}"), "size": at, "note": "red"}));
    }
    declared.parts = Some((1, 2, usize::MAX));
    declared.begin(&size("integer"));
    declared
}

fn is_indexed(declared: &mut Declared) -> bool {
    let status: Value = serde_json::from_str(&declared.call(Call::Status).body.unwrap()).unwrap();
    status["isIndexed"] == true
}

#[test]
fn the_status_says_whether_the_index_is_complete() {
    let mut declared = renewing();
    assert!(!is_indexed(&mut declared) && declared.project.is_renewing());
    assert_eq!(declared.ids("note = \"red\"", &[]).len(), 10);
    while !declared.project.renew(1).unwrap() {
        assert!(!is_indexed(&mut declared));
    }
    assert!(is_indexed(&mut declared));
    declared.crash();
    assert!(is_indexed(&mut declared));
}

#[test]
fn on_a_full_disk_queries_of_all_fields_are_performed_and_nothing_is_written() {
    let mut declared = renewing();
    declared.parts = None;
    declared.crash();
    assert_eq!(declared.ids("note = \"red\"", &[]).len(), 10);
    let disk = declared.project.database().clone();
    let before = disk.dump();
    disk.full.set(true);
    for text in ["note = \"red\"", "size > 7", "size = 8 or size = 9", "note = \"red\" and size > 7"] {
        let message = message(Call::Read(Read::Query(declared.query(text, &["size desc"]))));
        let reply = disk.perform(&declared.project, &message, &at(9_000));
        let page: Value =
            serde_json::from_str(&reply.body.unwrap_or_else(|| panic!("{:?}", reply.head))).unwrap();
        assert_eq!(page["results"][0]["id"], "r9", "{text}");
        assert_eq!(
            page["total"],
            if text.starts_with('n') && !text.ends_with('7') { 10 } else { 2 },
            "{text}"
        );
        assert_eq!(disk.dump(), before, "{text}");
        assert!(declared.project.is_renewing());
    }
    disk.full.set(false);
    assert_eq!(declared.ids("size > 7", &[]), ["r8", "r9"]);
    assert!(!declared.project.is_renewing());
}

#[test]
fn a_frame_needs_no_index_that_is_being_renewed() {
    let mut declared = renewing();
    let listen = |condition: Typed| {
        let after = resource_edge::call::After::Now;
        let condition = Some(condition);
        Call::Listen(resource_edge::call::Listener { after, condition, expires: 0, caller: 0 })
    };
    let [of_size, of_note] = ["size > 7", "note = \"red\""].map(|text| declared.condition(text));
    let reply = declared.call(listen(of_note.clone()));
    let mut message = message(listen(of_note.clone())).listening(&reply.head).expect("a listener").0;
    for condition in [of_size, of_note] {
        let Call::Listen(listener) = &mut message.call else { panic!("a listener") };
        listener.condition = Some(condition);
        let frame = declared.project.frame(&message, 1_008, &at(9_000)).unwrap().expect("a frame");
        assert_eq!((frame.contains("behind"), frame.lines().count()), (false, 3), "{frame}");
    }
    assert!(declared.project.is_renewing());
}

#[test]
fn imported_values_that_no_shape_allowed_are_found_when_one_does() {
    let text = json!({"type": "string"});
    let object = json!({"type": "object", "properties": {"unit": text}});
    let of_size = |size: &Value| schema(&json!({"size": size}), &[]);
    for (value, shape, found) in [
        (json!("abc"), &text, "size = \"abc\""),
        (json!({"unit": "abc"}), &object, "size.unit = \"abc\" and size(unit = \"abc\")"),
    ] {
        let mut source = Declared::new(&of_size(shape));
        source.create(&json!({"id": "a", "size": value}));
        for searches in [true, false] {
            let mut target = Declared::new(&of_size(&json!({"type": "number"})));
            assert_eq!(status(&target.import(&source.export())), 0);
            assert_eq!(target.ids("size is defined", &[]), [""; 0]);
            target.begin(&of_size(shape));
            let ids = if searches { target.found("text.en=abc") } else { target.ids(found, &[]) };
            assert_eq!(ids, ["a"], "{found}");
        }
    }
}

#[test]
fn a_resource_whose_row_would_be_too_large_stops_nothing() {
    let of_tags = |tags: Value| {
        let tags = json!({"type": "array", "items": {"type": "string"}, "x-index": tags});
        schema(&json!({"tags": tags, "note": {"type": "string"}}), &[])
    };
    let mut declared = Declared::new(&of_tags(json!(true)));
    // Each of them folds to another text, which the row would have, too.
    let tags: Vec<String> = (0..2_000).map(|at| format!("{at}{}", "\u{c9}".repeat(250))).collect();
    declared.create(&json!({"id": "a", "tags": tags, "note": "red"}));
    declared.create(&json!({"id": "b", "tags": [tags[7]], "note": "red"}));
    declared.deploy(&of_tags(json!(false)));
    assert_eq!(declared.ids("note = \"red\"", &[]), ["a", "b"]);
    let of_tag = format!("tags = \"{}\"", tags[7]);
    assert_eq!(declared.ids(&of_tag, &[]), ["b"]);
    declared.deploy(&of_tags(json!(true)));
    assert_eq!(declared.ids(&of_tag, &[]), ["a", "b"]);
    declared.deploy(&of_tags(json!(false)));
    let mut copy = Declared::new(&of_tags(json!(false)));
    for line in declared.export() {
        assert_eq!(status(&copy.import(&[line])), 0);
    }
    assert_eq!(copy.export(), declared.export());
    for id in ["a", "b"] {
        declared.call(write(Change::DeleteById { id: id.to_owned(), version: None }).call);
    }
    assert_eq!(declared.project.database().number("SELECT count(*) FROM term"), 0);
}

#[test]
fn items_are_found_while_what_is_around_them_becomes_a_list() {
    let parts =
        json!({"type": "array", "items": {"type": "object", "properties": {"width": {"type": "number"}}}});
    let size = json!({"type": "object", "properties": {"parts": parts}});
    let [single, list] = [size.clone(), json!({"type": "array", "items": size})]
        .map(|size| schema(&json!({"size": size}), &[]));
    let mut declared = Declared::new(&single);
    declared.create(&json!({"id": "a", "size": {"parts": [{"width": 1}]}}));
    for shape in [&list, &single] {
        assert_eq!(declared.ids("", &[]), ["a"]);
        declared.begin(shape);
        assert_eq!(declared.ids("size.parts(width = 1)", &[]), ["a"]);
    }
}

#[test]
fn long_texts_that_the_index_gets_later_are_in_order() {
    let of_title = |indexed: bool| {
        let title = json!({"type": "string", "x-index": indexed});
        schema(&json!({"title": title, "note": {"type": "string"}}), &[])
    };
    let mut declared = Declared::new(&of_title(false));
    for letter in ["c", "a", "e", "b", "d", "f"] {
        let title = format!("{}{letter}", "x".repeat(600));
        declared.create(&json!({"id": letter, "title": title, "note": letter}));
    }
    // A query indexes what waits.
    assert_eq!(declared.ids("", &[]).len(), 6);
    declared.begin(&of_title(true));
    let mut first = |key: &str| {
        let query = Query { limit: 3, ..declared.query("", &[key]) };
        let reply = declared.call(Call::Read(Read::Query(query)));
        let page: Value = serde_json::from_str(&reply.body.unwrap()).unwrap();
        let ids = page["results"].as_array().unwrap().iter().map(|result| result["id"].clone());
        ids.collect::<Vec<_>>()
    };
    for key in ["note", "title"] {
        assert_eq!(first(key), ["a", "b", "c"], "{key}");
    }
}

#[test]
fn an_array_is_defined_whatever_its_items_are() {
    let list = |kind: &str| schema(&json!({"tags": {"type": "array", "items": {"type": kind}}}), &[]);
    let mut declared = Declared::new(&list("number"));
    declared.create(&json!({"id": "a", "tags": [1]}));
    assert_eq!(declared.ids("tags is not empty", &[]), ["a"]);
    declared.begin(&list("string"));
    assert_eq!(declared.ids("tags is defined and tags is empty", &[]), ["a"]);
}

#[test]
fn queries_find_what_the_reference_finds_while_shapes_change() {
    let cases = variable("QUERY_CASES").unwrap_or(150);
    let first = variable("QUERY_SEED").unwrap_or(1);
    let (mut renewing, mut faults) = (0, 0);
    for seed in first..first + cases {
        let mut play = Play::new(seed);
        let played = play.run();
        if let Err(error) = played {
            panic!("QUERY_SEED={seed} QUERY_CASES=1\n{:#?}\n{error}", play.designs);
        }
        renewing += play.renewing;
        faults += play.faults;
    }
    assert!(renewing as u64 >= cases && faults as u64 >= cases / 4, "{renewing} {faults}");
}
