//! The OpenAPI documents: their references, and their examples. `tests/repository/structure/generated.rs` compares
//! the committed copy of that for the interface's resource.

mod declared;
mod examples;
mod tables;

use resource_edge::contract::api::endpoint::{DECLARED, ENDPOINTS, Endpoint};
use resource_edge::openapi;
use resource_edge::shape::{Resources, Shape};
use serde_json::{Value, json};

/// A document, read by an independent parser, with what it describes.
struct Document {
    json: Value,
    resources: Resources,
    project: &'static str,
}

impl Document {
    fn shape(&self) -> &Shape {
        self.resources.shape(self.project)
    }

    fn endpoints(&self) -> &'static [Endpoint] {
        if self.shape().is_declared() { &DECLARED } else { &ENDPOINTS }
    }
}

/// Returns the document of the interface's resource, and those of several declared ones.
fn documents() -> Vec<Document> {
    let resources = || Resources::read(&declared().to_string()).unwrap();
    let of = |project| {
        let resources = resources();
        let text = resources
            .declaration(project)
            .map_or_else(|| openapi::document(resources.built_in()), openapi::of_declared);
        Document { json: serde_json::from_str(&text).unwrap(), resources, project }
    };
    ["demo", "products", "ruled-demo", "optional", "empty"].map(of).into()
}

/// Returns `resources.json` with resources of which each has something special.
#[allow(clippy::too_many_lines, reason = "a table of resources")]
fn declared() -> Value {
    json!({
        "resources": {
            "product": {
                "title": "Product",
                "type": "object",
                "required": ["title", "price", "status"],
                "properties": {
                    "title": { "type": "string", "minLength": 1, "maxLength": 80, "x-title": true },
                    "price": { "type": "number", "minimum": 0, "description": "In euros." },
                    "status": { "enum": ["draft", "active"], "default": "draft" },
                    "sku": { "type": "string", "pattern": "^[A-Z]{2}-[0-9]+$", "x-unique": true },
                    "tags": { "type": "array", "items": { "type": "string" }, "uniqueItems": true, "maxItems": 20 },
                    "size": { "$ref": "#/$defs/size" },
                    "variants": { "type": "array", "items": {
                        "type": "object",
                        "required": ["color"],
                        "properties": {
                            "color": { "type": "string", "examples": ["red"] },
                            "stock": { "type": "integer", "minimum": 0 },
                            "size": { "$ref": "#/$defs/size" },
                        },
                    } },
                    "supplier": { "anyOf": [{ "type": "string", "format": "email" }, { "type": "null" }] },
                },
                "$defs": { "size": {
                    "type": "object",
                    "properties": { "width": { "type": ["number", "null"] }, "unit": { "const": "cm" } },
                } },
            },
            // Examples of values by their rules.
            "ruled": {
                "type": "object",
                "required": ["code", "ratio", "step", "small", "pair", "kind", "when"],
                "properties": {
                    "code": { "type": "string", "pattern": "^[0-9]{3}$", "examples": ["007"] },
                    "ratio": { "type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1 },
                    "step": { "type": "integer", "multipleOf": 7, "minimum": 30, "maximum": 36 },
                    "small": { "type": "string", "maxLength": 2 },
                    "pair": { "type": "array", "items": { "type": "integer" }, "minItems": 2, "uniqueItems": true },
                    "kind": { "anyOf": [{ "const": 1 }, { "const": 2.5 }] },
                    "when": { "type": "string", "format": "date-time" },
                    "long": { "type": "string", "minLength": 12 },
                    "below": { "type": "number", "maximum": -5.5 },
                    "never": { "type": "string", "pattern": "^[0-9]{9}$" },
                },
            },
            "optional": {
                "type": "object",
                "properties": { "note": { "type": ["string", "null"], "enum": ["a", null] }, "on": { "type": "boolean" } },
            },
            "empty": { "type": "object" },
            // There is no simple example of a required field.
            "opaque": {
                "type": "object",
                "required": ["code"],
                "properties": { "code": { "type": "string", "pattern": "^[0-9]{9}$" } },
            },
        },
        "projects": {
            "products": "product", "ruled-*": "ruled", "optional": "optional", "empty": "empty", "opaque": "opaque",
        },
    })
}
