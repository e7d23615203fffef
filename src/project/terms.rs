//! The index of declared fields: which terms a record has, and how they are kept in step with it.

use std::borrow::Cow;

use crate::contract::field::FieldPath;
use crate::contract::json;
use crate::contract::model::{Arrays, Person, Record};
use crate::contract::schema::Slot;
use crate::search::fold;

use super::database::{Bind, Database, StoreError};

/// A value in the index.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Value<'r> {
    /// A text.
    Text(&'r str),
    /// A number.
    Number(f64),
}

/// The values of one field of one record.
#[derive(Debug, PartialEq)]
struct Group<'r> {
    /// The number of the field, or of its folded texts.
    code: u16,
    /// Each value with the ordinal of its item; 0 where nothing is tied together.
    values: Vec<(Held<'r>, usize)>,
}

/// A value of a record, or one made from it.
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

    /// Whether JSON holds it as it is.
    fn is_plain(&self) -> bool {
        match self {
            Self::Text(_) => true,
            Self::Number(number) => is_whole(*number),
        }
    }
}

/// Whether it is an integer that decimal text holds exactly, whoever reads it.
fn is_whole(number: f64) -> bool {
    number.fract() == 0.0 && number.abs() < 9e15
}

/// The number under which the folded forms of a field's texts stand, where they differ from the texts themselves.
pub(super) const fn folded(path: FieldPath) -> u16 {
    // Above the number of every field.
    path.code() | 1 << 14
}

/// Writes a value as JSON that SQLite reads back exactly: integers and texts as they are, other doubles as
/// `[mantissa, exponent]` of two, because a reader of decimal text need not round correctly.
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

/// SQL that reads what [`push_exact`] wrote, where `item` is an expression that gives the JSON item and `ty` its type.
/// Exponents under −1000 go in two steps: two to the power of each is exact, as is each product.
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

fn groups(record: &Record) -> Vec<Group<'_>> {
    let mut groups = Groups(Vec::with_capacity(8));
    // Their own table has their columns; only what those do not answer is added here.
    groups.add_folded(FieldPath::of(Slot::Id), [&record.id]);
    groups.add_folded(FieldPath::of(Slot::Key), &record.key);
    persons(record, &mut groups);
    arrays(&record.arrays, &mut groups);
    for (slot, text) in record.texts.iter() {
        groups.add_texts(FieldPath::of(slot), [text]);
    }
    groups.0
}

struct Groups<'r>(Vec<Group<'r>>);

impl<'r> Groups<'r> {
    fn add(&mut self, code: u16, values: impl IntoIterator<Item = (Held<'r>, usize)>) {
        let values: Vec<_> = values.into_iter().collect();
        if !values.is_empty() {
            self.0.push(Group { code, values });
        }
    }

    fn add_numbers(&mut self, path: FieldPath, numbers: impl IntoIterator<Item = (f64, usize)>) {
        self.add(path.code(), numbers.into_iter().map(|(number, ordinal)| (Held::Number(number), ordinal)));
    }

    fn add_texts<T: AsRef<str> + ?Sized + 'r>(
        &mut self,
        path: FieldPath,
        texts: impl IntoIterator<Item = &'r T> + Clone,
    ) {
        let held = texts.clone().into_iter().map(|text| (Held::Text(Cow::Borrowed(text.as_ref())), 0));
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
            (fold != text.as_ref()).then_some((Held::Text(Cow::Owned(fold)), 0))
        });
        self.add(folded(path), folds);
    }
}

fn persons<'r>(record: &'r Record, groups: &mut Groups<'r>) {
    for (slot, person) in
        [(Slot::CreatedBy, &record.created_by), (Slot::LastModifiedBy, &record.last_modified_by)]
    {
        let Some(Person { first_name, last_name }) = person else { continue };
        groups.add_texts(FieldPath::inside(slot, Slot::FirstName), first_name);
        groups.add_texts(FieldPath::inside(slot, Slot::LastName), last_name);
        // The person itself, so that `is defined` has something to find.
        groups.add_numbers(FieldPath::of(slot), [(1.0, 0)]);
    }
}

fn arrays<'r>(arrays: &'r Arrays, groups: &mut Groups<'r>) {
    for (slot, items) in [(Slot::ArrayOfInt, &arrays.ints), (Slot::ArrayOfUniqueInt, &arrays.unique_ints)] {
        groups.add_numbers(FieldPath::of(slot), items.iter().map(|item| (*item as f64, 0)));
    }
    // A place's order matters, so its two numbers keep theirs.
    let place = arrays.two_numbers.iter().enumerate().map(|(at, item)| (*item as f64, at));
    groups.add_numbers(FieldPath::of(Slot::ArrayOfTwonumbers), place);
    for (slot, items) in
        [(Slot::ArrayOfFloat, &arrays.floats), (Slot::ArrayOfNumberNoDefaults, &arrays.numbers)]
    {
        groups.add_numbers(FieldPath::of(slot), items.iter().map(|item| (*item, 0)));
    }
    groups.add_texts(FieldPath::of(Slot::ArrayOfString), &arrays.strings);
    let outer = Slot::ArrayOfObjectType;
    let objects = || arrays.objects.iter().enumerate();
    // One term for each item, even for one without fields, so that `is empty` and negations see it.
    groups.add_numbers(FieldPath::of(outer), objects().map(|(at, _)| (at as f64, at)));
    groups.add_numbers(
        FieldPath::inside(outer, Slot::IntegerExample),
        objects().filter_map(|(at, item)| Some((item.integer_example? as f64, at))),
    );
    groups.add_numbers(
        FieldPath::inside(outer, Slot::IntegerExampleInt32),
        objects().filter_map(|(at, item)| Some((f64::from(item.integer_example_int32?), at))),
    );
}

/// Brings a record's terms from what `before` had to what `after` has; only fields that changed are touched.
pub(super) fn update<D: Database>(
    database: &D,
    seq: i64,
    before: Option<&Record>,
    after: &Record,
) -> Result<(), StoreError> {
    let old = before.map(groups).unwrap_or_default();
    let new = groups(after);
    for group in old.iter().filter(|group| !new.contains(group)) {
        database.execute(
            "DELETE FROM term WHERE resource = ? AND path = ?",
            &[Bind::Integer(seq), Bind::Integer(i64::from(group.code))],
        )?;
    }
    let mut rows = String::new();
    for group in new.iter().filter(|group| !old.contains(group)) {
        for (value, ordinal) in &group.values {
            rows.push(if rows.is_empty() { '[' } else { ',' });
            rows.push('[');
            json::integer(&mut rows, i64::from(group.code));
            rows.push(',');
            push_exact(&mut rows, value.value());
            rows.push(',');
            json::integer(&mut rows, *ordinal as i64);
            rows.push(']');
        }
    }
    if rows.is_empty() {
        return Ok(());
    }
    rows.push(']');
    // The exact form of doubles costs SQLite several readings of each row, so it is read only where there is one.
    let plain = new.iter().all(|group| group.values.iter().all(|(value, _)| value.is_plain()));
    let sql = if plain {
        "INSERT OR IGNORE INTO term(path, value, resource, ordinal) \
         SELECT value ->> 0, value ->> 1, ?, value ->> 2 FROM json_each(?)"
    } else {
        concat!(
            "INSERT OR IGNORE INTO term(path, value, resource, ordinal) SELECT value ->> 0, ",
            exact!("(value ->> 1)", "json_type(value, '$[1]')"),
            ", ?, value ->> 2 FROM json_each(?)"
        )
    };
    database.execute(sql, &[Bind::Integer(seq), Bind::Text(&rows)])
}

/// Removes every term of a record.
pub(super) fn remove<D: Database>(database: &D, seq: i64) -> Result<(), StoreError> {
    database.execute("DELETE FROM term WHERE resource = ?", &[Bind::Integer(seq)])
}
