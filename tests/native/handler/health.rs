//! `GET /health`: the state of Worker, KV, and objects, at a cost that callers cannot increase.

use super::*;

const PERIOD: u64 = 10_000;

#[test]
fn health_reports_worker_kv_and_object_separately() {
    let caller = Caller::new();
    let well = json!({"status": "ok", "worker": "ok", "kv": "ok", "object": "ok"});
    let got = caller.get("/health");
    assert_eq!((got.status, got.json()), (200, well.clone()));
    assert_eq!(caller.ask("HEAD /health", &[], b"").status, 200);
    caller.edge.faults.kv_reads.set(true);
    caller.advance(PERIOD);
    let got = caller.get("/health");
    let degraded = json!({"status": "degraded", "worker": "ok", "kv": "unavailable", "object": "ok"});
    assert_eq!((got.status, got.json()), (200, degraded));
    assert!(caller.edge.log.borrow().last().unwrap().contains("KV is made to fail"));
    caller.edge.faults.objects.set(true);
    caller.advance(PERIOD);
    let got = caller.get("/health");
    assert_eq!(got.status, 503);
    assert_eq!(got.json()["message"], "The objects are unavailable. KV: unavailable.");
    assert!(caller.edge.log.borrow().last().unwrap().contains("the object is made to fail"));
    caller.edge.faults.objects.set(false);
    caller.edge.faults.kv_reads.set(false);
    caller.advance(PERIOD);
    assert_eq!(caller.get("/health").json(), well);
}

#[test]
fn an_instance_checks_health_once_in_ten_seconds_whoever_requests_it() {
    let caller = Caller::new();
    caller.edge.frozen.set(true);
    let count = |requests: u32| {
        let calls = caller.edge.object_calls.get();
        for _ in 0..requests {
            assert_eq!(caller.get("/health?project=p").status, 200);
        }
        caller.edge.object_calls.get() - calls
    };
    assert_eq!(count(100), 1);
    caller.advance(PERIOD - 1);
    assert_eq!(count(100), 0);
    caller.advance(1);
    assert_eq!(count(100), 1);
    // Setting a clock back does not stop the checks.
    caller.edge.clock.set(caller.edge.clock.get() - 2 * PERIOD);
    assert_eq!(count(100), 1);
}

#[test]
fn the_health_check_reads_an_object_of_no_project_and_creates_nothing_in_it() {
    let caller = Caller::new();
    // The Worker pumps the outbox only after writes; this edge does it after every call.
    caller.edge.faults.drain_held.set(true);
    caller.get("/health");
    let projects = caller.edge.projects.borrow();
    assert_eq!(projects.keys().collect::<Vec<_>>(), ["~health"]);
    let statements = projects["~health"].database().statements.borrow().clone();
    assert_eq!(statements.len(), 1, "{statements:?}");
    assert!(statements[0].starts_with("SELECT"), "{statements:?}");
    assert!(caller.edge.kv.borrow().is_empty());
    drop(projects);
    assert_eq!(caller.get("/~health/resource").status, 400, "a project's key has no such character");
}

#[test]
fn a_second_health_check_does_not_start_during_the_first() {
    let caller = Caller::new();
    let HandlerStep::Perform(effect, first) = caller.start("GET /health", &[], "") else { panic!("no look") };
    let HandlerStep::Respond(second, _) = caller.start("GET /health", &[], "") else {
        panic!("another look")
    };
    assert_eq!(second.status, 200);
    let unknown = json!({"status": "ok", "worker": "ok", "kv": "unknown", "object": "unknown"});
    assert_eq!(caller.get("/health").json(), unknown);
    let HandlerStep::Perform(effect, first) = first.resume(caller.edge.perform(&Sent::default(), &effect))
    else {
        panic!("no object")
    };
    assert!(
        matches!(first.resume(caller.edge.perform(&Sent::default(), &effect)), HandlerStep::Respond(response, _) if response.status == 200)
    );
    assert_eq!(caller.get("/health").json()["object"], "ok");
}
