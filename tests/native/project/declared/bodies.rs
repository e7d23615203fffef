//! Full and partial bodies (D38), empty arrays, and defaults (D39).

use super::*;

fn declared() -> Declared {
    let text = json!({"type": "string"});
    Declared::new(&schema(
        &json!({
            "title": text,
            "note": text,
            "status": {"enum": ["draft", "active"], "default": "draft"},
            "tags": {"type": "array", "items": text},
            "size": {"type": "object", "properties": {"width": {"type": "number"}, "unit": text}},
            "parts": {"type": "array", "items": {"type": "object", "properties": {"name": text}}},
        }),
        &["title"],
    ))
}

#[test]
fn a_creation_stores_the_defaults_and_what_it_has() {
    let mut declared = declared();
    let stored = declared.create(&json!({"id": "a", "title": "A", "status": null}));
    assert_eq!(stored, json!({"title": "A", "status": "draft"}));
    let stored = declared.create(&json!({"id": "b", "title": "B", "status": "active"}));
    assert_eq!(stored, json!({"title": "B", "status": "active"}));
    // Operation 8 creates, and then replaces: a default is for creations.
    let reply = declared.patch(&json!({"id": "c", "title": "C"}));
    assert_eq!(content(&reply), json!({"title": "C", "status": "draft"}));
    let reply = declared.patch(&json!({"id": "c", "title": "C"}));
    assert_eq!(content(&reply), json!({"title": "C"}));
}

type Perform = fn(&mut Declared, &Value) -> Reply<String>;

#[test]
fn operations_7_and_8_replace_the_content_and_others_keep_what_a_body_lacks() {
    let whole = json!({"id": "a", "title": "A", "note": "n", "tags": ["x"], "size": {"width": 1}});
    let replace: [Perform; 2] = [Declared::put, Declared::patch];
    for perform in replace {
        let mut declared = declared();
        declared.create(&whole);
        let reply = perform(&mut declared, &json!({"id": "a", "version": 1, "title": "B", "tags": []}));
        assert_eq!(content(&reply), json!({"title": "B", "tags": []}));
    }
    let change: [Perform; 2] = [Declared::post, Declared::merge];
    for (at, perform) in change.into_iter().enumerate() {
        let mut declared = declared();
        declared.create(&whole);
        let reply =
            perform(&mut declared, &json!({"id": "a", "version": 1, "note": null, "size": {"unit": "cm"}}));
        let expected = json!({"title": "A", "status": "draft", "tags": ["x"], "size": {"unit": "cm"}});
        assert_eq!(content(&reply), expected, "{at}");
        assert_eq!(declared.get("a"), expected);
    }
}

#[test]
fn a_change_of_what_does_not_exist_is_404_and_changes_nothing() {
    let mut declared = declared();
    for body in [json!({"id": "a"}), json!({"key": "k"}), json!({})] {
        let mut with_version = body.clone();
        with_version["version"] = json!(1);
        assert_eq!(status(&declared.post(&with_version)), 404, "{body}");
        assert_eq!(status(&declared.merge(&body)), 404, "{body}");
    }
    assert_eq!(declared.ids("", &[]), [""; 0]);
    // The only resource needs no name, as for operation 7.
    declared.create(&json!({"id": "a", "title": "A"}));
    assert_eq!(content(&declared.merge(&json!({"note": "n"})))["note"], "n");
    declared.create(&json!({"id": "b", "title": "B"}));
    assert_eq!(status(&declared.merge(&json!({"note": "n"}))), 400);
}

#[test]
fn empty_arrays_are_stored_as_they_were_sent() {
    let mut declared = declared();
    declared
        .create(&json!({"id": "a", "title": "A", "status": "active", "tags": [], "size": {}, "parts": []}));
    let text = declared.text("a");
    assert!(text.ends_with(r#","title":"A","status":"active","tags":[],"size":{},"parts":[]}"#), "{text}");
    declared.create(&json!({"id": "b", "title": "B"}));
    declared.create(&json!({"id": "c", "title": "C", "tags": ["x"], "size": {"width": 1}, "parts": [{}]}));
    for name in ["tags", "parts"] {
        assert_eq!(declared.ids(&format!("{name} is empty"), &[]), ["a", "b"]);
        assert_eq!(declared.ids(&format!("{name} is not empty"), &[]), ["c"]);
        assert_eq!(declared.ids(&format!("{name} is defined"), &[]), ["a", "c"]);
        assert_eq!(declared.ids(&format!("{name} is not defined"), &[]), ["b"]);
    }
    assert_eq!(declared.ids("size is defined", &[]), ["a", "c"]);
    // A page of a declared resource has no arrays beside its results.
    let page = declared.page("", &[]);
    let names: Vec<&String> = page.as_object().unwrap().keys().collect();
    assert_eq!(names.len(), 5, "{names:?}");
}

#[test]
fn the_first_response_to_a_change_is_the_resource_and_is_replayed() {
    let mut declared = declared();
    let note = "n".repeat(10_000);
    declared.create(&json!({"id": "a", "title": "A"}));
    let input = json!({"id": "a", "note": note}).to_string();
    let input = validate::resource_input(&declared.shape, ObjectId::Complex, input.as_bytes());
    let input = input.unwrap_or_else(|_| panic!("a body"));
    let message = once(write(Change::UpdateByPath(input)), "k");
    let first = declared.call(message.call.clone());
    assert_eq!(content(&first)["note"], note);
    declared.merge(&json!({"id": "a", "note": "other"}));
    let again = declared.call(message.call);
    assert_eq!((again.body, again.head.replayed), (first.body, true));
}

#[test]
fn what_the_object_does_not_have_yet_is_503_at_any_depth_and_changes_nothing() {
    let text = json!({"type": "string"});
    let object = |properties: Value| json!({"type": "object", "properties": properties});
    let list = |items: Value| json!({"type": "array", "items": items});
    let before = json!({"title": text, "size": object(json!({"width": text})), "tags": text,
        "parts": list(object(json!({"name": text})))});
    let after = json!({"title": text, "size": object(json!({"width": text, "depth": text})), "tags": list(text.clone()),
        "parts": list(object(json!({"name": text, "code": text}))), "more": text});
    let mut declared = Declared::new(&schema(&before, &[]));
    declared.create(&json!({"id": "a", "title": "A"}));
    // The edges have the newer shape already.
    declared.shape = shape(&schema(&after, &[]));
    for content in [
        json!({"more": "m"}),
        json!({"size": {"depth": "d"}}),
        json!({"parts": [{"name": "n"}, {"code": "c"}]}),
        json!({"tags": ["t"]}),
        json!({"more": null}),
    ] {
        let mut body = content.clone();
        body["id"] = json!("a");
        assert_eq!(status(&declared.merge(&body)), 503, "{content}");
        let (name, value) = content.as_object().unwrap().iter().next().unwrap();
        let set = format!("set{}{}", name[..1].to_uppercase(), &name[1..]);
        let actions = json!([{"action": "setTitle", "title": "B"}, {"action": set, name.clone(): value}]);
        assert_eq!(status(&declared.update("a", 1, &actions).unwrap()), 503, "{actions}");
    }
    let reply = declared.update("a", 1, &json!([{"action": "addTags", "tags": ["t"]}])).unwrap();
    assert_eq!(status(&reply), 503);
    assert_eq!(declared.get("a"), json!({"title": "A"}));
    let body = json!({"id": "a", "size": {"width": "w"}, "parts": [{"name": "n"}, {}]});
    assert_eq!(status(&declared.merge(&body)), 0);
}
