//! Native SQLite as the `Database` of a project.

use std::cell::Cell;

use resource_edge::call::Cost;
use resource_edge::project::store::database::{self, Bind, Database, FirstText, Row, StoreError};
use resource_edge::util::time::Millis;
use rusqlite::backup::Backup;
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, StatementStatus, ToSql};

/// Every limit that workerd sets (`src/workerd/util/sqlite.c++`, `setupSecurity`), with the platform's values, so that
/// a statement that would fail there also fails here. Newer versions of workerd accept values of 4 MiB; the older limit
/// remains here.
const LIMITS: [(Limit, i32); 12] = [
    (Limit::SQLITE_LIMIT_LENGTH, 2_200_000),
    (Limit::SQLITE_LIMIT_SQL_LENGTH, 100_000),
    (Limit::SQLITE_LIMIT_COLUMN, 100),
    (Limit::SQLITE_LIMIT_EXPR_DEPTH, 100),
    (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 5),
    (Limit::SQLITE_LIMIT_VDBE_OP, 25_000),
    (Limit::SQLITE_LIMIT_FUNCTION_ARG, 127),
    (Limit::SQLITE_LIMIT_ATTACHED, 0),
    (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 50),
    (Limit::SQLITE_LIMIT_VARIABLE_NUMBER, 100),
    (Limit::SQLITE_LIMIT_TRIGGER_DEPTH, 10),
    (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
];

/// A project's database in memory, with an alarm that only records its time.
pub struct Sqlite {
    pub connection: Connection,
    pub alarm: Cell<Option<Millis>>,
    pub cost: Cell<Cost>,
    /// The steps of its statements, which grow with the rows that they read.
    pub steps: Cell<i32>,
}

impl Sqlite {
    fn count(&self, statements: u64, rows: u64) {
        let mut cost = self.cost.get();
        cost.statements += statements;
        cost.rows_read += rows;
        self.cost.set(cost);
    }

    pub fn new() -> Self {
        Self::with(Connection::open_in_memory().expect("an in-memory database"))
    }

    /// Returns a copy of the contents, without an alarm.
    #[allow(dead_code, reason = "some benchmarks need none")]
    pub fn copy(&self) -> Self {
        let mut connection = Connection::open_in_memory().expect("an in-memory database");
        let backup = Backup::new(&self.connection, &mut connection).expect("a backup");
        backup.step(-1).expect("all pages");
        drop(backup);
        Self::with(connection)
    }

    /// Returns the rows of a statement, each column as text.
    #[allow(dead_code, reason = "some benchmarks need none")]
    pub fn rows(&self, sql: &str) -> Vec<String> {
        let mut statement = self.connection.prepare_cached(sql).expect("a statement");
        let width = statement.column_count();
        let rows = statement.query_map([], |row| {
            let columns = (0..width).map(|at| row.get::<_, Value>(at));
            columns.collect::<Result<Vec<_>, _>>().map(|columns| format!("{columns:?}"))
        });
        rows.expect("rows").map(|row| row.expect("a row")).collect()
    }

    /// Applies the limits to a connection.
    pub fn with(connection: Connection) -> Self {
        for (limit, value) in LIMITS {
            connection.set_limit(limit, value).expect("a limit that SQLite knows");
        }
        let defensive = connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true);
        assert_eq!(defensive, Ok(true), "a switch that SQLite knows");
        Self { connection, alarm: Cell::new(None), cost: Cell::default(), steps: Cell::default() }
    }
}

/// The part of `Database` for a database in this memory: a passed text is an ordinary text.
macro_rules! texts_in_memory {
    () => {
        type Text = String;

        fn text_of(&self, text: String) -> String {
            text
        }

        fn append(&self, text: String, tail: &str) -> String {
            text + tail
        }

        fn first_text<T>(
            &self,
            sql: &str,
            binds: &[Bind<'_>],
            column: usize,
            read: impl Fn(&dyn Row) -> Option<T>,
        ) -> FirstText<Self, T> {
            let mut found = None;
            self.query(sql, binds, &mut |row| {
                if found.is_none() {
                    found = Some((read(row).ok_or_else(|| database::unexpected(sql))?, row.text(column)));
                }
                Ok(())
            })?;
            Ok(found)
        }
    };
}
#[allow(unused_imports, reason = "not every program has its own database")]
pub(crate) use texts_in_memory;

struct Bound<'a>(&'a Bind<'a>);

impl ToSql for Bound<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match *self.0 {
            Bind::Null => ValueRef::Null,
            Bind::Integer(value) => {
                // Integers reach Workers as doubles. One that does not fit is a fault that would only occur there.
                assert!(value.unsigned_abs() < 1 << 53, "{value} does not fit a double");
                ValueRef::Integer(value)
            }
            Bind::Text(value) => ValueRef::Text(value.as_bytes()),
            Bind::Blob(value) => ValueRef::Blob(value),
        }))
    }
}

struct Columns(Vec<Value>);

impl Row for Columns {
    fn integer(&self, column: usize) -> Option<i64> {
        if let Value::Integer(value) = self.0.get(column)? { Some(*value) } else { None }
    }

    fn real(&self, column: usize) -> Option<f64> {
        match self.0.get(column)? {
            Value::Integer(value) => Some(*value as f64),
            Value::Real(value) => Some(*value),
            _ => None,
        }
    }

    fn text(&self, column: usize) -> Option<String> {
        if let Value::Text(value) = self.0.get(column)? { Some(value.clone()) } else { None }
    }

    fn blob(&self, column: usize) -> Option<Vec<u8>> {
        if let Value::Blob(value) = self.0.get(column)? { Some(value.clone()) } else { None }
    }
}

fn fault(error: &rusqlite::Error) -> StoreError {
    StoreError::of_sqlite(error.to_string())
}

impl Database for Sqlite {
    texts_in_memory!();

    fn query(
        &self,
        sql: &str,
        binds: &[Bind<'_>],
        each: &mut dyn FnMut(&dyn Row) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        // The platform rejects more than a hundred binds.
        assert!(binds.len() <= 100, "{} binds", binds.len());
        self.count(1, 0);
        let mut statement = self.connection.prepare_cached(sql).map_err(|error| fault(&error))?;
        let width = statement.column_count();
        let mut rows = statement
            .query(rusqlite::params_from_iter(binds.iter().map(Bound)))
            .map_err(|error| fault(&error))?;
        while let Some(row) = rows.next().map_err(|error| fault(&error))? {
            let columns =
                (0..width).map(|at| row.get(at)).collect::<Result<_, _>>().map_err(|error| fault(&error))?;
            self.count(0, 1);
            each(&Columns(columns))?;
        }
        drop(rows);
        self.steps.set(self.steps.get() + statement.reset_status(StatementStatus::VmStep));
        Ok(())
    }

    fn transaction<T, E: From<StoreError>>(&self, run: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let alarm = self.alarm.get();
        let [begin, commit, rollback] = if self.connection.is_autocommit() {
            ["BEGIN IMMEDIATE", "COMMIT", "ROLLBACK"]
        } else {
            ["SAVEPOINT inner", "RELEASE inner", "ROLLBACK TO inner"]
        };
        self.execute(begin, &[])?;
        let result = run();
        if result.is_ok() {
            self.execute(commit, &[])?;
        } else if !self.connection.is_autocommit() {
            // If the database is full, SQLite rolls back automatically.
            self.execute(rollback, &[])?;
        }
        if result.is_err() {
            self.alarm.set(alarm);
        }
        result
    }

    fn bytes(&self) -> Result<u64, StoreError> {
        let pages = |name| self.connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
        // As on the platform, free pages do not count.
        let used = pages("page_count").and_then(|count| Ok(count - pages("freelist_count")?));
        let bytes = used.and_then(|count| Ok(count * pages("page_size")?));
        bytes.map(i64::unsigned_abs).map_err(|error| fault(&error))
    }

    /// Counts rows, which native SQLite does not: these are the returned ones, and none is written.
    fn cost(&self) -> Cost {
        self.cost.get()
    }

    fn arm(&self, at: Millis) -> Result<(), StoreError> {
        self.alarm.set(Some(self.alarm.get().map_or(at, |before| before.min(at))));
        Ok(())
    }

    fn alarm_rang(&self) {
        self.alarm.set(None);
    }
}
