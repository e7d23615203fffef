//! What the resource's fields support, and what a message offers to someone who named another.

use crate::contract::field::{Field, FieldPath, Holds, field_of};
use crate::contract::schema::{self, Slot};

/// A group of operators that fields support or lack together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    Compare,
    In,
    Contains,
    Empty,
    Defined,
    Matches,
    Circle,
    Nested,
}

impl Family {
    const ALL: [(Self, &'static str); 8] = [
        (Self::Nested, "a condition in parentheses"),
        (Self::Compare, "=, !=, <>, <, <=, >, >="),
        (Self::In, "[not] in"),
        (Self::Contains, "contains all|any"),
        (Self::Empty, "is [not] empty"),
        (Self::Defined, "is [not] defined"),
        (Self::Matches, "matches ignore case"),
        (Self::Circle, "within circle"),
    ];

    /// Whether a field supports these operators.
    pub(super) fn fits(self, field: &Field) -> bool {
        let object = matches!(field.holds, Holds::Object(_));
        match self {
            Self::Compare | Self::In => !object,
            Self::Contains => field.array && !object,
            Self::Empty => field.array,
            Self::Defined => true,
            Self::Matches => field.holds == Holds::Text,
            Self::Circle => field.path == Some(FieldPath::of(Slot::ArrayOfTwonumbers)),
            Self::Nested => object,
        }
    }
}

/// Whether every resource has the field (D1).
pub(super) fn is_always_there(field: &Field) -> bool {
    field.array
        || match field.path {
            None => true,
            Some(FieldPath { outer, inner }) => {
                inner.is_none()
                    && matches!(outer, Slot::Id | Slot::Version | Slot::CreatedAt | Slot::LastModifiedAt)
            }
        }
}

/// What the field holds, with its article.
pub(super) fn kind(field: &Field) -> &'static str {
    match (field.array, field.holds) {
        (false, Holds::Text) => "a text",
        (false, Holds::Number(_)) => "a number",
        (false, Holds::DateTime) => "a date-time",
        (false, Holds::Object(_)) => "an object",
        (true, Holds::Text) => "an array of texts",
        (true, Holds::Number(_)) => "an array of numbers",
        (true, Holds::DateTime) => "an array of date-times",
        (true, Holds::Object(_)) => "an array of objects",
    }
}

/// Which operators the field supports, as a sentence without its full stop.
pub(super) fn operators(field: &Field) -> String {
    let fitting: Vec<&str> =
        Family::ALL.into_iter().filter(|(family, _)| family.fits(field)).map(|(_, words)| words).collect();
    format!("It is {}, which supports {}", kind(field), fitting.join(", "))
}

/// The field that the names lead to from the record or from the field; or how many names lead nowhere, and what would
/// be right as a sentence without its full stop.
pub(super) fn lookup<'n>(
    within: Option<&Field>,
    names: impl IntoIterator<Item = &'n str>,
) -> Result<Field, (usize, String)> {
    let mut at = within.copied();
    for (count, name) in names.into_iter().enumerate() {
        at = Some(field_of(at.as_ref(), name).ok_or_else(|| (count + 1, suggestion(at.as_ref(), name)))?);
    }
    at.ok_or_else(|| (0, suggestion(None, "")))
}

fn suggestion(within: Option<&Field>, name: &str) -> String {
    let known: Vec<&'static str> = match within.map(|field| field.holds) {
        None => names(&schema::RESOURCE_DRAFT).chain(names(&schema::OBJECT_TEST_TYPE)).collect(),
        Some(Holds::Object(object)) => names(object).collect(),
        Some(_) => Vec::new(),
    };
    if let Some(near) = nearest(name, &known) {
        return format!("Did you mean '{near}'?");
    }
    match within {
        None => format!("The fields are {}", known.join(", ")),
        Some(_) if !known.is_empty() => format!("The fields here are {}", known.join(", ")),
        Some(field) => format!("The field before it is {}, which has no fields inside", kind(field)),
    }
}

fn names(object: &'static schema::Object) -> impl Iterator<Item = &'static str> {
    object.fields.iter().map(schema::Field::name)
}

/// The known name that is a slip of the hand away from this one; `None` where every one is further.
fn nearest(name: &str, known: &[&'static str]) -> Option<&'static str> {
    // Longer names are near to none, and would only cost time.
    if name.len() > 64 {
        return None;
    }
    let lower = name.to_ascii_lowercase();
    let (distance, near) = known
        .iter()
        .map(|known| (distance(lower.as_bytes(), known.to_ascii_lowercase().as_bytes()), *known))
        .min_by_key(|(distance, _)| *distance)?;
    (distance <= 1 + near.len() / 5 && distance < near.len()).then_some(near)
}

/// Levenshtein's distance of two byte strings.
fn distance(one: &[u8], other: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (line, a) in one.iter().enumerate() {
        let mut diagonal = line;
        let mut left = line + 1;
        let mut cells = row.iter_mut();
        if let Some(cell) = cells.next() {
            *cell = left;
        }
        for (cell, b) in cells.zip(other) {
            left = (diagonal + usize::from(a != b)).min(left + 1).min(*cell + 1);
            diagonal = core::mem::replace(cell, left);
        }
    }
    row.last().copied().unwrap_or_default()
}
