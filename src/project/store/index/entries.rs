//! The values of a record by field, and the `entries` column that lists them.

use std::borrow::Cow;

use crate::project::store::fields::{Fields, IndexedField};
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
#[derive(Debug)]
pub(crate) struct Group<'r> {
    /// The number of the field, or of its folded texts.
    pub(crate) code: u16,
    pub(crate) values: Vec<IndexValue<'r>>,
}

/// The values of a record, grouped once for `term`, `entries`, and the words. They depend only on its body and on the
/// indexed fields: so the rows of a record can be removed when the shape lacks some of its fields.
#[derive(Debug)]
pub(crate) struct Index<'r> {
    /// In the order of their codes.
    pub(crate) groups: Vec<Group<'r>>,
    /// The texts whose words are searched, in the order of the body, as JSON.
    pub(crate) texts: Vec<&'r str>,
    /// How many items a test of arrays of objects reads. If it reads them from the body, the body counts too.
    pub(crate) items: i64,
    /// The members of `entries` besides the groups.
    marks: Vec<(u16, &'r str)>,
    bytes: usize,
}

impl<'r> Index<'r> {
    pub(crate) fn of(fields: &Fields, body: &'r str) -> Self {
        let (groups, marks) = (Vec::with_capacity(16), Vec::new());
        let mut index = Self { groups, texts: Vec::new(), items: 0, marks, bytes: body.len() };
        for (name, value) in canonical::members(body) {
            match fields.indexed(name) {
                Some(field) => index.add_field(field, value),
                None if fields.is_wrapper(name) => canonical::members(value).for_each(|(name, value)| {
                    fields.indexed(name).into_iter().for_each(|field| index.add_field(field, value));
                }),
                None => {}
            }
        }
        index
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
            ValueForm::Point => self.marks.push((folded(field.number), value)),
            ValueForm::Object => {
                let is_listed = count <= LISTED;
                self.items += (if is_listed { count } else { count + self.bytes / ITEM_BYTES }) as i64;
                self.marks.push((field.number, if is_listed { value } else { "true" }));
            }
            _ => {}
        }
    }

    fn mark_object(&mut self, field: &IndexedField) {
        if field.form == ValueForm::Object {
            self.marks.push((field.number, "1"));
        }
    }

    /// Adds values of a field: all values that the record has of it.
    fn add_values(&mut self, field: &IndexedField, values: &mut dyn Iterator<Item = &'r str>) {
        match field.form {
            ValueForm::Object => self.add_objects(field, values),
            ValueForm::Text => self.add_texts(field, values),
            _ if field.is_column => {}
            form => {
                self.add(field.number, values.filter_map(|value| IndexValue::read(form, value)).collect());
            }
        }
    }

    fn add_objects(&mut self, field: &IndexedField, objects: &mut dyn Iterator<Item = &'r str>) {
        let mut inside: Vec<Vec<&'r str>> = field.inner.iter().map(|_| Vec::new()).collect();
        for (name, value) in objects.flat_map(canonical::members) {
            let at = field.inner.iter().position(|inner| inner.name == name);
            if let Some(values) = at.and_then(|at| inside.get_mut(at)) {
                if value.starts_with('[') {
                    values.extend(canonical::items(value));
                } else {
                    values.push(value);
                }
            }
        }
        for (inner, values) in field.inner.iter().zip(inside).filter(|(_, values)| !values.is_empty()) {
            self.mark_object(inner);
            self.add_values(inner, &mut values.into_iter());
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
        self.add(field.number, texts);
        self.add(folded(field.number), folds);
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
    /// A member lists the field's values in ascending order. An object that is not an item has `1`. An array of objects
    /// has its items, or `true` if there are many: then they are read from the body.
    pub(crate) fn to_json(&self) -> String {
        let mut out = String::with_capacity(256);
        out.push('{');
        for Group { code, values } in self.groups.iter().filter(|group| group.code & FOLDED == 0) {
            push_values(member(&mut out, *code), values);
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
