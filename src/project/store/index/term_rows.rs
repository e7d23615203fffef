//! Writes the `term` rows of records: the difference between those before and after.

use core::cmp::Ordering;

use crate::util::json;

use super::entries::{Group, Index, IndexChange, LISTED};
use super::values::{self, IndexValue};
use crate::project::store::database::{Database, Result, binds};

/// `term.edge` of the smallest value that a resource has of the field.
pub(crate) const SMALLEST: u8 = 1;
/// `term.edge` of the largest value.
pub(crate) const LARGEST: u8 = 2;

/// A statement ends when its rows reach this size in bytes. A value adds at most the size of a body.
const CHUNK_BYTES: usize = 256 * 1024;
/// The maximum number of rows of `term` that one statement writes.
const CHUNK_ROWS: usize = 1_000;

struct TermRow<'g> {
    code: u16,
    value: &'g IndexValue<'g>,
    /// The record.
    seq: i64,
    /// Which ends of its field the value is: [`SMALLEST`], [`LARGEST`], both, or 0.
    edge: u8,
    /// Whether the field has so many values that those between the ends are written separately.
    many: bool,
}

/// Returns the rows of a record's groups, first those of short values, each in the order of its code and value.
fn rows<'i>(seq: i64, index: Option<&'i Index<'_>>) -> Vec<TermRow<'i>> {
    let (mut rows, mut long) = (Vec::new(), Vec::new());
    let groups = index.map_or(&[][..], |index| &index.groups);
    for Group { code, values, .. } in groups.iter().filter(|group| group.is_in_term) {
        let last = values.len() - 1;
        for (at, value) in values.iter().enumerate() {
            let smallest = if at == 0 { SMALLEST } else { 0 };
            let largest = if at == last { LARGEST } else { 0 };
            let row = TermRow { code: *code, value, seq, edge: smallest | largest, many: last >= LISTED };
            if value.is_long() {
                long.push(TermRow { code: values::long(*code), ..row });
            } else {
                rows.push(row);
            }
        }
    }
    rows.append(&mut long);
    rows
}

/// Changes the rows of records.
pub(super) fn write<D: Database>(database: &D, changes: &[IndexChange<'_, '_>]) -> Result<()> {
    let mut difference = Difference::default();
    for (seq, before, after) in changes {
        difference.add(*seq, *before, *after);
    }
    if let Difference { gone, added, changed } = &difference
        && let ([one], [other], []) = (&**gone, &**added, &**changed)
        && (one.seq, one.code) == (other.seq, other.code)
    {
        let [mut old, mut new] = [String::new(), String::new()];
        one.value.key().push(&mut old);
        other.value.key().push(&mut new);
        return database.execute(MOVE, &binds![&new, u16::from(other.edge), other.code, &old, other.seq]);
    }
    difference.write(database)
}

/// The rows to remove, to insert, and to change.
#[derive(Default)]
struct Difference<'g> {
    gone: Vec<TermRow<'g>>,
    added: Vec<TermRow<'g>>,
    changed: Vec<TermRow<'g>>,
}

impl<'g> Difference<'g> {
    /// Adds the difference between the rows of a record before and after.
    fn add(&mut self, seq: i64, before: Option<&'g Index<'_>>, after: Option<&'g Index<'_>>) {
        let (mut old, mut new) =
            (rows(seq, before).into_iter().peekable(), rows(seq, after).into_iter().peekable());
        loop {
            let order = match (old.peek(), new.peek()) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(one), Some(other)) => (one.code, one.value).cmp(&(other.code, other.value)),
            };
            match order {
                Ordering::Less => self.gone.extend(old.next()),
                Ordering::Greater => self.added.extend(new.next()),
                Ordering::Equal => {
                    let edge = old.next().map(|row| row.edge);
                    let changed = new.next().filter(|row| Some(row.edge) != edge);
                    self.changed.extend(changed.map(|row| TermRow { many: false, ..row }));
                }
            }
        }
    }

    fn write<D: Database>(mut self, database: &D) -> Result<()> {
        DELETE.run(database, self.gone, "")?;
        let conflict = if self.changed.is_empty() { "" } else { CHANGE };
        self.added.append(&mut self.changed);
        INSERT.run(database, self.added, conflict)
    }
}

/// Moves the row of a field to another value. Most updates change one value.
const MOVE: &str =
    "UPDATE term SET value = ? ->> '$', edge = ? WHERE path = ? AND value = ? ->> '$' AND resource = ?";

struct Statements {
    /// For objects of the rows of a field with the same edge: the value of each by its record. The member's name is the
    /// field's number times four, plus the edge. SQLite would read an array for each row once for each item.
    rows: &'static str,
    /// For values of one field of a record, without its ends. Takes half the time.
    values: &'static str,
}

const DELETE: Statements = Statements {
    rows: "DELETE FROM term WHERE (path, value, resource) IN (SELECT f.key >> 2, r.value, r.key + 0 \
           FROM json_each(?) f, json_each(f.value) r)",
    values: "DELETE FROM term WHERE resource = ? AND path = ? AND value IN (SELECT value FROM json_each(?))",
};

/// `OR FAIL`: an error rolls back the transaction. Without it, SQLite would copy each page that a statement changes, so
/// that it can undo only the statement.
const INSERT: Statements = Statements {
    rows: "INSERT OR FAIL INTO term(path, value, resource, edge) SELECT f.key >> 2, r.value, r.key + 0, f.key & 3 \
           FROM json_each(?) f, json_each(f.value) r WHERE 1",
    values: "INSERT OR FAIL INTO term(resource, path, value, edge) SELECT ?, ?, value, 0 FROM json_each(?)",
};

/// What [`INSERT`] does if an existing value has become an end, or no longer is one.
const CHANGE: &str = " ON CONFLICT(path, value, resource) DO UPDATE SET edge = excluded.edge";

impl Statements {
    fn run<D: Database>(&self, database: &D, rows: Vec<TermRow<'_>>, conflict: &str) -> Result<()> {
        let (mut values, mut mixed): (Vec<_>, Vec<_>) =
            rows.into_iter().partition(|row| row.many && row.edge == 0);
        // In the order of the table, neighbors are on one page.
        mixed.sort_unstable_by_key(|row| (row.code, row.edge, row.value, row.seq));
        let sql = [self.rows, conflict].concat();
        write_parts(&mixed, "{", push_row, "}}", &|rows| database.execute(&sql, &binds![rows]))?;
        // A part of the table for all records, then the next one: a part fits SQLite's cache, so that no page is
        // written once for each record.
        values.sort_by(|one, other| (one.code, one.value).cmp(&(other.code, other.value)));
        values.chunks_mut(CHUNK_ROWS).for_each(|part| part.sort_by_key(|row| (row.code, row.seq)));
        values.chunk_by(|one, other| (one.seq, one.code) == (other.seq, other.code)).try_for_each(|values| {
            let (seq, code) = values.first().map_or((0, 0), |row| (row.seq, row.code));
            let execute = |values: &str| database.execute(self.values, &binds![seq, code, values]);
            write_parts(values, "[", push_value, "]", &execute)
        })
    }
}

fn push_row(out: &mut String, before: Option<&TermRow<'_>>, row: &TermRow<'_>) {
    match before {
        Some(before) if (before.code, before.edge) == (row.code, row.edge) => out.push(','),
        _ => {
            out.push_str(if before.is_some() { "},\"" } else { "\"" });
            json::integer(out, i64::from(row.code) * 4 + i64::from(row.edge));
            out.push_str("\":{");
        }
    }
    out.push('"');
    json::integer(out, row.seq);
    out.push_str("\":");
    row.value.key().push(out);
}

fn push_value(out: &mut String, before: Option<&TermRow<'_>>, row: &TermRow<'_>) {
    if before.is_some() {
        out.push(',');
    }
    row.value.key().push(out);
}

/// Calls `execute` with JSON texts of bounded size, which together have all rows.
pub(super) fn write_parts<T>(
    rows: &[T],
    open: &str,
    push: impl Fn(&mut String, Option<&T>, &T),
    close: &str,
    execute: &dyn Fn(&str) -> Result<()>,
) -> Result<()> {
    let mut rows = rows.iter().peekable();
    while rows.peek().is_some() {
        let (mut out, mut before) = (open.to_owned(), None);
        for row in rows.by_ref().take(CHUNK_ROWS) {
            push(&mut out, before, row);
            before = Some(row);
            if out.len() >= CHUNK_BYTES {
                break;
            }
        }
        out.push_str(close);
        execute(&out)?;
    }
    Ok(())
}
