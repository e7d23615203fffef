//! Values that no two resources of a project have (D40).

use crate::contract::error::{ApiError, Code, Member, quoted};
use crate::shape::{FieldPath, ValueForm};
use crate::util::{number, time};

use crate::project::failure::Failure;
use crate::project::store::database::{Database, Result, binds};
use crate::project::store::fields::Fields;
use crate::project::store::index::entries::Index;
use crate::project::store::index::values::{self, IndexValue};

/// The maximum number of resources with a value that are read: more than two have one if an earlier shape allowed it.
const HOLDERS: i64 = 64;

/// A value of a unique field.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct UniqueValue<'f> {
    path: &'f FieldPath,
    value: IndexValue<'static>,
}

/// Returns the unique values of a body that the resource did not have before: an earlier shape may have allowed the
/// others (D41).
pub(crate) fn gained<'f>(fields: &'f Fields, before: Option<&str>, after: &str) -> Vec<UniqueValue<'f>> {
    if fields.unique().is_empty() {
        return Vec::new();
    }
    let old = before.map(|before| Index::of(fields, before));
    let new = Index::of(fields, after);
    let mut gained = Vec::new();
    for path in fields.unique() {
        let old = old.as_ref().map_or(&[][..], |index| index.values(path.number));
        let values = new.values(path.number).iter().filter(|value| !old.contains(value));
        gained.extend(values.map(|value| UniqueValue { path, value: value.clone().into_owned() }));
    }
    gained
}

impl UniqueValue<'_> {
    /// Returns the numbers of resources that have the value, first the given one: those that the index has, and those
    /// that wait for it, which are after `indexed`.
    pub(crate) fn holders<D: Database>(&self, database: &D, indexed: i64, first: i64) -> Result<Vec<i64>> {
        let mut values = "[".to_owned();
        self.value.push(&mut values);
        values.push(',');
        self.value.key().push(&mut values);
        values.push(']');
        let number = self.path.number;
        let code = if self.value.is_long() { values::long(number) } else { number };
        let place = format!("$.{number}");
        database.rows(
            "SELECT seq FROM (SELECT resource AS seq FROM term WHERE path = ?1 AND value = (?2 ->> 1) \
             UNION ALL SELECT r.seq FROM resource r WHERE r.seq > ?3 \
             AND EXISTS(SELECT 1 FROM json_each(r.entries, ?4) e WHERE e.value = (?2 ->> 0))) \
             ORDER BY seq <> ?5 LIMIT ?6",
            &binds![code, &values, indexed, &place, first, HOLDERS],
            |row| row.integer(0),
        )
    }

    /// Returns the name of the field of the content that has the value.
    fn outer(&self) -> &str {
        self.path.outer()
    }

    /// Returns the error of a write. `place`: the JSON Pointer of a field of the content in the body.
    pub(crate) fn duplicate(&self, place: &dyn Fn(&str) -> Option<String>) -> ApiError {
        let (name, value) = (self.path.name(), self.text());
        let value = quoted(&value);
        let outer = place(self.outer()).unwrap_or_else(|| ["/", self.outer()].concat());
        let inner =
            self.path.inner().map_or_else(String::new, |inner| ["/", &inner.replace('.', "/")].concat());
        ApiError::new(Code::DuplicateField, format!("A duplicate value '{value}' exists for field '{name}'."))
            .with(Member::Path, [outer, inner].concat())
            .with(Member::Field, name)
            .with(Member::DuplicateValue, value)
    }

    fn text(&self) -> String {
        let mut text = String::new();
        match (self.path.form, &self.value) {
            (_, IndexValue::Text(value)) => text.push_str(value),
            (ValueForm::Number, IndexValue::Integer(value)) => text = number::text(values::unordered(*value)),
            (ValueForm::Boolean, IndexValue::Integer(value)) => {
                text.push_str(if *value == 0 { "false" } else { "true" });
            }
            (ValueForm::DateTime, IndexValue::Integer(value)) => time::push_signed(&mut text, *value),
            (_, IndexValue::Integer(_) | IndexValue::Json(_)) => self.value.push(&mut text),
        }
        text
    }
}

/// Returns an error if another resource has one of the values. `seq`: the number of the resource that gained them.
pub(crate) fn check<D: Database>(
    database: &D,
    indexed: i64,
    seq: Option<i64>,
    gained: &[UniqueValue<'_>],
    place: &dyn Fn(&str) -> Option<String>,
) -> Result<(), Failure> {
    for value in gained {
        let holders = value.holders(database, indexed, seq.unwrap_or(0))?;
        if holders.into_iter().any(|holder| Some(holder) != seq) {
            return Err(value.duplicate(place).into());
        }
    }
    Ok(())
}
