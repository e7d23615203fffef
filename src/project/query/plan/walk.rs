//! The tests of a condition, wherever they are in it.

use crate::predicate::{Test, Typed};
use crate::shape::FieldPath;

/// Calls the function with every test, and whether it is one of an array's items.
pub(crate) fn visit<'q>(
    condition: &'q Typed,
    of_item: bool,
    each: &mut dyn FnMut(&'q FieldPath, &'q Test, bool),
) {
    match condition {
        Typed::True | Typed::False => {}
        Typed::And(parts) | Typed::Or(parts) => parts.iter().for_each(|part| visit(part, of_item, each)),
        Typed::Not(inner) => visit(inner, of_item, each),
        Typed::Element { condition, .. } => visit(condition, true, each),
        Typed::Test { path, test } => each(path, test, of_item),
    }
}

/// Adds the names of the fields that the condition tests, without duplicates.
pub(crate) fn add_fields(condition: &Typed, found: &mut Vec<String>) {
    visit(condition, false, &mut |path, _, _| {
        let name = path.to_string();
        if !found.contains(&name) {
            found.push(name);
        }
    });
}

/// Returns the members of an item that the condition tests, without duplicates.
pub(crate) fn members(condition: &Typed) -> Vec<&FieldPath> {
    let mut found = Vec::new();
    visit(condition, true, &mut |path, _, _| {
        if path.inner().is_some() && !found.contains(&path) {
            found.push(path);
        }
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predicate::{self, Variables};
    use crate::shape::Shape;
    use crate::test;

    #[test]
    fn the_tests_of_items_are_told_apart_and_a_field_is_named_once() {
        let text = "version = 1 or version = 2 or arrayOfObjectType(not (integerExample = 3))";
        let condition = predicate::read(&Shape::built_in(), [text], &Variables::default()).unwrap();
        let mut names = Vec::new();
        add_fields(&condition, &mut names);
        assert_eq!(names[..1], ["version"]);
        assert_eq!(names.len(), 2, "{names:?}");
        let mut of_items = Vec::new();
        visit(&condition, false, &mut |_, _, of_item| of_items.push(of_item));
        assert_eq!(of_items, [false, false, true]);
    }
}
