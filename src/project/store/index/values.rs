//! Values in the index. The type of a field decides their form, which `term`, `entries`, and SQL share: a text, or an
//! integer, which SQLite reads from JSON exactly.

use std::borrow::Cow;

use sha2::{Digest as _, Sha256};

use crate::predicate::{Comparison, Value};
use crate::shape::{FieldPath, System, ValueForm};
use crate::util::json::{self, canonical};
use crate::util::time;
use crate::util::time::rfc3339;

/// The longest text that is a key of `term`, in bytes. To compare a key, SQLite reads all of it, and a key that fits a
/// page is next to the others. `term` has longer texts as their beginning and their hash.
pub(crate) const KEY_BYTES: usize = 512;
/// The part of a long text's hash that is in its key: nobody can make two texts with one key.
const HASH_BYTES: usize = 16;
/// The bit in the number of texts that are longer than [`KEY_BYTES`].
const LONG: u16 = 1 << 15;
/// The bit in the number of folded texts. The number of every field is below it.
pub(crate) const FOLDED: u16 = 1 << 14;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum IndexValue<'r> {
    /// An integer, an instant, a truth value (0 or 1), or the [`ordered`] form of a double.
    Integer(i64),
    Text(Cow<'r, str>),
    /// A number as JSON, which SQLite compares with those of an item: it reads both in the same way.
    Json(String),
}

impl<'r> IndexValue<'r> {
    pub(crate) fn text(text: &'r str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }

    /// Reads a value of a body; `None` if it has another form, as values have that were stored when their field had
    /// another type.
    pub(crate) fn read(form: ValueForm, value: &'r str) -> Option<Self> {
        Some(match form {
            ValueForm::Text => Self::Text(canonical::text(value)?),
            ValueForm::Integer | ValueForm::Point => Self::Integer(canonical::integer(value)?),
            ValueForm::Number => Self::Integer(ordered(canonical::number(value)?)),
            ValueForm::Boolean => Self::Integer(i64::from(canonical::boolean(value)?)),
            ValueForm::DateTime => Self::Integer(rfc3339::instant(&canonical::text(value)?)?),
            ValueForm::Object => return None,
        })
    }

    /// Converts a predicate's value for a comparison. A field of integers compares with the integer for which the
    /// comparison is true for the same integers as for the value.
    pub(crate) fn of(path: &FieldPath, comparison: Comparison, value: &'r Value) -> Self {
        match value {
            Value::Text(text) => Self::text(text),
            Value::Boolean(truth) => Self::Integer(i64::from(*truth)),
            Value::DateTime(instant) => Self::Integer(*instant),
            Value::Number(number) if has_doubles(path) => Self::Integer(ordered(*number)),
            Value::Number(number) => Self::Integer(whole(*number, comparison)),
        }
    }

    /// Converts a predicate's value for a comparison with a member of an item, as the body has it.
    pub(crate) fn of_member(path: &FieldPath, comparison: Comparison, value: &'r Value) -> Self {
        let mut text = String::new();
        match value {
            Value::Number(number) if has_doubles(path) => {
                json::number(&mut text, *number);
                Self::Json(text)
            }
            // In this form, texts are in the order of their instants.
            Value::DateTime(instant) => {
                time::push_signed(&mut text, *instant);
                Self::Text(Cow::Owned(text))
            }
            _ => Self::of(path, comparison, value),
        }
    }

    /// Converts the values of a test of equality.
    pub(crate) fn all_of(path: &FieldPath, values: &'r [Value]) -> Vec<Self> {
        values.iter().map(|value| Self::of(path, Comparison::Eq, value)).collect()
    }

    /// Returns whether the value is a text that is longer than a key of `term`.
    pub(crate) fn is_long(&self) -> bool {
        matches!(self, Self::Text(text) if text.len() > KEY_BYTES)
    }

    /// Returns the key of the value in `term`: a long text's beginning, and its hash. So no long text has the key of a
    /// short one, and a long text compares with short ones as its key does.
    pub(crate) fn key(&self) -> IndexValue<'_> {
        match self {
            Self::Integer(integer) => IndexValue::Integer(*integer),
            Self::Text(text) => IndexValue::text(text).into_key(),
            Self::Json(number) => IndexValue::Json(number.clone()),
        }
    }

    pub(crate) fn into_key(self) -> Self {
        match self {
            Self::Text(text) if text.len() > KEY_BYTES => Self::Text(Cow::Owned(long_key(&text))),
            short => short,
        }
    }

    pub(crate) fn keys<'v>(values: &'v [IndexValue<'_>]) -> Vec<IndexValue<'v>> {
        values.iter().map(IndexValue::key).collect()
    }

    pub(crate) fn push(&self, out: &mut String) {
        match self {
            Self::Integer(integer) => json::integer(out, *integer),
            Self::Text(text) => json::string(out, text),
            Self::Json(number) => out.push_str(number),
        }
    }
}

fn long_key(text: &str) -> String {
    let end = (KEY_BYTES..text.len()).find(|at| text.is_char_boundary(*at));
    let mut key = end.and_then(|end| text.get(..end)).unwrap_or(text).to_owned();
    let hash = Sha256::digest(text.as_bytes());
    let digits = hash.iter().take(HASH_BYTES).flat_map(|byte| [byte >> 4, byte & 15]);
    key.extend(digits.filter_map(|digit| char::from_digit(digit.into(), 16)));
    key
}

/// Returns the integer that replaces a number. The conversion saturates, beyond every integer of a record.
fn whole(number: f64, comparison: Comparison) -> i64 {
    match comparison {
        Comparison::Ge | Comparison::Lt => number.ceil() as i64,
        Comparison::Gt | Comparison::Le => number.floor() as i64,
        // No integer of a record equals a fraction, and none is as large as this one.
        Comparison::Eq | Comparison::Ne if number.fract() != 0.0 => i64::MAX,
        Comparison::Eq | Comparison::Ne => number as i64,
    }
}

/// Returns the number of a field's folded texts in the index. A folded form has an entry only if it differs from the
/// text. In `entries`, the number of a field of two numbers marks them in their order.
pub(crate) const fn folded(number: u16) -> u16 {
    number | FOLDED
}

/// Returns the number of the texts of a number that are longer than [`KEY_BYTES`].
pub(crate) const fn long(number: u16) -> u16 {
    number | LONG
}

/// Returns the column of `resource` that contains a field; `None` if it has no column.
pub(crate) fn column(path: &FieldPath) -> Option<&'static str> {
    let columns = [
        (System::Id, "id"),
        (System::Key, "key"),
        (System::Version, "version"),
        (System::CreatedAt, "seq"),
        (System::LastModifiedAt, "revision"),
    ];
    columns.into_iter().find(|(field, _)| path.is(*field)).map(|(_, column)| column)
}

/// Returns whether the field has numbers that may have a fraction. The index has all of them as [`ordered`] integers.
pub(crate) fn has_doubles(path: &FieldPath) -> bool {
    path.form == ValueForm::Number
}

/// Returns whether the index has texts of the field.
pub(crate) fn is_text(path: &FieldPath) -> bool {
    path.form == ValueForm::Text && column(path).is_none()
}

/// Maps each double to an integer in the same order.
pub(crate) fn ordered(number: f64) -> i64 {
    // The sum turns negative zero into zero.
    let bits = (number + 0.0).to_bits() as i64;
    if bits < 0 { i64::MIN.wrapping_sub(bits) } else { bits }
}

/// Returns the double of an [`ordered`] integer.
pub(crate) fn unordered(integer: i64) -> f64 {
    f64::from_bits(if integer < 0 { i64::MIN.wrapping_sub(integer) } else { integer } as u64)
}

/// Returns SQL that reads an [`ordered`] integer as its double, from its sign, its mantissa, and its exponent. The
/// argument is an expression for the integer. A subnormal number has no leading bit and the exponent of 1.
pub(crate) fn double(integer: &str) -> String {
    format!(
        "(sign({integer})*((abs({integer})&4503599627370495)+iif(abs({integer})<4503599627370496,0,4503599627370496))\
         *pow(2.0,max(abs({integer})>>52,1)-1075))"
    )
}

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
            prop_assert_eq!(unordered(ordered(one)).partial_cmp(&one), Some(core::cmp::Ordering::Equal));
        }

        #[test]
        fn integers_compare_with_the_integer_for_a_number_as_with_the_number(
            integer in -(1_i64 << 53)..1 << 53,
            number in prop_oneof![
                (-4_i64..4).prop_map(|quarters| quarters as f64 / 4.0),
                proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL | proptest::num::f64::ZERO,
            ],
            near in any::<bool>(),
        ) {
            let number = if near { number + integer as f64 } else { number };
            let integer_is =
                |comparison: Comparison| comparison.is_true_of(integer.cmp(&whole(number, comparison)));
            // Integers of a record are doubles, too.
            let order = (integer as f64).partial_cmp(&number).expect("two finite numbers");
            prop_assert_eq!(integer_is(Comparison::Eq), order.is_eq());
            prop_assert_eq!(integer_is(Comparison::Ne), order.is_ne());
            prop_assert_eq!(integer_is(Comparison::Lt), order.is_lt());
            prop_assert_eq!(integer_is(Comparison::Le), order.is_le());
            prop_assert_eq!(integer_is(Comparison::Gt), order.is_gt());
            prop_assert_eq!(integer_is(Comparison::Ge), order.is_ge());
        }
    }
}
