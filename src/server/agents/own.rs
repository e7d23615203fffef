//! The own fields of the deployment in the schemas of the tools, and in the instructions.

use crate::contract::api::endpoint::Endpoint;
use crate::shape::types::{Format, Type};
use crate::shape::{ObjectId, Shape, kinds};
use crate::util::text::{append, cut};

/// The schemas of [`kinds::all`], a line for each, in their order. `make generate` writes them.
const SCHEMAS: &str = include_str!("own-types.jsonl");

/// Returns the tool of an operation with the own fields in its body: each a member. An update also has the names of the
/// actions that set them.
pub(super) fn with_fields(shape: &Shape, row: &Endpoint, line: &str) -> String {
    let (before, Some(mut rest)) = cut(line, b'\t') else { return line.to_owned() };
    let mut tool = before.to_owned();
    if row.json_body() == Some(ObjectId::Update) {
        for action in shape.own_actions() {
            append(&mut tool, &[",\"", action, "\""]);
        }
        let (between, after) = cut(rest, b'\t');
        tool.push_str(between);
        rest = after.unwrap_or_default();
    }
    for field in shape.own_fields() {
        append(&mut tool, &[",\"", &field.name, "\":", schema(&field.ty)]);
    }
    tool.push_str(rest);
    tool
}

fn schema(ty: &Type) -> &'static str {
    let mut schemas = kinds::all().zip(SCHEMAS.lines());
    schemas.find(|((_, known), _)| known == ty).map_or("", |(_, schema)| schema)
}

/// Appends what an agent has to know about the own fields: examples of predicates, which name some, and all fields with
/// their types. Without own fields, the examples name others.
pub(super) fn describe(shape: &Shape, out: &mut String) {
    let fields = shape.own_fields();
    let (Some(first), Some(last)) = (fields.first(), fields.last()) else {
        out.push_str("custom = \"a\", arrayOfIntExample contains any (6), key is defined.");
        return;
    };
    let value = match first.ty.item() {
        Type::Integer { .. } => "6",
        Type::Number => "0.5",
        Type::Boolean => "true",
        Type::String(Format::DateTime) => "\"2026-11-19T08:00:00.000Z\"",
        _ => "\"a\"",
    };
    let (operator, end) = if first.ty.is_array() { (" contains any (", ")") } else { (" = ", "") };
    let intro = " is defined. The fields of this service are ";
    append(out, &[&first.name, operator, value, end, ", ", &last.name, intro]);
    for (at, field) in fields.iter().enumerate() {
        append(out, &[if at == 0 { "" } else { ", " }, &field.name, " ", &kinds::name_of(&field.ty)]);
    }
    let action = shape.own_actions().next().unwrap_or_default();
    append(
        out,
        &[". An update action sets each, such as ", action, ", or removes it if the value is absent."],
    );
}
