//! Operation 4: words, filters, relevance and facets.

use crate::call::Search;
use crate::contract::reply::{CallResult, Reply};
use crate::search::{self, Criteria, Filter, Matcher, SearchWord};

use super::database::{Database, StoreError};
use super::facets;
use super::narrow::Narrow;
use super::order::{self, Window};
use super::query::{self, Rendered, Tail};
use super::records::Size;
use super::sql::Sql;

/// The page of a search with its facets.
pub(super) fn page<D: Database>(
    database: &D,
    size: &Size,
    request: &Search,
) -> Result<Reply<D::Text>, StoreError> {
    let criteria = &request.criteria;
    // A word without any near one in the index matches nothing: no word has a space.
    let words = expression(database, &criteria.words)?.unwrap_or_else(|| "\" \"".to_owned());
    let words = (!criteria.words.is_empty()).then_some(words.as_str());
    let filters: Vec<&Filter> = criteria.of_results().collect();
    let narrow = Narrow { condition: None, filters: &filters, words };
    let window = Window { sort: &request.sort, limit: request.limit, offset: request.offset };
    let mut reply = match words {
        Some(words) if request.sort.is_empty() => {
            let mut plan = order::by_relevance(narrow, words, window);
            match query::render(database, &mut plan, window, Tail::Facets)? {
                Rendered::Text(text) => Reply::of_query(CallResult::Page, Some(text), plan.by_index),
                Rendered::Error(error) => error.into(),
                Rendered::Refused => return Err(StoreError("a plan without a guess was refused".to_owned())),
            }
        }
        _ => query::planned(database, size, narrow, window, true, Tail::Facets)?,
    };
    let Some(text) = reply.body.take() else { return Ok(reply) };
    let facets = facets(database, criteria, words)?;
    let mut tail = ",\"facets\":".to_owned();
    search::write_facets(&mut tail, criteria.facets.iter().zip(&facets));
    tail.push('}');
    reply.body = Some(database.append(text, &tail));
    Ok(reply)
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
