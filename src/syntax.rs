//! What is wrong with the expressions of a query, for editors in a page: the service's own parsers, each behind one
//! function that returns the first fault with its place. Imports the query languages and the contract.

use crate::contract::json::Object;
use crate::predicate::{self, Problem, Variables};
use crate::search;

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
}

impl Language {
    /// Every language, in the order of the numbers that JavaScript sends.
    pub const ALL: [Self; 4] = [Self::Where, Self::Sort, Self::Filter, Self::Facet];
}

/// What is wrong with an expression, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// A sentence for people.
    pub message: String,
    /// The line, from 1.
    pub line: u32,
    /// The character within the line, from 1.
    pub column: u32,
    /// How many characters are wrong; 0 where the expression ends too early.
    pub length: u32,
}

impl Fault {
    fn new(text: &str, message: &str, line: u32, column: u32) -> Self {
        let mut message = message.to_owned();
        message.push('.');
        Self { message, line, column, length: token_length(text, line, column) }
    }

    /// The fault as JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut out = String::new();
        let mut object = Object::open(&mut out);
        object.text("message", &self.message);
        for (name, value) in [("line", self.line), ("column", self.column), ("length", self.length)] {
            object.integer(name, i64::from(value));
        }
        object.close();
        out
    }
}

/// The first fault of an expression; `None` if the service takes it. The values of variables are not known here, so what
/// depends on them is not judged.
#[must_use]
pub fn check(language: Language, text: &str) -> Option<Fault> {
    match language {
        Language::Where => check_predicate(text),
        Language::Sort => predicate::parse_sort(text)
            .err()
            .map(|reason| Fault { length: text.chars().count() as u32, ..Fault::new(text, &reason, 1, 1) }),
        Language::Filter => search::parse_filter(text).err().map(|error| at_column(text, &error)),
        Language::Facet => search::parse_facet(text).err().map(|error| at_column(text, &error)),
    }
}

fn at_column(text: &str, error: &search::ExpressionError) -> Fault {
    Fault::new(text, &error.to_string(), 1, error.column)
}

/// A text that is a number too, and one that is a time too: between them, each field takes one as a variable's value.
const STAND_INS: [&str; 2] = ["0", "2000-01-01T00:00:00.000Z"];

fn check_predicate(text: &str) -> Option<Fault> {
    let ast = match predicate::parse(text) {
        Ok(ast) => ast,
        Err(error) => return Some(Fault::new(text, &error.to_string(), error.line, error.column)),
    };
    let mut known: Vec<(String, usize)> = Vec::new();
    loop {
        let variables: Variables = known
            .iter()
            .map(|(name, at)| (name.as_str(), STAND_INS.get(*at).copied().unwrap_or_default()))
            .collect();
        let error = predicate::check(&ast, &variables).err()?;
        match &error.problem {
            Problem::MissingVariable { name } => known.push((name.clone(), 0)),
            Problem::WrongVariable { name, .. } => {
                let (_, at) = known.iter_mut().find(|(known, _)| known == name)?;
                *at += 1;
                // It stands where different types are expected.
                if *at == STAND_INS.len() {
                    return None;
                }
            }
            Problem::TooManyValues { .. } => return None,
            Problem::UnknownField { .. } | Problem::Unsupported { .. } => {
                return Some(Fault::new(text, &error.to_string(), error.at.line, error.at.column));
            }
        }
    }
}

/// How many characters the token at a place has: a word, a string, or a symbol; 0 at the end.
fn token_length(text: &str, line: u32, column: u32) -> u32 {
    let line = text.split('\n').nth(line as usize - 1).unwrap_or_default();
    let mut rest = line.chars().skip(column as usize - 1);
    let Some(first) = rest.next() else { return 0 };
    let count = match first {
        '"' => string_rest(rest),
        '!' | '<' | '>' => usize::from(rest.next().is_some_and(|next| matches!(next, '=' | '>'))),
        _ if is_word(first) => rest.take_while(|char| is_word(*char)).count(),
        _ => 0,
    };
    count as u32 + 1
}

/// How many characters of a string follow its first quotation mark.
fn string_rest(rest: impl Iterator<Item = char>) -> usize {
    let (mut count, mut escaped) = (0, false);
    for char in rest {
        count += 1;
        match char {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => break,
            _ => {}
        }
    }
    count
}

fn is_word(char: char) -> bool {
    char.is_ascii_alphanumeric() || matches!(char, '-' | '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(language: Language, text: &str) -> Option<(u32, u32, u32)> {
        check(language, text).map(|fault| (fault.line, fault.column, fault.length))
    }

    #[test]
    fn a_fault_covers_the_token_that_is_wrong() {
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
    fn variables_may_hold_what_their_places_need() {
        for text in [
            "key = :a and version in :b and createdAt > :c and arrayOfIntExample contains all :b",
            "key = :a and createdAt < :a",
            "version = :a and createdAt < :a",
        ] {
            assert_eq!(check(Language::Where, text), None, "{text}");
        }
        assert_eq!(place(Language::Where, "key = :a and nope = :b"), Some((1, 14, 4)));
        assert_eq!(place(Language::Where, "version is empty and key = :a"), Some((1, 9, 2)));
    }

    #[test]
    fn the_other_languages_are_checked_too() {
        for (language, right, wrong, expected) in [
            (Language::Sort, "createdAt desc", "nope", (1, 1, 4)),
            (Language::Filter, "custom:\"a\"", "custom: 5", (1, 9, 1)),
            (Language::Facet, "arrayOfIntExample as ints", "custom as", (1, 10, 0)),
        ] {
            assert_eq!(check(language, right), None);
            assert_eq!(place(language, wrong), Some(expected), "{wrong}");
        }
    }

    #[test]
    fn a_fault_is_json_with_its_place() {
        let json = check(Language::Where, "key").unwrap().to_json();
        assert!(json.starts_with("{\"message\":\"Unexpected end of input, expected '.', '(', =,"), "{json}");
        assert!(json.ends_with(",\"line\":1,\"column\":4,\"length\":0}"), "{json}");
    }
}
