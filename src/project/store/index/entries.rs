//! The values of a record by field, and the `entries` column that lists them.

use std::borrow::Cow;

use crate::contract::resource::content::{self};
use crate::contract::resource::{FieldId, FieldPath, FieldValues, Person, Record};
use crate::search::fold;
use crate::util::json;

use super::values::{FOLDED, IndexValue, folded, ordered};

/// The maximum number of values of a field that `entries` lists. If there are more, it has the smallest, null, the long
/// texts, and the largest.
pub(crate) const LISTED: usize = 32;
/// The number of bytes of a body that take as long to parse as a test of an item.
const ITEM_BYTES: usize = 800;

/// The distinct values of one field of one record, in ascending order.
#[derive(Debug)]
pub(crate) struct Group<'r> {
    /// The number of the field, or of its folded texts.
    pub(crate) code: u16,
    pub(crate) values: Vec<IndexValue<'r>>,
}

/// The values of a record, grouped once for both `term` and `entries`.
pub(crate) struct Index<'r> {
    pub(crate) record: &'r Record,
    /// In the order of their codes.
    pub(crate) groups: Vec<Group<'r>>,
}

impl<'r> Index<'r> {
    pub(crate) fn of(record: &'r Record) -> Self {
        let mut index = Self { record, groups: Vec::with_capacity(16) };
        // ID and key are columns of `resource`. Only what those lack is added here.
        index.add_folded(FieldPath::of(FieldId::Id), [&record.id]);
        index.add_folded(FieldPath::of(FieldId::Key), &record.key);
        for (id, Person { first_name, last_name }) in persons(record) {
            index.add_texts(FieldPath::inside(id, FieldId::FirstName), first_name);
            index.add_texts(FieldPath::inside(id, FieldId::LastName), last_name);
        }
        for (id, values) in record.content.iter() {
            index.add_field(id, values);
        }
        index
    }

    fn add_field(&mut self, id: FieldId, values: &'r FieldValues) {
        let path = FieldPath::of(id);
        match values {
            FieldValues::Texts(texts) => self.add_texts(path, texts),
            FieldValues::Integers(integers) | FieldValues::DateTimes(integers) => {
                self.add_integers(path, integers.iter().copied());
            }
            FieldValues::Numbers(numbers) => self.add_integers(path, numbers.iter().copied().map(ordered)),
            FieldValues::Booleans(truths) => self.add_integers(path, truths.iter().copied().map(i64::from)),
            FieldValues::Objects(items) => {
                let inner = |member| FieldPath::inside(id, member);
                let integers = items.iter().filter_map(|item| item.integer_example);
                self.add_integers(inner(FieldId::IntegerExample), integers);
                let integers = items.iter().filter_map(|item| item.integer_example_int32);
                self.add_integers(inner(FieldId::IntegerExampleInt32), integers.map(i64::from));
            }
        }
    }

    fn add_integers(&mut self, path: FieldPath, integers: impl Iterator<Item = i64>) {
        self.add(path.code(), integers.map(IndexValue::Integer).collect());
    }

    fn add_texts(&mut self, path: FieldPath, texts: impl IntoIterator<Item = &'r String> + Clone) {
        let values = texts.clone().into_iter().map(|text| IndexValue::text(text));
        self.add(path.code(), values.collect());
        self.add_folded(path, texts);
    }

    fn add_folded(&mut self, path: FieldPath, texts: impl IntoIterator<Item = &'r String>) {
        let folds = texts.into_iter().map(|text| (text, fold(text)));
        let folds = folds.filter(|(text, fold)| fold != *text);
        self.add(folded(path), folds.map(|(_, fold)| IndexValue::Text(Cow::Owned(fold))).collect());
    }

    fn add(&mut self, code: u16, mut values: Vec<IndexValue<'r>>) {
        values.sort_unstable();
        values.dedup();
        if !values.is_empty() {
            // There are few fields; a sort would be more code.
            let at = self.groups.partition_point(|group| group.code < code);
            self.groups.insert(at, Group { code, values });
        }
    }

    /// Returns the text of a record's `entries`: an object with a member for each field that has a value. The member's
    /// name is the field's number.
    ///
    /// A member lists the field's values in ascending order. A person has `1`. `arrayOfObjectType` has its items, or
    /// `true` if there are many: then they are read from the body.
    pub(crate) fn to_json(&self) -> String {
        let Self { record, groups } = self;
        let mut out = String::with_capacity(256);
        out.push('{');
        for Group { code, values } in groups.iter().filter(|group| group.code & FOLDED == 0) {
            push_values(member(&mut out, *code), values);
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
}

fn persons(record: &Record) -> impl Iterator<Item = (FieldId, &Person)> {
    [(FieldId::CreatedBy, &record.created_by), (FieldId::LastModifiedBy, &record.last_modified_by)]
        .into_iter()
        .filter_map(|(id, person)| Some((id, person.as_ref()?)))
}

/// Returns how many items of `arrayOfObjectType` a test of them reads. If it reads them from the body, the body counts
/// too.
pub(crate) fn count_items(record: &Record, bytes: usize) -> i64 {
    let count = record.content.objects().len();
    let reads = if count > LISTED { count + bytes / ITEM_BYTES } else { count };
    reads as i64
}

fn member(out: &mut String, code: u16) -> &mut String {
    if !out.ends_with('{') {
        out.push(',');
    }
    out.push('"');
    json::integer(out, i64::from(code));
    out.push_str("\":");
    out
}

fn push_values(out: &mut String, values: &[IndexValue<'_>]) {
    match values {
        [first, middle @ .., last] if values.len() > LISTED => {
            out.push('[');
            first.push(out);
            out.push_str(",null,");
            for long in middle.iter().filter(|value| value.is_long()) {
                long.push(out);
                out.push(',');
            }
            last.push(out);
            out.push(']');
        }
        values => json::array(out, values, |out, value| value.push(out)),
    }
}
