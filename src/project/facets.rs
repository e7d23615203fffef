//! Counting facets over the resources that a search reaches (contract, section 6).

use crate::contract::limits;
use crate::search::{
    DataType, Facet, FacetKind, FacetRange, FacetResult, Filter, RangeResult, TermCount, Value,
};

use super::condition;
use super::database::{Database, StoreError};
use super::narrow::Narrow;
use super::sql::Sql;
use super::terms;

/// Counts a facet over what is narrowed.
pub(super) fn count<D: Database>(
    database: &D,
    facet: &Facet,
    narrow: &Narrow<'_>,
) -> Result<FacetResult, StoreError> {
    match &facet.kind {
        FacetKind::Terms => terms(database, facet, narrow),
        FacetKind::Filtered(values) => filtered(database, facet, values, narrow),
        FacetKind::Ranges(ranges) => ranges
            .iter()
            .map(|range| in_range(database, facet, range, narrow))
            .collect::<Result<_, _>>()
            .map(FacetResult::Ranges),
    }
}

/// ` FROM …` the field's values, each with its resource: `v.value`, `v.resource`.
fn push_values<D: Database>(
    database: &D,
    sql: &mut Sql,
    facet: &Facet,
    narrow: &Narrow<'_>,
) -> Result<(), StoreError> {
    match condition::column(facet.path) {
        Some(column) => sql
            .push(" FROM (SELECT ")
            .push(column)
            .push(" AS value, seq AS resource FROM resource WHERE ")
            .push(column)
            .push(" IS NOT NULL) v WHERE 1"),
        None => sql.push(" FROM term v WHERE v.path = ").path(facet.path),
    };
    if !narrow.is_everything() {
        sql.push(" AND v.resource IN (");
        push_reached(database, sql, narrow)?;
        sql.push(")");
    }
    Ok(())
}

/// The numbers of the resources that are reached.
fn push_reached<D: Database>(database: &D, sql: &mut Sql, narrow: &Narrow<'_>) -> Result<(), StoreError> {
    sql.push("SELECT r.seq FROM resource r WHERE ");
    let driver = narrow.driver(database, false)?;
    match &driver {
        Some(driver) => driver.push(sql),
        None => {
            sql.push("1");
        }
    }
    narrow.push(sql, driver.as_ref());
    Ok(())
}

fn terms<D: Database>(database: &D, facet: &Facet, narrow: &Narrow<'_>) -> Result<FacetResult, StoreError> {
    let mut sql =
        Sql::new("SELECT value, count, sum(count) OVER () FROM (SELECT v.value AS value, count(*) AS count");
    push_values(database, &mut sql, facet, narrow)?;
    sql.push(" GROUP BY v.value) ORDER BY count DESC, value LIMIT ").integer(limits::FACET_TERMS as i64);
    let mut terms = Vec::new();
    let mut total = 0;
    sql.query(database, &mut |row| {
        let read = || {
            let term = match facet.data_type {
                DataType::Text => Value::Text(row.text(0)?),
                DataType::Number => Value::Number(row.real(0)?),
                DataType::DateTime => Value::DateTime(row.integer(0)?),
            };
            Some((term, u64::try_from(row.integer(1)?).ok()?, u64::try_from(row.integer(2)?).ok()?))
        };
        let (term, count, sum) = read().ok_or_else(|| StoreError("unexpected row of a facet".to_owned()))?;
        terms.push(TermCount { term, count });
        total = sum;
        Ok(())
    })?;
    Ok(FacetResult::Terms { missing: missing(database, facet, narrow)?, total, terms })
}

fn missing<D: Database>(database: &D, facet: &Facet, narrow: &Narrow<'_>) -> Result<u64, StoreError> {
    let missing = Filter { path: facet.path, test: crate::search::FilterTest::Missing };
    counted(database, narrow, &missing)
}

/// How many of the resources that are reached pass one more filter.
fn counted<D: Database>(database: &D, narrow: &Narrow<'_>, filter: &Filter) -> Result<u64, StoreError> {
    let mut sql = Sql::new("SELECT count(*) FROM resource r WHERE r.seq IN (");
    push_reached(database, &mut sql, narrow)?;
    sql.push(") AND ");
    condition::push_filter(&mut sql, filter);
    Ok(sql.first_integer(database)?.and_then(|count| u64::try_from(count).ok()).unwrap_or(0))
}

fn filtered<D: Database>(
    database: &D,
    facet: &Facet,
    values: &[Value],
    narrow: &Narrow<'_>,
) -> Result<FacetResult, StoreError> {
    let filter = Filter { path: facet.path, test: crate::search::FilterTest::Values(values.to_vec()) };
    Ok(FacetResult::Filter { count: counted(database, narrow, &filter)? })
}

fn in_range<D: Database>(
    database: &D,
    facet: &Facet,
    range: &FacetRange,
    narrow: &Narrow<'_>,
) -> Result<RangeResult, StoreError> {
    let mut sql =
        Sql::new("SELECT count(DISTINCT v.resource), count(*), total(v.value), min(v.value), max(v.value)");
    push_values(database, &mut sql, facet, narrow)?;
    for (bound, comparison) in [(&range.from, " AND v.value >= "), (&range.to, " AND v.value < ")] {
        if let Some(bound) = bound {
            sql.push(comparison).value(terms::Value::Number(bound.value));
        }
    }
    let mut found = None;
    sql.query(database, &mut |row| {
        let whole = |column| row.integer(column).and_then(|count| u64::try_from(count).ok());
        found = whole(0).zip(whole(1)).map(|(count, values)| RangeResult {
            range: range.clone(),
            count,
            values,
            total: row.real(2).unwrap_or(0.0),
            min: row.real(3).unwrap_or(0.0),
            max: row.real(4).unwrap_or(0.0),
        });
        Ok(())
    })?;
    found.ok_or_else(|| StoreError("unexpected row of a facet".to_owned()))
}
