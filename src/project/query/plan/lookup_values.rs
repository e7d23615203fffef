//! The values that a condition looks up in the index.

use crate::predicate::{Comparison, Test, Typed};
use crate::search::fold;

use crate::project::query::sql::condition::{SEEKS, column};
use crate::project::store::index::values::{IndexValue, folded};

/// Calls the function with every value that the condition looks up in the index, and the number of its field.
pub(crate) fn visit(condition: &Typed, each: &mut dyn FnMut(u16, &IndexValue<'_>)) {
    match condition {
        Typed::And(parts) | Typed::Or(parts) => parts.iter().for_each(|part| visit(part, each)),
        Typed::Not(inner) => visit(inner, each),
        Typed::Test { path, test: Test::MatchesIgnoreCase(written) } => {
            let text = fold(written);
            each(path.code(), &IndexValue::text(&text));
            each(folded(*path), &IndexValue::text(&text));
        }
        Typed::Test { path, test } if column(*path).is_none() => {
            let literals = match test {
                Test::Compare(Comparison::Eq | Comparison::Ne, literal) => core::slice::from_ref(literal),
                Test::In(literals) | Test::NotIn(literals) | Test::ContainsAny(literals) => literals,
                Test::ContainsAll(literals) if literals.len() <= SEEKS => literals,
                Test::Compare(..)
                | Test::ContainsAll(_)
                | Test::ContainsItems(_)
                | Test::Between(_)
                | Test::MatchesIgnoreCase(_)
                | Test::IsEmpty
                | Test::IsNotEmpty
                | Test::IsDefined
                | Test::IsNotDefined
                | Test::WithinCircle { .. } => &[],
            };
            for literal in literals {
                each(path.code(), &IndexValue::of(*path, Comparison::Eq, literal));
            }
        }
        Typed::Test { .. } | Typed::Element { .. } | Typed::True | Typed::False => {}
    }
}
