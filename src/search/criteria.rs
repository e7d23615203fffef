//! The operation parameters of operation 4 as one typed value.

use serde::{Deserialize, Serialize};

use crate::contract::error::{ErrorItem, Member, Reason, quoted};
use crate::contract::limits;
use crate::contract::param::{ParamId, ParamValue, Passed, Refusal};
use crate::predicate::{Test, Typed};
use crate::shape::Shape;

use super::facet::{Facet, FacetKind, parse_facet};
use super::filter::parse_filter;
use super::fuzzy;
use super::text;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Criteria {
    /// The different words of all `text.<language>`, which must all match. The language selects no field.
    pub words: Vec<SearchWord>,
    /// `filter`: all narrow the results.
    pub filter: Vec<Typed>,
    /// `filter.query`: all narrow the results and the facets.
    pub filter_query: Vec<Typed>,
    /// `filter.facets`: all narrow the facets on other fields.
    pub filter_facets: Vec<Typed>,
    /// `facet`; no two have the same alias.
    pub facets: Vec<Facet>,
    /// `staged`. Both projections have the same contents.
    pub staged: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchWord {
    /// The word, folded.
    pub text: String,
    /// The distance within which indexed words match. 0: only the word itself. With the flag [`PREFIX`], words that
    /// begin with it match too.
    pub level: u8,
}

/// The flag in a word's level. Not a separate member, so that messages keep their form.
pub const PREFIX: u8 = 0x80;

impl Criteria {
    /// Returns the filters that a result must pass.
    pub fn of_results(&self) -> impl Iterator<Item = &Typed> {
        self.filter_query.iter().chain(&self.filter)
    }

    /// Returns the filters that a resource must pass for the facet to count it.
    pub fn of_facet<'a>(&'a self, facet: &'a Facet) -> impl Iterator<Item = &'a Typed> {
        let is_other = |filter: &&Typed| !matches!(filter, Typed::Test { path, .. } if *path == facet.path);
        self.filter_query.iter().chain(self.filter_facets.iter().filter(is_other))
    }
}

/// Decodes the parameters, except those of order and page; or returns all their errors.
pub fn decode(shape: &Shape, passed: &[Passed]) -> Result<Criteria, Vec<ErrorItem>> {
    let mut decoder = Decoder::default();
    for one in passed {
        decoder.take(shape, one);
    }
    decoder.finish()
}

#[derive(Default)]
struct Decoder {
    criteria: Criteria,
    words: Vec<String>,
    /// Whether the word that came last is the last of `words`, and not also an earlier one.
    is_last_new: bool,
    prefix: bool,
    fuzzy: bool,
    level: Option<u8>,
    filters: usize,
    facets: usize,
    filter_ranges: usize,
    facet_ranges: usize,
    errors: Vec<ErrorItem>,
}

impl Decoder {
    fn take(&mut self, shape: &Shape, passed: &Passed) {
        match (passed.id, &passed.value) {
            (ParamId::Fuzzy, ParamValue::Boolean(fuzzy)) => self.fuzzy = *fuzzy,
            (ParamId::Prefix, ParamValue::Boolean(prefix)) => self.prefix = *prefix,
            (ParamId::Staged, ParamValue::Boolean(staged)) => self.criteria.staged = *staged,
            // The parameter's type limits it to 0 to 2.
            (ParamId::FuzzyLevel, ParamValue::Whole(level)) => self.level = u8::try_from(*level).ok(),
            (ParamId::Text, ParamValue::Text(text)) => self.text(&passed.open, text),
            (ParamId::Filter | ParamId::FilterQuery | ParamId::FilterFacets, ParamValue::Text(text)) => {
                self.filter(shape, passed.id, text);
            }
            (ParamId::Facet, ParamValue::Text(text)) => self.facet(shape, text),
            _ => {}
        }
    }

    fn text(&mut self, language: &str, text: &str) {
        for word in text::words(text) {
            self.is_last_new = !self.words.contains(&word);
            if !self.is_last_new {
                continue;
            }
            if self.words.len() == limits::SEARCH_WORDS {
                let refusal = too_many("a search accepts", limits::SEARCH_WORDS, "different words");
                return self.errors.push(refusal.of(&format!("text.{language}")));
            }
            self.words.push(word);
        }
    }

    fn filter(&mut self, shape: &Shape, id: ParamId, text: &str) {
        self.filters += 1;
        if !self.fits(id, self.filters, limits::SEARCH_FILTERS, "filters") {
            return;
        }
        let filter = match parse_filter(shape, text) {
            Ok(filter) => filter,
            Err(error) => return self.fail(id, error.into()),
        };
        if let Typed::Test { test: Test::Between(intervals), .. } = &filter {
            self.filter_ranges += intervals.len();
            if self.filter_ranges > limits::SEARCH_RANGES {
                let refusal = too_many("the filters of a search accept", limits::SEARCH_RANGES, "ranges");
                return self.fail(id, refusal);
            }
        }
        match id {
            ParamId::FilterQuery => self.criteria.filter_query.push(filter),
            ParamId::FilterFacets => self.criteria.filter_facets.push(filter),
            _ => self.criteria.filter.push(filter),
        }
    }

    fn facet(&mut self, shape: &Shape, text: &str) {
        self.facets += 1;
        if !self.fits(ParamId::Facet, self.facets, limits::SEARCH_FACETS, "facets") {
            return;
        }
        let facet = match parse_facet(shape, text) {
            Ok(facet) => facet,
            Err(error) => return self.fail(ParamId::Facet, error.into()),
        };
        if let FacetKind::Ranges(ranges) = &facet.kind {
            self.facet_ranges += ranges.len();
            if self.facet_ranges > limits::SEARCH_RANGES {
                let refusal = too_many("the facets of a search accept", limits::SEARCH_RANGES, "ranges");
                return self.fail(ParamId::Facet, refusal);
            }
        }
        if self.criteria.facets.iter().any(|other| other.alias == facet.alias) {
            let alias = quoted(&facet.alias);
            let reason = format!("two facets have the name '{alias}'; rename one of them with 'as'");
            return self.fail(ParamId::Facet, Refusal::new(Reason::Duplicate, reason));
        }
        self.criteria.facets.push(facet);
    }

    /// Returns whether there are at most `max`. More are reported once, however many there are.
    fn fits(&mut self, id: ParamId, count: usize, max: usize, what: &str) -> bool {
        if count == max + 1 {
            self.fail(id, too_many("a search accepts", max, what));
        }
        count <= max
    }

    fn fail(&mut self, id: ParamId, refusal: Refusal) {
        self.errors.push(refusal.of(id.name()));
    }

    fn finish(mut self) -> Result<Criteria, Vec<ErrorItem>> {
        match fuzzy::levels(&self.words, self.fuzzy, self.level) {
            Ok(levels) => {
                let words = self.words.into_iter().zip(levels);
                self.criteria.words = words.map(|(text, level)| SearchWord { text, level }).collect();
                // If an earlier word is the same, that one must match anyway.
                if let Some(last) = self.criteria.words.last_mut().filter(|_| self.prefix && self.is_last_new)
                {
                    last.level |= PREFIX;
                }
            }
            Err(refusal) => self.fail(ParamId::FuzzyLevel, refusal),
        }
        if self.errors.is_empty() { Ok(self.criteria) } else { Err(self.errors) }
    }
}

fn too_many(who: &str, max: usize, what: &str) -> Refusal {
    Refusal::new(Reason::Count, format!("{who} at most {max} {what}")).with(Member::MaxItems, max as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::param;
    use crate::test;
    use proptest::prelude::*;

    fn read(query: &str) -> Result<Criteria, Vec<ErrorItem>> {
        let passed = param::decode(&[param::SEARCH_PARAMS, param::SEARCH_PAGE], query).unwrap();
        decode(&Shape::built_in(), &passed)
    }

    fn words(query: &str) -> Vec<(String, u8)> {
        read(query).unwrap().words.into_iter().map(|word| (word.text, word.level)).collect()
    }

    fn named(query: &str) -> Vec<String> {
        let errors = read(query).unwrap_err();
        errors.iter().map(|error| error.message.split(": ").nth(1).unwrap().to_owned()).collect()
    }

    #[test]
    fn with_prefix_the_last_word_matches_by_its_beginning_and_the_others_do_not() {
        let word = |text: &str, level| (text.to_owned(), level);
        assert_eq!(words("prefix=true&text.en=red+cha"), [word("red", 0), word("cha", PREFIX)]);
        assert_eq!(words("text.en=red+cha&prefix=false"), [word("red", 0), word("cha", 0)]);
        assert_eq!(words("prefix=true&text.en=red&text.de=cha"), [word("red", 0), word("cha", PREFIX)]);
        assert_eq!(words("prefix=true&text.en=red+cha+red"), [word("red", 0), word("cha", 0)]);
        assert_eq!(
            words("prefix=true&fuzzy=true&text.en=lamp+cha"),
            [word("lamp", 1), word("cha", PREFIX | 1)]
        );
        assert!(words("prefix=true").is_empty());
    }

    #[test]
    fn words_of_all_languages_are_searched_once_each() {
        let found = words("text.en=Blue+STRASSE&text.de-AT=Stra%C3%9Fe%20ab&text.en=blue");
        assert_eq!(
            found,
            [("blue", 0), ("strasse", 0), ("ab", 0)].map(|(word, level)| (word.to_owned(), level))
        );
        assert_eq!(words("text.en=&text.de=!"), []);
    }

    #[test]
    fn ranges_are_bounded_over_all_filters_and_over_all_facets() {
        let ranges = |count: usize| vec!["(1+to+2)"; count].join(",");
        let query = |filter: usize, facet: usize| {
            format!(
                "filter=version:range{}&filter.query=version:range{}&facet=version:range{}",
                ranges(filter),
                ranges(1),
                ranges(facet)
            )
        };
        assert!(read(&query(99, 100)).is_ok());
        assert_eq!(named(&query(100, 100)), ["filter.query"]);
        assert_eq!(named(&query(99, 101)), ["facet"]);
    }

    #[test]
    fn the_fuzzy_level_is_checked_against_the_longest_word_of_all() {
        let level = |query: &str| words(query).into_iter().map(|(_, level)| level).collect::<Vec<_>>();
        assert_eq!(level("fuzzy=true&text.en=ab+abc&text.de=abcdef"), [0, 1, 2]);
        assert_eq!(level("fuzzyLevel=1&text.en=abc+abcdef&fuzzy=true"), [1, 1]);
        assert_eq!(level("fuzzy=false&text.en=abcdef"), [0]);
        for query in [
            "fuzzyLevel=0&text.en=abcdef",
            "fuzzy=false&fuzzyLevel=1&text.en=abcdef",
            "fuzzy=true&fuzzyLevel=2&text.en=abcde",
            "fuzzy=true&fuzzyLevel=1&text.en=ab",
        ] {
            assert_eq!(named(query), ["fuzzyLevel"], "{query}");
        }
    }

    #[test]
    fn each_kind_of_filter_narrows_what_it_should() {
        let query = "filter=version:1&filter.query=version:2&filter.facets=version:3\
                     &filter.facets=custom:missing&facet=version&facet=custom&facet=id&staged=true&limit=3";
        let criteria = read(query).unwrap();
        assert!(criteria.staged);
        let shown = |filters: Vec<&Typed>| -> Vec<String> {
            let shown = |filter: &Typed| match filter {
                Typed::Test { path, test } => format!("{path} {test:?}"),
                other => panic!("{other:?}"),
            };
            filters.into_iter().map(shown).collect()
        };
        let value = |number: f64| format!("version In([Number({number:?})])");
        assert_eq!(shown(criteria.of_results().collect()), [value(2.0), value(1.0)]);
        let [version, custom, id] = &criteria.facets[..] else { panic!("{criteria:?}") };
        let missing = "custom IsNotDefined".to_owned();
        assert_eq!(shown(criteria.of_facet(version).collect()), [value(2.0), missing.clone()]);
        assert_eq!(shown(criteria.of_facet(custom).collect()), [value(2.0), value(3.0)]);
        assert_eq!(shown(criteria.of_facet(id).collect()), [value(2.0), value(3.0), missing]);
    }

    #[test]
    fn every_bad_parameter_is_named_with_its_place() {
        let query = "filter=custm:1&filter.query=custom:1&filter.facets=custom&facet=id:&fuzzyLevel=1&facet=id\
                     &facet=id&facet=key+as+id";
        let errors = read(query).unwrap_err();
        let shown: Vec<&str> =
            errors.iter().map(|error| error.message.strip_prefix("Malformed parameter: ").unwrap()).collect();
        assert_eq!(
            shown,
            [
                "filter: The field 'custm' does not exist. Did you mean 'custom'? (line 1, column 1).",
                "filter.query: Unexpected '1', expected a string in double quotes (line 1, column 8).",
                "filter.facets: Unexpected end of input, expected '.' or ':' (line 1, column 7).",
                "facet: Unexpected end of input, expected values or 'range' (line 1, column 4).",
                "facet: two facets have the name 'id'; rename one of them with 'as'.",
                "facet: two facets have the name 'id'; rename one of them with 'as'.",
                "fuzzyLevel: it requires fuzzy=true.",
            ]
        );
    }

    #[test]
    fn words_filters_and_facets_are_limited_with_one_error_each() {
        // Words of two letters, 64 per parameter.
        let letters = || ('a'..='p').flat_map(|one| ('a'..='p').map(move |other| format!("{one}{other}")));
        let all: Vec<String> = letters().collect();
        let texts: Vec<String> = all.chunks(64).map(|words| format!("text.en={}", words.join("+"))).collect();
        let texts = texts.join("&");
        assert_eq!(words(&texts).len(), limits::SEARCH_WORDS);
        assert_eq!(named(&format!("{texts}&text.de-AT=aa+more+words")), ["text.de-AT"]);
        let filters = "filter=id:exists&filter.query=id:exists&".repeat(limits::SEARCH_FILTERS / 2);
        let all = read(&filters).unwrap();
        assert_eq!(all.filter.len() + all.filter_query.len(), limits::SEARCH_FILTERS);
        assert_eq!(named(&format!("{filters}filter.facets=id:exists&filter=x")), ["filter.facets"]);
        let facets: Vec<String> =
            (0..limits::SEARCH_FACETS).map(|number| format!("facet=id+as+f{number}")).collect();
        let facets = facets.join("&");
        assert!(read(&facets).is_ok());
        assert_eq!(named(&format!("{facets}&facet=id&facet=x")), ["facet"]);
    }

    #[test]
    fn criteria_travel_unchanged() {
        let query = "fuzzy=true&text.en=Stra%C3%9Fe&filter=version:range(1+to+*)&filter.query=custom:%22a%22\
                     &filter.facets=createdAt:%221969-01-01T00:00:00.000Z%22&facet=version:range(*+to+2)+as+v\
                     &facet=custom:%22a%22+counting+products&facet=id&staged=false";
        let criteria = read(query).unwrap();
        let bytes = postcard::to_allocvec(&criteria).unwrap();
        assert_eq!(postcard::from_bytes::<Criteria>(&bytes).unwrap(), criteria);
    }

    proptest! {
        #[test]
        fn no_parameters_panic(texts in proptest::collection::vec((0..6_usize, any::<String>()), 0..8)) {
            let ids = [
                ParamId::Text, ParamId::Filter, ParamId::FilterQuery, ParamId::FilterFacets, ParamId::Facet,
                ParamId::Fuzzy,
            ];
            let passed: Vec<Passed> = texts
                .into_iter()
                .map(|(id, text)| Passed { id: ids[id], open: "en".to_owned(), value: ParamValue::Text(text) })
                .collect();
            let _ = decode(&Shape::built_in(), &passed);
        }
    }
}
