//! A restore sets a project back, repairs KV, and can be undone. The platform's part is a copy of the database.

use resource_edge::project::Listed;
use resource_edge::util::time::{self, Millis};

use super::*;

const DAY_MS: Millis = 86_400_000;

pub(super) fn restore(caller: &Caller, query: &str) -> Got {
    caller.ask(&format!("POST /p/restore?confirm=p&{query}"), &[], b"")
}

/// Restores the project, and returns the bookmark that undoes it.
fn restored(caller: &Caller, query: &str) -> String {
    let got = restore(caller, query);
    assert_eq!(got.status, 200, "{got:?}");
    got.json()["undo"].as_str().unwrap().to_owned()
}

/// Returns the states of the project, in the lines of its export.
fn states(caller: &Caller) -> String {
    let page = caller.get("/p/export").body;
    page.split("{\"end\":").next().unwrap().to_owned()
}

fn at(instant: Millis) -> String {
    format!("time={}", time::format(instant))
}

/// Sets the clock, and replaces the token, which has a lifetime.
fn advance_to(caller: &mut Caller, instant: Millis) {
    caller.edge.clock.set(instant);
    caller.token = caller.token_for("manage_test:p");
}

/// Keeps the present of a project that has replicated all writes.
fn keep(caller: &Caller) -> Millis {
    caller.edge.projects.borrow()["p"].checkpoint().unwrap();
    caller.edge.keep("p")
}

/// Creates a project of every kind of change, keeps it, and changes it in every way. Returns the export of then, and
/// its time.
fn changed(caller: &mut Caller) -> (String, Millis) {
    for id in ["changed", "moved", "deleted", "same"] {
        caller.create(&json!({"id": id, "key": format!("k-{id}"), "objectTypeProperty": {}}));
    }
    let export = states(caller);
    let kept = keep(caller);
    advance_to(caller, kept + 3 * DAY_MS);
    caller.update("changed", 1);
    caller.write("POST /p/resource", &json!({"id": "moved", "key": "elsewhere", "objectTypeProperty": {}}));
    assert_eq!(caller.ask("DELETE /p/resource/deleted", &[], b"").status, 200);
    caller.create(&json!({"id": "made", "key": "k-made", "objectTypeProperty": {}}));
    (export, kept)
}

/// Runs the turn of the sweep that is due, and the puts that follow. Returns when the next one is.
fn sweep_once(caller: &Caller) -> Millis {
    let projects = caller.edge.projects.borrow();
    let (project, now) = (&projects["p"], caller.edge.clock.get());
    let page = project.sweep(now).unwrap().expect("a page that is due");
    let listed = |(entry, stored): (&String, &Stored)| Listed {
        entry: entry.clone(),
        metadata: Some(metadata(stored)),
    };
    let listed: Vec<Listed> = caller
        .edge
        .kv
        .borrow()
        .iter()
        .filter(|(entry, _)| entry.starts_with(&page.prefix))
        .map(listed)
        .collect();
    project.sweep_done(&page, &listed, None, now).unwrap();
    caller.edge.drain(project);
    project.next_sweep(now).unwrap().unwrap()
}

/// Runs a whole sweep, which begins when it is due.
fn sweep(caller: &mut Caller) -> Millis {
    for _ in 0..2 {
        let due = caller.edge.projects.borrow()["p"].next_sweep(caller.edge.clock.get()).unwrap().unwrap();
        advance_to(caller, due.max(caller.edge.clock.get()));
        sweep_once(caller);
    }
    caller.edge.clock.get()
}

/// Returns the bodies of resources in KV.
fn copies(caller: &Caller) -> Vec<String> {
    let kv = caller.edge.kv.borrow();
    kv.iter()
        .filter(|(entry, stored)| entry.starts_with("r1:") && !stored.value.is_empty())
        .map(|(_, stored)| stored.value.clone())
        .collect()
}

fn sorted(export: &str) -> Vec<String> {
    let mut lines: Vec<String> = export.lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

#[test]
fn a_restore_returns_the_project_of_its_time_and_its_bookmark_undoes_the_restore() {
    let mut caller = Caller::new();
    let (export, kept) = changed(&mut caller);
    let replaced = states(&caller);
    assert_ne!(export, replaced);
    let undo = restored(&caller, &at(kept + 5));
    let alarm = caller.edge.projects.borrow()["p"].database().sqlite.alarm.get();
    assert!(
        alarm.is_some_and(|at| at <= caller.edge.clock.get()),
        "the repair of KV begins at once: {alarm:?}"
    );
    assert_eq!(states(&caller), export);
    assert_eq!(caller.fresh("/p/resource/changed").json()["version"], 1);
    assert_eq!(caller.fresh("/p/resource/key=k-deleted").status, 200);
    assert_eq!(caller.fresh("/p/resource/made").status, 404);
    restored(&caller, &format!("bookmark={undo}"));
    assert_eq!(states(&caller), replaced);
    assert_eq!(caller.fresh("/p/resource/changed").json()["version"], 2);
}

#[test]
fn a_write_after_a_restore_has_a_later_revision_than_all_writes_before() {
    let mut caller = Caller::new();
    let (_, kept) = changed(&mut caller);
    let before = caller.get("/p/status").json()["newestRevision"].as_u64().unwrap();
    restored(&caller, &at(kept));
    assert!(caller.get("/p/status").json()["newestRevision"].as_u64().unwrap() < before);
    let made = caller.write("POST /p/resource", &json!({"id": "made", "objectTypeProperty": {}}));
    assert!(made.header("Resource-Revision").unwrap().parse::<u64>().unwrap() > before, "{made:?}");
}

#[test]
fn copies_that_are_newer_than_the_restored_data_are_repaired_and_not_read_meanwhile() {
    let mut caller = Caller::new();
    let (export, kept) = changed(&mut caller);
    let late = caller.edge.kv.borrow()["r1:p:changed"].clone();
    restored(&caller, &at(kept));
    assert_ne!(sorted(&copies(&caller).join("\n")), sorted(&export), "KV still has the copies of before");
    assert_eq!(caller.get("/p/resource/changed").json()["version"], 2, "the check follows the response");
    for target in ["changed", "key=k-changed"] {
        assert_eq!(caller.get(&format!("/p/resource/{target}")).json()["version"], 1);
    }
    assert_eq!(caller.get("/p/resource/made").status, 404);

    let first = sweep(&mut caller);
    assert_eq!(sorted(&copies(&caller).join("\n")), sorted(&export));
    let kv = caller.edge.kv.borrow();
    for entry in ["r1:p:made", "k1:p:k-made", "k1:p:elsewhere"] {
        assert!(metadata(&kv[entry]).deleted, "{entry}");
    }
    for id in ["changed", "moved", "deleted", "same"] {
        assert_eq!(kv[&format!("k1:p:k-{id}")].value, id);
    }
    drop(kv);

    // A put that was in flight when the object ended lands only now. The object still serves plain reads, also after
    // it started again.
    caller.edge.kv.borrow_mut().insert("r1:p:changed".to_owned(), late);
    caller.edge.restart();
    assert_eq!(caller.get("/p/resource/changed").json()["version"], 1);
    let status = caller.get("/p/status").json();
    assert_eq!(status["lastSweepAt"], json!(time::format(first)));
    assert_eq!(status["nextSweepAt"], json!(time::format(first + 60_000)), "a put may land a minute later");
    let second = sweep(&mut caller);
    assert_eq!(sorted(&copies(&caller).join("\n")), sorted(&export));
    // Then KV serves them again, and the next sweep is due after a day.
    caller.get("/p/resource/changed");
    let calls = caller.edge.object_calls.get();
    assert_eq!(caller.get("/p/resource/changed").json()["version"], 1);
    assert_eq!(caller.edge.object_calls.get(), calls);
    let status = caller.get("/p/status").json();
    assert_eq!(status["nextSweepAt"], json!(time::format(second + DAY_MS)));
}

#[test]
fn a_sweep_in_progress_at_the_restored_time_restarts() {
    let mut caller = Caller::new();
    caller.create(&json!({"id": "a", "objectTypeProperty": {}}));
    let due = caller.edge.projects.borrow()["p"].next_sweep(caller.edge.clock.get()).unwrap().unwrap();
    advance_to(&mut caller, due);
    // The resources are compared, the keys are not.
    sweep_once(&caller);
    let kept = keep(&caller);
    caller.update("a", 1);
    restored(&caller, &at(kept));
    sweep(&mut caller);
    assert_eq!(copies(&caller), [caller.fresh("/p/resource/a").body]);
}

#[test]
fn a_restore_to_a_time_before_any_write_leaves_nothing_in_kv() {
    let mut caller = Caller::new();
    caller.get("/p/status");
    let kept = keep(&caller);
    caller.create(&json!({"id": "a", "key": "k", "objectTypeProperty": {}}));
    restored(&caller, &at(kept));
    assert_eq!(caller.fresh("/p/resource/a").status, 404);
    assert_eq!(copies(&caller).len(), 1);
    sweep(&mut caller);
    assert_eq!(copies(&caller), [""; 0]);
}

#[test]
fn a_restore_repairs_kv_while_the_index_is_rebuilt() {
    let caller = Caller::new();
    // More than a call rebuilds.
    for id in ["a", "b", "c", "d"] {
        caller.create(&json!({"id": id, "custom": "x".repeat(300_000), "objectTypeProperty": {}}));
    }
    let outdated = "UPDATE meta SET value = 0 WHERE name = 'index'";
    caller.edge.projects.borrow()["p"].database().sqlite.connection.execute(outdated, []).unwrap();
    let kept = keep(&caller);
    caller.update("a", 1);
    restored(&caller, &at(kept));
    let status = caller.get("/p/status").json();
    assert_eq!(status["isIndexed"], json!(false), "{status}");
    let due = status["nextSweepAt"].as_str().and_then(time::parse).unwrap();
    assert!(due <= caller.edge.clock.get());
}

#[test]
fn a_restore_on_a_runtime_without_history_is_rejected_and_changes_nothing() {
    let caller = Caller::new();
    caller.create(&json!({"id": "a", "objectTypeProperty": {}}));
    let before = caller.edge.projects.borrow()["p"].database().dump();
    for query in [at(caller.edge.clock.get()), "bookmark=0000007b".to_owned()] {
        let got = restore(&caller, &query);
        got.is_refused(400, "InvalidOperation");
        assert!(got.json()["message"].as_str().unwrap().contains("nothing was changed"), "{got:?}");
        assert!(!got.body.contains("made to be refused"), "{got:?}");
        assert!(caller.edge.log.borrow().last().unwrap().contains("made to be refused"));
    }
    assert_eq!(caller.edge.projects.borrow()["p"].database().dump(), before);
    caller.edge.faults.objects.set(true);
    assert_eq!(restore(&caller, "bookmark=1").status, 503);
}

#[test]
fn a_restore_can_be_repeated_if_its_object_does_not_start() {
    let mut caller = Caller::new();
    let (export, kept) = changed(&mut caller);
    let replaced = states(&caller);
    let before = caller.edge.clock.get();
    caller.edge.faults.starts.set(true);
    let got = restore(&caller, &at(kept));
    assert_eq!((got.status, got.header("Retry-After").is_some()), (503, true), "{got:?}");
    caller.edge.faults.starts.set(false);
    restored(&caller, &at(kept));
    assert_eq!(states(&caller), export);
    // The first response had no bookmark: a restore to the earlier time undoes both.
    let kept: Vec<_> = caller.edge.past.borrow().keys().map(|(_, time)| *time).collect();
    restored(&caller, &at(*kept.iter().find(|time| **time > before).unwrap()));
    assert_eq!(states(&caller), replaced);
}

#[test]
fn a_restore_accepts_only_times_of_the_last_thirty_days() {
    let mut caller = Caller::new();
    caller.get("/p/status");
    caller.edge.keep("p");
    caller.edge.frozen.set(true);
    let now = caller.edge.clock.get() + 30 * DAY_MS - 1;
    advance_to(&mut caller, now);
    for (instant, reason) in [
        (now, None),
        (now - 30 * DAY_MS + 1, None),
        (now + 1, Some("format")),
        (now - 30 * DAY_MS - 1, Some("format")),
        (0, Some("format")),
    ] {
        let got = restore(&caller, &at(instant));
        assert_eq!(got.status, if reason.is_some() { 400 } else { 200 }, "{instant} {got:?}");
        assert_eq!(got.json()["errors"][0]["reason"].as_str(), reason, "{instant} {got:?}");
    }
    let got = restore(&caller, &at(now - 30 * DAY_MS));
    got.is_refused(400, "InvalidOperation");
}
