//! Operations 1, 5 and 12: the page as JSON, the count, and whether anything matches.

use crate::call::Query;
use crate::contract::error::{ApiError, Code};
use crate::contract::field::Sort;
use crate::contract::json;
use crate::contract::limits;
use crate::contract::model::Arrays;
use crate::contract::reply::Reply;
use crate::validate;

use super::condition;
use super::database::{Database, StoreError};
use super::sql::Sql;

/// The page of a query; with `with_first`, the arrays of its first result beside it (D21).
pub(super) fn page<D: Database>(database: &D, query: &Query, with_first: bool) -> Result<Reply, StoreError> {
    let mut sql = Sql::new("SELECT r.body FROM resource r WHERE ");
    condition::push(&mut sql, &query.condition);
    order(&mut sql, &query.sort);
    sql.push(" LIMIT ").integer(i64::from(query.limit)).push(" OFFSET ").integer(i64::from(query.offset));
    let mut bodies: Vec<String> = Vec::new();
    let mut bytes = 0;
    sql.query(database, &mut |row| {
        let body = row.text(0).ok_or_else(|| StoreError("unexpected row of a query".to_owned()))?;
        bytes += body.len();
        // Past the bound only the count goes on, so that memory does not.
        if bytes <= limits::PAGE_BYTES {
            bodies.push(body);
        }
        Ok(())
    })?;
    if bytes > limits::PAGE_BYTES {
        return Ok(Reply::Error(ApiError::parameter(
            Code::InvalidInput,
            "limit",
            &format!("the page would pass {} bytes; pass a lower limit", limits::PAGE_BYTES),
        )));
    }
    let total = if query.with_total { count(database, query)? } else { None };
    Ok(Reply::Page(envelope(query, total, &bodies, with_first)?))
}

/// Whether anything matches, `limit` and `offset` aside (D24).
pub(super) fn exists<D: Database>(database: &D, query: &Query) -> Result<bool, StoreError> {
    let mut sql = Sql::new("SELECT 1 FROM resource r WHERE ");
    condition::push(&mut sql, &query.condition);
    sql.push(" LIMIT 1");
    Ok(sql.first_integer(database)?.is_some())
}

fn count<D: Database>(database: &D, query: &Query) -> Result<Option<i64>, StoreError> {
    let mut sql = Sql::new("SELECT count(*) FROM resource r WHERE ");
    condition::push(&mut sql, &query.condition);
    sql.first_integer(database)
}

fn envelope(
    query: &Query,
    total: Option<i64>,
    bodies: &[String],
    with_first: bool,
) -> Result<String, StoreError> {
    let mut out = String::with_capacity(bodies.iter().map(String::len).sum::<usize>() + 512);
    let mut object = json::Object::open(&mut out);
    object.integer("limit", i64::from(query.limit));
    object.integer("offset", i64::from(query.offset));
    object.integer("count", bodies.len() as i64);
    if let Some(total) = total {
        object.integer("total", total);
    }
    object.array("results", bodies, |out, body| out.push_str(body));
    if with_first {
        let arrays = match bodies.first() {
            None => Arrays::default(),
            Some(body) => {
                validate::stored_record(body.as_bytes())
                    .ok_or_else(|| StoreError("a record cannot be read back".to_owned()))?
                    .arrays
            }
        };
        arrays.write_members(&mut object);
    }
    object.close();
    Ok(out)
}

/// D27: an array sorts by its smallest item ascending and its largest descending, absent values last, ties by creation.
fn order(sql: &mut Sql, sort: &[Sort]) {
    sql.push(" ORDER BY ");
    for Sort { path, descending } in sort {
        if let Some(column) = condition::column(*path) {
            sql.push(column);
        } else {
            sql.push(if *descending { "(SELECT max(t.value)" } else { "(SELECT min(t.value)" });
            sql.push(" FROM term t WHERE t.resource = r.seq AND t.path = ").path(*path).push(")");
        }
        sql.push(if *descending { " DESC NULLS LAST, " } else { " ASC NULLS LAST, " });
    }
    sql.push("r.seq");
}
