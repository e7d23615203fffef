//! Batches: the writes of one request, all or nothing (D43).

use resource_edge::contract::limits;

use super::*;
use crate::support::messages::batch;
use crate::support::random::Random;

/// The rows that callers see.
fn rows(disk: &Shared) -> Vec<String> {
    let resources = "SELECT id, key, version, revision, body FROM resource ORDER BY id";
    let deleted = "SELECT id, version, revision FROM tombstone ORDER BY id";
    [resources, deleted].into_iter().flat_map(|sql| disk.sqlite.rows(sql)).collect()
}

/// Returns what the project says from its memory.
fn remembered(project: &Collection) -> (Value, Value) {
    let status: Value =
        serde_json::from_str(body(&perform(project, &message(Call::Status), 1_000_000))).unwrap();
    let page =
        perform(project, &message(Call::Read(Read::QuerySorted(query("version > 0", &["id asc"])))), 0);
    let page: Value = serde_json::from_str(body(&page)).unwrap();
    (json!([status["resources"], status["newestRevision"]]), page)
}

fn random_write(random: &Random) -> Message {
    let id = *random.pick(&["a", "b", "c", "d"]);
    let key = *random.pick(&[None, None, Some("k"), Some("l")]);
    let text = if random.chance(100) { "long ".repeat(1_000) } else { random.below(9).to_string() };
    let arrays = json!({"arrayOfIntExample": [random.below(5)]});
    let version = random.within(1, 4);
    match random.below(6) {
        0 => post(&json!({"id": id, "key": key, "custom": text, "objectTypeProperty": arrays})),
        1 => post(&json!({"id": id, "objectTypeProperty": arrays})),
        2 => put(&json!({"id": id, "version": version, "custom": text, "objectTypeProperty": arrays})),
        3 => patch(&json!({"id": id, "version": version, "objectTypeProperty": arrays})),
        4 => update(id, version, random.chance(700).then_some(&*text)),
        _ => delete(id),
    }
}

/// Returns what a batch of these replies returns.
fn results(replies: &[Reply<String>]) -> Value {
    let result = |reply: &Reply<String>| json!({"status": resource(reply).outcome.status(), "resource": record(reply)});
    json!({ "results": replies.iter().map(result).collect::<Vec<_>>() })
}

/// A project, and how its batches have ended.
struct Compared {
    disk: Shared,
    project: Collection,
    performed: usize,
    /// At a write, and at one that is not the first.
    refused: [usize; 2],
}

impl Compared {
    /// Performs a batch in the project, and its writes one after the other in a copy of it.
    fn compare(&mut self, writes: &[Message], key: Option<&str>, now: Millis) {
        let before = self.disk.dump();
        let (replies, alone) = self.perform_alone(writes, now);
        let message = batch(writes);
        let message = key.map_or(message.clone(), |key| once(message, key));
        let reply = perform(&self.project, &message, now);
        if let CallResult::Error(error) = &replies.last().unwrap().head.result {
            let index = replies.len() - 1;
            self.refused[usize::from(index > 0)] += 1;
            let wanted = error.clone().in_write(index);
            let CallResult::Error(found) = &reply.head.result else { panic!("{reply:?}") };
            assert_eq!(found.to_json(), wanted.to_json());
            if key.is_none() {
                assert_eq!(self.disk.dump(), before);
            }
        } else {
            self.performed += 1;
            assert_eq!(serde_json::from_str::<Value>(body(&reply)).unwrap(), results(&replies));
            assert_eq!(rows(&self.disk), rows(&alone));
            let newest = replies.iter().map(|reply| resource(reply).newest).max().unwrap();
            assert_eq!(reply.head.result, CallResult::Batch { newest });
        }
        if key.is_some() {
            let again = perform(&self.project, &message, now + 1);
            assert!(again.head.replayed || body(&reply).len() > limits::IDEMPOTENCY_BODY_BYTES, "{again:?}");
            if again.head.replayed {
                assert_eq!((again.head.result, again.body), (reply.head.result, reply.body));
            }
        }
        assert_eq!(remembered(&self.project), remembered(&crash(&self.project)));
    }

    /// Performs writes in a copy of the project, up to the first that fails.
    fn perform_alone(&self, writes: &[Message], now: Millis) -> (Vec<Reply<String>>, Shared) {
        let disk = self.disk.copy();
        let alone = start(disk.clone());
        alone.make_ready().unwrap();
        // The batch leaves out a revision.
        let first = now.max(alone.newest().unwrap() + 1) + 1;
        let mut replies = Vec::new();
        for write in writes {
            replies.push(perform(&alone, write, first));
            if status(replies.last().unwrap()) != 0 {
                break;
            }
        }
        (replies, disk)
    }
}

/// Performs random batches in projects, and returns how many were performed and refused.
fn compare_random(commits_faults: bool) -> (usize, [usize; 2]) {
    let mut counts = (0, [0; 2]);
    for seed in 0..40 {
        let random = Random::new(seed);
        let disk = Shared::new();
        let project = start(disk.clone()).with_waiting(3);
        project.make_ready().unwrap();
        disk.commits_faults.set(commits_faults);
        let mut compared = Compared { disk, project, performed: counts.0, refused: counts.1 };
        let mut now = 10;
        for round in 0..40 {
            now += random.below(9);
            let count = random.within(1, 6);
            let writes: Vec<Message> = (0..count).map(|_| random_write(&random)).collect();
            let key = random.chance(300).then(|| round.to_string());
            compared.compare(&writes, key.as_deref(), now);
            if random.chance(100) {
                compared.project = crash(&compared.project).with_waiting(3);
            }
        }
        counts = (compared.performed, compared.refused);
    }
    counts
}

#[test]
fn a_batch_is_its_writes_one_after_the_other_or_nothing() {
    let (performed, [first, late]) = compare_random(false);
    assert!(performed > 200 && first + late > 200 && late > 100, "{performed}, {first}, {late}");
}

#[test]
#[should_panic(expected = "left == right")]
fn a_batch_that_keeps_the_writes_before_one_that_fails_is_found() {
    compare_random(true);
}

#[test]
fn the_entries_of_all_writes_of_a_batch_reach_kv() {
    let project = open();
    create(&project, "gone", Some("old"), 10);
    drain(&project, 20);
    let keyed = |id: &str, key: &str| post(&json!({"id": id, "key": key, "objectTypeProperty": {}}));
    perform(
        &project,
        &batch(&[keyed("a", "k"), delete("gone"), keyed("b", "old"), update("a", 1, None)]),
        30,
    );
    let entries: Vec<String> = drain(&project, 1_000_000).into_iter().collect();
    assert_eq!(entries, ["k1:p:k", "k1:p:old", "r1:p:a", "r1:p:b", "r1:p:gone"]);
}

#[test]
fn a_large_response_of_a_batch_is_stored_once_under_a_revision_that_no_record_has() {
    let disk = Shared::new();
    let project = start(disk.clone());
    let text = "x".repeat(limits::IDEMPOTENCY_BODY_BYTES);
    let long = |id: &str| post(&json!({"id": id, "custom": text, "objectTypeProperty": {}}));
    let message = once(batch(&[long("a"), long("b")]), "key");
    let first = perform(&project, &message, 10);
    let kept = "SELECT revision FROM replaced WHERE revision NOT IN (SELECT revision FROM resource)";
    assert_eq!(disk.sqlite.rows(kept).len(), 1);
    // The records change, in the same millisecond and later.
    perform(&project, &batch(&[long("a"), delete("b")]), 10);
    for project in [&project, &crash(&project)] {
        let again = perform(project, &message, 20);
        assert!(again.head.replayed);
        assert_eq!((again.head.result, again.body), (first.head.result.clone(), first.body.clone()));
    }
}

#[test]
fn a_batch_of_too_many_bytes_changes_nothing() {
    let disk = Shared::new();
    let project = start(disk.clone());
    let text = "x".repeat(limits::BODY_BYTES / 2);
    let long = |id: &str| post(&json!({"id": id, "custom": text, "objectTypeProperty": {}}));
    for id in ["a", "b"] {
        resource(&perform(&project, &long(id), 10));
    }
    let before = disk.dump();
    // Two overwrites read and write four halves of a megabyte.
    let reply = perform(&project, &batch(&[delete("none")]), 20);
    assert_eq!(status(&reply), 404);
    let reply = perform(&project, &batch(&[long("a"), long("b")]), 20);
    assert_eq!(status(&reply), 413);
    let CallResult::Error(error) = &reply.head.result else { panic!("{reply:?}") };
    assert!(error.to_json().contains("\"index\":1") && error.to_json().contains("\"maximum\":2000000"));
    assert_eq!(disk.dump(), before);
    assert!(matches!(perform(&project, &batch(&[long("a")]), 20).head.result, CallResult::Batch { .. }));
}
