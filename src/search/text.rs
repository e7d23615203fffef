//! The words of a text, and their way through FTS5 and back without a change.
//!
//! A text is cut at [`limits::SEARCH_TEXT_CHARS`], case-folded as a whole, and then split at Unicode word boundaries
//! (UAX #29), so that texts which differ only in case have the same words. A segment is a word if it contains a letter,
//! a digit, or a pictograph. Nothing else is normalized: a composed é and one made of two characters are different.
//!
//! Words contain apostrophes, dots, underscores, marks, joiners, and emoji. FTS5's tokenizers would split or fold them
//! again. [`FTS5_TOKENIZE`] keeps them whole: the `ascii` tokenizer treats every character beyond ASCII as part of a
//! token, and the option adds all ASCII punctuation. Only spaces and control characters separate tokens, and no word
//! contains one. So a token in the index (and in `fts5vocab`) *is* the word, compact and readable.

use std::collections::BinaryHeap;

use unicode_segmentation::UnicodeSegmentation as _;

use crate::contract::limits;
use crate::contract::resource::{FieldValues, Record};
use crate::search::fold;

/// The option of `CREATE VIRTUAL TABLE … USING fts5(…)` with which the words of [`index_text`] are the tokens.
pub const FTS5_TOKENIZE: &str = r#"tokenize="ascii tokenchars '!#$%&''()*+,-./:;<=>?@[\]^_`{|}~""'""#;

/// Returns the words of a text's first 256 characters, folded, in order.
pub fn words(text: &str) -> Vec<String> {
    let end = text.char_indices().nth(limits::SEARCH_TEXT_CHARS).map_or(text.len(), |(at, _)| at);
    let folded = fold(text.get(..end).unwrap_or(text));
    // A mark joins the preceding character, even a space, and there the index would split.
    let words = folded.split_word_bounds().map(|segment| segment.trim_start_matches(is_space));
    let words = words.filter(|word| word.chars().any(|c| c.is_alphanumeric() || is_pictograph(c)));
    words.map(str::to_owned).collect()
}

/// Returns the text that a record is indexed by: the first [`limits::SEARCH_RESOURCE_WORDS`] words of its texts, joined
/// by spaces. Of a word that occurs more often than [`limits::SEARCH_REPEATS`], it has the first occurrences.
pub fn index_text(record: &Record) -> String {
    let texts = record.content.iter().filter_map(|(_, values)| match values {
        FieldValues::Texts(texts) => Some(texts),
        _ => None,
    });
    let words = texts.flatten().flat_map(|text| words(text)).take(limits::SEARCH_RESOURCE_WORDS);
    let words: Vec<_> = words.collect();
    // Less code than a map. It is as fast if the words differ, and takes 4 ms longer if all 20,000 repeat.
    let sorted = words.iter().zip(0..).collect::<BinaryHeap<(_, usize)>>().into_sorted_vec();
    let mut kept = vec![true; words.len()];
    for ((before, _), (word, at)) in sorted.iter().zip(sorted.iter().skip(limits::SEARCH_REPEATS)) {
        if let Some(kept) = kept.get_mut(*at) {
            *kept = before != word;
        }
    }
    let kept = words.iter().zip(kept).filter_map(|(word, kept)| kept.then_some(word.as_str()));
    kept.collect::<Vec<_>>().join(" ")
}

/// Returns the FTS5 `MATCH` expression for records that have a word of every group; `None` if there is no group, or if
/// a group has no words and so matches nothing. Words are quoted, so that none is parsed as syntax.
pub fn match_expression<G, W>(groups: impl IntoIterator<Item = G>) -> Option<String>
where
    G: IntoIterator<Item = W>,
    W: AsRef<str>,
{
    let mut out = String::new();
    for group in groups {
        out.push_str(if out.is_empty() { "(" } else { " AND (" });
        let mut words = group.into_iter();
        push_quoted(&mut out, words.next()?.as_ref());
        for word in words {
            out.push_str(" OR ");
            push_quoted(&mut out, word.as_ref());
        }
        out.push(')');
    }
    (!out.is_empty()).then_some(out)
}

fn push_quoted(out: &mut String, word: &str) {
    out.push('"');
    for c in word.chars() {
        // FTS5 doubles a literal quotation mark, and ends its expression at U+0000, which no word contains.
        match c {
            '"' => out.push_str("\"\""),
            '\0' => {}
            other => out.push(other),
        }
    }
    out.push('"');
}

const fn is_space(c: char) -> bool {
    c == ' ' || c.is_ascii_control()
}

/// Returns whether a character is from the blocks of symbols that people type as words.
const fn is_pictograph(c: char) -> bool {
    matches!(c, '\u{2600}'..='\u{27bf}' | '\u{1f000}'..='\u{1faff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;
    use proptest::prelude::*;

    #[test]
    fn words_are_found_at_unicode_boundaries() {
        for (text, expected) in [
            ("", vec![]),
            (" \t\n", vec![]),
            ("... – !?", vec![]),
            ("Hello, world!", vec!["hello", "world"]),
            ("don't can’t", vec!["don't", "can’t"]),
            ("3.14 1,000 a.b foo_bar", vec!["3.14", "1,000", "a.b", "foo_bar"]),
            ("blue-green C++", vec!["blue", "green", "c"]),
            ("東京 カタカナ ไทย", vec!["東", "京", "カタカナ", "ไ", "ท", "ย"]),
            ("hi👩‍💻🇩🇪 ❤", vec!["hi", "👩‍💻", "🇩🇪", "❤"]),
            ("e\u{301}t\u{e9}", vec!["e\u{301}t\u{e9}"]),
            (" \u{93f}", vec!["\u{93f}"]),
        ] {
            assert_eq!(words(text), expected, "{text}");
        }
    }

    #[test]
    fn texts_that_fold_alike_have_the_same_words() {
        for (one, other) in [("STRASSE", "Straße"), ("ﬁn", "FIN"), ("ΣΊΣΥΦΟΣ", "σίσυφος")] {
            assert_eq!(words(one), words(other), "{one}");
        }
        assert_eq!(words("Straße"), ["strasse"]);
    }

    #[test]
    fn only_the_first_256_characters_count() {
        let text = format!("{}ab", "é ".repeat(127));
        assert_eq!(words(&text).last().unwrap(), "ab");
        assert_eq!(words(&format!(" {text}")).last().unwrap(), "a");
        assert_eq!(words(&"字".repeat(300)).len(), 256);
        assert_eq!(words(&"x".repeat(300)), ["x".repeat(256)]);
    }

    proptest! {
        #[test]
        fn words_contain_no_separator_and_are_not_empty(text in any::<String>()) {
            for word in words(&text) {
                prop_assert!(!word.is_empty());
                prop_assert!(!word.chars().any(|c| c == ' ' || c.is_ascii_control()), "{word:?}");
            }
        }

        #[test]
        fn texts_that_differ_in_case_alone_have_the_same_words(text in "\\PC{0,40}") {
            prop_assert_eq!(words(&fold(&text)), words(&text));
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
#[cfg(test)]
mod fts5_tests {
    use super::*;
    use crate::contract::resource::{Content, FieldId};
    use crate::test;
    use proptest::prelude::*;
    use rusqlite::Connection;
    use std::collections::BTreeSet;

    fn index(texts: &[&str]) -> Connection {
        let db = Connection::open_in_memory().unwrap();
        db.execute_batch(&format!(
            "CREATE VIRTUAL TABLE t USING fts5(words, content='', {FTS5_TOKENIZE});
             CREATE VIRTUAL TABLE v USING fts5vocab(t, 'row');"
        ))
        .unwrap();
        for text in texts {
            db.execute("INSERT INTO t(words) VALUES (?)", [words(text).join(" ")]).unwrap();
        }
        db
    }

    fn vocabulary(db: &Connection) -> BTreeSet<String> {
        let mut select = db.prepare("SELECT term FROM v").unwrap();
        select.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    }

    fn matches(db: &Connection, groups: &[Vec<String>]) -> Vec<i64> {
        let mut select = db.prepare("SELECT rowid FROM t WHERE t MATCH ? ORDER BY rowid").unwrap();
        let expression = match_expression(groups).unwrap();
        select.query_map([expression], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    }

    fn all(text: &str) -> Vec<Vec<String>> {
        words(text).into_iter().map(|word| vec![word]).collect()
    }

    #[test]
    fn every_printable_ascii_character_survives_inside_a_token() {
        let db = index(&[]);
        let token: String = ('!'..='~').filter(|c| !c.is_ascii_uppercase()).collect();
        db.execute("INSERT INTO t(words) VALUES (?)", [&token]).unwrap();
        assert_eq!(vocabulary(&db), BTreeSet::from([token.clone()]));
        assert_eq!(matches(&db, &[vec![token]]), [1]);
    }

    #[test]
    fn all_words_must_match_and_one_of_each_group() {
        let db = index(&["Große Straße", "strasse AND gasse", "don't a.b \"x\"", "東京 👩‍💻"]);
        for (text, expected) in [
            ("STRASSE", vec![1, 2]),
            ("strasse grosse", vec![1]),
            ("strass", vec![]),
            ("and", vec![2]),
            ("strasse OR nope", vec![]),
            ("DON'T A.B x", vec![3]),
            ("don", vec![]),
            ("👩‍💻 京", vec![4]),
            ("👩", vec![]),
        ] {
            assert_eq!(matches(&db, &all(text)), expected, "{text}");
        }
        let groups = [vec!["grosse".to_owned(), "gasse".to_owned()], vec!["strasse".to_owned()]];
        assert_eq!(matches(&db, &groups), [1, 2]);
        assert_eq!(match_expression([vec!["a"], vec![]]), None);
        assert_eq!(match_expression(Vec::<Vec<&str>>::new()), None);
    }

    #[test]
    fn expressions_of_many_words_and_many_alternatives_run() {
        let text: String = ('\u{4e00}'..'\u{4f00}').collect();
        let db = index(&[&text]);
        assert_eq!(words(&text).len(), limits::SEARCH_WORDS);
        assert_eq!(matches(&db, &all(&text)), [1]);
        let mut group: Vec<String> = (0..3000).map(|number| format!("w{number}")).collect();
        group.push("\u{4e00}".to_owned());
        assert_eq!(matches(&db, &[group]), [1]);
    }

    #[test]
    fn every_text_of_a_record_is_indexed_under_its_words() {
        let record = Record {
            id: "id".to_owned(),
            version: 1,
            key: Some("key".to_owned()),
            created_at: 0,
            created_by: None,
            revision: 0,
            last_modified_by: None,
            content: Content::default()
                .with(
                    FieldId::ArrayOfString,
                    FieldValues::Texts(vec!["One, two".to_owned(), "THREE".to_owned()]),
                )
                .with(FieldId::SomeProperty, FieldValues::text("Some"))
                .with(FieldId::Eigth, FieldValues::text("eight"))
                .with(FieldId::Fifteenth, FieldValues::text("fifteen"))
                .with(FieldId::Custom, FieldValues::text("last!")),
        };
        assert_eq!(index_text(&record), "one two three some eight fifteen last");
    }

    #[test]
    fn only_the_first_words_of_a_record_and_occurrences_of_a_word_are_indexed() {
        let index = |texts: Vec<String>| index_text(&record(texts));
        let texts = vec!["a b".to_owned(), "A ".repeat(100), format!("c {}", "a ".repeat(100))];
        assert_eq!(index(texts), "a b a a a a a a a c");
        let many = index((0..limits::SEARCH_RESOURCE_WORDS + 2).map(|at| format!("w{at}")).collect());
        assert_eq!(many.split(' ').count(), limits::SEARCH_RESOURCE_WORDS);
        assert!(many.starts_with("w0 w1 ") && many.ends_with(" w19999"), "{many:.20}");
    }

    fn record(texts: Vec<String>) -> Record {
        Record {
            id: "id".to_owned(),
            version: 1,
            key: None,
            created_at: 0,
            created_by: None,
            revision: 0,
            last_modified_by: None,
            content: Content::default().with(FieldId::ArrayOfString, FieldValues::Texts(texts)),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn tokens_survive_the_index_exactly(text in any::<String>(), joined in "[a-z\u{93f}'.:_\"ßİ0 \u{7f}\u{1}]{0,30}") {
            let db = index(&[&text, &joined]);
            let expected: BTreeSet<String> = words(&text).into_iter().chain(words(&joined)).collect();
            for word in &expected {
                prop_assert!(!matches(&db, &[vec![word.clone()]]).is_empty(), "{word:?}");
            }
            prop_assert_eq!(vocabulary(&db), expected);
        }

        #[test]
        fn no_text_breaks_out_of_a_match_expression(text in "[\"'*()a:^+{}\\-\0 ]{1,12}") {
            let db = index(&["a"]);
            let _ = matches(&db, &[vec![text]]);
        }
    }
}
