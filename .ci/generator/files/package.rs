//! The operations in the table of endpoints, and the messages to the WebAssembly, as JavaScript and TypeScript.

use std::fmt::Write as _;

use resource_edge::client::message::Layout;
use resource_edge::client::{ATTEMPTS, Call, Options, Response, Retry, Step, TIMEOUT_MS};
use resource_edge::contract::api::endpoint::{self, CallId, Endpoint, OPERATIONS, ResponseBody};
use resource_edge::contract::api::path;
use resource_edge::contract::limits;
use resource_edge::contract::param::{Param, ParamId, ParamType};
use resource_edge::syntax::Language;

use super::head;
use super::names::{camel, from_snake, pascal};

/// Where the files come from.
const TABLE: &str = "the table of endpoints (src/contract/api/endpoint/table.rs)";

const OPERATION_TYPES: &str = "
/** How an operation is sent. */
export interface OperationInfo {
  readonly method: \"GET\" | \"HEAD\" | \"POST\" | \"PATCH\" | \"PUT\" | \"DELETE\";
  /** It writes: the client sends an `Idempotency-Key`. */
  readonly write?: true;
  /** It returns a page of results. */
  readonly page?: true;
  /** The kind of its body, as in `validate`. */
  readonly body?: keyof Bodies;
  /** @internal Its number in Rust. */
  readonly index: number;
}

/** How each operation is sent. */
export const operations: { readonly [Name in Operation]: OperationInfo } = {
";

/// Returns `var` for `var.<name>`; `None` if the name is fixed.
fn family(param: &Param) -> Option<&'static str> {
    param.id.name().split_once(".<").map(|(family, _)| family)
}

/// Returns the distinct names of parameters.
fn names(name: impl Fn(&Param) -> Option<&'static str>) -> String {
    let mut names: Vec<&str> = endpoint::operations().flat_map(Endpoint::params).filter_map(name).collect();
    names.sort_unstable();
    names.dedup();
    names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
}

/// Returns the text of `operations.ts`.
pub(super) fn operations() -> String {
    let mut out = head(TABLE);
    out.push_str(
        "\nimport type { Bodies } from \"./bodies.js\";\n\n\
         /** The name of an operation, and of the client's method. */\nexport type Operation =",
    );
    for row in endpoint::operations() {
        write!(out, "\n  | \"{}\"", row.name).unwrap();
    }
    out.push_str(";\n");
    out.push_str(OPERATION_TYPES);
    for (index, row) in endpoint::operations().enumerate() {
        info(&mut out, index, row);
        if matches!(
            row.success[0].shape,
            ResponseBody::Page | ResponseBody::PageWithFirst | ResponseBody::SearchResult
        ) {
            out.push_str(", page: true");
        }
        sends(&mut out, row);
        out.push_str(" },\n");
    }
    out.push_str("};\n");
    project_calls(&mut out);
    let is_object = |param: &Param| matches!(param.id.rule().ty, ParamType::Json(_)).then(|| param.id.name());
    for (about, name, names) in [
        ("Parameters of many names, which an object under their prefix contains.", "families", names(family)),
        ("Parameters whose value is an object.", "objects", names(is_object)),
    ] {
        write!(out, "\n/** @internal {about} */\nexport const {name} = [{names}];\n").unwrap();
    }
    out
}

/// Writes the calls of a project that are not operations, and the limits of an import.
fn project_calls(out: &mut String) {
    out.push_str(
        "\n/** @internal How the client's other calls of a project are sent. */\nexport const projectCalls = {\n",
    );
    for (index, id) in CallId::ALL.iter().enumerate().skip(OPERATIONS) {
        info(out, index, id.row());
        if id.row().has_key() {
            sends(out, id.row());
            out.push_str(" },\n");
            continue;
        }
        out.push_str(match id.row().success[0].shape {
            ResponseBody::Lines => ", lines: true },\n",
            ResponseBody::Changes => ", page: true },\n",
            _ => ", lines: false },\n",
        });
    }
    write!(
        out,
        "}} as const;\n\n/** @internal The most lines of an import, and their most bytes. */\n\
         export const BATCH = {{ lines: {}, bytes: {} }};\n",
        limits::EXPORT_LINES,
        limits::BATCH_BYTES,
    )
    .unwrap();
}

/// Writes the beginning of an operation's entry.
fn info(out: &mut String, index: usize, row: &Endpoint) {
    write!(out, "  {}: {{ index: {index}, method: \"{}\"", row.name, row.method.name()).unwrap();
}

/// Writes whether an endpoint writes, and the kind of its body.
fn sends(out: &mut String, row: &Endpoint) {
    if row.has_key() {
        out.push_str(", write: true");
    }
    if let Some(body) = row.json_body() {
        write!(out, ", body: \"{}\"", camel(body.name())).unwrap();
    }
}

/// Writes the type of a message, and the function that writes it.
fn writer(out: &mut String, file: &str, layout: &Layout) {
    // Not by destructuring, which would name each part twice.
    let part = |name: &&str| format!("message.{}", from_snake(name));
    let (name, numbers) = (layout.name, layout.numbers.iter().map(part).collect::<Vec<_>>().join(", "));
    let list = layout.list.iter().map(|list| format!("...{}", part(list)));
    let texts = layout.texts.iter().map(part).chain(list).collect::<Vec<_>>().join(", ");
    let types = |names: &[&str], ty: &str| {
        names.iter().map(|name| format!("  {}: {ty};\n", from_snake(name))).collect::<String>()
    };
    let types = [
        types(layout.numbers, "MessageNumber"),
        types(layout.texts, "string"),
        types(layout.list, "readonly string[]"),
    ]
    .concat();
    write!(
        out,
        "\n/** `{name}` of src/client/{file}.rs. */\nexport interface {name}Message {{\n{types}}}\n\n\
         /** Writes the message into the buffer and returns its length in bytes. */\n\
         export function put{name}(message: {name}Message) {{\n  \
         return putMessage([{numbers}], [{texts}]);\n}}\n",
    )
    .unwrap();
}

/// Returns the text of `messages.ts`.
pub(super) fn messages() -> String {
    let mut out = head("the messages and steps of src/client");
    out.push_str("\nimport { type MessageNumber, putMessage } from \"../core/instance.js\";\n");
    for (file, layout) in
        [("options", Options::LAYOUT), ("call", Call::LAYOUT), ("attempt", Response::LAYOUT)]
    {
        writer(&mut out, file, &layout);
    }
    out.push_str(
        "\n/** What follows an attempt: `Step` in src/client/exchange.rs. */\nexport const Step = {\n",
    );
    for (number, step) in Step::ALL.into_iter().enumerate() {
        assert_eq!(step as usize, number, "{step:?}");
        writeln!(out, "  {step:?}: {number},").unwrap();
    }
    out.push_str("};\n");
    let Retry { retries, base_delay, max_delay } = Retry::DEFAULT;
    write!(
        out,
        "\n/** How often and how soon to retry by default: `Retry::DEFAULT` in src/client/options.rs. */\n\
         export const RETRY = {{ retries: {retries}, baseDelay: {base_delay}, maxDelay: {max_delay} }};\n\n\
         /** The default timeout of a call, in milliseconds. */\n\
         export const TIMEOUT = {TIMEOUT_MS};\n\n\
         /** The part of a call's timeout that an attempt has by default. */\n\
         export const ATTEMPTS = {ATTEMPTS};\n",
    )
    .unwrap();
    out
}

/// Returns the text of `params.ts`.
pub(super) fn params() -> String {
    let mut out = head(TABLE);
    out.push_str(
        "\nimport type { ObjectTestType } from \"./bodies.js\";\n\n\
         /** The value of a predicate's variable. */\n\
         export type VariableValue = string | number | boolean | Date;\n",
    );
    for (at, row) in endpoint::operations().enumerate() {
        if row.params().next().is_none() {
            continue;
        }
        let name = pascal(row.name);
        write!(
            out,
            "\n/** Query parameters of `{}` (operation {}). */\nexport interface {name}Params {{\n",
            row.name,
            at + 1
        )
        .unwrap();
        // The type of `fields` depends on the resource: the package writes it (`own/parts.ts`).
        for param in row.params().filter(|param| param.id != ParamId::Fields) {
            member(&mut out, param);
        }
        out.push_str("}\n");
    }
    out
}

fn member(out: &mut String, param: &Param) {
    let rule = param.id.rule();
    let ty = match rule.ty {
        ParamType::String if family(param) == Some("var") => {
            "VariableValue | readonly VariableValue[]".to_owned()
        }
        ParamType::String if rule.repeatable => "string | readonly string[]".to_owned(),
        ParamType::String => "string".to_owned(),
        ParamType::Float | ParamType::Whole { .. } => "number".to_owned(),
        ParamType::Boolean => "boolean".to_owned(),
        ParamType::Json(object) => object.name().to_owned(),
    };
    let bounds = match rule.ty {
        ParamType::Whole { min, max } => format!(" A whole number from {min} to {max}."),
        _ => String::new(),
    };
    writeln!(out, "  /** {}{bounds} */", param.about).unwrap();
    let name = param.id.name();
    match family(param) {
        Some(name) => {
            writeln!(out, "  readonly {name}?: {{ readonly [name: string]: {ty} | undefined }} | undefined;")
        }
        None if name.contains('.') => writeln!(out, "  readonly \"{name}\"?: {ty} | undefined;"),
        None => writeln!(out, "  readonly {name}?: {ty} | undefined;"),
    }
    .unwrap();
}

/// Returns the text of `routes.ts`.
pub(super) fn routes() -> String {
    let mut rows: Vec<&Endpoint> = endpoint::operations().collect();
    // The most specific path is first, as the router compares them.
    rows.sort_by_key(|row| row.path.iter().map(|segment| segment.rank()).collect::<Vec<_>>());
    let mut out = head(TABLE);
    out.push_str(
        "\n/** The method and the path of each operation, the most specific path first. */\nexport const routes = [\n",
    );
    for row in rows {
        let path = path::template(row.path);
        writeln!(
            out,
            "  {{ operation: \"{}\", method: \"{}\", path: \"{path}\" }},",
            row.name,
            row.method.name()
        )
        .unwrap();
    }
    out.push_str("];\n");
    out
}

/// Returns the text of `languages.ts`.
pub(super) fn languages() -> String {
    let names: Vec<String> = Language::ALL
        .iter()
        .map(|language| format!("\"{}\"", format!("{language:?}").to_lowercase()))
        .collect();
    let mut out = head("the query languages (src/syntax.rs)");
    write!(
        out,
        "
/** The query languages. The index of each is its number in the WebAssembly. */
export const languages = [{}] as const;
",
        names.join(", ")
    )
    .unwrap();
    out
}
