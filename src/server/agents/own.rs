//! The own fields of the deployment in the schemas of the tools.

use crate::contract::api::endpoint::Endpoint;
use crate::contract::resource::OwnFields;
use crate::contract::resource::own::KINDS;
use crate::contract::resource::schema::{RESOURCE_UPDATE, UPDATE_ACTION};
use crate::util::text::{append, cut};

/// The schemas of [`KINDS`], a line for each, in their order. `make generate` writes them.
const SCHEMAS: &str = include_str!("own-types.jsonl");

/// Returns the tool of an operation with the own fields in its body: each a member, or an update action that sets it.
pub(super) fn with_fields(row: &Endpoint, line: &str) -> String {
    let (before, Some(after)) = cut(line, b'\t') else { return line.to_owned() };
    let mut tool = before.to_owned();
    let table = OwnFields::current().to_text();
    let actions = UPDATE_ACTION.variants().iter().skip(UPDATE_ACTION.fixed.len());
    for (field, (action, _)) in table.lines().zip(actions) {
        let (name, kind) = cut(field, b' ');
        let schemas = KINDS.iter().zip(SCHEMAS.lines());
        let of_kind = schemas.filter(|((known, _), _)| Some(*known) == kind).map(|(_, schema)| schema);
        let member = ["\"", name, "\":"].into_iter().chain(of_kind).collect::<String>();
        if row.json_body() == Some(&RESOURCE_UPDATE) {
            let about =
                [",{\"description\":\"Sets `", name, "`, or removes its value.\",\"type\":\"object\","];
            append(&mut tool, &about);
            let tag = [
                "\"required\":[\"action\"],\"properties\":{\"action\":{\"type\":\"string\",\"const\":\"",
                action,
            ];
            append(&mut tool, &tag);
            append(&mut tool, &["\"},", &member, "},\"additionalProperties\":false}"]);
        } else {
            append(&mut tool, &[",", &member]);
        }
    }
    tool.push_str(after);
    tool
}
