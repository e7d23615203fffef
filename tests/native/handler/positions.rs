//! Positions of exports: a follower continues where it was, or gets a clear error. It never has a silent gap.

use super::restore::restore;
use super::*;

fn export(caller: &Caller, after: &str) -> Got {
    caller.get(&format!("/p/export{}{after}", if after.is_empty() { "" } else { "?after=" }))
}

/// Returns the position that a complete export has reached.
fn position(got: &Got) -> String {
    assert_eq!(got.status, 200, "{got:?}");
    let end: Value = serde_json::from_str(got.body.lines().last().unwrap()).unwrap();
    end["end"].as_str().unwrap().to_owned()
}

fn present(caller: &Caller) -> String {
    position(&export(caller, ""))
}

fn history(position: &str) -> &str {
    position.split('.').next().unwrap()
}

/// Checks that a position is refused with the present one.
fn is_refused(caller: &Caller, after: &str) {
    let got = export(caller, after);
    let error = got.json()["errors"][0].clone();
    assert_eq!((got.status, &error["code"]), (410, &json!("HistoryChanged")), "{after}: {got:?}");
    assert_eq!(error["position"], json!(present(caller)), "{got:?}");
}

fn create(caller: &Caller, id: &str) {
    caller.create(&json!({"id": id, "key": format!("k{id}"), "objectTypeProperty": {}}));
}

#[test]
fn a_position_continues_an_export_also_after_a_restart() {
    let caller = Caller::new();
    let empty = present(&caller);
    assert!(empty.ends_with(".0"), "{empty}");
    create(&caller, "a");
    let first = position(&export(&caller, &empty));
    caller.edge.restart();
    create(&caller, "b");
    let got = export(&caller, &first);
    assert_eq!(got.body.lines().count(), 2, "{got:?}");
    assert!(got.body.starts_with("{\"id\":\"b\","), "{got:?}");
    let second = position(&got);
    assert_eq!(history(&second), history(&empty));
    assert_eq!(export(&caller, &second).body.lines().count(), 1);
    let newest = caller.get("/p/status").json()["newestRevision"].as_u64().unwrap();
    is_refused(&caller, &format!("{}.{}", history(&second), newest + 1));
    is_refused(&caller, &format!("another.{newest}"));
}

#[test]
fn a_restore_and_its_undo_begin_new_histories() {
    let caller = Caller::new();
    create(&caller, "a");
    let first = present(&caller);
    let kept = caller.edge.keep("p");
    create(&caller, "b");
    let second = present(&caller);
    let restored = restore(&caller, &format!("time={}", resource_edge::util::time::format(kept)));
    assert_eq!(restored.status, 200, "{restored:?}");
    for old in [&first, &second] {
        is_refused(&caller, old);
    }
    let third = present(&caller);
    let undo = restored.json()["undo"].as_str().unwrap().to_owned();
    assert_eq!(restore(&caller, &format!("bookmark={undo}")).status, 200);
    for old in [&first, &second, &third] {
        is_refused(&caller, old);
    }
    let fourth = present(&caller);
    caller.edge.restart();
    assert_eq!(present(&caller), fourth);
}

#[test]
fn a_restore_to_a_time_before_the_first_position_begins_a_new_history() {
    let caller = Caller::new();
    create(&caller, "a");
    let kept = caller.edge.keep("p");
    let first = present(&caller);
    assert_eq!(restore(&caller, &format!("bookmark={kept}")).status, 200);
    is_refused(&caller, &first);
}

#[test]
fn an_export_completes_a_restore_that_was_interrupted() {
    let caller = Caller::new();
    create(&caller, "a");
    let first = present(&caller);
    let kept = caller.edge.keep("p");
    create(&caller, "b");
    // The object restarts on the restored data, but gets no message.
    caller.edge.faults.starts.set(true);
    assert_eq!(restore(&caller, &format!("bookmark={kept}")).status, 503);
    caller.edge.faults.starts.set(false);
    assert_eq!(caller.fresh("/p/resource/b").status, 404);
    is_refused(&caller, &first);
    // KV is being repaired, and plain reads bypass it.
    let now = caller.edge.clock.get();
    assert!(caller.edge.projects.borrow()["p"].sweep(now).unwrap().is_some());
    caller.get("/p/resource/b");
    assert_eq!(caller.get("/p/resource/b").status, 404);
    // The next start does not begin the repair again.
    let due = || caller.edge.projects.borrow()["p"].next_sweep(now).unwrap();
    let (second, planned) = (present(&caller), due());
    caller.edge.restart();
    caller.edge.clock.set(now + 5_000);
    assert_eq!((present(&caller), due()), (second, planned));
}

#[test]
fn a_history_that_could_not_be_stored_is_not_returned() {
    let caller = Caller::new();
    create(&caller, "a");
    caller.edge.faults.drain_held.set(true);
    let fails_after = || caller.edge.projects.borrow()["p"].database().fails_after.clone();
    for statements in 0..20 {
        caller.edge.restart();
        caller.edge.epochs.borrow_mut().insert("p".to_owned(), format!("epoch {statements}"));
        fails_after().set(Some(statements));
        let got = export(&caller, "");
        fails_after().set(None);
        let position = if got.status == 200 { position(&got) } else { present(&caller) };
        caller.edge.restart();
        assert_eq!(present(&caller), position);
        assert!(caller.edge.projects.borrow()["p"].sweep(caller.edge.clock.get()).unwrap().is_some());
        if got.status == 200 {
            assert!(statements > 5, "{statements}");
            return;
        }
    }
    panic!("an export has fewer statements");
}
