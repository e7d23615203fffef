//! Reads of users from copies in KV.

use super::*;

#[test]
fn a_user_reads_copies_that_the_rule_selects_and_of_others_the_object_says_what_exists() {
    let notes = Notes::new();
    let (edge, alice) = (&notes.operator.edge, Some(notes.alice.as_str()));
    let asked = |token: Option<&str>, line: &str, headers: &[(&str, &str)]| {
        let before = edge.object_calls.get();
        let got = notes.ask(token, line, headers, None);
        (got.status, edge.object_calls.get() - before, got)
    };
    let etag = notes.get(&notes.alice, "/p/resource/a1").header("ETag").unwrap().to_owned();
    for (token, name) in [(alice, "a1"), (alice, "b2"), (None, "b2"), (None, "a2")] {
        for target in [format!("/p/resource/{name}"), format!("/p/resource/key={name}?fields=owner")] {
            for method in ["GET", "HEAD"] {
                let (status, calls, got) = asked(token, &format!("{method} {target}"), &[]);
                assert_eq!((status, calls), (200, 0), "{method} {target}");
                let title = if target.contains("fields") { Value::Null } else { json!(name) };
                assert!(method == "HEAD" || got.json()["title"] == title, "{target}: {got:?}");
            }
            let (status, calls, _) = asked(token, &format!("GET {target}"), &[("Cache-Control", "no-cache")]);
            assert_eq!((status, calls), (200, 1), "{target}");
        }
    }
    let known = [("If-None-Match", etag.as_str())];
    assert_eq!(asked(alice, "GET /p/resource/a1", &known).0, 304);
    for (token, name) in [(alice, "b1"), (None, "a1"), (None, "b1")] {
        for target in [format!("/p/resource/{name}"), format!("/p/resource/key={name}")] {
            for headers in [&[][..], &known, &[("If-None-Match", "*")]] {
                let (status, calls, _) = asked(token, &format!("GET {target}"), headers);
                assert_eq!((status, calls), (404, 1), "{target} {headers:?}");
            }
        }
    }
    assert!(edge.log.borrow().iter().any(|line| line.contains("\"kv\":\"hidden\"")));
}

#[test]
fn a_copy_is_read_under_the_state_that_it_has() {
    let notes = Notes::new();
    let set = |id: &str, version: u64, owner: &str| {
        let update = json!({"version": version, "actions": [{"action": "setOwner", "owner": owner}]});
        let got = notes.operator.write(&format!("POST /p/resource/{id}"), &update);
        got.header("Resource-Revision").unwrap_or_else(|| panic!("{got:?}")).to_owned()
    };
    let status = |token: &str, headers: &[(&str, &str)]| {
        ["a1", "b1"].map(|id| notes.ask(Some(token), &format!("GET /p/resource/{id}"), headers, None).status)
    };
    // Each gives a note to the other, and KV does not have it yet.
    notes.operator.edge.faults.drain_held.set(true);
    let revision = set("a1", 1, "bob");
    set("b1", 1, "alice");
    assert_eq!(
        status(&notes.alice, &[]),
        [200, 200],
        "the copy of the one, and the object's state of the other"
    );
    assert_eq!(status(&notes.bob, &[]), [200, 200]);
    for headers in [("Cache-Control", "no-cache"), ("Resource-Min-Revision", &revision)] {
        assert_eq!(status(&notes.alice, &[headers]), [404, 200], "{headers:?}");
        assert_eq!(status(&notes.bob, &[headers]), [200, 404], "{headers:?}");
    }
    // The object is unavailable: a copy is no reason to show more.
    notes.operator.edge.faults.objects.set(true);
    assert_eq!(status(&notes.alice, &[]), [200, 503]);
    assert_eq!(status(&notes.alice, &[("Resource-Min-Revision", "1704067200001")]), [200, 503]);
}
