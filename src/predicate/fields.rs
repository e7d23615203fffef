//! Which operators the resource's fields support, and the suggestions for an unknown field.

use crate::contract::error::{Member, Reason, quoted};
use crate::contract::names;
use crate::contract::param::Refusal;
use crate::shape::{DataType, QueryField, Shape};
use crate::util::nearest::nearest;

names! {
    /// A group of operators. A field supports all of them or none. Has them as a sentence lists them, and as written.
    pub(super) enum Family list [terms: &'static [&'static str]]:
    Nested = "a condition in parentheses" &["("],
    Equal = "=, !=, <>" &["=", "!=", "<>"],
    Order = "<, <=, >, >=" &["<", "<=", ">", ">="],
    In = "[not] in" &["in", "not in"],
    Contains = "contains all|any" &["contains all", "contains any"],
    Empty = "is [not] empty" &["is empty", "is not empty"],
    Defined = "is [not] defined" &["is defined", "is not defined"],
    Matches = "matches ignore case" &["matches ignore case"],
    Circle = "within circle" &["within circle"],
}

impl Family {
    pub(super) fn fits(self, field: &QueryField) -> bool {
        let data_type = field.field_type.data();
        let object = data_type.is_none();
        match self {
            Self::Equal | Self::In => !object,
            Self::Order => !object && data_type != Some(DataType::Boolean),
            Self::Contains => field.array && !object,
            Self::Empty => field.array,
            Self::Defined => true,
            Self::Matches => data_type == Some(DataType::Text),
            Self::Circle => field.is_point(),
            Self::Nested => object,
        }
    }
}

/// Returns the kind of the field's values, with its article.
pub(super) fn kind(field: &QueryField) -> &'static str {
    match (field.array, field.field_type.data()) {
        (false, Some(DataType::Text)) => "a text",
        (false, Some(DataType::Number)) => "a number",
        (false, Some(DataType::Boolean)) => "a boolean",
        (false, Some(DataType::DateTime)) => "a date-time",
        (false, None) => "an object",
        (true, Some(DataType::Text)) => "an array of texts",
        (true, Some(DataType::Number)) => "an array of numbers",
        (true, Some(DataType::Boolean)) => "an array of booleans",
        (true, Some(DataType::DateTime)) => "an array of date-times",
        (true, None) => "an array of objects",
    }
}

/// Returns which operators the field supports, as a sentence without its period.
pub(super) fn operators(field: &QueryField) -> String {
    let fitting: Vec<&str> =
        Family::ALL.iter().filter(|family| family.fits(field)).map(|family| family.list()).collect();
    format!("It is {}, which supports {}", kind(field), fitting.join(", "))
}

/// Returns the operators that the field supports, for programs.
pub(super) fn operator_terms(field: &QueryField) -> Vec<&'static str> {
    let fitting = Family::ALL.iter().filter(|family| family.fits(field));
    fitting.flat_map(|family| family.terms()).copied().collect()
}

/// Why a path leads to no field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unknown {
    /// The number of names up to and including the first unknown one.
    pub(super) count: usize,
    /// With the valid fields, and the one that was probably meant.
    pub(super) refusal: Refusal,
}

impl Unknown {
    /// `names`: those up to the first unknown one.
    fn new(shape: &Shape, within: Option<&QueryField>, names: &[&str]) -> Self {
        let (known, name) = (shape.names_within(within), names.last().copied().unwrap_or_default());
        let mut candidates = known.iter().copied();
        let near = nearest(name, &mut || candidates.next());
        let field = names.join(".");
        let field = quoted(&field);
        let help = help(&known, near, within);
        let sentence = format!("The field '{field}' does not exist. {help}");
        let mut refusal = Refusal::new(Reason::UnknownField, sentence).with(Member::Field, field);
        if !known.is_empty() {
            refusal = refusal.with(Member::AllowedValues, known.as_slice());
        }
        if let Some(near) = near {
            refusal = refusal.with(Member::Suggestion, near);
        }
        Self { count: names.len(), refusal }
    }
}

/// Returns which fields are valid, as a sentence without its period.
fn help(known: &[&str], near: Option<&str>, within: Option<&QueryField>) -> String {
    match (near, within) {
        (Some(near), _) => format!("Did you mean '{near}'?"),
        (None, None) => format!("The fields are {}", known.join(", ")),
        (None, Some(_)) if !known.is_empty() => format!("The fields here are {}", known.join(", ")),
        (None, Some(field)) => {
            format!("The field before it is {}, which has no fields inside", kind(field))
        }
    }
}

/// Returns the field at the end of the path from the record or from the field, or why there is none.
pub(super) fn lookup<'n>(
    shape: &Shape,
    within: Option<&QueryField>,
    names: impl IntoIterator<Item = &'n str>,
) -> Result<QueryField, Unknown> {
    let mut found = None;
    let mut passed = Vec::new();
    for name in names {
        passed.push(name);
        let outer = found.as_ref().or(within);
        let field = shape.field_of(outer, name);
        found = Some(field.ok_or_else(|| Unknown::new(shape, outer, &passed))?);
    }
    found.ok_or_else(|| Unknown::new(shape, None, &passed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{FieldType, ObjectId};
    use crate::test;

    fn find(names: &str) -> Option<QueryField> {
        lookup(&Shape::built_in(), None, names.split('.')).ok()
    }

    #[test]
    fn fields_are_found_with_and_without_their_wrapper() {
        let path = |names| find(names).and_then(|field| field.path).map(|path| path.to_string());
        assert_eq!(path("objectTypeProperty.arrayOfIntExample").as_deref(), Some("arrayOfIntExample"));
        assert_eq!(path("arrayOfIntExample").as_deref(), Some("arrayOfIntExample"));
        assert_eq!(
            path("objectTypeProperty.arrayOfObjectType.integerExample").as_deref(),
            Some("arrayOfObjectType.integerExample")
        );
        assert_eq!(path("createdBy.firstName").as_deref(), Some("createdBy.firstName"));
        let wrapper = find("objectTypeProperty").unwrap();
        let arrays = FieldType::Object(Shape::built_in().object(ObjectId::Arrays).clone());
        assert_eq!((wrapper.path, wrapper.field_type), (None, arrays));
        for unknown in ["", "nope", "objectTypeProperty.id", "id.x", "createdBy.firstName.x", "actions"] {
            assert_eq!(find(unknown), None, "{unknown}");
        }
    }
}
