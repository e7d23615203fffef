//! What a refused request costs the service: each step of D20 performs nothing of the steps after it (D35), and no
//! response repeats much of what the caller sent.

use std::cell::RefCell;
use std::rc::Rc;

use resource_edge::contract::api::header::RequestHeader;
use resource_edge::contract::limits;
use resource_edge::server::Service;
use resource_edge::server::http::{HeaderPairs, Headers, Request};
use resource_edge::server::platform::{Host, Limiter};

use super::effects::kind;
use super::*;

/// The headers that a write reads, besides those of every response, in order.
const READ: [RequestHeader; 7] = [
    RequestHeader::Authorization,
    RequestHeader::IfMatch,
    RequestHeader::IfNoneMatch,
    RequestHeader::IdempotencyKey,
    RequestHeader::Prefer,
    RequestHeader::ContentEncoding,
    RequestHeader::ContentType,
];

/// What is wrong with a write, in the order of the checks (D20): its name, the status of its refusal, and the effects
/// and the number of read headers up to its check.
const FLAWS: [(&str, u16, &[&str], usize); 12] = [
    ("target", 400, &[], 0),
    ("path", 404, &[], 0),
    ("method", 405, &[], 0),
    ("token", 401, &[], 1),
    ("project key", 400, &[], 1),
    ("scope", 403, &[], 1),
    ("rate", 429, &["count"], 1),
    ("parameter", 400, &["count"], 1),
    // The first of its headers is malformed.
    ("header", 400, &["count"], 2),
    ("media type", 415, &["count"], 7),
    ("size", 413, &["count", "body"], 7),
    ("body", 400, &["count", "body"], 7),
];

/// The headers that every response may depend on.
const OF_RESPONSES: [RequestHeader; 4] =
    [RequestHeader::Accept, RequestHeader::CorrelationId, RequestHeader::Origin, RequestHeader::TraceParent];

fn write(caller: &Caller, flaws: &[&str]) -> Sent {
    let has = |flaw: &str| flaws.contains(&flaw);
    let project = if has("project key") { "%20" } else { ["p", "q"][usize::from(has("scope"))] };
    let collection = if has("path") { "nowhere" } else { "resource" };
    let mut target = format!("/{project}/{collection}?");
    if has("parameter") {
        target.push_str("limit=1");
    }
    if has("target") {
        target.push_str(&"a".repeat(limits::TARGET_BYTES));
    }
    let token = if has("token") { "no.to.ken" } else { &caller.token };
    let media_type = if has("media type") { "text/plain" } else { "application/json" };
    let mut headers = vec![
        ("Authorization".to_owned(), format!("Bearer {token}")),
        ("Content-Type".to_owned(), media_type.to_owned()),
    ];
    if has("header") {
        headers.push(("If-Match".to_owned(), "no tag".to_owned()));
    }
    let mut body = if has("body") { b"{".to_vec() } else { br#"{"objectTypeProperty":{}}"#.to_vec() };
    if has("size") {
        body.resize(limits::BODY_BYTES + 1, b' ');
    }
    let method = if has("method") { "DELETE" } else { "POST" };
    Sent { method: method.to_owned(), target, headers, body }
}

/// Headers that record which of them are read.
struct Recorder {
    pairs: HeaderPairs,
    read: Rc<RefCell<Vec<RequestHeader>>>,
}

impl Headers for Recorder {
    fn get(&self, header: RequestHeader) -> Option<String> {
        self.read.borrow_mut().push(header);
        self.pairs.get(header)
    }
}

/// Returns the response, the kinds of the effects, and the headers that were read.
fn observe(
    service: &Service<String>,
    caller: &Caller,
    sent: &Sent,
) -> (Got, Vec<&'static str>, Vec<RequestHeader>) {
    let read = Rc::new(RefCell::default());
    let pairs = HeaderPairs::new(&sent.headers);
    let headers = Box::new(Recorder { pairs, read: Rc::clone(&read) });
    let request = Request::new(sent.method.clone(), sent.target.clone(), headers);
    let mut kinds = Vec::new();
    let (got, _) = drive(service, &caller.edge, request, sent, |effect| {
        kinds.push(kind(effect));
        None
    });
    (got, kinds, read.take())
}

#[test]
fn a_request_that_a_check_refuses_causes_nothing_of_later_checks() {
    let caller = Caller::new();
    let within = service(&json!({})).limited_by(Limiter::ALL.to_vec());
    // If each check comes before each later one, more flaws show nothing further.
    for subset in (1..1_usize << FLAWS.len()).filter(|subset| subset.count_ones() <= 3) {
        let chosen = FLAWS.iter().enumerate().filter(|(at, _)| subset >> at & 1 == 1);
        let flaws: Vec<&str> = chosen.map(|(_, (flaw, ..))| *flaw).collect();
        let (_, status, expected, read) = FLAWS[subset.trailing_zeros() as usize];
        caller.edge.counts.borrow_mut().clear();
        caller.edge.limit.set(u32::from(!flaws.contains(&"rate")));
        let (got, effects, mut headers) = observe(&within, &caller, &write(&caller, &flaws));
        assert_eq!(got.status, status, "{flaws:?}: {got:?}");
        assert_eq!(effects, expected, "{flaws:?}");
        headers.retain(|header| !OF_RESPONSES.contains(header));
        assert_eq!(headers, READ[..read], "{flaws:?}");
    }
    assert_eq!(caller.edge.object_calls.get(), 0);
    assert!(caller.edge.kv.borrow().is_empty());
    caller.edge.limit.set(u32::MAX);
    let (got, effects, _) = observe(&within, &caller, &write(&caller, &[]));
    assert_eq!((got.status, effects), (201, vec!["count", "body", "object"]));
}

#[test]
fn a_token_endpoint_reads_a_small_form_only_if_it_issues_tokens() {
    let caller = Caller::new();
    let form = |length| "a".repeat(length);
    for (line, length, effects, status) in [
        ("GET /oauth/token", 9, &[] as &[&str], 405),
        ("POST /oauth/token?client_secret=a", 9, &[], 400),
        ("POST /oauth/token", limits::FORM_BYTES, &["body"], 400),
        ("POST /oauth/token", limits::FORM_BYTES + 1, &["body"], 413),
        ("POST /oauth/introspect", limits::FORM_BYTES + 1, &["body"], 413),
    ] {
        assert_eq!(caller.effects(line, &[], &form(length)), (effects.to_vec(), status), "{line} {length}");
    }
    let off = Caller { service: service(&json!({"API_CLIENTS": null})), ..caller };
    assert_eq!(off.effects("POST /oauth/token", &[], "a"), (vec![], 503));
}

/// Request lines with one long text each, or two equal ones. `#` has 60,000 bytes, and `@` has 8,000.
const LONG_LINES: [&str; 37] = [
    "GET /p/resource?#=1",
    "GET /p/resource?#=%zz",
    "GET /p/resource?%zz#=1",
    "GET /p/resource?limit=#",
    "GET /p/resource?offset=1&offset=#",
    "GET /p/resource?var.#=%zz",
    "GET /p/resource?var.#=%00",
    "GET /p/resource?var.a=%00#",
    "GET /p/resource?sort=#",
    "GET /p/resource?sort=id+#",
    "GET /p/resource?expand=%5B#",
    "GET /p/resource?where=@",
    "GET /p/resource?where=@=1",
    "GET /p/resource?where=id=%22@",
    "GET /p/resource?where=version=:@",
    "GET /p/resource?where=version=:a&var.a=#",
    "GET /p/resource?where=#",
    "GET /p/resource?objectParameter=#",
    "GET /p/resource?objectParameter=%7B%22#%22:1%7D",
    "GET /p/resource?integerParameter=#",
    "GET /p/resource/searchApiPattern?filter=@",
    "GET /p/resource/searchApiPattern?filter=@:%221%22",
    "GET /p/resource/searchApiPattern?filter=custom:@",
    "GET /p/resource/searchApiPattern?facet=@",
    "GET /p/resource/searchApiPattern?facet=custom+as+@&facet=custom+as+@",
    "GET /p/resource/searchApiPattern?text.#=a&text.#=a",
    "GET /p/resource/searchApiPattern?fuzzy=#",
    "GET /p/resource/searchApiPattern?#=1",
    "GET /p/resource/#",
    "GET /p/resource/key=#",
    "DELETE /p/resource/#",
    "GET /#/resource",
    "GET /p/#",
    "GET /p/resource/a?#",
    "POST /p/restore?confirm=#",
    "POST /p/restore?confirm=p&time=#",
    "GET /p/export?after=#",
];

/// Request lines and bodies with one long text each. `#` has 900,000 bytes.
const LONG_BODIES: [(&str, &str); 8] = [
    ("POST /p/resource", r##"{"#":1}"##),
    ("POST /p/resource", r##"{"objectTypeProperty":{"#":1}}"##),
    ("POST /p/resource", r##"{"objectTypeProperty":{},"key":"#"}"##),
    ("POST /p/resource", r#"{"objectTypeProperty":{},"id":1#}"#),
    ("POST /p/resource", r##"{"objectTypeProperty":"#"}"##),
    ("POST /p/resource", "#"),
    ("POST /p/resource", r##""#"##),
    ("POST /p/resource/a", r##"{"version":1,"actions":[{"action":"#"}]}"##),
];

#[test]
fn no_error_repeats_much_of_its_request() {
    const MOST: usize = 4 * 1024;
    let caller = Caller::new();
    let [long, shorter] = [60_000, 8_000].map(|bytes| "x".repeat(bytes));
    let lines =
        LONG_LINES.iter().map(|line| (line.replace('#', &long).replace('@', &shorter), String::new()));
    // A long number, or a long text.
    let huge = |body: &str| body.replace("1#", &"1".repeat(900_000)).replace('#', &"z".repeat(900_000));
    let bodies = LONG_BODIES.map(|(line, body)| (line.to_owned(), huge(body)));
    for (line, body) in lines.chain(bodies) {
        for accept in ["*/*", "application/problem+json"] {
            let got = caller.exchange(&caller.request_of(&line, &[("Accept", accept)], &body), |_| None);
            let shown: String = line.chars().take(40).chain(body.chars().take(40)).collect();
            assert!((400..500).contains(&got.status), "{shown}: {}", got.status);
            let headers: usize = got.headers.iter().map(|(name, value)| name.len() + value.len()).sum();
            // A pointer to an unknown member is exact, so it has the member's name, once.
            let pointer = got.json()["errors"][0]["path"].as_str().map_or(0, str::len);
            let length = got.body.len() + headers - pointer;
            assert!(length <= MOST, "{shown}: {length} bytes beside the pointer");
        }
    }
}

#[test]
fn the_log_has_short_lines_whatever_the_request_and_the_platform_say() {
    let caller = Caller::new();
    let long = "\u{1f600}".repeat(20_000);
    let lengths = |caller: &Caller| {
        caller.edge.log.borrow_mut().drain(..).map(|line| line.len()).max().unwrap_or_default()
    };
    for sent in [
        caller.request_of(&format!("{long} /p/resource"), &[], ""),
        caller.request_of("GET /p/resource/a", &[("X-Correlation-ID", &long), ("traceparent", &long)], ""),
    ] {
        caller.drive(&sent, |_| Some(EffectOutcome::Failed(long.clone())));
        // A character is up to 12 of the log's.
        let length = lengths(&caller);
        assert!((1..16 * 1024).contains(&length), "{length} bytes");
    }
    (&caller.edge).log_failure("something", &long);
    assert!(lengths(&caller) < 16 * 1024);
}

#[test]
fn a_name_that_no_resource_can_have_is_404_without_kv_and_no_error_in_the_log() {
    let caller = Caller::new();
    for (length, effects) in
        [(limits::NAME_BYTES, &["copy", "object"] as &[&str]), (limits::NAME_BYTES + 1, &["object"])]
    {
        let line = format!("GET /p/resource/{}", "a".repeat(length));
        assert_eq!(caller.effects(&line, &[], ""), (effects.to_vec(), 404));
        let by_key = line.replace("resource/", "resource/key=");
        let effects: Vec<&str> =
            effects.iter().map(|kind| if *kind == "copy" { "pointer" } else { kind }).collect();
        assert_eq!(caller.effects(&by_key, &[], ""), (effects, 404));
    }
    assert!(caller.edge.log.borrow().iter().all(|line| !line.contains("\"level\":\"error\"")));
}

#[test]
fn a_body_that_the_caller_breaks_off_is_400_and_no_error_in_the_log() {
    let caller = Caller::new();
    let json = ("Content-Type", "application/json");
    let form = ("Content-Type", "application/x-www-form-urlencoded");
    for (line, headers) in [("POST /p/resource", &[json]), ("POST /oauth/token", &[form])] {
        let sent = caller.request_of(line, headers, "");
        let got = caller.drive(&sent, |effect| {
            assert!(matches!(effect, Effect::ReadBody { .. }), "{effect:?}");
            Some(EffectOutcome::Failed("the caller has left".to_owned()))
        });
        assert_eq!(got.status, 400, "{line}");
        let log = caller.edge.log.borrow();
        assert!(log.last().is_some_and(|line| line.contains("\"level\":\"info\"")), "{log:?}");
    }
}
