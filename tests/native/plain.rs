//! Plain schemas, which pages read, mean the same as the schemas that they come from.

use resource_edge::shape::{ObjectId, Shape};
use serde_json::json;

use crate::support::random::Random;
use crate::support::schemas::Design;

#[test]
fn the_plain_form_of_a_schema_gives_the_same_bodies() {
    let random = Random::new(7);
    for _ in 0..2_000 {
        let mut design = Design::draw(&random);
        if random.chance(500) {
            design = design.changed(&random);
        }
        let schema = design.schema.clone().unwrap_or_default().to_string();
        let plain = Shape::plain_schema(&schema).unwrap();
        let shape = Shape::of_plain(&plain);
        for id in ObjectId::ALL {
            assert_eq!(shape.object(*id), design.shape.object(*id), "{schema} {plain}");
        }
        assert_eq!(Shape::plain_schema(&plain).as_deref(), Ok(plain.as_str()), "{schema}");
    }
}

#[test]
fn a_plain_schema_says_each_rule_in_one_way() {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "required": ["status"],
        "properties": {
            "status": { "description": "Of it", "anyOf": [{ "const": "a" }, { "const": "b\"" }], "default": "a" },
            "price": { "anyOf": [{ "$ref": "#/$defs/price" }, { "type": "null" }] },
            "sku": { "type": "string", "pattern": "^\\d+$", "maxLength": 9, "minLength": 1, "x-unique": true },
        },
        "$defs": { "price": { "type": "integer", "exclusiveMinimum": 0, "maximum": 100 } },
    });
    let expected = json!({
        "properties": {
            "status": { "type": "string", "enum": ["a", "b\""], "default": "a" },
            "price": { "type": "integer", "minimum": 1, "maximum": 100 },
            "sku": { "type": "string", "minLength": 1, "maxLength": 9, "pattern": "^\\d+$" },
        },
        "required": ["status"],
    });
    assert_eq!(Shape::plain_schema(&schema.to_string()), Ok(expected.to_string()));
    let mut described = expected;
    described["properties"]["status"]["description"] = "Of it".into();
    described["properties"]["sku"]["x-unique"] = true.into();
    assert_eq!(Shape::described_schema(&schema.to_string()), Ok(described.to_string()));
}
