//! Attacks of users on rules. `src/guide/operate/security.md` lists them.

use super::*;
use resource_edge::contract::api::endpoint::{DECLARED, Target};
use resource_edge::contract::api::path;
use resource_edge::contract::limits;
use resource_edge::project::Project;
use resource_edge::server::effect::Effect;

fn set(version: u64, name: &str, value: &str) -> Value {
    let verb = format!("set{}{}", name[..1].to_uppercase(), &name[1..]);
    json!({"version": version, "actions": [{"action": verb, name: value}]})
}

#[test]
fn an_endpoint_that_is_not_for_users_needs_a_scope() {
    let notes = Notes::new();
    let mut closed = 0;
    for row in DECLARED.iter().filter(|row| matches!(row.target, Target::Project(..)) && !row.is_for_users())
    {
        let target = path::template(row.path).replace("{projectKey}", "p");
        let line = format!("{} {target}?confirm=p", row.method.name());
        let got = notes.ask(Some(&notes.alice), &line, &[], None);
        assert_eq!((got.status, refusal(&got).1.as_str()), (403, "insufficient_scope"), "{line}: {got:?}");
        assert_eq!(notes.ask(None, &line, &[], None).status, 401, "{line}");
        closed += 1;
    }
    assert_eq!(closed, 5, "status, export, import, deletion, and restore");
    assert_eq!(notes.get(&notes.operator.token, "/p/resource").json()["total"], 4);
}

#[test]
fn huge_claims_satisfy_no_rule() {
    let of = |times: usize| {
        let parts = vec!["team in :groups"; times].join(" or ");
        Notes::with(&json!({"read": format!("title is defined or {parts}")}))
    };
    let claims = |values: usize| json!({"sub": "carol", "groups": vec!["x"; values]});
    let most = limits::PREDICATE_VARIABLE_BYTES / (1 + limits::PREDICATE_VALUE_COST);
    // The list counts once for each place of the rule.
    for (times, values, total) in [(1, 2_000, 4), (7, most / 7, 4), (7, most / 7 + 1, 0), (20, 2_000, 0)] {
        let notes = of(times);
        let token = notes.operator.token_of_user(&claims(values));
        assert_eq!(notes.get(&token, "/p/resource").json()["total"], total, "{times} {values}");
        assert_eq!(notes.get(&token, "/p/resource/a1").status == 200, total > 0, "{times} {values}");
    }
    let notes = of(1);
    let token = notes.operator.token_of_user(&claims(limits::TOKEN_BYTES));
    assert_eq!(notes.get(&token, "/p/resource").status, 401);
}

#[test]
fn what_is_too_much_work_is_refused_and_shows_nothing() {
    let notes = Notes::new();
    let edge = &notes.operator.edge;
    let database = edge.projects.borrow()["p"].database().clone();
    let poor = Project::with_budget(database, edge.shape(), 1);
    notes.get(&notes.alice, "/p/resource");
    edge.projects.borrow_mut().insert("p".to_owned(), poor);
    let asked = |line: &str, body: Option<Value>| {
        notes.ask(Some(&notes.alice), line, &[("Cache-Control", "no-cache")], body.as_ref())
    };
    for id in ["a1", "b1", "none"] {
        assert_eq!(asked(&format!("GET /p/resource/{id}"), None).status, 404, "{id}");
        assert_eq!(asked(&format!("DELETE /p/resource/{id}"), None).status, 404, "{id}");
        let update = set(1, "title", "T");
        assert_eq!(asked(&format!("POST /p/resource/{id}"), Some(update)).status, 404, "{id}");
    }
    let mine = json!({"title": "x", "owner": "alice"});
    assert_eq!(refusal(&asked("POST /p/resource", Some(mine))), forbidden("create"));
    assert_eq!(notes.get(&notes.operator.token, "/p/export").body.lines().count(), 5);
}

#[test]
fn a_long_condition_with_a_long_rule_is_no_listener() {
    let names: Vec<String> = (0..400).map(|number| format!("\"owner{number:03}\"")).collect();
    let notes = Notes::with(&json!({"read": format!("owner = :sub or owner in ({})", names.join(", "))}));
    let asked = |condition: &str| {
        let headers = [("Upgrade", "websocket"), ("Sec-WebSocket-Protocol", "resource-edge.changes")];
        notes.ask(Some(&notes.alice), &format!("GET /p/changes?where={condition}"), &headers, None)
    };
    assert_eq!(asked("done%3Dtrue").status, 101);
    let long = vec!["team%3D%22a%22"; 700].join("%20or%20");
    assert_eq!(asked(&long).status, 400);
}

#[test]
fn a_read_of_a_hidden_resource_has_the_effects_of_a_read_of_none() {
    let notes = Notes::new();
    // Each is read by an instance that has read neither.
    let effects = |target: &str, token: Option<&str>| {
        let other = Caller::serving(&super::notes(&rules()).unwrap());
        other.edge.kv.replace(notes.operator.edge.kv.borrow().clone());
        *other.edge.projects.borrow_mut() = notes.operator.edge.projects.take();
        let mut sent = Sent::new(&format!("GET {target}"), &[], "");
        sent.headers.extend(token.map(|token| ("Authorization".to_owned(), format!("Bearer {token}"))));
        let mut all = Vec::new();
        let got = other.drive(&sent, |effect| {
            all.push(match effect {
                Effect::ReadCopy { .. } => "copy",
                Effect::ReadPointer { .. } => "pointer",
                Effect::CallObject { .. } => "object",
                _ => "another",
            });
            None
        });
        *notes.operator.edge.projects.borrow_mut() = other.edge.projects.take();
        (got.status, all)
    };
    for token in [Some(notes.alice.as_str()), None] {
        let hidden = effects("/p/resource/b1", token);
        assert_eq!(hidden, (404, vec!["copy", "object"]));
        assert_eq!(hidden, effects("/p/resource/none", token));
        // That a key is in use is no secret (D44).
        assert_eq!(effects("/p/resource/key=b1", token).1, ["pointer", "copy", "object"]);
        assert_eq!(effects("/p/resource/key=none", token).1, ["pointer", "object"]);
    }
}

#[test]
fn a_batch_neither_takes_a_hidden_resource_nor_changes_what_it_has_hidden() {
    let open = json!({"read": OWNED, "create": "title is defined", "update": "title is defined",
        "delete": "title is defined"});
    let notes = Notes::with(&open);
    let by_id = |id: &str, body: Value| json!({"operation": "updateById", "id": id, "body": body});
    let create = |owner: &str| {
        let body = json!({"id": "new", "title": "new", "owner": owner});
        json!({"operation": "createOrUpdate", "body": body})
    };
    let delete = |id: &str| json!({"operation": "deleteById", "id": id});
    let before = notes.get(&notes.operator.token, "/p/export").body;
    for (writes, index) in [
        (vec![by_id("b1", set(1, "owner", "alice"))], 0),
        (vec![by_id("b1", set(1, "owner", "alice")), by_id("b1", set(2, "title", "mine"))], 0),
        (vec![delete("b1")], 0),
        // It gives a note away, and changes or deletes it then.
        (vec![by_id("a1", set(1, "owner", "bob")), by_id("a1", set(2, "title", "T"))], 1),
        (vec![by_id("a1", set(1, "owner", "bob")), delete("a1")], 1),
        (vec![create("bob"), by_id("new", set(1, "owner", "alice"))], 1),
        (vec![create("alice"), by_id("new", set(1, "owner", "bob")), delete("new")], 2),
    ] {
        let got = notes.write(&notes.alice, "POST /p/batch", &json!({"writes": writes}));
        let error = &got.json()["errors"][0];
        assert_eq!((got.status, &error["index"]), (404, &json!(index)), "{writes:?}: {got:?}");
    }
    let export = |text: &str| text.split("{\"end\":").next().unwrap().to_owned();
    let after = notes.get(&notes.operator.token, "/p/export").body;
    assert_eq!(export(&after), export(&before));
}

#[test]
fn a_restore_shows_a_user_only_what_the_rule_selects_then() {
    let notes = Notes::new();
    let edge = &notes.operator.edge;
    let operator = notes.operator.token.as_str();
    let position = notes.get(&notes.bob, "/p/changes?after=now").json()["to"].as_str().unwrap().to_owned();
    edge.projects.borrow()["p"].checkpoint().unwrap();
    let then = edge.keep("p");
    // Each note has another owner since.
    for (id, owner) in [("a1", "bob"), ("b1", "alice")] {
        assert_eq!(
            notes.write(operator, &format!("POST /p/resource/{id}"), &set(1, "owner", owner)).status,
            200
        );
    }
    let status = |token: &str| {
        ["a1", "b1"].map(|id| {
            let line = format!("GET /p/resource/{id}");
            notes.ask(Some(token), &line, &[("Cache-Control", "no-cache")], None).status
        })
    };
    assert_eq!([status(&notes.alice), status(&notes.bob)], [[404, 200], [200, 404]]);
    let time = resource_edge::util::time::format(then);
    for token in [Some(notes.alice.as_str()), None] {
        let got = notes.ask(token, &format!("POST /p/restore?confirm=p&time={time}"), &[], None);
        assert_eq!(got.status, if token.is_some() { 403 } else { 401 });
    }
    let got = notes.ask(Some(operator), &format!("POST /p/restore?confirm=p&time={time}"), &[], None);
    assert_eq!(got.status, 200, "{got:?}");
    assert_eq!([status(&notes.alice), status(&notes.bob)], [[200, 404], [404, 200]]);
    // A follower begins again, with what exists for it.
    assert_eq!(notes.get(&notes.bob, &format!("/p/changes?after={position}")).status, 410);
    let page = notes.get(&notes.bob, "/p/changes").body;
    assert!(!page.contains("\"id\":\"a1\"") && page.contains("\"id\":\"b1\""), "{page}");
}
