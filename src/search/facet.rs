//! The parameter `facet`.

use serde::{Deserialize, Serialize};

use crate::contract::error::Expected;
use crate::contract::limits;
use crate::predicate::{ExpressionError, Lexer, Value};
use crate::shape::{DataType, FieldPath, Shape};
use crate::util::{number, time};

use super::subject::{FilterField, Parsed};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Facet {
    /// The field. If it is inside `arrayOfObjectType`, the facet counts the values of all items.
    pub path: FieldPath,
    pub kind: FacetKind,
    /// The name of the facet in the response: its alias, else its path as written. Contains only `[-_.A-Za-z0-9]`.
    pub alias: String,
    pub counting_products: bool,
    pub data_type: DataType,
}

/// The values or resources that a facet counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum FacetKind {
    /// Each value of the field.
    Terms,
    /// Resources that have one of the values. There is at least one, all of the field's type.
    Filtered(Vec<Value>),
    /// Each of the ranges. There is at least one; only of numbers and instants.
    Ranges(Vec<FacetRange>),
}

/// A range that includes its lower end and excludes its upper one. An open end is `None`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FacetRange {
    /// The smallest value.
    pub from: Option<Bound>,
    /// The upper end, above every value.
    pub to: Option<Bound>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bound {
    /// The number, or the instant in milliseconds since 1970, negative before that; finite.
    pub value: f64,
    /// Its form in the response: a decimal, or a time in the form of D6.
    pub text: String,
}

pub fn parse_facet(shape: &Shape, source: &str) -> Result<Facet, ExpressionError> {
    let mut lexer = Lexer::new(source, "expression", limits::SEARCH_EXPRESSION_BYTES)?;
    let subject = FilterField::parse(shape, &mut lexer)?;
    let data_type = subject.scalar()?;
    let (kind, mut expected): (_, Expected) = if lexer.consume_symbol(":") {
        (kind(&mut lexer, &subject)?, &[",", "as", "counting products", "<end>"])
    } else {
        (FacetKind::Terms, &[".", ":", "as", "counting products", "<end>"])
    };
    let mut alias = None;
    if lexer.consume_keyword("as") {
        lexer.place();
        let name = lexer.word();
        if name.is_empty() {
            return Err(lexer.unexpected(&["<alias>"]));
        }
        alias = Some(name.to_owned());
        expected = &["counting products", "<end>"];
    }
    let counting_products = lexer.consume_keyword("counting");
    if counting_products {
        lexer.keyword("products", &["products"])?;
        expected = &["<end>"];
    }
    lexer.place();
    if lexer.first().is_some() {
        return Err(lexer.unexpected(expected));
    }
    let alias = alias.unwrap_or(subject.name);
    Ok(Facet { path: subject.path, kind, alias, counting_products, data_type })
}

fn kind(lexer: &mut Lexer<'_>, subject: &FilterField) -> Parsed<FacetKind> {
    if lexer.consume_keyword("range") {
        let found = match subject.data_type {
            Some(DataType::Text) => "It is a text",
            Some(DataType::Boolean) => "It is a boolean",
            Some(DataType::Number | DataType::DateTime) | None => "",
        };
        if !found.is_empty() {
            return subject
                .unsupported(&[found, "; only numbers and date-times support range facets"].concat());
        }
        let ranges = subject.ranges(lexer)?.into_iter();
        let ranges = ranges.map(|[from, to]| FacetRange {
            from: from.as_ref().and_then(bound),
            to: to.as_ref().and_then(bound),
        });
        return Ok(FacetKind::Ranges(ranges.collect()));
    }
    if subject.is_value(lexer) {
        subject.values(lexer).map(FacetKind::Filtered)
    } else {
        Err(lexer.unexpected(&["<values>", "range"]))
    }
}

fn bound(value: &Value) -> Option<Bound> {
    let mut text = String::new();
    let value = match *value {
        // Rejected earlier: they have no ranges to count.
        Value::Text(_) | Value::Boolean(_) => return None,
        Value::Number(value) => {
            number::push_decimal(&mut text, value);
            value
        }
        Value::DateTime(instant) => {
            time::push_signed(&mut text, instant);
            // Four-digit years are far below 2^53 milliseconds.
            instant as f64
        }
    };
    Some(Bound { value, text })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predicate::tests::path;
    use crate::test;
    use proptest::prelude::*;

    fn parse_facet(source: &str) -> Result<Facet, ExpressionError> {
        super::parse_facet(&Shape::built_in(), source)
    }

    fn number(value: f64, text: &str) -> Bound {
        Bound { value, text: text.to_owned() }
    }

    #[test]
    fn facets_are_read_as_typed_values() {
        use FacetKind::{Filtered, Ranges, Terms};
        let values = || Filtered(vec![Value::Text("a".to_owned()), Value::Text("b".to_owned())]);
        let ranges = || {
            Ranges(vec![
                FacetRange { from: None, to: Some(number(1.5, "1.5")) },
                FacetRange { from: Some(number(36.0, "36.0")), to: None },
            ])
        };
        for (source, name, kind, alias, products) in [
            ("custom", "custom", Terms, "custom", false),
            (" custom  as  a-b_1 ", "custom", Terms, "a-b_1", false),
            ("custom counting products", "custom", Terms, "custom", true),
            ("custom AS as COUNTING Products", "custom", Terms, "as", true),
            ("custom as counting counting products", "custom", Terms, "counting", true),
            ("custom:\"a\",\"b\"", "custom", values(), "custom", false),
            ("custom:\"a\" , \"b\" as x counting products", "custom", values(), "x", true),
            ("arrayOfIntExample:range(* to 1.5),(36 to *)as r", "arrayOfIntExample", ranges(), "r", false),
            (
                "objectTypeProperty.arrayOfFloatExample",
                "arrayOfFloatExample",
                Terms,
                "objectTypeProperty.arrayOfFloatExample",
                false,
            ),
        ] {
            let facet = parse_facet(source).unwrap_or_else(|error| panic!("{source}: {error}"));
            assert_eq!(facet.path, path(name), "{source}");
            assert_eq!((facet.kind, facet.alias.as_str()), (kind, alias), "{source}");
            assert_eq!(facet.counting_products, products, "{source}");
        }
    }

    #[test]
    fn ranges_of_times_keep_their_text_even_before_1970() {
        let text = "1969-12-31T23:59:59.999Z";
        let facet = parse_facet(&format!("createdAt:range(\"{text}\" to *)")).unwrap();
        assert_eq!(facet.data_type, DataType::DateTime);
        assert_eq!(
            facet.kind,
            FacetKind::Ranges(vec![FacetRange { from: Some(number(-1.0, text)), to: None }])
        );
    }

    #[test]
    fn errors_say_where_and_what_was_expected() {
        for (source, column, part) in [
            ("", 1, "expected a field name"),
            ("nope", 1, "The field 'nope' does not exist"),
            ("custom x", 8, "Unexpected 'x', expected '.', ':', 'as', 'counting products' or end of input"),
            ("custom as", 10, "Unexpected end of input, expected a name"),
            ("custom as \"x\"", 11, "Unexpected string, expected a name"),
            ("custom as x y", 13, "Unexpected 'y', expected 'counting products' or end of input"),
            ("custom counting", 16, "expected 'products'"),
            ("custom counting products as x", 26, "Unexpected 'as', expected end of input"),
            ("custom:", 8, "expected values or 'range'"),
            ("custom:exists", 8, "Unexpected 'exists', expected values or 'range'"),
            ("custom:\"a\" 1", 12, "expected ',', 'as'"),
            ("custom:range(\"a\" to \"b\")", 1, "It is a text"),
            ("createdBy", 1, "It contains objects; name a field inside them"),
            ("objectTypeProperty", 1, "name one of them"),
            ("version:range(1 to \"2\")", 20, "Unexpected string, expected a number"),
        ] {
            let error = parse_facet(source).unwrap_err();
            let place = format!("(line 1, column {column})");
            assert!(
                error.to_string().contains(part) && error.to_string().ends_with(&place),
                "{source}: {error}"
            );
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(
            random in any::<String>(),
            close in "(custom|version|createdAt)[ :]{0,3}(range|as|counting|)[(\"\\\\u0-9dt to*),.-]{0,20}",
        ) {
            let _ = parse_facet(&random);
            let _ = parse_facet(&close);
        }
    }
}
