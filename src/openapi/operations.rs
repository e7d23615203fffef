//! The paths: the thirteen operations, and the other endpoints.

use crate::contract::api::endpoint::{
    Access, Endpoint, FormField, GRANT_TYPE, GRANT_TYPE_FIELD, RequestBody, Target,
};
use crate::contract::api::path;
use crate::contract::response::{ResponseType, services};
use crate::shape::{RuleName, RuleTexts, Shape};

use super::json_value::JsonValue;
use super::parts::{BEARER, CLIENT, Described, OAUTH, SERVICE_TAG, content, endpoints, join, object, tag};
use super::{examples, parameters, responses, shapes};

pub(super) fn paths(described: Described<'_>) -> JsonValue {
    // A path is in the place of its first endpoint.
    let all = endpoints(described.shape);
    let is_first = |(at, row): &(usize, &Endpoint)| all.iter().take(*at).all(|it| it.path != row.path);
    let is_described = |(_, row): &(usize, &Endpoint)| row.target != Target::Agents;
    let rows = all.iter().enumerate().filter(is_first).filter(is_described);
    rows.map(|(_, row)| (path::template(row.path), path_item(described, row))).collect()
}

/// Returns the endpoints that have the path of this one.
fn path_item(described: Described<'_>, first: &Endpoint) -> JsonValue {
    let rows = endpoints(described.shape).iter().filter(|row| row.path == first.path);
    let operations: JsonValue =
        rows.map(|row| (row.method.name().to_ascii_lowercase(), operation(described, row))).collect();
    join(
        object! { "parameters" => some(parameters::of_path(first.path).into_iter().map(parameters::referenced).collect()) },
        operations,
    )
}

fn operation(described: Described<'_>, row: &'static Endpoint) -> JsonValue {
    let tag = row.access().filter(|_| row.number.is_some()).map_or(SERVICE_TAG, tag);
    object! {
        "tags" => vec![tag],
        "operationId" => row.name,
        "summary" => row.summary,
        "parameters" => some(parameters::of_endpoint(described, row)),
        "requestBody" => body(described.shape, row),
        "responses" => responses::of_endpoint(described.shape, row),
        "security" => security(row, described.rules),
    }
}

/// Returns the list; `None` if it is empty.
fn some(list: Vec<JsonValue>) -> Option<Vec<JsonValue>> {
    Some(list).filter(|list| !list.is_empty())
}

fn body(shape: &Shape, row: &Endpoint) -> Option<JsonValue> {
    let (schema, example) = match row.body {
        RequestBody::Nothing => return None,
        RequestBody::Json(id) => (shapes::of(&ResponseType::Object(id)), examples::body(shape, id)),
        RequestBody::Lines => {
            (shapes::of(&ResponseType::Named(&services::LINES)), examples::lines(shape).map(Into::into))
        }
        RequestBody::Form(fields) => (form(fields), None),
    };
    let content = content(row.body.media_type()?, schema, example);
    Some(object! { "required" => true, "content" => content })
}

/// Returns the security of an endpoint: a token with the access, a client's ID and secret for a form, or nothing. Rules
/// add the tokens of users, which have no scope, and reads without a token.
fn security(row: &Endpoint, rules: Option<&RuleTexts>) -> Vec<JsonValue> {
    let scopes = row.access().map_or(&[][..], Access::scopes).iter();
    let mut security: Vec<JsonValue> = scopes
        .flat_map(|scope| [object! { OAUTH => vec![*scope] }, object! { BEARER => vec![*scope] }])
        .collect();
    let nothing = Vec::<JsonValue>::new;
    if let Some(rules) = rules.filter(|_| row.is_for_users()) {
        security.push(object! { BEARER => nothing() });
        let is_open = rules.predicates.iter().any(|(rule, _)| *rule == RuleName::Anonymous);
        security.extend((is_open && row.access() == Some(Access::Read)).then(|| object! {}));
    }
    if !row.form().is_empty() {
        // The client may also authenticate in the form.
        security.extend([object! { CLIENT => nothing() }, object! {}]);
    }
    security
}

fn form(fields: &[FormField]) -> JsonValue {
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
        "properties" => fields.iter().map(|field| (field.name, property(field))).collect::<JsonValue>(),
    }
}
