//! Checks that the product accepts or returns every example.

use resource_edge::contract::api::endpoint::{Endpoint, ResponseBody, operations};
use resource_edge::contract::api::path;
use resource_edge::contract::param::{self, Param};
use resource_edge::contract::response::receipt;
use resource_edge::shape::ObjectId;
use resource_edge::util::{percent, time};
use resource_edge::validate;
use serde_json::Value;

use super::{Document, documents};

fn operation<'d>(document: &'d Document, row: &Endpoint) -> &'d Value {
    &document.json["paths"][&path::template(row.path)][row.method.name().to_lowercase()]
}

fn valid(document: &Document, id: ObjectId, example: &Value) {
    let text = example.to_string();
    let object = document.shape().object(id);
    let valid = validate::validate(object, text.as_bytes(), &mut validate::Verdict);
    assert!(valid.is_ok(), "{}: {} does not take {text}", document.project, id.name());
}

#[test]
fn examples_of_bodies_are_valid() {
    for document in documents() {
        for row in operations() {
            let Some(body) = row.json_body() else { continue };
            let operation = operation(&document, row);
            valid(&document, body, &operation["requestBody"]["content"]["application/json"]["example"]);
        }
    }
}

#[test]
fn examples_of_responses_are_valid() {
    for document in documents() {
        for row in document.endpoints() {
            let responses = &operation(&document, row)["responses"];
            for success in row.success {
                let content = &responses[success.status.to_string()]["content"];
                example_of_success(&document, row, success.shape, content);
            }
        }
    }
}

fn example_of_success(document: &Document, row: &Endpoint, body: ResponseBody, content: &Value) {
    let example = &content["application/json"]["example"];
    match body {
        ResponseBody::Nothing => assert!(content.is_null(), "{}", row.name),
        ResponseBody::Record => valid(document, ObjectId::Record, example),
        ResponseBody::Arrays => valid(document, ObjectId::StoredArrays, example),
        ResponseBody::Receipt => {
            let instant = time::parse(example["dateTimeExample"].as_str().unwrap()).unwrap();
            assert_eq!(*example, serde_json::from_str::<Value>(&receipt::json(instant)).unwrap());
        }
        ResponseBody::Page | ResponseBody::PageWithFirst | ResponseBody::SearchResult => {
            valid(document, ObjectId::Record, &example["results"][0]);
        }
        ResponseBody::Batch => valid(document, ObjectId::Record, &example["results"][0]["resource"]),
        ResponseBody::Lines => {
            assert!(content["application/x-ndjson"]["example"].is_string(), "{}", row.name);
        }
        _ => assert!(example.is_null() && content.is_object(), "{}", row.name),
    }
}

#[test]
fn examples_have_every_field_that_a_client_sends() {
    let document = documents().swap_remove(0);
    let example = |media: &Value| media["content"]["application/json"]["example"].clone();
    let create = &document.json["paths"]["/{projectKey}/resource"]["post"];
    let examples = [example(&create["requestBody"]), example(&create["responses"]["201"])];
    let shape = document.shape();
    for (at, field) in shape.content().enumerate() {
        let parent = if at < shape.arrays().len() { "/objectTypeProperty/" } else { "/" };
        for example in &examples {
            let value = example.pointer(&[parent, &field.name].concat());
            let is_full = value.is_some_and(|value| value.as_array().is_none_or(|items| items.len() == 2));
            assert!(is_full, "{} in {example}", field.name);
        }
    }
}

/// Returns the parameter of an endpoint: the shared one, or the endpoint's.
fn parameter<'d>(document: &'d Document, row: &Endpoint, name: &str) -> &'d Value {
    let listed = operation(document, row)["parameters"].as_array().unwrap();
    let own = listed.iter().find(|own| own["name"] == name);
    own.unwrap_or_else(|| &document.json["components"]["parameters"][name])
}

#[test]
fn examples_of_parameters_are_decoded() {
    for document in documents() {
        for row in document.endpoints() {
            row.params().for_each(|param| example_of_parameter(&document, row, param));
        }
    }
}

fn example_of_parameter(document: &Document, row: &Endpoint, param: &Param) {
    let name = param.id.name().split(".<").next().unwrap();
    let parameter = parameter(document, row, name);
    assert_eq!(parameter["description"], param.about, "{} {name}", row.name);
    let mut query = String::new();
    let mut push = |name: &str, value: &Value| {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        query.extend(["&", name, "="]);
        percent::encode(&mut query, &text);
    };
    match &parameter["example"] {
        Value::Null => push(name, &parameter["content"]["application/json"]["example"]),
        Value::Array(items) => items.iter().for_each(|item| push(name, item)),
        Value::Object(members) => members.iter().for_each(|(name, value)| push(name, value)),
        value => push(name, value),
    }
    let passed = param::decode(row.params, &query).unwrap_or_else(|errors| panic!("{query}: {errors:?}"));
    assert!(!passed.is_empty() && passed.iter().all(|one| one.id == param.id), "{query}");
}
