//! The lengths of source files and of the lines of comments, and the number of files in a folder. `.ci/lines.mjs`
//! reports the lines of each part.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::docs::{extension, files, root};

/// The maximum number of lines of a source file.
const LINES: usize = 500;

/// The maximum number of columns of a line of JavaScript, TypeScript, CSS, or HTML, and of a comment in Rust.
const COLUMNS: usize = 120;

/// The maximum number of source files in a folder of `src`.
const FILES: usize = 12;

fn is_rust(name: &str) -> bool {
    extension(Path::new(name)) == "rs"
}

/// Calls the function with the path and the text of each source file that is not generated.
fn each(found: &mut dyn FnMut(String, &str)) {
    let is_source = |path: &Path| match extension(path) {
        "" => path.parent().is_some_and(|folder| folder.starts_with(root().join(".ci"))),
        other => matches!(other, "rs" | "js" | "mjs" | "jsx" | "ts" | "cts" | "css" | "html" | "py"),
    };
    for path in files(is_source) {
        let text = fs::read_to_string(&path).unwrap();
        if !text.lines().take(3).any(|line| line.contains("Do not edit")) {
            found(path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned(), &text);
        }
    }
}

/// Returns whether a line cannot be wrapped: a regular expression, or the title of a test, which biome keeps on the
/// line of its call.
fn is_unbreakable(line: &str) -> bool {
    let line = line.trim_start();
    let code = line.trim_end_matches([',', ';']);
    let is_regex = line.starts_with('/')
        && !line.starts_with("//")
        && !line.starts_with("/*")
        && code.trim_end_matches(|flag: char| flag.is_ascii_lowercase()).ends_with('/');
    let is_title =
        ["test(\"", "describe(\""].iter().any(|call| line.starts_with(call)) && line.ends_with("=> {");
    is_regex || is_title
}

#[test]
fn no_source_file_is_longer_than_500_lines_or_wider_than_120_columns() {
    let (mut count, mut longer, mut wider) = (0, Vec::new(), Vec::new());
    each(&mut |name, text| {
        count += 1;
        let is_rust = is_rust(&name);
        // rustfmt wraps the code of Rust.
        let is_wrapped = |line: &str| is_rust && !line.trim_start().starts_with("//");
        let is_script = Path::new(&name).extension().is_none_or(|extension| extension == "py");
        for (at, line) in text.lines().enumerate() {
            let is_wide = line.chars().count() > COLUMNS && !is_script;
            if is_wide && !is_wrapped(line) && !is_unbreakable(line) {
                wider.push(format!("{name}:{}", at + 1));
            }
        }
        if text.lines().count() > LINES {
            longer.push(name);
        }
    });
    assert!(count > 500, "only {count} source files were found");
    assert!(longer.is_empty(), "files of more than {LINES} lines: {longer:#?}");
    assert!(wider.is_empty(), "lines of more than {COLUMNS} columns: {wider:#?}");
}

#[test]
fn no_folder_of_src_has_more_than_12_source_files() {
    let mut folders: BTreeMap<String, usize> = BTreeMap::new();
    each(&mut |name, _| {
        let folder = Path::new(&name).parent().unwrap().to_str().unwrap().to_owned();
        *folders.entry(folder).or_default() += usize::from(name.starts_with("src/"));
    });
    assert!(folders.len() > 20, "only {} folders were found", folders.len());
    folders.retain(|_, files| *files > FILES);
    assert!(folders.is_empty(), "folders with more than {FILES} source files: {folders:?}");
}

#[test]
fn every_unit_test_has_the_attribute_that_runs_it_in_webassembly() {
    let (mut count, mut lacking) = (0, Vec::new());
    each(&mut |name, text| {
        if !name.starts_with("src/") || !text.lines().any(|line| line.trim() == "#[test]") {
            return;
        }
        count += 1;
        // WebAssembly does not have the OpenAPI document.
        if !text.contains("use crate::test;") && !name.contains("/openapi/") {
            lacking.push(name);
        }
    });
    assert!(count > 40, "{count}");
    assert!(lacking.is_empty(), "add `use crate::test;` to {}", lacking.join(", "));
}
