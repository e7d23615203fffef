//! Writes the `term` rows of a record: only the difference between the rows before and after a write.

use core::cmp::Ordering;

use crate::util::json;

use super::entries::{Group, Index, LISTED};
use super::values::IndexValue;
use crate::project::store::database::{Bind, Database, Result};

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
    /// Which ends of its field the value is: [`SMALLEST`], [`LARGEST`], both, or 0.
    edge: u8,
    /// Whether the field has so many values that those between the ends are written separately.
    many: bool,
}

/// Returns the rows of groups, in the order of the primary key.
fn rows<'i>(index: Option<&'i Index<'_>>) -> impl Iterator<Item = TermRow<'i>> {
    let groups = index.into_iter().flat_map(|index| &index.groups);
    groups.flat_map(|Group { code, values }| {
        let last = values.len() - 1;
        values.iter().enumerate().map(move |(at, value)| {
            let smallest = if at == 0 { SMALLEST } else { 0 };
            let largest = if at == last { LARGEST } else { 0 };
            TermRow { code: *code, value, edge: smallest | largest, many: last >= LISTED }
        })
    })
}

pub(super) fn update<D: Database>(
    database: &D,
    seq: i64,
    before: Option<&Index<'_>>,
    after: Option<&Index<'_>>,
) -> Result<()> {
    let (mut old, mut new) = (rows(before).peekable(), rows(after).peekable());
    let (mut gone, mut added) = (Rows::new(database, seq, &DELETE), Rows::new(database, seq, &INSERT));
    loop {
        let order = match (old.peek(), new.peek()) {
            (None, None) => break,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(one), Some(other)) => (one.code, one.value).cmp(&(other.code, other.value)),
        };
        match order {
            Ordering::Less => old.next().map(|row| gone.push(&row)).transpose()?,
            Ordering::Greater => new.next().map(|row| added.push(&row)).transpose()?,
            Ordering::Equal => match (old.next(), new.next()) {
                (Some(one), Some(other)) if one.edge != other.edge => Some(added.push(&other)?),
                _ => None,
            },
        };
    }
    gone.flush()?;
    added.flush()
}

struct Statements {
    /// For rows `[path, value, edge]`.
    rows: &'static str,
    /// For values of one field, without its ends. Takes half the time.
    values: &'static str,
}

const DELETE: Statements = Statements {
    rows: "DELETE FROM term WHERE (resource, path, value) IN \
           (SELECT ?, value ->> 0, value ->> 1 FROM json_each(?))",
    values: "DELETE FROM term WHERE resource = ? AND path = ? AND value IN (SELECT value FROM json_each(?))",
};

/// An existing value may have become an end, or no longer be one.
const INSERT: Statements = Statements {
    rows: "INSERT INTO term(resource, path, value, edge) \
           SELECT ?, value ->> 0, value ->> 1, value ->> 2 FROM json_each(?) WHERE 1 \
           ON CONFLICT(path, value, resource) DO UPDATE SET edge = excluded.edge",
    values: "INSERT INTO term(resource, path, value, edge) SELECT ?, ?, value, 0 FROM json_each(?) WHERE 1 \
             ON CONFLICT(path, value, resource) DO UPDATE SET edge = excluded.edge",
};

struct Rows<'d, D> {
    database: &'d D,
    seq: i64,
    statements: &'static Statements,
    mixed: Chunk,
    /// Values of the field `code`.
    values: Chunk,
    code: u16,
}

impl<'d, D: Database> Rows<'d, D> {
    fn new(database: &'d D, seq: i64, statements: &'static Statements) -> Self {
        Self { database, seq, statements, mixed: Chunk::default(), values: Chunk::default(), code: 0 }
    }

    fn push(&mut self, row: &TermRow<'_>) -> Result<()> {
        if row.many && row.edge == 0 {
            if self.values.is_full() || self.code != row.code {
                self.flush_values()?;
                self.code = row.code;
            }
            row.value.push(self.values.next());
            return Ok(());
        }
        if self.mixed.is_full() {
            self.flush_rows()?;
        }
        let out = self.mixed.next();
        out.push('[');
        json::integer(out, i64::from(row.code));
        out.push(',');
        row.value.push(out);
        out.push(',');
        json::integer(out, i64::from(row.edge));
        out.push(']');
        Ok(())
    }

    fn flush(mut self) -> Result<()> {
        self.flush_rows()?;
        self.flush_values()
    }

    fn flush_rows(&mut self) -> Result<()> {
        let Some(rows) = self.mixed.take() else { return Ok(()) };
        self.database.execute(self.statements.rows, &[Bind::Integer(self.seq), Bind::Text(&rows)])
    }

    fn flush_values(&mut self) -> Result<()> {
        let Some(values) = self.values.take() else { return Ok(()) };
        let code = Bind::Integer(i64::from(self.code));
        self.database.execute(self.statements.values, &[Bind::Integer(self.seq), code, Bind::Text(&values)])
    }
}

/// A JSON array of bounded size.
#[derive(Default)]
struct Chunk {
    items: String,
    count: usize,
}

impl Chunk {
    fn is_full(&self) -> bool {
        self.count >= CHUNK_ROWS || self.items.len() >= CHUNK_BYTES
    }

    fn next(&mut self) -> &mut String {
        self.items.push(if self.count == 0 { '[' } else { ',' });
        self.count += 1;
        &mut self.items
    }

    /// Ends the array; `None` if it has no item.
    fn take(&mut self) -> Option<String> {
        let Self { mut items, count } = core::mem::take(self);
        items.push(']');
        (count > 0).then_some(items)
    }
}
