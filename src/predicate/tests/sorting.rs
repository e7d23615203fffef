//! The parameters `sort` and `expand`.

use super::path;
use crate::contract::param::Refusal;
use crate::predicate::{self, check_expand};
use crate::shape::{Shape, Sort};
use crate::test;

fn parse_sort(text: &str) -> Result<Sort, Refusal> {
    predicate::parse_sort(&Shape::built_in(), text)
}

#[test]
fn a_sort_names_a_path_and_perhaps_a_direction() {
    let items = "arrayOfObjectType.integerExample";
    for (text, name, descending) in [
        ("id", "id", false),
        ("version asc", "version", false),
        ("createdAt desc", "createdAt", true),
        ("  custom \t DESC ", "custom", true),
        ("objectTypeProperty.arrayOfIntExample Asc", "arrayOfIntExample", false),
        ("arrayOfStringExample", "arrayOfStringExample", false),
        ("arrayOfObjectType.integerExample desc", items, true),
        ("objectTypeProperty.arrayOfObjectType.integerExample", items, false),
        ("createdBy.firstName", "createdBy.firstName", false),
    ] {
        assert_eq!(parse_sort(text), Ok(Sort { path: path(name), descending }), "{text}");
    }
}

#[test]
fn the_error_of_a_malformed_sort_gives_the_reason() {
    let object = |name, kind| format!("'{name}' is {kind}, which has no order; name a field inside it");
    let long = "x".repeat(10_000);
    for (text, reason) in [
        ("", "expected a field path, optionally followed by asc or desc".to_owned()),
        ("  ", "expected a field path, optionally followed by asc or desc".to_owned()),
        ("id down", "expected asc or desc after the path, found 'down'".to_owned()),
        ("id asc desc", "expected nothing after the direction, found 'desc'".to_owned()),
        ("id,key", "expected names separated by dots, found 'id,key'".to_owned()),
        ("-createdAt", "expected createdAt desc, found '-createdAt'".to_owned()),
        ("-createdAt desc", "expected createdAt desc, found '-createdAt'".to_owned()),
        (".id", "expected names separated by dots, found '.id'".to_owned()),
        ("id.", "expected names separated by dots, found 'id.'".to_owned()),
        ("createdat", "The field 'createdat' does not exist. Did you mean 'createdAt'?".to_owned()),
        (
            "id.x",
            "The field 'id.x' does not exist. The field before it is a text, which has no fields inside"
                .to_owned(),
        ),
        ("createdBy", object("createdBy", "an object")),
        ("objectTypeProperty", object("objectTypeProperty", "an object")),
        ("arrayOfObjectType", object("arrayOfObjectType", "an array of objects")),
    ] {
        assert_eq!(parse_sort(text).map_err(|refusal| refusal.sentence), Err(reason), "{text}");
    }
    assert!(
        parse_sort(&long).unwrap_err().sentence.starts_with(&format!("The field '{}' does", "x".repeat(100)))
    );
}

#[test]
fn expand_is_checked_for_its_form_alone() {
    for good in ["a", "a.b", "a[*].b", "a[*]", "a.b[*].c-d_1", "0"] {
        assert_eq!(check_expand(good), Ok(()), "{good}");
    }
    for bad in ["", ".", "a.", ".a", "a..b", "a b", "a[]", "a[0].b", "[*]", "a[*]b", "a[*][*]", "é", "a[*"] {
        assert_eq!(
            check_expand(bad).map_err(|refusal| refusal.sentence),
            Err(format!("expected a path such as a.b or a[*].b, found '{bad}'")),
            "{bad}"
        );
    }
}
