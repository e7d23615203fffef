//! Checks the expressions of a query, for editors in a page: the service's own parsers, each behind one function that
//! returns the first fault with its place. Imports the query languages and the contract.

use crate::contract::error::{Code, ErrorItem};
use crate::contract::param::Refusal;
use crate::predicate::{self, Ast, ErrorKind, ExpressionError, Variables};
use crate::search;
use crate::shape::Shape;

/// A language of a query parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// `where`: a predicate.
    Where,
    /// `sort`: a field and a direction.
    Sort,
    /// `filter`, `filter.query` and `filter.facets`.
    Filter,
    /// `facet`.
    Facet,
    /// A rule of users: a predicate whose variables are claims.
    Rule,
}

impl Language {
    /// Every language, in the order of the numbers that JavaScript sends.
    pub const ALL: [Self; 5] = [Self::Where, Self::Sort, Self::Filter, Self::Facet, Self::Rule];
}

/// Returns the first fault of an expression, with its line, column, and length; `None` if the service accepts it. The
/// values of variables are unknown here, so errors that depend on them are not found.
pub fn check(shape: &Shape, language: Language, text: &str) -> Option<ErrorItem> {
    match language {
        Language::Where => check_predicate(shape, predicate::parse(text)),
        Language::Rule => check_predicate(shape, predicate::parse_rule(text)),
        Language::Sort => predicate::parse_sort(shape, text).err().map(refused),
        Language::Filter => search::parse_filter(shape, text).err().map(|error| refused(error.into())),
        Language::Facet => search::parse_facet(shape, text).err().map(|error| refused(error.into())),
    }
}

fn refused(refusal: Refusal) -> ErrorItem {
    refusal.of_text(Code::InvalidInput)
}

/// A text that is also a number, one that is also a time, and one that is also a boolean: as a variable's value, every
/// field accepts one of them.
const STAND_INS: [&str; 3] = ["0", "2000-01-01T00:00:00.000Z", "true"];

fn check_predicate(shape: &Shape, parsed: Result<Ast, ExpressionError>) -> Option<ErrorItem> {
    let ast = match parsed {
        Ok(ast) => ast,
        Err(wrong) => return Some(Refusal::from(wrong).of_text(Code::SyntaxError)),
    };
    let mut known: Vec<(String, usize)> = Vec::new();
    loop {
        let variables: Variables = known
            .iter()
            .map(|(name, at)| (name.as_str(), STAND_INS.get(*at).copied().unwrap_or_default()))
            .collect();
        let wrong = predicate::check(shape, &ast, &variables).err()?;
        match &wrong.kind {
            ErrorKind::MissingVariable(name) => known.push((name.clone(), 0)),
            ErrorKind::WrongVariable(name) => {
                let (_, at) = known.iter_mut().find(|(known, _)| known == name)?;
                *at += 1;
                // The variable occurs in places that expect different types.
                if *at == STAND_INS.len() {
                    return None;
                }
            }
            ErrorKind::TooManyValues => return None,
            ErrorKind::Syntax | ErrorKind::Field => return Some(refused(wrong.into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::error::{Member, MemberValue};
    use crate::test;

    fn place(language: Language, text: &str) -> Option<(i64, i64, i64)> {
        check(&Shape::built_in(), language, text).map(|error| {
            let [line, column, length] = [Member::Line, Member::Column, Member::Length].map(|wanted| {
                error.members.iter().find_map(|(member, value)| match value {
                    MemberValue::Integer(value) if *member == wanted => Some(*value),
                    _ => None,
                })
            });
            (line.unwrap(), column.unwrap(), length.unwrap())
        })
    }

    #[test]
    fn an_error_covers_what_is_wrong() {
        for (text, expected) in [
            ("key = \"a\" and\n  nope = 1", Some((2, 3, 4))),
            ("key == 1", Some((1, 6, 1))),
            ("key = \"a\" \"b\\\"\"", Some((1, 11, 5))),
            ("key !", Some((1, 5, 1))),
            ("key <> ", Some((1, 8, 0))),
            ("", Some((1, 1, 0))),
            ("version contains any (1)", Some((1, 9, 8))),
            ("version = \"one\"", Some((1, 11, 5))),
            ("key = \"a\" and version > 1.5e3", None),
        ] {
            assert_eq!(place(Language::Where, text), expected, "{text}");
        }
    }

    #[test]
    fn variables_may_have_any_value_that_their_places_accept() {
        for text in [
            "key = :a and version in :b and createdAt > :c and arrayOfIntExample contains all :b",
            "key = :a and createdAt < :a",
            "version = :a and createdAt < :a",
        ] {
            assert_eq!(check(&Shape::built_in(), Language::Where, text), None, "{text}");
        }
        assert_eq!(place(Language::Where, "key = :a and nope = :b"), Some((1, 14, 4)));
        assert_eq!(place(Language::Where, "version is empty and key = :a"), Some((1, 9, 2)));
    }

    #[test]
    fn every_language_has_the_fields_of_the_shape() {
        let schema = r#"{"type":"object","properties":{"price":{"type":"number"}}}"#;
        let shape = Shape::of_schema(schema).unwrap();
        for (language, text) in [
            (Language::Where, "price > :x"),
            (Language::Sort, "price desc"),
            (Language::Filter, "price:range(1 to *)"),
            (Language::Facet, "price"),
        ] {
            assert_eq!(check(&shape, language, text), None, "{text}");
            assert_eq!(place(language, text), Some((1, 1, 5)), "{text}");
        }
    }

    #[test]
    fn the_other_languages_are_checked_too() {
        for (language, right, wrong, expected) in [
            (Language::Sort, "createdAt desc", "nope", (1, 1, 4)),
            (Language::Sort, "createdAt\ndesc", "key\n up", (2, 2, 2)),
            (Language::Filter, "custom:\"a\"", "custom: 5", (1, 9, 1)),
            (Language::Filter, "custom\n:\"a\"", "custom:\n  5", (2, 3, 1)),
            (Language::Facet, "arrayOfIntExample as ints", "custom as", (1, 10, 0)),
        ] {
            assert_eq!(check(&Shape::built_in(), language, right), None);
            assert_eq!(place(language, wrong), Some(expected), "{wrong}");
        }
    }
}
