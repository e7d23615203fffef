//! The tables `field` and `generation`.

use super::manner::Manner;
use crate::project::store::database::{Database, Result, Row, StoreError, binds};
use crate::project::store::index::values::FOLDED;
use crate::project::store::meta;
use crate::shape::{FieldPath, Shape, ValueForm};
use crate::util::json::{self, canonical};

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

/// A row of the table `field`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::project::store) struct FieldRow {
    pub(super) number: u16,
    pub(super) name: String,
    pub(super) form: ValueForm,
    /// Whether a field of this name, or one on the path to it, was an array once: then records may have several values.
    pub(super) array: bool,
    /// How the newest generation of the index has its values.
    pub(super) manner: Manner,
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
    pub(super) fn is_indexed(&self) -> bool {
        self.manner != Manner::NONE
    }

    pub(super) fn is(&self, path: &FieldPath) -> bool {
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

/// A row of the table `generation`: an earlier generation of the index, which records may still have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::project::store) struct Earlier {
    pub(super) number: i64,
    /// How it has the values of fields, by their numbers: [`Manner::NONE`] if its records have none. If it lacks the
    /// field, they may have values that it lacks.
    manners: Vec<(u16, Manner)>,
}

impl Earlier {
    fn read(row: &dyn Row) -> Option<Self> {
        let manners = row.text(1)?;
        let pair = |(number, manner): (&str, &str)| {
            Some((number.parse().ok()?, Manner(u8::try_from(canonical::integer(manner)?).ok()?)))
        };
        Some(Self {
            number: row.integer(0)?,
            manners: canonical::members(&manners).map(pair).collect::<Option<_>>()?,
        })
    }

    /// Returns how it has the values of a field: [`Manner::NONE`] if its records have none. `None` if they may have
    /// values that it lacks.
    pub(super) fn manner(&self, number: u16) -> Option<Manner> {
        self.manners.iter().find(|(other, _)| *other == number).map(|(_, manner)| *manner)
    }

    fn to_json(&self) -> String {
        json::object(|object| {
            for (number, Manner(bits)) in &self.manners {
                object.integer(&number.to_string(), i64::from(*bits));
            }
        })
    }
}

/// The rows of both tables, in the order of their numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::project::store) struct FieldRows {
    pub(super) rows: Vec<FieldRow>,
    /// The number of the newest generation of the index, which the rows describe.
    pub(in crate::project::store) generation: i64,
    pub(super) earlier: Vec<Earlier>,
    /// The fields that [`Self::with`] has added, and of which no record has a value.
    added: Vec<u16>,
}

impl FieldRows {
    /// Reads the tables. `generation`: the newest one of the index, which `meta` has.
    pub(in crate::project::store) fn read<D: Database>(database: &D, generation: i64) -> Result<Self> {
        let sql = "SELECT number, name, form, array, indexed FROM field ORDER BY number";
        let rows = database.rows(sql, &[], FieldRow::read)?;
        let sql = "SELECT number, manners FROM generation ORDER BY number";
        let earlier = database.rows(sql, &[], Earlier::read)?;
        Ok(Self { rows, generation, earlier, added: Vec::new() })
    }

    /// Returns the rows with those of the shape. `has_foreign`: whether records may have values that no shape allowed.
    pub(in crate::project::store) fn with(&self, shape: &Shape, has_foreign: bool) -> Result<Self> {
        let mut all = self.clone();
        for (path, is_list) in paths(shape) {
            let rows = &mut all.rows;
            let array = path.array || rows.iter().any(|row| row.array && row.name == path.name());
            if let Some(row) = rows.iter_mut().find(|row| row.is(&path)) {
                row.array |= array;
                continue;
            }
            let number = rows.last().map_or(1, |last| last.number + 1);
            if number == FOLDED {
                return Err(StoreError::new("the project has had too many fields"));
            }
            let is_same = |row: &&FieldRow| row.name == path.name();
            let may_have = if has_foreign {
                self.rows.iter().any(|row| row.name == path.outer())
            } else {
                // An array is one, whatever its items are.
                rows.iter().filter(is_same).any(|row| row.array || may_share(row.form, path.form))
            };
            // If the name had another form, a generation has to begin without that.
            let is_indexed = !may_have && !rows.iter().any(|row| is_same(&row));
            let manner = if is_indexed { Manner::of(shape, &path, is_list) } else { Manner::NONE };
            if !may_have {
                all.added.push(number);
                all.earlier.iter_mut().for_each(|earlier| earlier.manners.push((number, Manner::NONE)));
            }
            let name = path.name().to_owned();
            rows.push(FieldRow { number, name, form: path.form, array, manner });
        }
        Ok(all)
    }

    /// Returns whether the newest generation of the index has the values of all fields of the shape.
    pub(in crate::project::store) fn are_indexed(&self, shape: &Shape) -> bool {
        paths(shape).all(|(path, is_list)| {
            let manner = Manner::of(shape, &path, is_list);
            self.rows.iter().any(|row| row.manner == manner && row.is(&path))
        })
    }

    /// Begins a generation of the index that has the fields of the shape, and no others.
    pub(in crate::project::store) fn begin(&mut self, shape: &Shape) {
        let known = self.rows.iter().filter(|row| row.is_indexed() || self.added.contains(&row.number));
        let manners = known.map(|row| (row.number, row.manner)).collect();
        self.earlier.push(Earlier { number: self.generation, manners });
        self.generation += 1;
        self.set(shape);
    }

    /// The same for an index that was emptied: records of an earlier generation have nothing in it.
    pub(in crate::project::store) fn begin_empty(&mut self, shape: &Shape) {
        self.earlier = vec![Earlier { number: self.generation, manners: Vec::new() }];
        self.generation += 1;
        self.set(shape);
    }

    /// Lets the newest generation have the fields of the shape, and no others.
    pub(in crate::project::store) fn set(&mut self, shape: &Shape) {
        let paths: Vec<(FieldPath, bool)> = paths(shape).collect();
        for row in &mut self.rows {
            let path = paths.iter().find(|(path, _)| row.is(path));
            row.manner = path.map(|(path, is_list)| Manner::of(shape, path, *is_list)).unwrap_or_default();
        }
    }

    /// Writes the rows that differ from those before.
    pub(in crate::project::store) fn write<D: Database>(&self, database: &D, before: &Self) -> Result<()> {
        let changed: Vec<&FieldRow> = self.rows.iter().filter(|row| !before.rows.contains(row)).collect();
        if !changed.is_empty() {
            let mut rows = String::new();
            json::array(&mut rows, &changed, |out, row| row.push(out));
            database.execute(
                "INSERT INTO field(number, name, form, array, indexed) \
                 SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(?) WHERE 1 \
                 ON CONFLICT(number) DO UPDATE SET array = excluded.array, indexed = excluded.indexed",
                &binds![&rows],
            )?;
        }
        if self.generation != before.generation {
            meta::set(database, meta::GENERATION, self.generation)?;
        }
        if self.earlier == before.earlier {
            return Ok(());
        }
        forget_earlier(database)?;
        self.earlier.iter().try_for_each(|earlier| {
            let sql = "INSERT INTO generation(number, manners) VALUES(?, ?)";
            database.execute(sql, &binds![earlier.number, &earlier.to_json()])
        })
    }
}

/// Returns whether a value may be one of both forms.
fn may_share(one: ValueForm, other: ValueForm) -> bool {
    let is_text = |form| matches!(form, ValueForm::Text | ValueForm::DateTime);
    let is_number = |form| matches!(form, ValueForm::Integer | ValueForm::Number | ValueForm::Point);
    one == other || (is_text(one) && is_text(other)) || (is_number(one) && is_number(other))
}

/// Removes the earlier generations from their table.
pub(in crate::project::store) fn forget_earlier<D: Database>(database: &D) -> Result<()> {
    database.execute("DELETE FROM generation", &[])
}

/// Returns the fields of the shape, each with whether it is an array itself.
pub(super) fn paths(shape: &Shape) -> impl Iterator<Item = (FieldPath, bool)> {
    shape.query_fields().into_iter().filter_map(|field| Some((field.path?, field.array)))
}
