//! The fields that a condition names.

use crate::contract::resource::field::FieldPath;
use crate::contract::resource::schema::FieldId;
use crate::predicate::Typed;

/// Returns the fields that the condition names, without duplicates.
pub(crate) fn fields(condition: &Typed) -> Vec<String> {
    let mut found = Vec::new();
    visit(condition, &mut |path| {
        let name = path.to_string();
        if !found.contains(&name) {
            found.push(name);
        }
    });
    found
}

/// Returns the members of an item that the condition tests, without duplicates.
pub(crate) fn members(condition: &Typed) -> Vec<FieldId> {
    let mut found = Vec::new();
    visit(condition, &mut |path| {
        if let Some(id) = path.inner.filter(|id| !found.contains(id)) {
            found.push(id);
        }
    });
    found
}

/// Calls the function with the field of each test.
fn visit(condition: &Typed, each: &mut dyn FnMut(FieldPath)) {
    match condition {
        Typed::True | Typed::False => {}
        Typed::And(parts) | Typed::Or(parts) => parts.iter().for_each(|part| visit(part, each)),
        Typed::Not(inner) => visit(inner, each),
        Typed::Element { condition, .. } => visit(condition, each),
        Typed::Test { path, .. } => each(*path),
    }
}
