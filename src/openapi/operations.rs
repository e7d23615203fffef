//! The paths: the thirteen operations, and the other endpoints.

use serde_json::Value;

use crate::contract::api::endpoint::{
    Access, ENDPOINTS, Endpoint, FormField, GRANT_TYPE, GRANT_TYPE_FIELD, RequestBody, Target,
};
use crate::contract::api::path;
use crate::contract::response::{ResponseType, services};
use crate::shape::Shape;

use super::parts::{BEARER, CLIENT, OAUTH, SERVICE_TAG, content, join, object, tag};
use super::{examples, parameters, responses, shapes};

pub(super) fn paths(shape: &Shape) -> Value {
    // A path is in the place of its first endpoint.
    let is_first = |(at, row): &(usize, &Endpoint)| ENDPOINTS.iter().take(*at).all(|it| it.path != row.path);
    let is_described = |(_, row): &(usize, &Endpoint)| row.target != Target::Agents;
    let rows = ENDPOINTS.iter().enumerate().filter(is_first).filter(is_described);
    rows.map(|(_, row)| (path::template(row.path), path_item(shape, row))).collect()
}

/// Returns the endpoints that have the path of this one.
fn path_item(shape: &Shape, first: &Endpoint) -> Value {
    let rows = ENDPOINTS.iter().filter(|row| row.path == first.path);
    let operations: Value =
        rows.map(|row| (row.method.name().to_ascii_lowercase(), operation(shape, row))).collect();
    join(
        object! { "parameters" => some(parameters::of_path(first.path).into_iter().map(parameters::referenced).collect()) },
        operations,
    )
}

fn operation(shape: &Shape, row: &'static Endpoint) -> Value {
    let tag = row.access().filter(|_| row.number.is_some()).map_or(SERVICE_TAG, tag);
    object! {
        "tags" => vec![tag],
        "operationId" => row.name,
        "summary" => row.summary,
        "parameters" => some(parameters::of_endpoint(row)),
        "requestBody" => body(shape, row),
        "responses" => responses::of_endpoint(shape, row),
        "security" => security(row),
    }
}

/// Returns the list; `None` if it is empty.
fn some(list: Vec<Value>) -> Option<Vec<Value>> {
    Some(list).filter(|list| !list.is_empty())
}

fn body(shape: &Shape, row: &Endpoint) -> Option<Value> {
    let (schema, example) = match row.body {
        RequestBody::Nothing => return None,
        RequestBody::Json(id) => (shapes::of(&ResponseType::Object(id)), Some(examples::body(shape, id))),
        RequestBody::Lines => {
            (shapes::of(&ResponseType::Named(&services::LINES)), Some(examples::lines(shape)))
        }
        RequestBody::Form(fields) => (form(fields), None),
    };
    let content = content(row.body.media_type()?, schema, example);
    Some(object! { "required" => true, "content" => content })
}

/// Returns the security of an endpoint: a token with the access, a client's ID and secret for a form, or nothing.
fn security(row: &Endpoint) -> Vec<Value> {
    let scopes = row.access().map_or(&[][..], Access::scopes).iter();
    let mut security: Vec<Value> = scopes
        .flat_map(|scope| [object! { OAUTH => vec![*scope] }, object! { BEARER => vec![*scope] }])
        .collect();
    if !row.form().is_empty() {
        // The client may also authenticate in the form.
        security.extend([object! { CLIENT => Vec::<Value>::new() }, object! {}]);
    }
    security
}

fn form(fields: &[FormField]) -> Value {
    let property = |field: &FormField| {
        let elsewhere = if field.in_query { " It may be in the query instead." } else { "" };
        let is_grant_type = field.name == GRANT_TYPE_FIELD;
        object! {
            "description" => [field.about, elsewhere].concat(),
            "type" => "string",
            "const" => is_grant_type.then_some(GRANT_TYPE),
            // A parameter without a value is absent (RFC 6749, 3.2).
            "minLength" => (field.required && !is_grant_type).then_some(1),
        }
    };
    object! {
        "type" => "object",
        "required" => fields.iter().filter(|field| field.required).map(|field| field.name).collect::<Vec<_>>(),
        "properties" => fields.iter().map(|field| (field.name, property(field))).collect::<Value>(),
    }
}
