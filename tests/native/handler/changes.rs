//! The feed of changes: pages after a position, also with a predicate, and what a follower has after them.

use std::collections::BTreeMap;

use proptest::prelude::*;
use resource_edge::contract::limits;

use super::restore::restore;
use super::*;
use crate::support::json::encoded;

const WHERE: &str = "where=custom%3D%3Ax&var.x=in";

/// A follower of the feed, by the rules of the specification (D36).
#[derive(Debug, Default)]
struct Follower {
    /// The state of each resource, as its line.
    states: BTreeMap<String, String>,
    /// The position; empty before the first page.
    position: String,
}

impl Follower {
    /// Applies a page, and returns the address of the next one.
    fn apply(&mut self, got: &Got) -> Option<String> {
        assert_eq!(got.status, 200, "{got:?}");
        assert_eq!(got.header("Content-Type"), Some("application/x-ndjson"));
        let mut lines = got.body.lines();
        let window: Value = serde_json::from_str(lines.next().unwrap()).unwrap();
        let text = |name: &str| window[name].as_str().unwrap().to_owned();
        assert!(self.position.is_empty() || self.position == text("from"), "{self:?} {got:?}");
        self.position = text("to");
        for line in lines {
            let read: Value = serde_json::from_str(line).unwrap();
            let id = read["id"].as_str().unwrap_or_default().to_owned();
            if let Some(outside) = read["outside"].as_array() {
                assert!(!outside.is_empty());
                for id in outside {
                    self.states.remove(id.as_str().unwrap());
                }
            } else if read.get("deletedAt").is_some() {
                self.states.remove(&id);
            } else {
                self.states.insert(id, line.to_owned());
            }
        }
        let link = got.header("Link")?;
        Some(link.strip_prefix('<')?.strip_suffix(">; rel=\"next\"")?.to_owned())
    }

    /// Reads all pages from its position. `query` is the rest of the query.
    fn catch_up(&mut self, caller: &Caller, query: &str) -> usize {
        let after =
            if self.position.is_empty() { String::new() } else { format!("after={}&", self.position) };
        let (mut next, mut pages) = (Some(format!("/p/changes?{after}{query}")), 0);
        while let Some(target) = next {
            next = self.apply(&caller.get(&target));
            pages += 1;
        }
        pages
    }

    fn lines(&self) -> Vec<&str> {
        self.states.values().map(String::as_str).collect()
    }
}

pub(super) fn create(caller: &Caller, id: &str, custom: &str) {
    caller.create(&json!({"id": id, "custom": custom, "objectTypeProperty": {}}));
}

fn set(caller: &Caller, id: &str, custom: &str) {
    let got =
        caller.write("POST /p/resource", &json!({"id": id, "custom": custom, "objectTypeProperty": {}}));
    assert!(got.status < 300, "{got:?}");
}

fn delete(caller: &Caller, id: &str) {
    assert_eq!(caller.ask(&format!("DELETE /p/resource/{id}"), &[], b"").status, 200);
}

/// Returns the results of a query by ID, as reads return them.
fn results(caller: &Caller, query: &str) -> Vec<String> {
    let page = caller.get(&format!("/p/resource?limit=500&sort=id&{query}")).json();
    let read = |record: &Value| caller.fresh(&format!("/p/resource/{}", record["id"].as_str().unwrap())).body;
    page["results"].as_array().unwrap().iter().map(read).collect()
}

#[test]
fn pages_have_each_state_once_and_name_the_positions_around_them() {
    let caller = Caller::new();
    let empty = caller.get("/p/changes");
    let mut follower = Follower::default();
    assert_eq!((follower.apply(&empty), empty.body.lines().count()), (None, 1));
    create(&caller, "a", "1");
    create(&caller, "b", "1");
    set(&caller, "a", "2");
    delete(&caller, "b");
    let got = caller.get(&format!("/p/changes?after={}", follower.position));
    assert_eq!((follower.apply(&got), got.body.lines().count()), (None, 3));
    assert_eq!(follower.lines(), [caller.get("/p/resource/a").body]);
    // Without changes, a page is empty, and the position stays.
    let (position, lines) = (follower.position.clone(), follower.states.len());
    let again = caller.get(&format!("/p/changes?after={position}"));
    assert_eq!(again.body, format!("{{\"from\":\"{position}\",\"to\":\"{position}\"}}\n"));
    assert_eq!(caller.get("/p/changes?after=now").body, again.body);
    assert_eq!((follower.apply(&again), follower.states.len()), (None, lines));
    // The end of an export is a position of the feed.
    let export = caller.get("/p/export");
    let end: Value = serde_json::from_str(export.body.lines().last().unwrap()).unwrap();
    assert_eq!(end["end"], json!(position));
}

#[test]
fn a_first_reading_omits_earlier_deletions_but_no_later_ones() {
    let caller = Caller::new();
    for id in ["a", "b", "c", "d"] {
        create(&caller, id, "in");
    }
    delete(&caller, "a");
    set(&caller, "b", "out");
    for query in ["limit=1", &format!("limit=1&{WHERE}")] {
        let mut follower = Follower::default();
        let first = caller.get(&format!("/p/changes?{query}"));
        assert!(!first.body.contains("deletedAt") && !first.body.contains("outside"), "{first:?}");
        let next = follower.apply(&first).unwrap();
        assert_eq!(follower.position.matches('.').count(), 2, "{}", follower.position);
        let ids: Vec<String> = follower.states.keys().cloned().collect();
        assert_eq!(ids, ["c"]);
        delete(&caller, "c");
        let mut next = Some(next);
        while let Some(target) = next {
            assert!(target.contains(query), "{target}");
            next = follower.apply(&caller.get(&target));
        }
        assert_eq!(follower.position.matches('.').count(), 1, "{}", follower.position);
        let condition = query.strip_prefix("limit=1").unwrap();
        assert_eq!(follower.lines(), results(&caller, condition), "{query}");
        create(&caller, "c", "in");
        // It is before the others again.
        set(&caller, "d", "in");
        set(&caller, "b", "out");
    }
}

#[test]
fn a_page_has_as_many_lines_and_bytes_as_a_page_of_an_export() {
    let caller = Caller::new();
    for number in 0..=limits::EXPORT_LINES {
        create(&caller, &format!("r{number}"), if number < 2 { "in" } else { "out" });
    }
    let mut follower = Follower::default();
    assert_eq!(follower.catch_up(&caller, ""), 2);
    assert_eq!(follower.states.len(), limits::EXPORT_LINES + 1);
    // A page with a predicate examines more than it returns.
    assert_eq!(Follower::default().catch_up(&caller, WHERE), 1);
    let position = follower.position.clone();
    for id in ["r0", "r1", "r2"] {
        set(&caller, id, &"x".repeat(limits::BATCH_BYTES / 2 - 100));
    }
    assert_eq!(follower.catch_up(&caller, ""), 3);
    for query in ["where=custom%20is%20defined", "where=custom%20is%20not%20defined"] {
        let mut other = Follower { position: position.clone(), ..Follower::default() };
        let pages = other.catch_up(&caller, query);
        assert_eq!((pages, other.states.len()), if query.contains("not") { (1, 0) } else { (3, 3) });
    }
}

#[test]
fn a_position_of_another_history_is_refused() {
    let caller = Caller::new();
    create(&caller, "a", "1");
    let kept = caller.edge.keep("p");
    create(&caller, "b", "1");
    let mut follower = Follower::default();
    follower.catch_up(&caller, "");
    let refused = |after: &str| {
        let got = caller.get(&format!("/p/changes?after={after}"));
        let error = got.json()["errors"][0].clone();
        assert_eq!((got.status, &error["code"]), (410, &json!("HistoryChanged")), "{after}: {got:?}");
        let present = caller.get("/p/changes?after=now");
        assert!(present.body.contains(error["position"].as_str().unwrap()), "{got:?} {present:?}");
    };
    let (history, newest) = follower.position.split_once('.').unwrap();
    let newest: u64 = newest.parse().unwrap();
    refused(&format!("{history}.{}", newest + 1));
    refused(&format!("{history}.1.{}", newest + 1));
    refused(&format!("a.{newest}"));
    assert_eq!(restore(&caller, &format!("bookmark={kept}")).status, 200);
    refused(&follower.position);
    let mut after = Follower::default();
    after.catch_up(&caller, "");
    assert_eq!(after.lines(), results(&caller, ""));
    assert_eq!(caller.ask("DELETE /p/data?confirm=p", &[], b"").status, 200);
    refused(&after.position);
}

#[test]
fn a_wait_ends_with_the_token() {
    use resource_edge::call::{After, Call};
    let caller = Caller::new();
    let wait = || {
        let bearer = format!("Bearer {}", caller.token);
        let (_, message) =
            caller.message(&Sent::new("GET /p/changes?after=now&wait=25", &[("Authorization", &bearer)], ""));
        let Some(Call::Changes(changes)) = message.map(|message| message.call) else { panic!() };
        assert_eq!(changes.after, After::Now);
        changes.wait
    };
    assert_eq!(wait(), 25_000);
    caller.edge.frozen.set(true);
    let expires = caller.edge.clock.get() / 1_000 * 1_000 + 3_600_000;
    caller.edge.clock.set(expires - 1_500);
    assert_eq!(wait(), 1_500);
    // The token is accepted a little longer, because clocks differ, but not for what would end at once.
    for clock in [expires, expires + 59_999] {
        caller.edge.clock.set(clock);
        assert_eq!(caller.ask("GET /p/changes?after=now", &[], b"").status, 200);
        let got = caller.ask("GET /p/changes?after=now&wait=25", &[], b"");
        assert_eq!(got.status, 401, "{got:?}");
        let challenge = got.header("WWW-Authenticate").unwrap_or_default();
        assert!(challenge.contains("The token has expired."), "{got:?}");
    }
}

/// Returns the query with a predicate.
fn with(predicate: &str) -> String {
    format!("where={}", encoded(predicate))
}

#[test]
fn an_examination_costs_no_more_than_a_call_may() {
    let caller = Caller::new();
    let tests: Vec<String> =
        (0..100).map(|at| format!("not integerExample={at} and integerExampleInt32 is defined")).collect();
    // No index has it, and no item satisfies it.
    let heavy = format!("arrayOfObjectType({})", tests.join(" or "));
    let status = |path: &str, predicate: &str| caller.get(&format!("/p/{path}?{}", with(predicate))).status;
    let statuses = |predicate: &str| [status("resource", predicate), status("changes", predicate)];
    // Its bytes are no items.
    create(&caller, "a", &"x".repeat(900_000));
    assert_eq!(statuses(&heavy), [200, 200]);
    delete(&caller, "a");
    let items = vec![json!({}); 300_000];
    caller.create(&json!({"id": "b", "custom": "b", "objectTypeProperty": {"arrayOfObjectType": items}}));
    assert_eq!(statuses(&heavy), [400, 400]);
    let got = caller.get(&format!("/p/changes?{}", with(&heavy)));
    assert_eq!(got.json()["errors"][0]["reason"], "work", "{got:?}");
    assert_eq!(statuses("custom is defined"), [200, 200]);
    // The other condition decides.
    for other in ["c", "b"] {
        let expected = if other == "c" { [200, 200] } else { [400, 400] };
        assert_eq!(statuses(&format!("custom=\"{other}\" and {heavy}")), expected);
        assert_eq!(statuses(&format!("{heavy} and custom=\"{other}\"")), expected);
    }
}

#[test]
fn a_page_has_the_matches_of_every_condition_that_a_query_accepts() {
    let caller = Caller::new();
    for (at, id) in ["a", "b", "c", "d", "e"].into_iter().enumerate() {
        let arrays = json!({"arrayOfTwonumbersExample": [at, 50], "arrayOfIntExample": [at, 7]});
        let arrays = if id == "e" { json!({}) } else { arrays };
        caller.create(&json!({"id": id, "custom": id, "objectTypeProperty": arrays}));
    }
    for (predicate, ids) in [
        ("arrayOfTwonumbersExample within circle(0,50,1000)", &["a"][..]),
        ("not arrayOfTwonumbersExample within circle(0,50,1000)", &["b", "c", "d", "e"]),
        (
            "(custom>=\"a\" and custom<\"b\") or (custom>=\"c\" and custom<\"d\") or (custom>=\"x\" and custom<\"y\")",
            &["a", "c"],
        ),
        (
            "(arrayOfIntExample>7 and arrayOfIntExample<1) or (arrayOfIntExample>=7 and arrayOfIntExample<2) or \
             (arrayOfIntExample>8 and arrayOfIntExample<9)",
            &["a", "b"],
        ),
    ] {
        let mut follower = Follower::default();
        follower.catch_up(&caller, &with(predicate));
        assert_eq!(follower.lines(), results(&caller, &with(predicate)), "{predicate}");
        assert_eq!(follower.states.keys().collect::<Vec<_>>(), ids, "{predicate}");
        // The others are named.
        let history = follower.position.split_once('.').unwrap().0;
        let got = caller.get(&format!("/p/changes?after={history}.0&{}", with(predicate)));
        let last: Value = serde_json::from_str(got.body.lines().last().unwrap()).unwrap();
        assert_eq!(last["outside"].as_array().unwrap().len(), 5 - ids.len(), "{got:?}");
    }
}

#[derive(Debug, Clone)]
enum Step {
    Set(u8, bool),
    Delete(u8),
    Read,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        6 => (0..6_u8, any::<bool>()).prop_map(|(id, matches)| Step::Set(id, matches)),
        2 => (0..6_u8).prop_map(Step::Delete),
        4 => Just(Step::Read),
    ];
    prop::collection::vec(step, 0..60)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// Whatever is written while followers read page by page, at the end they have what a query returns.
    #[test]
    fn followers_have_the_results_of_the_query(steps in steps(), limit in 1..4_u8) {
        let caller = Caller::new();
        let queries = [format!("limit={limit}"), format!("limit={limit}&{WHERE}")];
        let mut followers = [Follower::default(), Follower::default()];
        for step in &steps {
            match step {
                Step::Set(id, matches) => set(&caller, &format!("r{id}"), if *matches { "in" } else { "out" }),
                Step::Delete(id) => {
                    caller.ask(&format!("DELETE /p/resource/r{id}"), &[], b"");
                }
                Step::Read => {
                    for (follower, query) in followers.iter_mut().zip(&queries) {
                        let after = if follower.position.is_empty() {
                            String::new()
                        } else {
                            format!("&after={}", follower.position)
                        };
                        follower.apply(&caller.get(&format!("/p/changes?{query}{after}")));
                    }
                }
            }
        }
        for (follower, query) in followers.iter_mut().zip(&queries) {
            follower.catch_up(&caller, query);
            let rest = query.split_once('&').map_or("", |(_, rest)| rest);
            prop_assert_eq!(follower.lines(), results(&caller, rest));
        }
    }
}
