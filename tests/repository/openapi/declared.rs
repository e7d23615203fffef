//! The documents of declared resources: exactly their fields, and nothing of the interface's resource.

use resource_edge::openapi;
use resource_edge::shape::{ObjectId, Resources, Shape};
use serde_json::{Value, json};

use super::{declared, documents};

const NAMES_OF_THE_INTERFACE: [&str; 8] = [
    "objectTypeProperty",
    "ObjectTestType",
    "arrayOf",
    "\"Arrays\"",
    "custom",
    "eigthProperty",
    "stringParameter",
    "doSomeThing",
];

/// Returns the document of a project.
fn document(project: &str) -> Value {
    let resources = Resources::read(&declared().to_string()).unwrap();
    openapi::of_declared(resources.declaration(project).unwrap()).parse().unwrap()
}

fn names(object: &Value) -> Vec<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn nothing_of_the_interfaces_resource_is_in_the_document_of_a_declared_one() {
    let mut documents = documents().into_iter();
    let built_in = documents.next().unwrap().json.to_string();
    for document in documents {
        let text = document.json.to_string();
        for name in NAMES_OF_THE_INTERFACE {
            assert!(built_in.contains(name) && !text.contains(name), "{}: {name}", document.project);
        }
    }
}

#[test]
fn the_member_x_resource_has_the_name_and_the_schema_as_it_was_written() {
    assert!(documents()[0].json.get("x-resource").is_none());
    for (project, name) in [("ruled-1", "ruled"), ("optional", "optional"), ("empty", "empty")] {
        let schema = &declared()["resources"][name];
        assert_eq!(document(project)["x-resource"], json!({ "name": name, "schema": schema }));
    }
}

#[test]
fn the_schema_in_x_resource_has_no_references_and_means_the_same() {
    let resource = &document("products")["x-resource"]["schema"];
    assert!(!resource.to_string().contains("$ref") && !resource.to_string().contains("$defs"), "{resource}");
    let written = &declared()["resources"]["product"];
    let [inlined, written] = [resource, written].map(|schema| Shape::of_schema(&schema.to_string()).unwrap());
    for id in ObjectId::ALL {
        assert_eq!(inlined.object(*id), written.object(*id));
    }
}

#[test]
fn the_project_of_examples_has_the_resource() {
    for (project, example) in [("products", "products"), ("ruled-1", "ruled-demo")] {
        let parameters = &document(project)["components"]["parameters"];
        assert_eq!(parameters["projectKey"]["example"], example);
        assert_eq!(parameters["confirm"]["example"], example);
    }
}

#[test]
fn a_field_has_what_the_deployment_wrote_and_null_only_in_bodies_that_may_lack_it() {
    let document = document("products");
    let schemas = &document["components"]["schemas"];
    let of = |schema: &str, name: &str| schemas[schema]["properties"][name].clone();
    let price = json!({ "type": "number", "minimum": 0, "description": "In euros.", "format": "double" });
    for schema in ["FullDraft", "PartialDraft", "ResourceOverwrite", "ComplexBody", "Resource", "SetPrice"] {
        assert_eq!(of(schema, "price"), price, "{schema}");
        if schema != "SetPrice" {
            let null = of(schema, "sku")["type"] != "string";
            assert_eq!(null, schema != "Resource", "{schema}");
            let width = &of(schema, "size")["properties"]["width"]["type"];
            assert_eq!(*width == "number", schema == "Resource", "{schema}: {width}");
        }
    }
    let unit = json!({ "type": "string", "enum": ["cm"] });
    assert_eq!(of("Resource", "variants")["items"]["properties"]["size"]["properties"]["unit"], unit);
    // The service stores a default only with a creation.
    for (schema, has) in
        [("FullDraft", true), ("PartialDraft", false), ("Resource", false), ("SetStatus", false)]
    {
        assert_eq!(of(schema, "status").get("default").is_some(), has, "{schema}");
    }
    assert_eq!(of("AddTags", "tags"), json!({ "type": "array", "items": of("Resource", "tags")["items"] }));
}

#[test]
fn a_text_with_a_pattern_of_its_own_may_not_have_u_0000_either() {
    let schema = json!({ "type": "object", "properties": { "code": { "type": "string", "pattern": "^a" } } });
    let content = json!({ "resources": { "thing": schema } }).to_string();
    let resources = Resources::read(&content).unwrap();
    let document: Value = openapi::of_declared(resources.declaration("p").unwrap()).parse().unwrap();
    let code = &document["components"]["schemas"]["ComplexBody"]["properties"]["code"];
    assert_eq!(
        (&code["pattern"], &code["not"]),
        (&json!("^a"), &json!({ "type": "string", "pattern": "\\u0000" }))
    );
    for (text, is_accepted) in [("ab", true), ("a\u{0}", false), ("b", false)] {
        let body = json!({ "key": "k", "code": text }).to_string();
        let input =
            resource_edge::validate::resource_input(resources.shape("p"), ObjectId::Complex, body.as_bytes());
        assert_eq!(input.is_ok(), is_accepted, "{text:?}");
    }
}

#[test]
fn bodies_require_what_their_operation_requires() {
    let document = document("products");
    let required = |schema: &str| document["components"]["schemas"][schema]["required"].clone();
    // A creation may leave out a field that has a default.
    assert_eq!(required("FullDraft"), json!(["title", "price"]));
    assert_eq!(required("PartialDraft"), json!(["version"]));
    assert_eq!(required("ResourceOverwrite"), json!(["version", "title", "price", "status"]));
    assert_eq!(required("ComplexBody"), Value::Null);
    assert_eq!(required("SetTitle"), json!(["action", "title"]));
    assert_eq!(required("SetSku"), json!(["action"]));
    assert_eq!(required("RemoveTags"), json!(["action", "tags"]));
}

#[test]
fn the_update_actions_are_those_of_the_shape() {
    let document = document("products");
    let union = &document["components"]["schemas"]["ResourceUpdateAction"];
    let actions = [
        "setTitle",
        "setPrice",
        "setStatus",
        "setSku",
        "setTags",
        "setSize",
        "setVariants",
        "setSupplier",
        "addTags",
        "removeTags",
    ];
    assert_eq!(names(&union["discriminator"]["mapping"]), actions);
    let of_empty = &super::declared::document("empty")["components"]["schemas"]["ResourceUpdateAction"];
    assert_eq!(*of_empty, json!({ "not": {} }));
}

#[test]
fn a_resource_without_a_simple_example_has_none() {
    let document = document("opaque");
    let media =
        &document["paths"]["/{projectKey}/resource"]["post"]["requestBody"]["content"]["application/json"];
    assert_eq!(names(media), ["schema"]);
}
