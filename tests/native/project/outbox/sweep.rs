//! The sweep finds what differs in KV (D19).

use super::*;

/// Creates a project whose resources are written directly into the database, and are
/// marked as replicated.
fn large(resources: u64) -> Collection {
    let project = open();
    create(&project, "a", None, 10);
    replicate(&project, &mut Kv::new(), 20);
    project.checkpoint().unwrap();
    project.next_sweep(20).unwrap();
    project.database().run(&format!(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {resources}) \
         INSERT INTO resource(seq, id, key, version, revision, items, body) \
         SELECT i + 100, printf('r%07d', i), iif(i % 2, printf('k%07d', i), NULL), 1, i + 100, 0, '{{}}' FROM n; \
         UPDATE meta SET value = 1 << 40 WHERE name = 'replicated'"
    ));
    crash(&project)
}

/// Returns how many differences a sweep of an empty KV recorded in each turn. `between` runs after each turn and
/// returns the project that continues.
fn turns(mut project: Collection, between: impl Fn(Collection) -> Collection) -> Vec<i64> {
    let mut now = project.next_sweep(0).unwrap().unwrap();
    let mut turns = Vec::new();
    loop {
        let before = (rows(&project), project.database().cost().rows_read);
        let page = project.sweep(now).unwrap().expect("a turn that is due");
        project.sweep_done(&page, &[], None, now).unwrap();
        turns.push(rows(&project) - before.0);
        let read = project.database().cost().rows_read - before.1;
        assert!(read <= 5_000, "{read} rows read in a turn");
        project = between(project);
        let next = project.next_sweep(now).unwrap().unwrap();
        if next > now + 3_600_000 {
            return turns;
        }
        assert!(next <= now + 1_000 && turns.len() < 1_000);
        now = next;
    }
}

#[test]
fn a_sweep_of_a_large_lost_namespace_has_turns_of_a_thousand() {
    let turns = turns(large(200_000), |project| project);
    assert!(turns.iter().all(|noted| *noted <= 1_000), "{turns:?}");
    assert_eq!(turns.iter().sum::<i64>(), 200_001 + 100_000);
    assert_eq!(turns.len(), 201 + 101, "the last turn of each finds the end");
}

#[test]
fn a_sweep_that_is_killed_between_turns_continues() {
    let noted = turns(large(5_500), |project| crash(&project));
    assert_eq!(noted, [1_000, 1_000, 1_000, 1_000, 1_000, 501, 1_000, 1_000, 750]);
}

#[test]
fn a_turn_that_fails_is_repeated() {
    let project = large(1_500);
    let now = project.next_sweep(0).unwrap().unwrap();
    let page = project.sweep(now).unwrap().unwrap();
    project.database().fails_after.set(Some(500));
    project.sweep_done(&page, &[], None, now).unwrap_err();
    project.database().fails_after.set(None);
    assert_eq!(rows(&project), 0);
    assert_eq!(project.sweep(now).unwrap(), Some(page));
}

#[test]
fn a_sweep_of_few_kv_entries_compares_all_resources() {
    let project = large(3_000);
    let mut kv = Kv::new();
    // Each page of KV covers more than a turn compares.
    for number in [1_u32, 1_500, 2_900] {
        let metadata = Metadata {
            version: Some(1),
            revision: Millis::from(number) + 100,
            key: None,
            id: None,
            deleted: false,
        };
        kv.insert(format!("r1:p:r{number:07}"), ("{}".to_owned(), Some(metadata), None));
    }
    kv.insert("r1:p:r0001000-orphan".to_owned(), kv["r1:p:r0001500"].clone());
    for size in [1, 2, 10] {
        let project = crash(&project);
        sweep(&project, &kv, size);
        let database = project.database();
        assert_eq!(database.number("SELECT count(*) FROM outbox WHERE kind = 0"), 3_001 - 3 + 1, "{size}");
        database.run("DELETE FROM outbox; UPDATE meta SET value = 0 WHERE name = 'sweep'");
    }
}

#[test]
fn a_sweep_waits_for_many_pending_puts_but_at_most_an_hour() {
    let project = large(5_000);
    let now = project.next_sweep(0).unwrap().unwrap();
    let page = project.sweep(now).unwrap().unwrap();
    project.sweep_done(&page, &[], None, now).unwrap();
    // KV accepts nothing.
    puts(&project, now);
    let next = project.next_sweep(now + 1_000).unwrap().unwrap();
    assert_eq!((next, project.sweep(now + 1_000).unwrap()), (now + 11_000, None));
    assert!(project.sweep(now + 3_700_000).unwrap().is_some(), "not for ever");
    assert!(rows(&project) <= 1_000);
}

#[test]
fn empty_pages_of_kv_are_no_lost_namespace_and_their_sweep_ends() {
    let project = large(10);
    let mut now = project.next_sweep(0).unwrap().unwrap();
    for turn in 0_u64.. {
        let page = project.sweep(now).unwrap().unwrap();
        project.sweep_done(&page, &[], Some(&format!("page {turn}")), now).unwrap();
        assert_eq!(rows(&project), 0, "an empty page says nothing");
        let next = project.next_sweep(now).unwrap().unwrap();
        if next > now + 60_000 {
            assert!((100..=2_000).contains(&turn) && next <= now + 3_600_000, "{turn}");
            assert_eq!(
                project.sweep(next).unwrap().unwrap().cursor,
                None,
                "the next sweep starts from the beginning"
            );
            return;
        }
        now = next;
    }
}

#[test]
fn a_sweep_enqueues_exactly_the_differences() {
    let project = open();
    let mut kv = Kv::new();
    for number in 0..100 {
        create(&project, &format!("a{number:03}"), Some(&format!("k{number:03}")), 10);
    }
    replicate(&project, &mut kv, 1000);
    let now = sweep(&project, &kv, 7);
    assert_eq!(replicate(&project, &mut Kv::new(), now), [""; 0], "KV equals the source of truth");

    kv.remove("r1:p:a000");
    kv.remove("r1:p:a050");
    kv.remove("k1:p:k099");
    kv.insert("r1:p:orphan".to_owned(), kv["r1:p:a001"].clone());
    kv.insert("k1:p:k010".to_owned(), kv["k1:p:k011"].clone());
    kv.insert("r1:p:a020".to_owned(), (String::new(), None, None));
    // Entries of another project are ignored.
    kv.insert("r1:q:a000".to_owned(), kv["r1:p:a001"].clone());
    let now = sweep(&project, &kv, 7);
    let begun = puts(&project, now);
    assert_eq!(
        entries(&begun),
        ["r1:p:a000", "r1:p:a020", "r1:p:a050", "r1:p:orphan", "k1:p:k010", "k1:p:k099"]
    );
    assert_eq!(metadata(&begun[3])["deleted"], json!(true));
}

#[test]
fn a_sweep_ignores_pending_puts() {
    let project = open();
    create(&project, "a", Some("k"), 10);
    sweep(&project, &Kv::new(), 7);
    assert_eq!(rows(&project), 0);
    let project = crash(&project);
    project
        .database()
        .sqlite
        .connection
        .execute("UPDATE meta SET value = 0 WHERE name = 'sweep'", [])
        .unwrap();
    sweep(&project, &Kv::new(), 7);
    assert_eq!(rows(&project), 0, "also before a start has read it");
}
