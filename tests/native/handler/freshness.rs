//! Reads from KV: what may be stale, what must not be, and what happens if a part is unavailable (D19).

use resource_edge::call::{ReplyHead, wire};
use resource_edge::server::effect::{Effect, EffectOutcome, Exchange, HandlerStep};

use super::effects::kind;
use super::*;
use crate::support::edge::{Edge, got, request};

/// Creates a caller with a resource `a`, key `k`, whose writes after version 1 are not replicated.
fn behind() -> Caller {
    let caller = Caller::new();
    caller.create(&json!({"id": "a", "key": "k", "objectTypeProperty": {}}));
    caller.edge.faults.drain_held.set(true);
    caller
}

#[test]
fn a_read_from_kv_calls_no_object_and_returns_the_bytes_unchanged() {
    let caller = Caller::new();
    let created = caller.write("POST /p/resource", &json!({"id": "a", "key": "k", "objectTypeProperty": {}}));
    let calls = caller.edge.object_calls.get();
    for target in ["/p/resource/a", "/p/resource/key=k"] {
        let read = caller.get(target);
        assert_eq!((read.status, &read.body), (200, &created.body));
        for header in ["ETag", "Resource-Revision", "Content-Type"] {
            assert_eq!(read.header(header), created.header(header), "{header}");
        }
    }
    assert_eq!(caller.edge.object_calls.get(), calls, "an object was asked");
    let stored = caller.edge.kv.borrow()["r1:p:a"].clone();
    assert_eq!(stored.value, created.body);
    assert_eq!(metadata(&stored).revision.to_string(), created.header("Resource-Revision").unwrap());
}

#[test]
fn only_plain_reads_return_a_stale_copy() {
    let caller = behind();
    let revision = caller.update("a", 1).header("Resource-Revision").unwrap().to_owned();
    for target in ["/p/resource/a", "/p/resource/key=k"] {
        assert_eq!(caller.get(target).json()["version"], 1, "a plain read may lag");
        assert_eq!(caller.fresh(target).json()["version"], 2);
        let floor = caller.ask(&format!("GET {target}"), &[("Resource-Min-Revision", &revision)], b"");
        assert_eq!(floor.json()["version"], 2);
        assert_eq!(floor.header("Resource-Revision"), Some(revision.as_str()));
    }
}

#[test]
fn unavailable_kv_causes_no_outage() {
    let caller = Caller::new();
    caller.create(&json!({"id": "a", "key": "k", "objectTypeProperty": {}}));
    caller.edge.faults.kv_reads.set(true);
    caller.edge.faults.kv_puts.set(true);
    for target in ["/p/resource/a", "/p/resource/key=k"] {
        assert_eq!(caller.get(target).status, 200);
    }
    assert_eq!(caller.get("/p/resource/none").status, 404);
    caller.update("a", 1);
    assert_eq!(caller.get("/p/resource/a").json()["version"], 2);
    assert!(
        caller.edge.log.borrow().iter().any(|line| line.contains("KV is made to fail")),
        "the log names the cause"
    );
}

/// Returns the source of the last response, and what its request found in KV, from the log.
fn source(caller: &Caller) -> String {
    let line = caller.last_line();
    format!("{}, {}", line["source"].as_str().unwrap(), line["kv"].as_str().unwrap_or("not read"))
}

/// Reads plainly. Returns the version and its source.
fn plain(caller: &Caller) -> String {
    format!("{} from {}", caller.get("/p/resource/a").json()["version"], source(caller))
}

#[test]
fn a_copy_is_remembered_for_five_seconds() {
    let caller = Caller::new();
    caller.create(&json!({"id": "a", "key": "k", "objectTypeProperty": {}}));
    assert_eq!(plain(&caller), "1 from kv, hit");
    // Another instance writes, and KV has the new state at once.
    let elsewhere = service(&json!({}));
    let update =
        caller.request_of("POST /p/resource/a", &[], r#"{"version":1,"actions":[{"action":"doSomeThing"}]}"#);
    let written = send(&elsewhere, &caller.edge, &update);
    let revision = written.header("Resource-Revision").unwrap();
    assert_eq!(plain(&caller), "1 from memory, hit");
    assert_eq!(caller.get("/p/resource/key=k").json()["version"], 1);
    // Sessions and fresh reads are exact, and what they show replaces the copy.
    let session = caller.ask("GET /p/resource/a", &[("Resource-Min-Revision", revision)], b"");
    assert_eq!((session.json()["version"].as_u64(), source(&caller)), (Some(2), "kv, hit".to_owned()));
    assert_eq!(plain(&caller), "2 from memory, hit");
    caller.advance(5_000);
    assert_eq!(plain(&caller), "2 from kv, hit");
}

#[test]
fn a_write_discards_what_its_instance_remembers() {
    let caller = behind();
    assert_eq!([plain(&caller), plain(&caller)], ["1 from kv, hit", "1 from memory, hit"]);
    caller.update("a", 1);
    // KV is behind. Its copy is older than what the instance has seen, so it is served, but not remembered.
    assert_eq!([plain(&caller), plain(&caller)], ["1 from kv, hit", "1 from kv, hit"]);
    caller.edge.faults.drain_held.set(false);
    caller.edge.drain(&caller.edge.projects.borrow()["p"]);
    assert_eq!([plain(&caller), plain(&caller)], ["2 from kv, hit", "2 from memory, hit"]);
    assert_eq!(caller.ask("DELETE /p/resource/a", &[], b"").status, 200);
    assert_eq!(caller.get("/p/resource/a").status, 404);
    caller.create(&json!({"id": "b", "objectTypeProperty": {}}));
    let of_b = || format!("{} from {}", caller.get("/p/resource/b").status, source(&caller));
    assert_eq!([of_b(), of_b()], ["200 from kv, hit", "200 from memory, hit"]);
    assert_eq!(caller.ask("DELETE /p/data?confirm=p", &[], b"").status, 200);
    assert_eq!(of_b(), "404 from object, deleted");
}

#[test]
fn while_kv_refuses_puts_plain_reads_go_to_the_object() {
    let caller = Caller::new();
    caller.create(&json!({"id": "a", "key": "k", "objectTypeProperty": {}}));
    assert_eq!(plain(&caller), "1 from kv, hit");
    caller.advance(6_000);
    caller.edge.faults.kv_puts.set(true);
    for version in 1..=3 {
        caller.update("a", version);
        caller.advance(1_000);
    }
    assert_eq!(plain(&caller), "1 from kv, hit", "the next check is due after ten seconds");
    caller.advance(1_000);
    assert_eq!(plain(&caller), "1 from kv, hit", "the check follows the response");
    assert_eq!(plain(&caller), "4 from object, behind");
    assert_eq!(caller.get("/p/resource/key=k").json()["version"], 4);
    // While the object is unavailable, the copy is served with a warning, as with `READ_DEFAULT=fresh`.
    caller.edge.faults.objects.set(true);
    let copy = caller.get("/p/resource/a");
    assert_eq!((copy.json()["version"].as_u64(), copy.header("Warning").is_some()), (Some(1), true));
    caller.edge.faults.objects.set(false);
    // A new instance of the object still reports that KV refuses puts, and so does a new instance of the Worker after
    // its first read.
    caller.edge.restart();
    let caller = Caller { service: service(&json!({})), ..caller };
    assert_eq!([plain(&caller), plain(&caller)], ["1 from kv, hit", "4 from object, behind"]);
    catches_up(&caller, 4);
}

#[test]
fn while_a_write_waits_for_its_put_plain_reads_go_to_the_object() {
    let caller = behind();
    assert_eq!(plain(&caller), "1 from kv, hit");
    caller.advance(10_000);
    caller.update("a", 1);
    // A new instance of the object reads what waits from its tables.
    caller.edge.restart();
    assert_eq!([plain(&caller), plain(&caller)], ["1 from kv, hit"; 2], "it waits for a moment only");
    for (ms, seen) in [(10_000, "1 from kv, hit"), (0, "2 from object, behind")] {
        caller.advance(ms);
        assert_eq!(plain(&caller), seen, "after {ms} ms more");
    }
    catches_up(&caller, 2);
}

/// Lets KV catch up, and checks that plain reads use it again after the next check.
fn catches_up(caller: &Caller, version: u64) {
    caller.edge.faults.kv_puts.set(false);
    caller.edge.faults.drain_held.set(false);
    caller.advance(60_000);
    caller.edge.drain(&caller.edge.projects.borrow()["p"]);
    assert_eq!(plain(caller), format!("{version} from object, behind"));
    assert_eq!(plain(caller), format!("{version} from kv, hit"));
}

#[test]
fn while_the_object_is_unavailable_a_plain_read_serves_the_copy() {
    let caller = behind();
    let revision = caller.update("a", 1).header("Resource-Revision").unwrap().to_owned();
    caller.edge.faults.objects.set(true);
    for target in ["/p/resource/a", "/p/resource/key=k"] {
        assert_eq!(caller.get(target).json()["version"], 1);
        assert_eq!(caller.fresh(target).status, 503, "never an old copy for a fresh read");
        let floor = caller.ask(&format!("GET {target}"), &[("Resource-Min-Revision", &revision)], b"");
        assert_eq!(floor.status, 503, "never a copy below the minimum revision");
    }
    assert_eq!(caller.get("/p/resource/none").status, 503, "whether the resource exists is unknown");
    assert_eq!([caller.get("/p/resource").status, caller.get("/p/status").status], [503, 503]);
    assert_eq!(caller.ask("HEAD /p/resource", &[], b"").status, 503);
    let body = json!({"objectTypeProperty": {}});
    let got = caller.write("POST /p/resource", &body);
    assert_eq!(got.status, 503);
    assert!(!got.body.contains("made to fail"), "internals were sent: {}", got.body);
    assert_eq!(caller.ask("DELETE /p/resource/a", &[], b"").status, 503);
}

#[test]
fn a_copy_in_place_of_the_source_of_truth_is_marked_stale() {
    let caller = Caller::with(&json!({"READ_DEFAULT": "fresh"}));
    caller.create(&json!({"id": "a", "key": "k", "objectTypeProperty": {}}));
    for target in ["/p/resource/a", "/p/resource/key=k"] {
        caller.edge.faults.objects.set(false);
        assert_eq!(caller.get(target).header("Warning"), None);
        caller.edge.faults.objects.set(true);
        let copy = caller.get(target);
        assert_eq!((copy.status, copy.header("Warning")), (200, Some("110 - \"Response is Stale\"")));
        assert!(["kv, hit", "memory, hit"].contains(&source(&caller).as_str()));
        assert_eq!(caller.fresh(target).status, 503, "a fresh read gets no copy");
    }
}

const FIVE: (&str, &str) = ("Cache-Control", "max-age=5");

#[test]
fn a_query_of_an_allowed_age_needs_no_object() {
    let mut caller = Caller::new();
    caller.create(&json!({"id": "a", "objectTypeProperty": {}}));
    let lines = [
        "GET /p/resource",
        "HEAD /p/resource",
        "GET /p/resource?limit=1",
        "GET /p/resource/searchApiPattern",
        "GET /p/resource/sorted-query-parameters",
    ];
    let first = lines.map(|line| caller.ask(line, &[FIVE], b"").body);
    caller.create(&json!({"id": "b", "objectTypeProperty": {}}));
    for (line, body) in lines.iter().zip(first) {
        assert_eq!(caller.effects(line, &[FIVE], ""), (vec![], 200), "{line}");
        let got = caller.ask(line, &[FIVE], b"");
        assert_eq!((&got.body, source(&caller)), (&body, "memory, not read".to_owned()), "{line}");
        for headers in [
            &[] as &[(&str, &str)],
            &[("Cache-Control", "max-age=0")],
            &[("Cache-Control", "max-age=5, no-cache")],
        ] {
            assert_eq!(caller.effects(line, headers, ""), (vec!["object"], 200), "{line} {headers:?}");
        }
    }
    assert_eq!(caller.get("/p/resource").json()["count"], 2);
    caller.advance(6_000);
    assert_eq!(caller.effects(lines[0], &[FIVE], ""), (vec!["shared"], 200));
    assert_eq!(caller.ask(lines[0], &[FIVE], b"").json()["count"], 2);
    // Neither another project, nor a caller without a right, gets it.
    assert_eq!(caller.effects("GET /q/resource", &[FIVE], ""), (vec![], 403));
    caller.token = caller.token_for("manage_test:q");
    assert_eq!(caller.effects(lines[0], &[FIVE], ""), (vec![], 403));
    assert_eq!(caller.ask("GET /q/resource", &[FIVE], b"").json()["count"], 0);
}

#[test]
fn a_page_has_the_newest_revision_and_none_below_the_minimum_is_returned() {
    let caller = Caller::new();
    let revision = |got: &Got| got.header("Resource-Revision").unwrap_or_default().to_owned();
    caller.create(&json!({"id": "a", "objectTypeProperty": {}}));
    let last = revision(&caller.get("/p/resource/a"));
    let lines = ["GET /p/resource", "HEAD /p/resource?where=version%3D7", "GET /p/resource/searchApiPattern"];
    for line in lines {
        assert_eq!(revision(&caller.ask(line, &[FIVE], b"")), last, "{line}");
    }
    // A deletion is newer than what the pages show.
    caller.ask("DELETE /p/resource/a", &[], b"");
    let newest = revision(&caller.get("/p/resource"));
    assert!(newest > last, "{newest} after {last}");
    for line in lines {
        assert_eq!(revision(&caller.ask(line, &[FIVE], b"")), last, "{line}");
        let at_least = |minimum: &str| caller.ask(line, &[FIVE, ("Resource-Min-Revision", minimum)], b"");
        assert_eq!(
            (revision(&at_least(&last)), source(&caller)),
            (last.clone(), "memory, not read".to_owned())
        );
        assert_eq!(
            (revision(&at_least(&newest)), source(&caller)),
            (newest.clone(), "object, not read".to_owned())
        );
        assert_eq!(
            (revision(&at_least(&newest)), source(&caller)),
            (newest.clone(), "memory, not read".to_owned())
        );
    }
}

/// Begins a query of an allowed age, up to its effect.
fn begin_query<'a>(
    caller: &'a Caller,
    target: &str,
    minimum: &str,
) -> (&'static str, Effect, Exchange<'a, &'a Edge>) {
    let headers = [FIVE, ("Resource-Min-Revision", minimum)];
    let sent = caller.request_of(&format!("GET {target}"), &headers, "");
    let step = Exchange::start(&caller.service, &caller.edge, request(&sent));
    let HandlerStep::Perform(effect, exchange) = step else { panic!("an answer from nothing") };
    (kind(&effect), effect, exchange)
}

#[test]
fn a_shared_call_below_the_minimum_revision_is_followed_by_another() {
    let caller = Caller::new();
    let create = || {
        caller.create(&json!({"objectTypeProperty": {}}));
        caller.get("/p/resource").header("Resource-Revision").unwrap().to_owned()
    };
    let sent = caller.request_of("GET /p/resource", &[], "");
    let early = create();
    let (shared, effect, first) = begin_query(&caller, "/p/resource", "0");
    let late = create();
    let waiting = [&early, &late].map(|minimum| begin_query(&caller, "/p/resource", minimum));
    assert_eq!([shared, waiting[0].0, waiting[1].0], ["shared", "joined", "joined"]);
    // The reply is from before the second creation.
    let EffectOutcome::Reply(head, body) = caller.edge.perform(&sent, &effect) else { panic!("no reply") };
    let mut head: ReplyHead = wire::decode(&head).unwrap();
    head.newest = early.parse().ok();
    let reply = || EffectOutcome::Reply(wire::encode(&head).unwrap(), body.clone());
    let revision = |step| match step {
        HandlerStep::Respond(response, _) => got(response).header("Resource-Revision").unwrap().to_owned(),
        HandlerStep::Perform(effect, exchange) => {
            assert_eq!(kind(&effect), "shared");
            let HandlerStep::Respond(response, _) = exchange.resume(caller.edge.perform(&sent, &effect))
            else {
                panic!("a third call")
            };
            got(response).header("Resource-Revision").unwrap().to_owned()
        }
    };
    let [one, other] = waiting.map(|(.., exchange)| exchange.resume(reply()));
    assert!(matches!(one, HandlerStep::Respond(..)) && matches!(other, HandlerStep::Perform(..)));
    assert_eq!([first.resume(reply()), one, other].map(revision), [early.clone(), early, late]);
}

#[test]
fn equal_queries_at_one_moment_share_a_call() {
    let caller = Caller::new();
    let begin = |target: &str| {
        let (kind, _, exchange) = begin_query(&caller, target, "0");
        (kind, exchange)
    };
    let status = |step| match step {
        HandlerStep::Respond(response, _) => got(response).status,
        HandlerStep::Perform(..) => panic!("another effect"),
    };
    let (sent, first) = begin("/p/resource");
    let (joined, second) = begin("/p/resource");
    assert_eq!((sent, joined, begin("/p/resource?limit=1").0), ("shared", "joined", "shared"));
    // A call that lasts longer than a caller accepts is not joined.
    caller.advance(6_000);
    assert_eq!(begin("/p/resource").0, "shared");
    // A failure is the reply to all, and is not remembered.
    let failed = || EffectOutcome::Failed("cut off".to_owned());
    assert_eq!([first.resume(failed()), second.resume(failed())].map(status), [503, 503]);
    assert_eq!(begin("/p/resource").0, "shared");
}
