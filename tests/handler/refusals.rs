//! What a refused request costs the service: each step of D20 performs nothing of the steps after it (D35), and no
//! response repeats much of what the caller sent.

use std::cell::RefCell;
use std::rc::Rc;

use resource_edge::contract::api::header::RequestHeader;
use resource_edge::contract::limits;
use resource_edge::server::Service;
use resource_edge::server::http::{HeaderPairs, Headers, Request};
use resource_edge::server::platform::{Host, Limiter};

use super::*;

/// What is wrong with a write, in the order of the checks (D20).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flaw {
    Target,
    Path,
    Method,
    Token,
    ProjectKey,
    Scope,
    Rate,
    Parameter,
    Header,
    MediaType,
    Size,
    Body,
}

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

/// Each flaw with the status of its refusal, and the effects and the number of read headers up to its check.
const FLAWS: [(Flaw, u16, &[&str], usize); 12] = [
    (Flaw::Target, 400, &[], 0),
    (Flaw::Path, 404, &[], 0),
    (Flaw::Method, 405, &[], 0),
    (Flaw::Token, 401, &[], 1),
    (Flaw::ProjectKey, 400, &[], 1),
    (Flaw::Scope, 403, &[], 1),
    (Flaw::Rate, 429, &["count"], 1),
    (Flaw::Parameter, 400, &["count"], 1),
    // The first of its headers is malformed.
    (Flaw::Header, 400, &["count"], 2),
    (Flaw::MediaType, 415, &["count"], 7),
    (Flaw::Size, 413, &["count", "body"], 7),
    (Flaw::Body, 400, &["count", "body"], 7),
];

/// The headers that every response may depend on.
const OF_RESPONSES: [RequestHeader; 4] =
    [RequestHeader::Accept, RequestHeader::CorrelationId, RequestHeader::Origin, RequestHeader::TraceParent];

fn write(caller: &Caller, flaws: &[Flaw]) -> Sent {
    let has = |flaw| flaws.contains(&flaw);
    let project = if has(Flaw::ProjectKey) { "%20" } else { ["p", "q"][usize::from(has(Flaw::Scope))] };
    let collection = if has(Flaw::Path) { "nowhere" } else { "resource" };
    let mut target = format!("/{project}/{collection}?");
    if has(Flaw::Parameter) {
        target.push_str("limit=1");
    }
    if has(Flaw::Target) {
        target.push_str(&"a".repeat(limits::TARGET_BYTES));
    }
    let token = if has(Flaw::Token) { "no.to.ken" } else { &caller.token };
    let media_type = if has(Flaw::MediaType) { "text/plain" } else { "application/json" };
    let mut headers = vec![
        ("Authorization".to_owned(), format!("Bearer {token}")),
        ("Content-Type".to_owned(), media_type.to_owned()),
    ];
    if has(Flaw::Header) {
        headers.push(("If-Match".to_owned(), "no tag".to_owned()));
    }
    let mut body = if has(Flaw::Body) { b"{".to_vec() } else { br#"{"objectTypeProperty":{}}"#.to_vec() };
    if has(Flaw::Size) {
        body.resize(limits::BODY_BYTES + 1, b' ');
    }
    let method = if has(Flaw::Method) { "DELETE" } else { "POST" };
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
fn observe(service: &Service, caller: &Caller, sent: &Sent) -> (Got, Vec<&'static str>, Vec<RequestHeader>) {
    let read = Rc::new(RefCell::default());
    let pairs = HeaderPairs::new(&sent.headers);
    let headers = Box::new(Recorder { pairs, read: Rc::clone(&read) });
    let request = Request::new(sent.method.clone(), sent.target.clone(), headers);
    let mut kinds = Vec::new();
    let mut step = Exchange::start(service, &caller.edge, request);
    loop {
        match step {
            HandlerStep::Respond(response, _) => return (got(response), kinds, read.take()),
            HandlerStep::Perform(effect, exchange) => {
                kinds.push(match &effect {
                    Effect::CountRequest { .. } => "count",
                    Effect::ReadBody { .. } => "body",
                    _ => "other",
                });
                step = exchange.resume(caller.edge.perform(sent, &effect));
            }
        }
    }
}

#[test]
fn a_request_that_a_check_refuses_causes_nothing_of_later_checks() {
    let caller = Caller::new();
    let within = service(&json!({})).limited_by(Limiter::ALL.to_vec());
    // If each check comes before each later one, more flaws show nothing further.
    for subset in (1..1_usize << FLAWS.len()).filter(|subset| subset.count_ones() <= 3) {
        let has = |flaw: Flaw| subset >> flaw as usize & 1 == 1;
        let flaws: Vec<Flaw> = FLAWS.iter().map(|(flaw, ..)| *flaw).filter(|flaw| has(*flaw)).collect();
        let (_, status, expected, read) = FLAWS[subset.trailing_zeros() as usize];
        caller.edge.counts.borrow_mut().clear();
        caller.edge.limit.set(u32::from(!has(Flaw::Rate)));
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
    assert_eq!((got.status, effects), (201, vec!["count", "body", "other"]));
}

#[test]
fn operations_without_a_body_read_none() {
    let caller = Caller::new();
    caller.create(&json!({"id": "a", "objectTypeProperty": {}}));
    for line in ["DELETE /p/resource/a", "GET /p/resource", "DELETE /p/data?confirm=p", "OPTIONS /p/resource"]
    {
        let (effects, status) = caller.effects(line, &[], "a body");
        assert!(status < 300 && !effects.contains(&"body"), "{line}: {effects:?} {status}");
    }
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

fn long_queries(long: &str) -> Vec<String> {
    let queries = [
        format!("{long}=1"),
        format!("{long}=%zz"),
        format!("%zz{long}=1"),
        format!("limit={long}"),
        format!("offset=1&offset={long}"),
        format!("var.{long}=%zz"),
        format!("var.{long}=%00"),
        format!("var.a=%00{long}"),
        format!("sort={long}"),
        format!("sort=id+{long}"),
        format!("expand=%5B{long}"),
        format!("where={}", "y".repeat(8_000)),
        format!("where={}=1", "y".repeat(8_000)),
        format!("where=id=%22{}", "y".repeat(8_000)),
        format!("where=version=:{}", "y".repeat(8_000)),
        format!("where=version=:a&var.a={long}"),
        format!("where={long}"),
        format!("objectParameter={long}"),
        format!("objectParameter=%7B%22{long}%22:1%7D"),
        format!("integerParameter={long}"),
    ];
    queries.map(|query| format!("GET /p/resource?{query}")).to_vec()
}

/// Returns searches with one long text each, or two equal ones.
fn long_searches(long: &str) -> Vec<String> {
    let queries = [
        format!("filter={}", "y".repeat(8_000)),
        format!("filter={}:%221%22", "y".repeat(8_000)),
        format!("filter=custom:{}", "y".repeat(8_000)),
        format!("facet={}", "y".repeat(8_000)),
        format!("facet=custom+as+{0}&facet=custom+as+{0}", "y".repeat(8_000)),
        format!("text.{long}=a&text.{long}=a"),
        format!("fuzzy={long}"),
        format!("{long}=1"),
    ];
    queries.map(|query| format!("GET /p/resource/searchApiPattern?{query}")).to_vec()
}

/// Returns request lines with one long text each.
fn long_lines(long: &str) -> Vec<String> {
    vec![
        format!("GET /p/resource/{long}"),
        format!("GET /p/resource/key={long}"),
        format!("DELETE /p/resource/{long}"),
        format!("GET /{long}/resource"),
        format!("GET /p/{long}"),
        format!("GET /p/resource/a?{long}"),
        format!("POST /p/restore?confirm={long}"),
        format!("POST /p/restore?confirm=p&time={long}"),
        format!("GET /p/export?after={long}"),
    ]
}

/// Returns request lines and bodies with one long text each.
fn long_bodies(huge: &str) -> Vec<(String, String)> {
    let create = [
        format!("{{\"{huge}\":1}}"),
        format!("{{\"objectTypeProperty\":{{\"{huge}\":1}}}}"),
        format!("{{\"objectTypeProperty\":{{}},\"key\":\"{huge}\"}}"),
        format!("{{\"objectTypeProperty\":{{}},\"id\":{}}}", "1".repeat(900_000)),
        format!("{{\"objectTypeProperty\":\"{huge}\"}}"),
        huge.to_owned(),
        format!("\"{huge}"),
    ];
    let update = format!("{{\"version\":1,\"actions\":[{{\"action\":\"{huge}\"}}]}}");
    let mut bodies = create.map(|body| ("POST /p/resource".to_owned(), body)).to_vec();
    bodies.push(("POST /p/resource/a".to_owned(), update));
    bodies
}

#[test]
fn no_error_repeats_much_of_its_request() {
    const MOST: usize = 4 * 1024;
    let caller = Caller::new();
    let long = "x".repeat(60_000);
    let lines = [long_queries(&long), long_searches(&long), long_lines(&long)].concat();
    let requests = lines.into_iter().map(|line| (line, String::new()));
    for (line, body) in requests.chain(long_bodies(&"z".repeat(900_000))) {
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
        let mut step = Exchange::start(&caller.service, &caller.edge, request(&sent));
        while let HandlerStep::Perform(_, exchange) = step {
            step = exchange.resume(EffectOutcome::Failed(long.clone()));
        }
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
        let mut step = Exchange::start(&caller.service, &caller.edge, request(&sent));
        while let HandlerStep::Perform(effect, exchange) = step {
            assert!(matches!(effect, Effect::ReadBody { .. }), "{effect:?}");
            step = exchange.resume(EffectOutcome::Failed("the caller has left".to_owned()));
        }
        let HandlerStep::Respond(response, _) = step else { panic!("no response") };
        assert_eq!(response.status, 400, "{line}");
        let log = caller.edge.log.borrow();
        assert!(log.last().is_some_and(|line| line.contains("\"level\":\"info\"")), "{log:?}");
    }
}
