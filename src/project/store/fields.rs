//! The numbers of the fields in the index of a project.
//!
//! For callers, a field is its name. For the index, it is its name with the form of its values: the table `field` has a
//! number for each. A deployment may add, remove, and change fields, so the table is brought up to date whenever an
//! object begins:
//!
//! - A field with a new name gets a row. No record has a value of it, so the index is complete.
//! - A field that the shape lacks keeps its row, and records keep their values in the body and in the index, until a
//!   write removes both. So if it is added again, the index is complete.
//! - If a name has another form than before, or its values are to be indexed in another manner ([`Manner`]), a
//!   generation of the index begins, which leaves out the fields that the shape lacks. If records may have values of
//!   the form, the index lacks some of them.
//!
//! If the version of the index rises, the index is emptied, and a generation begins: records of an earlier one have
//! nothing in the index.
//!
//! Each record has the number of the generation by which it was indexed, so at any time the index has exactly those
//! values of its body. Writes index by the newest generation. The others are indexed again in parts
//! (`indexer::Indexer::renew`), and until all are, a query of a field that an earlier generation has in another manner
//! would not find all of them. Parts leave out the records of which both generations have the same: a record that has
//! an earlier number than the earliest generation has that one.

mod manner;
mod rows;

use std::rc::Rc;

use crate::shape::built_in::WRAPPER;
use crate::shape::types::Role;
use crate::shape::{FieldPath, ObjectId, Shape, System, ValueForm};
use crate::util::text::concat;

use self::manner::Manner;
use self::rows::{FieldRow, paths};
pub(super) use self::rows::{FieldRows, forget_earlier};
use super::index::values;

/// A field that the index has, and how it is found in a body.
#[derive(Debug)]
pub(crate) struct IndexedField {
    /// Its name in the object that has it.
    pub(crate) name: String,
    pub(crate) number: u16,
    pub(crate) form: ValueForm,
    /// Whether its values are in a column.
    pub(crate) is_column: bool,
    /// Whether the words of its texts are searched.
    pub(crate) is_searched: bool,
    manner: Manner,
    pub(crate) inner: Vec<Self>,
}

impl IndexedField {
    /// Returns whether `term` has its values.
    pub(crate) const fn is_in_term(&self) -> bool {
        self.manner.is_in_term()
    }

    /// Returns whether `entries` has its items: it is an array of objects that a resource declares.
    pub(crate) const fn has_items(&self) -> bool {
        self.manner.has(Manner::ITEMS)
    }
}

#[derive(Debug)]
pub(crate) struct Generation {
    pub(crate) number: i64,
    /// Whether the deployment declared the resource. If not, it was the one of the interface.
    pub(crate) is_declared: bool,
    /// Also those that the shape lacks.
    pub(crate) fields: Vec<IndexedField>,
}

impl Generation {
    fn new(number: i64, rows: &[FieldRow]) -> Self {
        let is_declared = !rows.iter().any(|row| row.manner.has(Manner::INTERFACE));
        Self { number, is_declared, fields: tree(rows) }
    }

    /// Returns whether its records have nothing in the index, and an outdated row of `entries`.
    pub(super) fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// Returns a field of a record, also one inside the wrapper.
    pub(crate) fn field(&self, name: &str) -> Option<&IndexedField> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Returns whether a field of a record has others of the record inside.
    pub(crate) fn is_wrapper(&self, name: &str) -> bool {
        !self.is_declared && name == WRAPPER
    }
}

/// The shape of a project, with the numbers of its fields.
#[derive(Debug)]
pub(crate) struct Fields {
    pub(crate) shape: Rc<Shape>,
    rows: Vec<FieldRow>,
    /// The fields of the shape, with those inside others after them.
    paths: Vec<FieldPath>,
    /// Those whose values no two resources have.
    unique: Vec<FieldPath>,
    pub(crate) newest: Generation,
    /// The earlier generations that records may still have.
    earlier: Vec<Generation>,
    /// The fields of which an earlier generation has the values in another manner.
    stale: Vec<u16>,
    /// The names of the fields whose words an earlier generation lacks.
    unsearched: Vec<String>,
}

impl Fields {
    pub(super) fn new(shape: &Rc<Shape>, all: &FieldRows) -> Self {
        let of_earlier = |manner: &dyn Fn(u16) -> Manner| -> Vec<FieldRow> {
            let rows = all.rows.iter().map(|row| FieldRow { manner: manner(row.number), ..row.clone() });
            rows.filter(FieldRow::is_indexed).collect()
        };
        let earlier = all.earlier.iter().map(|earlier| {
            Generation::new(earlier.number, &of_earlier(&|number| earlier.manner(number).unwrap_or_default()))
        });
        let earlier = earlier.collect();
        let rows: Vec<FieldRow> = all.rows.iter().filter(|row| row.is_indexed()).cloned().collect();
        // Whether an earlier generation lacks values of a field, or has them in another manner, by this comparison.
        let any = |row: &FieldRow, differs: &dyn Fn(Manner) -> bool| {
            let differs = |manner: Option<Manner>| match manner {
                Some(Manner::NONE) => false,
                other => differs(other.unwrap_or_default()),
            };
            all.earlier.iter().any(|earlier| differs(earlier.manner(row.number)))
        };
        let is_stale =
            |row: &&FieldRow| any(row, &|manner| !row.manner.finds_as(manner, is_column(&row.name)));
        let is_searched =
            |row: &FieldRow, manner: Manner| row.form == ValueForm::Text && manner.is_searched(&row.name);
        let is_unsearched =
            |row: &&FieldRow| is_searched(row, row.manner) && any(row, &|manner| !is_searched(row, manner));
        let mut fields = Self {
            shape: Rc::clone(shape),
            paths: Vec::new(),
            unique: Vec::new(),
            newest: Generation::new(all.generation, &rows),
            earlier,
            stale: rows.iter().filter(is_stale).map(|row| row.number).collect(),
            unsearched: rows.iter().filter(is_unsearched).map(|row| row.name.clone()).collect(),
            rows,
        };
        for (mut path, _) in paths(shape) {
            fields.set_number(&mut path, false);
            if shape.marks_at(path.name()).unique {
                fields.unique.push(path.clone());
            }
            fields.paths.push(path);
        }
        fields
    }

    /// Sets the number of a path that comes from a caller. Returns whether the index has the field; `is_list`: the
    /// items of the array, each of which the caller wants to examine.
    pub(crate) fn set_number(&self, path: &mut FieldPath, is_list: bool) -> bool {
        let is_wanted = |row: &&FieldRow| row.is(path) && (!is_list || row.manner.is_list());
        let Some(row) = self.rows.iter().find(is_wanted) else { return false };
        path.number = row.number;
        path.array |= row.array;
        path.by_value = row.manner.is_in_term();
        true
    }

    /// Returns the generation of the records with this number.
    pub(crate) fn generation(&self, number: i64) -> &Generation {
        self.earlier.iter().find(|earlier| earlier.number >= number).unwrap_or(&self.newest)
    }

    /// Returns whether the records of earlier generations have the values of a field, or of one on its path, in another
    /// manner.
    pub(crate) fn is_stale(&self, path: &FieldPath) -> bool {
        let is_on_path = |row: &FieldRow| path.prefixes().any(|name| name == row.name);
        !self.stale.is_empty()
            && self.rows.iter().any(|row| self.stale.contains(&row.number) && is_on_path(row))
    }

    /// Returns the names of the fields whose words searches do not find in records of earlier generations.
    pub(crate) fn unsearched(&self) -> &[String] {
        &self.unsearched
    }

    /// Returns the fields whose values no two resources have (D40).
    pub(crate) fn unique(&self) -> &[FieldPath] {
        &self.unique
    }

    /// Returns the numbers of the arrays of objects on a path, the last of which may be the field itself, as `entries`
    /// has their items: each inside an item of the one before. Without those up to another one on the path.
    pub(crate) fn lists(&self, path: &FieldPath, after: Option<&FieldPath>) -> Vec<u16> {
        let after = after.map_or(0, |after| after.name().len());
        let prefixes = path.prefixes().filter(|name| name.len() > after);
        let is_list = |row: &&FieldRow, name: &str| row.name == name && row.manner.has(Manner::ITEMS);
        prefixes
            .filter_map(|name| self.rows.iter().find(|row| is_list(row, name)))
            .map(|row| row.number)
            .collect()
    }

    /// Returns the fields inside another one, in the order of the shape.
    pub(crate) fn inside(&self, outer: &FieldPath) -> impl Iterator<Item = &FieldPath> {
        self.paths.iter().filter(move |path| {
            let inner = path.name().strip_prefix(outer.name()).and_then(|rest| rest.strip_prefix('.'));
            inner.is_some_and(|inner| !inner.contains('.'))
        })
    }

    /// Returns the place of a field in a body, as SQLite writes it after `$`.
    pub(crate) fn place(&self, path: &FieldPath) -> String {
        let is_wrapped = self.shape.arrays().iter().any(|field| field.name == path.outer());
        let record = &self.shape.object(ObjectId::Record).fields;
        match record.iter().find(|field| is_wrapped && field.role == Role::Wrapper) {
            Some(wrapper) => concat(&[".", &wrapper.name, ".", path.name()]),
            None => concat(&[".", path.name()]),
        }
    }
}

/// Returns whether a column has the values of a field.
fn is_column(name: &str) -> bool {
    let system = System::ALL.iter().find(|system| system.name() == name);
    system.is_some_and(|system| values::column(&FieldPath::of_system(*system)).is_some())
}

/// Returns the fields of rows, with those inside others in them.
fn tree(rows: &[FieldRow]) -> Vec<IndexedField> {
    let mut fields = Vec::new();
    // A field is before those inside it.
    let mut rows: Vec<&FieldRow> = rows.iter().collect();
    rows.sort_unstable_by_key(|row| &row.name);
    for row in rows {
        let (mut place, mut name) = (Some(&mut fields), row.name.as_str());
        while let Some((outer, inner)) = name.split_once('.') {
            place = place.and_then(|fields: &mut Vec<IndexedField>| {
                fields.iter_mut().find(|field| field.name == outer).map(|field| &mut field.inner)
            });
            name = inner;
        }
        if let Some(fields) = place {
            fields.push(IndexedField {
                name: name.to_owned(),
                number: row.number,
                form: row.form,
                is_column: is_column(&row.name),
                is_searched: row.manner.is_searched(&row.name),
                manner: row.manner,
                inner: Vec::new(),
            });
        }
    }
    fields
}

#[cfg(not(target_arch = "wasm32"))]
#[cfg(test)]
mod tests;
