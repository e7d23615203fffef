//! Exports of an earlier shape (D41).

use super::*;

fn size(name: &str) -> Value {
    let text = json!({"type": "string"});
    json!({"type": "object", "properties": {name: text, "unit": text}})
}

/// Returns a project with a resource of the earlier shape.
fn earlier() -> Declared {
    let text = json!({"type": "string"});
    let parts = json!({"type": "array", "items": size("width")});
    let mut declared = Declared::new(&schema(
        &json!({"title": text, "old": text, "count": text, "size": size("width"), "parts": parts}),
        &[],
    ));
    declared.create(&json!({
        "id": "a", "title": "A", "old": "gone", "count": "seven", "size": {"width": "w", "unit": "cm"},
        "parts": [{"width": "w", "unit": "cm"}, {"width": "w"}],
    }));
    declared
}

/// Returns the schema of the later shape, in which no value of the resource is as it was.
fn later() -> Value {
    let parts = json!({"type": "array", "items": size("height")});
    schema(
        &json!({
            "title": {"type": "string", "maxLength": 0}, "count": {"type": "integer"}, "new": {"type": "string"},
            "size": size("height"), "parts": parts,
        }),
        &["new"],
    )
}

/// Returns what the later shape has of the resource.
fn kept() -> Value {
    json!({"title": "A", "count": "seven", "size": {"unit": "cm"}, "parts": [{"unit": "cm"}, {}]})
}

#[test]
fn lines_of_an_earlier_shape_are_imported_with_what_the_shape_still_has() {
    let lines = earlier().export();
    let mut target = Declared::new(&later());
    assert_eq!(status(&target.import(&lines)), 0);
    assert_eq!(target.get("a"), kept());
    assert_eq!(target.ids("size.unit = \"cm\" and count is not defined", &[]), ["a"]);
    // As another program writes it.
    let mut line: Value = serde_json::from_str(&lines[0]).unwrap();
    line["createdBy"] = json!(null);
    let mut target = Declared::new(&later());
    assert_eq!(status(&target.import(&[line.to_string().replace("\":", "\" : ")])), 0);
    assert_eq!(target.get("a"), kept());
}

#[test]
fn the_fields_of_the_system_keep_their_rules_in_such_lines() {
    let line: Value = serde_json::from_str(&earlier().export()[0]).unwrap();
    let mut target = Declared::new(&later());
    for (name, value) in [("version", json!(0)), ("id", json!("")), ("createdAt", json!("now"))] {
        let mut wrong = line.clone();
        wrong[name] = value;
        let reply = target.import(&[wrong.to_string()]);
        assert_eq!(member(&reply, Member::Path), format!("/{name}"));
    }
    let nul = line.to_string().replace("seven", "\\u0000");
    assert_eq!(status(&target.import(&[nul])), 400);
    assert_eq!(target.ids("", &[]), [""; 0]);
}

#[test]
fn a_write_removes_what_the_shape_lacks() {
    let mut declared = earlier();
    declared.deploy(&later());
    assert!(declared.text("a").contains("\"old\":\"gone\""));
    let reply = declared.merge(&json!({"id": "a", "new": "n"}));
    let mut expected = kept();
    expected["new"] = json!("n");
    assert_eq!(content(&reply), expected);
}
