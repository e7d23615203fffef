//! Writes the `term` rows of a record: only the difference between the rows before and after a write.

use core::cmp::Ordering;

use crate::util::json;

use super::database::{Bind, Database, StoreError};
use super::entries::{Group, GroupValue, Index, LARGEST, LISTED, SMALLEST, has_doubles, push_listed};
use super::terms::{double, exact, push_exact};

/// A statement ends when its rows reach this size in bytes. A value adds at most the size of a body.
const CHUNK_BYTES: usize = 256 * 1024;
/// The maximum number of rows of `term` that one statement writes.
const CHUNK_ROWS: usize = 1_000;
/// A row of `term`, without its resource.
struct TermRow<'g> {
    code: u16,
    value: &'g GroupValue<'g>,
    /// Which ends of its field the value is: [`SMALLEST`], [`LARGEST`], both, or 0.
    edge: u8,
    /// Whether the field has so many values that those between the ends are written separately.
    many: bool,
}

/// Returns the rows of groups, in the order of the primary key.
fn rows<'g>(groups: &'g [Group<'g>]) -> impl Iterator<Item = TermRow<'g>> {
    groups.iter().flat_map(|group| {
        let last = group.values.len() - 1;
        group.values.iter().enumerate().map(move |(at, value)| {
            let smallest = if at == 0 { SMALLEST } else { 0 };
            let largest = if at == last { LARGEST } else { 0 };
            TermRow { code: group.code, value, edge: smallest | largest, many: last >= LISTED }
        })
    })
}

fn groups_of<'i, 'r>(index: Option<&'i Index<'r>>) -> &'i [Group<'r>] {
    index.map_or(&[], |index| &index.groups)
}

/// Changes a record's rows of `term` from those of `before` to those of `after`. Writes only the difference.
pub(crate) fn update<D: Database>(
    database: &D,
    seq: i64,
    before: Option<&Index<'_>>,
    after: Option<&Index<'_>>,
) -> Result<(), StoreError> {
    let (mut old, mut new) = (rows(groups_of(before)).peekable(), rows(groups_of(after)).peekable());
    let (mut gone, mut added) = (Rows::new(database, seq, &DELETE), Rows::new(database, seq, &INSERT));
    loop {
        let order = match (old.peek(), new.peek()) {
            (None, None) => break,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(one), Some(other)) => one.code.cmp(&other.code).then_with(|| one.value.order(other.value)),
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

/// The statements that write rows of `term`, by the form of the rows in JSON.
struct Statements {
    /// Rows `[path, value, edge]`. JSON represents the values exactly.
    plain: &'static str,
    /// Rows like those of `plain`, with values of [`push_exact`]. SQLite reads each row several times, which is slower.
    exact: &'static str,
    /// Values of one field, without its ends. Takes half the time of rows.
    values: &'static str,
    /// Values of one field of doubles, as [`super::terms::ordered`] integers, without its ends.
    doubles: &'static str,
}

const DELETE: Statements = Statements {
    plain: "DELETE FROM term WHERE (resource, path, value) IN \
            (SELECT ?, value ->> 0, value ->> 1 FROM json_each(?))",
    exact: concat!(
        "DELETE FROM term WHERE (resource, path, value) IN (SELECT ?, value ->> 0, ",
        exact!("(value ->> 1)", "json_type(value, '$[1]')"),
        " FROM json_each(?))"
    ),
    values: "DELETE FROM term WHERE resource = ? AND path = ? AND value IN (SELECT value FROM json_each(?))",
    doubles: concat!(
        "DELETE FROM term WHERE resource = ? AND path = ? AND value IN (SELECT ",
        double!("value"),
        " FROM json_each(?))"
    ),
};

/// Ends every statement that inserts rows: an existing value may have become an end, or no longer be one.
macro_rules! upsert {
    () => {
        " WHERE 1 ON CONFLICT(path, value, resource) DO UPDATE SET edge = excluded.edge"
    };
}

const INSERT: Statements = Statements {
    plain: concat!(
        "INSERT INTO term(resource, path, value, edge) \
         SELECT ?, value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)",
        upsert!()
    ),
    exact: concat!(
        "INSERT INTO term(resource, path, value, edge) SELECT ?, value ->> 0, ",
        exact!("(value ->> 1)", "json_type(value, '$[1]')"),
        ", value ->> 2 FROM json_each(?)",
        upsert!()
    ),
    values: concat!(
        "INSERT INTO term(resource, path, value, edge) SELECT ?, ?, value, 0 FROM json_each(?)",
        upsert!()
    ),
    doubles: concat!(
        "INSERT INTO term(resource, path, value, edge) SELECT ?, ?, ",
        double!("value"),
        ", 0 FROM json_each(?)",
        upsert!()
    ),
};

/// The rows of a record that wait to be written.
struct Rows<'d, D> {
    database: &'d D,
    seq: i64,
    statements: &'static Statements,
    /// Rows of any field.
    mixed: Chunk,
    /// Whether `plain` writes all of them.
    plain: bool,
    /// Values of the field `code`.
    values: Chunk,
    code: u16,
}

impl<'d, D: Database> Rows<'d, D> {
    fn new(database: &'d D, seq: i64, statements: &'static Statements) -> Self {
        let (mixed, values) = (Chunk::default(), Chunk::default());
        Self { database, seq, statements, mixed, plain: true, values, code: 0 }
    }

    fn push(&mut self, entry: &TermRow<'_>) -> Result<(), StoreError> {
        if entry.many && entry.edge == 0 { self.push_value(entry) } else { self.push_row(entry) }
    }

    fn push_row(&mut self, entry: &TermRow<'_>) -> Result<(), StoreError> {
        if self.mixed.is_full() {
            self.flush_rows()?;
        }
        self.plain &= entry.value.is_plain();
        let out = self.mixed.next();
        out.push('[');
        json::integer(out, i64::from(entry.code));
        out.push(',');
        push_exact(out, entry.value.value());
        out.push(',');
        json::integer(out, i64::from(entry.edge));
        out.push(']');
        Ok(())
    }

    fn push_value(&mut self, entry: &TermRow<'_>) -> Result<(), StoreError> {
        if self.values.is_full() || self.code != entry.code {
            self.flush_values()?;
            self.code = entry.code;
        }
        push_listed(self.values.next(), has_doubles(entry.code), entry.value);
        Ok(())
    }

    fn flush(mut self) -> Result<(), StoreError> {
        self.flush_rows()?;
        self.flush_values()
    }

    fn flush_rows(&mut self) -> Result<(), StoreError> {
        let Some(rows) = self.mixed.take() else { return Ok(()) };
        let plain = core::mem::replace(&mut self.plain, true);
        let sql = if plain { self.statements.plain } else { self.statements.exact };
        self.database.execute(sql, &[Bind::Integer(self.seq), Bind::Text(&rows)])
    }

    fn flush_values(&mut self) -> Result<(), StoreError> {
        let Some(values) = self.values.take() else { return Ok(()) };
        let sql = if has_doubles(self.code) { self.statements.doubles } else { self.statements.values };
        let code = Bind::Integer(i64::from(self.code));
        self.database.execute(sql, &[Bind::Integer(self.seq), code, Bind::Text(&values)])
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

    /// Begins an item.
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
