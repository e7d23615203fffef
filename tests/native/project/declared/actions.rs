//! The update actions of a declared resource.

use super::*;

fn declared() -> Declared {
    let text = json!({"type": "string"});
    Declared::new(&schema(
        &json!({
            "title": text,
            "note": text,
            "tags": {"type": "array", "items": text, "uniqueItems": true, "minItems": 1, "maxItems": 3},
            "marks": {"type": "array", "items": {"type": "integer"}},
        }),
        &["title"],
    ))
}

#[test]
fn arrays_keep_their_rules_after_each_action() {
    let mut declared = declared();
    declared.create(&json!({"id": "a", "title": "A", "tags": ["x"]}));
    let mut act = |actions: &Value, version: u64| declared.update("a", version, actions).unwrap();
    let reply = act(
        &json!([{"action": "addTags", "tags": ["x", "y", "y"]}, {"action": "addMarks", "marks": [1, 1]}]),
        1,
    );
    assert_eq!(content(&reply), json!({"title": "A", "tags": ["x", "y"], "marks": [1, 1]}));
    let reply =
        act(&json!([{"action": "setNote", "note": "n"}, {"action": "addTags", "tags": ["z", "u"]}]), 2);
    assert_eq!((status(&reply), member(&reply, Member::Path)), (400, "/actions/1/tags".to_owned()));
    assert_eq!(member(&reply, Member::Reason), "count");
    let CallResult::Error(error) = &reply.head.result else { panic!("an error") };
    assert_eq!(error.message(), "After this action, 'tags' would have 4 items. Expected 1 to 3 items.");
    let reply = act(&json!([{"action": "removeTags", "tags": ["x", "y"]}]), 2);
    assert_eq!((status(&reply), member(&reply, Member::Path)), (400, "/actions/0/tags".to_owned()));
    let reply = act(
        &json!([
            {"action": "removeTags", "tags": ["x", "v"]}, {"action": "removeMarks", "marks": [1]}, {"action": "setNote"},
        ]),
        2,
    );
    assert_eq!(content(&reply), json!({"title": "A", "tags": ["y"], "marks": []}));
    let reply =
        act(&json!([{"action": "setTags", "tags": null}, {"action": "removeTags", "tags": ["y"]}]), 3);
    assert_eq!(content(&reply), json!({"title": "A", "marks": []}));
}

#[test]
fn a_required_field_is_not_removed() {
    let mut declared = declared();
    declared.create(&json!({"id": "a", "title": "A"}));
    for action in [json!({"action": "setTitle"}), json!({"action": "setTitle", "title": null})] {
        let error = declared.update("a", 1, &json!([action])).unwrap_err();
        assert!(error.to_json().contains("/actions/0/title"), "{}", error.to_json());
    }
    assert_eq!(declared.get("a"), json!({"title": "A"}));
}

#[test]
fn an_action_may_bring_what_an_earlier_shape_allowed_nearer_to_the_rules() {
    let text = json!({"type": "string"});
    let mut declared = Declared::new(&schema(&json!({"tags": {"type": "array", "items": text}}), &[]));
    declared.create(&json!({"id": "a", "tags": ["v", "w", "x", "y", "y"]}));
    let rules = json!({"type": "array", "items": text, "uniqueItems": true, "maxItems": 2});
    declared.deploy(&schema(&json!({"tags": rules, "note": text}), &["note"]));
    let reply = declared.update("a", 1, &json!([{"action": "removeTags", "tags": ["v"]}])).unwrap();
    assert_eq!(content(&reply), json!({"tags": ["w", "x", "y", "y"]}));
    let reply = declared.update("a", 2, &json!([{"action": "addTags", "tags": ["w"]}])).unwrap();
    assert_eq!(status(&reply), 0);
    let reply = declared.update("a", 3, &json!([{"action": "addTags", "tags": ["z"]}])).unwrap();
    assert_eq!(status(&reply), 400);
}
