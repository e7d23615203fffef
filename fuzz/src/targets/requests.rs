//! Paths and query strings: a path has exactly one meaning, that of D3. A decoded request can be printed, and decodes
//! again as the same.

use std::cell::OnceCell;

use resource_edge::call::{Call, Change, Lookup, Message, Read};
use resource_edge::contract::api::endpoint::{self, ENDPOINTS, Endpoint};
use resource_edge::contract::api::path::{self, Variable};
use resource_edge::contract::limits;
use resource_edge::contract::param::{self, ParamValue, Passed};
use resource_edge::util::percent;
use serde_json::json;

use super::input::Input;
use crate::support::caller::Caller;
use crate::support::edge::Sent;

const METHODS: [&str; 8] = ["GET", "POST", "HEAD", "DELETE", "PUT", "PATCH", "TRACE", "get"];
const BODIES: [&str; 3] =
    [r#"{"version":1,"objectTypeProperty":{}}"#, r#"{"version":1,"actions":[]}"#, r#"{"custom":"c"}"#];

thread_local! {
    static CALLER: OnceCell<Caller> = const { OnceCell::new() };
}

pub fn run(data: &[u8]) {
    let mut input = Input(data);
    let (method, body) = (input.pick(&METHODS), input.pick(&BODIES));
    let path = ["/", &input.text_line().replace(['?', '#'], "%3F")].concat();
    let query = super::input::lossy(input.0).replace('#', "%23");
    for row in endpoint::operations() {
        parameters(row, &query);
    }
    let parts = path::parts(&path);
    let is_other = |row: &Endpoint| row.number.is_none() && path::matches(row.path, &parts);
    if ENDPOINTS.iter().any(is_other) || path.len() + query.len() > limits::TARGET_BYTES {
        return;
    }
    CALLER.with(|caller| {
        let caller = caller.get_or_init(|| Caller::with(&json!({})));
        let (status, message) = ask(caller, method, &[&path, "?", &query].concat(), body);
        match route(method, &path) {
            Err(expected) => assert_eq!((status, &message), (expected, &None), "{method} {path}"),
            Ok((name, variables)) => {
                assert!(!matches!(status, 404 | 405), "{method} {path}: {status}");
                if let Some(message) = message {
                    understood(caller, method, &query, name, &variables, &message);
                }
            }
        }
    });
}

fn ask(caller: &Caller, method: &str, target: &str, body: &str) -> (u16, Option<Message>) {
    let headers = caller.headers();
    let sent = Sent {
        method: method.to_owned(),
        target: target.to_owned(),
        headers,
        body: body.as_bytes().to_vec(),
    };
    let (got, message) = caller.message(&sent);
    assert!(got.status < 500, "{method} {target}: {got:?}");
    (got.status, message)
}

/// Returns the operation of a method and a path with its raw variables, or the status. Derived only from D3.
fn route<'p>(method: &str, path: &'p str) -> Result<(&'static str, Vec<&'p str>), u16> {
    let parts: Vec<&str> = path[1..].split('/').collect();
    let choose = |known: &[(&str, &'static str)], variables: Vec<&'p str>| {
        let of = |method: &str| known.iter().find(|(one, _)| *one == method).map(|(_, name)| *name);
        let found = of(method).or_else(|| (method == "HEAD").then(|| of("GET")).flatten());
        found.map(|name| (name, variables)).ok_or(405)
    };
    match parts[..] {
        ["", ..] | [_, "resource", "artificially-complex" | "" | "key="] => Err(404),
        [project, "resource"] => choose(
            &[
                ("GET", "query"),
                ("HEAD", "exists"),
                ("POST", "createOrUpdate"),
                ("PATCH", "overwrite"),
                ("PUT", "createOrOverwrite"),
            ],
            vec![project],
        ),
        [project, "resource", "searchApiPattern"] => choose(&[("GET", "search")], vec![project]),
        [project, "resource", "sorted-query-parameters"] => choose(&[("GET", "querySorted")], vec![project]),
        [project, "resource", "description-with-urn-links"] => {
            choose(&[("POST", "updateWithUrnLinks")], vec![project])
        }
        [project, "resource", part] => {
            if let Some(key) = part.strip_prefix("key=") {
                return choose(&[("GET", "getByKey")], vec![project, key]);
            }
            let known = [("GET", "getById"), ("POST", "updateById"), ("DELETE", "deleteById")];
            choose(&known, vec![project, part])
        }
        [project, "resource", "artificially-complex", "path", one, two] => {
            let one = one.strip_prefix("uri-parameter-one=").filter(|one| !one.is_empty());
            match one {
                Some(one) if !two.is_empty() => choose(&[("POST", "updateByPath")], vec![project, one, two]),
                _ => Err(404),
            }
        }
        _ => Err(404),
    }
}

/// Checks that the message belongs to the operation, with the variables decoded, and that the path rendered from them
/// decodes to the same message.
fn understood(caller: &Caller, method: &str, query: &str, name: &str, raw: &[&str], message: &Message) {
    let row = message.call.id().expect("a call of an operation").row();
    assert_eq!(row.name, name);
    let decoded: Vec<String> =
        raw.iter().map(|raw| percent::decode(raw).expect("an accepted path")).collect();
    assert_eq!(decoded[0], message.project);
    let named = match &message.call {
        Call::Read(Read::Resource(Lookup::Id(name) | Lookup::Key(name))) => Some(name),
        Call::Write(write) => match &write.change {
            Change::UpdateById { id, .. } | Change::DeleteById { id, .. } => Some(id),
            _ => None,
        },
        _ => None,
    };
    assert_eq!(named, decoded.get(1).filter(|_| named.is_some()));
    // HEAD and GET of a resource are the same call.
    let method = if method == "HEAD" { method } else { row.method.name() };
    let mut rendered = String::new();
    path::render(&mut rendered, row.path, |variable| match variable {
        Variable::ProjectKey => &decoded[0],
        Variable::Id | Variable::Key | Variable::UriParameterOne => &decoded[1],
        Variable::UriParameterTwo => &decoded[2],
    });
    if rendered.len() + query.len() < limits::TARGET_BYTES {
        // An escaped literal segment is an ID that no rendered path can name (D3).
        let hidden = matches!(row.name, "getById" | "updateById" | "deleteById")
            && endpoint::is_reserved_id(&decoded[1]);
        let body = BODIES.iter().find_map(|body| {
            let (_, found) = ask(caller, method, &[&rendered, "?", query].concat(), body);
            found.filter(|found| same_call(found, message))
        });
        assert!(hidden || body.is_some(), "{rendered} is not {message:?}");
    }
}

/// Returns whether two messages are equal except for the body and the fingerprint of the request.
fn same_call(one: &Message, other: &Message) -> bool {
    one.project == other.project
        && match (&one.call, &other.call) {
            (Call::Write(one), Call::Write(other)) => {
                one.change == other.change && one.options.respond_async == other.options.respond_async
            }
            (one, other) => one == other,
        }
}

/// Checks that the parameters can be printed and decode again as the same.
fn parameters(row: &Endpoint, query: &str) {
    let passed = match param::decode(row.params, query) {
        Ok(passed) => passed,
        Err(errors) => {
            assert!(!errors.is_empty());
            return;
        }
    };
    let pairs: Vec<String> = passed.iter().map(written).collect();
    assert_eq!(param::decode(row.params, &pairs.join("&")), Ok(passed), "{query}");
}

fn written(passed: &Passed) -> String {
    let name = passed.id.name();
    let name = name.split('<').next().unwrap_or(name).to_owned() + &passed.open;
    let value = match &passed.value {
        ParamValue::Text(text) => text.clone(),
        ParamValue::Float(float) => format!("{float:e}"),
        ParamValue::Whole(whole) => whole.to_string(),
        ParamValue::Boolean(boolean) => boolean.to_string(),
    };
    let mut out = String::new();
    percent::encode(&mut out, &name);
    out.push('=');
    percent::encode(&mut out, &value);
    out
}
