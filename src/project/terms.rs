//! The index of declared fields: the `term` rows of a record, the `entries` column beside its body, and the update of
//! both in a write.
//!
//! `term` finds resources by a value. `entries` finds the values of a resource. It is JSONB, so that SQLite reads a
//! part of it without parsing the rest, and it costs no row.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt::Write as _;

use crate::contract::content::{self, Values};
use crate::contract::field::FieldPath;
use crate::contract::limits;
use crate::contract::model::{Person, Record};
use crate::contract::schema::{Slot, Type};
use crate::search::fold;
use crate::util::json;

use super::database::{Bind, Database, StoreError};

/// The most values of a field that `entries` lists. If there are more, it has the smallest, null, and the largest.
const LISTED: usize = 32;
/// The most rows of `term` that one statement writes.
const CHUNK_ROWS: usize = 1_000;
/// A statement ends when its rows reach this size in bytes. A value adds at most the size of a body.
const CHUNK_BYTES: usize = 256 * 1024;
/// The longest folded text in the index, in bytes. No request can name a longer one: folding triples the length of a
/// text at most.
const FOLDED_BYTES: usize = 3 * limits::TARGET_BYTES;

/// `term.edge` of the smallest value that a resource has of the field.
pub(super) const SMALLEST: u8 = 1;
/// `term.edge` of the largest value.
pub(super) const LARGEST: u8 = 2;

/// A value in the index.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Value<'r> {
    /// A text.
    Text(&'r str),
    /// A number.
    Number(f64),
}

/// The distinct values of one field of one record, in ascending order.
#[derive(Debug, PartialEq)]
struct Group<'r> {
    /// The number of the field, or of its folded texts.
    code: u16,
    /// Whether `entries` has the field.
    listed: bool,
    values: Vec<Held<'r>>,
}

/// A value of a record, or a value derived from one.
#[derive(Debug, PartialEq)]
enum Held<'r> {
    Text(Cow<'r, str>),
    Number(f64),
}

impl Held<'_> {
    fn value(&self) -> Value<'_> {
        match self {
            Self::Text(text) => Value::Text(text),
            Self::Number(number) => Value::Number(*number),
        }
    }

    /// Returns whether JSON holds it exactly.
    fn is_plain(&self) -> bool {
        is_plain(self.value())
    }

    /// Returns the order of the index. A field has values of one type, and a number is never NaN.
    fn order(&self, other: &Self) -> Ordering {
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
pub(super) fn is_plain(value: Value<'_>) -> bool {
    match value {
        Value::Text(_) => true,
        Value::Number(number) => is_whole(number),
    }
}

/// Returns the number of the folded forms of a field's texts that differ from the text. In `entries` of
/// `arrayOfTwonumbersExample` it is the number of the two numbers in their order.
pub(super) const fn folded(path: FieldPath) -> u16 {
    // Above the number of every field.
    path.code() | 1 << 14
}

/// Writes a value as JSON that SQLite reads back exactly: integers and texts unchanged, other doubles as
/// `[mantissa, exponent]` of two, because a reader of decimal text may not round correctly.
pub(super) fn push_exact(out: &mut String, value: Value<'_>) {
    match value {
        Value::Text(text) => json::string(out, text),
        Value::Number(number) if is_whole(number) => {
            json::integer(out, number as i64);
        }
        Value::Number(number) => {
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
    fn add(&mut self, code: u16, listed: bool, values: impl IntoIterator<Item = Held<'r>>) {
        let mut values: Vec<_> = values.into_iter().collect();
        values.sort_unstable_by(Held::order);
        values.dedup();
        if !values.is_empty() {
            // There are few fields; a sort would be more code.
            let at = self.0.partition_point(|group| group.code < code);
            self.0.insert(at, Group { code, listed, values });
        }
    }

    fn add_numbers(&mut self, path: FieldPath, numbers: impl IntoIterator<Item = f64>) {
        // The sum turns negative zero into zero.
        self.add(path.code(), true, numbers.into_iter().map(|number| Held::Number(number + 0.0)));
    }

    fn add_texts<T: AsRef<str> + ?Sized + 'r>(
        &mut self,
        path: FieldPath,
        texts: impl IntoIterator<Item = &'r T> + Clone,
    ) {
        let held = texts.clone().into_iter().map(|text| Held::Text(Cow::Borrowed(text.as_ref())));
        self.add(path.code(), true, held);
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
        self.add(folded(path), false, folds);
    }
}

fn add_values<'r>(groups: &mut Groups<'r>, slot: Slot, values: &'r Values) {
    let path = FieldPath::of(slot);
    match values {
        Values::Texts(texts) => groups.add_texts(path, texts),
        Values::Integers(integers) | Values::DateTimes(integers) => {
            groups.add_numbers(path, integers.iter().map(|integer| *integer as f64));
        }
        Values::Numbers(numbers) => groups.add_numbers(path, numbers.iter().copied()),
        Values::Booleans(booleans) => {
            groups.add_numbers(path, booleans.iter().map(|truth| f64::from(u8::from(*truth))));
        }
        Values::Objects(items) => {
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
    groups: Vec<Group<'r>>,
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
    for group in groups.iter().filter(|group| group.listed) {
        push_group(member(&mut out, group.code), group);
    }
    for (slot, _) in persons(record) {
        member(&mut out, FieldPath::of(slot).code()).push('1');
    }
    if let Some(Values::Integers(numbers)) = record.content.get(Slot::ArrayOfTwonumbers) {
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
fn has_doubles(code: u16) -> bool {
    FieldPath::from_code(code).is_some_and(is_real)
}

/// Writes a value of a list that contains only values of one field.
fn push_listed(out: &mut String, doubles: bool, value: &Held<'_>) {
    match value {
        Held::Number(number) if doubles => json::integer(out, ordered(*number)),
        other => push_exact(out, other.value()),
    }
}

/// A row of `term`, without its resource.
struct Entry<'g> {
    code: u16,
    value: &'g Held<'g>,
    /// Which ends of its field the value is: [`SMALLEST`], [`LARGEST`], both, or 0.
    edge: u8,
    /// Whether the field has so many values that those between the ends are written separately.
    many: bool,
}

/// Returns the rows of groups, in the order of the primary key.
fn rows<'g>(groups: &'g [Group<'g>]) -> impl Iterator<Item = Entry<'g>> {
    groups.iter().flat_map(|group| {
        let last = group.values.len() - 1;
        group.values.iter().enumerate().map(move |(at, value)| {
            let smallest = if at == 0 { SMALLEST } else { 0 };
            let largest = if at == last { LARGEST } else { 0 };
            Entry { code: group.code, value, edge: smallest | largest, many: last >= LISTED }
        })
    })
}

fn groups_of<'i, 'r>(index: Option<&'i Index<'r>>) -> &'i [Group<'r>] {
    index.map_or(&[], |index| &index.groups)
}

/// Changes a record's rows of `term` from those of `before` to those of `after`. Writes only the difference.
pub(super) fn update<D: Database>(
    database: &D,
    seq: i64,
    before: Option<&Index<'_>>,
    after: Option<&Index<'_>>,
) -> Result<(), StoreError> {
    let (mut old, mut new) = (rows(groups_of(before)).peekable(), rows(groups_of(after)).peekable());
    let (mut gone, mut added) = (Rows::new(database, seq, &DELETE), Rows::new(database, seq, &INSERT));
    loop {
        let order = match (old.peek(), new.peek()) {
            (None, None) => break,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(one), Some(other)) => one.code.cmp(&other.code).then_with(|| one.value.order(other.value)),
        };
        match order {
            Ordering::Less => old.next().map(|row| gone.push(&row)).transpose()?,
            Ordering::Greater => new.next().map(|row| added.push(&row)).transpose()?,
            Ordering::Equal => match (old.next(), new.next()) {
                (Some(one), Some(other)) if one.edge != other.edge => Some(added.push(&other)?),
                _ => None,
            },
        };
    }
    gone.flush()?;
    added.flush()
}

/// The statements that write rows of `term`, by the form of the rows in JSON.
struct Statements {
    /// Rows `[path, value, edge]`. JSON holds the values as they are.
    plain: &'static str,
    /// The same rows with values of [`push_exact`]. SQLite reads each row several times, which is slower.
    exact: &'static str,
    /// Values of one field, none of which is an end of it. Takes half the time of rows.
    values: &'static str,
    /// The same for a field of doubles, whose values are [`ordered`] integers.
    doubles: &'static str,
}

const DELETE: Statements = Statements {
    plain: "DELETE FROM term WHERE (resource, path, value) IN \
            (SELECT ?, value ->> 0, value ->> 1 FROM json_each(?))",
    exact: concat!(
        "DELETE FROM term WHERE (resource, path, value) IN (SELECT ?, value ->> 0, ",
        exact!("(value ->> 1)", "json_type(value, '$[1]')"),
        " FROM json_each(?))"
    ),
    values: "DELETE FROM term WHERE resource = ? AND path = ? AND value IN (SELECT value FROM json_each(?))",
    doubles: concat!(
        "DELETE FROM term WHERE resource = ? AND path = ? AND value IN (SELECT ",
        double!("value"),
        " FROM json_each(?))"
    ),
};

/// Ends every statement that inserts rows: an existing value may have become an end, or no longer be one.
macro_rules! upsert {
    () => {
        " WHERE 1 ON CONFLICT(path, value, resource) DO UPDATE SET edge = excluded.edge"
    };
}

const INSERT: Statements = Statements {
    plain: concat!(
        "INSERT INTO term(resource, path, value, edge) \
         SELECT ?, value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)",
        upsert!()
    ),
    exact: concat!(
        "INSERT INTO term(resource, path, value, edge) SELECT ?, value ->> 0, ",
        exact!("(value ->> 1)", "json_type(value, '$[1]')"),
        ", value ->> 2 FROM json_each(?)",
        upsert!()
    ),
    values: concat!(
        "INSERT INTO term(resource, path, value, edge) SELECT ?, ?, value, 0 FROM json_each(?)",
        upsert!()
    ),
    doubles: concat!(
        "INSERT INTO term(resource, path, value, edge) SELECT ?, ?, ",
        double!("value"),
        ", 0 FROM json_each(?)",
        upsert!()
    ),
};

/// The rows of a record that wait to be written.
struct Rows<'d, D> {
    database: &'d D,
    seq: i64,
    statements: &'static Statements,
    /// Rows of any field.
    mixed: Chunk,
    /// Whether `plain` writes all of them.
    plain: bool,
    /// Values of the field `code`.
    values: Chunk,
    code: u16,
}

impl<'d, D: Database> Rows<'d, D> {
    fn new(database: &'d D, seq: i64, statements: &'static Statements) -> Self {
        let (mixed, values) = (Chunk::default(), Chunk::default());
        Self { database, seq, statements, mixed, plain: true, values, code: 0 }
    }

    fn push(&mut self, entry: &Entry<'_>) -> Result<(), StoreError> {
        if entry.many && entry.edge == 0 { self.push_value(entry) } else { self.push_row(entry) }
    }

    fn push_row(&mut self, entry: &Entry<'_>) -> Result<(), StoreError> {
        if self.mixed.is_full() {
            self.flush_rows()?;
        }
        self.plain &= entry.value.is_plain();
        let out = self.mixed.next();
        out.push('[');
        json::integer(out, i64::from(entry.code));
        out.push(',');
        push_exact(out, entry.value.value());
        out.push(',');
        json::integer(out, i64::from(entry.edge));
        out.push(']');
        Ok(())
    }

    fn push_value(&mut self, entry: &Entry<'_>) -> Result<(), StoreError> {
        if self.values.is_full() || self.code != entry.code {
            self.flush_values()?;
            self.code = entry.code;
        }
        push_listed(self.values.next(), has_doubles(entry.code), entry.value);
        Ok(())
    }

    fn flush(mut self) -> Result<(), StoreError> {
        self.flush_rows()?;
        self.flush_values()
    }

    fn flush_rows(&mut self) -> Result<(), StoreError> {
        let Some(rows) = self.mixed.take() else { return Ok(()) };
        let plain = core::mem::replace(&mut self.plain, true);
        let sql = if plain { self.statements.plain } else { self.statements.exact };
        self.database.execute(sql, &[Bind::Integer(self.seq), Bind::Text(&rows)])
    }

    fn flush_values(&mut self) -> Result<(), StoreError> {
        let Some(values) = self.values.take() else { return Ok(()) };
        let sql = if has_doubles(self.code) { self.statements.doubles } else { self.statements.values };
        let code = Bind::Integer(i64::from(self.code));
        self.database.execute(sql, &[Bind::Integer(self.seq), code, Bind::Text(&values)])
    }
}

/// A JSON array of bounded size.
#[derive(Default)]
struct Chunk {
    items: String,
    count: usize,
}

impl Chunk {
    fn is_full(&self) -> bool {
        self.count >= CHUNK_ROWS || self.items.len() >= CHUNK_BYTES
    }

    /// Begins an item.
    fn next(&mut self) -> &mut String {
        self.items.push(if self.count == 0 { '[' } else { ',' });
        self.count += 1;
        &mut self.items
    }

    /// Ends the array; `None` if it has no item.
    fn take(&mut self) -> Option<String> {
        let Self { mut items, count } = core::mem::take(self);
        items.push(']');
        (count > 0).then_some(items)
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
