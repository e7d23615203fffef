//! The parameters `filter`, `filter.query`, and `filter.facets`.

use crate::contract::limits;
use crate::predicate::{ExpressionError, Interval, Lexer, Test, Typed};
use crate::shape::Shape;

use super::subject::{FilterField, Parsed};

pub fn parse_filter(shape: &Shape, source: &str) -> Result<Typed, ExpressionError> {
    let mut lexer = Lexer::new(source, "expression", limits::SEARCH_EXPRESSION_BYTES)?;
    let subject = FilterField::parse(shape, &mut lexer)?;
    lexer.symbol(":", &[".", ":"])?;
    let test = test(&mut lexer, &subject)?;
    lexer.place();
    if lexer.first().is_some() {
        let has_list = matches!(test, Test::In(_) | Test::Between(_));
        return Err(lexer.unexpected(if has_list { &[",", "<end>"] } else { &["<end>"] }));
    }
    Ok(Typed::Test { path: subject.path, test })
}

fn test(lexer: &mut Lexer<'_>, subject: &FilterField) -> Parsed<Test> {
    if lexer.consume_keyword("exists") {
        return Ok(if subject.array { Test::IsNotEmpty } else { Test::IsDefined });
    }
    if lexer.consume_keyword("missing") {
        return Ok(if subject.array { Test::IsEmpty } else { Test::IsNotDefined });
    }
    if lexer.consume_keyword("range") {
        let intervals = subject.ranges(lexer)?.into_iter();
        return Ok(Test::Between(intervals.map(|[from, to]| Interval { from, to }).collect()));
    }
    if subject.is_value(lexer) {
        return subject.values(lexer).map(Test::In);
    }
    Err(lexer.unexpected(&["<values>", "range", "exists", "missing"]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::error::{Member, MemberValue};
    use crate::contract::limits;
    use crate::predicate::Value;
    use crate::predicate::tests::path;
    use crate::test;
    use proptest::prelude::*;

    const INTS: &str = "arrayOfIntExample";
    const CUSTOM: &str = "custom";

    fn parse_filter(source: &str) -> Result<Typed, ExpressionError> {
        super::parse_filter(&Shape::built_in(), source)
    }

    fn text(value: &str) -> Value {
        Value::Text(value.to_owned())
    }

    fn range(from: Option<Value>, to: Option<Value>) -> Interval {
        Interval { from, to }
    }

    fn number(value: f64) -> Value {
        Value::Number(value)
    }

    #[test]
    fn filters_are_read_as_typed_values() {
        use Test::{Between, In, IsNotDefined, IsNotEmpty};
        let item = "arrayOfObjectType.integerExample";
        for (source, name, test) in [
            (r#"custom:"a","b""#, CUSTOM, In(vec![text("a"), text("b")])),
            (r#" custom : "a" , "b" "#, CUSTOM, In(vec![text("a"), text("b")])),
            (r#"custom:"\u00e9\ud83d\ude00\n\"\/,""#, CUSTOM, In(vec![text("é😀\n\"/,")])),
            ("arrayOfIntExample:3,4", INTS, In(vec![number(3.0), number(4.0)])),
            (
                "objectTypeProperty.arrayOfIntExample:-1.5e1,-0",
                INTS,
                In(vec![Value::Number(-15.0), Value::Number(0.0)]),
            ),
            (
                "arrayOfIntExample:range(1 to 2),(* to 3.5)",
                INTS,
                Between(vec![range(Some(number(1.0)), Some(number(2.0))), range(None, Some(number(3.5)))]),
            ),
            ("arrayOfIntExample: RANGE ( 1 TO * )", INTS, Between(vec![range(Some(number(1.0)), None)])),
            ("arrayOfIntExample:range(* to *)", INTS, Between(vec![range(None, None)])),
            (r#"custom:range("a" to "b")"#, CUSTOM, Between(vec![range(Some(text("a")), Some(text("b")))])),
            ("arrayOfObjectType.integerExample:1", item, In(vec![Value::Number(1.0)])),
            ("arrayOfObjectType:exists", "arrayOfObjectType", IsNotEmpty),
            ("createdBy:missing", "createdBy", IsNotDefined),
            ("createdBy.firstName:\"x\"", "createdBy.firstName", In(vec![text("x")])),
            (
                "createdAt:range(\"0001-01-01T00:00:00.000Z\" to \"1970-01-01T00:00:00.001Z\")",
                "createdAt",
                Between(vec![range(Some(Value::DateTime(-62_135_596_800_000)), Some(Value::DateTime(1)))]),
            ),
        ] {
            assert_eq!(parse_filter(source), Ok(Typed::Test { path: path(name), test }), "{source}");
        }
    }

    #[test]
    #[allow(clippy::too_many_lines, reason = "a table of cases")]
    fn errors_say_where_and_what_was_expected() {
        for (source, column, part) in [
            ("", 1, "Unexpected end of input, expected a field name"),
            (":1", 1, "Unexpected ':', expected a field name"),
            ("custom", 7, "Unexpected end of input, expected '.' or ':'"),
            ("custom.", 8, "Unexpected end of input, expected a field name"),
            ("nope:1", 1, "The field 'nope' does not exist"),
            ("custom.x:1", 8, "The field 'custom.x' does not exist"),
            ("custom:", 8, "expected values, 'range', 'exists' or 'missing'"),
            ("custom:true", 8, "Unexpected 'true', expected values, 'range'"),
            ("custom:3", 8, "Unexpected '3', expected a string in double quotes"),
            ("custom:\"a\",", 12, "Unexpected end of input, expected a string"),
            ("custom:\"a\" \"b\"", 12, "Unexpected string, expected ',' or end of input"),
            ("custom:\"é\",x", 12, "Unexpected 'x', expected a string in double quotes"),
            ("custom:\"a", 10, "Unexpected end of input, expected '\"'"),
            ("custom:\"\\x\"", 9, "Unknown escape"),
            ("custom:\"\\ud800\"", 9, "A lone surrogate"),
            ("custom:\"\\u0000\"", 9, "U+0000"),
            ("custom:\"\\u00\"", 9, "Malformed escape"),
            ("custom:\"a\nb\"", 10, "Unexpected control character U+000A in a string"),
            ("arrayOfIntExample:\"3\"", 19, "Unexpected string, expected a number"),
            ("arrayOfIntExample:03", 19, "Malformed number '03'"),
            ("arrayOfIntExample:1e999", 19, "The number '1e999' is out of range"),
            ("arrayOfIntExample:range(1 2)", 27, "Unexpected '2', expected 'to'"),
            ("arrayOfIntExample:range(1 to 2", 31, "Unexpected end of input, expected ')'"),
            ("arrayOfIntExample:range 1", 25, "Unexpected '1', expected '('"),
            ("arrayOfIntExample:range(1 to 2),", 33, "expected '('"),
            ("arrayOfIntExample:exists,1", 25, "Unexpected ',', expected end of input"),
            ("arrayOfIntExample:exists missing", 26, "Unexpected 'missing', expected end of input"),
            ("createdAt:\"2024-02-30T00:00:00.000Z\"", 11, "Expected a date-time such as"),
            ("createdAt:1", 11, "Unexpected '1', expected a date-time"),
            (
                "createdBy:\"x\"",
                1,
                "The field 'createdBy' does not support this expression. It contains objects",
            ),
            ("objectTypeProperty:exists", 1, "does not support this expression"),
        ] {
            let error = parse_filter(source).unwrap_err();
            let place = format!("(line 1, column {column})");
            assert!(
                error.to_string().contains(part) && error.to_string().ends_with(&place),
                "{source}: {error}"
            );
        }
    }

    #[test]
    fn the_longest_filter_that_fits_works() {
        let mut source = "arrayOfIntExample:1".to_owned();
        source.push_str(&",1".repeat((limits::SEARCH_EXPRESSION_BYTES - source.len()) / 2));
        assert!(parse_filter(&source).is_ok());
        source.push_str(",1");
        let error = parse_filter(&source).unwrap_err();
        assert_eq!(error.at.column, limits::SEARCH_EXPRESSION_BYTES as u32 + 1);
        let limit = MemberValue::Integer(limits::SEARCH_EXPRESSION_BYTES as i64);
        assert!(error.refusal.members.contains(&(Member::MaxLength, limit)), "{error:?}");
    }

    proptest! {
        #[test]
        fn no_text_panics(
            random in any::<String>(),
            close in "(custom|arrayOfIntExample|createdAt)[ :]{0,3}(range|exists|)[(\"\\\\u0-9dt to*),.-]{0,20}",
        ) {
            let _ = parse_filter(&random);
            let _ = parse_filter(&close);
        }

        #[test]
        fn every_string_and_number_is_read_back(text in "[^\0]*", value in -1e300..1e300_f64) {
            let json = serde_json::to_string(&text).unwrap();
            prop_assume!(json.len() < 8000);
            let filter = parse_filter(&format!("custom:{json}")).unwrap();
            prop_assert_eq!(filter, Typed::Test { path: path(CUSTOM), test: Test::In(vec![Value::Text(text)]) });
            let filter = parse_filter(&format!("arrayOfFloatExample:{value:?}")).unwrap();
            let path = path("arrayOfFloatExample");
            prop_assert_eq!(filter, Typed::Test { path, test: Test::In(vec![Value::Number(value)]) });
        }
    }
}
