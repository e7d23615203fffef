//! The JSON Schemas of own fields, and their places in the document.

use resource_edge::contract::limits;
use resource_edge::openapi;
use resource_edge::shape::kinds;
use resource_edge::shape::types::NOT;
use resource_edge::shape::types::{Object, Role, Type};
use resource_edge::shape::{ObjectId, Shape, System};
use serde_json::{Value, json};

use super::{has_own_fields, head, open_api};

/// Returns the text of `own-schemas.ts`.
pub(super) fn typescript(shape: &Shape) -> String {
    let kinds: String =
        kinds::all().map(|(kind, ty)| format!("  \"{kind}\": {},\n", openapi::schema_of(&ty))).collect();
    let bodies: Vec<&str> =
        ObjectId::BODIES.iter().filter(|id| has_own_fields(shape.object(**id))).map(|id| id.name()).collect();
    let update = shape.object(ObjectId::Update);
    let Type::Union(actions) = update.field(System::Actions.name()).unwrap().ty.item() else {
        panic!("an action is one of several objects")
    };
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
            ObjectId::Record.name(),
            actions.name
        )
}

/// Returns the JSON Schema of `fields.json`, in the version that editors know best. It cannot say that names are
/// unique.
pub(super) fn of_table(shape: &Shape) -> String {
    let kinds: Vec<String> = kinds::all().map(|(kind, _)| kind).collect();
    let reserved = reserved(shape);
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
                "maxItems": limits::OWN_FIELDS,
                "items": field,
            },
        },
        "additionalProperties": false,
    });
    serde_json::to_string_pretty(&schema).unwrap() + "\n"
}

/// Returns the names of the fields of the interface: those of the content are last.
fn reserved(shape: &Shape) -> Vec<String> {
    let mut names = Vec::new();
    for id in [ObjectId::Draft, ObjectId::Update, ObjectId::Deleted] {
        add_names(&mut names, shape.object(id));
    }
    names.extend(shape.content().map(|field| field.name.to_string()));
    assert!(names.iter().all(|name| Shape::with_fields(&format!("{name} text")).is_err()));
    names
}

/// Adds the names in an object that are not of the content, each once.
fn add_names(names: &mut Vec<String>, object: &Object) {
    for field in &object.fields {
        if field.role != Role::Content && !names.iter().any(|name| *name == field.name) {
            names.push(field.name.to_string());
        }
        match field.ty.item() {
            Type::Object(inside) => add_names(names, inside),
            Type::Union(union) => {
                union.variants.iter().for_each(|variant| add_names(names, &variant.object));
            }
            _ => {}
        }
    }
}

/// Returns the schemas of the document of a service with an own field of each type: `text0`, `integer1`, and so on.
pub(super) fn example() -> String {
    let rows = kinds::all().enumerate();
    let table: String =
        rows.map(|(at, (kind, _))| format!("{}{at} {kind}\n", kind.trim_end_matches("[]"))).collect();
    let shape = Shape::with_fields(&table).unwrap();
    let document: Value = serde_json::from_str(&open_api(&shape)).unwrap();
    serde_json::to_string_pretty(&document["components"]["schemas"]).unwrap() + "\n"
}
