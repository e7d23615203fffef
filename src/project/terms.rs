//! The index of declared fields: the `term` rows of a record, the `entries` column beside its body, and the update of
//! both in a write.
//!
//! `term` finds resources by a value. `entries` finds the values of a resource. It is JSONB, so that SQLite reads a
//! part of it without parsing the rest, and it costs no row.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt::Write as _;

use crate::contract::content::{self, FieldValues};
use crate::contract::field::FieldPath;
use crate::contract::limits;
use crate::contract::model::{Person, Record};
use crate::contract::schema::{Slot, Type};
use crate::predicate;
use crate::search::fold;
use crate::util::json;

/// The most values of a field that `entries` lists. If there are more, it has the smallest, null, and the largest.
pub(super) const LISTED: usize = 32;
/// The longest folded text in the index, in bytes. No request can name a longer one: folding triples the length of a
/// text at most.
const FOLDED_BYTES: usize = 3 * limits::TARGET_BYTES;

/// The bit in the number of folded texts. It is above the number of every field.
const FOLDED: u16 = 1 << 14;

/// `term.edge` of the smallest value that a resource has of the field.
pub(super) const SMALLEST: u8 = 1;
/// `term.edge` of the largest value.
pub(super) const LARGEST: u8 = 2;

/// A value in the index.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum IndexValue<'r> {
    /// A text.
    Text(&'r str),
    /// A number.
    Number(f64),
}

/// Converts a predicate's value to its form in the index.
pub(super) fn value(literal: &predicate::Value) -> IndexValue<'_> {
    match literal {
        predicate::Value::Text(text) => IndexValue::Text(text),
        predicate::Value::Number(number) => IndexValue::Number(*number),
        predicate::Value::Boolean(truth) => IndexValue::Number(f64::from(u8::from(*truth))),
        predicate::Value::DateTime(instant) => IndexValue::Number(*instant as f64),
    }
}

pub(super) fn values(literals: &[predicate::Value]) -> Vec<IndexValue<'_>> {
    literals.iter().map(value).collect()
}

/// The distinct values of one field of one record, in ascending order.
#[derive(Debug, PartialEq)]
pub(super) struct Group<'r> {
    /// The number of the field, or of its folded texts.
    pub(super) code: u16,
    pub(super) values: Vec<Held<'r>>,
}

/// A value of a record, or a value derived from one.
#[derive(Debug, PartialEq)]
pub(super) enum Held<'r> {
    Text(Cow<'r, str>),
    Number(f64),
}

impl Held<'_> {
    /// Returns the value as the index has it.
    pub(super) fn value(&self) -> IndexValue<'_> {
        match self {
            Self::Text(text) => IndexValue::Text(text),
            Self::Number(number) => IndexValue::Number(*number),
        }
    }

    /// Returns whether JSON holds it exactly.
    pub(super) fn is_plain(&self) -> bool {
        is_plain(self.value())
    }

    /// Returns the order of the index. A field has values of one type, and a number is never NaN.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Text(one), Self::Text(other)) => one.cmp(other),
            (Self::Number(one), Self::Number(other)) => one.total_cmp(other),
            (Self::Number(_), Self::Text(_)) => Ordering::Less,
            (Self::Text(_), Self::Number(_)) => Ordering::Greater,
        }
    }
}

/// Returns whether it is an integer that decimal text holds exactly for every reader.
fn is_whole(number: f64) -> bool {
    number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0
}

/// Returns whether JSON holds the value exactly.
pub(super) fn is_plain(value: IndexValue<'_>) -> bool {
    match value {
        IndexValue::Text(_) => true,
        IndexValue::Number(number) => is_whole(number),
    }
}

/// Returns the number of the folded forms of a field's texts that differ from the text. In `entries` of
/// `arrayOfTwonumbersExample` it is the number of the two numbers in their order.
pub(super) const fn folded(path: FieldPath) -> u16 {
    path.code() | FOLDED
}

/// Writes a value as JSON that SQLite reads back exactly: integers and texts unchanged, other doubles as
/// `[mantissa, exponent]` of two, because a reader of decimal text may not round correctly.
pub(super) fn push_exact(out: &mut String, value: IndexValue<'_>) {
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
pub(super) use exact;

/// Returns whether the field holds numbers that may have a fraction. `entries` has them as [`ordered`] integers.
pub(super) fn is_real(path: FieldPath) -> bool {
    path.outer.content().is_some_and(|ty| matches!(ty.item(), Type::Number))
}

/// Returns whether the field can have several values.
pub(super) fn is_array(path: FieldPath) -> bool {
    path.outer.content().is_some_and(Type::is_array)
}

/// Maps each double to an integer in the same order: SQLite reads an integer in JSON exactly.
pub(super) fn ordered(number: f64) -> i64 {
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

pub(super) use double;

/// Returns the groups of a record by their code.
fn groups(record: &Record) -> Vec<Group<'_>> {
    let mut groups = Groups(Vec::with_capacity(16));
    // ID and key are columns of `resource`. Only what those lack is added here.
    groups.add_folded(FieldPath::of(Slot::Id), [&record.id]);
    groups.add_folded(FieldPath::of(Slot::Key), &record.key);
    for (slot, Person { first_name, last_name }) in persons(record) {
        groups.add_texts(FieldPath::inside(slot, Slot::FirstName), first_name);
        groups.add_texts(FieldPath::inside(slot, Slot::LastName), last_name);
    }
    for (slot, values) in record.content.iter() {
        add_values(&mut groups, slot, values);
    }
    groups.0
}

fn persons(record: &Record) -> impl Iterator<Item = (Slot, &Person)> {
    [(Slot::CreatedBy, &record.created_by), (Slot::LastModifiedBy, &record.last_modified_by)]
        .into_iter()
        .filter_map(|(slot, person)| Some((slot, person.as_ref()?)))
}

/// Groups by their code.
struct Groups<'r>(Vec<Group<'r>>);

impl<'r> Groups<'r> {
    fn add(&mut self, code: u16, values: impl IntoIterator<Item = Held<'r>>) {
        let mut values: Vec<_> = values.into_iter().collect();
        values.sort_unstable_by(Held::order);
        values.dedup();
        if !values.is_empty() {
            // There are few fields; a sort would be more code.
            let at = self.0.partition_point(|group| group.code < code);
            self.0.insert(at, Group { code, values });
        }
    }

    fn add_numbers(&mut self, path: FieldPath, numbers: impl IntoIterator<Item = f64>) {
        // The sum turns negative zero into zero.
        self.add(path.code(), numbers.into_iter().map(|number| Held::Number(number + 0.0)));
    }

    fn add_texts<T: AsRef<str> + ?Sized + 'r>(
        &mut self,
        path: FieldPath,
        texts: impl IntoIterator<Item = &'r T> + Clone,
    ) {
        let held = texts.clone().into_iter().map(|text| Held::Text(Cow::Borrowed(text.as_ref())));
        self.add(path.code(), held);
        self.add_folded(path, texts);
    }

    fn add_folded<T: AsRef<str> + ?Sized + 'r>(
        &mut self,
        path: FieldPath,
        texts: impl IntoIterator<Item = &'r T>,
    ) {
        let folds = texts.into_iter().filter_map(|text| {
            let fold = fold(text.as_ref());
            (fold != text.as_ref() && fold.len() <= FOLDED_BYTES).then_some(Held::Text(Cow::Owned(fold)))
        });
        self.add(folded(path), folds);
    }
}

fn add_values<'r>(groups: &mut Groups<'r>, slot: Slot, values: &'r FieldValues) {
    let path = FieldPath::of(slot);
    match values {
        FieldValues::Texts(texts) => groups.add_texts(path, texts),
        FieldValues::Integers(integers) | FieldValues::DateTimes(integers) => {
            groups.add_numbers(path, integers.iter().map(|integer| *integer as f64));
        }
        FieldValues::Numbers(numbers) => groups.add_numbers(path, numbers.iter().copied()),
        FieldValues::Booleans(booleans) => {
            groups.add_numbers(path, booleans.iter().map(|truth| f64::from(u8::from(*truth))));
        }
        FieldValues::Objects(items) => {
            let inner = |member| FieldPath::inside(slot, member);
            let integers = items.iter().filter_map(|item| item.integer_example);
            groups.add_numbers(inner(Slot::IntegerExample), integers.map(|integer| integer as f64));
            let integers = items.iter().filter_map(|item| item.integer_example_int32);
            groups.add_numbers(inner(Slot::IntegerExampleInt32), integers.map(f64::from));
        }
    }
}

/// The index entries of a record, grouped once for both `term` and `entries`.
pub(super) struct Index<'r> {
    record: &'r Record,
    pub(super) groups: Vec<Group<'r>>,
}

impl<'r> Index<'r> {
    /// Groups the values of a record.
    pub(super) fn of(record: &'r Record) -> Self {
        Self { record, groups: groups(record) }
    }
}

/// Returns the text of a record's `entries`: an object with a member for each field that has a value. The member's name
/// is the field's number.
///
/// A member lists the field's values in ascending order, doubles as [`ordered`] integers. A person has `1`.
/// `arrayOfObjectType` has its items, or `true` if there are many: then they are read from the body.
pub(super) fn entries(index: &Index<'_>) -> String {
    let Index { record, groups } = index;
    let mut out = String::with_capacity(256);
    out.push('{');
    for group in groups.iter().filter(|group| group.code & FOLDED == 0) {
        push_group(member(&mut out, group.code), group);
    }
    for (slot, _) in persons(record) {
        member(&mut out, FieldPath::of(slot).code()).push('1');
    }
    if let Some(FieldValues::Integers(numbers)) = record.content.get(Slot::ArrayOfTwonumbers) {
        let place = member(&mut out, folded(FieldPath::of(Slot::ArrayOfTwonumbers)));
        json::array(place, numbers, |out, number| json::integer(out, *number));
    }
    let objects = record.content.objects();
    if !objects.is_empty() {
        let items = member(&mut out, FieldPath::of(Slot::ArrayOfObjectType).code());
        if objects.len() > LISTED {
            items.push_str("true");
        } else {
            content::push_objects(items, objects);
        }
    }
    out.push('}');
    out
}

fn member(out: &mut String, code: u16) -> &mut String {
    if !out.ends_with('{') {
        out.push(',');
    }
    // Writing to a text cannot fail.
    let _ = write!(out, "\"{code}\":");
    out
}

fn push_group(out: &mut String, group: &Group<'_>) {
    let doubles = has_doubles(group.code);
    match group.values.as_slice() {
        [first, .., last] if group.values.len() > LISTED => {
            out.push('[');
            push_listed(out, doubles, first);
            out.push_str(",null,");
            push_listed(out, doubles, last);
            out.push(']');
        }
        values => json::array(out, values, |out, value| push_listed(out, doubles, value)),
    }
}

/// Returns whether the field with this number holds doubles.
pub(super) fn has_doubles(code: u16) -> bool {
    FieldPath::from_code(code).is_some_and(is_real)
}

/// Writes a value of a list that contains only values of one field.
pub(super) fn push_listed(out: &mut String, doubles: bool, value: &Held<'_>) {
    match value {
        Held::Number(number) if doubles => json::integer(out, ordered(*number)),
        other => push_exact(out, other.value()),
    }
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
        }
    }
}
