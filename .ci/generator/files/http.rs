//! The HTTP reference, generated from the OpenAPI document, which is generated from the tables.

use std::fmt::{Display, Write as _};

use resource_edge::contract::api::endpoint::{Access, ENDPOINTS, Endpoint, Target, operations};
use resource_edge::contract::api::path;
use resource_edge::contract::error::{Code, Reason};
use resource_edge::openapi;
use resource_edge::shape::Shape;
use serde_json::Value;

const HEAD: &str = "\
# HTTP reference

Operations, parameters, headers, bodies, and errors. `make generate` writes this page from the tables that route and
validate requests. `GET /openapi.json` has the same content in a form for tools. The rules behind it are in the
[specification]; `where`, `sort`, filters, and facets are in [the query language][language].

`POST /{projectKey}/mcp` has tools for [agents].

Every GET path also has HEAD, and every path has OPTIONS. Send a token as `Authorization: Bearer ...`, and bodies as
`application/json` (an import as `application/x-ndjson`, requests for tokens as forms).
";

const REASONS: &str = "
### Reasons

Programs read `reason` and the members beside it, never a message. In `expected`, `<…>` is a kind of part; every other
text is what to write.
";

const FOOT: &str = "
[a resource of your own]: ../../../pkg/README.md#a-resource-of-your-own
[agents]: agents.md
[language]: language.md
[specification]: specification.md
";

/// Returns how a caller handles an error.
fn remedy(code: Code) -> &'static str {
    match code {
        Code::InvalidJsonInput => "Send JSON. `line` and `column` have the place, `expected` what is valid.",
        Code::InvalidField | Code::RequiredField => {
            "Correct the field at `path`; `errors` lists all. To change fields: [a resource of your own]."
        }
        Code::DuplicateField => "Use another key, or write to the resource that has it.",
        Code::InvalidInput => "Correct what `parameter` or `header` names.",
        Code::InvalidOperation => {
            "Name the resource by `id` or `key`. For an import, use an empty project. For a restore, use a service on \
             Cloudflare, and a `time` or `bookmark` of the last 30 days."
        }
        Code::SyntaxError => "Correct the text at `line` and `column`; `expected` has what is valid there.",
        Code::InvalidToken => "Get a new token. If one was sent, `WWW-Authenticate` says why.",
        Code::InsufficientScope => "Get a token with one of the `scopes` for the project of the path.",
        Code::Forbidden => "Do only what the `rule` of the project allows, or get a token with other claims.",
        Code::ResourceNotFound => "Check the ID, the key, and the path.",
        Code::MethodNotAllowed => "Use a method that `Allow` lists.",
        Code::ConcurrentModification => {
            "Read the resource again (`Cache-Control: no-cache`), and repeat the change on it."
        }
        Code::HistoryChanged => "Start again without `after`, with an empty copy.",
        Code::PreconditionFailed => "Read the resource again. For a creation, use another ID or key.",
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
    value["$ref"].as_str().map_or(value, |reference| document.pointer(&reference[1..]).unwrap())
}

/// Returns the members of an object, of which there may be none.
fn members(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    value.as_object().into_iter().flatten().map(|(name, value)| (name.as_str(), value))
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Joins texts, each as a span of code.
fn spans<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    texts.into_iter().map(|text| format!("`{text}`")).collect::<Vec<_>>().join(", ")
}

/// Returns the type of a schema, with its bounds.
fn describe_type(schema: &Value) -> String {
    let item = || describe_type(&schema["items"]);
    if schema["anyOf"][0]["maxItems"] == 0 {
        return format!("array of {}, none or exactly {}", item(), schema["anyOf"][1]["maxItems"]);
    }
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap();
        return format!("[{name}](#{})", name.to_lowercase());
    }
    if let Some(of) = schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
        let names = of.iter().filter(|one| one["type"] != "null").map(describe_type);
        return names.collect::<Vec<_>>().join(" or ");
    }
    if let Some(constant) = schema["const"].as_str() {
        return format!("`{constant}`");
    }
    let name = text(items(&schema["type"]).find(|name| *name != "null").unwrap_or(&schema["type"]));
    let mut out = match (name, text(&schema["format"])) {
        ("array", _) if schema["uniqueItems"] == true => format!("array of {}, none twice", item()),
        ("array", _) => format!("array of {}", item()),
        (_, "int64" | "double" | "") => name.to_owned(),
        (_, "int32") => "integer of 32 bits".to_owned(),
        (_, format) => format!("{name} ({format})"),
    };
    // Wide bounds only mean "a number that JSON can express", as D7 says.
    let bound = |name: &str| {
        let bound = schema.get(name)?.to_string();
        (bound.trim_start_matches('-').len() < 10).then_some(bound)
    };
    out += &match (bound("minimum"), bound("maximum").or_else(|| bound("maxItems"))) {
        (Some(min), Some(max)) => format!(", {min} to {max}"),
        (Some(min), None) => format!(", {min} or more"),
        (None, Some(max)) => format!(", at most {max}"),
        (None, None) => String::new(),
    };
    out
}

/// Returns the types of a request's or a response's content, with the media types that are not JSON.
fn describe_content(content: &Value) -> String {
    let types =
        members(content).filter(|(media, _)| *media != "application/problem+json").map(|(media, content)| {
            match media {
                "application/json" => describe_type(&content["schema"]),
                _ => format!("`{media}`"),
            }
        });
    types.collect::<Vec<_>>().join(" or ")
}

/// Returns a table, each row of which is the text of its cells.
fn table(columns: &str, rows: impl IntoIterator<Item = String>) -> String {
    let line = "---|".repeat(columns.split('|').count());
    let rows: String = rows.into_iter().map(|row| format!("| {row} |\n")).collect();
    format!("\n| {columns} |\n|{line}\n{rows}")
}

/// Returns an operation's number, request, method of the client, and scopes.
fn operation_row(row: &Endpoint) -> String {
    let path = path::template(row.path);
    let scopes = if row.access() == Some(Access::Read) { "manage or view" } else { "manage" };
    let [number, method, name] = [&row.number.unwrap() as &dyn Display, &row.method.name(), &row.name];
    format!("{number} | {method} | `{path}` | `{name}` | {scopes}")
}

/// Writes a request and its responses; of the errors only the statuses.
fn push_endpoint(out: &mut String, document: &Value, row: &Endpoint) {
    let path = path::template(row.path);
    let operation = &document["paths"][&path][row.method.name().to_lowercase()];
    let (request, summary) = (format!("{} {path}", row.method.name()), text(&operation["summary"]));
    match row.number {
        Some(number) => write!(out, "\n### {number}. {}\n\n`{request}`\n\n{summary}", row.name).unwrap(),
        None => write!(out, "\n### {request}\n\n{summary}").unwrap(),
    }
    if let Some(access) = row.access() {
        write!(out, " Scope: `{}`.", access.scopes().join("` or `")).unwrap();
    }
    out.push_str("\n\n");

    let parameters: Vec<&Value> = items(&operation["parameters"]).map(|one| resolve(document, one)).collect();
    for (title, place) in [("Query parameters", "query"), ("Headers", "header")] {
        let there = parameters.iter().filter(|parameter| parameter["in"] == place);
        let names = spans(there.map(|parameter| text(&parameter["name"])));
        if !names.is_empty() {
            writeln!(out, "- {title}: {names}").unwrap();
        }
    }
    let form = spans(row.form().iter().map(|field| field.name));
    let body = describe_content(&resolve(document, &operation["requestBody"])["content"]);
    if !form.is_empty() {
        writeln!(out, "- Form: {form}").unwrap();
    } else if !body.is_empty() {
        writeln!(out, "- Body: {body}").unwrap();
    }
    let is_error = |status: &str| status.starts_with(['4', '5']);
    let (errors, successes): (Vec<_>, Vec<_>) =
        members(&operation["responses"]).partition(|(status, _)| is_error(status));
    for (status, response) in successes {
        let response = resolve(document, response);
        let content = describe_content(&response["content"]);
        let content = if content.is_empty() { "no body".to_owned() } else { content };
        match text(&response["description"]) {
            about if about == summary => writeln!(out, "- {status}: {content}").unwrap(),
            about => writeln!(out, "- {status}: {} ({content})", about.trim_end_matches('.')).unwrap(),
        }
    }
    let statuses: Vec<_> = errors.into_iter().map(|(status, _)| status).collect();
    writeln!(out, "- [Errors](#errors): {}", statuses.join(", ")).unwrap();
}

/// Returns the row of a parameter: a shared one, or that of the endpoint with this path.
fn parameter_row(parameter: &Value, of: Option<&str>) -> String {
    let name = text(&parameter["name"]);
    let schema = if parameter["schema"].is_null() {
        &parameter["content"]["application/json"]["schema"]
    } else {
        &parameter["schema"]
    };
    let kind = match name {
        "var" => "`var.<name>`".to_owned(),
        "text" => "`text.<language>`".to_owned(),
        _ if schema["type"] == "array" => format!("{}, repeatable", describe_type(&schema["items"])),
        _ => describe_type(schema),
    };
    let of = of.map(|path| format!(" of `{path}`")).unwrap_or_default();
    format!("`{name}`{of} | {kind} | {}", text(&parameter["description"]))
}

fn push_schema(out: &mut String, name: &str, schema: &Value) {
    write!(out, "\n### {name}\n").unwrap();
    if let Some(about) = schema["description"].as_str() {
        write!(out, "\n{about}\n").unwrap();
    }
    for (joint, of) in [(" or ", &schema["oneOf"]), (" and ", &schema["allOf"])] {
        let names: Vec<_> = items(of).map(describe_type).collect();
        if !names.is_empty() {
            write!(out, "\n{}.\n", names.join(joint)).unwrap();
        }
    }
    if schema["properties"].is_object() {
        let rows = members(&schema["properties"]).map(|(field, ty)| {
            let required = if items(&schema["required"]).any(|name| name == field) { "yes" } else { "" };
            format!("`{field}` | {} | {required} | {}", describe_type(ty), text(&ty["description"]))
        });
        *out += &table("field | type | required | meaning", rows);
    }
}

/// Returns the text of `src/guide/use/http.md`.
pub(super) fn page(shape: &Shape) -> String {
    let document: Value = serde_json::from_str(&openapi::document(shape)).unwrap();
    let components = &document["components"];
    let mut out = HEAD.to_owned();
    for (heading, is_operation) in [("Operations", true), ("Other paths", false)] {
        write!(out, "\n## {heading}\n").unwrap();
        if is_operation {
            out += &table("# | method | path | client | scopes", operations().map(operation_row));
        }
        let is_here = |row: &&Endpoint| row.number.is_some() == is_operation && row.target != Target::Agents;
        for row in ENDPOINTS.iter().filter(is_here) {
            push_endpoint(&mut out, &document, row);
        }
    }
    for (heading, place) in
        [("Path variables", "path"), ("Query parameters", "query"), ("Request headers", "header")]
    {
        let shared = members(&components["parameters"]).map(|(_, one)| (None, one));
        let own = members(&document["paths"]).flat_map(|(path, item)| {
            let listed = members(item).flat_map(|(_, operation)| items(&operation["parameters"]));
            listed.map(move |one| (Some(path), one))
        });
        let rows = shared.chain(own).filter(|(_, one)| one["in"] == place);
        let rows = rows.map(|(of, one)| parameter_row(one, of));
        out += &format!("\n## {heading}\n{}", table("name | type | meaning", rows));
    }
    let headers = members(&components["headers"])
        .map(|(name, header)| format!("`{name}` | {}", text(&header["description"])));
    out += &format!("\n## Response headers\n{}", table("name | meaning", headers));
    out.push_str("\n## Bodies\n\nA field that is not required may be absent or null in a request.\n");
    for (name, schema) in members(&components["schemas"]) {
        push_schema(&mut out, name, schema);
    }
    let errors = Code::ALL
        .iter()
        .map(|code| format!("{} | `{}` | {} | {}", code.status(), code.wire(), code.about(), remedy(*code)));
    out += &format!("\n## Errors\n{}", table("status | code | cause | what to do", errors));
    out += REASONS;
    let reasons = Reason::ALL.iter().map(|reason| format!("`{}` | {}", reason.wire(), reason.about()));
    out + &table("`reason` | what is wrong", reasons) + FOOT
}
