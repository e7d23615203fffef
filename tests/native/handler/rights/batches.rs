//! Batches of users that change what the rules say about a resource, and then the resource: each write is decided on
//! the state that those before it leave, as if it were sent alone (D43, D44).

use super::*;

fn set(id: &str, version: u64, values: &[(&str, &str)]) -> Value {
    let actions: Vec<Value> = values
        .iter()
        .map(|(field, value)| {
            let name = format!("set{}{}", field[..1].to_uppercase(), &field[1..]);
            json!({"action": name, *field: value})
        })
        .collect();
    json!({"operation": "updateById", "id": id, "body": {"version": version, "actions": actions}})
}

fn create(id: &str, owner: &str) -> Value {
    json!({"operation": "createOrUpdate", "body": {"id": id, "title": id, "owner": owner}})
}

/// Notes that everybody of the red team may change, if they see them.
fn teams() -> Notes {
    let update = "owner = :sub or team = \"red\"";
    let notes = Notes::with(&json!({"read": OWNED, "create": OWNED, "update": update, "delete": OWNED}));
    notes.operator.create(&json!({"id": "b3", "title": "b3", "owner": "bob", "team": "red"}));
    notes
}

fn send_batch(notes: &Notes, writes: &[Value]) -> Got {
    notes.write(&notes.alice, "POST /p/batch", &json!({"writes": writes}))
}

fn export(notes: &Notes) -> String {
    notes.ask(Some(&notes.operator.token), "GET /p/export", &[], None).body
}

#[test]
fn a_batch_with_a_write_that_a_rule_forbids_changes_nothing() {
    let notes = teams();
    let before = export(&notes);
    let given = [("owner", "bob")];
    let delete = json!({"operation": "deleteById", "id": "a1"});
    for (writes, rule, index) in [
        (vec![set("a1", 1, &given), set("a1", 2, &[("owner", "alice")])], "update", 0),
        (vec![create("n", "alice"), set("n", 1, &given)], "update", 1),
        (vec![delete, create("a1", "bob")], "create", 1),
    ] {
        let got = send_batch(&notes, &writes);
        assert_eq!(
            (refusal(&got), &got.json()["errors"][0]["index"]),
            (forbidden(rule), &json!(index)),
            "{got:?}"
        );
        assert_eq!(export(&notes), before, "{writes:?}");
    }
    // The rule of changes holds for what the user does not see.
    let [hidden, absent] = ["b3", "zz"].map(|id| send_batch(&notes, &[set(id, 1, &given)]).body);
    assert_eq!(hidden.replace("b3", "zz"), absent);
}

#[test]
fn a_batch_may_do_what_its_writes_may_do_one_after_the_other() {
    let [together, alone] = [teams(), teams()];
    let writes = [set("a1", 1, &[("team", "red")]), set("a1", 2, &[("owner", "bob")]), create("n", "alice")];
    let got = send_batch(&together, &writes).json();
    for (at, write) in writes.iter().enumerate() {
        let line = if at < 2 { "POST /p/resource/a1" } else { "POST /p/resource" };
        let one = alone.write(&alone.alice, line, &write["body"]);
        let result = &got["results"][at];
        assert_eq!(
            (&result["status"], &result["resource"]["version"]),
            (&json!(one.status), &one.json()["version"])
        );
        assert_eq!(result["resource"]["owner"], one.json()["owner"]);
    }
    for notes in [together, alone] {
        assert_eq!(notes.get(&notes.alice, "/p/resource/a1").status, 404);
        assert_eq!(notes.get(&notes.bob, "/p/resource/a1").json()["team"], "red");
    }
}
