//! Random calls.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::draw::{Reader, plain};
use super::worlds::Worlds;
use crate::support::edge::Sent;
use crate::support::json::encoded;
use crate::support::random::Random;
use crate::support::schemas::values::members;

const SORTS: [&str; 7] = ["owner", "rank desc", "due", "id desc", "version desc", "createdAt desc", "slug"];
const WORDS: [&str; 10] =
    ["red", "blu", "alice", "red+green", "red+green+blue", "lamp", "strasse", "s1", "x", "AB-7"];
const FACETS: [&str; 5] = ["owner", "teams", "rank:range(0 to 2)", "open", "slug"];
const FILTERS: [&str; 5] =
    ["owner:\"alice\",\"bob\"", "rank:range(1 to *)", "open:true", "teams:\"red\"", "key:exists"];

/// A request without a token.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    pub(super) kind: &'static str,
    pub(super) sent: Sent,
    /// Whether it is sent twice: it has an `Idempotency-Key`.
    pub(super) repeats: bool,
    /// Whether the response may be that of a copy.
    pub(super) may_lag: bool,
}

impl Asked {
    pub(super) fn new(kind: &'static str, line: &str) -> Self {
        Self { kind, sent: Sent::new(line, &[], ""), repeats: false, may_lag: false }
    }

    fn with_header(mut self, name: &str, value: &str) -> Self {
        self.sent.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    fn with_body(mut self, body: &Value) -> Self {
        self.sent.body = body.to_string().into_bytes();
        self.with_header("Content-Type", "application/json")
    }
}

fn pick(random: &Random, all: &[&'static str]) -> &'static str {
    random.pick::<&str>(all)
}

/// Returns an ID, mostly one that some resource has.
fn id(random: &Random, worlds: &Worlds) -> String {
    known(random, worlds, "id").unwrap_or_else(|| format!("i{}", random.below(14)))
}

fn key(random: &Random, worlds: &Worlds) -> String {
    known(random, worlds, "key").unwrap_or_else(|| format!("k{}", random.below(8)))
}

fn known(random: &Random, worlds: &Worlds, name: &str) -> Option<String> {
    let all = worlds.all();
    let record = (!all.is_empty() && random.chance(750)).then(|| random.pick(&all))?;
    record[name].as_str().map(str::to_owned)
}

/// Returns a read that all readers send.
pub(super) fn read(random: &Random, worlds: &Worlds) -> Asked {
    let design = &worlds.plan.design;
    match random.below(14) {
        0..4 => one(random, worlds),
        4..6 => {
            let path = random.pick(&["", "/sorted-query-parameters"]);
            aged(random, Asked::new("page", &format!("GET /p/resource{path}?{}", page(random, worlds))))
        }
        6 => {
            let text = encoded(&plain(random, design));
            aged(random, Asked::new("exists", &format!("HEAD /p/resource?where={text}")))
        }
        7..10 => aged(random, Asked::new("search", &search(random))),
        10 | 11 => feed(random, worlds),
        _ => {
            let (name, arguments) = match random.below(4) {
                0 => ("get", json!({ "id": id(random, worlds) })),
                1 => ("get", json!({ "key": key(random, worlds), "fields": ["owner"] })),
                2 => ("query", json!({ "where": plain(random, design), "limit": 2 })),
                _ => ("search", json!({ "text": random.pick(&WORDS), "facet": ["owner"] })),
            };
            tool(name, &arguments)
        }
    }
}

/// Follows the changes: by pages, by the first page of a stream, or by the frame of a socket.
fn feed(random: &Random, worlds: &Worlds) -> Asked {
    let mut query = condition(random, worlds, 600);
    if random.chance(500) {
        let _ = write!(query, "&after={}", worlds.position(random));
    }
    match random.below(4) {
        0 => socket(&query),
        1 => {
            Asked::new("feed", &format!("GET /p/changes?{query}")).with_header("Accept", "text/event-stream")
        }
        _ => Asked::new("feed", &format!("GET /p/changes?limit={}{query}", random.pick(&[1, 2, 5, 500]))),
    }
}

/// Asks for a socket.
pub(super) fn socket(query: &str) -> Asked {
    Asked::new("socket", &format!("GET /p/changes?{query}"))
        .with_header("Upgrade", "websocket")
        .with_header("Sec-WebSocket-Protocol", "resource-edge.changes")
}

/// Returns the parameter with a condition, or nothing.
pub(super) fn condition(random: &Random, worlds: &Worlds, permille: u64) -> String {
    if !random.chance(permille) {
        return String::new();
    }
    format!("&where={}", encoded(&plain(random, &worlds.plan.design)))
}

fn tool(name: &str, arguments: &Value) -> Asked {
    let params = json!({ "name": name, "arguments": arguments });
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    Asked::new("tool", "POST /p/mcp").with_body(&body)
}

/// Lets a response be as old as the state.
fn aged(random: &Random, call: Asked) -> Asked {
    match random.below(4) {
        0 | 1 => call.with_header("Cache-Control", "max-age=4"),
        2 => call.with_header("Cache-Control", "no-cache"),
        _ => call,
    }
}

/// Reads one resource, or what is under a name.
fn one(random: &Random, worlds: &Worlds) -> Asked {
    let name = if random.chance(600) { id(random, worlds) } else { format!("key={}", key(random, worlds)) };
    let method = random.pick(&["GET", "GET", "HEAD"]);
    let query = random.pick(&["", "", "?fields=owner,rank", "?expand=a.b"]);
    let mut call = aged(random, Asked::new("get", &format!("{method} /p/resource/{name}{query}")));
    call.may_lag = !call.sent.headers.iter().any(|(_, value)| value == "no-cache");
    match random.below(5) {
        0 => call.with_header("If-None-Match", &tag(worlds, &name)),
        1 => call.with_header("If-None-Match", "*"),
        2 => call.with_header("Resource-Min-Revision", "1704067200001"),
        3 => call.with_header("Accept", "application/problem+json"),
        _ => call,
    }
}

/// Returns the entity tag of a resource.
fn tag(worlds: &Worlds, name: &str) -> String {
    let got = worlds.send_as_operator(&Asked::new("get", &format!("GET /p/resource/{name}")));
    got.header("ETag").unwrap_or("\"none\"").to_owned()
}

fn page(random: &Random, worlds: &Worlds) -> String {
    let mut query = format!("limit={}", random.pick(&[0, 1, 3, 20, 500]));
    query += &condition(random, worlds, 700);
    if random.chance(200) {
        query += "&where=owner%3D%3Asub&var.sub=bob";
    }
    for _ in 0..random.below(3) {
        let _ = write!(query, "&sort={}", encoded(pick(random, &SORTS)));
    }
    query += pick(random, &["", "", "&offset=1", "&offset=3"]);
    query += pick(random, &["", "&withTotal=false", "&withTotal=true", "&fields=owner"]);
    query
}

fn search(random: &Random) -> String {
    let mut line = format!("GET /p/resource/searchApiPattern?limit={}", random.pick(&[0, 2, 20]));
    if random.chance(600) {
        let _ = write!(line, "&text.en={}", random.pick(&WORDS));
        line += pick(random, &["", "&fuzzy=true", "&prefix=true"]);
    }
    for name in ["filter", "filter.query", "filter.facets"] {
        if random.chance(250) {
            let _ = write!(line, "&{name}={}", encoded(pick(random, &FILTERS)));
        }
    }
    for facet in FACETS {
        if random.chance(400) {
            let _ = write!(line, "&facet={}", encoded(facet));
        }
    }
    if random.chance(300) {
        let _ = write!(line, "&sort={}", encoded(pick(random, &SORTS)));
    }
    line
}

/// Returns values of a resource, for an owner.
fn content(random: &Random, worlds: &Worlds, permille: u64, owner: Option<&Reader>) -> Map<String, Value> {
    let plan = &worlds.plan;
    let mut members = members(&plan.drawn, permille, random);
    for name in ["owner", "teams", "rank", "open", "due", "memo", "slug"] {
        // Few values are unique.
        let permille = match name {
            "slug" => 150,
            "owner" => permille + 300,
            _ => permille,
        };
        if random.chance(permille) {
            members.insert(name.to_owned(), plan.value(random, name));
        }
    }
    let own = owner.and_then(|owner| owner.claims.as_ref()).map(|claims| claims["sub"].clone());
    if let Some(own) = own.filter(|_| random.chance(600)) {
        members.insert("owner".to_owned(), own);
    }
    members
}

/// Creates a resource, or changes the one that has the name.
pub(super) fn creation(random: &Random, worlds: &Worlds, user: Option<&Reader>) -> Asked {
    let mut body = content(random, worlds, 600, user);
    if user.is_none() || random.chance(700) {
        body.insert("id".to_owned(), json!(id(random, worlds)));
    }
    if random.chance(500) {
        body.insert("key".to_owned(), json!(key(random, worlds)));
    }
    Asked::new("create", "POST /p/resource").with_body(&body.into())
}

/// Returns a write of somebody who may do everything.
pub(super) fn operators_write(random: &Random, worlds: &Worlds) -> Asked {
    let id = id(random, worlds);
    if random.chance(250) {
        return Asked::new("delete", &format!("DELETE /p/resource/{id}"));
    }
    creation(random, worlds, None)
}

/// Returns the version of a resource, at times another one.
fn version(random: &Random, worlds: &Worlds, id: &str) -> u64 {
    let all = worlds.all();
    let version = all.iter().find(|record| record["id"] == id).and_then(|record| record["version"].as_u64());
    version.unwrap_or(1) + u64::from(random.chance(100))
}

/// Returns a write of a user.
pub(super) fn write(random: &Random, worlds: &Worlds, user: &Reader) -> Asked {
    let mut call = match random.below(10) {
        0..3 => creation(random, worlds, Some(user)),
        3..5 => full(random, worlds, user),
        5..7 => actions(random, worlds),
        7 => deletion(random, worlds),
        8 => return batch(random, worlds, user),
        _ => {
            let (name, arguments) = tool_that_writes(random, worlds, user);
            return if random.chance(500) {
                tool(name, &arguments)
            } else {
                tool_batch(random, worlds, user)
            };
        }
    };
    call = match random.below(8) {
        0 => {
            let tag = tag(worlds, &id(random, worlds));
            call.with_header("If-Match", &tag)
        }
        1 => call.with_header("If-None-Match", "*"),
        2 => call.with_header("If-Match", "*"),
        _ => call,
    };
    if random.chance(300) {
        call.repeats = true;
        call = call.with_header("Idempotency-Key", &format!("key-{}", random.next()));
    }
    call
}

/// A write of an agent: the name of a tool, and its arguments.
fn tool_that_writes(random: &Random, worlds: &Worlds, user: &Reader) -> (&'static str, Value) {
    let id = id(random, worlds);
    let version = version(random, worlds, &id);
    match random.below(3) {
        0 => {
            let set = content(random, worlds, 200, Some(user));
            ("update", json!({ "id": id, "version": version, "set": set }))
        }
        1 => {
            let mut body = content(random, worlds, 600, Some(user));
            body.insert("id".to_owned(), json!(id));
            ("createOrUpdate", json!({ "body": body }))
        }
        _ => ("delete", json!({ "id": id, "version": version })),
    }
}

/// Several writes of an agent.
fn tool_batch(random: &Random, worlds: &Worlds, user: &Reader) -> Asked {
    let writes: Vec<Value> = (0..random.within(1, 3))
        .map(|_| {
            let (name, mut write) = tool_that_writes(random, worlds, user);
            write["tool"] = json!(name);
            for name in ["body", "set"] {
                if write[name].is_object() && random.chance(700) {
                    write[name] = json!(write[name].to_string());
                }
            }
            write
        })
        .collect();
    let mut arguments = json!({ "writes": writes });
    let repeats = random.chance(300);
    if repeats {
        arguments["Idempotency-Key"] = json!(format!("key-{}", random.next()));
    }
    Asked { kind: "tool batch", repeats, ..tool("batch", &arguments) }
}

/// PUT, PATCH, and POST with the version.
fn full(random: &Random, worlds: &Worlds, user: &Reader) -> Asked {
    let mut body = content(random, worlds, 600, Some(user));
    let id = id(random, worlds);
    body.insert("version".to_owned(), json!(version(random, worlds, &id)));
    if random.chance(850) {
        body.insert("id".to_owned(), json!(id));
    }
    if random.chance(300) {
        body.insert("key".to_owned(), json!(key(random, worlds)));
    }
    let line = random.pick(&[
        "PUT /p/resource",
        "PATCH /p/resource",
        "POST /p/resource",
        "POST /p/resource/description-with-urn-links",
        "POST /p/resource/artificially-complex/path/uri-parameter-one=a/b",
    ]);
    Asked::new("update", line).with_body(&body.into())
}

fn actions(random: &Random, worlds: &Worlds) -> Asked {
    let id = id(random, worlds);
    let line = format!("POST /p/resource/{id}");
    Asked::new("update", &line).with_body(&update(random, worlds, &id))
}

fn update(random: &Random, worlds: &Worlds, id: &str) -> Value {
    let names: Vec<&String> = worlds.plan.design.properties().map(|(name, _)| name).collect();
    let count = random.below(3);
    let actions: Vec<Value> = (0..count)
        .map(|_| {
            let name = *random.pick(&names);
            let value = worlds.plan.value(random, name);
            let verb = format!("set{}{}", name[..1].to_uppercase(), &name[1..]);
            json!({ "action": verb, name: value })
        })
        .collect();
    json!({ "version": version(random, worlds, id), "actions": actions })
}

fn deletion(random: &Random, worlds: &Worlds) -> Asked {
    let id = id(random, worlds);
    let version = version(random, worlds, &id);
    let query = if random.chance(500) { format!("?version={version}") } else { String::new() };
    Asked::new("delete", &format!("DELETE /p/resource/{id}{query}"))
}

fn batch(random: &Random, worlds: &Worlds, user: &Reader) -> Asked {
    let writes: Vec<Value> = (0..random.within(1, 3))
        .map(|_| {
            let id = id(random, worlds);
            match random.below(4) {
                0 => json!({ "operation": "deleteById", "id": id }),
                1 => {
                    json!({ "operation": "updateById", "id": id, "body": update(random, worlds, &id) })
                }
                _ => {
                    let mut body = content(random, worlds, 600, Some(user));
                    body.insert("key".to_owned(), json!(key(random, worlds)));
                    json!({ "operation": "createOrUpdate", "body": body })
                }
            }
        })
        .collect();
    Asked::new("batch", "POST /p/batch").with_body(&json!({ "writes": writes }))
}
