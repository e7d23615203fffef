//! Reads the resources of a deployment, with the check that needs the walk: a default keeps the rules of its field
//! (D39).

use super::issues::issue::NotJson;
use super::issues::list::IssueList;
use super::json::cursor::Cursor;
use super::part::BodyPart;
use super::receiver::Verdict;
use super::walk::Walk;
use crate::shape::types::Object;
use crate::shape::{ObjectId, Refused, Resources, Shape};
use crate::util::text::concat;

/// Reads the content of `resources.json` ([`Resources::read`]).
pub fn read_resources(text: &str) -> Result<Resources, Refused> {
    let resources = Resources::read(text)?;
    let wrong = resources.declared().find_map(|(name, shape)| {
        let (field, message) = wrong_default(shape)?;
        Some(Refused { at: concat(&["/resources/", name, "/properties/", field, "/default"]), message })
    });
    wrong.map_or(Ok(resources), Err)
}

/// Returns the first field whose default breaks its rules, and the sentence that a body with this value would get.
fn wrong_default(shape: &Shape) -> Option<(&str, String)> {
    let body = shape.object(ObjectId::Draft);
    body.fields.iter().find_map(|field| {
        let message = first_message(body, &field.name, shape.default_of(&field.name)?)?;
        Some((field.name.as_ref(), message))
    })
}

fn first_message(body: &Object, name: &str, value: &str) -> Option<String> {
    let mut issues = IssueList::default();
    let part = BodyPart::find(body, name)?;
    // The value is JSON, because the whole text was. But members that the schema lacks may be too deep.
    match Walk::run_part(Cursor::new(value, false), part, &mut Verdict, &mut issues) {
        Ok(()) => issues.first_message(),
        Err((at, fault)) => Some(NotJson::from_fault(value, at, fault).summary()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::limits;
    use crate::test;
    use serde_json::{Value, json};

    fn read(schema: &Value) -> Result<(), (String, String)> {
        let product =
            json!({ "type": "object", "properties": { "other": { "type": "string" }, "a": schema } });
        let read = read_resources(&json!({ "resources": { "product": product } }).to_string());
        read.map(drop).map_err(|Refused { at, message }| (at, message))
    }

    #[test]
    fn a_default_keeps_the_rules_of_its_field() {
        for schema in [
            json!({ "type": "string", "default": "" }),
            json!({ "enum": ["draft", "active"], "default": "draft" }),
            json!({ "type": "array", "items": { "type": "integer" }, "uniqueItems": true, "default": [1, 2] }),
            json!({ "type": ["string", "null"], "minLength": 2, "default": null }),
        ] {
            assert_eq!(read(&schema), Ok(()), "{schema}");
        }
        let deep = (0..limits::BODY_DEPTH).fold(json!(1), |inner, _| json!([inner]));
        for (schema, part) in [
            (json!({ "type": "string", "default": 1 }), "expected a string, found a number"),
            (json!({ "type": "string", "minLength": 2, "default": "a" }), "at least 2 characters"),
            (json!({ "enum": ["draft", "active"], "default": "gone" }), "one of 'draft', 'active'"),
            (json!({ "type": "integer", "minimum": 0, "default": -1 }), "found -1"),
            (
                json!({ "type": "array", "items": { "type": "integer" }, "uniqueItems": true, "default": [1, 1] }),
                "does not occur earlier",
            ),
            (
                json!({ "type": "object", "required": ["b"], "properties": { "b": { "type": "number" } }, "default": {} }),
                "'b' is required",
            ),
            (json!({ "type": "object", "properties": {}, "default": { "c": 1 } }), "Unknown field 'c'"),
            (json!({ "type": "object", "properties": {}, "default": 5 }), "expected an object"),
            (
                json!({ "type": "object", "properties": {}, "default": { "c": deep } }),
                "Nested too deeply (line 1",
            ),
        ] {
            let (at, message) = read(&schema).unwrap_err();
            assert_eq!(at, "/resources/product/properties/a/default", "{schema}");
            assert!(message.contains(part), "{schema}: {message}");
        }
    }
}
