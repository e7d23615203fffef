//! Operations 1, 5 and 12: the page as JSON, the count, and whether anything matches.

use crate::call::Query;
use crate::contract::error::{ApiError, Code};
use crate::contract::json;
use crate::contract::limits;
use crate::contract::model::Arrays;
use crate::contract::param::ParamId;
use crate::contract::reply::Reply;
use crate::validate;

use super::Performed;
use super::database::{Bind, Database, StoreError};
use super::narrow::{Narrow, SCAN_ROWS};
use super::order::{self, Selected, Window};
use super::sql::Sql;

/// The page of a query; with `with_first`, the arrays of its first result beside it (D21).
pub(super) fn page<D: Database>(
    database: &D,
    query: &Query,
    with_first: bool,
) -> Result<Performed, StoreError> {
    let narrow = Narrow { condition: Some(&query.condition), ..Narrow::default() };
    let window = Window { sort: &query.sort, limit: query.limit, offset: query.offset };
    let Selected { seqs, by_index } = match order::page(database, &narrow, window)? {
        Ok(selected) => selected,
        Err(error) => return Ok(error.into()),
    };
    let total = match query.with_total.then(|| count(database, &narrow)).transpose()? {
        Some(Err(error)) => return Ok(error.into()),
        Some(Ok(total)) => Some(total),
        None => None,
    };
    let bodies = match bodies(database, &seqs)? {
        Ok(bodies) => bodies,
        Err(error) => return Ok(error.into()),
    };
    let mut out = String::new();
    let mut object = envelope(&mut out, window, total, &bodies);
    if with_first {
        first_arrays(&bodies)?.write_members(&mut object);
    }
    object.close();
    Ok(Performed { reply: Reply::Page(out), by_index: Some(by_index) })
}

/// Whether anything matches, `limit` and `offset` aside (D24).
pub(super) fn exists<D: Database>(database: &D, query: &Query) -> Result<Performed, StoreError> {
    let narrow = Narrow { condition: Some(&query.condition), ..Narrow::default() };
    let window = Window { sort: &[], limit: 1, offset: 0 };
    Ok(match order::page(database, &narrow, window)? {
        Ok(Selected { seqs, by_index }) => {
            Performed { reply: Reply::Exists(!seqs.is_empty()), by_index: Some(by_index) }
        }
        Err(error) => error.into(),
    })
}

/// How many resources match; `Err` inside where too many would have to be looked at.
pub(super) fn count<D: Database>(
    database: &D,
    narrow: &Narrow<'_>,
) -> Result<Result<i64, ApiError>, StoreError> {
    let mut sql = Sql::new("SELECT count(*) FROM resource r WHERE ");
    if let Some(driver) = narrow.driver(database)? {
        driver.push(&mut sql);
    } else {
        if !narrow.is_everything() && order::rows(database)? > SCAN_ROWS {
            let reason = format!(
                "no index narrows the result, and the project has more than the {SCAN_ROWS} resources that one query \
                 looks at; pass withTotal=false"
            );
            return Ok(Err(ApiError::parameter(Code::InvalidInput, ParamId::WithTotal.name(), &reason)));
        }
        sql.push("1");
    }
    narrow.push(&mut sql);
    Ok(Ok(sql.first_integer(database)?.unwrap_or(0)))
}

/// The bodies of the resources, in their order; `Err` inside where they would pass 16 MiB (D21).
pub(super) fn bodies<D: Database>(
    database: &D,
    seqs: &[i64],
) -> Result<Result<Vec<String>, ApiError>, StoreError> {
    if seqs.is_empty() {
        return Ok(Ok(Vec::new()));
    }
    let mut list = String::new();
    json::array(&mut list, seqs, |out, seq| json::integer(out, *seq));
    let list = [Bind::Text(&list)];
    // Asked first, because a page that is refused must not be in memory.
    let bytes = database.first(
        "SELECT coalesce(sum(octet_length(r.body)), 0) FROM json_each(?) j CROSS JOIN resource r ON r.seq = j.value",
        &list,
        |row| row.integer(0),
    )?;
    if bytes.is_none_or(|bytes| bytes > limits::PAGE_BYTES as i64) {
        let reason = format!("the page would pass {} bytes; pass a lower limit", limits::PAGE_BYTES);
        return Ok(Err(ApiError::parameter(Code::InvalidInput, ParamId::Limit.name(), &reason)));
    }
    let mut bodies: Vec<String> = Vec::with_capacity(seqs.len());
    database.query(
        "SELECT r.body FROM json_each(?) j CROSS JOIN resource r ON r.seq = j.value ORDER BY j.key",
        &list,
        &mut |row| {
            bodies.push(row.text(0).ok_or_else(|| StoreError("unexpected row of a query".to_owned()))?);
            Ok(())
        },
    )?;
    Ok(Ok(bodies))
}

/// Opens the paged envelope and writes its members (D21).
pub(super) fn envelope<'o>(
    out: &'o mut String,
    window: Window<'_>,
    total: Option<i64>,
    bodies: &[String],
) -> json::Object<'o> {
    out.reserve(bodies.iter().map(String::len).sum::<usize>() + 512);
    let mut object = json::Object::open(out);
    object.integer("limit", i64::from(window.limit));
    object.integer("offset", i64::from(window.offset));
    object.integer("count", bodies.len() as i64);
    if let Some(total) = total {
        object.integer("total", total);
    }
    object.array("results", bodies, |out, body| out.push_str(body));
    object
}

fn first_arrays(bodies: &[String]) -> Result<Arrays, StoreError> {
    let Some(body) = bodies.first() else { return Ok(Arrays::default()) };
    let record = validate::stored_record(body.as_bytes());
    Ok(record.ok_or_else(|| StoreError("a record cannot be read back".to_owned()))?.arrays)
}
