//! The parameters `sort` (D27) and `expand` (D25). Each reason completes a sentence that begins with `Malformed
//! parameter:`.

use crate::contract::error::{Expected, Member, Reason, quoted};
use crate::contract::param::Refusal;
use crate::shape::{FieldPath, QueryField, Shape, Sort};

use super::{fields, lexer};

/// Parses `path [asc|desc]`. The path must lead to a single value or an array of such values, or through
/// `arrayOfObjectType` to a field of its items (D27). `false` precedes `true`.
pub fn parse_sort(shape: &Shape, text: &str) -> Result<Sort, Refusal> {
    let syntax = |expected: Expected, part: &str, sentence: String| {
        Refusal::new(Reason::Syntax, sentence).expecting(expected).about(text, part)
    };
    let mut words = text.split([' ', '\t', '\n', '\r']).filter(|word| !word.is_empty());
    let path = words.next().ok_or_else(|| {
        let sentence = "expected a field path, optionally followed by asc or desc";
        syntax(&["<field>"], text.get(text.len()..).unwrap_or_default(), sentence.to_owned())
    })?;
    // The form of other APIs.
    if let Some(field) = path.strip_prefix('-').filter(|field| sortable(shape, field).is_ok()) {
        let expected = format!("{field} desc");
        let sentence = format!("expected {expected}, found '{}'", quoted(path));
        let refusal = syntax(&["<field>"], path, sentence);
        return Err(refusal.with(Member::Suggestion, expected));
    }
    let descending = match words.next() {
        None => false,
        Some(word) if word.eq_ignore_ascii_case("asc") => false,
        Some(word) if word.eq_ignore_ascii_case("desc") => true,
        Some(other) => {
            let sentence = format!("expected asc or desc after the path, found '{}'", quoted(other));
            return Err(syntax(&["asc", "desc"], other, sentence));
        }
    };
    match words.next() {
        None => {
            let path = sortable(shape, path).map_err(|refusal| refusal.about(text, path))?;
            Ok(Sort { path, descending })
        }
        Some(more) => {
            let sentence = format!("expected nothing after the direction, found '{}'", quoted(more));
            Err(syntax(&["<end>"], more, sentence))
        }
    }
}

/// Returns the field to which a path leads: names joined by dots.
pub fn parse_path(shape: &Shape, path: &str) -> Result<QueryField, Refusal> {
    if !path.split('.').all(is_name) {
        let sentence = format!("expected names separated by dots, found '{}'", quoted(path));
        return Err(Refusal::new(Reason::Syntax, sentence).expecting(&["<field>"]));
    }
    fields::lookup(shape, None, path.split('.')).map_err(|unknown| unknown.refusal)
}

fn sortable(shape: &Shape, path: &str) -> Result<FieldPath, Refusal> {
    let field = parse_path(shape, path)?;
    let kind = fields::kind(&field);
    if let (Some(path), Some(_)) = (field.path, field.field_type.data()) {
        return Ok(path);
    }
    let sentence = format!("'{}' is {kind}, which has no order; name a field inside it", quoted(path));
    Err(Refusal::new(Reason::Operator, sentence))
}

/// Checks whether the text is a reference path: names joined by dots, each optionally followed by `[*]` (D25).
pub fn check_expand(text: &str) -> Result<(), Refusal> {
    let fits = text.split('.').all(|part| is_name(part.strip_suffix("[*]").unwrap_or(part)));
    if fits {
        return Ok(());
    }
    let sentence = format!("expected a path such as a.b or a[*].b, found '{}'", quoted(text));
    Err(Refusal::new(Reason::Syntax, sentence))
}

/// Returns whether the text is a name of the query language.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(lexer::is_name)
}
