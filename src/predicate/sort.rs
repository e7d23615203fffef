//! The parameters `sort` (D27) and `expand` (D25). Reasons are the ends of sentences that begin `Malformed parameter:`.

use crate::contract::field::Sort;
use crate::contract::field::{FieldPath, Holds};
use crate::contract::param::quoted;

use super::fields;

/// The order that `path [asc|desc]` names; the path must lead to a text, a number, a time or an array of texts or
/// numbers, or through `arrayOfObjectType` to a field of its items (D27).
pub fn parse_sort(text: &str) -> Result<Sort, String> {
    let mut words = text.split([' ', '\t', '\n', '\r']).filter(|word| !word.is_empty());
    let path = words.next().ok_or("expected a field's path, then perhaps asc or desc")?;
    let descending = match words.next() {
        None => false,
        Some(word) if word.eq_ignore_ascii_case("asc") => false,
        Some(word) if word.eq_ignore_ascii_case("desc") => true,
        Some(other) => return Err(format!("expected asc or desc after the path, found '{}'", quoted(other))),
    };
    match words.next() {
        None => Ok(Sort { path: sortable(path)?, descending }),
        Some(more) => Err(format!("expected nothing after the direction, found '{}'", quoted(more))),
    }
}

fn sortable(path: &str) -> Result<FieldPath, String> {
    if !path.split('.').all(is_name) {
        return Err(format!("expected names joined by dots, found '{}'", quoted(path)));
    }
    let field = fields::lookup(None, path.split('.')).map_err(|(count, help)| {
        let names: Vec<&str> = path.split('.').take(count).collect();
        format!("The field '{}' does not exist. {help}", quoted(&names.join(".")))
    })?;
    match (field.path, field.holds) {
        (Some(path), Holds::Text | Holds::Number(_) | Holds::DateTime) => Ok(path),
        (_, _) => Err(format!(
            "'{}' is {}, which has no order; name a field inside it",
            quoted(path),
            fields::kind(&field)
        )),
    }
}

/// Whether the text is a reference's path: names joined by dots, each perhaps followed by `[*]` (D25).
pub fn check_expand(text: &str) -> Result<(), String> {
    let fits = text.split('.').all(|part| is_name(part.strip_suffix("[*]").unwrap_or(part)));
    if fits {
        return Ok(());
    }
    Err(format!("expected a path such as a.b or a[*].b, found '{}'", quoted(text)))
}

/// Whether the text is a name of the query language.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}
