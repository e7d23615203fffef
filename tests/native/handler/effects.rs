//! The effects that a request needs. The test decides when each has its outcome.

use resource_edge::contract::api::endpoint::ENDPOINTS;
use resource_edge::contract::api::{media, path};
use resource_edge::contract::param::ParamId;

use super::*;

impl Caller {
    pub(crate) fn request_of(&self, line: &str, headers: &[(&str, &str)], body: &str) -> Sent {
        let sent = Sent::new(line, headers, body);
        Sent { headers: [self.headers(), sent.headers.clone()].concat(), ..sent }
    }

    pub(crate) fn start(&self, line: &str, headers: &[(&str, &str)], body: &str) -> HandlerStep<'_, &Edge> {
        Exchange::start(&self.service, &self.edge, request(&self.request_of(line, headers, body)))
    }

    /// Returns the last line of the log, which must be one line of printable ASCII, and JSON.
    pub(crate) fn last_line(&self) -> Value {
        let line = self.edge.log.borrow().last().cloned().expect("a line");
        assert!(line.bytes().all(|byte| (0x20..0x7f).contains(&byte)), "{line:?}");
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("not JSON: {line}"))
    }

    /// Updates a resource by an action.
    pub(crate) fn update(&self, id: &str, version: u64) -> Got {
        let body = json!({"version": version, "actions": [{"action": "doSomeThing"}]});
        let got = self.write(&format!("POST /p/resource/{id}"), &body);
        assert_eq!(got.status, 200, "{got:?}");
        got
    }

    /// Lets time pass.
    pub(crate) fn advance(&self, ms: u64) {
        self.edge.clock.set(self.edge.clock.get() + ms);
    }

    /// Runs a request and returns the kinds of its effects, and its status.
    pub(crate) fn effects(
        &self,
        line: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> (Vec<&'static str>, u16) {
        let mut kinds = Vec::new();
        let sent = self.request_of(line, headers, body);
        let (got, check) = drive(&self.service, &self.edge, request(&sent), &sent, |effect| {
            kinds.push(kind(effect));
            None
        });
        if let Some(check) = check {
            kinds.push("check");
            self.edge.check(&self.service, &check);
        }
        (kinds, got.status)
    }
}

pub(super) fn kind(effect: &Effect) -> &'static str {
    match effect {
        Effect::ReadCopy { .. } => "copy",
        Effect::ReadPointer { .. } => "pointer",
        Effect::CallObject { restore: None, .. } => "object",
        Effect::CallObject { .. } => "restore",
        Effect::ShareCall { joins: false, .. } => "shared",
        Effect::ShareCall { .. } => "joined",
        Effect::Listen { .. } => "listen",
        Effect::Stream { .. } => "stream",
        Effect::ReadAsset { .. } => "asset",
        Effect::FetchText { .. } => "fetch",
        Effect::Verify { .. } => "verify",
        Effect::CountRequest { .. } => "count",
        Effect::ReadBody { .. } => "body",
    }
}

#[test]
fn a_socket_and_a_stream_of_changes_have_effects_of_their_own() {
    let caller = Caller::new();
    let upgrade = ("Upgrade", "websocket");
    let protocol = ("Sec-WebSocket-Protocol", "resource-edge.changes");
    for (headers, effects, status) in [
        (&[] as &[(&str, &str)], &["object"] as &[&str], 200),
        (&[upgrade, protocol], &["listen"], 101),
        (&[upgrade], &[], 400),
        (&[("Accept", "text/event-stream")], &["stream"], 200),
    ] {
        assert_eq!(caller.effects("GET /p/changes", headers, ""), (effects.to_vec(), status));
    }
}

/// Creates a caller of a service that remembers no copies.
fn forgetful() -> Caller {
    Caller::with(&json!({"HOT_SECONDS": "0"}))
}

#[test]
fn each_request_needs_exactly_its_listed_effects() {
    let caller = forgetful();
    caller.create(&json!({"id": "a", "key": "k", "objectTypeProperty": {}}));
    caller.edge.keep("p");
    let fresh: &[(&str, &str)] = &[("Cache-Control", "no-cache")];
    let update = r#"{"version":1,"actions":[{"action":"doSomeThing"}]}"#;
    for (line, headers, body, effects, status) in [
        ("GET /health", &[] as &[(&str, &str)], "", &["pointer", "object"] as &[&str], 200),
        ("GET /health", &[], "", &[], 200),
        ("GET /p/status", &[], "", &["object"], 200),
        ("GET /other/status", &[], "", &[], 403),
        ("POST /p/status", &[], "", &[], 405),
        ("GET /openapi.json", &[], "", &["asset"], 200),
        ("GET /other/openapi.json", &[], "", &["asset"], 200),
        // Operations without a body read none.
        ("OPTIONS /p/resource", &[], "a body", &[], 204),
        ("GET /p/nowhere", &[], "", &[], 404),
        ("GET /other/resource", &[], "", &[], 403),
        ("GET /p/resource/a?limit=1", &[], "", &[], 400),
        ("GET /p/resource/a", &[], "", &["copy", "check"], 200),
        ("GET /p/resource/a", &[], "", &["copy"], 200),
        ("GET /p/resource/key=k", &[], "", &["pointer", "copy"], 200),
        ("GET /p/resource/key=k", &[], "", &["copy"], 200),
        ("GET /p/resource/b", &[], "", &["copy", "object"], 404),
        ("GET /p/resource/key=b", &[], "", &["pointer", "object"], 404),
        ("GET /p/resource/a", fresh, "", &["object"], 200),
        ("GET /p/resource", &[], "a body", &["object"], 200),
        ("HEAD /p/resource", &[], "", &["object"], 200),
        ("GET /p/resource/searchApiPattern", &[], "", &["object"], 200),
        ("GET /p/resource/sorted-query-parameters", &[], "", &["object"], 200),
        ("POST /p/resource", &[], "{}", &["body"], 400),
        ("POST /p/resource", &[], r#"{"objectTypeProperty":{}}"#, &["body", "object"], 201),
        ("POST /p/resource/a", &[], update, &["body", "object"], 200),
        ("DELETE /p/resource/a", &[], "a body", &["object"], 200),
        ("POST /p/restore?bookmark=1&confirm=p", &[], "", &["restore"], 400),
        ("POST /p/restore?bookmark=9007199254740991&confirm=p", &[], "", &["restore"], 200),
        ("POST /p/restore?bookmark=1", &[], "", &[], 400),
        ("GET /p/restore?bookmark=1&confirm=p", &[], "", &[], 405),
        ("DELETE /p/data?confirm=p", &[], "a body", &["object"], 200),
    ] {
        assert_eq!(caller.effects(line, headers, body), (effects.to_vec(), status), "{line}");
    }
}

#[test]
fn a_key_that_moved_or_was_lost_is_read_by_its_pointer_again() {
    let caller = forgetful();
    let read = |line: &str| caller.effects(line, &[], "");
    for id in ["a", "b"] {
        caller.create(&json!({"id": id, "key": format!("key-{id}"), "objectTypeProperty": {}}));
    }
    caller.edge.keep("p");
    assert_eq!(read("GET /p/resource/key=key-a"), (vec!["pointer", "copy", "check"], 200));
    assert_eq!(read("GET /p/resource/key=key-a"), (vec!["copy"], 200));
    let put = |body: Value| assert_eq!(caller.write("PUT /p/resource", &body).status, 200);
    put(json!({"id": "a", "version": 1, "key": "other", "objectTypeProperty": {}}));
    put(json!({"id": "b", "version": 1, "key": "key-a", "objectTypeProperty": {}}));
    assert_eq!(read("GET /p/resource/key=key-a"), (vec!["copy", "pointer", "copy"], 200));
    assert_eq!(caller.get("/p/resource/key=key-a").json()["id"], "b");
    assert_eq!(read("GET /p/resource/key=key-a"), (vec!["copy"], 200));
    assert_eq!(caller.effects("DELETE /p/resource/b", &[], "").1, 200);
    assert_eq!(read("GET /p/resource/key=key-a"), (vec!["copy", "pointer", "object"], 404));
}

#[test]
fn an_outcome_of_another_effect_is_a_failure() {
    let caller = Caller::new();
    let sent = caller.request_of("HEAD /p/resource", &[], "");
    assert_eq!(caller.drive(&sent, |_| Some(EffectOutcome::Verified(true))).status, 503);
    // A failure of KV is skipped: the object decides.
    let mut kinds = Vec::new();
    let sent = caller.request_of("GET /p/resource/a", &[], "");
    let got = caller.drive(&sent, |effect| {
        kinds.push(kind(effect));
        Some(match kinds.len() {
            1 => EffectOutcome::Text(String::new()),
            2 => EffectOutcome::Failed("unavailable".to_owned()),
            _ => EffectOutcome::Copy(None),
        })
    });
    assert_eq!((kinds, got.status), (vec!["copy", "object", "copy"], 503));
}

#[test]
fn a_project_or_resource_named_status_works_as_any_other() {
    let mut caller = Caller::new();
    for project in ["status", "oauth", "health", "export", "import"] {
        caller.token = caller.token_for(&format!("manage_test:{project}"));
        let body = json!({"id": project, "key": project, "objectTypeProperty": {}});
        assert_eq!(caller.write(&format!("POST /{project}/resource"), &body).status, 201);
        for path in ["resource/", "resource/key="] {
            assert_eq!(caller.get(&format!("/{project}/{path}{project}")).json()["id"], project, "{path}");
        }
        assert_eq!(caller.get(&format!("/{project}/export")).body.lines().count(), 2);
        assert_eq!(caller.get(&format!("/{project}/status")).json()["resources"], 1);
    }
}

#[test]
fn an_endpoint_whose_effects_fail_returns_an_error_of_its_row() {
    let caller = Caller::new();
    for row in &ENDPOINTS {
        let mut target = String::new();
        path::render(&mut target, row.path, |_| "p");
        let needed = [(ParamId::Confirm, "?confirm=p"), (ParamId::Bookmark, "&bookmark=1")];
        let has = |id| row.params().any(|param| param.id == id);
        target.extend(needed.into_iter().filter(|(id, _)| has(*id)).map(|(_, text)| text));
        let media_type = row.body.media_type().unwrap_or(media::JSON);
        let line = format!("{} {target}", row.method.name());
        let body = r#"{"version":1,"objectTypeProperty":{}}"#;
        let sent = caller.request_of(&line, &[("Content-Type", media_type)], body);
        let got = caller.drive(&sent, |effect| {
            let is_body = matches!(effect, Effect::ReadBody { .. });
            (!is_body).then(|| EffectOutcome::Failed("cut off".to_owned()))
        });
        let is_known = row.errors().any(|code| code.status() == got.status);
        assert!(is_known || got.status < 300, "{line} returns {}", got.status);
    }
}
