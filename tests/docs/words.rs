//! Documents, comments, messages, and names of tests use the standard words.

use std::fs;
use std::path::Path;

use crate::{documents, extension, files, prose, root};

/// Words that documents, comments, messages, and names of tests do not use, with what to write instead. Each term has
/// one meaning, and each meaning has one term.
const RETIRED: [(&str, &str); 53] = [
    ("anew", "again, restarts, rebuilt"),
    ("stands", "is, occurs, means"),
    ("stand", "is, occurs, means"),
    ("answered", "returned, got, responded"),
    ("the truth", "the source of truth"),
    ("told", "received, is pending, is reported"),
    ("bears", "has"),
    ("by itself", "automatically"),
    ("of its own", "separate"),
    ("passed over", "ignored, skipped"),
    ("forgets", "removes, discards"),
    ("forgotten", "removed, discarded"),
    ("out of reach", "unavailable"),
    ("let through", "allowed"),
    ("goes on from", "continues from"),
    ("sees to it", "ensures, schedules"),
    ("comes to", "amounts to, becomes"),
    ("yet to be", "pending, not yet"),
    ("is taken", "is accepted, is in use"),
    ("are taken", "are accepted, are in use"),
    ("beneath", "below, under"),
    ("where there are", "if there are"),
    ("where none", "if none"),
    ("where there is", "if there is"),
    ("where it is absent", "by default"),
    ("shall", "must"),
    ("goes on", "continues"),
    ("made again", "repeated"),
    ("begun again", "restarts, repeated"),
    ("own token", "issued token"),
    ("own tokens", "issued tokens"),
    ("own parameters", "operation parameters"),
    ("own issuer", "built-in issuer"),
    ("entry of kv", "KV entry"),
    ("entries of kv", "KV entries"),
    ("kv s entry", "KV entry"),
    ("judge", "check, compare"),
    ("judged", "checked, compared"),
    ("remembers", "stores, caches"),
    ("forget", "remove, discard"),
    ("knows nothing", "does not depend on"),
    ("crossing", "boundary call"),
    ("crossings", "boundary calls"),
    ("behaviour", "behavior"),
    ("cancelled", "canceled"),
    ("labelled", "labeled"),
    ("licence", "license"),
    ("licences", "licenses"),
    ("neighbour", "neighbor"),
    ("neighbours", "neighbors"),
    ("organisation", "organization"),
    ("serialise", "serialize"),
    ("unoptimised", "unoptimized"),
];

/// Returns the retired words in a document's prose. Ignores spans and blocks of code, which contain names of tests.
fn retired(text: &str) -> Vec<&'static str> {
    let words: Vec<String> = prose(text)
        .split(|char: char| !char.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let text = format!(" {} ", words.join(" "));
    RETIRED.iter().map(|(word, _)| *word).filter(|word| text.contains(&format!(" {word} "))).collect()
}

#[test]
fn documents_use_the_standard_words() {
    assert_eq!(retired("It stands, and `bears` nothing. By\nitself."), ["stands", "by itself"]);
    let found: Vec<_> = documents()
        .into_iter()
        .map(|path| (retired(&fs::read_to_string(&path).unwrap()), path))
        .filter(|(words, _)| !words.is_empty())
        .collect();
    assert!(found.is_empty(), "write something else (RETIRED): {found:#?}");
}

/// The maximum number of words of a sentence in a document. A span of code is one word.
const SENTENCE_WORDS: usize = 28;

/// Returns the sentences in the paragraphs and lists of a document that have too many words.
fn long_sentences(text: &str) -> Vec<String> {
    let lines = text.split("```").step_by(2).flat_map(|part| part.lines().chain([""]));
    let mut paragraphs = vec![String::new()];
    for line in lines {
        let is_item = ["- ", "* ", "#"].iter().any(|mark| line.trim_start().starts_with(mark));
        if is_item || line.trim().is_empty() || line.starts_with(['|', '[']) {
            paragraphs.push(String::new());
        }
        if let Some(last) = paragraphs.last_mut().filter(|_| !line.starts_with(['|', '#', '['])) {
            last.push_str(line.trim());
            last.push(' ');
        }
    }
    // A list of tests is no sentence.
    let prose = paragraphs.into_iter().filter(|paragraph| !paragraph.contains("hown by ")).map(|paragraph| {
        paragraph
            .split('`')
            .enumerate()
            .map(|(at, part)| if at % 2 == 1 { "code" } else { part })
            .collect::<String>()
    });
    let ends = |word: &str| word.trim_end_matches(['*', ')', '"', '”']).ends_with(['.', '!', '?', ':', ';']);
    prose
        .flat_map(|paragraph| {
            let words: Vec<&str> = paragraph.split_whitespace().collect();
            words.split_inclusive(|word| ends(word)).map(|words| words.join(" ")).collect::<Vec<_>>()
        })
        .filter(|sentence| sentence.split(' ').count() > SENTENCE_WORDS)
        .collect()
}

#[test]
fn sentences_of_documents_are_short() {
    let long = "one two three four five six seven eight nine ten ".repeat(4) + "eleven. ";
    assert_eq!(long_sentences(&format!("A.\n\n{long}B\n| {long} |\n- {long}")).len(), 2);
    let found: Vec<_> = documents()
        .into_iter()
        .map(|path| (long_sentences(&fs::read_to_string(&path).unwrap()), path))
        .filter(|(sentences, _)| !sentences.is_empty())
        .collect();
    assert!(found.is_empty(), "too many words in a sentence: {found:#?}");
}

/// The extensions of the files whose comments are checked; empty for scripts.
const COMMENTED: [&str; 7] = ["rs", "js", "mjs", "jsx", "ts", "css", ""];

/// Returns how comment lines begin in files with the extension. The first mark also begins a comment after code.
fn comment_marks(extension: &str) -> &'static [&'static str] {
    match extension {
        "" => &["#"],
        "rs" => &["//"],
        "css" => &["/*", "*"],
        _ => &["//", "/*", "*"],
    }
}

/// Returns whether comments of the file are checked. A file without an extension is a script in `.ci` or the Makefile;
/// others may not be text.
fn has_comments(path: &Path) -> bool {
    let is_script = path.parent() == Some(root().join(".ci").as_path()) || path.ends_with("Makefile");
    // Build results in the folder of the npm package.
    let built = ["pkg/wasm", "pkg/cjs", "pkg/syntax", "pkg/testing/worker.js", "pkg/testing/files.js"];
    COMMENTED.contains(&extension(path))
        && (is_script || !extension(path).is_empty())
        && !built.iter().any(|part| path.starts_with(root().join(part)))
}

/// Returns the comments in a text, each with the number of its first line. Adjacent comment lines are one comment. A
/// comment after code must have no quotation mark, because it may be a part of a string.
fn comments(text: &str, marks: &[&str]) -> Vec<(usize, String)> {
    let after_code = format!(" {} ", marks[0]);
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut is_open = false;
    for (number, line) in (1..).zip(text.lines()) {
        let whole = marks.iter().find_map(|mark| line.trim_start().strip_prefix(mark));
        let trailing = || line.split_once(&after_code).filter(|(_, comment)| !comment.contains(['"', '`']));
        match (whole, found.last_mut()) {
            (Some(comment), Some((_, open))) if is_open => {
                open.push('\n');
                open.push_str(comment);
            }
            (Some(comment), _) => found.push((number, comment.to_owned())),
            (None, _) => found.extend(trailing().map(|(_, comment)| (number, comment.to_owned()))),
        }
        is_open = whole.is_some();
    }
    found
}

#[test]
fn comments_use_the_standard_words() {
    let sample = "/// It is\n//! told.\nlet a = b; // anew\n*c = \"// shall\";\n// `stands`\n";
    let read: Vec<_> = comments(sample, &["//"]).iter().map(|(line, text)| (*line, retired(text))).collect();
    assert_eq!(read, [(1, vec!["told"]), (3, vec!["anew"]), (5, vec![])]);
    assert_eq!(comments("/**\n * a\n */\nb", comment_marks("ts")), [(1, "*\n a\n/".to_owned())]);
    let (mut count, mut found) = (0, Vec::new());
    for path in files(has_comments) {
        let text = fs::read_to_string(&path).unwrap();
        // A generated file gets its comments from the program that writes it.
        if text.lines().next().is_some_and(|line| line.contains("Do not edit")) {
            continue;
        }
        for (line, comment) in comments(&text, comment_marks(extension(&path))) {
            let words = retired(&comment);
            if !words.is_empty() {
                found.push(format!("{}:{line}: {words:?}", path.display()));
            }
            count += 1;
        }
    }
    assert!(count >= 3_000, "{count} comments");
    assert!(found.is_empty(), "write something else (RETIRED): {found:#?}");
}

/// Returns the string literals in a Rust or JavaScript text, each with the number of the line where it begins. A
/// regular expression of JavaScript counts as code, so a quotation mark in it may begin a literal, which ends with the
/// line.
fn literals(text: &str, extension: &str) -> Vec<(usize, String)> {
    let is_rust = extension == "rs";
    let mut found = Vec::new();
    let (mut rest, mut line, mut counted) = (text, 1, 0);
    while let Some(first) = rest.chars().next() {
        let at = text.len() - rest.len();
        line += text[counted..at].matches('\n').count();
        counted = at;
        let char_literal =
            ["'\"'", "'\\\"'", "'\\''", "'`'"].into_iter().find(|literal| rest.starts_with(literal));
        if rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        } else if rest.starts_with("/*") {
            rest = rest.find("*/").map_or("", |end| &rest[end + 2..]);
        } else if let (true, Some(literal)) = (is_rust, char_literal) {
            rest = &rest[literal.len()..];
        } else if is_rust && rest.starts_with("r#\"") {
            let (literal, after) = rest[3..].split_once("\"#").unwrap_or((&rest[3..], ""));
            found.push((line, literal.to_owned()));
            rest = after;
        } else if first == '"' || (!is_rust && matches!(first, '\'' | '`')) {
            let (mut end, mut is_escaped) = (rest.len(), false);
            for (at, char) in rest.char_indices().skip(1) {
                let is_end = char == first || (!is_rust && first != '`' && char == '\n');
                if is_end && !is_escaped {
                    end = at;
                    break;
                }
                is_escaped = char == '\\' && !is_escaped;
            }
            found.push((line, rest[1..end].to_owned()));
            rest = rest.get(end + 1..).unwrap_or_default();
        } else {
            rest = &rest[first.len_utf8()..];
        }
    }
    found
}

/// Returns whether the file's literals are messages, labels, or statements of the product, of its scripts, or of its
/// benchmarks, or the expectations of tests. Scripts are read as JavaScript: their literals are quoted alike.
fn has_messages(path: &Path) -> bool {
    // The samples of this file's tests have retired words.
    let is_this = path.ends_with("tests/docs/words.rs");
    has_comments(path) && !is_this && ["rs", "js", "mjs", "jsx", ""].contains(&extension(path))
}

#[test]
fn messages_use_the_standard_words() {
    let sample = "a('\"', \"It \\\"stands\\\" twice\"); // \"anew\"\nlet b = r#\"\"shall\" \"#;";
    assert_eq!(
        literals(sample, "rs"),
        [(1, "It \\\"stands\\\" twice".to_owned()), (2, "\"shall\" ".to_owned())]
    );
    let sample = "a('It stands', `b\n\"c\"`); /* 'anew' */ /[\"]/\n'd'";
    let texts: Vec<_> = literals(sample, "js").into_iter().map(|(_, text)| text).collect();
    assert_eq!(texts, ["It stands", "b\n\"c\"", "]/", "d"]);
    let (mut count, mut found) = (0, Vec::new());
    for path in files(has_messages) {
        let text = fs::read_to_string(&path).unwrap();
        for (line, literal) in literals(&text, extension(&path)) {
            let words = retired(&literal);
            if !words.is_empty() {
                found.push(format!("{}:{line}: {words:?}", path.display()));
            }
            count += 1;
        }
    }
    assert!(count >= 5_000, "{count} literals");
    assert!(found.is_empty(), "write something else (RETIRED): {found:#?}");
}

/// Returns the names of the tests in a Rust or JavaScript text, or the purpose and the names of the cases of a case
/// file, as words.
fn names(text: &str, extension: &str) -> Vec<String> {
    let between =
        |text: &str, start, end| Some(text.split_once(start)?.1.split_once(end)?.0.replace('_', " "));
    let quoted = |text: &str| {
        let (quote, rest) = text.trim_start().split_at_checked(1)?;
        matches!(quote, "\"" | "'" | "`").then(|| rest.split(quote).next().unwrap_or_default().to_owned())
    };
    match extension {
        "rs" => text.split("#[test]").skip(1).filter_map(|test| between(test, "fn ", "(")).collect(),
        "mjs" => ["test(", "describe("]
            .iter()
            .flat_map(|call| text.split(call).skip(1))
            .filter_map(quoted)
            .collect(),
        _ => text
            .lines()
            .flat_map(|line| ["\"name\": \"", "\"about\": \""].map(|start| between(line, start, "\"")))
            .flatten()
            .collect(),
    }
}

#[test]
fn names_of_tests_and_cases_use_the_standard_words() {
    assert_eq!(names("fn a() {}\n#[test]\nfn b_c() {\n", "rs"), ["b c"]);
    assert_eq!(names("    \"name\": \"is taken: ${a}\",", "json"), ["is taken: ${a}"]);
    assert_eq!(names("  \"about\": \"b\",", "json"), ["b"]);
    let cases = root().join("tests/cases");
    let is_wanted = |path: &Path| {
        matches!(extension(path), "rs" | "mjs") || (extension(path) == "json" && path.starts_with(&cases))
    };
    assert_eq!(names("test(\n  'a b', () => {});\ndescribe(`c`, d); test(e)", "mjs"), ["a b", "c"]);
    let (mut count, mut found) = (0, Vec::new());
    for path in files(is_wanted) {
        for name in names(&fs::read_to_string(&path).unwrap(), extension(&path)) {
            if !retired(&name).is_empty() {
                found.push(format!("{}: {name}", path.display()));
            }
            count += 1;
        }
    }
    assert!(count >= 1_300, "{count} names");
    assert!(found.is_empty(), "write something else (RETIRED): {found:#?}");
}
