//! The values of a record by field, and the `entries` column that lists them.

use std::borrow::Cow;

use crate::contract::limits;
use crate::project::store::fields::{Generation, IndexedField};
use crate::search::fold;
use crate::shape::ValueForm;
use crate::util::json::{self, canonical};

use super::values::{FOLDED, IndexValue, folded};

/// The maximum number of values of a field that `entries` lists. If there are more, it has the smallest, null, the long
/// texts, and the largest.
pub(crate) const LISTED: usize = 32;
/// The number of bytes of a body that take as long to parse as a test of an item.
const ITEM_BYTES: usize = 800;

/// The distinct values of one field of one record, in ascending order.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Group<'r> {
    /// The number of the field, or of its folded texts.
    pub(crate) code: u16,
    pub(crate) values: Vec<IndexValue<'r>>,
    /// Whether `term` has the values. If not, `entries` has all of them, and the folded texts.
    pub(crate) is_in_term: bool,
}

/// The values of a record, grouped once for `term`, `entries`, and the words. They depend only on its body and on the
/// generation of the index: so the rows of a record can be removed when the shape lacks some of its fields.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Index<'r> {
    /// In the order of their codes.
    pub(crate) groups: Vec<Group<'r>>,
    /// The texts whose words are searched, as JSON.
    pub(crate) texts: Vec<&'r str>,
    /// How many items a test of arrays of objects reads. If it reads them from the body, the body counts too.
    pub(crate) items: i64,
    /// The members of `entries` besides the groups.
    marks: Vec<(u16, Cow<'r, str>)>,
    /// The length of the body; 0 of an item.
    pub(crate) bytes: usize,
}

/// How the index of a record changes: its number, and what the index has of it before and after.
pub(crate) type IndexChange<'i, 'b> = (i64, Option<&'i Index<'b>>, Option<&'i Index<'b>>);

/// What a record, or an item, has of a field.
#[derive(Debug, Default)]
struct Found<'r> {
    /// The values: those of an array are its items.
    values: Vec<&'r str>,
    /// Whether one of them is an array, which may have no items.
    has_array: bool,
}

impl<'r> Found<'r> {
    /// Returns what objects have of the fields inside them, in the order of the fields.
    fn of(fields: &[IndexedField], objects: &mut dyn Iterator<Item = &'r str>) -> Vec<Self> {
        let mut all: Vec<Self> = fields.iter().map(|_| Self::default()).collect();
        for (name, value) in objects.flat_map(canonical::members) {
            let at = fields.iter().position(|field| field.name == name);
            if let Some(found) = at.and_then(|at| all.get_mut(at)) {
                found.add(value);
            }
        }
        all
    }

    fn add(&mut self, value: &'r str) {
        if value.starts_with('[') {
            self.has_array = true;
            self.values.extend(canonical::items(value));
        } else {
            self.values.push(value);
        }
    }
}

impl<'r> Index<'r> {
    pub(crate) fn of(generation: &Generation, body: &'r str) -> Self {
        let (groups, marks) = (Vec::with_capacity(16), Vec::new());
        let mut index = Self { groups, texts: Vec::new(), items: 0, marks, bytes: body.len() };
        if generation.is_declared {
            index.add_declared(&generation.fields, &[body], true);
            return index;
        }
        for (name, value) in canonical::members(body) {
            match generation.field(name) {
                Some(field) => index.add_field(field, value),
                None if generation.is_wrapper(name) => canonical::members(value).for_each(|(name, value)| {
                    generation.field(name).into_iter().for_each(|field| index.add_field(field, value));
                }),
                None => {}
            }
        }
        index
    }

    /// Returns the values of a field, by its number.
    pub(crate) fn values(&self, code: u16) -> &[IndexValue<'r>] {
        self.groups.iter().find(|group| group.code == code).map_or(&[], |group| &group.values)
    }

    /// Adds what objects have of the declared fields inside them. `lists`: whether the items of an array of objects are
    /// listed. If the objects are items themselves, they have them.
    fn add_declared(&mut self, fields: &[IndexedField], objects: &[&'r str], lists: bool) {
        for (field, found) in fields.iter().zip(Found::of(fields, &mut objects.iter().copied())) {
            let groups = self.groups.len();
            let mut has_values = false;
            if field.form == ValueForm::Object {
                has_values = self.add_found_objects(field, &found, lists);
            } else {
                self.add_values(field, &mut found.values.into_iter());
            }
            if found.has_array && !has_values && self.groups.len() == groups {
                self.marks.push((field.number, Cow::Borrowed("[]")));
            }
        }
    }

    /// Adds the objects among the values of a declared field, and what is inside them. Returns whether there are any.
    fn add_found_objects(&mut self, field: &IndexedField, found: &Found<'r>, lists: bool) -> bool {
        let values = found.values.iter().copied();
        let objects: Vec<&'r str> = values.filter(|value| value.starts_with('{')).collect();
        if objects.is_empty() {
            return false;
        }
        let mark = if field.has_items() && lists {
            let mut items = String::new();
            json::array(&mut items, &objects, |out, object| out.push_str(&self.item(field, object)));
            Cow::Owned(items)
        } else {
            Cow::Borrowed("1")
        };
        self.marks.push((field.number, mark));
        self.add_declared(&field.inner, &objects, lists && !field.has_items());
        true
    }

    /// Returns an item of an array of objects as `entries` has it: as a record, with the values of the item alone.
    fn item(&mut self, field: &IndexedField, object: &'r str) -> String {
        let (groups, marks) = (Vec::new(), Vec::new());
        let mut index = Self { groups, texts: Vec::new(), items: 1, marks, bytes: 0 };
        index.add_declared(&field.inner, &[object], true);
        self.items += index.items;
        index.groups.iter_mut().for_each(|group| group.is_in_term = false);
        index.all_to_json()
    }

    fn add_field(&mut self, field: &IndexedField, value: &'r str) {
        if !value.starts_with('[') {
            self.mark_object(field);
            return self.add_values(field, &mut core::iter::once(value));
        }
        let mut count = 0;
        self.add_values(field, &mut canonical::items(value).inspect(|_| count += 1));
        match field.form {
            _ if count == 0 => {}
            ValueForm::Point => self.marks.push((folded(field.number), Cow::Borrowed(value))),
            ValueForm::Object => {
                let is_listed = count <= LISTED;
                self.items += (if is_listed { count } else { count + self.bytes / ITEM_BYTES }) as i64;
                self.marks.push((field.number, Cow::Borrowed(if is_listed { value } else { "true" })));
            }
            _ => {}
        }
    }

    fn mark_object(&mut self, field: &IndexedField) {
        if field.form == ValueForm::Object {
            self.marks.push((field.number, Cow::Borrowed("1")));
        }
    }

    /// Adds values of a field: all values that the record has of it.
    fn add_values(&mut self, field: &IndexedField, values: &mut dyn Iterator<Item = &'r str>) {
        match field.form {
            ValueForm::Object => self.add_objects(field, values),
            ValueForm::Text => self.add_texts(field, values),
            _ if field.is_column => {}
            form => {
                self.add(
                    field,
                    field.number,
                    values.filter_map(|value| IndexValue::read(form, value)).collect(),
                );
            }
        }
    }

    fn add_objects(&mut self, field: &IndexedField, objects: &mut dyn Iterator<Item = &'r str>) {
        for (inner, Found { values, .. }) in field.inner.iter().zip(Found::of(&field.inner, objects)) {
            if !values.is_empty() {
                self.mark_object(inner);
                self.add_values(inner, &mut values.into_iter());
            }
        }
    }

    fn add_texts(&mut self, field: &IndexedField, values: &mut dyn Iterator<Item = &'r str>) {
        let (mut texts, mut folds) = (Vec::new(), Vec::new());
        for value in values {
            let Some(text) = canonical::text(value) else { continue };
            if field.is_searched {
                self.texts.push(value);
            }
            let fold = fold(&text);
            if fold != text {
                folds.push(IndexValue::Text(Cow::Owned(fold)));
            }
            // A column has the text itself.
            if !field.is_column {
                texts.push(IndexValue::Text(text));
            }
        }
        self.add(field, field.number, texts);
        self.add(field, folded(field.number), folds);
    }

    fn add(&mut self, field: &IndexedField, code: u16, mut values: Vec<IndexValue<'r>>) {
        values.sort_unstable();
        values.dedup();
        if !values.is_empty() {
            // There are few fields; a sort would be more code.
            let at = self.groups.partition_point(|group| group.code < code);
            self.groups.insert(at, Group { code, values, is_in_term: field.is_in_term() });
        }
    }

    /// Returns the text of a record's `entries`. It has nothing if a row cannot have it beside the body: of a record
    /// that another shape allowed (D41).
    pub(crate) fn to_json(&self) -> String {
        let entries = self.all_to_json();
        if self.bytes + entries.len() > limits::ROW_BYTES { "{}".to_owned() } else { entries }
    }

    /// Returns an object with a member for each field that has a value. The member's name is the field's number.
    ///
    /// A member lists the field's values in ascending order. An object that is not an item has `1`. An array of objects
    /// has its items, or `true` if there are many: then they are read from the body. Of a declared resource, an empty
    /// array has a member too, and each item is such an object itself, for what is inside it.
    pub(crate) fn all_to_json(&self) -> String {
        let mut out = String::with_capacity(256);
        out.push('{');
        let is_listed = |group: &&Group<'_>| group.code & FOLDED == 0 || !group.is_in_term;
        for Group { code, values, is_in_term } in self.groups.iter().filter(is_listed) {
            push_values(member(&mut out, *code), values, *is_in_term);
        }
        for (code, value) in &self.marks {
            member(&mut out, *code).push_str(value);
        }
        out.push('}');
        out
    }
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

/// Appends values. If there are many, and `term` has them, only some of them.
fn push_values(out: &mut String, values: &[IndexValue<'_>], is_in_term: bool) {
    match values {
        [first, middle @ .., last] if is_in_term && values.len() > LISTED => {
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
