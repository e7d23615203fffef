//! Values that no two resources of a project have (D40).

use crate::contract::error::{ApiError, Code, Member, quoted};
use crate::shape::{FieldPath, ValueForm};
use crate::util::{number, time};

use crate::project::Project;
use crate::project::failure::{Failure, renewing};
use crate::project::store::database::{Database, binds};
use crate::project::store::fields::Fields;
use crate::project::store::index::entries::Index;
use crate::project::store::index::values::{self, IndexValue};
use crate::project::store::indexer::Indexer;

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
    let old = before.map(|before| Index::of(&fields.newest, before));
    let new = Index::of(&fields.newest, after);
    let mut gained = Vec::new();
    for path in fields.unique() {
        let old = old.as_ref().map_or(&[][..], |index| index.values(path.number));
        let values = new.values(path.number).iter().filter(|value| !old.contains(value));
        gained.extend(values.map(|value| UniqueValue { path, value: value.clone().into_owned() }));
    }
    gained
}

impl UniqueValue<'_> {
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

/// What finds the resources with a value.
pub(crate) struct Holders<'h, D> {
    database: &'h D,
    index: &'h Indexer,
    fields: &'h Fields,
}

impl<'h, D: Database> Holders<'h, D> {
    pub(crate) fn of(project: &'h Project<D>, fields: &'h Fields) -> Self {
        Self { database: &project.database, index: &project.index, fields }
    }

    /// Returns the numbers of resources that have the value, first the given one: those that the index has, and those
    /// that wait for it, or that it has by an earlier generation.
    pub(crate) fn find(&self, unique: &UniqueValue<'_>, first: i64) -> Result<Vec<i64>, Failure> {
        let UniqueValue { path, value } = unique;
        let mut values = "[".to_owned();
        value.push(&mut values);
        values.push(',');
        value.key().push(&mut values);
        values.push(']');
        let number = path.number;
        let code = if value.is_long() { values::long(number) } else { number };
        let place = format!("$.{number}");
        let mut found = self.database.rows(
            "SELECT seq FROM (SELECT resource AS seq FROM term WHERE path = ?1 AND value = (?2 ->> 1) \
             UNION ALL SELECT r.seq FROM resource r WHERE r.seq > ?3 \
             AND EXISTS(SELECT 1 FROM json_each(r.entries, ?4) e WHERE e.value = (?2 ->> 0))) \
             ORDER BY seq <> ?5 LIMIT ?6",
            &binds![code, &values, self.index.indexed(), &place, first, HOLDERS],
            |row| row.integer(0),
        )?;
        if self.index.is_renewing() && self.fields.is_stale(path) {
            let is_read = self.index.each_earlier(self.fields, self.database, &mut |seq, body| {
                if Index::of(&self.fields.newest, body).values(number).contains(value) {
                    found.push(seq);
                }
            })?;
            if !is_read {
                return Err(renewing(&[path.name()]).into());
            }
        }
        Ok(found)
    }
}

/// Returns an error if another resource has one of the values. `seq`: the number of the resource that gained them.
pub(crate) fn check<D: Database>(
    holders: &Holders<'_, D>,
    seq: Option<i64>,
    gained: &[UniqueValue<'_>],
    place: &dyn Fn(&str) -> Option<String>,
) -> Result<(), Failure> {
    for value in gained {
        let found = holders.find(value, seq.unwrap_or(0))?;
        if found.into_iter().any(|holder| Some(holder) != seq) {
            return Err(value.duplicate(place).into());
        }
    }
    Ok(())
}
