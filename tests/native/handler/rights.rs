//! Rules of users (D44): what a token without a scope may read and change.

mod attacks;
mod batches;
mod copies;

use std::rc::Rc;

use super::*;
use resource_edge::rights;
use resource_edge::shape::{Refused, Resources};

/// Returns the resources of notes with these rules.
fn notes(rules: &Value) -> Result<Rc<Resources>, Refused> {
    let content = json!({
        "resources": {
            "note": {
                "type": "object",
                "required": ["title"],
                "properties": {
                    "title": { "type": "string" },
                    "owner": { "type": "string" },
                    "status": { "enum": ["draft", "active"], "default": "draft" },
                    "team": { "type": "string" },
                    "price": { "type": "number" },
                    "done": { "type": "boolean" },
                    "slug": { "type": "string", "x-unique": true },
                },
            },
        },
        "rules": { "note": rules },
    });
    let resources = Resources::read(&content.to_string())?;
    rights::check(&resources).map(|()| Rc::new(resources))
}

/// A service of notes, its operator, and two users.
struct Notes {
    operator: Caller,
    alice: String,
    bob: String,
}

const OWNED: &str = "owner = :sub";

fn rules() -> Value {
    json!({
        "read": "status = \"active\" or owner = :sub",
        "create": OWNED,
        "update": OWNED,
        "delete": "owner = :sub and status = \"draft\"",
        "fixed": ["owner", "price"],
        "anonymous": "status = \"active\"",
    })
}

impl Notes {
    fn with(rules: &Value) -> Self {
        let operator = Caller::serving(&notes(rules).unwrap_or_else(|wrong| panic!("{wrong:?}")));
        let [alice, bob] = ["alice", "bob"].map(|sub| operator.token_of_user(&json!({"sub": sub})));
        let notes = Self { operator, alice, bob };
        for (key, owner, status) in [
            ("a1", "alice", "draft"),
            ("a2", "alice", "active"),
            ("b1", "bob", "draft"),
            ("b2", "bob", "active"),
        ] {
            notes
                .operator
                .create(&json!({"id": key, "key": key, "title": key, "owner": owner, "status": status,
                "slug": format!("slug-{key}")}));
        }
        notes
    }

    fn new() -> Self {
        Self::with(&rules())
    }

    /// Returns the response to a request with a token, or without one.
    fn ask(&self, token: Option<&str>, line: &str, headers: &[(&str, &str)], body: Option<&Value>) -> Got {
        let mut sent = Sent::new(line, headers, body.map(Value::to_string).unwrap_or_default());
        if let Some(token) = token {
            sent.headers.push(("Authorization".to_owned(), format!("Bearer {token}")));
        }
        if body.is_some() {
            sent.headers.push(("Content-Type".to_owned(), "application/json".to_owned()));
        }
        send(&self.operator.service, &self.operator.edge, &sent)
    }

    fn get(&self, token: &str, target: &str) -> Got {
        self.ask(Some(token), &format!("GET {target}"), &[], None)
    }

    fn write(&self, token: &str, line: &str, body: &Value) -> Got {
        self.ask(Some(token), line, &[], Some(body))
    }

    /// Returns the IDs of a page.
    fn ids(&self, token: &str, target: &str) -> Vec<String> {
        ids(&self.get(token, target))
    }
}

fn ids(got: &Got) -> Vec<String> {
    let page = got.json();
    let results = page["results"].as_array().unwrap_or_else(|| panic!("{got:?}"));
    results.iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect()
}

/// Returns the status, the code, and the rule of an error.
fn refusal(got: &Got) -> (u16, String, String) {
    let error = got.json()["errors"][0].clone();
    let text = |name: &str| error[name].as_str().unwrap_or_default().to_owned();
    (got.status, text("code"), text("rule"))
}

fn forbidden(rule: &str) -> (u16, String, String) {
    (403, "Forbidden".to_owned(), rule.to_owned())
}

#[test]
fn a_user_reads_what_the_rule_selects_and_nothing_else_exists() {
    let notes = Notes::new();
    for target in ["/p/resource", "/p/resource/sorted-query-parameters", "/p/resource/searchApiPattern"] {
        assert_eq!(notes.ids(&notes.alice, target), ["a1", "a2", "b2"], "{target}");
        assert_eq!(notes.get(&notes.alice, target).json()["total"], 3, "{target}");
        assert_eq!(notes.ids(&notes.bob, target), ["a2", "b1", "b2"], "{target}");
    }
    let conditions = [("title in (\"a1\", \"b1\")", "a1"), ("owner = \"bob\"", "b2")];
    for (condition, id) in conditions {
        let condition = condition.replace(' ', "%20").replace('"', "%22");
        assert_eq!(notes.ids(&notes.alice, &format!("/p/resource?where={condition}")), [id]);
    }
    for (target, status) in [("/p/resource?where=key=%22b1%22", 404), ("/p/resource?where=key=%22b2%22", 200)]
    {
        assert_eq!(notes.ask(Some(&notes.alice), &format!("HEAD {target}"), &[], None).status, status);
    }
    let facets = notes.get(&notes.alice, "/p/resource/searchApiPattern?facet=owner").json()["facets"].clone();
    assert_eq!(facets["owner"]["terms"][0], json!({"term": "alice", "count": 2}), "{facets}");
    assert_eq!(notes.ids(&notes.alice, "/p/resource/searchApiPattern?text.en=b1"), Vec::<String>::new());
}

#[test]
fn a_hidden_resource_is_read_as_one_that_does_not_exist() {
    let notes = Notes::new();
    for target in ["/p/resource/b1", "/p/resource/key=b1"] {
        let absent = target.replace("b1", "zz");
        for (method, headers) in [
            ("GET", vec![]),
            ("HEAD", vec![]),
            ("GET", vec![("Cache-Control", "no-cache")]),
            ("GET", vec![("If-None-Match", "*")]),
        ] {
            let asked = |target: &str| {
                let got = notes.ask(Some(&notes.alice), &format!("{method} {target}"), &headers, None);
                let named = |text: String| text.replace("b1", "zz");
                (
                    got.status,
                    got.header("Resource-Revision").map(str::to_owned),
                    got.header("ETag").is_some(),
                    named(String::from_utf8_lossy(got.body.as_bytes()).into_owned()),
                )
            };
            assert_eq!(asked(target), asked(&absent), "{method} {target}");
            assert_eq!(asked(target).0, 404, "{method} {target}");
        }
        assert_eq!(notes.get(&notes.bob, target).json()["id"], "b1");
    }
    let etag = notes.get(&notes.bob, "/p/resource/b1").header("ETag").unwrap().to_owned();
    let got = notes.ask(Some(&notes.bob), "GET /p/resource/b1", &[("If-None-Match", &etag)], None);
    assert_eq!(got.status, 304);
    let got = notes.ask(Some(&notes.alice), "GET /p/resource/b1", &[("If-None-Match", &etag)], None);
    assert_eq!(got.status, 404);
}

#[test]
fn writes_need_their_rule_and_hidden_resources_do_not_exist() {
    let notes = Notes::new();
    let (alice, bob) = (notes.alice.as_str(), notes.bob.as_str());
    let mine = json!({"key": "new", "title": "New", "owner": "alice"});
    let got = notes.write(alice, "POST /p/resource", &mine);
    assert_eq!((got.status, got.json()["version"].clone()), (201, json!(1)), "{got:?}");
    let id = got.json()["id"].as_str().unwrap().to_owned();
    let theirs = json!({"title": "New", "owner": "bob"});
    assert_eq!(refusal(&notes.write(alice, "POST /p/resource", &theirs)), forbidden("create"));
    assert_eq!(refusal(&notes.write(alice, "POST /p/resource", &json!({"title": "x"}))), forbidden("create"));
    // What is there may be read, but is not theirs.
    let update = |version: u64, action: Value| json!({"version": version, "actions": [action]});
    let title = json!({"action": "setTitle", "title": "T"});
    assert_eq!(notes.write(alice, "POST /p/resource/a2", &update(1, title.clone())).status, 200);
    assert_eq!(
        refusal(&notes.write(alice, "POST /p/resource/b2", &update(1, title.clone()))),
        forbidden("update")
    );
    assert_eq!(
        refusal(&notes.write(alice, "POST /p/resource/b2", &update(9, title.clone()))),
        forbidden("update")
    );
    assert_eq!(notes.write(alice, "POST /p/resource/b1", &update(1, title.clone())).status, 404);
    let body = json!({"id": "b2", "version": 1, "title": "T", "owner": "bob"});
    for line in ["POST /p/resource", "PUT /p/resource", "PATCH /p/resource"] {
        assert_eq!(refusal(&notes.write(alice, line, &body)), forbidden("update"), "{line}");
    }
    for (target, expected) in [("b2", 403), ("b1", 404), ("a2", 403)] {
        let got = notes.ask(Some(alice), &format!("DELETE /p/resource/{target}"), &[], None);
        assert_eq!(got.status, expected, "{target}: {got:?}");
    }
    let got = notes.ask(Some(alice), &format!("DELETE /p/resource/{id}?version=1"), &[], None);
    assert_eq!((got.status, got.json()["title"].clone()), (200, json!("New")));
    // Nothing of bob's has changed.
    for id in ["b1", "b2"] {
        assert_eq!(notes.get(bob, &format!("/p/resource/{id}")).json()["version"], 1, "{id}");
    }
}

#[test]
fn a_field_that_is_fixed_cannot_change_and_a_record_must_satisfy_the_rule_afterwards() {
    let free = json!({"read": "id is defined", "create": OWNED, "update": OWNED, "fixed": ["price"]});
    let notes = Notes::with(&free);
    let alice = notes.alice.as_str();
    let price = |price: Value| json!({"version": 1, "actions": [{"action": "setPrice", "price": price}]});
    let got = notes.write(alice, "POST /p/resource/a1", &price(json!(5)));
    assert_eq!(refusal(&got), forbidden("fixed"));
    let error = &got.json()["errors"][0];
    assert_eq!((&error["field"], &error["path"]), (&json!("price"), &json!("/price")));
    // The value that it has is no change.
    let created = json!({"key": "p", "title": "P", "owner": "alice", "price": 5});
    assert_eq!(notes.write(alice, "POST /p/resource", &created).status, 201);
    let same = json!({"key": "p", "version": 1, "title": "Q", "owner": "alice", "price": 5.0});
    assert_eq!(notes.write(alice, "PUT /p/resource", &same).status, 200);
    let without = json!({"key": "p", "version": 2, "title": "Q", "owner": "alice"});
    assert_eq!(refusal(&notes.write(alice, "PUT /p/resource", &without)), forbidden("fixed"));
    // Nobody gives a note away, or takes one.
    let give = json!({"version": 1, "actions": [{"action": "setOwner", "owner": "bob"}]});
    assert_eq!(refusal(&notes.write(alice, "POST /p/resource/a1", &give)), forbidden("update"));
    let take = json!({"version": 1, "actions": [{"action": "setOwner", "owner": "alice"}]});
    assert_eq!(refusal(&notes.write(alice, "POST /p/resource/b1", &take)), forbidden("update"));
    assert_eq!(refusal(&notes.ask(Some(alice), "DELETE /p/resource/a1", &[], None)), forbidden("delete"));
}

#[test]
fn a_name_or_a_unique_value_of_a_hidden_resource_is_taken() {
    let notes = Notes::new();
    let mine = |name: &str, value: &str| json!({name: value, "title": "x", "owner": "alice"});
    for (name, value) in [("key", "b1"), ("slug", "slug-b1"), ("id", "b1")] {
        let got = notes.write(&notes.alice, "POST /p/resource", &mine(name, value));
        assert_eq!(refusal(&got).1, "DuplicateField", "{name}: {got:?}");
        assert_eq!(got.json()["errors"][0]["field"], name);
        // Who may not create at all does not learn it.
        let theirs = json!({name: value, "title": "x", "owner": "bob"});
        assert_eq!(refusal(&notes.write(&notes.alice, "POST /p/resource", &theirs)), forbidden("create"));
    }
    assert_eq!(notes.get(&notes.bob, "/p/resource/b1").json()["version"], 1);
    let must_exist = json!({"key": "b1", "version": 1, "title": "x", "owner": "alice"});
    for line in ["POST /p/resource", "PATCH /p/resource"] {
        assert_eq!(notes.write(&notes.alice, line, &must_exist).status, 404, "{line}");
    }
    // How many resources there are is not told either.
    let unnamed = json!({"version": 1, "title": "x", "owner": "alice"});
    for line in ["PUT /p/resource", "PATCH /p/resource"] {
        assert_eq!(refusal(&notes.write(&notes.alice, line, &unnamed)).1, "InvalidOperation", "{line}");
    }
}

#[test]
fn the_rule_of_a_change_holds_for_the_version_and_the_time_that_the_resource_gets() {
    let notes = Notes::with(&json!({"read": OWNED, "create": OWNED, "update": "version < 3"}));
    let alice = notes.alice.as_str();
    let action = json!({"action": "setTitle", "title": "T"});
    for (version, status) in [(1, 200), (2, 403)] {
        let update = json!({"version": version, "actions": [action]});
        assert_eq!(notes.write(alice, "POST /p/resource/a1", &update).status, status, "{version}");
        let body = json!({"id": "a2", "version": version, "title": "T", "owner": "alice"});
        assert_eq!(notes.write(alice, "PUT /p/resource", &body).status, status, "{version}");
    }
    assert_eq!(notes.get(alice, "/p/resource/a1").json()["version"], 2);
}

#[test]
fn the_feed_has_only_the_states_that_the_rule_selects() {
    let notes = Notes::new();
    for (target, ids) in
        [("/p/changes", vec!["a1", "a2", "b2"]), ("/p/changes?where=status%20=%20%22draft%22", vec!["a1"])]
    {
        let got = notes.get(&notes.alice, target);
        assert_eq!(got.status, 200, "{got:?}");
        let found: Vec<String> = got
            .body
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].as_str().map(str::to_owned))
            .collect();
        assert_eq!(found, ids, "{target}");
    }
}

#[test]
fn a_batch_needs_the_rule_of_each_write() {
    let notes = Notes::new();
    let mine = json!({"operation": "createOrUpdate", "body": {"key": "x", "title": "x", "owner": "alice"}});
    let batch = |second: Value| {
        let got = notes.write(&notes.alice, "POST /p/batch", &json!({"writes": [mine.clone(), second]}));
        (refusal(&got), got.json()["errors"][0]["index"].clone())
    };
    let theirs = json!({"operation": "createOrUpdate", "body": {"key": "y", "title": "y", "owner": "bob"}});
    assert_eq!(batch(theirs), (forbidden("create"), json!(1)));
    for (id, expected) in [("b1", 404), ("b2", 403)] {
        let ((status, ..), index) = batch(json!({"operation": "deleteById", "id": id}));
        assert_eq!((status, index), (expected, json!(1)), "{id}");
    }
    assert_eq!(notes.get(&notes.alice, "/p/resource/key=x").status, 404);
    assert_eq!(batch(json!({"operation": "deleteById", "id": "a1"})).0.0, 200);
    let got = notes.ask(None, "POST /p/batch", &[], Some(&json!({"writes": [mine]})));
    assert_eq!(got.status, 401);
}

#[test]
fn a_caller_without_a_token_reads_what_anonymous_selects() {
    let notes = Notes::new();
    let asked = |line: &str| notes.ask(None, line, &[], None);
    assert_eq!(ids(&asked("GET /p/resource")), ["a2", "b2"]);
    assert_eq!((asked("GET /p/resource/a2").status, asked("GET /p/resource/a1").status), (200, 404));
    assert_eq!(asked("DELETE /p/resource/a2").status, 401);
    assert_eq!(notes.ask(None, "POST /p/resource", &[], Some(&json!({"title": "x"}))).status, 401);
    assert_eq!(notes.ask(None, "GET /p/resource", &[("Authorization", "Basic YTpi")], None).status, 401);
    assert_eq!(asked("GET /!/resource").status, 401);
    for line in ["GET /p/status", "GET /p/export"] {
        assert_eq!(asked(line).status, 401, "{line}");
    }
    // A tool of agents that writes is refused before anything is stored, also an idempotency key.
    for (name, arguments) in [
        ("createOrUpdate", json!({"body": {"title": "x"}, "Idempotency-Key": "k"})),
        ("delete", json!({"id": "a2", "version": 1})),
        ("delete", json!({"id": "a1", "version": 1})),
        (
            "batch",
            json!({"writes": [{"tool": "createOrUpdate", "body": {"title": "x"}}], "Idempotency-Key": "k"}),
        ),
    ] {
        let params = json!({"name": name, "arguments": arguments});
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let got = notes.ask(None, "POST /p/mcp", &[], Some(&message)).json();
        let error = &got["result"]["structuredContent"];
        assert_eq!((&error["statusCode"], &error["error"]), (&json!(401), &json!("invalid_token")), "{name}");
    }
    let stored =
        notes.operator.edge.projects.borrow()["p"].database().number("SELECT count(*) FROM idempotency");
    assert_eq!(stored, 0);
    let closed = Notes::with(&json!({"read": OWNED}));
    assert_eq!(closed.ask(None, "GET /p/resource", &[], None).status, 401);
}

#[test]
fn scopes_are_as_without_rules_and_calls_for_operators_need_one() {
    let notes = Notes::new();
    let operator = notes.operator.token.as_str();
    assert_eq!(notes.get(operator, "/p/resource").json()["total"], 4);
    let viewer = notes.operator.token_for("view_test:p");
    assert_eq!(notes.get(&viewer, "/p/resource").json()["total"], 4);
    let got = notes.write(&viewer, "POST /p/resource", &json!({"title": "x"}));
    assert_eq!(refusal(&got).1, "insufficient_scope");
    // A scope of another project makes nobody more here.
    let elsewhere = notes.operator.token_for("manage_test:q");
    assert_eq!(notes.ids(&elsewhere, "/p/resource"), ["a2", "b2"]);
    for line in ["GET /p/status", "GET /p/export", "DELETE /p/data?confirm=p"] {
        assert_eq!(
            refusal(&notes.ask(Some(&notes.alice), line, &[], None)).1,
            "insufficient_scope",
            "{line}"
        );
    }
    // Without rules, a user may nothing.
    let plain = Caller::new();
    let token = plain.token_of_user(&json!({"sub": "alice"}));
    let sent = Sent::new("GET /p/resource", &[("Authorization", &format!("Bearer {token}"))], "");
    assert_eq!(refusal(&send(&plain.service, &plain.edge, &sent)).1, "insufficient_scope");
}

#[test]
fn a_claim_that_is_absent_or_odd_matches_nothing_and_where_cannot_set_it() {
    let by_team = json!({"read": "status = \"active\" or team in :groups or not (team = :org.team)"});
    let notes = Notes::with(&by_team);
    let read = |claims: Value| {
        let mut claims = claims;
        claims["sub"] = json!("carol");
        let token = notes.operator.token_of_user(&claims);
        notes.get(&token, "/p/resource").json()["total"].clone()
    };
    assert_eq!(read(json!({"groups": ["x"], "org": {"team": "y"}})), 4);
    assert_eq!(read(json!({"groups": "x", "org.team": "y"})), 4);
    assert_eq!(read(json!({"groups": [], "org": {"team": "y"}})), 4);
    for claims in [
        json!({}),
        json!({"groups": ["x"]}),
        json!({"org": {"team": "y"}}),
        json!({"groups": null, "org": {"team": "y"}}),
        json!({"groups": {"a": 1}, "org": {"team": "y"}}),
        json!({"groups": [["x"]], "org": {"team": "y"}}),
        json!({"groups": ["x", 1], "org": {"team": "y"}}),
        json!({"groups": ["x"], "org": {"team": 1}}),
        json!({"groups": ["x"], "org": {"team": ["y"]}}),
        json!({"groups": ["x"], "org": ["team"]}),
        json!({"groups": ["x"], "org": {"team": "a\u{0}"}}),
    ] {
        assert_eq!(read(claims.clone()), 0, "{claims}");
    }
    let notes = Notes::new();
    let target = "/p/resource?where=owner=:sub&var.sub=bob";
    assert_eq!(notes.ids(&notes.alice, target), ["b2"]);
    assert_eq!(notes.get(&notes.alice, "/p/resource?where=owner=:sub").status, 400);
}

#[test]
fn a_repeat_under_other_rights_gets_no_response_of_another() {
    let by_role = json!({"read": "team = :role", "create": "team = :role", "update": "team = :role"});
    let notes = Notes::with(&by_role);
    let token = |role: &str| notes.operator.token_of_user(&json!({"sub": "shared", "role": role}));
    let body = json!({"key": "r", "title": "secret", "team": "red"});
    let write = |role: &str| {
        notes.ask(Some(&token(role)), "POST /p/resource", &[("Idempotency-Key", "k")], Some(&body))
    };
    assert_eq!(write("red").status, 201);
    let again = write("red");
    assert_eq!((again.status, again.header("Idempotency-Replayed")), (201, Some("true")));
    let other = write("blue");
    assert_eq!(
        (other.status, other.json()["errors"][0]["code"].clone()),
        (422, json!("IdempotencyKeyReused"))
    );
}

#[test]
fn what_is_wrong_with_rules_has_its_place() {
    for (rules, at, part) in [
        (json!([]), "/rules/note", "read, create"),
        (json!({"reed": "x"}), "/rules/note/reed", "read, create"),
        (json!({"read": 5}), "/rules/note/read", "predicate in a text"),
        (json!({"read": "owner = "}), "/rules/note/read", "line 1, column 9"),
        (json!({"update": "ownr = :sub"}), "/rules/note/update", "owner"),
        (json!({"update": "price = :n and ownr = :sub"}), "/rules/note/update", "owner"),
        (json!({"update": "done = :flag and ownr = :sub"}), "/rules/note/update", "owner"),
        (json!({"delete": "owner is empty"}), "/rules/note/delete", "owner"),
        (json!({"anonymous": "owner = :sub"}), "/rules/note/anonymous", "no claims"),
        (json!({"fixed": "owner"}), "/rules/note/fixed", "list"),
        (json!({"fixed": ["ownr"]}), "/rules/note/fixed", "key, title"),
    ] {
        let refused = notes(&rules).map(|_| ()).unwrap_err();
        assert_eq!(refused.at, at, "{rules}: {}", refused.message);
        assert!(refused.message.contains(part), "{rules}: {}", refused.message);
    }
    let unknown = json!({"resources": {"a": {"type": "object", "properties": {"x": {"type": "string"}}}},
        "rules": {"b": {}}});
    assert_eq!(Resources::read(&unknown.to_string()).unwrap_err().at, "/rules/b");
}
