//! Operations 1, 5, and 12: a page as JSON, and whether anything matches. SQLite assembles a page, so its bodies do not
//! pass through Rust.

use crate::call::{CallResult, Query, Reply};
use crate::contract::error::{ApiError, Member, Reason};
use crate::contract::limits;
use crate::contract::param::{ParamId, Refusal};
use crate::contract::response::operations::page;
use crate::shape::built_in::WRAPPER;
use crate::shape::{Content, Shape};
use crate::util::json::{self, canonical};

use super::budget::Work;
use super::plan::candidates::{Constraints, Guess};
use super::plan::merge::merge;
use super::plan::order::{self, Plan, Window};
use super::sql::builder::Sql;
use crate::project::failure::Failure;
use crate::project::store::database::{Database, Result, StoreError};

/// The maximum number of bytes of bodies that SQLite joins into one text. The platform's longest text is a little over
/// two million bytes, and the arrays of the first result occur a second time.
const JOINED_BYTES: i64 = 1_000_000;

/// The members after the results of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tail {
    /// No members (operation 12).
    Nothing,
    /// The arrays of the first result (D21).
    First,
    /// Facets. The caller appends them with the end of the object.
    Facets,
}

pub(crate) fn page<D: Database>(
    work: &Work<'_, D>,
    query: &Query,
    tail: Tail,
) -> Result<Reply<D::Text>, Failure> {
    let condition = merge(&query.condition);
    let constraints =
        Constraints { condition: Some(&condition), ..Constraints::of(work.fields) }.with_sets(work)?;
    let Query { sort, limit, offset, with_total, .. } = query;
    let window = Window { sort, limit: *limit, offset: *offset, with_total: *with_total };
    plan_and_render(work, constraints, window, tail)
}

/// Renders the page of a plan, or of a second plan if the first guessed wrong.
pub(crate) fn plan_and_render<D: Database>(
    work: &Work<'_, D>,
    constraints: Constraints<'_>,
    window: Window<'_>,
    tail: Tail,
) -> Result<Reply<D::Text>, Failure> {
    // A total without a page leaves no guess.
    let first = if window.limit == 0 { Guess::Forbidden } else { Guess::Allowed };
    for guess in [first, Guess::Forbidden] {
        let mut plan = order::plan(work, constraints, window, guess)?;
        if let Some(text) = render(work, &mut plan, tail)? {
            return Ok(Reply::of_query(CallResult::Performed, Some(text), plan.by_index));
        }
    }
    Err(without_guess())
}

/// Returns the fault of a plan that made no guess but reported a wrong one.
pub(crate) fn without_guess() -> Failure {
    StoreError::new("a plan without a guess reported a wrong one").into()
}

/// Returns whether anything matches, without regard to `limit` and `offset` (D24).
pub(crate) fn exists<D: Database>(work: &Work<'_, D>, query: &Query) -> Result<Reply<D::Text>, Failure> {
    let condition = merge(&query.condition);
    let constraints = Constraints { condition: Some(&condition), ..Constraints::of(work.fields) };
    let done = |exists, by_index| Reply::of_query(CallResult::Exists(exists), None, by_index);
    if constraints.is_everything() {
        return Ok(done(work.size()? > 0, true));
    }
    let mut sql = Sql::new("");
    if let Some(set) = constraints.exact() {
        set.push_one(&mut sql);
        return Ok(done(sql.first_integer(work.database)?.is_some(), true));
    }
    let constraints = constraints.with_sets(work)?;
    let plan = order::of_one(work, constraints)?;
    plan.push_one(&mut sql);
    let exists = sql.first_integer(work.database)?.is_some();
    plan.check_finished(work, i64::from(exists))?;
    Ok(done(exists, plan.by_index))
}

/// Renders the page of a plan as JSON; `None` if the plan's guess was wrong. Returns an error for a page that would
/// exceed 4 MiB (D21) or the work budget (D29).
pub(crate) fn render<D: Database>(
    work: &Work<'_, D>,
    plan: &mut Plan<'_>,
    tail: Tail,
) -> Result<Option<D::Text>, Failure> {
    let database = work.database;
    if plan.window.limit == 0 {
        let total = count_if(database, plan)?;
        return Ok(Some(assemble(&work.fields.shape, database, plan.window, total, &[], tail)));
    }
    let (mut found, mut text) = run_statement(work, plan, tail)?;
    if found.guess_failed {
        return Ok(None);
    }
    if plan.complete(found.count) {
        (found, text) = run_statement(work, plan, tail)?;
    }
    let FoundPage { count, bytes, mut total, .. } = found;
    plan.check_finished(work, count)?;
    if let Some(text) = text.filter(|_| total.is_some() || !plan.has_total()) {
        return Ok(Some(text));
    }
    let max = limits::PAGE_BYTES as i64;
    if bytes > max {
        let reason = format!("the page would exceed {max} bytes; send a lower limit");
        let refusal = Refusal::new(Reason::Size, reason).with(Member::Maximum, max);
        return Err(ApiError::from(refusal.of(ParamId::Limit.name())).into());
    }
    if total.is_none() {
        total = count_if(database, plan)?;
    }
    let bodies = if count == 0 { Vec::new() } else { bodies(database, plan)? };
    Ok(Some(assemble(&work.fields.shape, database, plan.window, total, &bodies, tail)))
}

struct FoundPage {
    count: i64,
    bytes: i64,
    total: Option<i64>,
    guess_failed: bool,
}

/// Returns the page with its text. The text is absent if the bodies are too long for one text or the total is not
/// counted yet.
fn run_statement<D: Database>(
    work: &Work<'_, D>,
    plan: &Plan<'_>,
    tail: Tail,
) -> Result<(FoundPage, Option<D::Text>)> {
    let found = statement(&work.fields.shape, plan, tail).first_text(work.database, 4, |row| {
        let (count, bytes) = (row.integer(0)?, row.integer(1)?);
        Some(FoundPage { count, bytes, total: row.integer(2), guess_failed: row.integer(3) == Some(1) })
    })?;
    found.ok_or_else(|| StoreError::new("a page has no row"))
}

/// Returns the statement of a page. It adds up the sizes of the bodies first, and joins only the bodies that fit into a
/// text. SQLite reads the numbers in order, so it joins the bodies in order.
fn statement(shape: &Shape, plan: &Plan<'_>, tail: Tail) -> Sql {
    let mut sql = Sql::new("SELECT count, bytes, total, ");
    plan.push_guess_failed(&mut sql);
    sql.push(" AS guess_failed, CASE WHEN bytes<=");
    // A chain of `||` would be too deep.
    sql.integer(JOINED_BYTES).push(" THEN format('{\"limit\":%d,\"offset\":%d,\"count\":%d");
    sql.push(if plan.has_total() { ",\"total\":%d" } else { "" }).push(",\"results\":[%s]").push(
        match tail {
            Tail::Nothing => "}',",
            Tail::Facets => "',",
            Tail::First => ",%s',",
        },
    );
    sql.integer(i64::from(plan.window.limit)).push(",").integer(i64::from(plan.window.offset)).push(",count");
    sql.push(if plan.has_total() { ",total" } else { "" }).push(",coalesce(bodies,'')");
    sql.push(if tail == Tail::First { ",substr(first,2))" } else { ")" });
    sql.push(" END AS page FROM (SELECT count(*) AS count, coalesce(max(m.bytes),0) AS bytes, ");
    plan.push_total(&mut sql);
    sql.push(" AS total, group_concat(CASE WHEN m.bytes<=").integer(JOINED_BYTES);
    sql.push(" THEN (SELECT b.body FROM resource b WHERE b.seq=m.seq) END,',') AS bodies");
    if tail == Tail::First {
        let mut none = String::new();
        Content::default().write_arrays(shape, &mut none);
        sql.push(", coalesce(max(CASE WHEN m.place=1 THEN (SELECT b.body->'$.");
        sql.push(WRAPPER).push("' FROM resource b WHERE b.seq=m.seq) END),").text(&none).push(") AS first");
    }
    sql.push(" FROM (SELECT n.seq AS seq").push(if plan.has_window() { ", n.total AS total" } else { "" });
    sql.push(", row_number() OVER w AS place, sum(octet_length(b.body)) OVER w AS bytes FROM (");
    plan.push_numbers(&mut sql);
    sql.push(") n CROSS JOIN resource b ON b.seq=n.seq WINDOW w AS (ROWS UNBOUNDED PRECEDING)) m)");
    sql
}

/// Returns how many resources match, if the page has a total.
fn count_if<D: Database>(database: &D, plan: &Plan<'_>) -> Result<Option<i64>> {
    if !plan.has_total() {
        return Ok(None);
    }
    let mut sql = Sql::new("SELECT ");
    plan.push_count(&mut sql);
    sql.first_integer(database)
}

/// Returns the bodies of a page that is too long for one text.
fn bodies<D: Database>(database: &D, plan: &Plan<'_>) -> Result<Vec<String>> {
    let mut sql = Sql::new("SELECT b.body FROM (");
    plan.push_numbers(&mut sql);
    sql.push(") n CROSS JOIN resource b ON b.seq=n.seq");
    sql.rows(database, |row| row.text(0))
}

fn assemble<D: Database>(
    shape: &Shape,
    database: &D,
    window: Window<'_>,
    total: Option<i64>,
    bodies: &[String],
    tail: Tail,
) -> D::Text {
    let mut out = String::with_capacity(bodies.iter().map(String::len).sum::<usize>() + 512);
    let mut object = json::ObjectWriter::open(&mut out);
    object.integer(page::LIMIT, i64::from(window.limit));
    object.integer(page::OFFSET, i64::from(window.offset));
    object.integer(page::COUNT, bodies.len() as i64);
    if let Some(total) = total {
        object.integer(page::TOTAL, total);
    }
    object.array(page::RESULTS, bodies, |out, body| out.push_str(body));
    match tail {
        Tail::Facets => {}
        Tail::Nothing => object.close(),
        Tail::First => {
            write_first(shape, bodies, &mut object);
            object.close();
        }
    }
    database.text_of(out)
}

/// Writes the members that the wrapper of the first result has, as it was stored.
fn write_first(shape: &Shape, bodies: &[String], object: &mut json::ObjectWriter<'_>) {
    match bodies.first().and_then(|body| canonical::member(body, WRAPPER)) {
        Some(first) => {
            canonical::members(first).for_each(|(name, value)| object.member(name).push_str(value));
        }
        None => Content::default().write_array_members(shape, object),
    }
}
