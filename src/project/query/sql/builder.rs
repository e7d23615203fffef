//! A builder for a statement. All values are in one bound JSON list, because the platform accepts at most a hundred
//! binds. No text of a caller becomes part of the SQL, and statements of one shape share one text.

use std::borrow::Cow;

use crate::predicate::Typed;
use crate::shape::FieldPath;
use crate::util::json;

use super::depth::{self, Tree};
use crate::project::store::database::{Bind, Database, FirstText, Result, Row, binds};
use crate::project::store::index::values::{self, IndexValue};

/// The maximum number of values that an `IN` lists one by one.
const INLINE: usize = 2;

/// SQL with the list of its values.
#[derive(Debug, Clone)]
pub(crate) struct Sql {
    text: String,
    values: String,
    count: usize,
    /// Whether a test uses the set of all resources that pass it, from the index. SQLite builds the set when it first
    /// needs it. Otherwise each row opens a cursor for each test, which takes longer the more cursors are open.
    pub(crate) sets: bool,
    /// The expressions that are computed once per row, if any: the columns `c0`, `c1`, … of the table `h`.
    once: Option<Vec<String>>,
    /// The conditions that are columns of `resource`: the address of each, which names its column, and its SQL.
    computed: Vec<(usize, String)>,
    /// The places of `resource r` in the text.
    resources: Vec<usize>,
}

impl Sql {
    pub(crate) fn new(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            values: "[".to_owned(),
            count: 0,
            sets: false,
            once: None,
            computed: Vec::new(),
            resources: Vec::new(),
        }
    }

    pub(crate) fn push(&mut self, text: &str) -> &mut Self {
        self.text.push_str(text);
        self
    }

    /// Appends the number of a field's path, which never comes from a caller.
    pub(crate) fn path(&mut self, path: &FieldPath) -> &mut Self {
        self.code(path.number)
    }

    /// Appends a number of the index, which never comes from a caller.
    pub(crate) fn code(&mut self, code: u16) -> &mut Self {
        json::integer(&mut self.text, i64::from(code));
        self
    }

    /// Appends the test that what precedes is the number of the values in the index, each as its key.
    pub(crate) fn code_of(&mut self, code: u16, keys: &[IndexValue<'_>]) -> &mut Self {
        let long = keys.iter().filter(|key| key.is_long()).count();
        if long == 0 {
            self.push("=").code(code)
        } else if long == keys.len() {
            self.push("=").code(values::long(code))
        } else {
            self.codes(code)
        }
    }

    /// Appends the test that what precedes is the number of short or of long values in the index.
    pub(crate) fn codes(&mut self, code: u16) -> &mut Self {
        self.push(" IN (").code(code).push(",").code(values::long(code)).push(")")
    }

    pub(crate) fn integer(&mut self, value: i64) -> &mut Self {
        self.value(&IndexValue::Integer(value))
    }

    pub(crate) fn value(&mut self, value: &IndexValue<'_>) -> &mut Self {
        let at = self.item(|out| value.push(out));
        self.push(&format!("(?1->>{at})"))
    }

    pub(crate) fn text(&mut self, text: &str) -> &mut Self {
        self.value(&IndexValue::text(text))
    }

    /// Appends a double, which the statement reads exactly: a reader of decimal text may not round correctly. A number
    /// below 2^-900 becomes zero.
    pub(crate) fn double(&mut self, number: f64) -> &mut Self {
        const LEADING_BIT: i64 = 1 << 52;
        let bits = number.abs().to_bits() as i64;
        let exponent = (bits >> 52) - 1075;
        let mantissa = if exponent < -952 { 0 } else { bits & (LEADING_BIT - 1) | LEADING_BIT };
        let at = self.item(|out| {
            let parts = [if number < 0.0 { -mantissa } else { mantissa }, exponent];
            json::array(out, &parts, |out, part| json::integer(out, *part));
        });
        self.push(&format!("((?1->>'$[{at}][0]')*pow(2,?1->>'$[{at}][1]'))"))
    }

    /// Appends the test that what precedes equals one of the values.
    pub(crate) fn one_of(&mut self, values: &[IndexValue<'_>]) -> &mut Self {
        if let [value] = values {
            return self.push("=").value(value);
        }
        self.push(" IN ");
        if values.len() > INLINE {
            return self.list(values);
        }
        for (at, value) in values.iter().enumerate() {
            self.push(if at == 0 { "(" } else { "," }).value(value);
        }
        self.push(")")
    }

    /// Appends a subselect of one column `item` with the values of a list.
    pub(crate) fn list(&mut self, values: &[IndexValue<'_>]) -> &mut Self {
        let at = self.item(|out| json::array(out, values, |out, value| value.push(out)));
        self.push(&format!("(SELECT value AS item FROM json_each(?1,'$[{at}]'))"))
    }

    /// Appends a subselect of the columns `a` and `b` with the values of pairs.
    pub(crate) fn pairs(&mut self, pairs: &[(IndexValue<'_>, IndexValue<'_>)]) -> &mut Self {
        let at = self.item(|out| {
            json::array(out, pairs, |out, (one, other)| {
                out.push('[');
                one.push(out);
                out.push(',');
                other.push(out);
                out.push(']');
            });
        });
        self.push(&format!("(SELECT value->>0 AS a,value->>1 AS b FROM json_each(?1,'$[{at}]'))"))
    }

    /// Appends a table of the column `value` with objects, each as JSON.
    pub(crate) fn objects(&mut self, objects: &[String]) -> &mut Self {
        let at = self.item(|out| json::array(out, objects, |out, object| out.push_str(object)));
        self.push(&format!("json_each(?1,'$[{at}]')"))
    }

    /// Appends a condition whose [`Self::once`] expressions are computed once per row, however often they occur. It is
    /// true or false, also as a column: a select without a row is NULL.
    pub(crate) fn with_once(&mut self, push: impl FnOnce(&mut Self)) {
        self.once = Some(Vec::new());
        self.push("(SELECT 1 FROM (SELECT 1");
        let place = self.text.len();
        // The limit prevents SQLite from inlining the expressions where the columns are used.
        self.push(" LIMIT 1) h WHERE ");
        push(self);
        self.push(") IS TRUE");
        let mut columns = String::new();
        for (at, expression) in self.once.take().unwrap_or_default().iter().enumerate() {
            columns.push(',');
            columns.push_str(expression);
            columns.push_str(" AS c");
            json::integer(&mut columns, at as i64);
        }
        self.text.insert_str(place, &columns);
    }

    /// Appends an expression of the row `r`, as a column if inside [`Self::with_once`].
    pub(crate) fn once(&mut self, expression: String) -> &mut Self {
        let Some(once) = &mut self.once else { return self.push(&expression) };
        let at = once.iter().position(|other| *other == expression).unwrap_or(once.len());
        if at == once.len() {
            once.push(expression);
        }
        self.push("h.c");
        json::integer(&mut self.text, at as i64);
        self
    }

    /// Adds a condition on the row `r` as a column of `resource`, unless the statement already has it. So the depth of
    /// the condition does not count where the column is used. `push` appends the condition, which may use the columns
    /// before it.
    pub(crate) fn computed(&mut self, condition: &Typed, push: impl FnOnce(&mut Self)) {
        let address = core::ptr::from_ref(condition).addr();
        if self.computed.iter().any(|(other, _)| *other == address) {
            return;
        }
        let start = self.text.len();
        push(self);
        let expression = self.text.split_off(start);
        self.computed.push((address, expression));
    }

    pub(crate) fn column(&mut self, condition: &Typed) {
        let address = core::ptr::from_ref(condition).addr();
        let place = self.computed.iter().position(|(other, _)| *other == address).unwrap_or(usize::MAX);
        self.push(&format!("r.x{place}"));
    }

    pub(crate) fn length(&self) -> usize {
        self.text.len() + self.computed.iter().map(|(_, expression)| expression.len()).sum::<usize>()
    }

    /// Appends the table `resource r`, with the columns of [`Self::computed`].
    pub(crate) fn resources(&mut self) -> &mut Self {
        self.resources.push(self.text.len());
        self.push("resource r")
    }

    /// Returns the statement. SQLite computes a column at each place that uses it.
    fn statement(&self) -> Cow<'_, str> {
        if self.computed.is_empty() {
            return Cow::Borrowed(&self.text);
        }
        let mut table = "resource r".to_owned();
        for (at, (_, expression)) in self.computed.iter().enumerate() {
            table = format!("(SELECT r.*,{expression} AS x{at} FROM {table}) r");
        }
        let mut out = self.text.clone();
        for place in self.resources.iter().rev() {
            out.replace_range(*place..*place + "resource r".len(), &table);
        }
        Cow::Owned(out)
    }

    /// Appends the parts with `glue` between them, or `0` if there are none. The parts form a balanced tree, because
    /// SQLite accepts a depth of 100.
    pub(crate) fn balanced<T>(&mut self, parts: &[T], glue: &str, push: &dyn Fn(&mut Self, &T)) {
        match depth::tree(parts.iter().map(|part| (part, 0))) {
            None => {
                self.push("0");
            }
            Some(tree) => self.tree(&tree, glue, &|sql, part| push(sql, part)),
        }
    }

    /// Appends the parts of a tree with `glue` between them.
    pub(crate) fn tree<T>(&mut self, tree: &Tree<T>, glue: &str, push: &dyn Fn(&mut Self, &T)) {
        match tree {
            Tree::Leaf(part, _) => push(self, part),
            Tree::Pair(pair, _) => {
                self.push("(");
                self.tree(&pair.0, glue, push);
                self.push(glue);
                self.tree(&pair.1, glue, push);
                self.push(")");
            }
        }
    }

    fn item(&mut self, write: impl FnOnce(&mut String)) -> usize {
        if self.count > 0 {
            self.values.push(',');
        }
        write(&mut self.values);
        self.count += 1;
        self.count - 1
    }

    pub(crate) fn rows<D: Database, T>(
        &self,
        database: &D,
        read: impl Fn(&dyn Row) -> Option<T>,
    ) -> Result<Vec<T>> {
        self.run(|sql, binds| database.rows(sql, binds, read))
    }

    pub(crate) fn first_integer<D: Database>(&self, database: &D) -> Result<Option<i64>> {
        self.first(database, |row| row.integer(0))
    }

    pub(crate) fn first<D: Database, T>(
        &self,
        database: &D,
        read: impl Fn(&dyn Row) -> Option<T>,
    ) -> Result<Option<T>> {
        self.run(|sql, binds| database.first(sql, binds, |row| Some(read(row)))).map(Option::flatten)
    }

    /// Returns the function's result for the first row, with the text of a column that stays on the database's side.
    pub(crate) fn first_text<D: Database, T>(
        &self,
        database: &D,
        column: usize,
        read: impl Fn(&dyn Row) -> Option<T>,
    ) -> FirstText<D, T> {
        self.run(|sql, binds| database.first_text(sql, binds, column, read))
    }

    fn run<T>(&self, run: impl FnOnce(&str, &[Bind<'_>]) -> T) -> T {
        let values = [&self.values, "]"].concat();
        // SQLite rejects a value that the statement does not use.
        let binds: &[Bind<'_>] = if self.count == 0 { &[] } else { &binds![&values] };
        run(&self.statement(), binds)
    }
}

/// Returns an expression with the number of a field of `entries`.
pub(crate) fn entry(before: &str, code: u16, after: &str) -> String {
    let mut expression = before.to_owned();
    json::integer(&mut expression, i64::from(code));
    expression.push_str(after);
    expression
}
