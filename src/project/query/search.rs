//! Operation 4: words, filters, relevance, and facets.

use crate::call::{CallResult, Reply, Search};
use crate::contract::error::quoted;
use crate::contract::limits::{self, work};
use crate::contract::param::ParamId;
use crate::contract::response::operations::search_page;
use crate::predicate::Typed;
use crate::search::{self, Criteria, Matcher, Outline, PREFIX, SearchWord};

use super::budget::{Reading, Work, too_much};
use super::facets::FacetCount;
use super::page::{self, Tail};
use super::plan::candidates::Constraints;
use super::plan::order::{self, Window};
use super::sql::builder::Sql;
use crate::project::failure::Failure;
use crate::project::store::database::{Database, Result};
use crate::project::store::index::values::IndexValue;
use crate::project::store::index::words;

/// The maximum number of words of the index that one statement returns, and of their bytes.
const TERMS: usize = 4_096;
const TERM_BYTES: usize = 1_000_000;
/// The occurrences of words are not counted if so many times as many fit the budget.
const FEW: u64 = 8;

/// The words of a search as an FTS5 expression, and their number, with and without similar ones.
struct Words {
    expression: String,
    count: u64,
    searched: i64,
    /// The maximum number of resources that can have them all.
    matches: i64,
}

impl Words {
    /// Spends the cost of all their occurrences in the resources. FTS5 finds the next one among those of all words.
    fn spend_occurrences<D: Database>(&self, work: &Work<'_, D>) -> Result<bool> {
        let repeats = i64::try_from(limits::SEARCH_REPEATS as u64 * self.count).unwrap_or(i64::MAX);
        let units = work::OCCURRENCE + self.count / work::WORDS_PER_UNIT;
        let most = self.matches.saturating_mul(repeats);
        if work.fits(most, FEW * units) {
            return Ok(work.spend(most, units));
        }
        // Several words of the search may be similar to the same one.
        let all = words::total(work.database)?.saturating_mul(self.searched);
        Ok(work.spend(most.min(all), units))
    }
}

pub(crate) fn page<D: Database>(work: &Work<'_, D>, request: &Search) -> Result<Reply<D::Text>, Failure> {
    let criteria = &request.criteria;
    let filters: Vec<&Typed> = criteria.of_results().collect();
    let words = words(work, &criteria.words)?;
    let expression = words.as_ref().map(|words| words.expression.as_str());
    let constraints = Constraints { filters: &filters, words: expression, ..Constraints::of(work.fields) };
    let constraints = constraints.with_sets(work)?;
    let Search { sort, limit, offset, .. } = request;
    let window = Window { sort, limit: *limit, offset: *offset, with_total: true };
    if let Some(words) = &words {
        spend_matches(work, words, &constraints, request)?;
    }
    // Checks the budget before the page is built.
    let narrowed: Vec<Vec<&Typed>> =
        criteria.facets.iter().map(|facet| criteria.of_facet(facet).collect()).collect();
    let counts = facet_counts(work, criteria, &narrowed, words.as_ref())?;
    let mut reply = match expression {
        Some(words) if request.sort.is_empty() => {
            order::check_sets(work, &constraints)?;
            let mut plan = order::by_relevance(constraints, words, window);
            let text = page::render(work, &mut plan, Tail::Facets)?.ok_or_else(page::without_guess)?;
            Reply::of_query(CallResult::Performed, Some(text), plan.by_index)
        }
        _ => page::plan_and_render(work, constraints, window, Tail::Facets)?,
    };
    if let Some(text) = reply.body.take() {
        let counts: Vec<_> = counts.iter().map(|facet| facet.count(work)).collect::<Result<_, _>>()?;
        // The facets are the last member of the page.
        let mut end = [",\"", search_page::FACETS, "\":"].concat();
        search::write_facets(&mut end, criteria.facets.iter().zip(&counts));
        end.push('}');
        reply.body = Some(work.database.append(text, &end));
    }
    Ok(reply)
}

/// Spends the cost of the resources that have the words.
fn spend_matches<D: Database>(
    work: &Work<'_, D>,
    words: &Words,
    constraints: &Constraints<'_>,
    request: &Search,
) -> Result<(), Failure> {
    let all = |sql: &mut Sql| {
        sql.push("r.seq IN (SELECT rowid FROM text WHERE text MATCH ").text(&words.expression);
        sql.push(")");
    };
    let reading = constraints.reading(None).and(Reading::of_keys(request.sort.iter().map(|key| &key.path)));
    let contents = work.contents(reading, Some(&all), 1)?;
    if request.sort.is_empty() && !words.spend_occurrences(work)? {
        return Err(common_words());
    }
    if work.spend(words.matches, ordering(words, constraints, request)) && work.spend(1, contents) {
        return Ok(());
    }
    Err(common_words())
}

/// Returns the cost of ranking or sorting a resource that has the words.
fn ordering(words: &Words, constraints: &Constraints<'_>, request: &Search) -> u64 {
    if request.sort.is_empty() {
        work::RANK
            + work::POSTING * words.count
            + if constraints.filters.is_empty() { 0 } else { constraints.units() }
    } else {
        constraints.units() + work::KEY * request.sort.len() as u64
    }
}

/// Returns what each facet counts, and spends the cost.
fn facet_counts<'q, D: Database>(
    work: &Work<'q, D>,
    criteria: &'q Criteria,
    narrowed: &'q [Vec<&'q Typed>],
    words: Option<&'q Words>,
) -> Result<Vec<FacetCount<'q>>, Failure> {
    let expression = words.map(|words| words.expression.as_str());
    let matches = words.map_or(0, |words| words.matches);
    let mut all = Vec::with_capacity(narrowed.len());
    for (facet, filters) in criteria.facets.iter().zip(narrowed) {
        let constraints = Constraints { filters, words: expression, ..Constraints::of(work.fields) };
        let count = FacetCount::new(work, facet, constraints)?;
        if !count.spend(work, matches)? {
            let reason = "the facets count too many values; send fewer facets, or narrow them with filter.query, \
                          filter.facets, or words that fewer resources have";
            return Err(too_much(ParamId::Facet.name(), reason).into());
        }
        all.push(count);
    }
    Ok(all)
}

fn words<D: Database>(work: &Work<'_, D>, words: &[SearchWord]) -> Result<Option<Words>, Failure> {
    if words.is_empty() {
        return Ok(None);
    }
    let groups = near(work, words)?;
    let count = groups.iter().map(Vec::len).sum::<usize>() as u64;
    let searched = words.len() as i64;
    if !work.spend(searched, work::WORD) {
        return Err(common_words());
    }
    let matches = matches(work, &groups)?;
    // A word without any similar word in the index matches nothing: no word has a space.
    let expression = search::match_expression(groups).unwrap_or_else(|| "\" \"".to_owned());
    Ok(Some(Words { expression, count, searched, matches }))
}

fn common_words() -> Failure {
    let reason = "too many resources have these words or similar ones; send fewer or rarer words";
    too_much(ParamId::Text.name(), reason).into()
}

fn many_words() -> Failure {
    let reason =
        "the resources have too many different words for these fuzzy words; send fewer, or fuzzy=false";
    too_much(ParamId::Fuzzy.name(), reason).into()
}

fn many_beginnings(word: &str) -> Failure {
    let word = quoted(word);
    let reason = format!("too many different words begin with '{word}'; send more letters, or prefix=false");
    too_much(ParamId::Prefix.name(), &reason).into()
}

/// Returns the words of the index that begin with a text, in their order.
fn beginning<D: Database>(work: &Work<'_, D>, prefix: &str) -> Result<Vec<String>, Failure> {
    let max = limits::SEARCH_PREFIX_WORDS as i64;
    // To return a word, FTS5 reads all its occurrences.
    if !spend_reading(work)? {
        return Err(many_beginnings(prefix));
    }
    let mut sql =
        Sql::new("SELECT count(*), group_concat(term,' ') FROM (SELECT term FROM vocabulary WHERE term>=");
    // No word has this character, which is after all others.
    sql.text(prefix).push(" AND term<").text(&[prefix, "\u{10ffff}"].concat());
    sql.push(" LIMIT ").integer(max + 1).push(")");
    let found = sql.first(work.database, |row| Some((row.integer(0)?, row.text(1).unwrap_or_default())))?;
    let (count, terms) = found.unwrap_or_default();
    if count > max || !work.spend(count, work::TERM + work::SIMILAR) {
        return Err(many_beginnings(prefix));
    }
    Ok(terms.split(' ').filter(|term| !term.is_empty()).map(str::to_owned).collect())
}

/// Spends the cost of reading all words of the index with their occurrences. Returns whether they fit.
fn spend_reading<D: Database>(work: &Work<'_, D>) -> Result<bool> {
    // FTS5 reads each resource that has a word of the index. An occurrence has a byte at least.
    let bytes = i64::try_from(work.database.bytes()?).unwrap_or(i64::MAX);
    let few = work.fits(bytes, FEW * work::READ_WORD);
    Ok(work.spend(if few { bytes } else { words::total(work.database)? }, work::READ_WORD))
}

/// Returns the words of the index within the distance of each word. Reads the index once for all fuzzy words.
fn near<D: Database>(work: &Work<'_, D>, words: &[SearchWord]) -> Result<Vec<Vec<String>>, Failure> {
    let mut groups: Vec<Vec<String>> = Vec::with_capacity(words.len());
    let mut matchers: Vec<Similar<'_>> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let level = word.level & !PREFIX;
        let prefix = (word.level & PREFIX != 0).then_some(word.text.as_str());
        groups.push(match prefix {
            Some(prefix) => beginning(work, prefix)?,
            None if level == 0 => vec![word.text.clone()],
            None => Vec::new(),
        });
        if level > 0 {
            matchers.push(Similar { at, matcher: Matcher::new(&word.text, level), prefix });
        }
    }
    let lengths = matchers.iter().map(|one| one.matcher.lengths());
    let Some((shortest, longest)) = lengths.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
    else {
        return Ok(groups);
    };
    if !spend_reading(work)? {
        return Err(many_words());
    }
    // A character has at most four bytes.
    let max = (TERM_BYTES / (4 * longest + 1)).min(TERMS);
    let mut after = String::new();
    loop {
        let Some((last, count, terms)) = vocabulary(work.database, &after, max, [shortest, longest])? else {
            return Ok(groups);
        };
        if !work.spend(count, work::TERM + work::FUZZY * matchers.len() as u64) {
            return Err(many_words());
        }
        if !add_similar(work, &mut groups, &mut matchers, &terms) {
            return Err(many_words());
        }
        if count < max as i64 {
            return Ok(groups);
        }
        after = last;
    }
}

/// A fuzzy word: its group, and what the group has already if it also matches words that begin with it.
struct Similar<'w> {
    at: usize,
    matcher: Matcher,
    prefix: Option<&'w str>,
}

/// Adds words of the index to the group of each matcher that they match. Returns whether that fits the budget.
fn add_similar<D: Database>(
    work: &Work<'_, D>,
    groups: &mut [Vec<String>],
    matchers: &mut [Similar<'_>],
    terms: &str,
) -> bool {
    for term in terms.split(' ').filter(|term| !term.is_empty()) {
        let outline = Outline::of(term);
        for Similar { at, matcher, prefix } in matchers.iter_mut() {
            if !matcher.may_match(outline) || prefix.is_some_and(|prefix| term.starts_with(prefix)) {
                continue;
            }
            if !work.spend(1, work::DISTANCE) {
                return false;
            }
            if matcher.distance(term).is_some()
                && let Some(group) = groups.get_mut(*at)
            {
                if !work.spend(1, work::SIMILAR) {
                    return false;
                }
                group.push(term.to_owned());
            }
        }
    }
    true
}

/// Reads at most `max` words of the index after `after`. Returns the last word, the number of words, and the words
/// whose length is in the range, separated by spaces; `None` if there are no more.
fn vocabulary<D: Database>(
    database: &D,
    after: &str,
    max: usize,
    [shortest, longest]: [usize; 2],
) -> Result<Option<(String, i64, String)>> {
    let mut sql = Sql::new("SELECT max(term), count(*), group_concat(CASE WHEN length(term) BETWEEN ");
    sql.integer(shortest as i64).push(" AND ").integer(longest as i64);
    sql.push(" THEN term END,' ') FROM (SELECT term FROM vocabulary WHERE term>").text(after);
    sql.push(" LIMIT ").integer(max as i64).push(")");
    sql.first(database, |row| {
        Some((row.text(0)?, row.integer(1).unwrap_or(0), row.text(2).unwrap_or_default()))
    })
}

/// Returns how many resources can have a word of each group. Counts the resources, within the budget, only if the words
/// could exceed it in a collection of this size.
fn matches<D: Database>(work: &Work<'_, D>, groups: &[Vec<String>]) -> Result<i64, Failure> {
    let size = work.size()?;
    let count = groups.iter().map(Vec::len).sum::<usize>() as u64;
    let worst = 2 * work::POSTING * count + work::RANK;
    if work.fits(size, worst) {
        work.spend(size, work::POSTING * count);
        return Ok(size);
    }
    // The counts spend at most an eighth of the budget.
    let bound = work.rows(8 * work::POSTING * count).max(1);
    let expressions: Vec<String> =
        groups.iter().filter_map(|group| search::match_expression([group.as_slice()])).collect();
    if expressions.len() < groups.len() {
        return Ok(0);
    }
    let mut sql = Sql::new("SELECT (SELECT count(*) FROM (SELECT 1 FROM text WHERE text MATCH w.item LIMIT ");
    sql.integer(bound).push(")) AS n FROM ");
    sql.list(&expressions.iter().map(|expression| IndexValue::text(expression)).collect::<Vec<_>>());
    sql.push(" w");
    let bounded = |count| if count < bound { count } else { size };
    let counts = sql.rows(work.database, |row| row.integer(0).map(bounded))?;
    for (count, group) in counts.iter().zip(groups) {
        if !work.spend(*count, work::POSTING * group.len() as u64) {
            return Err(common_words());
        }
    }
    Ok(counts.into_iter().min().unwrap_or(size))
}
