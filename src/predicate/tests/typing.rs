//! The meaning of predicates, and the errors of predicates without a meaning.

use serde_json::json;

use super::path;
use crate::contract::error::{ApiError, Code};
use crate::contract::limits;
use crate::predicate::{self, Comparison, Test, Typed, Value, Variables};
use crate::shape::{ObjectId, Shape};
use crate::test;

const ID: &str = "id";
const VERSION: &str = "version";
const CREATED_AT: &str = "createdAt";
const CUSTOM: &str = "custom";
const INTS: &str = "arrayOfIntExample";
const STRINGS: &str = "arrayOfStringExample";
const PLACE: &str = "arrayOfTwonumbersExample";
const OBJECTS: &str = "arrayOfObjectType";
const INSIDE: &str = "arrayOfObjectType.integerExample";
const FIRST: &str = "createdBy.firstName";
const LAST: &str = "createdBy.lastName";

fn variables() -> Variables {
    Variables::from_iter([
        ("one", "1.5"),
        ("word", "a"),
        ("list", "1"),
        ("list", "-2e1"),
        ("time", "2015-01-01T00:00:00.000Z"),
        ("unused", ""),
    ])
}

fn read<'t>(texts: impl IntoIterator<Item = &'t str>, variables: &Variables) -> Result<Typed, ApiError> {
    predicate::read(&Shape::built_in(), texts, variables)
}

fn typed(text: &str) -> Typed {
    read([text], &variables()).unwrap_or_else(|error| panic!("{text}: {}", error.message()))
}

fn test(name: &str, test: Test) -> Typed {
    Typed::Test { path: path(name), test }
}

fn text(value: &str) -> Value {
    Value::Text(value.to_owned())
}

fn is(name: &str, value: Value) -> Typed {
    test(name, Test::Compare(Comparison::Eq, value))
}

fn number(value: f64) -> Value {
    Value::Number(value)
}

#[test]
fn every_operator_is_resolved_to_its_field_and_type() {
    let circle = Test::WithinCircle { longitude: 13.4, latitude: 52.5, metres: 1000.0 };
    for (predicate, expected) in [
        ("id = \"a\"", is(ID, text("a"))),
        ("version != 1.5", test(VERSION, Test::Compare(Comparison::Ne, number(1.5)))),
        ("version <> 1", test(VERSION, Test::Compare(Comparison::Ne, number(1.0)))),
        ("custom < \"a\"", test(CUSTOM, Test::Compare(Comparison::Lt, text("a")))),
        ("custom <= \"a\"", test(CUSTOM, Test::Compare(Comparison::Le, text("a")))),
        ("version > 1", test(VERSION, Test::Compare(Comparison::Gt, number(1.0)))),
        ("version >= 1", test(VERSION, Test::Compare(Comparison::Ge, number(1.0)))),
        ("id in (\"a\", \"b\")", test(ID, Test::In(vec![text("a"), text("b")]))),
        ("id not in (\"a\")", test(ID, Test::NotIn(vec![text("a")]))),
        ("id in ()", Typed::False),
        ("id not in ()", Typed::True),
        ("arrayOfIntExample contains all ()", Typed::True),
        ("arrayOfIntExample contains any ()", Typed::False),
        ("arrayOfObjectType(integerExample in ())", Typed::False),
        ("arrayOfObjectType(integerExample not in ())", test(OBJECTS, Test::IsNotEmpty)),
        ("arrayOfIntExample = 1", is(INTS, number(1.0))),
        ("arrayOfIntExample contains all (1)", test(INTS, Test::ContainsAll(vec![number(1.0)]))),
        ("arrayOfStringExample contains any (\"a\")", test(STRINGS, Test::ContainsAny(vec![text("a")]))),
        ("arrayOfIntExample is empty", test(INTS, Test::IsEmpty)),
        ("arrayOfObjectType is not empty", test(OBJECTS, Test::IsNotEmpty)),
        ("custom is defined", test(CUSTOM, Test::IsDefined)),
        ("createdBy is not defined", test("createdBy", Test::IsNotDefined)),
        ("custom matches ignore case \"Ab\"", test(CUSTOM, Test::MatchesIgnoreCase("Ab".to_owned()))),
        (
            "arrayOfStringExample matches ignore case :word",
            test(STRINGS, Test::MatchesIgnoreCase("a".to_owned())),
        ),
        ("arrayOfTwonumbersExample within circle(13.4, 52.5, 1000)", test(PLACE, circle)),
        ("createdAt = \"1970-01-01T00:00:00.001Z\"", is(CREATED_AT, Value::DateTime(1))),
    ] {
        assert_eq!(typed(predicate), expected, "{predicate}");
    }
}

#[test]
fn the_wrapper_may_be_nested_dotted_or_absent() {
    let expected = test(INTS, Test::ContainsAny(vec![number(6.0)]));
    for predicate in [
        "objectTypeProperty(arrayOfIntExample contains any (6))",
        "objectTypeProperty.arrayOfIntExample contains any (6)",
        "arrayOfIntExample contains any (6)",
    ] {
        assert_eq!(typed(predicate), expected, "{predicate}");
    }
    let both = Typed::And(vec![is(FIRST, text("a")), is(LAST, text("b"))]);
    assert_eq!(typed("createdBy(firstName = \"a\" and lastName = \"b\")"), both);
    assert_eq!(typed("createdBy.firstName = \"a\" and createdBy.lastName = \"b\""), both);
}

#[test]
fn one_item_must_satisfy_a_nested_condition_and_a_dotted_path_reads_all() {
    let element = |condition| Typed::Element { path: path(OBJECTS), condition: Box::new(condition) };
    let three = || is(INSIDE, number(3.0));
    for predicate in
        ["arrayOfObjectType(integerExample = 3)", "objectTypeProperty(arrayOfObjectType(integerExample = 3))"]
    {
        assert_eq!(typed(predicate), element(three()), "{predicate}");
    }
    assert_eq!(
        typed("not objectTypeProperty.arrayOfObjectType(not integerExample = 3)"),
        Typed::Not(Box::new(element(Typed::Not(Box::new(three())))))
    );
    assert_eq!(typed("arrayOfObjectType.integerExample = 3"), three());
    assert_eq!(typed("arrayOfObjectType.integerExample is defined"), test(INSIDE, Test::IsDefined));
}

#[test]
fn what_every_resource_has_is_always_defined() {
    for field in [
        "id",
        "version",
        "createdAt",
        "lastModifiedAt",
        "objectTypeProperty",
        "arrayOfIntExample",
        "arrayOfObjectType",
    ] {
        assert_eq!(typed(&format!("{field} is defined")), Typed::True, "{field}");
        assert_eq!(typed(&format!("{field} is not defined")), Typed::False, "{field}");
    }
}

#[test]
fn each_shape_has_its_own_fields_with_their_types() {
    let flags = json!({"type": "array", "items": {"type": "boolean"}});
    let properties = json!({"price": {"type": "number"}, "flags": flags});
    let schema = json!({"type": "object", "properties": properties});
    let shape = Shape::of_schema(&schema.to_string()).unwrap();
    let read = |shape: &Shape, text: &str| predicate::read(shape, [text], &variables());
    for (predicate, name, expected) in [
        ("price > :one", "price", Test::Compare(Comparison::Gt, number(1.5))),
        ("price is not defined", "price", Test::IsNotDefined),
        ("flags contains any (true)", "flags", Test::ContainsAny(vec![Value::Boolean(true)])),
    ] {
        let path = shape.field_of(None, name).and_then(|field| field.path).unwrap();
        assert_eq!(read(&shape, predicate), Ok(Typed::Test { path, test: expected }), "{predicate}");
        let error = read(&Shape::built_in(), predicate).unwrap_err();
        assert!(error.message().contains(&format!("The field '{name}' does not exist.")), "{predicate}");
    }
    let error = read(&shape, "pric = 1").unwrap_err();
    assert!(error.message().contains("Did you mean 'price'?"), "{}", error.message());
    let error = read(&shape, "price = \"a\"").unwrap_err();
    assert!(error.message().contains("It compares with a number"), "{}", error.message());
}

#[test]
fn chains_are_flat_and_constants_vanish() {
    let (a, b, c) = (|| is(ID, text("a")), || is(ID, text("b")), || is(ID, text("c")));
    for (predicate, expected) in [
        ("id=\"a\" or (id=\"b\" or id=\"c\")", Typed::Or(vec![a(), b(), c()])),
        ("(id=\"a\" and id=\"b\") and id=\"c\"", Typed::And(vec![a(), b(), c()])),
        ("id=\"a\" or id is defined", Typed::True),
        ("id=\"a\" and id is defined", a()),
        ("id=\"a\" or id is not defined", a()),
        ("id=\"a\" and id is not defined", Typed::False),
        ("not id is defined", Typed::False),
        ("not not id=\"a\"", a()),
    ] {
        assert_eq!(typed(predicate), expected, "{predicate}");
    }
    let none: [&str; 0] = [];
    assert_eq!(read(none, &variables()), Ok(Typed::True));
    assert_eq!(
        read(["id=\"a\"", "id=\"b\" and id=\"c\""], &variables()),
        Ok(Typed::And(vec![a(), b(), c()]))
    );
}

#[test]
fn variables_have_the_type_of_their_field() {
    let list = || vec![number(1.0), number(-20.0)];
    for (predicate, expected) in [
        ("version = :one", is(VERSION, number(1.5))),
        ("custom = :one", is(CUSTOM, text("1.5"))),
        ("createdAt = :time", is(CREATED_AT, Value::DateTime(1_420_070_400_000))),
        ("version in :list", test(VERSION, Test::In(list()))),
        ("version in :one", test(VERSION, Test::In(vec![number(1.5)]))),
        ("version not in (:one, 2)", test(VERSION, Test::NotIn(vec![number(1.5), number(2.0)]))),
        ("arrayOfIntExample contains all :list", test(INTS, Test::ContainsAll(list()))),
        ("arrayOfIntExample contains any :list", test(INTS, Test::ContainsAny(list()))),
    ] {
        assert_eq!(typed(predicate), expected, "{predicate}");
    }
}

#[test]
fn times_before_1970_are_negative() {
    assert_eq!(
        typed("createdAt < \"1969-12-31T23:59:59.999Z\""),
        test(CREATED_AT, Test::Compare(Comparison::Lt, Value::DateTime(-1)))
    );
    assert_eq!(
        typed("createdAt in (\"0001-01-01T00:00:00.000Z\", :time)"),
        test(
            CREATED_AT,
            Test::In(vec![Value::DateTime(-62_135_596_800_000), Value::DateTime(1_420_070_400_000)])
        )
    );
}

/// Asserts the code, the message, and the place of a predicate's error.
fn refused(predicate: &str, line: u32, column: u32, message: &str) {
    let error = read([predicate], &variables()).expect_err(predicate);
    let expected = format!("Malformed parameter: where: {message} (line {line}, column {column}).");
    assert_eq!(error.message(), expected, "{predicate}");
    assert_eq!(error.code(), Code::InvalidInput, "{predicate}");
    let json = error.to_json();
    assert!(json.contains("\"parameter\":\"where\",\"reason\":"), "{predicate}");
    assert!(json.contains(&format!("\"line\":{line},\"column\":{column},\"length\":")), "{predicate}");
}

#[test]
fn an_unknown_field_is_named_with_the_nearest_or_with_all() {
    let shape = Shape::built_in();
    let names = [ObjectId::Draft, ObjectId::Arrays].map(|id| &shape.object(id).fields).into_iter().flatten();
    let names: Vec<&str> = names.map(|field| field.name.as_ref()).collect();
    let fields = format!("The fields are {}", names.join(", "));
    let fields = fields.as_str();
    let person = "The fields here are firstName, lastName";
    let item = "The fields here are integerExample, integerExampleInt32";
    let none = "The field before it is a number, which has no fields inside";
    for (predicate, line, column, field, help) in [
        ("x = 1", 1, 1, "x", fields),
        ("a.b(c = 1)", 1, 1, "a", fields),
        (
            "version = 1\n  and eleventhProperty = \"a\"",
            2,
            7,
            "eleventhProperty",
            "Did you mean 'eleventhPropery'?",
        ),
        ("ID = \"a\"", 1, 1, "ID", "Did you mean 'id'?"),
        ("createdBy.name = \"a\"", 1, 11, "createdBy.name", person),
        ("createdBy(firstname = \"a\")", 1, 11, "firstname", "Did you mean 'firstName'?"),
        ("version.x.y = 1", 1, 9, "version.x", none),
        ("arrayOfObjectType(id = \"a\")", 1, 19, "id", item),
        ("arrayOfObjectType(createdBy(firstName = \"a\"))", 1, 19, "createdBy", item),
    ] {
        refused(predicate, line, column, &format!("The field '{field}' does not exist. {help}"));
    }
    let long = "a".repeat(8000);
    let error = read([format!("{long} = 1").as_str()], &variables()).unwrap_err();
    assert!(error.message().contains(&format!("The field '{}' does not exist. {fields}", "a".repeat(100))));
}

#[test]
fn the_error_of_an_unsupported_operator_lists_the_supported_ones() {
    let compare = "=, !=, <>, <, <=, >, >=, [not] in";
    let array = "contains all|any, is [not] empty, is [not] defined";
    let number = format!("It is a number, which supports {compare}, is [not] defined");
    let word = format!("It is a text, which supports {compare}, is [not] defined, matches ignore case");
    let search = format!(
        "{word}. A condition compares whole texts. The search (searchApiPattern) finds words in texts"
    );
    let time = format!("It is a date-time, which supports {compare}, is [not] defined");
    let numbers = format!("It is an array of numbers, which supports {compare}, {array}");
    let words = format!("It is an array of texts, which supports {compare}, {array}, matches ignore case");
    let place = format!("It is an array of numbers, which supports {compare}, {array}, within circle");
    let object = "It is an object, which supports a condition in parentheses, is [not] defined";
    let objects = "It is an array of objects, which supports a condition in parentheses, is [not] empty, is [not] defined";
    for (predicate, column, field, help) in [
        ("version is empty", 9, "version", number.as_str()),
        ("version matches ignore case \"a\"", 9, "version", &number),
        ("version(id = 1)", 8, "version", &number),
        ("arrayOfObjectType.integerExample is empty", 34, "arrayOfObjectType.integerExample", &number),
        ("id contains any (\"a\")", 4, "id", &search),
        ("version contains all ()", 9, "version", &number),
        ("createdAt matches ignore case \"a\"", 11, "createdAt", &time),
        ("createdBy = \"a\"", 11, "createdBy", object),
        ("createdBy is empty", 11, "createdBy", object),
        ("objectTypeProperty in (1)", 20, "objectTypeProperty", object),
        ("arrayOfObjectType contains any (1)", 19, "arrayOfObjectType", objects),
        ("arrayOfObjectType = 1", 19, "arrayOfObjectType", objects),
        ("arrayOfIntExample within circle(1, 2, 3)", 19, "arrayOfIntExample", &numbers),
        ("arrayOfStringExample(id = 1)", 21, "arrayOfStringExample", &words),
        ("arrayOfTwonumbersExample matches ignore case \"a\"", 26, "arrayOfTwonumbersExample", &place),
    ] {
        let message = format!("The field '{field}' does not support this expression. {help}");
        refused(predicate, 1, column, &message);
    }
}

#[test]
fn the_error_of_a_value_of_another_type_names_the_fields_type() {
    let time = "a date-time such as \"2015-01-01T00:00:00.000Z\", found";
    for (predicate, column, field, help) in [
        ("version = \"1\"", 11, "version", "a number, found the text \"1\"".to_owned()),
        ("id = 1.0", 6, "id", "a text, found the number 1".to_owned()),
        ("id in (\"a\", true)", 13, "id", "a text, found true".to_owned()),
        ("id matches ignore case false", 24, "id", "a text, found false".to_owned()),
        (
            "arrayOfIntExample contains all (1, \"a\")",
            36,
            "arrayOfIntExample",
            "a number, found the text \"a\"".to_owned(),
        ),
        ("createdAt > 5", 13, "createdAt", format!("{time} the number 5")),
        (
            "createdAt > \"2015-01-01T00:00:00Z\"",
            13,
            "createdAt",
            format!("{time} the text \"2015-01-01T00:00:00Z\""),
        ),
        (
            "createdAt > \"2015-02-29T00:00:00.000Z\"",
            13,
            "createdAt",
            format!("{time} the text \"2015-02-29T00:00:00.000Z\""),
        ),
    ] {
        let message =
            format!("The field '{field}' does not support this expression. It compares with {help}");
        refused(predicate, 1, column, &message);
    }
}

#[test]
fn variables_that_are_missing_or_do_not_fit_are_named() {
    let missing = "Missing parameter value for nope. Pass it as var.nope; an empty list is written ()";
    let several = "The parameter var.list was passed 2 times, but one value is expected here";
    let word = "The parameter var.word must be a number to compare with 'version', found 'a'";
    let time = "The parameter var.list must be a date-time such as \"2015-01-01T00:00:00.000Z\" to compare with \
                'createdAt', found '1'";
    for (predicate, column, message) in [
        ("version = :nope", 11, missing),
        ("version in :nope", 12, missing),
        ("version in (1, :nope)", 16, missing),
        ("version = :list", 11, several),
        ("version in (1, :list)", 16, several),
        ("custom matches ignore case :list", 28, several),
        ("version = :word", 11, word),
        ("createdAt in :list", 14, time),
    ] {
        refused(predicate, 1, column, message);
    }
}

#[test]
fn variables_that_are_no_json_numbers_are_rejected() {
    for value in ["", " 1", "1 ", "+1", "01", "1.", "NaN", "inf", "1e999", "0x1", "1\u{0}"] {
        let variables = Variables::from_iter([("x", value)]);
        assert!(read(["version = :x"], &variables).is_err(), "{value:?}");
    }
    assert!(read(["id = :x"], &Variables::from_iter([("x", "a\0")])).is_err());
}

#[test]
fn long_lists_that_are_named_often_are_rejected_before_they_are_copied() {
    let long: Variables = (0..8000).map(|number| ("a", number.to_string())).collect();
    assert!(read(["version in :a"], &long).is_ok());
    let often = vec!["id in :a"; 680].join(" or ");
    assert!(often.len() <= limits::PREDICATE_BYTES);
    let error = read([often.as_str()], &long).unwrap_err();
    assert!(error.message().contains("exceed 262144 bytes at var.a"), "{}", error.message());
    // The predicates of a request share the allowance.
    assert!(read(vec!["id in :a"; 3], &long).is_err());
}

#[test]
fn the_predicates_of_a_request_are_together_no_longer_than_one_may_be() {
    let half = format!("custom = \"{}\"", "x".repeat(limits::PREDICATE_BYTES / 2 - 11));
    assert_eq!(half.len(), limits::PREDICATE_BYTES / 2);
    assert!(read([half.as_str(), &half], &Variables::default()).is_ok());
    let error = read([half.as_str(), &half, "key = \"a\""], &Variables::default()).unwrap_err();
    assert_eq!(
        error.message(),
        "Malformed parameter: where: the predicates of the request are longer than 8192 bytes."
    );
}
