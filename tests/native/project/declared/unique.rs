//! Unique values (D40).

use resource_edge::contract::position::ProjectPosition;
use resource_edge::contract::response::export_end::ExportEnd;
use resource_edge::util::time;

use super::*;
use crate::support::random::Random;

fn unique() -> Value {
    schema(
        &json!({
            "sku": {"type": "string", "x-unique": true},
            "number": {"type": "number", "x-unique": true, "x-index": false},
            "note": {"type": "string"},
        }),
        &[],
    )
}

fn refused(reply: &Reply<String>, path: &str, value: &str) {
    let found = (status(reply), member(reply, Member::Path), member(reply, Member::DuplicateValue));
    assert_eq!(found, (400, path.to_owned(), value.to_owned()));
    let CallResult::Error(error) = &reply.head.result else { panic!("an error") };
    assert!(error.to_json().contains("\"DuplicateField\""), "{}", error.to_json());
}

#[test]
fn a_value_that_another_resource_has_is_refused_whoever_waits_for_the_index() {
    let mut declared = Declared::new(&unique());
    let long = "x".repeat(600);
    declared.create(&json!({"id": "a", "sku": "A", "number": 1.5}));
    declared.create(&json!({"id": "b", "sku": long}));
    for indexed in [false, true] {
        refused(&declared.post(&json!({"id": "c", "sku": "A"})), "/sku", "A");
        refused(&declared.patch(&json!({"id": "c", "number": 1.5})), "/number", "1.5");
        refused(&declared.merge(&json!({"id": "b", "sku": "A"})), "/sku", "A");
        assert_eq!(status(&declared.post(&json!({"id": "c", "sku": long}))), 400);
        let actions = json!([{"action": "setNote"}, {"action": "setSku", "sku": "A"}]);
        refused(&declared.update("b", 1, &actions).unwrap(), "/actions/1/sku", "A");
        assert!(declared.text("b").contains("\"version\":1"), "{indexed}");
        if !indexed {
            // A query indexes what waits.
            assert_eq!(declared.ids("sku is defined", &[]), ["a", "b"]);
            declared.crash();
        }
    }
    // Its own value, another one, and none.
    assert_eq!(status(&declared.merge(&json!({"id": "a", "sku": "A", "note": "n"}))), 0);
    assert_eq!(status(&declared.merge(&json!({"id": "a", "sku": "B"}))), 0);
    assert_eq!(status(&declared.post(&json!({"id": "c", "sku": "A"}))), 0);
    assert_eq!(status(&declared.post(&json!({"id": "d"}))), 0);
    assert_eq!(status(&declared.post(&json!({"id": "e"}))), 0);
    declared.call(write(Change::DeleteById { id: "c".to_owned(), version: None }).call);
    assert_eq!(status(&declared.merge(&json!({"id": "d", "sku": "A"}))), 0);
}

#[test]
fn a_field_that_becomes_unique_keeps_its_duplicates_and_refuses_new_ones() {
    let mut declared = Declared::new(&schema(
        &json!({"sku": {"type": "string", "x-index": false}, "note": {"type": "string"}}),
        &[],
    ));
    for id in ["a", "b", "c"] {
        declared.create(&json!({"id": id, "sku": if id == "c" { "C" } else { "A" }}));
    }
    declared.deploy(&unique());
    assert_eq!(status(&declared.merge(&json!({"id": "a", "note": "n"}))), 0);
    assert_eq!(status(&declared.put(&json!({"id": "a", "version": 2, "sku": "A"}))), 0);
    refused(&declared.merge(&json!({"id": "c", "sku": "A"})), "/sku", "A");
    refused(&declared.post(&json!({"id": "d", "sku": "A"})), "/sku", "A");
    assert_eq!(status(&declared.merge(&json!({"id": "a", "sku": "D"}))), 0);
    refused(&declared.merge(&json!({"id": "a", "sku": "A"})), "/sku", "A");
    assert_eq!(status(&declared.merge(&json!({"id": "b", "sku": null}))), 0);
    assert_eq!(status(&declared.merge(&json!({"id": "a", "sku": "A"}))), 0);
}

#[test]
fn an_import_keeps_duplicates_and_no_write_adds_one() {
    let mut source = Declared::new(&schema(&json!({"sku": {"type": "string"}}), &[]));
    for (id, sku) in [("a", "A"), ("b", "B"), ("c", "A")] {
        source.create(&json!({"id": id, "sku": sku}));
    }
    let mut copy = Declared::new(&unique());
    for line in source.export() {
        assert_eq!(status(&copy.import(&[line])), 0);
    }
    assert_eq!(copy.export(), source.export());
    assert_eq!(copy.ids("sku = \"A\"", &[]), ["a", "c"]);
    assert_eq!(status(&copy.merge(&json!({"id": "c", "note": "n"}))), 0);
    refused(&copy.merge(&json!({"id": "b", "sku": "A"})), "/sku", "A");
    copy.call(write(Change::DeleteById { id: "a".to_owned(), version: None }).call);
    refused(&copy.post(&json!({"id": "a", "sku": "A"})), "/sku", "A");
    assert_eq!(status(&copy.merge(&json!({"id": "c", "sku": "C"}))), 0);
    assert_eq!(status(&copy.post(&json!({"id": "a", "sku": "A"}))), 0);
    refused(&copy.merge(&json!({"id": "c", "sku": "A"})), "/sku", "A");
}

/// Lets a caller give, move, and remove values of the field `sku`.
fn move_values(declared: &mut Declared, random: &Random) {
    for _ in 0..random.below(12) {
        let id = format!("r{}", random.below(6));
        let sku = if random.chance(200) { Value::Null } else { json!(format!("S{}", random.below(6))) };
        let reply = match random.below(6) {
            0 => declared.call(write(Change::DeleteById { id, version: None }).call),
            1 | 2 => declared.merge(&json!({"id": id, "note": format!("n{}", random.below(9))})),
            _ => declared.post(&json!({"id": id, "sku": sku})),
        };
        assert!([0, 400, 404].contains(&status(&reply)), "{reply:?}");
    }
}

fn revision(line: &str) -> Millis {
    let line: Value = serde_json::from_str(line).unwrap();
    let time = ["lastModifiedAt", "deletedAt"].iter().find_map(|name| line[name].as_str());
    time::parse(time.unwrap()).unwrap()
}

#[test]
fn a_copy_equals_its_source_whatever_values_move_and_whatever_requests_import_them() {
    let plain = schema(&json!({"sku": {"type": "string"}, "note": {"type": "string"}}), &[]);
    let mut shared = 0;
    for seed in 0..300 {
        let random = Random::new(seed);
        let (mut source, mut copy) = (Declared::new(&unique()), Declared::new(&unique()));
        let mut after = None;
        for round in 0..8 {
            if random.chance(300) {
                // Values that are older than the rule.
                source.deploy(&plain);
                move_values(&mut source, &random);
                source.deploy(&unique());
            }
            move_values(&mut source, &random);
            let page = source.call(Call::Export(after.clone())).body.unwrap();
            let mut lines: Vec<&str> = page.lines().collect();
            let end = ExportEnd::parse(lines.last().unwrap()).unwrap().position;
            // A page that ends earlier: what follows changes meanwhile.
            let is_last = round == 7;
            let count = lines.len() as u64;
            lines.truncate(if is_last { count } else { random.below(count) } as usize);
            let mut rest = lines.as_slice();
            while !rest.is_empty() {
                let (request, others) = rest.split_at(random.within(1, rest.len() as u64) as usize);
                let reply = copy.call(Call::Import(request.join("\n")));
                assert_eq!(status(&reply), 0, "seed {seed}: {reply:?} {request:?}");
                assert_eq!(reply.body.unwrap().contains("\"isComplete\":true"), is_last && others.is_empty());
                rest = others;
            }
            if let Some(revision) = lines.last().filter(|_| !is_last).map(|line| revision(line)) {
                after = Some(ProjectPosition { revision, ..end });
            }
        }
        assert_eq!(copy.export(), source.export(), "seed {seed}");
        for sku in (0..6).map(|at| format!("S{at}")) {
            let holders = copy.ids(&format!("sku = \"{sku}\""), &[]).len();
            shared += usize::from(holders > 1);
            let reply = copy.post(&json!({"id": format!("new{sku}"), "sku": sku}));
            assert_eq!(status(&reply), if holders == 0 { 0 } else { 400 }, "seed {seed} {sku}");
        }
    }
    assert!(shared > 20, "{shared}");
}

/// Returns a project of the field `number` with so many resources, of which the first two have one value. The field
/// becomes unique, and the index is not renewed yet.
fn becoming_unique(bytes: usize) -> Declared {
    let before = |kind: &str| schema(&json!({"number": {"type": kind}, "note": {"type": "string"}}), &[]);
    let mut declared = Declared::new(&before("number"));
    for (id, number) in [("a", 1), ("b", 1), ("c", 2), ("d", 3), ("e", 4), ("f", 5), ("g", 6)] {
        declared.create(&json!({"id": id, "number": number}));
    }
    let mut after = before("integer");
    after["properties"]["number"]["x-unique"] = json!(true);
    declared.parts = Some((1, 1, bytes));
    declared.begin(&after);
    assert!(declared.project.is_renewing());
    declared
}

#[test]
fn a_value_of_a_resource_that_is_not_renewed_yet_is_not_given_to_another() {
    let mut declared = becoming_unique(usize::MAX);
    for _ in 0..3 {
        refused(&declared.post(&json!({"id": "h", "number": 5})), "/number", "5");
        refused(&declared.merge(&json!({"id": "c", "number": 1})), "/number", "1");
        declared.project.renew(1).unwrap();
    }
    assert!(declared.project.is_renewing());
    assert_eq!(status(&declared.merge(&json!({"id": "g", "number": 7}))), 0);
    refused(&declared.post(&json!({"id": "h", "number": 7})), "/number", "7");
    assert_eq!(status(&declared.post(&json!({"id": "h", "number": 6}))), 0);
    // Those that have one already keep it.
    assert_eq!(status(&declared.merge(&json!({"id": "b", "note": "n"}))), 0);
    while !declared.project.renew(1).unwrap() {}
    refused(&declared.post(&json!({"id": "i", "number": 6})), "/number", "6");
}

#[test]
fn only_a_write_of_a_value_that_too_many_resources_may_have_waits_for_the_index() {
    let mut declared = becoming_unique(0);
    assert_eq!(status(&declared.merge(&json!({"id": "a", "note": "n"}))), 0);
    assert_eq!(status(&declared.post(&json!({"id": "h", "note": "n"}))), 0);
    let input = validate::resource_input(&declared.shape, ObjectId::Complex, br#"{"id":"a","number":9}"#);
    let change = Change::UpdateByPath(input.unwrap_or_else(|_| panic!("a body")));
    let keyed = once(write(change), "k");
    let reply = declared.project.perform(&keyed, &at(5_000)).unwrap();
    let CallResult::Error(error) = &reply.head.result else { panic!("{reply:?}") };
    assert_eq!((error.status(), member(&reply, Member::Field)), (503, "number".to_owned()));
    assert!(error.message().contains("'number'"), "{}", error.message());
    while !declared.project.renew(1).unwrap() {}
    // The refusal is no first response.
    assert_eq!(status(&declared.project.perform(&keyed, &at(5_001)).unwrap()), 0);
    assert_eq!(declared.ids("number = 9", &[]), ["a"]);
}
