//! The whole handler with a collection behind it: sequences of requests. Each request gets a well-formed response that
//! is not a fault, and leaves collection and KV consistent.

use std::cell::OnceCell;

use proptest::prelude::*;
use proptest::strategy::BoxedStrategy;
use serde_json::{Value, json};

use super::input::Input;
use super::soup::{body, header, method, target};
use crate::support::caller::Caller;
use crate::support::edge::{Edge, Got, Sent, send};
use crate::support::invariants;

type Requests = Vec<(String, String, Vec<(String, String)>, Vec<u8>)>;

thread_local! {
    static SOUP: OnceCell<BoxedStrategy<Requests>> = const { OnceCell::new() };
    static CALLER: OnceCell<Caller> = const { OnceCell::new() };
}

const METHODS: [&str; 6] = ["POST", "GET", "PUT", "PATCH", "DELETE", "HEAD"];
const TARGETS: [&str; 8] = [
    "/p/resource",
    "/p/resource/a",
    "/p/resource/key=k",
    "/p/resource/sorted-query-parameters",
    "/p/resource/searchApiPattern",
    "/p/resource/description-with-urn-links",
    "/p/resource/artificially-complex/path/uri-parameter-one=x/y",
    "/p/resource/b",
];
const BODIES: [&str; 8] = [
    r#"{"objectTypeProperty":{"arrayOfStringExample":["red"]}}"#,
    r#"{"id":"a","key":"k","objectTypeProperty":{"arrayOfIntExample":[1,2]}}"#,
    r#"{"id":"a","version":1,"objectTypeProperty":{"arrayOfObjectType":[{"integerExample":1}]}}"#,
    r#"{"id":"b","key":"k","version":2,"objectTypeProperty":{}}"#,
    r#"{"version":1,"actions":[{"action":"changeSomeProperty","someProperty":"x"},{"action":"doSomeThing"}]}"#,
    r#"{"version":2,"actions":[]}"#,
    r#"{"id":"a","version":"1","createdBy":{"firstName":"A"},"custom":"c"}"#,
    r#"{"key":"k","lastModifiedBy":{"lastName":"B"},"eigthProperty":"8"}"#,
];

pub fn run(data: &[u8]) {
    let mut input = Input(data);
    CALLER.with(|cell| {
        let caller = cell.get_or_init(|| Caller::with(&json!({})));
        let edge = Edge::new();
        let with_token = input.choice(8) > 0;
        let requests = if input.choice(4) == 0 { drawn(&input) } else { written(&mut input) };
        for (method, target, headers, body) in requests {
            let mut all = if with_token { caller.headers() } else { Vec::new() };
            all.extend(headers.into_iter().filter(|(name, _)| !with_token || name != "Authorization"));
            let sent = Sent { method, target, headers: all, body };
            let got = send(&caller.service, &edge, &sent);
            assert_eq!(invariants::broken(&edge.shape_for(&sent), &sent, &got), None, "{sent:?}\n{got:?}");
            assert!((200..500).contains(&got.status), "{sent:?}\n{got:?}");
        }
        in_order(caller, &edge);
    });
}

/// Draws requests from the strategies of the native tests.
fn drawn(input: &Input<'_>) -> Requests {
    SOUP.with(|soup| {
        let soup = soup.get_or_init(|| {
            let headers = prop::collection::vec(header(), 0..4);
            prop::collection::vec((method(), target(), headers, body()), 1..6).boxed()
        });
        input.draw(soup).unwrap_or_default()
    })
}

/// Reads requests from the input: choices, then lines.
#[allow(clippy::too_many_lines, reason = "the parts of a request, in their order")]
fn written(input: &mut Input<'_>) -> Requests {
    let mut requests = Vec::new();
    for _ in 0..8 {
        if input.0.is_empty() {
            break;
        }
        let method = input.pick(&METHODS).to_owned();
        let choice = input.choice(TARGETS.len() + 2);
        let mut target = TARGETS
            .get(choice)
            .map_or_else(|| format!("/{}", input.text_line()), |known| (*known).to_owned());
        if input.choice(2) == 0 {
            target.extend(["?", &input.text_line().replace(' ', "+")]);
        }
        let mut headers = Vec::new();
        for _ in 0..input.choice(3) {
            let name = input.pick(&[
                "Idempotency-Key",
                "If-Match",
                "If-None-Match",
                "Cache-Control",
                "Prefer",
                "Resource-Min-Revision",
                "Accept",
                "X-Correlation-ID",
            ]);
            let value = match input.choice(4) {
                0 => "*".to_owned(),
                1 => "respond-async".to_owned(),
                2 => "no-cache".to_owned(),
                // The platform allows only printable characters in a header value.
                _ => input
                    .text_line()
                    .chars()
                    .filter(|char| (' '..='~').contains(char))
                    .collect::<String>()
                    .trim()
                    .to_owned(),
            };
            headers.push((name.to_owned(), value));
        }
        let choice = input.choice(BODIES.len() + 4);
        let body =
            BODIES.get(choice).map_or_else(|| input.line().to_vec(), |known| known.as_bytes().to_vec());
        let body = if matches!(method.as_str(), "GET" | "HEAD" | "DELETE") { Vec::new() } else { body };
        requests.push((method, target, headers, body));
    }
    requests
}

fn get(caller: &Caller, edge: &Edge, target: &str) -> Got {
    let mut headers = caller.headers();
    headers.push(("Cache-Control".to_owned(), "no-cache".to_owned()));
    let sent = Sent { method: "GET".to_owned(), target: target.to_owned(), headers, body: Vec::new() };
    send(&caller.service, edge, &sent)
}

/// Checks that every record is found in every way, and that KV has the contents of the collection.
fn in_order(caller: &Caller, edge: &Edge) {
    let page = get(caller, edge, "/p/resource/sorted-query-parameters?limit=500").json();
    let records = page["results"].as_array().cloned().unwrap_or_default();
    assert_eq!(page["total"], records.len());
    let mut live = Vec::new();
    for record in &records {
        let name = |member: &str| {
            let mut out = String::new();
            let text = record[member].as_str()?;
            resource_edge::util::percent::encode(&mut out, text);
            Some((text.to_owned(), out))
        };
        let (id, path) = name("id").expect("an ID");
        let by_id = get(caller, edge, &["/p/resource/", &path].concat());
        assert_eq!(by_id.json(), *record);
        let kv = edge.kv.borrow().get(&["r1:p:", &id].concat()).map(|stored| stored.value.clone());
        assert_eq!(kv, Some(by_id.body), "KV's copy of {id}");
        live.push(["r1:p:", &id].concat());
        if let Some((key, path)) = name("key") {
            assert_eq!(get(caller, edge, &["/p/resource/key=", &path].concat()).json(), *record);
            let kv = edge.kv.borrow().get(&["k1:p:", &key].concat()).map(|stored| stored.value.clone());
            assert_eq!(kv, Some(id), "the KV entry of the key {key}");
            live.push(["k1:p:", &key].concat());
        }
    }
    let left = |(name, stored): (&String, &crate::support::edge::Stored)| {
        let metadata: Value = serde_json::from_str(&stored.metadata).expect("metadata");
        (metadata["deleted"] != true && name.contains("1:p:") && !live.contains(name)).then(|| name.clone())
    };
    let left: Vec<String> = edge.kv.borrow().iter().filter_map(left).collect();
    assert!(left.is_empty(), "KV still has {left:?}");
}
