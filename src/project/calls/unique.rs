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
use crate::project::store::records::Stored;

/// Returns an error if a write gives a resource a unique value that another one has. The resource keeps those that it
/// had before: an earlier shape or an import may have allowed them (D41). `place`: the JSON Pointer of a field of the
/// content in the body.
pub(crate) fn check<D: Database>(
    project: &Project<D>,
    fields: &Fields,
    before: Option<&Stored>,
    after: &str,
    place: &dyn Fn(&str) -> Option<String>,
) -> Result<(), Failure> {
    if fields.unique().is_empty() {
        return Ok(());
    }
    let old = before.map(|before| Index::of(&fields.newest, &before.body));
    let new = Index::of(&fields.newest, after);
    for path in fields.unique() {
        let old = old.as_ref().map_or(&[][..], |index| index.values(path.number));
        for value in new.values(path.number).iter().filter(|value| !old.contains(value)) {
            if has_other(project, fields, path, value, before.map_or(0, |before| before.seq))? {
                return Err(duplicate(path, value, place).into());
            }
        }
    }
    Ok(())
}

/// Returns whether another resource than the one of this number has the value: one that the index has, or one that
/// waits for it, or that it has by an earlier generation.
fn has_other<D: Database>(
    project: &Project<D>,
    fields: &Fields,
    path: &FieldPath,
    value: &IndexValue<'_>,
    seq: i64,
) -> Result<bool, Failure> {
    let mut values = "[".to_owned();
    value.push(&mut values);
    values.push(',');
    value.key().push(&mut values);
    values.push(']');
    let number = path.number;
    let code = if value.is_long() { values::long(number) } else { number };
    let (database, index) = (&project.database, &project.index);
    let mut is_found = database.has_row(
        "SELECT seq FROM (SELECT resource AS seq FROM term WHERE path = ?1 AND value = (?2 ->> 1) \
         UNION ALL SELECT r.seq FROM resource r WHERE r.seq > ?3 \
         AND EXISTS(SELECT 1 FROM json_each(r.entries, ?4) e WHERE e.value = (?2 ->> 0))) WHERE seq <> ?5 LIMIT 1",
        &binds![code, &values, index.indexed(), &format!("$.{number}"), seq],
    )?;
    if !is_found && index.is_renewing() && fields.is_stale(path) {
        let is_read = index.each_earlier(fields, database, &mut |other, body| {
            is_found |= other != seq && Index::of(&fields.newest, body).values(number).contains(value);
        })?;
        if !is_found && !is_read {
            return Err(renewing(&[path.name()]).into());
        }
    }
    Ok(is_found)
}

fn duplicate(path: &FieldPath, value: &IndexValue<'_>, place: &dyn Fn(&str) -> Option<String>) -> ApiError {
    let (name, value) = (path.name(), text(path, value));
    let value = quoted(&value);
    let outer = place(path.outer()).unwrap_or_else(|| ["/", path.outer()].concat());
    let inner = path.inner().map_or_else(String::new, |inner| ["/", &inner.replace('.', "/")].concat());
    taken(name, value, [outer, inner].concat())
}

/// Returns the error of a value that another resource has. `path`: its place in the body.
pub(crate) fn taken(name: &str, value: &str, path: String) -> ApiError {
    ApiError::new(Code::DuplicateField, format!("A duplicate value '{value}' exists for field '{name}'."))
        .with(Member::Path, path)
        .with(Member::Field, name)
        .with(Member::DuplicateValue, value)
}

fn text(path: &FieldPath, value: &IndexValue<'_>) -> String {
    let mut text = String::new();
    match (path.form, value) {
        (_, IndexValue::Text(value)) => text.push_str(value),
        (ValueForm::Number, IndexValue::Integer(value)) => text = number::text(values::unordered(*value)),
        (ValueForm::Boolean, IndexValue::Integer(value)) => {
            text.push_str(if *value == 0 { "false" } else { "true" });
        }
        (ValueForm::DateTime, IndexValue::Integer(value)) => time::push_signed(&mut text, *value),
        (_, IndexValue::Integer(_) | IndexValue::Json(_)) => value.push(&mut text),
    }
    text
}
