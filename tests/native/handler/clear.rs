//! Deleting a project removes everything, in turns, and restores nothing.

use resource_edge::contract::limits;

use super::*;

fn clear(caller: &Caller) -> Got {
    caller.ask("DELETE /p/data?confirm=p", &[], b"")
}

/// Repeats the request until the response says that it is done. Returns how many resources each request deleted.
fn clear_all(caller: &Caller) -> Vec<u64> {
    let (mut counts, mut newest) = (Vec::new(), 0);
    loop {
        let got = clear(caller);
        assert_eq!(got.status, 200, "{got:?}");
        let body = got.json();
        counts.push(body["deleted"].as_u64().unwrap());
        let revision = body["newestRevision"].as_u64().unwrap();
        assert!(revision >= newest, "{got:?}");
        newest = revision;
        if body["isDone"] == json!(true) {
            assert_eq!(body["remaining"], 0, "{got:?}");
            return counts;
        }
    }
}

fn drain(caller: &Caller) {
    for project in caller.edge.projects.borrow().values() {
        caller.edge.drain(project);
    }
}

/// Returns what KV still has of the project.
fn alive(caller: &Caller) -> Vec<String> {
    let kv = caller.edge.kv.borrow();
    kv.iter().filter(|(_, stored)| !stored.value.is_empty()).map(|(entry, _)| entry.clone()).collect()
}

fn resource(number: usize) -> Value {
    let arrays = json!({"arrayOfIntExample": [number], "arrayOfStringExample": [format!("red {number}")]});
    json!({"id": format!("r{number}"), "key": format!("k{number}"), "objectTypeProperty": arrays})
}

#[test]
fn a_deletion_in_parts_ends_the_history_once_when_nothing_is_left() {
    let caller = Caller::new();
    for number in 0..=2 * limits::CLEAR_ROWS {
        caller.create(&json!({"id": format!("r{number}"), "objectTypeProperty": {}}));
    }
    let window = |after: &str| {
        let got = caller.get(&format!("/p/changes?after={after}"));
        assert_eq!(got.status, 200, "{got:?}");
        let deleted = got.body.lines().filter(|line| line.starts_with("{\"deletedAt\":")).count();
        let first: Value = serde_json::from_str(got.body.lines().next().unwrap()).unwrap();
        (first["to"].as_str().unwrap().to_owned(), deleted)
    };
    let (mut position, _) = window("now");
    for part in [1, 2] {
        // A restart between the parts changes nothing, and neither does a write.
        caller.edge.restart();
        assert_eq!(clear(&caller).json()["isDone"], json!(false));
        caller.create(&json!({"id": format!("s{part}"), "objectTypeProperty": {}}));
        let (next, deleted) = window(&position);
        assert_eq!(deleted, limits::CLEAR_ROWS, "a follower gets the deletions");
        position = next;
    }
    assert_eq!(clear(&caller).json()["isDone"], json!(true));
    assert_eq!(caller.get(&format!("/p/changes?after={position}")).status, 410);
    let (after, _) = window("now");
    assert_ne!(after.split('.').next(), position.split('.').next());
    // Nothing is left to delete.
    assert_eq!(clear_all(&caller), [0]);
    assert_eq!(window("now").0, after);
}

#[test]
fn a_deleted_project_is_empty_in_every_read_and_in_kv() {
    let caller = Caller::new();
    let count = limits::CLEAR_ROWS * 2 + 1;
    for number in 0..count {
        caller.create(&resource(number));
    }
    // Two entries wait for KV, and one has a put that an earlier instance left in flight.
    caller.edge.faults.drain_held.set(true);
    caller.write("POST /p/resource", &json!({"id": "r0", "key": "moved", "objectTypeProperty": {}}));
    caller.write("POST /p/resource", &json!({"id": "r1", "objectTypeProperty": {}}));
    caller.edge.restart();
    let newest = caller.get("/p/status").json()["newestRevision"].as_u64().unwrap();
    assert_eq!(alive(&caller).len(), 2 * count);

    let first = clear(&caller).json();
    assert_eq!((&first["deleted"], &first["isDone"]), (&json!(limits::CLEAR_ROWS), &json!(false)));
    assert_eq!(first["remaining"], json!(limits::CLEAR_ROWS + 1));
    assert_eq!(caller.get("/p/resource?limit=0").json()["total"], json!(limits::CLEAR_ROWS + 1));
    caller.edge.restart();
    assert_eq!(clear_all(&caller), [limits::CLEAR_ROWS as u64, 1]);

    caller.edge.faults.drain_held.set(false);
    caller.edge.clock.set(caller.edge.clock.get() + 120_000);
    drain(&caller);
    assert_eq!(alive(&caller), Vec::<String>::new());
    assert_eq!(caller.get("/p/status").json()["backlog"], 0);
    for path in ["r0", "r400", "key=k0", "key=moved", "key=k400"] {
        assert_eq!(caller.get(&format!("/p/resource/{path}")).status, 404, "{path}");
        assert_eq!(caller.fresh(&format!("/p/resource/{path}")).status, 404, "{path}");
    }
    assert_eq!(caller.ask("HEAD /p/resource", &[], b"").status, 404);
    for query in ["?where=arrayOfIntExample+contains+any+(1)", "/searchApiPattern?text.en=red&facet=key"] {
        assert_eq!(caller.get(&format!("/p/resource{query}")).json()["total"], 0, "{query}");
    }
    let page = caller.get("/p/export").body;
    let deleted = page.lines().filter(|line| line.starts_with("{\"deletedAt\":")).count();
    assert_eq!((deleted, page.lines().count()), (count, count + 1), "with the end: {page}");
    // The request can be repeated, and an ID that is reused continues its versions.
    assert_eq!(clear_all(&caller), [0]);
    let again = caller.create(&resource(0));
    assert_eq!(again["version"], 3);
    assert!(
        caller.get("/p/resource/r0").header("Resource-Revision").unwrap().parse::<u64>().unwrap() > newest
    );
    assert_eq!(caller.get("/p/resource/key=k0").json(), again);
}
