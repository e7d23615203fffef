//! A full project (D34): its writes are 507 and change nothing, its reads and deletions work, and it works as before
//! when it has room again.

use resource_edge::call::{After, CallResult, Changes, Listener};
use resource_edge::contract::error::ApiError;
use resource_edge::contract::limits::{DATABASE_BYTES, DATABASE_FULL_PERCENT, DATABASE_WARNING_PERCENT};

use super::*;

/// Lets the database have as many pages as it has, and `more`.
fn limit(disk: &Shared, more: i64) {
    let pages = disk.number("PRAGMA page_count") + more;
    assert_eq!(disk.number(&format!("PRAGMA max_page_count = {pages}")), pages);
}

fn unlimit(disk: &Shared) {
    disk.number("PRAGMA max_page_count = 1000000");
}

/// Returns the reply as the object returns it.
fn perform(project: &Collection, message: &Message, now: u64) -> Reply<String> {
    project.perform(message, &at(now)).unwrap_or_else(|fault| ApiError::of_fault(fault.reason).into())
}

fn small(id: &str) -> Value {
    json!({"id": id, "key": format!("key-{id}"), "custom": format!("Some words {id}"), "objectTypeProperty": {
        "arrayOfIntExample": [1, 2, 3], "arrayOfStringExample": ["item", id],
    }})
}

/// Creates a project with `count` resources.
fn with(count: u32) -> (Shared, Collection) {
    with_keys(count, true)
}

fn with_keys(count: u32, keys: bool) -> (Shared, Collection) {
    let disk = Shared::new();
    let project = start(disk.clone());
    for number in 0..count {
        let id = format!("r{number}");
        let message = if keys { once(post(&small(&id)), &id) } else { post(&small(&id)) };
        resource(&perform(&project, &message, 10 + u64::from(number)));
    }
    (disk, project)
}

/// Returns writes of every kind besides deletions and imports. A project with `r1` has room for them or not: they add
/// several pages.
fn growing() -> Vec<(&'static str, Message)> {
    let long = "long words ".repeat(2_000);
    vec![
        ("create", post(&json!({"id": "new", "key": "new", "custom": long, "objectTypeProperty": {}}))),
        ("merge", post(&json!({"id": "r1", "custom": long, "objectTypeProperty": {}}))),
        ("move a key", post(&json!({"id": "r1", "key": "moved", "custom": long, "objectTypeProperty": {}}))),
        ("put", put(&json!({"id": "new", "version": 1, "custom": long, "objectTypeProperty": {}}))),
        ("patch", patch(&json!({"id": "r1", "version": 1, "custom": long, "objectTypeProperty": {}}))),
        ("complex", merge(&json!({"id": "r1", "custom": long}))),
        ("update", update("r1", 1, Some(&long))),
    ]
}

/// Returns two imports, each of a resource with a long text. Its line in an export is its body.
fn imports() -> [Message; 2] {
    let (_, project) = with(0);
    ["a", "b"].map(|id| {
        let text = "long words ".repeat(2_000);
        let created =
            perform(&project, &post(&json!({"id": id, "custom": text, "objectTypeProperty": {}})), 10);
        message(Call::Import(body(&created).to_owned()))
    })
}

#[test]
fn from_95_percent_on_a_project_performs_only_reads_and_deletions() {
    let (disk, project) = with(20);
    let first = perform(&project, &once(post(&small("r3")), "r3"), 100);
    assert!(first.head.replayed);
    // The status reads the size, and the seventeenth write after it.
    perform(&project, &message(Call::Status), 100);
    disk.further_bytes.set(DATABASE_BYTES / 100 * DATABASE_FULL_PERCENT);
    let [import, _] = imports();
    let more = (1..=17).map(|number| perform(&project, &post(&small(&format!("more{number}"))), 150));
    assert_eq!(more.map(|reply| status(&reply)).collect::<Vec<_>>(), [vec![0; 16], vec![507]].concat());
    let before = disk.dump();
    for (name, message) in growing().into_iter().chain([("import", import)]) {
        let reply = perform(&project, &message, 200);
        assert_eq!(status(&reply), 507, "{name}");
        let CallResult::Error(error) = &reply.head.result else { panic!() };
        assert!(error.cause.as_deref().is_some_and(|cause| cause.contains(" bytes")), "{error:?}");
        assert!(error.message().contains("delete resources"), "{error:?}");
    }
    assert_eq!(disk.dump(), before);
    assert_eq!(perform(&project, &once(post(&small("r3")), "r3"), 200), first, "a repeat");
    assert_eq!(record(&perform(&project, &get("r3"), 200))["id"], "r3");
    let everything = message(Call::Read(Read::QuerySorted(query("", &[]))));
    assert_eq!(
        serde_json::from_str::<Value>(body(&perform(&project, &everything, 200))).unwrap()["total"],
        36
    );
    resource(&perform(&project, &once(delete("r3"), "delete"), 200));
    let cleared: Value = serde_json::from_str(body(&perform(&project, &message(Call::Clear), 200))).unwrap();
    assert_eq!((&cleared["isDone"], &cleared["remaining"]), (&json!(true), &json!(0)));
    disk.further_bytes.set(0);
    assert_eq!(record(&perform(&project, &post(&small("r3")), 300))["version"], 2);
}

#[test]
fn the_status_warns_before_a_project_is_full() {
    let (disk, project) = with(1);
    let state = |bytes: u64| {
        disk.further_bytes.set(bytes - disk.sqlite_bytes());
        let reply = perform(&project, &message(Call::Status), 100);
        let found: Value = serde_json::from_str(body(&reply)).unwrap();
        assert_eq!(found["databaseBytes"], bytes);
        (found["databasePercent"].as_u64().unwrap(), found["databaseState"].as_str().unwrap().to_owned())
    };
    let percent = DATABASE_BYTES / 100;
    for (bytes, expected) in [
        (disk.sqlite_bytes(), (0, "ok")),
        (DATABASE_WARNING_PERCENT * percent - 1, (79, "ok")),
        (DATABASE_WARNING_PERCENT * percent, (80, "nearlyFull")),
        (DATABASE_FULL_PERCENT * percent - 1, (94, "nearlyFull")),
        (DATABASE_FULL_PERCENT * percent, (95, "full")),
        (DATABASE_BYTES, (100, "full")),
    ] {
        let (percent, state) = state(bytes);
        assert_eq!((percent, state.as_str()), expected, "{bytes}");
    }
}

#[test]
fn a_write_that_sqlite_has_no_room_for_is_507_changes_nothing_and_works_later() {
    for (name, message) in growing() {
        let message = once(message, "new");
        for more in 0..8 {
            let (disk, project) = with(10);
            let before = disk.dump();
            limit(&disk, more);
            let reply = perform(&project, &message, 100);
            unlimit(&disk);
            if status(&reply) != 507 {
                assert!(more > 3, "{name} has room in {more} pages");
                assert_eq!(status(&reply), 0, "{name}");
                continue;
            }
            assert_eq!(disk.dump(), before, "{name}, {more} pages");
            let again = perform(&project, &message, 200);
            assert!(!again.head.replayed && status(&again) == 0, "{name}: {again:?}");
            assert_eq!(project.next_put(300).map(|next| matches!(next, Next::Put(_))), Ok(true), "{name}");
        }
    }
}

#[test]
fn an_import_without_room_is_507_changes_nothing_and_works_later() {
    let (disk, project) = with(0);
    let [first, second] = imports();
    assert_eq!(status(&perform(&project, &first, 100)), 0);
    let before = disk.dump();
    limit(&disk, 1);
    assert_eq!(status(&perform(&project, &second, 100)), 507);
    unlimit(&disk);
    disk.further_bytes.set(DATABASE_BYTES);
    assert_eq!(status(&perform(&project, &second, 100)), 507);
    assert_eq!(disk.dump(), before);
    disk.further_bytes.set(0);
    let reply = perform(&project, &second, 100);
    assert!(body(&reply).contains("\"imported\":1"), "{reply:?}");
    assert_eq!(record(&perform(&project, &get("b"), 100))["id"], "b");
}

/// Deletes everything from a project that has `more` pages for it, by ID or with its data.
fn empties(more: i64, by_id: bool, keys: bool) -> Result<(), String> {
    let (disk, project) = with_keys(400, keys);
    limit(&disk, more);
    let mut now = 1_000;
    let mut perform = |message: &Message| {
        now += 1;
        let before = (more == 0).then(|| disk.dump());
        let reply = perform(&project, message, now);
        if status(&reply) == 507 {
            assert!(before.is_none_or(|before| before == disk.dump()));
            return Err(format!("{message:?}"));
        }
        assert_eq!(status(&reply), 0);
        Ok(reply)
    };
    if by_id {
        for number in 0..400 {
            let id = format!("r{}", number * 7 % 400);
            let message = if keys { once(delete(&id), &format!("delete {id}")) } else { delete(&id) };
            perform(&message)?;
        }
    } else {
        while !body(&perform(&message(Call::Clear))?).contains("\"isDone\":true") {}
    }
    perform(&post(&small("new")))?;
    Ok(())
}

#[test]
fn deletions_by_id_empty_a_project_in_the_room_that_other_writes_leave_to_them() {
    assert_eq!([true, false].map(|keys| empties(64, true, keys)), [Ok(()), Ok(())]);
    // Without that room, a deletion is refused if it has to store more than it removes.
    assert!(empties(0, true, true).is_err());
}

#[test]
fn the_data_of_a_project_can_be_deleted_with_three_free_pages() {
    // The removal of index entries may first need pages, where those of neighbors are joined.
    assert_eq!([true, false].map(|keys| empties(3, false, keys)), [Ok(()), Ok(())]);
}

#[test]
fn an_alarm_without_room_loses_nothing() {
    for restart in [false, true] {
        let (disk, mut project) = with(200);
        let all = drain(&start(disk.copy()), 1_000);
        assert_eq!(all.len(), 400);
        limit(&disk, 0);
        let mut faults = 0;
        let mut done = BTreeSet::new();
        for round in 0..300 {
            let Ok(Next::Put(put)) = project.next_put(1_000 + round) else { break };
            if round % 3 == 0 {
                faults += u32::from(project.put_done(&put, 1_000 + round).is_err());
                done.insert(put.entry.to_string());
            } else {
                faults += u32::from(project.put_failed(&put, 1_000 + round).is_err());
            }
        }
        // A sweep of a KV that has lost everything.
        let due = project.next_sweep(1_000).unwrap_or(Some(1_000)).unwrap();
        let swept = project.sweep(due + 4_000_000);
        if let Ok(Some(sweep)) = &swept {
            faults += u32::from(project.sweep_done(sweep, &[], None, due + 4_000_000).is_err());
        }
        faults += u32::from(project.checkpoint().is_err());
        assert!(faults > 0, "nothing lacked room");
        unlimit(&disk);
        if restart {
            project = start(disk.clone());
        }
        assert_eq!(&drain(&project, 9_000_000_000) | &done, all, "restart: {restart}");
        project.checkpoint().unwrap();
        assert_eq!(project.sweep(9_000_000_000).map(|sweep| sweep.is_some()), Ok(true));
    }
}

/// Returns a read of every kind.
fn reads() -> Vec<(&'static str, Message)> {
    let read = |read| message(Call::Read(read));
    let condition =
        |text: &str| Some(text).filter(|text| !text.is_empty()).map(|text| query(text, &[]).condition);
    let page = |text, after| Changes { after, condition: condition(text), limit: 100, wait: 0, caller: 0 };
    let listener = |text| {
        let condition = condition(text);
        message(Call::Listen(Listener { after: After::Now, condition, expires: Millis::MAX, caller: 0 }))
    };
    let where_ = "arrayOfStringExample contains any (\"item\") and custom > \"S\"";
    vec![
        ("by ID", get("r3")),
        ("of no resource", get("none")),
        ("query", read(Read::Query(query("", &[])))),
        ("where", read(Read::Query(query(where_, &[])))),
        ("exists", read(Read::Exists(query(where_, &[])))),
        ("sorted", read(Read::QuerySorted(query(where_, &["custom", "version desc"])))),
        ("search", read(searching("text.en=words&facet=arrayOfStringExample"))),
        ("fuzzy search", read(searching("text.en=word&fuzzy=true"))),
        ("changes", message(Call::Changes(page("", After::Beginning)))),
        ("changes where", message(Call::Changes(page(where_, After::Beginning)))),
        ("listen", listener("")),
        ("listen where", listener(where_)),
        ("export", message(Call::Export(None))),
        ("status", message(Call::Status)),
        ("replication", message(Call::Replication)),
        ("ping", message(Call::Ping)),
    ]
}

/// Returns a project of which 10 records are indexed, and 30 wait. Its epoch is known.
fn with_waiting() -> (Shared, Collection) {
    let (disk, project) = with(10);
    project.follow().unwrap();
    for number in 10..40 {
        resource(&perform(&project, &post(&small(&format!("r{number}"))), 50 + number));
    }
    resource(&perform(&project, &delete("r5"), 95));
    resource(&perform(&project, &delete("r35"), 96));
    project.set_epoch(None);
    (disk, project)
}

/// Opens a copy of the project.
fn copy_of(disk: &Shared) -> (Shared, Collection) {
    let disk = disk.copy();
    let project = start(disk.clone());
    project.set_epoch(None);
    project.make_ready().unwrap();
    (disk, project)
}

#[test]
fn on_a_full_disk_every_read_returns_what_it_returns_with_room() {
    let (other, _) = with_waiting();
    for restart in [false, true] {
        for (name, message) in reads() {
            let (disk, project) = if restart { copy_of(&other) } else { with_waiting() };
            let (_, twin) = copy_of(&other);
            let wanted = perform(&twin, &message, 200);
            assert!(matches!(status(&wanted), 0 | 404), "{name}: {wanted:?}");
            let before = disk.dump();
            disk.full.set(true);
            for _ in 0..2 {
                let got = disk.perform(&project, &message, &at(200));
                let shown = |reply: &Reply<String>| (reply.head.result.clone(), reply.body.clone());
                // The size of the database depends on its index.
                if name != "status" {
                    assert_eq!(shown(&got), shown(&wanted), "{name}, restart: {restart}");
                }
                assert_eq!((status(&got), disk.dump()), (status(&wanted), before.clone()), "{name}");
            }
            disk.full.set(false);
            assert_eq!(perform(&project, &message, 300).body.is_some(), wanted.body.is_some(), "{name}");
            resource(&perform(&project, &post(&small("later")), 400));
        }
    }
}

#[test]
fn on_a_full_disk_every_write_is_507_and_changes_nothing() {
    let [import, _] = imports();
    let others = [("delete", delete("r1")), ("clear", message(Call::Clear)), ("import", import)];
    for (name, message) in growing().into_iter().chain(others) {
        let (disk, project) = with_waiting();
        let before = disk.dump();
        disk.full.set(true);
        let reply = disk.perform(&project, &message, &at(200));
        let repeat = disk.perform(&project, &once(post(&small("r3")), "r3"), &at(200));
        disk.full.set(false);
        assert_eq!((status(&reply), disk.dump()), (507, before), "{name}");
        assert!(repeat.head.replayed, "{name}: {repeat:?}");
        let again = perform(&project, &message, 300);
        assert!(status(&again) == 0 || name == "import", "{name}: {again:?}");
    }
}

#[test]
fn a_frame_on_a_full_disk_is_that_with_room() {
    let frame = |disk: &Shared, project: &Collection, full: bool| {
        let (_, listen) = reads().into_iter().find(|(name, _)| *name == "listen where").unwrap();
        let reply = perform(project, &listen, 200);
        let (message, _) = listen.listening(&reply.head).expect("a listener");
        disk.full.set(full);
        assert!(!project.has_to_index(&message.call));
        project.frame(&message, 60, &at(200)).unwrap().expect("a frame")
    };
    let [(disk, project), (other, twin)] = [with_waiting(), with_waiting()];
    assert_eq!(frame(&disk, &project, true), frame(&other, &twin, false));
    assert!(project.has_to_index(&message(Call::Read(Read::Query(query("", &[])))).call));
}

#[test]
fn a_read_that_finds_the_disk_full_at_any_statement_is_507_and_works_later() {
    let (other, _) = with_waiting();
    for (name, message) in reads() {
        let (_, twin) = copy_of(&other);
        let wanted = perform(&twin, &message, 200);
        for statements in 0.. {
            let (disk, project) = copy_of(&other);
            disk.fault.set("database or disk is full");
            disk.fails_after.set(Some(statements));
            let reply = disk.perform(&project, &message, &at(200));
            let is_reached = disk.fails_after.get() == Some(0);
            disk.fails_after.set(None);
            if !is_reached {
                break;
            }
            assert!(matches!(status(&reply), 507 | 0 | 404), "{name}, statement {statements}: {reply:?}");
            let reopened = start(disk.clone());
            reopened.set_epoch(None);
            for project in [project, reopened] {
                let again = perform(&project, &message, 200);
                assert_eq!(again.head.result, wanted.head.result, "{name}, statement {statements}");
                assert!(again.body == wanted.body || name == "status", "{name}, statement {statements}");
            }
        }
    }
}

#[test]
fn a_project_whose_first_write_was_before_the_disk_was_full_has_a_history() {
    let (disk, project) = with(1);
    project.set_epoch(None);
    disk.full.set(true);
    let first = disk.perform(&project, &message(Call::Export(None)), &at(100));
    let reopened = start(disk.clone());
    reopened.set_epoch(None);
    assert_eq!(status(&first), 0);
    assert_eq!(disk.perform(&reopened, &message(Call::Export(None)), &at(100)).body, first.body);
    // Nothing was ever written, not even the tables.
    let new = Shared::new();
    new.full.set(true);
    let reply = new.perform(&start(new.clone()), &message(Call::Status), &at(100));
    assert_eq!((status(&reply), new.dump()), (507, Shared::new().dump()));
}
