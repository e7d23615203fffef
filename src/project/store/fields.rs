//! The numbers of the fields in the index of a project.
//!
//! For callers, a field is its name. For the index, it is its name with the form of its values: the table `field` has a
//! number for each. A deployment may add, remove, and change fields, so the table is brought up to date whenever an
//! object begins:
//!
//! - A field with a new name gets a row. No record has a value of it, so the index is complete.
//! - A field that the shape lacks keeps its row, and records keep their values in the body and in the index, until a
//!   write removes both. So if it is added again, the index is complete.
//! - If a name has another form than before, records may have values that the index lacks, so it is rebuilt. A rebuild
//!   leaves out the fields that the shape lacks. If one of them is added again, the index is rebuilt again.
//!
//! `indexed` says whether the index has all values of a field, and how ([`Manner`]). If the shape wants another manner,
//! the index is rebuilt. So at any time, also during a rebuild, the index has exactly the values of those fields that
//! are in the bodies of indexed records.

use std::rc::Rc;

use crate::shape::types::Role;
use crate::shape::{FieldPath, Marks, ObjectId, Shape, System, ValueForm};
use crate::util::json;
use crate::util::text::concat;

use super::database::{Database, Result, Row, StoreError, binds};
use super::index::values::{self, FOLDED};

/// The forms of values by their number in the table.
const FORMS: [ValueForm; 7] = [
    ValueForm::Text,
    ValueForm::Integer,
    ValueForm::Number,
    ValueForm::Boolean,
    ValueForm::DateTime,
    ValueForm::Point,
    ValueForm::Object,
];

/// How the index has the values of a field: bits of the column `indexed`, which is 0 if the index does not have them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Manner(u8);

impl Manner {
    /// As the interface's resource has them: `entries` has none of an empty array, and `term` all values.
    const INTERFACE: Self = Self(1);
    const DECLARED: Self = Self(2);
    /// `term` has the values of a declared field, too.
    const TERM: Self = Self(4);
    /// The words of a declared text are searched.
    const WORDS: Self = Self(8);
    /// `entries` has the items of an array of objects that a resource declares.
    const ITEMS: Self = Self(16);

    const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    const fn with(self, other: Self, is_wanted: bool) -> Self {
        Self(if is_wanted { self.0 | other.0 } else { self.0 })
    }

    const fn is_in_term(self) -> bool {
        self.has(Self::INTERFACE) || self.has(Self::TERM)
    }

    /// Returns how the shape wants a field. `is_list`: whether it is an array itself.
    fn of(shape: &Shape, path: &FieldPath, is_list: bool) -> Self {
        if !shape.is_declared() {
            return Self::INTERFACE;
        }
        let marks = |is: fn(Marks) -> bool| path.prefixes().all(|name| is(shape.marks_at(name)));
        let is_single = matches!(path.form, ValueForm::Object | ValueForm::Point);
        let is_searched = path.form == ValueForm::Text && is_searched(path.name());
        Self::DECLARED
            // To be unique, a value has to be found.
            .with(
                Self::TERM,
                !is_single && (marks(|marks| marks.index) || shape.marks_at(path.name()).unique),
            )
            .with(Self::WORDS, is_searched && marks(|marks| marks.search))
            .with(Self::ITEMS, is_list && path.form == ValueForm::Object)
    }
}

/// Returns whether the words of a text are searched: of the fields of the system, only those of the key.
fn is_searched(name: &str) -> bool {
    let outer = name.split('.').next().unwrap_or_default();
    let system = System::ALL.iter().find(|system| system.name() == outer);
    system.is_none_or(|system| *system == System::Key)
}

/// A row of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FieldRow {
    number: u16,
    name: String,
    form: ValueForm,
    /// Whether a field of this name, or one on the path to it, was an array once: then records may have several values.
    array: bool,
    manner: Manner,
}

impl FieldRow {
    fn read(row: &dyn Row) -> Option<Self> {
        let number = u16::try_from(row.integer(0)?).ok().filter(|number| *number < FOLDED)?;
        let form = *FORMS.get(row.size(2)?)?;
        let array = row.integer(3)? != 0;
        let manner = Manner(u8::try_from(row.integer(4)?).ok()?);
        Some(Self { number, name: row.text(1)?, form, array, manner })
    }

    /// Returns whether the index has its values.
    fn is_indexed(&self) -> bool {
        self.manner != Manner::default()
    }

    fn is(&self, path: &FieldPath) -> bool {
        self.form == path.form && self.name == path.name()
    }

    fn push(&self, out: &mut String) {
        let form = FORMS.iter().position(|form| *form == self.form).unwrap_or_default();
        out.push('[');
        json::integer(out, i64::from(self.number));
        out.push(',');
        json::string(out, &self.name);
        for number in [form as i64, i64::from(self.array), i64::from(self.manner.0)] {
            out.push(',');
            json::integer(out, number);
        }
        out.push(']');
    }
}

/// The rows of the table, in the order of their numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FieldRows(Vec<FieldRow>);

impl FieldRows {
    pub(super) fn read<D: Database>(database: &D) -> Result<Self> {
        let sql = "SELECT number, name, form, array, indexed FROM field ORDER BY number";
        database.rows(sql, &[], FieldRow::read).map(Self)
    }

    /// Returns the rows with those of the shape.
    pub(super) fn with(&self, shape: &Shape) -> Result<Self> {
        let mut rows = self.0.clone();
        for (path, is_list) in paths(shape) {
            let array = path.array || rows.iter().any(|row| row.array && row.name == path.name());
            if let Some(row) = rows.iter_mut().find(|row| row.is(&path)) {
                row.array |= array;
                continue;
            }
            let number = rows.last().map_or(1, |last| last.number + 1);
            if number == FOLDED {
                return Err(StoreError::new("the project has had too many fields"));
            }
            // Records may have values of this form under a name that had another one.
            let is_new = rows.iter().all(|row| row.name != path.name());
            let manner = if is_new { Manner::of(shape, &path, is_list) } else { Manner::default() };
            let name = path.name().to_owned();
            rows.push(FieldRow { number, name, form: path.form, array, manner });
        }
        Ok(Self(rows))
    }

    /// Returns whether the index has the values of all fields of the shape.
    pub(super) fn are_indexed(&self, shape: &Shape) -> bool {
        paths(shape).all(|(path, is_list)| {
            let manner = Manner::of(shape, &path, is_list);
            self.0.iter().any(|row| row.manner == manner && row.is(&path))
        })
    }

    /// Lets the index have the fields of the shape, and no others: a rebuild begins.
    pub(super) fn begin(&mut self, shape: &Shape) {
        let paths: Vec<(FieldPath, bool)> = paths(shape).collect();
        for row in &mut self.0 {
            let path = paths.iter().find(|(path, _)| row.is(path));
            row.manner = path.map(|(path, is_list)| Manner::of(shape, path, *is_list)).unwrap_or_default();
        }
    }

    /// Writes the rows that differ from those before.
    pub(super) fn write<D: Database>(&self, database: &D, before: &Self) -> Result<()> {
        let changed: Vec<&FieldRow> = self.0.iter().filter(|row| !before.0.contains(row)).collect();
        if changed.is_empty() {
            return Ok(());
        }
        let mut rows = String::new();
        json::array(&mut rows, &changed, |out, row| row.push(out));
        database.execute(
            "INSERT INTO field(number, name, form, array, indexed) \
             SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(?) WHERE 1 \
             ON CONFLICT(number) DO UPDATE SET array = excluded.array, indexed = excluded.indexed",
            &binds![&rows],
        )
    }
}

/// Returns the fields of the shape, each with whether it is an array itself.
fn paths(shape: &Shape) -> impl Iterator<Item = (FieldPath, bool)> {
    shape.query_fields().into_iter().filter_map(|field| Some((field.path?, field.array)))
}

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

/// The shape of a project, with the numbers of its fields.
#[derive(Debug)]
pub(crate) struct Fields {
    pub(crate) shape: Rc<Shape>,
    rows: Vec<FieldRow>,
    /// The fields of the shape, with those inside others after them.
    paths: Vec<FieldPath>,
    /// Those whose values no two resources have.
    unique: Vec<FieldPath>,
    /// What the index has, also if the shape lacks it.
    indexed: Vec<IndexedField>,
}

impl Fields {
    pub(super) fn new(shape: &Rc<Shape>, rows: FieldRows) -> Self {
        let rows: Vec<FieldRow> = rows.0.into_iter().filter(FieldRow::is_indexed).collect();
        let indexed = tree(&rows);
        let mut fields =
            Self { shape: Rc::clone(shape), paths: Vec::new(), unique: Vec::new(), indexed, rows };
        for (mut path, _) in paths(shape) {
            fields.set_number(&mut path);
            if shape.marks_at(path.name()).unique {
                fields.unique.push(path.clone());
            }
            fields.paths.push(path);
        }
        fields
    }

    /// Sets the number of a path that comes from a caller. Returns whether the index has the field.
    pub(crate) fn set_number(&self, path: &mut FieldPath) -> bool {
        let Some(row) = self.rows.iter().find(|row| row.is(path)) else { return false };
        path.number = row.number;
        path.array |= row.array;
        path.by_value = row.manner.is_in_term();
        true
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

    /// Returns the fields that the index has.
    pub(crate) fn all(&self) -> &[IndexedField] {
        &self.indexed
    }

    /// Returns a field of a record, also one inside the wrapper.
    pub(crate) fn indexed(&self, name: &str) -> Option<&IndexedField> {
        self.indexed.iter().find(|field| field.name == name)
    }

    pub(crate) fn is_wrapper(&self, name: &str) -> bool {
        self.shape.object(ObjectId::Record).field(name).is_some_and(|field| field.role == Role::Wrapper)
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
        let system = System::ALL.iter().find(|system| system.name() == row.name);
        let is_interface = row.manner.has(Manner::INTERFACE);
        let is_content = name == row.name && is_searched(name);
        if let Some(fields) = place {
            fields.push(IndexedField {
                name: name.to_owned(),
                number: row.number,
                form: row.form,
                is_column: system
                    .is_some_and(|system| values::column(&FieldPath::of_system(*system)).is_some()),
                is_searched: if is_interface { is_content } else { row.manner.has(Manner::WORDS) },
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
