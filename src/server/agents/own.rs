//! The own fields of the deployment in the schemas of the tools, and in the instructions.

use crate::contract::api::endpoint::Endpoint;
use crate::contract::resource::OwnFields;
use crate::contract::resource::own::KINDS;
use crate::contract::resource::schema::{RESOURCE_UPDATE, UPDATE_ACTION};
use crate::util::text::{append, cut};

/// The schemas of [`KINDS`], a line for each, in their order. `make generate` writes them.
const SCHEMAS: &str = include_str!("own-types.jsonl");

/// Returns the tool of an operation with the own fields in its body: each a member. An update also has the names of the
/// actions that set them.
pub(super) fn with_fields(row: &Endpoint, line: &str) -> String {
    let (before, Some(mut rest)) = cut(line, b'\t') else { return line.to_owned() };
    let mut tool = before.to_owned();
    if row.json_body() == Some(&RESOURCE_UPDATE) {
        for action in actions() {
            append(&mut tool, &[",\"", action, "\""]);
        }
        let (between, after) = cut(rest, b'\t');
        tool.push_str(between);
        rest = after.unwrap_or_default();
    }
    for field in OwnFields::current().to_text().lines() {
        let (name, kind) = cut(field, b' ');
        let mut schemas = KINDS.iter().zip(SCHEMAS.lines());
        let schema = schemas.find(|((known, _), _)| Some(*known) == kind).map_or("", |(_, schema)| schema);
        append(&mut tool, &[",\"", name, "\":", schema]);
    }
    tool.push_str(rest);
    tool
}

/// Appends what an agent has to know about the own fields: examples of predicates, which name some, and all fields with
/// their types. Without own fields, the examples name others.
pub(super) fn describe(out: &mut String) {
    let table = OwnFields::current().to_text();
    let (Some(first), Some(last)) = (table.lines().next(), table.lines().last()) else {
        out.push_str("custom = \"a\", arrayOfIntExample contains any (6), key is defined.");
        return;
    };
    let ((name, kind), (other, _)) = (cut(first, b' '), cut(last, b' '));
    let kind = kind.unwrap_or_default();
    let value = match kind.trim_end_matches("[]") {
        "integer" => "6",
        "number" => "0.5",
        "boolean" => "true",
        "datetime" => "\"2026-11-19T08:00:00.000Z\"",
        _ => "\"a\"",
    };
    let (operator, end) = if kind.ends_with("[]") { (" contains any (", ")") } else { (" = ", "") };
    append(out, &[name, operator, value, end, ", ", other, " is defined. The fields of this service are "]);
    for (at, field) in table.lines().enumerate() {
        append(out, &[if at == 0 { "" } else { ", " }, field]);
    }
    let action = actions().next().unwrap_or_default();
    append(
        out,
        &[". An update action sets each, such as ", action, ", or removes it if the value is absent."],
    );
}

/// Returns the names of the update actions that set the own fields.
fn actions() -> impl Iterator<Item = &'static str> {
    UPDATE_ACTION.variants().iter().skip(UPDATE_ACTION.fixed.len()).map(|(action, _)| *action)
}
