//! The JSON Schemas of own fields, and where they are in the document.

use resource_edge::contract::resource::own::{KINDS, OwnFields};
use resource_edge::contract::resource::schema::{
    BODIES, COMPLEX_BODY, RESOURCE, RESOURCE_DRAFT, RESOURCE_OVERWRITE, UPDATE_ACTION,
};
use resource_edge::openapi;
use serde_json::Value;

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
