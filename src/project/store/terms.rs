//! Values in the index: their form in the `term` table, in the `entries` column, and in SQL.

use crate::contract::resource::field::FieldPath;
use crate::contract::resource::schema::{FieldId, Type};
use crate::predicate;
use crate::util::json;

/// The bit in the number of folded texts. It is above the number of every field.
pub(crate) const FOLDED: u16 = 1 << 14;

/// A value in the index.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum IndexValue<'r> {
    /// A text.
    Text(&'r str),
    /// A number.
    Number(f64),
}

/// Converts a predicate's value to its form in the index.
pub(crate) fn value(literal: &predicate::Value) -> IndexValue<'_> {
    match literal {
        predicate::Value::Text(text) => IndexValue::Text(text),
        predicate::Value::Number(number) => IndexValue::Number(*number),
        predicate::Value::Boolean(truth) => IndexValue::Number(f64::from(u8::from(*truth))),
        predicate::Value::DateTime(instant) => IndexValue::Number(*instant as f64),
    }
}

pub(crate) fn values(literals: &[predicate::Value]) -> Vec<IndexValue<'_>> {
    literals.iter().map(value).collect()
}

/// Returns whether it is an integer that decimal text represents exactly for every reader.
fn is_whole(number: f64) -> bool {
    number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0
}

/// Returns whether JSON represents the value exactly.
pub(crate) fn is_plain(value: IndexValue<'_>) -> bool {
    match value {
        IndexValue::Text(_) => true,
        IndexValue::Number(number) => is_whole(number),
    }
}

/// Returns the `path` code of the index entries for a field's folded texts. A folded form has an entry only if it
/// differs from the text. In `entries` of `arrayOfTwonumbersExample`, the code marks the two numbers in their order.
pub(crate) const fn folded(path: FieldPath) -> u16 {
    path.code() | FOLDED
}

/// Writes a value as JSON that SQLite reads back exactly: integers and texts unchanged, other doubles as
/// `[mantissa, exponent]` of two, because a reader of decimal text may not round correctly.
pub(crate) fn push_exact(out: &mut String, value: IndexValue<'_>) {
    match value {
        IndexValue::Text(text) => json::string(out, text),
        IndexValue::Number(number) if is_whole(number) => {
            json::integer(out, number as i64);
        }
        IndexValue::Number(number) => {
            let bits = number.to_bits();
            let fraction = (bits & ((1 << 52) - 1)) as i64;
            let biased = (bits >> 52 & 0x7ff) as i64;
            let (mantissa, exponent) =
                if biased == 0 { (fraction, -1074) } else { (fraction | 1 << 52, biased - 1075) };
            out.push('[');
            json::integer(out, if number.is_sign_negative() { -mantissa } else { mantissa });
            out.push(',');
            json::integer(out, exponent);
            out.push(']');
        }
    }
}

/// SQL that reads what [`push_exact`] wrote. `item` is an expression for the JSON item and `ty` for its type. Exponents
/// under −1000 need two steps: the power of two is exact for each, and so is each product.
macro_rules! exact {
    ($value:literal, $type:literal) => {
        concat!(
            "iif(",
            $type,
            " = 'array', (",
            $value,
            " ->> 0) * pow(2.0, max((",
            $value,
            " ->> 1), -1000)) ",
            "* pow(2.0, min((",
            $value,
            " ->> 1) + 1000, 0)), ",
            $value,
            ")"
        )
    };
}
pub(crate) use exact;

/// Returns whether the field has numbers that may have a fraction. `entries` has them as [`ordered`] integers.
pub(crate) fn is_real(path: FieldPath) -> bool {
    path.outer.content().is_some_and(|ty| matches!(ty.item(), Type::Number))
}

/// Returns whether the field has texts.
pub(crate) fn is_text(path: FieldPath) -> bool {
    matches!(path.inner, Some(FieldId::FirstName | FieldId::LastName))
        || path.outer.content().is_some_and(|ty| matches!(ty.item(), Type::String(_)))
}

/// Returns whether the field can have several values.
pub(crate) fn is_array(path: FieldPath) -> bool {
    path.outer.content().is_some_and(Type::is_array)
}

/// Maps each double to an integer in the same order: SQLite reads an integer in JSON exactly.
pub(crate) fn ordered(number: f64) -> i64 {
    // The sum turns negative zero into zero.
    let bits = (number + 0.0).to_bits() as i64;
    if bits < 0 { i64::MIN.wrapping_sub(bits) } else { bits }
}

/// SQL that reads an [`ordered`] integer as its double, from its sign, its mantissa, and its exponent. The argument is
/// an expression for the integer. A subnormal number has no leading bit and the exponent of 1.
macro_rules! double {
    ($value:literal) => {
        concat!(
            "sign(",
            $value,
            ") * ((abs(",
            $value,
            ") & 4503599627370495) + iif(abs(",
            $value,
            ") < 4503599627370496, 0, 4503599627370496)) * pow(2.0, max(abs(",
            $value,
            ") >> 52, 1) - 1075)"
        )
    };
}

pub(crate) use double;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;
    use proptest::prelude::*;

    #[test]
    fn both_zeros_are_one_number() {
        assert_eq!(ordered(-0.0), ordered(0.0));
        assert_eq!(ordered(0.0), 0);
    }

    proptest! {
        #[test]
        fn ordered_integers_compare_as_their_doubles(
            one in proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL | proptest::num::f64::ZERO,
            other in proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL | proptest::num::f64::ZERO,
        ) {
            prop_assert_eq!(Some(ordered(one).cmp(&ordered(other))), one.partial_cmp(&other));
            prop_assert_eq!(ordered(one), -ordered(-one));
        }
    }
}
