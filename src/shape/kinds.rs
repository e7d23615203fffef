//! The table of the fields that a deployment adds to the resource of the interface.

use std::borrow::Cow;

use super::built_in::is_reserved;
use super::rules::Rules;
use super::types::{BOOLEAN, DATE_TIME, Field, INTEGER, NOT, NUMBER, Role, TEXT, Type, array};
use crate::contract::limits;
use crate::util::text::{append, concat, cut};

/// The types, as the table names them. A name with [`ARRAY`] at its end means an array of them.
const KINDS: [(&str, Type); 5] =
    [("text", TEXT), ("integer", INTEGER), ("number", NUMBER), ("boolean", BOOLEAN), ("datetime", DATE_TIME)];
const ARRAY: &str = "[]";

/// Returns the names of the types in a table, each with its type: first those of single values.
pub fn all() -> impl Iterator<Item = (String, Type)> {
    let single = KINDS.iter().map(|(name, ty)| ((*name).to_owned(), ty.clone()));
    single.chain(KINDS.iter().map(|(name, ty)| (concat(&[name, ARRAY]), array(ty.clone()))))
}

/// Returns the name of a type in a table; empty if the table has no such type.
pub fn name_of(ty: &Type) -> String {
    all().find(|(_, known)| known == ty).map(|(name, _)| name).unwrap_or_default()
}

/// Returns the fields of a table: a line with name and type for each field, in order. Otherwise, returns what is wrong
/// in a sentence.
pub(super) fn parse(table: &str) -> Result<Vec<Field>, String> {
    let mut fields: Vec<Field> = Vec::new();
    for line in table.lines() {
        let (name, kind) = cut(line, b' ');
        check_name(name, &fields)?;
        let ty = type_of(name, kind.unwrap_or_default())?;
        if fields.len() == limits::OWN_FIELDS {
            return Err(TOO_MANY.to_owned());
        }
        fields.push(Field {
            name: Cow::Owned(name.to_owned()),
            ty,
            required: false,
            role: Role::Content,
            rules: Rules::default(),
        });
    }
    Ok(fields)
}

// Written out, because code that prints numbers costs a page more than these.
const TOO_MANY: &str = "There are too many own fields. The limit is 40.";
const NAME_RULE: &str = "' is invalid. It has at most 64 letters, digits, and underscores, and begins with a \
                         lower-case letter.";
const _: () = assert!(limits::OWN_FIELDS == 40 && limits::OWN_NAME_CHARS == 64);

/// Returns an error if the name of a field after others is invalid.
#[inline(never)]
fn check_name(name: &str, others: &[Field]) -> Result<(), String> {
    let is_word = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let is_name = is_word && name.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase());
    let wrong = if !is_name || name.len() > limits::OWN_NAME_CHARS {
        NAME_RULE
    } else if name.eq_ignore_ascii_case(NOT) || is_reserved(name) {
        "' is reserved. Choose another name."
    } else if others.iter().any(|other| other.name == name) {
        "' is not unique. Choose another name."
    } else {
        return Ok(());
    };
    Err(concat(&["The name of an own field '", name, wrong]))
}

/// Returns the type of a field that the table calls `kind`.
#[inline(never)]
fn type_of(name: &str, kind: &str) -> Result<Type, String> {
    if let Some((_, ty)) = all().find(|(known, _)| *known == kind) {
        return Ok(ty);
    }
    let mut wrong =
        concat(&["The type '", kind, "' of the own field '", name, "' is unknown. The types are "]);
    for (at, (kind, _)) in all().enumerate() {
        append(&mut wrong, &[if at == 0 { "" } else { ", " }, &kind]);
    }
    wrong.push('.');
    Err(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Shape;
    use crate::test;

    fn refusal(table: &str) -> String {
        Shape::with_fields(table).unwrap_err()
    }

    #[test]
    fn a_table_is_refused_at_its_first_fault() {
        let name = |name: &str, wrong: &str| format!("The name of an own field '{name}' is {wrong}");
        let long = "a".repeat(limits::OWN_NAME_CHARS + 1);
        for wrong in ["", "Title", "1a", "_a", "a-b", "a.b", "é", "__proto__", &long] {
            let rule = "invalid. It has at most 64 letters, digits, and underscores, and begins with a lower-case letter.";
            assert_eq!(refusal(&format!("a text\n{wrong} text\n")), name(wrong, rule));
        }
        for taken in ["not", "nOT", "id", "custom", "arrayOfIntExample", "actions", "deletedAt", "firstName"]
        {
            assert_eq!(refusal(&format!("{taken} text")), name(taken, "reserved. Choose another name."));
        }
        assert_eq!(refusal("a text\nb text\na number"), name("a", "not unique. Choose another name."));
        for kind in ["Text", "", "text []", "text "] {
            let found = refusal(&format!("a {kind}"));
            let expected = "is unknown. The types are text, integer, number, boolean, datetime, text[], integer[], \
                            number[], boolean[], datetime[].";
            assert_eq!(found, format!("The type '{kind}' of the own field 'a' {expected}"));
        }
        let text = |count: usize| (0..count).map(|at| format!("a{at} text")).collect::<Vec<_>>().join("\n");
        assert!(Shape::with_fields(&text(limits::OWN_FIELDS)).is_ok());
        assert_eq!(refusal(&text(limits::OWN_FIELDS + 1)), TOO_MANY);
    }

    #[test]
    fn every_type_of_the_table_has_its_name() {
        let rows: Vec<String> =
            all().map(|(kind, _)| format!("a{} {kind}", kind.replace("[]", "s"))).collect();
        let shape = Shape::with_fields(&rows.join("\n")).unwrap();
        let fields = shape.own_fields().iter();
        let found: Vec<String> =
            fields.map(|field| format!("{} {}", field.name, name_of(&field.ty))).collect();
        assert_eq!(found, rows);
    }
}
