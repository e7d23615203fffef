//! Checks that the document has exactly the rows of the contract's tables.

use std::collections::BTreeSet;

use resource_edge::contract::error::Code;
use resource_edge::contract::header::RequestHeader;
use resource_edge::contract::operation::OPERATIONS;
use resource_edge::contract::path;
use resource_edge::contract::schema::{BODIES, Field, UPDATE_ACTION};
use resource_edge::contract::service::SERVICES;
use serde_json::Value;

use super::document;

/// Returns the target of a reference, or the value itself if it is not a reference.
fn resolved<'v>(document: &'v Value, value: &'v Value) -> &'v Value {
    let Some(reference) = value["$ref"].as_str() else { return value };
    let found = document.pointer(reference.strip_prefix('#').unwrap());
    found.unwrap_or_else(|| panic!("{reference} leads nowhere"))
}

fn texts(values: &Value) -> BTreeSet<&str> {
    values.as_array().unwrap().iter().filter_map(Value::as_str).collect()
}

#[test]
fn every_operation_of_the_tables_is_there_and_no_other() {
    let document = document();
    let mut found = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap().iter().filter(|(name, _)| *name != "parameters")
        {
            let name = operation["operationId"].as_str().unwrap();
            assert!(found.insert(format!("{method} {path} {name}")));
        }
    }
    let mut wanted = BTreeSet::new();
    for row in &OPERATIONS {
        let mut template = String::new();
        path::push_template(&mut template, row.path);
        wanted.insert(format!("{} {template} {}", row.method.name().to_lowercase(), row.name));
    }
    for row in &SERVICES {
        wanted.insert(format!("{} {} {}", row.method.name().to_lowercase(), row.path, row.name));
    }
    assert_eq!(found, wanted);
}

#[test]
fn every_operation_has_its_parameters_headers_body_and_scopes() {
    let document = document();
    for row in &OPERATIONS {
        let mut template = String::new();
        path::push_template(&mut template, row.path);
        let item = &document["paths"][&template];
        let operation = &item[row.method.name().to_lowercase()];
        assert_eq!(operation["summary"], row.summary, "{}", row.name);
        let parameters = |values: &Value, place: &str| -> BTreeSet<String> {
            let all = values.as_array().unwrap().iter().map(|one| resolved(&document, one));
            all.filter(|one| one["in"] == place).map(|one| one["name"].as_str().unwrap().to_owned()).collect()
        };
        let variables =
            row.path.iter().filter_map(|segment| segment.variable()).map(|one| one.name().to_owned());
        assert_eq!(parameters(&item["parameters"], "path"), variables.collect(), "{}", row.name);
        let queries =
            row.params().map(|param| param.id.name().split(".<").next().unwrap_or_default().to_owned());
        assert_eq!(parameters(&operation["parameters"], "query"), queries.collect(), "{}", row.name);
        let headers = row.headers().map(|header| header.name().to_owned());
        assert_eq!(parameters(&operation["parameters"], "header"), headers.collect(), "{}", row.name);
        let body = &operation["requestBody"]["content"]["application/json"]["schema"]["$ref"];
        let named = row.body.map(|body| format!("#/components/schemas/{}", body.name));
        assert_eq!(body.as_str(), named.as_deref(), "{}", row.name);
        for scheme in ["bearer", "oauth2"] {
            let list = operation["security"].as_array().unwrap();
            let scopes: BTreeSet<&str> =
                list.iter().filter_map(|one| one[scheme].as_array()?.first()?.as_str()).collect();
            assert_eq!(scopes, row.access.scopes().iter().copied().collect(), "{}", row.name);
        }
    }
}

#[test]
fn every_operation_returns_the_statuses_of_its_errors() {
    let document = document();
    for row in &OPERATIONS {
        let mut template = String::new();
        path::push_template(&mut template, row.path);
        let operation = &document["paths"][&template][row.method.name().to_lowercase()];
        let found: BTreeSet<String> = operation["responses"].as_object().unwrap().keys().cloned().collect();
        let mut wanted: BTreeSet<String> = row.errors().map(|code| code.status().to_string()).collect();
        wanted.extend(row.success.iter().map(|success| success.status.to_string()));
        if row.reads_one() {
            wanted.insert("304".to_owned());
        }
        assert_eq!(found, wanted, "{}", row.name);
        for code in row.errors() {
            let response = resolved(&document, &operation["responses"][code.status().to_string()]);
            let about = response["description"].as_str().unwrap();
            assert!(about.contains(&format!("`{}`: {}", code.wire(), code.about())), "{} {about}", row.name);
        }
    }
}

#[test]
fn the_error_codes_are_those_of_the_table() {
    let document = document();
    let codes = texts(&document["components"]["schemas"]["ErrorItem"]["properties"]["code"]["enum"]);
    assert_eq!(codes, Code::ALL.iter().map(|code| code.wire()).collect());
    for code in Code::ALL {
        let operations = OPERATIONS.iter().filter(|row| row.errors().any(|one| one == *code)).count();
        let services = SERVICES.iter().filter(|row| row.errors().any(|one| one == *code)).count();
        // 405 belongs to no operation: it means that there is none.
        assert!(
            operations + services > 0 || *code == Code::MethodNotAllowed,
            "{} is never answered",
            code.wire()
        );
        assert!(!code.about().is_empty(), "{}", code.wire());
    }
}

#[test]
fn every_body_is_a_schema_with_the_fields_of_the_contract_alone() {
    let document = document();
    for body in BODIES.into_iter().chain(UPDATE_ACTION.variants.iter().map(|(_, shape)| *shape)) {
        let schema = &document["components"]["schemas"][body.name];
        let names: Vec<&str> = body.fields.iter().map(Field::name).collect();
        let found: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
        assert_eq!(found.into_iter().collect::<BTreeSet<_>>().len(), names.len(), "{}", body.name);
        assert!(names.iter().all(|name| schema["properties"].get(name).is_some()), "{}", body.name);
        assert_eq!(schema["additionalProperties"], false, "{}", body.name);
    }
    let union = &document["components"]["schemas"][UPDATE_ACTION.name];
    for (value, shape) in UPDATE_ACTION.variants {
        let reference = format!("#/components/schemas/{}", shape.name);
        assert_eq!(union["discriminator"]["mapping"][value], reference.as_str());
        assert_eq!(document["components"]["schemas"][shape.name]["properties"]["action"]["const"], *value);
    }
}

#[test]
fn every_reference_leads_somewhere_and_every_component_is_used() {
    let document = document();
    let mut references = BTreeSet::new();
    walk(&document, &mut |value| {
        if let Some(reference) = value["$ref"].as_str() {
            resolved(&document, value);
            references.insert(reference.to_owned());
        }
    });
    for (kind, components) in document["components"].as_object().unwrap() {
        // Security schemes are named, not referred to, and no operation returns 405.
        for name in components.as_object().unwrap().keys().filter(|name| *name != "405") {
            let reference = format!("#/components/{kind}/{name}");
            assert!(kind == "securitySchemes" || references.contains(&reference), "{reference} is not used");
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

#[test]
fn no_name_occurs_twice_and_no_description_is_empty() {
    let text = resource_edge::openapi::document();
    let parameters = text.split("\"parameters\":{").nth(1).unwrap();
    for header in RequestHeader::ALL {
        assert!(parameters.matches(&format!("\"{}\":{{\"name\"", header.name())).count() <= 1);
    }
    walk(&document(), &mut |value| {
        if let Some(about) = value["description"].as_str() {
            assert!(!about.is_empty() && about.trim() == about, "{about:?}");
        }
    });
}
