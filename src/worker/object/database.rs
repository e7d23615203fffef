//! The synchronous SQL database of a Durable Object.
//!
//! Every call catches exceptions: an uncaught one would end the instance like a trap. Both sides of the boundary pass
//! integers as doubles. A bound integer is a real in SQL unless the affinity of a column converts it.

use core::cell::{Cell, RefCell};

use js_sys::{Array, ArrayBuffer, JsString, Uint8Array};
use wasm_bindgen::prelude::*;

use crate::call::Cost;
use crate::contract::error::quoted;
use crate::contract::limits::INTEGER_MAX;
use crate::project::store::database::{Bind, Database, FirstText, Row, StoreError, cached, unexpected};
use crate::util::generations::Generations;
use crate::util::time::Millis;

use crate::worker::glue;

/// How many statements are cached as JavaScript strings, at least; the platform finds a prepared statement by its
/// string.
const STATEMENTS: usize = 128;
/// The longest cached statement in bytes: statements for a single query are seldom shorter.
const STATEMENT_BYTES: usize = 2048;

#[wasm_bindgen]
extern "C" {
    /// `ctx.storage` of a Durable Object.
    #[derive(Clone)]
    pub type Storage;

    #[wasm_bindgen(method, getter)]
    fn sql(this: &Storage) -> JsValue;

    #[wasm_bindgen(method, catch, js_name = transactionSync)]
    fn transaction_sync(
        this: &Storage,
        run: &mut dyn FnMut() -> Result<JsValue, JsValue>,
    ) -> Result<JsValue, JsValue>;

    // The promise is not awaited: the write is part of the transaction, and the output gate waits for it.
    #[wasm_bindgen(method, catch, js_name = setAlarm)]
    fn set_alarm(this: &Storage, at: f64) -> Result<JsValue, JsValue>;
}

/// A Durable Object's SQL storage and alarm.
pub(crate) struct SqlDatabase {
    storage: Storage,
    sql: JsValue,
    alarm: Cell<Option<Millis>>,
    /// The size of the database, if it was read since the last change: to read it takes as long as a small statement.
    bytes: Cell<Option<u64>>,
    statements: RefCell<Generations<Box<str>, JsValue>>,
}

impl SqlDatabase {
    /// Creates the database of the storage, whose alarm is set to `alarm`.
    pub(crate) fn new(storage: Storage, alarm: Option<Millis>) -> Self {
        let (sql, alarm) = (storage.sql(), Cell::new(alarm));
        let statements = RefCell::new(Generations::new(STATEMENTS));
        Self { storage, sql, alarm, bytes: Cell::default(), statements }
    }

    fn statement(&self, sql: &str) -> JsValue {
        let mut statements = self.statements.borrow_mut();
        if let Some(known) = statements.get_mut(sql) {
            return known.clone();
        }
        let made = JsValue::from_str(sql);
        if sql.len() <= STATEMENT_BYTES {
            statements.insert(sql.into(), made.clone());
        }
        made
    }

    /// Reads the size of the database again when it is needed next.
    pub(crate) fn forget_bytes(&self) {
        self.bytes.set(None);
    }

    /// Runs a transaction: commits if the function returns `true`, rolls back if it returns `false`. Calls it once. Not
    /// generic, so that the Worker has its code only once.
    fn run_once(&self, run: &mut dyn FnMut() -> bool) -> Result<(), StoreError> {
        let alarm = self.alarm.get();
        let mut started = false;
        let mut committed = None;
        let ended = self.storage.transaction_sync(&mut || {
            started = true;
            let commit = run();
            committed = Some(commit);
            // Throwing rolls back.
            if commit { Ok(JsValue::UNDEFINED) } else { Err(JsValue::UNDEFINED) }
        });
        self.forget_bytes();
        match (ended, committed) {
            (_, Some(false)) => {
                self.alarm.set(alarm);
                Ok(())
            }
            (Ok(_), _) => Ok(()),
            // The function started but never ended: the instance has trapped inside it, and this frame must not
            // continue.
            (Err(thrown), None) if started => wasm_bindgen::throw_val(thrown),
            (Err(thrown), _) => {
                self.alarm.set(alarm);
                Err(fault("transaction", &thrown))
            }
        }
    }
}

impl Database for SqlDatabase {
    type Text = JsString;

    fn text_of(&self, text: String) -> JsString {
        text.into()
    }

    fn append(&self, text: JsString, tail: &str) -> JsString {
        text.concat(&tail.into())
    }

    fn first_text<T>(
        &self,
        sql: &str,
        binds: &[Bind<'_>],
        column: usize,
        read: impl Fn(&dyn Row) -> Option<T>,
    ) -> FirstText<Self, T> {
        // It needs one boundary call, whereas rows need several.
        let row = glue::sql_first(&self.sql, &self.statement(sql), &array(binds))
            .map_err(|thrown| fault(sql, &thrown))?;
        if row.is_undefined() {
            return Ok(None);
        }
        let cells = Cells(row.unchecked_into());
        let text = cells.cell(column).dyn_into().ok();
        read(&cells).map(|row| Some((row, text))).ok_or_else(|| unexpected(sql))
    }

    fn query(
        &self,
        sql: &str,
        binds: &[Bind<'_>],
        each: &mut dyn FnMut(&dyn Row) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let rows = glue::sql_rows(&self.sql, &self.statement(sql), &array(binds))
            .map_err(|thrown| fault(sql, &thrown))?;
        rows.iter().try_for_each(|row| each(&Cells(row.unchecked_into())))
    }

    fn transaction<T, E: From<StoreError>>(&self, run: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let (mut run, mut done) = (Some(run), None);
        self.run_once(&mut || {
            done = run.take().map(|run| run());
            matches!(done, Some(Ok(_)))
        })?;
        done.unwrap_or_else(|| Err(StoreError::new("the transaction was not run").into()))
    }

    fn bytes(&self) -> Result<u64, StoreError> {
        cached(&self.bytes, || {
            // A number of bytes is an integer below 2^53.
            Ok(glue::database_size(&self.sql) as u64)
        })
    }

    fn cost(&self) -> Cost {
        // Counts are integers below 2^53.
        Cost {
            statements: glue::statements() as u64,
            rows_read: glue::rows_read() as u64,
            rows_written: glue::rows_written() as u64,
        }
    }

    fn arm(&self, at: Millis) -> Result<(), StoreError> {
        if self.alarm.get().is_some_and(|known| known <= at) {
            return Ok(());
        }
        // The alarm would be rolled back, and this would not.
        if glue::is_rehearsal() {
            return Ok(());
        }
        let set = glue::claim_room().and_then(|()| self.storage.set_alarm(at as f64));
        set.map_err(|thrown| fault("setAlarm", &thrown))?;
        self.alarm.set(Some(at));
        Ok(())
    }

    fn alarm_rang(&self) {
        self.alarm.set(None);
    }

    fn execute(&self, sql: &str, binds: &[Bind<'_>]) -> Result<(), StoreError> {
        self.forget_bytes();
        glue::sql_run(&self.sql, &self.statement(sql), &array(binds)).map_err(|thrown| fault(sql, &thrown))
    }
}

struct Cells(Array);

impl Cells {
    fn cell(&self, column: usize) -> JsValue {
        // A statement has far fewer columns than 2^32.
        self.0.get(column as u32)
    }
}

impl Row for Cells {
    fn integer(&self, column: usize) -> Option<i64> {
        let value = self.cell(column).as_f64()?;
        (value.fract() == 0.0 && value.abs() <= INTEGER_MAX as f64).then_some(value as i64)
    }

    fn real(&self, column: usize) -> Option<f64> {
        self.cell(column).as_f64()
    }

    fn text(&self, column: usize) -> Option<String> {
        self.cell(column).as_string()
    }

    fn blob(&self, column: usize) -> Option<Vec<u8>> {
        self.cell(column).dyn_ref::<ArrayBuffer>().map(|buffer| Uint8Array::new(buffer).to_vec())
    }
}

fn array(binds: &[Bind<'_>]) -> Array {
    binds
        .iter()
        .map(|bind| match *bind {
            Bind::Null => JsValue::NULL,
            Bind::Integer(value) => JsValue::from_f64(value as f64),
            Bind::Text(value) => JsValue::from_str(value),
            Bind::Blob(value) => Uint8Array::from(value).into(),
        })
        .collect()
}

fn fault(statement: &str, thrown: &JsValue) -> StoreError {
    // A statement for a query may have many kilobytes.
    StoreError::of_sqlite(format!("{}: {}", glue::reason(thrown), quoted(statement)))
}
