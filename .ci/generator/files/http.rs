//! The HTTP reference, generated from the OpenAPI document, which is generated from the tables.

use std::fmt::Write as _;

use resource_edge::contract::api::endpoint::{Access, ENDPOINTS, operations};
use resource_edge::contract::api::path;
use resource_edge::contract::error::Code;
use resource_edge::contract::error::reason::Reason;
use resource_edge::openapi;
use serde_json::{Map, Value};

const HEAD: &str = "\
# HTTP reference

Operations, parameters, headers, bodies, and errors. `make generate` writes this page from the tables that route and
validate requests. `GET /openapi.json` has the same content in a form for tools. The rules behind it are in the
[specification]; `where`, `sort`, filters, and facets are in [the query language][language].

Every GET path also has HEAD, and every path has OPTIONS. Send a token as `Authorization: Bearer ...`, and bodies as
`application/json` (an import as `application/x-ndjson`, requests for tokens as forms).
";

const FOOT: &str = "
[language]: language.md
[specification]: specification.md
";

/// Returns how a caller handles an error.
fn remedy(code: Code) -> &'static str {
    match code {
        Code::InvalidJsonInput => {
            "Send JSON. `line` and `column` have the place, `expected` what is valid there."
        }
        Code::InvalidField | Code::RequiredField => {
            "Correct the field at `path`. `errors` lists every problem of the body."
        }
        Code::DuplicateField => "Use another key, or write to the resource that has it.",
        Code::InvalidInput => "Correct what `parameter` or `header` names.",
        Code::InvalidOperation => {
            "Name the resource by `id` or `key`. For an import, use an empty project. For a restore, use a service on \
             Cloudflare, and a `time` or `bookmark` of the last 30 days."
        }
        Code::SyntaxError => "Correct the text at `line` and `column`; `expected` has what is valid there.",
        Code::InvalidToken => "Get a new token, and repeat the request once.",
        Code::InsufficientScope => "Get a token with one of the `scopes`.",
        Code::ResourceNotFound => "Check the ID, the key, and the path.",
        Code::MethodNotAllowed => "Use a method that `Allow` lists.",
        Code::ConcurrentModification => {
            "Read the resource again (`Cache-Control: no-cache`), and repeat the change on it."
        }
        Code::HistoryChanged => "Start again without `after`, with an empty copy.",
        Code::PreconditionFailed => "Read the resource again, and decide whether to repeat the change.",
        Code::ContentTooLarge => "Send at most 1 MiB, and store at most 1 MiB.",
        Code::UnsupportedMediaType => {
            "Send `Content-Type: application/json` (an import: `application/x-ndjson`), without `Content-Encoding`."
        }
        Code::IdempotencyKeyReused => "Use a new key for a new request.",
        Code::TooManyRequests | Code::ServiceUnavailable => {
            "Wait for the seconds in `Retry-After`, and repeat the request. Repeat a write under the same `Idempotency-Key`."
        }
        Code::General => {
            "Repeat the request; a write under the same `Idempotency-Key`. Report it with its `X-Correlation-ID`."
        }
        Code::InvalidClient => "Check the client's ID and secret.",
        Code::InvalidRequest => "Send a form with `grant_type` and, if you want, `scope`.",
        Code::UnsupportedGrantType => "Send `grant_type=client_credentials`.",
        Code::InvalidScope => "Ask for scopes that the client has, each with its project.",
        Code::InsufficientStorage => "Delete resources. If that fails too, only the operator can make room.",
    }
}

/// Resolves a reference within the document.
fn resolve<'d>(document: &'d Value, value: &'d Value) -> &'d Value {
    match value["$ref"].as_str() {
        Some(reference) => document.pointer(reference.trim_start_matches('#')).unwrap(),
        None => value,
    }
}

fn members(value: &Value) -> &Map<String, Value> {
    value.as_object().unwrap()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Returns the type of a schema, with its bounds.
fn describe_type(schema: &Value) -> String {
    if schema["anyOf"][0]["maxItems"] == 0 {
        let count = &schema["maxItems"];
        return format!("array of {}, none or exactly {count}", describe_type(&schema["items"]));
    }
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap();
        return format!("[{name}](#{})", name.to_lowercase());
    }
    if let Some(of) = schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
        let names = of.iter().filter(|one| one["type"] != "null").map(describe_type);
        return names.collect::<Vec<_>>().join(" or ");
    }
    if schema.get("const").is_some() {
        return format!("`{}`", text(&schema["const"]));
    }
    let name = match &schema["type"] {
        Value::Array(names) => text(names.iter().find(|name| *name != "null").unwrap()).to_owned(),
        name => text(name).to_owned(),
    };
    let mut out = match name.as_str() {
        "array" => {
            let mut out = format!("array of {}", describe_type(&schema["items"]));
            if schema["uniqueItems"] == true {
                out.push_str(", none twice");
            }
            out
        }
        _ => match text(&schema["format"]) {
            "int64" | "double" | "" => name,
            "int32" => "integer of 32 bits".to_owned(),
            format => format!("{name} ({format})"),
        },
    };
    push_bounds(&mut out, schema);
    out
}

/// Appends the bounds of a number or an array.
fn push_bounds(out: &mut String, schema: &Value) {
    let number = |name: &str| schema.get(name).map(ToString::to_string);
    // Bounds that only mean "a number that JSON can express" are in D7.
    let wide = |bound: &String| bound.trim_start_matches('-').len() >= 10;
    let range =
        (number("minimum").filter(|bound| !wide(bound)), number("maximum").filter(|bound| !wide(bound)));
    match range {
        (Some(min), Some(max)) => write!(out, ", {min} to {max}").unwrap(),
        (Some(min), None) => write!(out, ", {min} or more").unwrap(),
        (None, Some(max)) => write!(out, ", at most {max}").unwrap(),
        (None, None) => {}
    }
    if let Some(max) = number("maxItems") {
        write!(out, ", at most {max}").unwrap();
    }
}

/// Returns the document's operation with the ID, and its path.
fn operation<'d>(document: &'d Value, id: &str) -> (&'d str, &'d Value) {
    let paths = members(&document["paths"]).iter();
    let mut all = paths.flat_map(|(path, item)| members(item).values().map(move |one| (path.as_str(), one)));
    all.find(|(_, one)| one["operationId"] == id).unwrap_or_else(|| panic!("no operation {id}"))
}

fn push_operations(out: &mut String, document: &Value) {
    out.push_str("\n## Operations\n");
    for row in operations() {
        let (path, operation) = operation(document, row.name);
        let scopes =
            if row.access() == Some(Access::Read) { "`manage_test` or `view_test`" } else { "`manage_test`" };
        write!(
            out,
            "\n### {}. {}\n\n`{} {path}`\n\n{} Scope: {scopes}.\n\n",
            row.number.unwrap(),
            row.name,
            row.method.name(),
            text(&operation["summary"])
        )
        .unwrap();
        push_request(out, document, operation);
        push_responses(out, document, operation);
    }
}

/// Writes the parts of an operation's request: parameters, headers, and the body.
fn push_request(out: &mut String, document: &Value, operation: &Value) {
    let parameters: Vec<&Value> = operation["parameters"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|parameter| resolve(document, parameter))
        .collect();
    let names = |place: &str| {
        let named = parameters.iter().filter(|parameter| parameter["in"] == place);
        named.map(|parameter| format!("`{}`", text(&parameter["name"]))).collect::<Vec<_>>().join(", ")
    };
    for (title, place) in [("Query parameters", "query"), ("Headers", "header")] {
        let names = names(place);
        if !names.is_empty() {
            writeln!(out, "- {title}: {names}").unwrap();
        }
    }
    let body = &resolve(document, &operation["requestBody"])["content"]["application/json"]["schema"];
    if !body.is_null() {
        writeln!(out, "- Body: {}", describe_type(body)).unwrap();
    }
}

/// Writes the responses of an operation; of its errors only the statuses.
fn push_responses(out: &mut String, document: &Value, operation: &Value) {
    let is_error = |status: &str| status.starts_with('4') || status.starts_with('5');
    let responses = members(&operation["responses"]);
    for (status, response) in responses.iter().filter(|(status, _)| !is_error(status)) {
        let response = resolve(document, response);
        let schema = &response["content"]["application/json"]["schema"];
        let shape = if schema.is_null() { "no body".to_owned() } else { describe_type(schema) };
        writeln!(out, "- {status}: {} ({shape})", text(&response["description"]).trim_end_matches('.'))
            .unwrap();
    }
    let errors: Vec<_> = responses.keys().map(String::as_str).filter(|status| is_error(status)).collect();
    writeln!(out, "- [Errors](#errors): {}", errors.join(", ")).unwrap();
}

/// Writes the paths besides the operations.
fn push_services(out: &mut String, document: &Value) {
    out.push_str(
        "\n## Other paths\n\n| path | scope | meaning | parameters | returns | errors |\n|---|---|---|---|---|---|\n",
    );
    for row in ENDPOINTS.iter().filter(|row| row.number.is_none()) {
        let scopes =
            row.access().map_or(String::new(), |access| format!("`{}`", access.scopes().join("` or `")));
        let names =
            row.params().map(|param| param.id.name()).chain(row.form().iter().map(|field| field.name));
        let names: Vec<_> = names.map(|name| format!("`{name}`")).collect();
        let mut statuses: Vec<_> = row.errors().map(Code::status).collect();
        statuses.sort_unstable();
        statuses.dedup();
        let statuses: Vec<_> = statuses.iter().map(ToString::to_string).collect();
        let (method, path, about) = (row.method.name(), path::template(row.path), row.summary);
        writeln!(
            out,
            "| `{method} {path}` | {scopes} | {about} | {} | {} | {} |",
            names.join(", "),
            describe_result(document, operation(document, row.name).1),
            statuses.join(", ")
        )
        .unwrap();
    }
}

/// Returns the type of the body of a successful response.
fn describe_result(document: &Value, operation: &Value) -> String {
    let content = &resolve(document, &operation["responses"]["200"])["content"];
    match content["application/json"]["schema"] {
        Value::Null => members(content).keys().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
        ref schema => describe_type(schema),
    }
}

/// The places of the document's parameters, in the order of the page.
const PLACES: [(&str, &str); 3] =
    [("path", "## Path variables"), ("query", "## Query parameters"), ("header", "## Request headers")];

fn push_parameters(out: &mut String, document: &Value) {
    for (place, heading) in PLACES {
        write!(out, "\n{heading}\n\n| name | type | meaning |\n|---|---|---|\n").unwrap();
        for parameter in members(&document["components"]["parameters"]).values() {
            if parameter["in"] != place {
                continue;
            }
            let schema = match &parameter["schema"] {
                Value::Null => &parameter["content"]["application/json"]["schema"],
                schema => schema,
            };
            let kind = match text(&parameter["name"]) {
                "var" => "`var.<name>`".to_owned(),
                "text" => "`text.<language>`".to_owned(),
                _ => match &schema["type"] {
                    Value::String(name) if name == "array" => {
                        format!("{}, repeatable", describe_type(&schema["items"]))
                    }
                    _ => describe_type(schema),
                },
            };
            writeln!(
                out,
                "| `{}` | {kind} | {} |",
                text(&parameter["name"]),
                text(&parameter["description"])
            )
            .unwrap();
        }
    }
}

fn push_headers(out: &mut String, document: &Value) {
    out.push_str("\n## Response headers\n\n| name | meaning |\n|---|---|\n");
    for (name, header) in members(&document["components"]["headers"]) {
        writeln!(out, "| `{name}` | {} |", text(&header["description"])).unwrap();
    }
}

fn push_schemas(out: &mut String, document: &Value) {
    out.push_str("\n## Bodies\n\nA field that is not required may be absent or null in a request.\n");
    for (name, schema) in members(&document["components"]["schemas"]) {
        write!(out, "\n### {name}\n").unwrap();
        if let Some(about) = schema["description"].as_str() {
            write!(out, "\n{about}\n").unwrap();
        }
        if let Some(of) = schema["oneOf"].as_array().or(schema["allOf"].as_array()) {
            let joint = if schema["oneOf"].is_array() { " or " } else { " and " };
            let names: Vec<_> = of.iter().map(describe_type).collect();
            write!(out, "\n{}.\n", names.join(joint)).unwrap();
        }
        let Some(properties) = schema["properties"].as_object() else { continue };
        let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().map(text).collect();
        out.push_str("\n| field | type | required | meaning |\n|---|---|---|---|\n");
        for (field, schema) in properties {
            let needed = if required.contains(&field.as_str()) { "yes" } else { "" };
            let kind = describe_type(schema);
            writeln!(out, "| `{field}` | {kind} | {needed} | {} |", text(&schema["description"])).unwrap();
        }
    }
}

fn push_errors(out: &mut String) {
    out.push_str("\n## Errors\n\n| status | code | cause | what to do |\n|---|---|---|---|\n");
    for code in Code::ALL {
        writeln!(out, "| {} | `{}` | {} | {} |", code.status(), code.wire(), code.about(), remedy(*code))
            .unwrap();
    }
    out.push_str(
        "\n### Reasons\n\nPrograms read `reason` and the members beside it, never a message. In `expected`, `<…>` is a kind of \
         part; every other text is what to write.\n\n| `reason` | what is wrong |\n|---|---|\n",
    );
    for reason in Reason::ALL {
        writeln!(out, "| `{}` | {} |", reason.wire(), reason.about()).unwrap();
    }
}

/// Returns the text of `src/guide/http.md`.
pub(super) fn page() -> String {
    let document: Value = serde_json::from_str(&openapi::document()).unwrap();
    let mut out = HEAD.to_owned();
    push_operations(&mut out, &document);
    push_services(&mut out, &document);
    push_parameters(&mut out, &document);
    push_headers(&mut out, &document);
    push_schemas(&mut out, &document);
    push_errors(&mut out);
    out.push_str(FOOT);
    out
}
