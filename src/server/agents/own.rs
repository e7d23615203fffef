//! The own fields of the deployment in the schemas of the tools.

use crate::contract::api::endpoint::Endpoint;
use crate::contract::resource::OwnFields;
use crate::contract::resource::own::KINDS;
use crate::contract::resource::schema::{RESOURCE_UPDATE, UPDATE_ACTION};
use crate::util::json::{self, ObjectWriter};
use crate::util::text::{append, concat, cut};

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
        let mut schemas = KINDS.iter().zip(SCHEMAS.lines());
        let schema = schemas.find(|((known, _), _)| Some(*known) == kind).map_or("", |(_, schema)| schema);
        tool.push(',');
        if row.json_body() == Some(&RESOURCE_UPDATE) {
            let mut object = ObjectWriter::open(&mut tool);
            object.text("description", &concat(&["Sets `", name, "`, or removes its value."]));
            object.text("type", "object");
            object.array("required", &["action"], |out, name| json::string(out, name));
            let mut properties = ObjectWriter::open(object.member("properties"));
            let mut tag = ObjectWriter::open(properties.member("action"));
            tag.text("type", "string");
            tag.text("const", action);
            tag.close();
            properties.member(name).push_str(schema);
            properties.close();
            object.boolean("additionalProperties", false);
            object.close();
        } else {
            append(&mut tool, &["\"", name, "\":", schema]);
        }
    }
    tool.push_str(after);
    tool
}
