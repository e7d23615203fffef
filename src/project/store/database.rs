//! The synchronous SQL database of a project: SQLite in the Durable Object, and native SQLite in tests.

use std::cell::Cell;

use crate::call::Cost;
use crate::util::time::Millis;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bind<'a> {
    Null,
    Integer(i64),
    Text(&'a str),
    Blob(&'a [u8]),
}

/// Numbers are integers below 2^53.
macro_rules! bind_from {
    ($($from:ty => |$value:ident| $bind:expr;)*) => {$(
        impl<'a> From<$from> for Bind<'a> {
            fn from($value: $from) -> Self {
                $bind
            }
        }
    )*};
}

bind_from! {
    i64 => |value| Self::Integer(value);
    u64 => |value| Self::Integer(value as i64);
    usize => |value| Self::Integer(value as i64);
    u32 => |value| Self::Integer(value.into());
    u16 => |value| Self::Integer(value.into());
    &'a str => |value| Self::Text(value);
    &'a String => |value| Self::Text(value);
    &'a [u8] => |value| Self::Blob(value);
}

impl<'a, T: Into<Bind<'a>>> From<Option<T>> for Bind<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// Returns an array of values as [`Bind`]s.
macro_rules! binds {
    ($($value:expr),* $(,)?) => { [$($crate::project::store::database::Bind::from($value)),*] };
}
pub(crate) use binds;

/// A row of a result. A column that is missing or has another type is `None`.
pub trait Row {
    /// Returns the column as an integer within ±2^53.
    fn integer(&self, column: usize) -> Option<i64>;
    /// Returns the column as an integer from 0 to 2^53: a count or a time.
    fn unsigned(&self, column: usize) -> Option<u64> {
        self.integer(column)?.try_into().ok()
    }
    /// Returns the column as a number of bytes.
    fn size(&self, column: usize) -> Option<usize> {
        self.integer(column)?.try_into().ok()
    }
    fn real(&self, column: usize) -> Option<f64>;
    fn text(&self, column: usize) -> Option<String>;
    fn blob(&self, column: usize) -> Option<Vec<u8>>;
}

/// A fault of the database or of its contents: logged and returned as 500, never sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreError {
    pub reason: String,
    pub kind: StoreErrorKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreErrorKind {
    Fault,
    /// SQLite rejects the statement for its length, its depth, its number of steps, or the length of its values. The
    /// limits of the contract should prevent that.
    TooLarge,
}

impl StoreError {
    pub fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), kind: StoreErrorKind::Fault }
    }

    /// Creates the fault that SQLite reports. The platform reports it only as a text.
    pub fn of_sqlite(reason: String) -> Self {
        let is_too_large = [
            "statement too long",
            "Expression tree is too large",
            "out of memory",
            "parser stack overflow",
            "too big",
            "TOOBIG",
        ]
        .iter()
        .any(|text| reason.contains(text));
        Self { reason, kind: if is_too_large { StoreErrorKind::TooLarge } else { StoreErrorKind::Fault } }
    }
}

pub type Result<T, E = StoreError> = core::result::Result<T, E>;

/// Returns the value of a cell, which is read once.
pub(crate) fn cached<T: Copy>(cell: &Cell<Option<T>>, read: impl FnOnce() -> Result<T>) -> Result<T> {
    if let Some(known) = cell.get() {
        return Ok(known);
    }
    let value = read()?;
    cell.set(Some(value));
    Ok(value)
}

/// Returns the fault of a row that does not have the columns of its statement, with the beginning of the statement.
pub fn unexpected(sql: &str) -> StoreError {
    StoreError::new(format!("unexpected row of: {}", sql.get(..200).unwrap_or(sql)))
}

/// The result of a function for a first row, with a text that stays on the database's side.
pub type FirstText<D, T> = Result<Option<(T, Option<<D as Database>::Text>)>>;

/// A database with transactions and one alarm.
pub trait Database: Sized {
    /// A text of the host: if the database is not in this memory, the text stays on its side.
    type Text;

    fn text_of(&self, text: String) -> Self::Text;

    fn append(&self, text: Self::Text, tail: &str) -> Self::Text;

    /// Returns the function's result for the statement's first row, with the text of a column that stays on the
    /// database's side. The text is `None` if the column is NULL.
    fn first_text<T>(
        &self,
        sql: &str,
        binds: &[Bind<'_>],
        column: usize,
        read: impl Fn(&dyn Row) -> Option<T>,
    ) -> FirstText<Self, T>;

    /// Runs one statement and calls the function with each row. The function can stop it with an error. All rows may be
    /// in memory at once, so a caller that reads large rows must limit their number.
    fn query(
        &self,
        sql: &str,
        binds: &[Bind<'_>],
        each: &mut dyn FnMut(&dyn Row) -> Result<()>,
    ) -> Result<()>;

    /// Runs the function in a transaction: commits on `Ok`, rolls back on `Err`.
    fn transaction<T, E: From<StoreError>>(&self, run: impl FnOnce() -> Result<T, E>) -> Result<T, E>;

    /// Schedules the alarm for `at`, unless an earlier alarm is set. Rolls back with the transaction.
    fn arm(&self, at: Millis) -> Result<()>;

    /// Clears the alarm, because it has rung.
    fn alarm_rang(&self);

    fn bytes(&self) -> Result<u64>;

    /// Returns what all statements so far have cost, as far as the database counts it.
    fn cost(&self) -> Cost;

    /// Runs one statement that returns no rows.
    fn execute(&self, sql: &str, binds: &[Bind<'_>]) -> Result<()> {
        self.query(sql, binds, &mut |_| Ok(()))
    }

    /// Returns whether the statement returns a row. Its first column is an integer.
    fn has_row(&self, sql: &str, binds: &[Bind<'_>]) -> Result<bool> {
        Ok(self.first(sql, binds, |row| row.integer(0))?.is_some())
    }

    /// Returns the function's result for each row.
    fn rows<T>(&self, sql: &str, binds: &[Bind<'_>], read: impl Fn(&dyn Row) -> Option<T>) -> Result<Vec<T>> {
        let mut rows = Vec::new();
        self.query(sql, binds, &mut |row| {
            rows.push(read(row).ok_or_else(|| unexpected(sql))?);
            Ok(())
        })?;
        Ok(rows)
    }

    /// Returns the function's result for the statement's first row; `None` if there is no row.
    fn first<T>(
        &self,
        sql: &str,
        binds: &[Bind<'_>],
        read: impl Fn(&dyn Row) -> Option<T>,
    ) -> Result<Option<T>> {
        Ok(self.first_text(sql, binds, 0, read)?.map(|(row, _)| row))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    #[test]
    fn a_statement_that_sqlite_rejects_for_its_size_is_recognized() {
        for text in [
            "statement too long",
            "statement too long: SQLITE_TOOBIG: SELECT",
            "out of memory: SQLITE_NOMEM: SELECT",
            "Expression tree is too large (maximum depth 100): SQLITE_ERROR: SELECT",
            "string or blob too big: SQLITE_TOOBIG: SELECT",
        ] {
            assert_eq!(StoreError::of_sqlite(text.to_owned()).kind, StoreErrorKind::TooLarge, "{text}");
        }
        for text in ["disk I/O error", "unexpected row of: a query", "integer overflow: SQLITE_ERROR"] {
            assert_eq!(StoreError::of_sqlite(text.to_owned()).kind, StoreErrorKind::Fault, "{text}");
        }
    }
}
