//! The OpenAPI document, generated from the tables of the contract: operations, parameters, bodies, headers, and
//! errors. It must not import the server.

mod content;
mod examples;
mod json_value;
mod operations;
mod parameters;
mod parts;
mod responses;
mod samples;
mod schema;
mod shapes;

use json_value::JsonValue;

use crate::contract::api::endpoint::{Access, MANAGE_SCOPE, TOKEN_PATH, VIEW_SCOPE};
use crate::contract::api::path;
use crate::shape::schema::without_references;
use crate::shape::types::Field;
use crate::shape::{Declaration, RuleTexts, Shape};

use parts::{BEARER, CLIENT, Described, OAUTH, SERVICE_TAG, object, tag};

/// The version of the specification that the document follows.
const OPENAPI: &str = "3.1.0";

/// The project in the examples of the interface's resource.
const PROJECT: &str = "demo";

/// The member with the name of the declared resource, its schema, and the names of its rules. Tools for its projects
/// read it.
const RESOURCE: &str = "x-resource";

const ABOUT: &str = "Operations on the resources of a project. Every GET path also supports HEAD, and every path \
    OPTIONS; any other method gets 405 with `Allow`. With `Accept: application/problem+json` errors are \
    problems (RFC 9457). `POST /{projectKey}/mcp` has tools of the Model Context Protocol. Numbers like D18 are those of the specification in the guide.";

/// Returns the document of the service with the resource of the interface, as JSON without white space.
pub fn document(shape: &Shape) -> String {
    of_shape(shape, None).to_json()
}

/// Returns the document of the projects that have a declared resource.
pub fn of_declared(declared: &Declaration) -> String {
    of_shape(&declared.shape, Some(declared)).to_json()
}

/// Returns an example of a field as JSON; `None` if there is no simple one. `schema`: the JSON Schema of the field.
pub fn sample(field: &Field, schema: &str) -> Option<String> {
    Some(samples::of_field(field, schema)?.to_json())
}

fn of_shape(shape: &Shape, declared: Option<&Declaration>) -> JsonValue {
    let resource = |declared: &Declaration| {
        // Tools would look for the definitions in the document.
        let schema = JsonValue::Written(without_references(&declared.schema));
        let names =
            |rules: &RuleTexts| rules.predicates.iter().map(|(rule, _)| rule.wire()).collect::<Vec<_>>();
        let rules = declared.rules.as_ref().map(names);
        object! { "name" => declared.name.clone(), "schema" => schema, "rules" => rules }
    };
    let project = declared.map_or(PROJECT, |declared| declared.project.as_str());
    let described =
        Described { shape, project, rules: declared.and_then(|declared| declared.rules.as_ref()) };
    object! {
        "openapi" => OPENAPI,
        "info" => info(),
        "servers" => vec![object! { "url" => "/" }],
        "tags" => tags(),
        "paths" => operations::paths(described),
        "components" => object! {
            "schemas" => schema::all(shape).into_iter().chain(shapes::all(shape)).collect::<JsonValue>(),
            "parameters" => parameters::all(described),
            "headers" => responses::headers(),
            "responses" => responses::shared(),
            "securitySchemes" => security_schemes(),
        },
        RESOURCE => declared.map(resource),
    }
}

fn info() -> JsonValue {
    object! {
        "title" => env!("CARGO_PKG_NAME"),
        "version" => env!("CARGO_PKG_VERSION"),
        "summary" => env!("CARGO_PKG_DESCRIPTION"),
        "description" => ABOUT,
        "license" => object! {
            "name" => env!("CARGO_PKG_LICENSE"),
            "identifier" => env!("CARGO_PKG_LICENSE"),
        },
    }
}

fn tags() -> Vec<JsonValue> {
    let tags = [
        (tag(Access::Read), "Reads, queries and searches: either scope is enough."),
        (tag(Access::Write), "Writes: they need `manage_test`."),
        (
            SERVICE_TAG,
            "Tokens, health, this document, and the status, export, import, restore, and deletion of a project.",
        ),
    ];
    tags.into_iter().map(|(name, about)| object! { "name" => name, "description" => about }).collect()
}

fn security_schemes() -> JsonValue {
    object! {
        BEARER => object! {
            "type" => "http",
            "scheme" => "bearer",
            "bearerFormat" => "JWT",
            "description" => "A token (RFC 9068) whose scope names the project: `manage_test:{projectKey}`.",
        },
        OAUTH => object! {
            "type" => "oauth2",
            "description" => "A request names each scope with its project: `manage_test:{projectKey}`.",
            "flows" => object! {
                "clientCredentials" => object! {
                    "tokenUrl" => path::template(TOKEN_PATH),
                    "scopes" => object! {
                        MANAGE_SCOPE => "Everything in its project.",
                        VIEW_SCOPE => "Reading in its project.",
                    },
                },
            },
        },
        CLIENT => object! {
            "type" => "http",
            "scheme" => "basic",
            "description" => "A client's ID and secret, each form-encoded (RFC 6749, 2.3.1).",
        },
    }
}
