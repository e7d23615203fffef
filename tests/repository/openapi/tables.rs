//! The document as a whole: references, names, and the tables that it is printed from.

use std::collections::BTreeSet;

use resource_edge::contract::api::endpoint::{DECLARED, ENDPOINTS};
use resource_edge::contract::error::Code;
use serde_json::Value;

use super::{Document, documents};

/// Returns the target of a reference, or the value itself if it is not a reference.
fn resolved<'v>(document: &'v Value, value: &'v Value) -> &'v Value {
    let Some(reference) = value["$ref"].as_str() else { return value };
    let found = document.pointer(reference.strip_prefix('#').unwrap());
    found.unwrap_or_else(|| panic!("{reference} leads nowhere"))
}

#[test]
fn every_error_code_is_returned_by_an_endpoint() {
    for code in Code::ALL {
        let is_returned = ENDPOINTS.iter().chain(&DECLARED).any(|row| row.errors().any(|one| one == *code));
        // 405 belongs to no endpoint: it means that there is none.
        assert!(is_returned || *code == Code::MethodNotAllowed, "{}", code.wire());
    }
}

#[test]
fn every_reference_resolves_and_every_component_is_used() {
    for Document { json, project, .. } in documents() {
        let mut references = BTreeSet::new();
        walk(&json, &mut |value| {
            if let Some(reference) = value["$ref"].as_str() {
                resolved(&json, value);
                references.insert(reference.to_owned());
            }
        });
        for (kind, components) in json["components"].as_object().unwrap() {
            // Security schemes are named, not referred to, and no operation returns 405.
            for name in components.as_object().unwrap().keys().filter(|name| *name != "405") {
                let reference = format!("#/components/{kind}/{name}");
                assert!(
                    kind == "securitySchemes" || references.contains(&reference),
                    "{project}: {reference} is not used"
                );
            }
        }
    }
}

/// Returns the name with a capital letter at its beginning.
fn capitalized(name: &str) -> String {
    name[..1].to_uppercase() + &name[1..]
}

#[test]
fn no_schema_has_a_name_that_generators_derive_from_an_operation() {
    // Generators of clients write these types beside those of the schemas.
    let suffixes =
        ["Body", "Data", "Error", "Errors", "Headers", "Params", "Response", "Responses", "Result"];
    for document in documents() {
        for row in document.endpoints() {
            for name in suffixes.map(|suffix| capitalized(row.name) + suffix) {
                let schemas = &document.json["components"]["schemas"];
                assert!(schemas[&name].is_null(), "{name} is the name of a schema");
            }
        }
    }
}

fn walk(value: &Value, visit: &mut impl FnMut(&Value)) {
    visit(value);
    match value {
        Value::Object(members) => members.values().for_each(|value| walk(value, visit)),
        Value::Array(items) => items.iter().for_each(|value| walk(value, visit)),
        _ => {}
    }
}
