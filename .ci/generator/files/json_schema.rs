//! The JSON Schemas of the bodies, from the OpenAPI document.

use std::fmt::Write as _;

use resource_edge::contract::resource::schema::BODIES;
use resource_edge::openapi;

use super::head;

const HEAD: &str = "
/** JSON Schemas (2020-12) of the bodies and of what is in them, by their names. */
export const schemas: { readonly [name: string]: object } = {
";

/// Returns the text of `json-schemas.ts`.
pub(super) fn typescript() -> String {
    let document = openapi::document();
    let components = document.split_once("\"components\":{\"schemas\":").unwrap().1;
    let schemas = members(components);
    let mut out = head("the OpenAPI document's schemas (src/openapi)") + HEAD;
    let mut names: Vec<String> = BODIES.iter().map(|body| body.name.to_owned()).collect();
    let mut at = 0;
    while let Some(name) = names.get(at).cloned() {
        let (_, schema) = schemas.iter().find(|(known, _)| *known == name).unwrap();
        let schema = plain(schema);
        for reference in schema.split("\"#/$defs/").skip(1) {
            let name = reference.split('"').next().unwrap();
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
        writeln!(out, "  {name}: {schema},").unwrap();
        at += 1;
    }
    out.push_str("};\n");
    out
}

/// Returns the schema without the parts that only OpenAPI defines: the formats of numbers, and discriminators.
fn plain(schema: &str) -> String {
    let mut text = schema.replace("#/components/schemas/", "#/$defs/");
    for format in ["int32", "int64", "double"] {
        text = text.replace(&format!(",\"format\":\"{format}\""), "");
    }
    while let Some((before, rest)) = text.split_once(",\"discriminator\":") {
        let after = rest.get(value(rest).len()..).unwrap();
        text = format!("{before}{after}");
    }
    text
}

/// Returns the names and values of the object at the start of a JSON text without white space.
fn members(text: &str) -> Vec<(&str, &str)> {
    let mut all = Vec::new();
    let mut rest = text;
    while let Some(member) = rest.strip_prefix(['{', ',']) {
        let name = value(member);
        let value = value(&member[name.len() + 1..]);
        all.push((name.trim_matches('"'), value));
        rest = &member[name.len() + 1 + value.len()..];
    }
    all
}

/// Returns the value at the start of a JSON text without white space.
fn value(text: &str) -> &str {
    let (mut depth, mut quoted, mut escaped) = (0, false, false);
    for (at, char) in text.char_indices() {
        match char {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '{' | '[' => depth += 1,
            ',' | ':' | '}' | ']' if depth == 0 => return &text[..at],
            '}' | ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 && !quoted && matches!(char, '}' | ']' | '"') {
            return &text[..at + char.len_utf8()];
        }
    }
    text
}
