//! Checks facts in the documents: their links lead to files and headings, the tests that a guarantee names exist, and
//! operations and limits are those of the code. Documents and comments use the standard words.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "tests")]

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use resource_edge::contract::operation::{Access, OPERATIONS};
use resource_edge::contract::{limits, path};

/// Returns the repository's files that the function accepts, without folders that a build or a tool creates.
fn files(is_wanted: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy();
            let ours = !matches!(name.as_ref(), "node_modules" | "target" | "build" | "artifacts")
                && (name == ".ci" || !name.starts_with('.'));
            if path.is_dir() && ours {
                folders.push(path);
            } else if path.is_file() && is_wanted(&path) {
                found.push(path);
            }
        }
    }
    found
}

/// Returns every document.
fn documents() -> Vec<PathBuf> {
    files(|path| extension(path) == "md")
}

/// Returns the extension of a file, without a dot; empty if there is none.
fn extension(path: &Path) -> &str {
    path.extension().and_then(|extension| extension.to_str()).unwrap_or_default()
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the text without its blocks and spans of code.
fn prose(text: &str) -> String {
    let blocks: String = text.split("```").step_by(2).collect();
    blocks.split('`').step_by(2).collect::<Vec<_>>().join("``")
}

/// Returns the targets of a document's links: what is in `](…)`, and after `[…]: `.
fn targets(text: &str) -> Vec<String> {
    let prose = prose(text);
    let inline = prose.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
    let defined =
        prose.lines().filter(|line| line.starts_with('[')).filter_map(|line| line.split_once("]: "));
    inline.chain(defined.map(|(_, target)| target)).map(str::to_owned).collect()
}

/// Returns the anchors of a document's headings, as GitHub generates them: repeated ones are numbered.
fn anchors(text: &str) -> Vec<String> {
    let headings = text.split("```").step_by(2).flat_map(str::lines).filter(|line| line.starts_with('#'));
    let anchor = |heading: &str| -> String {
        let text = heading.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        text.chars().filter(|char| char.is_alphanumeric() || matches!(char, '-' | '_')).collect()
    };
    let mut times: HashMap<String, usize> = HashMap::new();
    let mut number = |anchor: String| {
        let time = times.entry(anchor.clone()).or_default();
        *time += 1;
        if *time == 1 { anchor } else { format!("{anchor}-{}", *time - 1) }
    };
    headings.map(|heading| number(anchor(heading))).collect()
}

fn check_link(document: &Path, target: &str) -> Result<(), String> {
    let fail = |what: &str| Err(format!("{}: {target} {what}", document.display()));
    if ["https://", "http://", "mailto:"].iter().any(|scheme| target.starts_with(scheme)) {
        return Ok(());
    }
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = if file.is_empty() { document.to_owned() } else { document.with_file_name(file) };
    if !path.exists() {
        return fail("does not exist");
    }
    if !anchor.is_empty() && !anchors(&fs::read_to_string(&path).unwrap()).iter().any(|one| one == anchor) {
        return fail("names no heading");
    }
    Ok(())
}

#[test]
fn relative_links_lead_to_files_and_headings() {
    let documents = documents();
    assert!(documents.len() >= 5, "{documents:?}");
    let mut checked = 0;
    for document in documents {
        for target in targets(&fs::read_to_string(&document).unwrap()) {
            check_link(&document, &target).unwrap();
            checked += 1;
        }
    }
    assert!(checked >= 10, "{checked} links");
}

#[test]
fn a_link_that_leads_nowhere_is_found() {
    let readme = root().join("README.md");
    for (target, good) in [
        ("pkg/README.md", true),
        ("pkg/README.md#validation", true),
        ("https://example.com/none", true),
        ("none.md", false),
        ("pkg/README.md#none", false),
        ("#none", false),
    ] {
        assert_eq!(check_link(&readme, target).is_ok(), good, "{target}");
    }
    assert_eq!(anchors("# A b\n## `A` b\n"), ["a-b", "a-b-1"]);
    let found = targets("[a](b.md#c) `[x](y)` and\n```\n[x](y)\n```\n[d]: e.md");
    assert_eq!(found, ["b.md#c", "e.md"]);
}

/// Returns the tests that a text names after the words "hown by": a file, then names in it, all in spans of code.
fn named_tests(text: &str) -> Vec<(String, String)> {
    let mut named = Vec::new();
    for paragraph in text.split("\n\n").map(on_one_line) {
        let Some((_, list)) = paragraph.split_once("hown by ") else { continue };
        let mut file = None;
        for span in list.split('`').skip(1).step_by(2) {
            if span.starts_with("tests/") {
                file = Some(span);
            } else {
                named.push((file.expect(list).to_owned(), span.to_owned()));
            }
        }
    }
    named
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether the file has a test, a case, or a function of the name.
fn has_test(file: &str, name: &str) -> bool {
    let text = fs::read_to_string(root().join(file)).unwrap_or_default();
    let forms = [
        format!("fn {name}("),
        format!("test(\"{name}\""),
        format!("test(`{name}`"),
        format!("\"name\": \"{name}\""),
    ];
    forms.iter().any(|form| text.contains(form))
}

#[test]
fn the_tests_that_guarantees_name_exist() {
    let text = fs::read_to_string(root().join("src/guide/guarantees.md")).unwrap();
    let named = named_tests(&text);
    let missing: Vec<_> = named.iter().filter(|(file, name)| !has_test(file, name)).collect();
    assert!(missing.is_empty(), "named and not there: {missing:#?}");
    for section in text.split("\n## ").skip(1) {
        assert!(!named_tests(section).is_empty(), "no test is named: {}", section.lines().next().unwrap());
    }
}

/// Checks that the last cell of each row of the text's tables names tests that exist. Returns how many rows there are.
fn check_tables_of_tests(text: &str, header: &str) -> usize {
    let rows = text.lines().filter(|line| line.starts_with("| ") && !line.starts_with(header));
    let mut count = 0;
    for row in rows {
        let list = row.trim_end_matches(" |").rsplit(" | ").next().unwrap();
        let mut file = None;
        for span in list.split('`').skip(1).step_by(2) {
            if span.starts_with("tests/") || span.starts_with("src/") {
                assert!(root().join(span).exists(), "{span} does not exist: {row}");
                file = Some(span);
            } else {
                assert!(has_test(file.expect(row), span), "not in {file:?}: {span}");
            }
        }
        assert!(file.is_some(), "no test is named: {row}");
        count += 1;
    }
    count
}

#[test]
fn every_attack_of_the_guide_names_tests_that_exist() {
    let text = fs::read_to_string(root().join("src/guide/security.md")).unwrap();
    let attacks = text.split("\n## Dependencies").next().unwrap();
    let count = check_tables_of_tests(attacks, "| attack |");
    assert!(count >= 25, "{count} attacks");
}

#[test]
fn every_fault_of_the_track_record_names_tests_that_exist() {
    let text = fs::read_to_string(root().join("src/guide/reliability.md")).unwrap();
    let (_, record) = text.split_once("\n## Track record").unwrap();
    let count = check_tables_of_tests(record, "| fault |");
    assert!(count >= 15, "{count} faults");
}

#[test]
fn the_operations_of_the_readme_are_the_tables() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    for row in &OPERATIONS {
        let mut template = String::new();
        path::push_template(&mut template, row.path);
        let scopes = if row.access == Access::Read { "manage or view" } else { "manage" };
        let line =
            format!("| {} | {} | `{template}` | `{}` | {scopes} |", row.number, row.method.name(), row.name);
        assert!(readme.lines().any(|one| one == line), "not in the README: {line}");
    }
}

/// Returns a number with commas between its thousands.
fn grouped(number: &impl ToString) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

macro_rules! all {
    ($($name:ident)*) => { vec![$((stringify!($name), grouped(&limits::$name))),*] };
}

#[test]
fn the_limits_of_the_guide_are_the_codes() {
    let mut all = all! {
        BODY_BYTES BODY_DEPTH ISSUES QUOTED_CHARS NAME_BYTES PROJECT_KEY_CHARS ACTIONS INTEGER_MAX PAGE_DEFAULT PAGE_MAX
        OFFSET_MAX PAGE_BYTES OBJECT_ITEMS SEARCH_TEXT_CHARS SEARCH_WORDS SEARCH_EXPRESSION_BYTES SEARCH_FILTERS SEARCH_FACETS
        SEARCH_RANGES FACET_TERMS IDEMPOTENCY_MS IDEMPOTENCY_ROWS IDEMPOTENCY_BODY_BYTES IDEMPOTENCY_BYTES
        IDEMPOTENCY_CALLER_BYTES IDEMPOTENCY_KEY_CHARS TARGET_BYTES TOKEN_BYTES
        PREDICATE_BYTES PREDICATE_DEPTH PREDICATE_VARIABLE_BYTES PREDICATE_VALUE_COST
        EXPORT_LINES BATCH_BYTES CLEAR_ROWS IMPORT_VERSION_MAX IMPORT_AHEAD_MS
    };
    let correlation = limits::CORRELATION_ID_CHARS;
    all.push(("CORRELATION_ID_CHARS", format!("{} to {}", correlation.start(), correlation.end())));

    let code = fs::read_to_string(root().join("src/contract/limits.rs")).unwrap();
    let declared = code.lines().filter_map(|line| line.strip_prefix("pub const ")?.split(':').next());
    for name in declared {
        assert!(all.iter().any(|(known, _)| *known == name), "{name} is not compared with the guide");
    }

    let guide = fs::read_to_string(root().join("src/guide/operations.md")).unwrap();
    for (name, value) in all {
        let row = guide.lines().find(|line| line.ends_with(&format!("| `{name}` |")));
        let limit = row.unwrap_or_else(|| panic!("{name} has no row")).split('|').nth(2).unwrap().trim();
        let rest =
            limit.strip_prefix(value.as_str()).unwrap_or_else(|| panic!("{name}: {limit}, not {value}"));
        assert!(
            !rest.starts_with(|char: char| char.is_ascii_digit() || char == ','),
            "{name}: {limit}, not {value}"
        );
    }
}

/// Words that documents, comments, messages, and names of tests do not use, with what to write instead. Each term has one
/// meaning, and each meaning has one term.
const RETIRED: [(&str, &str); 26] = [
    ("anew", "again, restarts, rebuilt"),
    ("stands", "is, occurs, means"),
    ("stand", "is, occurs, means"),
    ("answered", "returned, got, responded"),
    ("the truth", "the source of truth"),
    ("is told", "receives, is pending, is reported"),
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
    assert_eq!(read, [(1, vec!["is told"]), (3, vec!["anew"]), (5, vec![])]);
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

/// Returns the string literals in a Rust or JavaScript text, each with the number of the line where it begins. A regular
/// expression of JavaScript counts as code, so a quotation mark in it may begin a literal, which ends with the line.
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

/// Whether the file's literals are messages, labels, or statements of the product, or the expectations of its unit tests.
fn has_messages(path: &Path) -> bool {
    let inside = path.strip_prefix(root()).unwrap();
    let in_product = ["src", "pkg", "examples"].iter().any(|folder| inside.starts_with(folder));
    in_product && has_comments(path) && ["rs", "js", "mjs", "jsx"].contains(&extension(path))
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

/// Returns the names of the tests in a Rust text, or of the cases in a case file, as words.
fn names(text: &str, extension: &str) -> Vec<String> {
    let between =
        |text: &str, start, end| Some(text.split_once(start)?.1.split_once(end)?.0.replace('_', " "));
    if extension == "rs" {
        return text.split("#[test]").skip(1).filter_map(|test| between(test, "fn ", "(")).collect();
    }
    text.lines().filter_map(|line| between(line, "\"name\": \"", "\"")).collect()
}

#[test]
fn names_of_tests_and_cases_use_the_standard_words() {
    assert_eq!(names("fn a() {}\n#[test]\nfn b_c() {\n", "rs"), ["b c"]);
    assert_eq!(names("    \"name\": \"is taken: ${a}\",", "json"), ["is taken: ${a}"]);
    let cases = root().join("tests/cases");
    let is_wanted =
        |path: &Path| extension(path) == "rs" || (extension(path) == "json" && path.starts_with(&cases));
    let (mut count, mut found) = (0, Vec::new());
    for path in files(is_wanted) {
        for name in names(&fs::read_to_string(&path).unwrap(), extension(&path)) {
            if !retired(&name).is_empty() {
                found.push(format!("{}: {name}", path.display()));
            }
            count += 1;
        }
    }
    assert!(count >= 750, "{count} names");
    assert!(found.is_empty(), "write something else (RETIRED): {found:#?}");
}

/// Returns the spans and blocks of code in a document.
fn code(text: &str) -> Vec<String> {
    let blocks: Vec<&str> = text.split("```").collect();
    let spans = blocks.iter().step_by(2).flat_map(|prose| prose.split('`').skip(1).step_by(2));
    let blocks = blocks.iter().skip(1).step_by(2).copied();
    spans.chain(blocks).map(str::to_owned).collect()
}

#[test]
fn the_make_targets_that_documents_name_exist() {
    let makefile = fs::read_to_string(root().join("Makefile")).unwrap();
    let mut count = 0;
    for document in documents() {
        for code in code(&fs::read_to_string(&document).unwrap()) {
            for line in code.lines().filter_map(|line| line.trim().strip_prefix("make ")) {
                let target = line.split_whitespace().find(|word| !word.starts_with('-')).unwrap_or_default();
                assert!(makefile.contains(&format!("\n{target}:")), "{}: make {line}", document.display());
                count += 1;
            }
        }
    }
    assert!(count >= 20, "{count} targets");
}

#[test]
fn the_files_that_documents_name_exist() {
    let mut count = 0;
    for document in documents() {
        for code in code(&fs::read_to_string(&document).unwrap()) {
            let in_repository = ["src/", "tests/", "benches/", "pkg/", "www/", "fuzz/", ".ci/"];
            let is_path = code.chars().all(|char| char.is_ascii_alphanumeric() || "/._-".contains(char));
            if !is_path || !in_repository.iter().any(|folder| code.starts_with(folder)) {
                continue;
            }
            // Build results are not in the repository.
            if code.starts_with("pkg/wasm")
                || code.starts_with("fuzz/corpus")
                || code.starts_with("fuzz/artifacts")
            {
                continue;
            }
            assert!(root().join(&code).exists(), "{}: {code}", document.display());
            count += 1;
        }
    }
    assert!(count >= 50, "{count} files");
}

#[test]
fn the_performance_of_the_readme_is_that_of_the_guide() {
    let cells = |line: &str| {
        let cells = line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('*').to_owned());
        cells.take(3).collect::<Vec<_>>()
    };
    let rows = |file: &str| {
        let text = fs::read_to_string(root().join(file)).unwrap();
        let table = text.split("\n\n").find(|block| block.starts_with("| work |")).unwrap().to_owned();
        table.lines().skip(2).map(cells).filter(|row| !row[1].is_empty()).collect::<Vec<_>>()
    };
    let shown = rows("README.md");
    assert!(shown.len() >= 15, "{shown:?}");
    assert_eq!(shown, rows("src/guide/performance.md"));
}
