//! The SQL of a page's plan: which resources the page has, in order, and how many match in all.

use crate::shape::{Sort, System};

use super::builder::Sql;
use super::condition::{self, Edge};
use crate::project::query::plan::order::{AccessPath, Plan, Total};
use crate::project::store::index::term_rows::{LARGEST, SMALLEST};
use crate::project::store::index::values::column;

impl Plan<'_> {
    pub(crate) fn has_total(&self) -> bool {
        !matches!(self.total, Total::Unasked)
    }

    /// Appends the total: a value, or NULL if it is not requested or only [`Self::push_count`] finds it. The table `m`
    /// has the numbers.
    pub(crate) fn push_total(&self, sql: &mut Sql) {
        sql.push(match &self.total {
            Total::Unasked => "NULL",
            Total::Window if self.window.offset == 0 => "coalesce(max(m.total),0)",
            Total::Window => "max(m.total)",
            Total::Known(_) | Total::Of(_) | Total::Counted => return self.push_count(sql),
        });
    }

    /// Returns whether the numbers have a column `total`.
    pub(crate) fn has_window(&self) -> bool {
        matches!(self.total, Total::Window)
    }

    /// Appends a count of all results. The counted select is in FROM, so it adds nothing to the depth of an expression.
    pub(crate) fn push_count(&self, sql: &mut Sql) {
        match (&self.total, &self.access) {
            (Total::Of(set), _) => return set.push_count(sql),
            (Total::Known(total), _) => {
                sql.integer(*total);
                return;
            }
            (_, AccessPath::Relevance(words)) => {
                sql.push("(SELECT count(*) FROM (SELECT 1");
                self.push_words(sql, words);
            }
            (_, access) => {
                sql.push("(SELECT count(*) FROM (SELECT 1 FROM ").resources().push(" WHERE ");
                self.push_condition(sql, access);
            }
        }
        sql.push("))");
    }

    /// Appends the condition of a select from `resource r`.
    fn push_condition(&self, sql: &mut Sql, access: &AccessPath<'_>) {
        let AccessPath::Guess(found, max) = access else {
            return self.constraints.push_in(sql, access.set());
        };
        // SQLite builds the set before it compares the number, so the set ends with the first row that is too many.
        found.set.push_weight(sql, *max);
        sql.push("<=").integer(*max).push(" AND ");
        found.set.push_part(sql, *max);
        self.constraints.push(sql, Some(found));
    }

    /// Appends a select of one row for a result, if there is one.
    pub(crate) fn push_one(&self, sql: &mut Sql) {
        sql.push("SELECT 1 FROM ").resources().push(" WHERE ");
        self.push_condition(sql, &self.access);
        if let AccessPath::Bounded(descending, rows) = self.access {
            push_budget(sql, descending, rows);
        }
        sql.push(" LIMIT 1");
    }

    /// Appends an expression that is 1 if the page is empty because the set is too large, and not 1 otherwise.
    pub(crate) fn push_guess_failed(&self, sql: &mut Sql) {
        match &self.access {
            AccessPath::Guess(found, max) => {
                sql.push("CASE WHEN count=0 THEN ");
                found.set.push_weight(sql, *max);
                sql.push(">").integer(*max).push(" END");
            }
            _ => {
                sql.push("0");
            }
        }
    }

    /// Appends a select of `seq` in the order of the page, with `total` if a window counts it.
    pub(crate) fn push_numbers(&self, sql: &mut Sql) {
        match &self.access {
            AccessPath::Values(first) => self.push_present_page(sql, first),
            AccessPath::Completed(first, count) => return self.push_completed(sql, first, *count),
            AccessPath::Direct(set, descending) => set.push_in_order(sql, *descending),
            AccessPath::Relevance(words) => {
                // FTS5 ranks only in the innermost table.
                sql.push("SELECT seq, count(*) OVER () AS total FROM (SELECT x.rowid AS seq, bm25(x.text) AS score");
                self.push_words(sql, words);
                sql.push(") ORDER BY score, seq");
            }
            access => self.push_from_resource(sql, access),
        }
        self.push_window(sql);
    }

    fn push_from_resource(&self, sql: &mut Sql, access: &AccessPath<'_>) {
        sql.push("SELECT r.seq AS seq");
        sql.push(if self.has_window() { ", count(*) OVER () AS total" } else { "" });
        sql.push(" FROM ").resources().push(" WHERE ");
        self.push_condition(sql, access);
        let (column, descending) = match access {
            AccessPath::Column(column, descending) => (*column, *descending),
            AccessPath::Bounded(descending, rows) => {
                push_budget(sql, *descending, *rows);
                ("seq", *descending)
            }
            _ => {
                sql.push(" ORDER BY ");
                return push_keys(sql, &self.keys);
            }
        };
        sql.push(" ORDER BY r.").push(column).push(if descending { " DESC" } else { "" });
    }

    /// Appends ` FROM …` with the resources that have the words and satisfy the filters.
    fn push_words(&self, sql: &mut Sql, words: &str) {
        sql.push(" FROM text x");
        if !self.constraints.filters.is_empty() {
            sql.push(" CROSS JOIN ").resources().push(" ON r.seq = x.rowid");
        }
        sql.push(" WHERE x.text MATCH ").text(words);
        self.constraints.push(sql, None);
    }

    fn push_window(&self, sql: &mut Sql) {
        sql.push(" LIMIT ").integer(i64::from(self.window.limit));
        if self.window.offset > 0 {
            sql.push(" OFFSET ").integer(i64::from(self.window.offset));
        }
    }

    /// Appends resources with a value in the order of the value, then those without a value in the order of creation.
    fn push_completed(&self, sql: &mut Sql, first: &Sort, count: i64) {
        sql.push("SELECT seq FROM (");
        self.push_present_page(sql, first);
        self.push_window(sql);
        sql.push(") UNION ALL SELECT seq FROM (SELECT r.seq AS seq FROM ").resources().push(" WHERE ");
        match column(&first.path) {
            Some(column) => sql.push("r.").push(column),
            // Of a declared resource, an empty array has a member too.
            None => sql.push("json_type(r.entries,'$.").path(&first.path).push("[0]')"),
        };
        sql.push(" IS NULL");
        self.constraints.push(sql, None);
        sql.push(" ORDER BY ");
        push_keys(sql, self.keys.get(1..).unwrap_or_default());
        sql.push(" LIMIT ").integer(i64::from(self.window.limit) - count);
        if count == 0 && self.window.offset > 0 {
            sql.push(" OFFSET max(0,").integer(i64::from(self.window.offset));
            sql.push("-(SELECT count(*) FROM (");
            self.push_present(sql, first, false);
            sql.push(")))");
        }
        sql.push(")");
    }

    fn push_present_page(&self, sql: &mut Sql, first: &Sort) {
        let rest = self.keys.get(1..).unwrap_or_default();
        if first.descending {
            return self.push_descending(sql, first, rest);
        }
        self.push_present(sql, first, !rest.is_empty());
        sql.push(" ORDER BY value, ");
        push_rest(sql, rest);
    }

    /// Appends a scan of an index with ties in the order of creation. A backward scan would reverse them, and sorting
    /// all ties could mean sorting the collection. So the scan first finds the value at the end of the page. The rows
    /// above that value are few and can be sorted, and only the first of its ties are needed.
    fn push_descending(&self, sql: &mut Sql, first: &Sort, rest: &[&Sort]) {
        let end = i64::from(self.window.limit) + i64::from(self.window.offset);
        let value = &value_of(first);
        let joined = !rest.is_empty();
        sql.push("WITH edge AS MATERIALIZED (");
        self.push_present(sql, first, false);
        sql.push(" ORDER BY value DESC LIMIT 1 OFFSET ").integer((end - 1).max(0));
        sql.push(if joined { ") SELECT e.seq" } else { ") SELECT seq" }).push(" FROM (SELECT * FROM (");
        self.push_present(sql, first, false);
        sql.push(" AND ").push(value).push(" > ");
        if self.constraints.is_everything() {
            // Everything if the scan ended before the page was full: no value is below minus infinity. Keys are
            // compared as texts, so they have a lowest text of their own.
            let lowest = if first.path.is(System::Key) { "''" } else { "-9e999" };
            sql.push("coalesce((SELECT value FROM edge), ").push(lowest).push("))");
        } else {
            // Nothing if the scan ended before the page was full: then all matches are sorted.
            sql.push("(SELECT value FROM edge))");
        }
        sql.push(" UNION ALL SELECT * FROM (");
        self.push_present(sql, first, joined);
        sql.push(" AND ").push(value).push(" = (SELECT value FROM edge) ORDER BY ");
        push_rest(sql, rest);
        sql.push(" LIMIT ").integer(end).push(if joined {
            ")) e CROSS JOIN resource r ON r.seq = e.seq ORDER BY e.value DESC, "
        } else {
            ")) ORDER BY value DESC, "
        });
        push_rest(sql, rest);
    }

    /// Appends a select of `seq` and `value` of the resources that have a value of the field and satisfy the
    /// constraints, each once with the value that it sorts by. If it is joined, it has their columns as `r`.
    fn push_present(&self, sql: &mut Sql, key: &Sort, joined: bool) {
        sql.push("SELECT ").push(seq_of(key)).push(" AS seq, ").push(&value_of(key)).push(" AS value");
        if let Some(column) = column(&key.path) {
            sql.push(" FROM ").resources().push(" WHERE r.").push(column).push(" IS NOT NULL");
        } else {
            sql.push(" FROM term s");
            if joined || !self.constraints.is_everything() {
                // CROSS JOIN prevents SQLite from reversing the join.
                sql.push(" CROSS JOIN ").resources().push(" ON r.seq = s.resource");
            }
            sql.push(" WHERE s.path = ").path(&key.path);
            if key.path.array {
                let edge = if key.descending { LARGEST } else { SMALLEST };
                sql.push(&format!(" AND s.edge & {edge}"));
            }
        }
        self.constraints.push(sql, None);
    }
}

/// Appends the condition that `r` is among the first or last `rows` resources.
fn push_budget(sql: &mut Sql, descending: bool, rows: i64) {
    let (comparison, order, all) = if descending { (">=", "DESC", "min") } else { ("<=", "ASC", "max") };
    sql.push(&format!(
        " AND r.seq {comparison} coalesce((SELECT seq FROM resource ORDER BY seq {order} LIMIT 1 OFFSET "
    ));
    sql.integer(rows).push("),(SELECT ").push(all).push("(seq) FROM resource))");
}

/// Appends the keys as expressions. The last one is the order of creation.
fn push_keys(sql: &mut Sql, keys: &[&Sort]) {
    for key in keys {
        if let Some(column) = column(&key.path) {
            sql.push("r.").push(column);
        } else {
            let edge = if key.descending { Edge::Largest } else { Edge::Smallest };
            condition::push_edge(sql, &key.path, edge);
        }
        sql.push(if key.descending { " DESC NULLS LAST, " } else { " ASC NULLS LAST, " });
    }
    sql.push("r.seq");
}

/// Appends the keys after the first one; without any, only the order of creation.
fn push_rest(sql: &mut Sql, rest: &[&Sort]) {
    if rest.is_empty() {
        sql.push("seq");
    } else {
        push_keys(sql, rest);
    }
}

fn value_of(key: &Sort) -> String {
    column(&key.path).map_or_else(|| "s.value".to_owned(), |column| ["r.", column].concat())
}

fn seq_of(key: &Sort) -> &'static str {
    if column(&key.path).is_some() { "r.seq" } else { "s.resource" }
}
