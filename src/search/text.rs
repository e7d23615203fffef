//! The words of a text, and their way through FTS5 and back without a change.
//!
//! A text is cut at [`limits::SEARCH_TEXT_CHARS`], folded as a whole, and then split at Unicode word boundaries (UAX
//! #29), so that texts which a reader takes for the same have the same words. UAX #29 keeps `foo_bar` and `a.b`
//! together; here they are two words. An apostrophe stays in a word, and so does a dot or comma between digits:
//! `don't`, `3.14`. The index has the parts of such a word too, so that `2020` finds `13.07.2020`, and `avion` finds
//! `l'avion`. What contains no letter, digit, or pictograph is no word.
//!
//! Words contain apostrophes, dots, marks, joiners, and emoji. FTS5's tokenizers would split or fold them again. The
//! options of the table `text` (`src/project/store/tables.rs`) keep them whole: the `ascii` tokenizer treats every
//! character beyond ASCII as part of a token, and `tokenchars` adds all ASCII punctuation. Only spaces and control
//! characters separate tokens, and no word contains one. So a token in the index (and in `fts5vocab`) *is* the word.

use std::borrow::Cow;
use std::collections::BinaryHeap;

use unicode_segmentation::UnicodeSegmentation as _;

use crate::contract::limits;
use crate::search::fold;

/// Returns the words of a text's first 256 characters, folded, in order.
pub fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    each_word(text, &mut |word| words.push(word.to_owned()));
    words
}

fn each_word(text: &str, found: &mut dyn FnMut(&str)) {
    let end = text.char_indices().nth(limits::SEARCH_TEXT_CHARS).map_or(text.len(), |(at, _)| at);
    let folded = fold(text.get(..end).unwrap_or(text));
    let mut separated = String::with_capacity(folded.len());
    let mut before = ' ';
    for c in folded.chars() {
        let stays = c == '\'' || !is_joint(c) || (before.is_numeric() && is_of_numbers(c));
        separated.push(if stays { c } else { ' ' });
        before = c;
    }
    // A mark joins the preceding character, even a space, and there the index would split.
    let words = separated.split_word_bounds().map(|segment| segment.trim_start_matches(is_space));
    words.filter(|word| is_word(word)).for_each(found);
}

/// Adds a word, and its parts if it has several.
fn push_with_parts(words: &mut Vec<String>, word: &str) {
    words.push(word.to_owned());
    if word.contains(is_joint) {
        words.extend(word.split(is_joint).filter(|part| is_word(part)).map(str::to_owned));
    }
}

/// Returns the first [`limits::SEARCH_RESOURCE_WORDS`] words of texts, joined by spaces. Of a word that occurs more
/// often than [`limits::SEARCH_REPEATS`], it has the first occurrences.
pub fn index_words<'t>(texts: impl Iterator<Item = Cow<'t, str>>) -> String {
    let mut words = Vec::new();
    for text in texts {
        if words.len() >= limits::SEARCH_RESOURCE_WORDS {
            break;
        }
        each_word(&text, &mut |word| push_with_parts(&mut words, word));
    }
    words.truncate(limits::SEARCH_RESOURCE_WORDS);
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

fn is_word(text: &str) -> bool {
    text.chars().any(|c| c.is_alphanumeric() || is_pictograph(c))
}

/// Returns whether a character is punctuation that UAX #29 keeps between letters or digits.
const fn is_joint(c: char) -> bool {
    c.is_ascii_punctuation()
        || matches!(c, '\u{b7}' | '\u{37e}' | '\u{387}' | '\u{55f}' | '\u{589}' | '\u{5f4}' | '\u{7f8}')
        || matches!(c, '\u{60c}' | '\u{60d}' | '\u{66b}' | '\u{66c}' | '\u{2010}'..='\u{205f}')
        || matches!(c, '\u{fe10}'..='\u{fe1f}' | '\u{fe30}'..='\u{fe6f}')
}

/// Returns whether a joint between digits is a part of a number, in Latin or Arabic.
const fn is_of_numbers(c: char) -> bool {
    matches!(c, '.' | ',' | '\u{66b}' | '\u{66c}')
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
            ("don't can’t", vec!["don't", "can't"]),
            ("3.14 1,000 a.b foo_bar", vec!["3.14", "1,000", "a", "b", "foo", "bar"]),
            ("__a__1_2_ 1;2 a:b 1’000", vec!["a", "1", "2", "1", "2", "a", "b", "1'000"]),
            ("blue-green C++", vec!["blue", "green", "c"]),
            ("東京 カタカナ ไทย", vec!["東", "京", "カタカナ", "ไ", "ท", "ย"]),
            ("hi👩‍💻🇩🇪 ❤", vec!["hi", "👩‍💻", "🇩🇪", "❤"]),
            ("e\u{301}t\u{e9}", vec!["\u{e9}t\u{e9}"]),
            (" \u{93f}", vec!["\u{93f}"]),
        ] {
            assert_eq!(words(text), expected, "{text}");
        }
    }

    /// Texts that people type, and texts of a record, with whether the search finds it.
    #[rustfmt::skip]
    const PAIRS: &[(&str, &str, bool)] = &[
        // Names of files and of programs.
        ("important", "something_2020-07-13_with_important_words.pdf", true),
        ("something_2020-07-13_with_important_words.pdf", "something_2020-07-13_with_important_words.pdf", true),
        ("important_words", "something_2020-07-13_with_important_words.pdf", true),
        ("something 2020-07-13", "something_2020-07-13_with_important_words.pdf", true),
        ("a.b", "a.b", true), ("a b", "a.b", true), ("a.b", "a_b", true), ("a-b", "a:b", true), ("ab", "a.b", false),
        ("Node.js", "node js", true), ("importantwords", "important_words", false), ("words", "importantWords", false),
        // Numbers, dates, times, and versions.
        ("1,000", "1,000", true), ("1000", "1,000", false), ("1.000", "1,000", false), ("000", "1,000", true),
        ("3.5", "3.5 mm", true), ("3.5", "3 x 5 mm", false), ("5", "3.5 mm", true), ("1\u{202f}000", "1 000", true),
        ("2020", "13.07.2020", true), ("2020-07-13", "2020-07-13T12:30:00.000Z", false), ("12:30", "12:30:00", true),
        ("1.2", "v1.2.3", false), ("v1.2.3", "v1.2.3", true), ("٢", "٣٫٢", true),
        // Apostrophes.
        ("don't", "don’t", true), ("don’t", "don't", true), ("don", "don't", true), ("dont", "don't", false),
        ("avion", "l'avion", true), ("avion", "l’avion", true), ("l'avion", "avion", false), ("1’000", "1'000", true),
        // Hyphens and dashes.
        ("blue-green", "blue green", true), ("e-mail", "e\u{2011}mail", true), ("e-mail", "e – mail", true),
        ("email", "e-mail", false), ("donaudampf", "Donau\u{ad}dampf", true),
        // Mail and web.
        ("john.doe@example.com", "John.Doe@Example.com", true), ("doe", "john.doe@example.com", true),
        ("example.com", "https://www.example.com/a_b?q=c#d", true), ("www a b q c d", "https://www.example.com/a_b?q=c#d", true),
        // Other letters and scripts.
        ("STRASSE", "Straße", true), ("strasse", "Stra\u{df}e", true), ("cafe", "café", false), ("café", "cafe\u{301}", true),
        ("ISPARTA", "ısparta", true), ("istanbul", "İstanbul", true), ("col.lecció", "col·lecció", true), ("צה\"ל", "צה״ל", true),
        ("abc", "ＡＢＣ", true), ("１２", "12", true), ("ガギ", "ｶﾞｷﾞ", true), ("京", "東京都", true), ("東京", "京東", true),
        ("Москва", "МОСКВА", true), ("한글", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}", true), ("मुड़", "मुड\u{93c}", true),
        ("میخواهم", "می\u{200c}خواهم", true), ("❤", "❤\u{fe0f}", true), ("👩\u{200d}💻", "👩\u{200d}💻", true), ("💻", "👩\u{200d}💻", false),
    ];

    #[test]
    fn what_a_person_types_and_sees_as_equal_is_found() {
        for (typed, text, is_found) in PAIRS {
            let mut indexed = Vec::new();
            each_word(text, &mut |word| push_with_parts(&mut indexed, word));
            let found = words(typed).iter().all(|word| indexed.contains(word));
            assert_eq!(found, *is_found, "{typed:?} {text:?}: {indexed:?}");
        }
    }

    #[test]
    fn every_character_that_joins_words_is_a_joint() {
        for c in ('\0'..=char::MAX).filter(|c| !c.is_alphanumeric() && fold(&c.to_string()) == c.to_string())
        {
            let is_one = |text: &str| text.split_word_bounds().count() == 1;
            // A mark joins everything that precedes it. Some symbols count as letters, which stay in a word.
            let is_mark = is_one(&format!(" {c}"));
            let is_letter = is_one(&format!("a{c}")) && !is_one(&format!("カ{c}"));
            let joins = is_one(&format!("a{c}a")) || is_one(&format!("1{c}1")) || is_one(&format!("א{c}א"));
            assert!(is_mark || is_letter || !joins || is_joint(c), "{c:?}");
            assert!(!is_joint(c) || !is_mark, "{c:?}");
        }
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
    use crate::test;
    use proptest::prelude::*;
    use rusqlite::Connection;
    use std::collections::BTreeSet;

    /// The options of the table `text`.
    const FTS5_TOKENIZE: &str = r#"tokenize="ascii tokenchars '!#$%&''()*+,-./:;<=>?@[\]^_`{|}~""'""#;

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
    fn only_the_first_words_of_a_record_and_occurrences_of_a_word_are_indexed() {
        let index = |texts: Vec<String>| index_words(texts.into_iter().map(Cow::Owned));
        let texts = vec!["a b".to_owned(), "A ".repeat(100), format!("c {}", "a ".repeat(100))];
        assert_eq!(index(texts), "a b a a a a a a a c");
        let many = index((0..limits::SEARCH_RESOURCE_WORDS + 2).map(|at| format!("w{at}")).collect());
        assert_eq!(many.split(' ').count(), limits::SEARCH_RESOURCE_WORDS);
        assert!(many.starts_with("w0 w1 ") && many.ends_with(" w19999"), "{many:.20}");
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
