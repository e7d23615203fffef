//! The status for the operator, compared with the changes to a project.

use super::*;

fn status(project: &Collection, now: Millis) -> Value {
    let reply = perform(project, &message(Call::Status), now);
    serde_json::from_str(&reply.body.unwrap()).unwrap()
}

#[test]
fn the_status_of_an_empty_project_has_versions_but_no_writes_backlog_or_sweeps() {
    let project = open();
    let found = status(&project, 5_000);
    assert!(found["databaseBytes"].as_u64().unwrap() > 0);
    for (name, value) in [
        ("resources", json!(0)),
        ("newestRevision", json!(0)),
        ("replicatedRevision", json!(0)),
        ("backlog", json!(0)),
        ("isIndexed", json!(true)),
        ("backlogAgeMs", Value::Null),
        ("lastSweepAt", Value::Null),
        ("nextSweepAt", Value::Null),
    ] {
        assert_eq!(found[name], value, "{name}");
    }
    for version in ["tablesVersion", "indexVersion", "messageFormat"] {
        assert!(found[version].as_i64().unwrap() > 0, "{version}");
    }
    // Once the tables exist, a status only reads.
    project.database().statements.take();
    status(&project, 6_000);
    let statements = project.database().statements.take();
    assert!(statements.iter().all(|statement| statement.starts_with("SELECT")), "{statements:?}");
}

#[test]
fn the_backlog_and_its_age_are_the_same_after_a_restart() {
    let project = open();
    for (id, now) in [("a", 1_000), ("b", 2_000), ("c", 3_000)] {
        create(&project, id, None, now);
    }
    let waits = |project: &Collection, now| {
        let found = status(project, now);
        [&found["resources"], &found["backlog"], &found["backlogAgeMs"], &found["replicatedRevision"]]
            .map(Clone::clone)
    };
    assert_eq!(waits(&project, 4_000), [json!(3), json!(3), json!(3_000), json!(999)]);
    // One put succeeds: the oldest.
    let put = begin(&project, 4_000);
    project.put_done(&put, 4_000).unwrap();
    assert_eq!(waits(&project, 4_000), [json!(3), json!(2), json!(2_000), json!(1_999)]);
    // A restart reads the watermark of the last alarm.
    project.checkpoint().unwrap();
    let restarted = crash(&project);
    assert_eq!(waits(&restarted, 5_000), [json!(3), json!(2), json!(3_000), json!(1_999)]);
    resource(&perform(&restarted, &delete("a"), 6_000));
    drain(&restarted, 100_000);
    assert_eq!(waits(&restarted, 200_000), [json!(2), json!(0), Value::Null, json!(6_000)]);
    assert_eq!(status(&restarted, 200_000)["newestRevision"], 6_000);
}

#[test]
fn an_entry_that_only_awaits_its_repeated_put_is_not_in_the_backlog() {
    let project = open();
    create(&project, "a", None, 1_000);
    let put = begin(&project, 1_000);
    project.put_failed(&put, 1_000).unwrap();
    project.checkpoint().unwrap();
    for project in [&project, &crash(&project)] {
        let found = status(project, 3_000);
        assert_eq!((&found["backlog"], &found["backlogAgeMs"]), (&json!(1), &json!(2_000)), "it failed");
    }
    let backlog = |project: &Collection| status(project, 5_000)["backlog"].clone();
    let put = begin(&project, 5_000);
    assert_eq!(backlog(&project), 1, "it is being put");
    project.put_done(&put, 5_000).unwrap();
    assert!(matches!(project.next_put(5_000).unwrap(), Next::Wait(_)), "it waits to confirm");
    assert_eq!(backlog(&project), 0);
    project.checkpoint().unwrap();
    assert_eq!(backlog(&crash(&project)), 0, "after a restart");
    create(&project, "b", None, 6_000);
    assert_eq!(backlog(&project), 1);
}

#[test]
fn the_last_sweep_is_the_last_completed_sweep() {
    let project = open();
    create(&project, "a", None, 1_000);
    drain(&project, 1_000);
    let due = project.next_sweep(1_000).unwrap().unwrap();
    let found = status(&project, 1_000);
    assert_eq!(
        (&found["lastSweepAt"], &found["nextSweepAt"]),
        (&Value::Null, &json!("1970-01-02T00:00:01.000Z"))
    );
    project.sweep_failed(due).unwrap();
    assert_eq!(status(&project, due)["lastSweepAt"], Value::Null);
    let mut now = due + 3_600_000;
    while let Some(sweep) = project.sweep(now).unwrap() {
        project.sweep_done(&sweep, &[], None, now).unwrap();
        drain(&project, now);
        now += 1_000;
    }
    let found = status(&project, now);
    assert_eq!(found["lastSweepAt"], "1970-01-02T01:00:02.000Z");
    assert_eq!(found["nextSweepAt"], "1970-01-03T01:00:02.000Z");
}
