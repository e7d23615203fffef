//! The synchronous SQL database that a project stands on: SQLite in the Durable Object, and SQLite itself in tests.

use crate::contract::time::Millis;

/// A value bound to a statement.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs, reason = "SQLite's own types")]
pub enum Bind<'a> {
    Null,
    Integer(i64),
    Real(f64),
    Text(&'a str),
    Blob(&'a [u8]),
}

/// A row of a result; a column of another type, or none, is `None`.
pub trait Row {
    /// The column as an integer within ±2^53.
    fn integer(&self, column: usize) -> Option<i64>;
    /// The column as a double.
    fn real(&self, column: usize) -> Option<f64>;
    /// The column as text.
    fn text(&self, column: usize) -> Option<String>;
    /// The column as bytes.
    fn blob(&self, column: usize) -> Option<Vec<u8>>;
}

/// A fault of the database or of what is stored in it: logged, answered with 500, never sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreError(pub String);

impl core::fmt::Display for StoreError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "store: {}", self.0)
    }
}

impl std::error::Error for StoreError {}

/// The fault of a row that is not what its statement should give.
#[must_use]
pub fn unexpected(sql: &str) -> StoreError {
    StoreError(format!("unexpected row of: {sql}"))
}

/// What a function makes of a first row, with a text that passes through.
pub type FirstText<D, T> = Result<Option<(T, Option<<D as Database>::Text>)>, StoreError>;

/// A database with transactions and one alarm.
pub trait Database {
    /// A text that passes through: where the database is not in this memory, it stays on the other side.
    type Text;

    /// A text of this memory as one that passes through.
    fn text_of(&self, text: String) -> Self::Text;

    /// The text with more behind it.
    fn append(&self, text: Self::Text, tail: &str) -> Self::Text;

    /// What the function makes of the statement's first row, with the text of a column that passes through; the text is
    /// `None` if the column is NULL.
    fn first_text<T>(
        &self,
        sql: &str,
        binds: &[Bind<'_>],
        column: usize,
        read: impl Fn(&dyn Row) -> Option<T>,
    ) -> FirstText<Self, T>
    where
        Self: Sized;

    /// Runs one statement and hands each row to the function, which may stop it with an error. All rows may be in memory
    /// at once, so whoever asks for large ones sees to it that they are few.
    fn query(
        &self,
        sql: &str,
        binds: &[Bind<'_>],
        each: &mut dyn FnMut(&dyn Row) -> Result<(), StoreError>,
    ) -> Result<(), StoreError>;

    /// Runs the function inside a transaction: committed when it returns `Ok`, rolled back when it returns `Err`.
    fn transaction<T>(&self, run: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError>;

    /// Sees to it that the alarm rings at that instant or earlier; it is rolled back with its transaction.
    fn arm(&self, at: Millis) -> Result<(), StoreError>;

    /// How many bytes the database has.
    fn bytes(&self) -> Result<u64, StoreError>;

    /// How many rows all statements so far have read, those of indexes too where the database counts them.
    fn rows_read(&self) -> u64;

    /// Runs one statement that returns no rows.
    fn execute(&self, sql: &str, binds: &[Bind<'_>]) -> Result<(), StoreError> {
        self.query(sql, binds, &mut |_| Ok(()))
    }

    /// What the function makes of the statement's first row; `None` without a row.
    fn first<T>(
        &self,
        sql: &str,
        binds: &[Bind<'_>],
        read: impl Fn(&dyn Row) -> Option<T>,
    ) -> Result<Option<T>, StoreError> {
        let mut found = None;
        self.query(sql, binds, &mut |row| {
            if found.is_none() {
                found = Some(read(row).ok_or_else(|| unexpected(sql))?);
            }
            Ok(())
        })?;
        Ok(found)
    }
}
