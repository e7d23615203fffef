//! Invariants of every response (contract, D1, D16, D19, D20, sections 7, 8, and 10).

use resource_edge::shape::{ObjectId, Shape};
use resource_edge::util::time;
use serde_json::Value;

use super::edge::{Got, Sent};
use super::json::member_names;
use super::shapes;

/// Returns what is wrong with the response; `None` if nothing is.
pub fn broken(shape: &Shape, sent: &Sent, got: &Got) -> Option<String> {
    headers(sent, got)
        .or_else(|| bodies(sent, got))
        .or_else(|| if is_message(sent, got) { message(got) } else { body(shape, sent, got) })
}

/// Returns whether it is a message for an agent: its form is that of the protocol.
fn is_message(sent: &Sent, got: &Got) -> bool {
    let path = sent.target.split('?').next().unwrap_or_default();
    path.ends_with("/mcp") && sent.method == "POST" && (got.status == 202 || got.json()["jsonrpc"] == "2.0")
}

fn message(got: &Got) -> Option<String> {
    let body = got.json();
    let (result, error) = (body["result"].is_object(), body["error"]["code"].is_i64());
    first_broken(&[
        (got.status == 202 || result != error, "neither a result nor an error"),
        (got.status != 202 || got.body.is_empty(), "a response to a notification has a body"),
        (error || got.status < 400, "an error without a code"),
    ])
}

fn body(shape: &Shape, sent: &Sent, got: &Got) -> Option<String> {
    let is_part = sent.has_fields() && got.status < 400;
    let broken = if got.status >= 400 { error(sent, got) } else { record(shape, got).filter(|_| !is_part) };
    broken.or_else(|| shapes::broken(shape, sent, got).filter(|_| !is_part))
}

fn says(got: &Got, name: &str) -> bool {
    got.header(name).is_some()
}

/// Returns the first rule that does not hold.
fn first_broken(rules: &[(bool, &str)]) -> Option<String> {
    rules.iter().find(|(holds, _)| !holds).map(|(_, what)| (*what).to_owned())
}

fn headers(sent: &Sent, got: &Got) -> Option<String> {
    for (at, (name, value)) in got.headers.iter().enumerate() {
        if got.headers[..at].iter().any(|(before, _)| before.eq_ignore_ascii_case(name)) {
            return Some(format!("the header {name} occurs twice"));
        }
        if !value.chars().all(|char| (' '..='~').contains(&char)) {
            return Some(format!("the header {name} is not printable ASCII: {value:?}"));
        }
    }
    let printable = |text: &str| text.chars().all(|char| (' '..='~').contains(&char));
    let sent_id = sent.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("X-Correlation-ID"));
    let id = got.header("X-Correlation-ID").unwrap_or_default();
    let is_kept = sent_id.is_none_or(|(_, sent)| {
        !(8..=256).contains(&sent.len()) || !printable(sent) || sent.trim() == id.trim()
    });
    let path = sent.target.split('?').next().unwrap_or_default();
    let oauth = matches!(path, "/oauth/token" | "/oauth/introspect") && sent.method == "POST";
    let document = path.ends_with("/openapi.json") && matches!(got.status, 200 | 304);
    let cache = got.header("Cache-Control").unwrap_or_default();
    let is_private = oauth || document || cache == "private, no-cache";
    let is_refused = matches!(got.status, 401 | 403);
    first_broken(&[
        ((8..=256).contains(&id.len()), "X-Correlation-ID is absent or has a wrong length"),
        (is_kept, "X-Correlation-ID is not the caller's"),
        (is_private, "Cache-Control is not private, no-cache"),
        (!oauth || cache == "no-store", "a token's Cache-Control is not no-store"),
        (!document || cache.starts_with("public,"), "the document's Cache-Control is not public"),
        (got.header("Vary") == Some("Authorization, Accept, Origin"), "Vary is not what D20 says"),
        (got.status != 405 || says(got, "Allow"), "405 without Allow"),
        (!is_refused || is_message(sent, got) || says(got, "WWW-Authenticate"), "no WWW-Authenticate"),
        (!matches!(got.status, 429 | 503) || says(got, "Retry-After"), "no Retry-After"),
    ])
}

fn bodies(sent: &Sent, got: &Got) -> Option<String> {
    let is_accepted = got.status == 202 && is_message(sent, got) && got.body.is_empty();
    let bare = sent.method == "HEAD" || matches!(got.status, 204 | 304) || is_accepted;
    let media = got.header("Content-Type").unwrap_or_default();
    let json = media.starts_with("application/json") || media.starts_with("application/problem+json");
    let is_valid = bare || !json || serde_json::from_str::<Value>(&got.body).is_ok();
    // The body of an accepted socket is its other end.
    let bare = bare || got.status == 101;
    first_broken(&[
        (!bare || got.status == 101 || got.body.is_empty(), "a body where there must be none"),
        (bare || !got.body.is_empty() || is_export(got), "no body"),
        (is_valid, "the body is not JSON"),
        (bare || says(got, "Content-Type"), "a body without Content-Type"),
    ])
}

/// Returns whether it is a page of an export, which may be empty and is not a single resource.
fn is_export(got: &Got) -> bool {
    got.header("Content-Type") == Some("application/x-ndjson")
}

/// Sections 7 and 10.
fn error(sent: &Sent, got: &Got) -> Option<String> {
    if sent.method == "HEAD" {
        return None;
    }
    let body = got.json();
    let problem =
        got.header("Content-Type").is_some_and(|value| value.starts_with("application/problem+json"));
    let (status, message) =
        if problem { (&body["status"], &body["detail"]) } else { (&body["statusCode"], &body["message"]) };
    let errors = body["errors"].as_array().map(Vec::as_slice).unwrap_or_default();
    let spoken = |text: &Value| text.as_str().is_some_and(|text| !text.is_empty());
    let is_spoken = errors.iter().all(|error| spoken(&error["code"]) && spoken(&error["message"]));
    let is_named = !matches!(got.status, 401 | 403) || body["error"] == body["errors"][0]["code"];
    first_broken(&[
        (*status == got.status, "the body's status is another"),
        (!errors.is_empty() && errors.len() <= 100, "no errors, or too many"),
        (*message == body["errors"][0]["message"], "message is not the first error's"),
        (is_spoken, "an error says nothing"),
        (got.status != 409 || body["errors"][0]["currentVersion"].is_u64(), "409 without currentVersion"),
        (is_named, "401 or 403 without error"),
    ])
}

/// Checks a single resource: its order, and its headers (D1, D16, D19).
fn record(shape: &Shape, got: &Got) -> Option<String> {
    let body = got.json();
    if is_export(got) || !(body["id"].is_string() && body["objectTypeProperty"].is_object()) {
        return None;
    }
    let revision = body["lastModifiedAt"].as_str().and_then(time::parse);
    let said = got.header("Resource-Revision").and_then(|value| value.parse::<u64>().ok());
    record_broken(shape, &body, &got.body).or_else(|| {
        first_broken(&[
            (says(got, "ETag"), "a resource without ETag"),
            (said.is_some() && said >= revision, "Resource-Revision is absent or before lastModifiedAt"),
            (got.status != 201 || says(got, "Location"), "201 without Location"),
        ])
    })
}

/// Returns what is wrong with a record; `None` if it conforms to D1.
pub fn record_broken(shape: &Shape, body: &Value, text: &str) -> Option<String> {
    let names = member_names(text);
    let fields = &shape.object(ObjectId::Record).fields;
    let places = names.iter().map(|name| fields.iter().position(|field| field.name == *name));
    let all_known = places.clone().all(|place| place.is_some());
    let arrays = body["objectTypeProperty"].as_object();
    let has_seven = arrays.is_some_and(|arrays| {
        arrays.len() == 7
            && shape.arrays().iter().all(|field| arrays.get(&*field.name).is_some_and(Value::is_array))
    });
    let is_time = |name: &str| body[name].as_str().is_some_and(time::is_valid);
    let found = format!("members that no record has, or out of order: {names:?}");
    first_broken(&[
        (all_known && places.is_sorted(), &found),
        (body["version"].as_u64().is_some_and(|version| version >= 1), "a version under 1"),
        (has_seven, "not the seven arrays"),
        (is_time("createdAt") && is_time("lastModifiedAt"), "times of another form"),
    ])
}
