//! The full-text index: the words of each record's texts, folded and split before they reach SQLite.

use crate::project::store::database::{Database, Result, binds};
use crate::search::index_words;
use crate::util::json::{self, canonical};

use super::entries::IndexChange;
use super::term_rows::write_parts;

/// The longest text that is bound, in bytes. The platform accepts a little more.
const BOUND_BYTES: usize = 2_000_000;

/// The longest words that are written together with those of other records, in bytes.
const SHORT_BYTES: usize = 64 * 1024;

/// Replaces the words of records.
///
/// FTS5 ranks by totals of the index. The table keeps no text, so a delete must name the words to subtract, exactly as
/// they were indexed. They are: the words of a record depend only on its body and on the indexed fields, and if the
/// code splits or folds texts in another way, the index is emptied before the next write.
pub(super) fn write<D: Database>(database: &D, changes: &[IndexChange<'_, '_>]) -> Result<()> {
    let mut added = Vec::new();
    for (seq, before, after) in changes {
        let [old, new] = [before, after].map(|index| index.map_or(&[][..], |index| &index.texts));
        if old == new {
            continue;
        }
        let (old, new) = (words_of(old), words_of(new));
        if old == new {
            continue;
        }
        if old.is_empty() && new.len() <= SHORT_BYTES {
            added.push((*seq, new));
        } else {
            replace(database, *seq, &old, &new)?;
        }
    }
    let push = |out: &mut String, before: Option<&_>, (seq, words): &(i64, String)| {
        out.push_str(if before.is_some() { ",\"" } else { "\"" });
        json::integer(out, *seq);
        out.push_str("\":");
        json::string(out, words);
    };
    let sql = "INSERT INTO text(rowid, words) SELECT key + 0, value FROM json_each(?)";
    write_parts(&added, "{", push, "}", &|words| database.execute(sql, &binds![words]))
}

fn replace<D: Database>(database: &D, seq: i64, old: &str, new: &str) -> Result<()> {
    let (old, new) = (split(old), split(new));
    let mut binds = binds![seq].to_vec();
    let sql = match (old, new) {
        (None, _) => "INSERT INTO text(rowid, words, more) VALUES(?, ?, ?)",
        (_, None) => "INSERT INTO text(text, rowid, words, more) VALUES('delete', ?, ?, ?)",
        _ => "INSERT INTO text(text, rowid, words, more) VALUES('delete', ?1, ?2, ?3), (NULL, ?1, ?4, ?5)",
    };
    for (words, more) in old.into_iter().chain(new) {
        binds.extend(binds![words, more]);
    }
    database.execute(sql, &binds)
}

/// Returns the words of texts, which are JSON strings. Their order does not depend on the order of the fields in the
/// shape, which may be another one when they are deleted.
fn words_of(texts: &[&str]) -> String {
    index_words(texts.iter().filter_map(|text| canonical::text(text)))
}

/// Returns how many words the index has, with repeated ones: the sum of FTS5's totals of both columns, which follow the
/// number of resources in its record of averages.
pub(crate) fn total<D: Database>(database: &D) -> Result<i64> {
    let hex = database.first("SELECT hex(block) FROM text_data WHERE id = 1", &[], |row| row.text(0))?;
    Ok(integers(&hex.unwrap_or_default()).skip(1).fold(0, i64::saturating_add))
}

/// Returns the integers of FTS5's format, written as hexadecimal digits: each has seven bits in a byte, the highest
/// first, and the high bit says that another byte follows. None of them is so large that it has a ninth byte.
fn integers(hex: &str) -> impl Iterator<Item = i64> {
    let digits = hex.bytes().filter_map(|digit| char::from(digit).to_digit(16));
    let mut high = None;
    let mut value = 0_i64;
    digits.filter_map(move |digit| {
        let Some(first) = high.take() else {
            high = Some(digit);
            return None;
        };
        let byte = i64::from(first * 16 + digit);
        value = value << 7 | byte & 0x7f;
        (byte < 0x80).then(|| std::mem::take(&mut value))
    })
}

/// Splits words that are too long for one bound text: those of the largest texts, to which parts of words are added.
/// What is too long for two texts is not searched. Returns `None` if there are no words.
fn split(words: &str) -> Option<(&str, Option<&str>)> {
    let (words, more) = cut(words);
    let more = more.map(|more| cut(more).0);
    (!words.is_empty()).then_some((words, more))
}

/// Returns the words that fit a bound text, and the others.
fn cut(words: &str) -> (&str, Option<&str>) {
    if words.len() <= BOUND_BYTES {
        return (words, None);
    }
    let at = words.as_bytes().iter().take(BOUND_BYTES).rposition(|byte| *byte == b' ').unwrap_or(BOUND_BYTES);
    words.split_at_checked(at).map_or((words, None), |(words, more)| (words, Some(more)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    #[test]
    fn integers_have_seven_bits_in_a_byte() {
        for (hex, expected) in
            [("", vec![]), ("00", vec![0]), ("64857800", vec![100, 0x2f8, 0]), ("81807F", vec![0x407f])]
        {
            assert_eq!(integers(hex).collect::<Vec<_>>(), expected, "{hex}");
        }
    }
}
