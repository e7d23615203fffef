//! The index entries of a record: its `term` rows, and the `entries` column beside its body.
//!
//! `term` finds resources by a value. `entries` finds the values of a resource. It is JSONB, so that SQLite reads a
//! part of it without parsing the rest, and it costs no row.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt::Write as _;

use crate::contract::limits;
use crate::contract::resource::content::{self, FieldValues};
use crate::contract::resource::field::FieldPath;
use crate::contract::resource::model::{Person, Record};
use crate::contract::resource::schema::FieldId;
use crate::search::fold;
use crate::util::json;

use super::terms::{FOLDED, IndexValue, folded, is_plain, is_real, ordered, push_exact};

/// The maximum number of values of a field that `entries` lists. If there are more, it has the smallest, null, and the
/// largest.
pub(crate) const LISTED: usize = 32;
/// The number of bytes of a body that take as long to parse as a test of an item.
const ITEM_BYTES: usize = 800;
/// The longest folded text in the index, in bytes. No request can name a longer one: folding triples the length of a
/// text at most.
const FOLDED_BYTES: usize = 3 * limits::TARGET_BYTES;

/// `term.edge` of the smallest value that a resource has of the field.
pub(crate) const SMALLEST: u8 = 1;
/// `term.edge` of the largest value.
pub(crate) const LARGEST: u8 = 2;

/// The distinct values of one field of one record, in ascending order.
#[derive(Debug, PartialEq)]
pub(crate) struct Group<'r> {
    /// The number of the field, or of its folded texts.
    pub(crate) code: u16,
    pub(crate) values: Vec<GroupValue<'r>>,
}

/// A value of a record, or a value derived from one.
#[derive(Debug, PartialEq)]
pub(crate) enum GroupValue<'r> {
    Text(Cow<'r, str>),
    Number(f64),
}

impl GroupValue<'_> {
    /// Returns the value as the index has it.
    pub(crate) fn value(&self) -> IndexValue<'_> {
        match self {
            Self::Text(text) => IndexValue::Text(text),
            Self::Number(number) => IndexValue::Number(*number),
        }
    }

    /// Returns whether JSON represents it exactly.
    pub(crate) fn is_plain(&self) -> bool {
        is_plain(self.value())
    }

    /// Returns the order of the index. A field has values of one type, and a number is never NaN.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Text(one), Self::Text(other)) => one.cmp(other),
            (Self::Number(one), Self::Number(other)) => one.total_cmp(other),
            (Self::Number(_), Self::Text(_)) => Ordering::Less,
            (Self::Text(_), Self::Number(_)) => Ordering::Greater,
        }
    }
}

/// Returns the groups of a record by their code.
fn groups(record: &Record) -> Vec<Group<'_>> {
    let mut groups = Groups(Vec::with_capacity(16));
    // ID and key are columns of `resource`. Only what those lack is added here.
    groups.add_folded(FieldPath::of(FieldId::Id), [&record.id]);
    groups.add_folded(FieldPath::of(FieldId::Key), &record.key);
    for (id, Person { first_name, last_name }) in persons(record) {
        groups.add_texts(FieldPath::inside(id, FieldId::FirstName), first_name);
        groups.add_texts(FieldPath::inside(id, FieldId::LastName), last_name);
    }
    for (id, values) in record.content.iter() {
        add_values(&mut groups, id, values);
    }
    groups.0
}

fn persons(record: &Record) -> impl Iterator<Item = (FieldId, &Person)> {
    [(FieldId::CreatedBy, &record.created_by), (FieldId::LastModifiedBy, &record.last_modified_by)]
        .into_iter()
        .filter_map(|(id, person)| Some((id, person.as_ref()?)))
}

/// Groups by their code.
struct Groups<'r>(Vec<Group<'r>>);

impl<'r> Groups<'r> {
    fn add(&mut self, code: u16, values: impl IntoIterator<Item = GroupValue<'r>>) {
        let mut values: Vec<_> = values.into_iter().collect();
        values.sort_unstable_by(GroupValue::order);
        values.dedup();
        if !values.is_empty() {
            // There are few fields; a sort would be more code.
            let at = self.0.partition_point(|group| group.code < code);
            self.0.insert(at, Group { code, values });
        }
    }

    fn add_numbers(&mut self, path: FieldPath, numbers: impl IntoIterator<Item = f64>) {
        // The sum turns negative zero into zero.
        self.add(path.code(), numbers.into_iter().map(|number| GroupValue::Number(number + 0.0)));
    }

    fn add_texts<T: AsRef<str> + ?Sized + 'r>(
        &mut self,
        path: FieldPath,
        texts: impl IntoIterator<Item = &'r T> + Clone,
    ) {
        let values = texts.clone().into_iter().map(|text| GroupValue::Text(Cow::Borrowed(text.as_ref())));
        self.add(path.code(), values);
        self.add_folded(path, texts);
    }

    fn add_folded<T: AsRef<str> + ?Sized + 'r>(
        &mut self,
        path: FieldPath,
        texts: impl IntoIterator<Item = &'r T>,
    ) {
        let folds = texts.into_iter().filter_map(|text| {
            let fold = fold(text.as_ref());
            (fold != text.as_ref() && fold.len() <= FOLDED_BYTES)
                .then_some(GroupValue::Text(Cow::Owned(fold)))
        });
        self.add(folded(path), folds);
    }
}

fn add_values<'r>(groups: &mut Groups<'r>, id: FieldId, values: &'r FieldValues) {
    let path = FieldPath::of(id);
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
            let inner = |member| FieldPath::inside(id, member);
            let integers = items.iter().filter_map(|item| item.integer_example);
            groups.add_numbers(inner(FieldId::IntegerExample), integers.map(|integer| integer as f64));
            let integers = items.iter().filter_map(|item| item.integer_example_int32);
            groups.add_numbers(inner(FieldId::IntegerExampleInt32), integers.map(f64::from));
        }
    }
}

/// The index entries of a record, grouped once for both `term` and `entries`.
pub(crate) struct Index<'r> {
    record: &'r Record,
    pub(crate) groups: Vec<Group<'r>>,
}

impl<'r> Index<'r> {
    /// Groups the values of a record.
    pub(crate) fn of(record: &'r Record) -> Self {
        Self { record, groups: groups(record) }
    }
}

/// Returns the text of a record's `entries`: an object with a member for each field that has a value. The member's name
/// is the field's number.
///
/// A member lists the field's values in ascending order, doubles as [`ordered`] integers. A person has `1`.
/// `arrayOfObjectType` has its items, or `true` if there are many: then they are read from the body.
pub(crate) fn to_json(index: &Index<'_>) -> String {
    let Index { record, groups } = index;
    let mut out = String::with_capacity(256);
    out.push('{');
    for group in groups.iter().filter(|group| group.code & FOLDED == 0) {
        push_group(member(&mut out, group.code), group);
    }
    for (id, _) in persons(record) {
        member(&mut out, FieldPath::of(id).code()).push('1');
    }
    if let Some(FieldValues::Integers(numbers)) = record.content.get(FieldId::ArrayOfTwonumbers) {
        let place = member(&mut out, folded(FieldPath::of(FieldId::ArrayOfTwonumbers)));
        json::array(place, numbers, |out, number| json::integer(out, *number));
    }
    let objects = record.content.objects();
    if !objects.is_empty() {
        let items = member(&mut out, FieldPath::of(FieldId::ArrayOfObjectType).code());
        if objects.len() > LISTED {
            items.push_str("true");
        } else {
            content::push_objects(items, objects);
        }
    }
    out.push('}');
    out
}

/// Returns how many items of `arrayOfObjectType` a test of them reads. If it reads them from the body, the body counts
/// too.
pub(crate) fn count_items(record: &Record, bytes: usize) -> i64 {
    let count = record.content.objects().len();
    (count + if count > LISTED { bytes / ITEM_BYTES } else { 0 }) as i64
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

/// Returns whether the field with this number has doubles.
pub(crate) fn has_doubles(code: u16) -> bool {
    FieldPath::from_code(code).is_some_and(is_real)
}

/// Writes a value of a list that contains only values of one field.
pub(crate) fn push_listed(out: &mut String, doubles: bool, value: &GroupValue<'_>) {
    match value {
        GroupValue::Number(number) if doubles => json::integer(out, ordered(*number)),
        other => push_exact(out, other.value()),
    }
}
