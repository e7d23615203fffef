//! The JSON Schemas of own fields, and their places in the document.

use resource_edge::contract::limits;
use resource_edge::contract::resource::own::{KINDS, NOT, OWN_ROOM};
use resource_edge::contract::resource::schema::{
    BODIES, COMPLEX_BODY, RESOURCE, RESOURCE_DRAFT, RESOURCE_OVERWRITE, UPDATE_ACTION,
};
use resource_edge::contract::resource::{FieldId, OwnFields};
use resource_edge::openapi;
use serde_json::{Value, json};

use super::{head, open_api};

/// Returns the text of `own-schemas.ts`.
pub(super) fn typescript() -> String {
    let kinds: String =
        KINDS.iter().map(|(kind, ty)| format!("  \"{kind}\": {},\n", openapi::schema_of(ty))).collect();
    let bodies = [&RESOURCE_DRAFT, &RESOURCE_OVERWRITE, &COMPLEX_BODY].map(|body| body.name);
    assert!(BODIES.iter().filter(|body| body.extended.is_some()).all(|body| bodies.contains(&body.name)));
    head("the OpenAPI document's schemas (src/openapi)")
        + &format!(
            "
/** The schemas of values, by the types of own fields. */
export const kinds: {{ readonly [kind: string]: {{ type: string; [name: string]: unknown }} }} = {{
{kinds}}};

/** The names of the schemas that have own fields, and of the one that has their actions. */
export const bodies = {bodies:?};
export const record = \"{}\";
export const actions = \"{}\";
",
            RESOURCE.name, UPDATE_ACTION.name
        )
}

/// Returns the JSON Schema of `fields.json`, in the version that editors know best. It cannot say that names are
/// unique.
pub(super) fn of_table() -> String {
    let kinds = KINDS.map(|(kind, _)| kind);
    let reserved: Vec<&str> = FieldId::FIXED.iter().map(|id| id.name()).collect();
    // In any case.
    let not: String =
        NOT.chars().map(|letter| format!("[{letter}{}]", letter.to_ascii_uppercase())).collect();
    let name = json!({
        "description": "The name, such as title. Do not change it once data is stored.",
        "type": "string",
        "pattern": "^[a-z][A-Za-z0-9_]*$",
        "maxLength": limits::OWN_NAME_CHARS,
        "not": { "anyOf": [{ "enum": reserved }, { "pattern": format!("^{not}$") }] },
    });
    let kind = json!({ "description": "The type. Do not change it once data is stored.", "enum": kinds });
    let field = json!({
        "type": "object",
        "required": ["name", "type"],
        "properties": { "name": name, "type": kind },
        "additionalProperties": false,
    });
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "The fields of your own, of a service of resource-edge",
        "type": "object",
        "required": ["fields"],
        "properties": {
            "$schema": { "type": "string" },
            "fields": {
                "description": "The fields. Add new ones at the end.",
                "type": "array",
                "maxItems": OWN_ROOM,
                "items": field,
            },
        },
        "additionalProperties": false,
    });
    serde_json::to_string_pretty(&schema).unwrap() + "\n"
}

/// Returns the schemas of the document of a service with an own field of each type: `text0`, `integer1`, and so on.
pub(super) fn example() -> String {
    let before = OwnFields::current();
    let rows = KINDS.iter().enumerate();
    let table: String =
        rows.map(|(at, (kind, _))| format!("{}{at} {kind}\n", kind.trim_end_matches("[]"))).collect();
    OwnFields::parse(&table).unwrap().install();
    let document: Value = serde_json::from_str(&open_api()).unwrap();
    before.install();
    serde_json::to_string_pretty(&document["components"]["schemas"]).unwrap() + "\n"
}
