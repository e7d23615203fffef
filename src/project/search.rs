//! Operation 4: words, filters, relevance and facets.

use crate::call::Search;
use crate::contract::reply::Reply;
use crate::search::{self, Criteria, Filter, Matcher, SearchWord};

use super::Performed;
use super::database::{Database, StoreError};
use super::facets;
use super::narrow::Narrow;
use super::order::{self, Selected, Window};
use super::query;
use super::sql::Sql;

/// The page of a search with its facets.
pub(super) fn page<D: Database>(database: &D, request: &Search) -> Result<Performed, StoreError> {
    let criteria = &request.criteria;
    let Some(words) = expression(database, &criteria.words)? else {
        return nothing(database, request);
    };
    let words = (!criteria.words.is_empty()).then_some(words.as_str());
    let filters: Vec<&Filter> = criteria.of_results().collect();
    let narrow = Narrow { condition: None, filters: &filters, words };
    let window = window(request);
    let selected = match words {
        Some(words) if request.sort.is_empty() => Ok(by_relevance(database, &narrow, words, window)?),
        _ => order::page(database, &narrow, window)?,
    };
    let Selected { seqs, by_index } = match selected {
        Ok(selected) => selected,
        Err(error) => return Ok(error.into()),
    };
    let total = match query::count(database, &narrow)? {
        Ok(total) => total,
        Err(error) => return Ok(error.into()),
    };
    answer(database, request, words, &seqs, total, by_index)
}

/// A word without any near one in the index matches nothing: no results, and facets of nothing.
fn nothing<D: Database>(database: &D, request: &Search) -> Result<Performed, StoreError> {
    // An expression that no row satisfies: no word holds a space.
    answer(database, request, Some("\" \""), &[], 0, true)
}

fn answer<D: Database>(
    database: &D,
    request: &Search,
    words: Option<&str>,
    seqs: &[i64],
    total: i64,
    by_index: bool,
) -> Result<Performed, StoreError> {
    let bodies = match query::bodies(database, seqs)? {
        Ok(bodies) => bodies,
        Err(error) => return Ok(error.into()),
    };
    let facets = facets(database, &request.criteria, words)?;
    let mut out = String::new();
    let mut object = query::envelope(&mut out, window(request), Some(total), &bodies);
    search::write_facets(object.member("facets"), request.criteria.facets.iter().zip(&facets));
    object.close();
    Ok(Performed { reply: Reply::Page(out), by_index: Some(by_index) })
}

fn facets<D: Database>(
    database: &D,
    criteria: &Criteria,
    words: Option<&str>,
) -> Result<Vec<search::FacetResult>, StoreError> {
    let each = criteria.facets.iter().map(|facet| {
        let filters: Vec<&Filter> = criteria.of_facet(facet).collect();
        facets::count(database, facet, &Narrow { condition: None, filters: &filters, words })
    });
    each.collect()
}

fn window(request: &Search) -> Window<'_> {
    Window { sort: &request.sort, limit: request.limit, offset: request.offset }
}

/// The best matches first; ties in the order of creation.
fn by_relevance<D: Database>(
    database: &D,
    narrow: &Narrow<'_>,
    words: &str,
    window: Window<'_>,
) -> Result<Selected, StoreError> {
    let mut sql =
        Sql::new("SELECT r.seq FROM text x CROSS JOIN resource r ON r.seq = x.rowid WHERE x.text MATCH ");
    sql.value(super::terms::Value::Text(words));
    narrow.push(&mut sql);
    sql.push(" ORDER BY bm25(x.text), r.seq LIMIT ")
        .integer(i64::from(window.limit))
        .push(" OFFSET ")
        .integer(i64::from(window.offset));
    Ok(Selected { seqs: sql.integers(database)?, by_index: true })
}

/// The FTS5 expression for the words, fuzzy ones as all the words of the index that are near; empty without words, `None`
/// where a word has none near.
fn expression<D: Database>(database: &D, words: &[SearchWord]) -> Result<Option<String>, StoreError> {
    if words.is_empty() {
        return Ok(Some(String::new()));
    }
    let mut groups: Vec<Vec<String>> = Vec::with_capacity(words.len());
    for word in words {
        groups.push(if word.level == 0 { vec![word.text.clone()] } else { near(database, word)? });
    }
    Ok(search::match_expression(groups))
}

/// The words of the index within the word's distance.
fn near<D: Database>(database: &D, word: &SearchWord) -> Result<Vec<String>, StoreError> {
    let mut matcher = Matcher::new(&word.text, word.level);
    let chars = word.text.chars().count() as i64;
    let level = i64::from(word.level);
    let mut sql = Sql::new("SELECT term FROM vocabulary WHERE length(term) BETWEEN ");
    sql.integer(chars - level).push(" AND ").integer(chars + level);
    let mut found = Vec::new();
    sql.query(database, &mut |row| {
        let term = row.text(0).ok_or_else(|| StoreError("unexpected row of the vocabulary".to_owned()))?;
        if matcher.distance(&term).is_some() {
            found.push(term);
        }
        Ok(())
    })?;
    Ok(found)
}
