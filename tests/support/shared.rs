//! A database that outlives its project, as a disk does, and that fails on request.

use std::cell::{Cell, RefCell};
use std::fmt::Write as _;
use std::rc::Rc;

use resource_edge::call::{Cost, Message, Reply};
use resource_edge::contract::error::ApiError;
use resource_edge::project::store::database::{self, Bind, Database, FirstText, Row, StoreError};
use resource_edge::project::{Moment, Project};
use resource_edge::util::time::Millis;

use super::sqlite::{Sqlite, texts_in_memory};

#[derive(Clone)]
pub struct Shared {
    pub sqlite: Rc<Sqlite>,
    /// The number of statements and alarms that succeed before one fails. `None` if all succeed.
    pub fails_after: Rc<Cell<Option<u32>>>,
    /// Whether the disk is full: what would change the database fails before it does (`src/worker/room.ts`).
    pub full: Rc<Cell<bool>>,
    /// Whether a transaction that fails keeps what it has done: a deliberate fault that tests must find.
    pub commits_faults: Rc<Cell<bool>>,
    /// The text of the fault of a full disk.
    pub fault: Rc<Cell<&'static str>>,
    /// Bytes that the database seems to have in addition to its own.
    pub further_bytes: Rc<Cell<u64>>,
    /// The statements so far, each as its verb and its table.
    pub statements: Rc<RefCell<Vec<String>>>,
}

impl Shared {
    pub fn new() -> Self {
        Self {
            sqlite: Rc::new(Sqlite::new()),
            fails_after: Rc::default(),
            full: Rc::default(),
            commits_faults: Rc::default(),
            fault: Rc::new(Cell::new("made to fail")),
            further_bytes: Rc::default(),
            statements: Rc::default(),
        }
    }

    /// Returns a copy of the contents, without an alarm.
    pub fn copy(&self) -> Self {
        Self { sqlite: Rc::new(self.sqlite.copy()), ..Self::new() }
    }

    /// Returns everything in the database, and its alarm.
    pub fn dump(&self) -> String {
        let connection = &self.sqlite.connection;
        let mut tables = connection
            .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
            .expect("the tables");
        let names: Vec<String> = tables
            .query_map([], |row| row.get(0))
            .expect("the tables")
            .collect::<Result<_, _>>()
            .expect("the tables");
        let mut out = format!("alarm {:?}\n", self.sqlite.alarm.get());
        for name in names {
            let mut rows = self.sqlite.rows(&format!("SELECT * FROM \"{name}\""));
            rows.sort();
            for row in rows {
                let _ = writeln!(out, "{name} {row}");
            }
        }
        out
    }

    /// Returns the number that a statement selects.
    pub fn number(&self, sql: &str) -> i64 {
        self.sqlite.connection.query_row(sql, [], |row| row.get(0)).expect("a number")
    }

    /// Runs statements beside the project.
    pub fn run(&self, sql: &str) {
        self.sqlite.connection.execute_batch(sql).expect("statements");
    }

    /// Returns the bytes that the database really has.
    pub fn sqlite_bytes(&self) -> u64 {
        self.sqlite.bytes().expect("a size")
    }

    /// Performs a call of an object on a full disk, as the object does.
    pub fn perform(&self, project: &Project<Self>, message: &Message, moment: &Moment) -> Reply<String> {
        let perform = || {
            let reply = project.perform(message, moment);
            reply.unwrap_or_else(|fault| ApiError::of_fault(fault.reason).into())
        };
        if !self.full.get() || !project.has_to_index(&message.call) {
            return perform();
        }
        self.full.set(false);
        self.run("BEGIN");
        let reply = perform();
        self.run("ROLLBACK");
        self.full.set(true);
        project.rolled_back().expect("the state on disk");
        reply
    }

    /// Fails if the disk is full.
    fn claim(&self) -> Result<(), StoreError> {
        let full = || StoreError::of_sqlite("database or disk is full".to_owned());
        if self.full.get() { Err(full()) } else { Ok(()) }
    }

    fn fault(&self) -> Result<(), StoreError> {
        match self.fails_after.get() {
            Some(0) => return Err(StoreError::of_sqlite(self.fault.get().to_owned())),
            Some(left) => self.fails_after.set(Some(left - 1)),
            None => {}
        }
        Ok(())
    }
}

/// Returns a statement's verb and its first table.
fn shape(sql: &str) -> String {
    let words: Vec<&str> = sql.split_whitespace().collect();
    let after = |word: &str| {
        words.iter().position(|one| one.eq_ignore_ascii_case(word)).and_then(|at| words.get(at + 1))
    };
    let table = match words.first() {
        Some(&"INSERT") => after("INTO"),
        Some(&"UPDATE") => after("UPDATE"),
        _ => after("FROM"),
    };
    let table = table.and_then(|table| table.split(['(', ')']).next()).unwrap_or_default();
    format!("{} {table}", words.first().unwrap_or(&"")).trim_end().to_owned()
}

impl Database for Shared {
    texts_in_memory!();

    fn query(
        &self,
        sql: &str,
        binds: &[Bind<'_>],
        each: &mut dyn FnMut(&dyn Row) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.fault()?;
        let shape = shape(sql);
        if !shape.starts_with("SELECT") && !shape.starts_with("WITH") {
            self.claim()?;
        }
        self.statements.borrow_mut().push(shape);
        self.sqlite.query(sql, binds, each)
    }

    fn transaction<T, E: From<StoreError>>(&self, run: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        if !self.commits_faults.get() {
            return self.sqlite.transaction(run);
        }
        let mut outcome = None;
        self.sqlite.transaction(|| {
            outcome = Some(run());
            Ok::<_, StoreError>(())
        })?;
        outcome.expect("it has run")
    }

    fn bytes(&self) -> Result<u64, StoreError> {
        Ok(self.sqlite.bytes()? + self.further_bytes.get())
    }

    fn cost(&self) -> Cost {
        self.sqlite.cost()
    }

    fn arm(&self, at: Millis) -> Result<(), StoreError> {
        self.fault()?;
        self.claim()?;
        self.sqlite.arm(at)
    }

    fn alarm_rang(&self) {
        self.sqlite.alarm_rang();
    }
}
