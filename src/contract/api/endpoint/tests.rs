use super::*;
use crate::contract::api::path;
use crate::test;

#[test]
fn numbers_methods_and_paths_are_those_of_the_interface() {
    let lines: Vec<String> = operations()
        .map(|row| format!("{} {} {}", row.number.unwrap(), row.method.name(), path::template(row.path)))
        .collect();
    assert_eq!(
        lines,
        [
            "1 GET /{projectKey}/resource",
            "2 GET /{projectKey}/resource/{id}",
            "3 GET /{projectKey}/resource/key={key}",
            "4 GET /{projectKey}/resource/searchApiPattern",
            "5 HEAD /{projectKey}/resource",
            "6 POST /{projectKey}/resource",
            "7 PATCH /{projectKey}/resource",
            "8 PUT /{projectKey}/resource",
            "9 POST /{projectKey}/resource/artificially-complex/path/uri-parameter-one={uriParameterOne}/{uriParameterTwo}",
            "10 POST /{projectKey}/resource/{id}",
            "11 DELETE /{projectKey}/resource/{id}",
            "12 GET /{projectKey}/resource/sorted-query-parameters",
            "13 POST /{projectKey}/resource/description-with-urn-links",
        ]
    );
}

#[test]
fn ids_that_literal_paths_shadow_are_reserved() {
    for id in [
        "searchApiPattern",
        "sorted-query-parameters",
        "description-with-urn-links",
        "artificially-complex",
        "key=",
        "key=a",
    ] {
        assert!(is_reserved_id(id), "{id}");
    }
    for id in ["search", "key", "Key=a", "resource"] {
        assert!(!is_reserved_id(id), "{id}");
    }
}
