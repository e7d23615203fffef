//! Unique values (D40).

use super::*;

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
fn a_line_that_would_duplicate_a_value_is_refused_with_its_number() {
    let mut source = Declared::new(&schema(&json!({"sku": {"type": "string"}}), &[]));
    for (id, sku) in [("a", "A"), ("b", "B"), ("c", "A")] {
        source.create(&json!({"id": id, "sku": sku}));
    }
    let lines = source.export();
    let mut target = Declared::new(&unique());
    let reply = target.import(&lines);
    let CallResult::Error(error) = &reply.head.result else { panic!("{reply:?}") };
    assert!(error.message().starts_with("Line 3: A duplicate value 'A'"), "{}", error.message());
    assert_eq!(target.ids("", &[]), [""; 0]);
    // In two requests.
    assert_eq!(status(&target.import(&lines[..2])), 0);
    let reply = target.import(&lines[1..]);
    let CallResult::Error(error) = &reply.head.result else { panic!("{reply:?}") };
    assert!(error.message().starts_with("Line 2: "), "{}", error.message());
}

#[test]
fn a_value_that_moved_during_an_export_is_imported() {
    let mut source = Declared::new(&unique());
    source.create(&json!({"id": "a", "sku": "A"}));
    let mut lines = source.export();
    source.merge(&json!({"id": "a", "sku": "B"}));
    source.create(&json!({"id": "c", "sku": "A"}));
    source.merge(&json!({"id": "a", "note": "later"}));
    lines.extend(source.export());
    let mut target = Declared::new(&unique());
    assert_eq!(status(&target.import(&lines)), 0);
    assert_eq!(target.ids("sku = \"A\"", &[]), ["c"]);
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
