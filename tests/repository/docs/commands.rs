//! Commands and files that documents name exist.

use std::fs;
use std::path::{Path, PathBuf};

use crate::docs::{documents, on_one_line, root};

/// Returns the spans of code in a document, each on one line, and its blocks of code.
fn code(text: &str) -> Vec<String> {
    let blocks: Vec<&str> = text.split("```").collect();
    let spans =
        blocks.iter().step_by(2).flat_map(|prose| prose.split('`').skip(1).step_by(2)).map(on_one_line);
    let blocks = blocks.iter().skip(1).step_by(2).map(|block| (*block).to_owned());
    spans.chain(blocks).collect()
}

/// Passes each line of code in the documents to the function, with its document.
fn each_line(mut check: impl FnMut(&Path, &str)) {
    for document in documents() {
        for code in code(&fs::read_to_string(&document).unwrap()) {
            code.lines()
                .for_each(|line| check(&document, line.split(" #").next().unwrap_or_default().trim()));
        }
    }
}

#[test]
fn the_make_targets_and_variables_that_documents_name_exist() {
    let makefile = fs::read_to_string(root().join("Makefile")).unwrap();
    let (mut targets, mut variables) = (0, 0);
    each_line(|document, line| {
        let Some(arguments) = line.strip_prefix("make ") else { return };
        let mut words =
            arguments.split("&&").next().unwrap().split_whitespace().filter(|word| !word.starts_with('-'));
        let target = words.next().unwrap_or_default();
        assert!(makefile.contains(&format!("\n{target}:")), "{}: {line}", document.display());
        targets += 1;
        for (name, _) in words.filter_map(|word| word.split_once('=')) {
            let is_used =
                makefile.contains(&format!("$({name})")) || makefile.contains(&format!("$(if $({name})"));
            assert!(is_used, "{}: {line}: {name}", document.display());
            variables += 1;
        }
    });
    assert!(targets >= 20 && variables >= 8, "{targets} targets, {variables} variables");
}

#[test]
fn the_tests_and_benchmarks_that_documents_run_exist() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let mut count = 0;
    each_line(|document, line| {
        for (option, folder) in [("--test ", "tests"), ("--bench ", "benches")] {
            for rest in line.split(option).skip(1).filter(|_| line.contains("cargo ")) {
                let name = rest.split_whitespace().next().unwrap();
                let files = [format!("{name}.rs"), format!("{name}/main.rs")];
                let exists = files.iter().any(|file| root().join(folder).join(file).exists())
                    || manifest.contains(&format!("name = \"{name}\"\npath = \"{folder}/main.rs\""));
                assert!(exists, "{}: {line}", document.display());
                count += 1;
            }
        }
    });
    assert!(count >= 15, "{count} tests and benchmarks");
}

/// Returns the paths of the repository in a line of code.
fn paths(line: &str) -> Vec<&str> {
    let folders = ["src/", "tests/", "benches/", "pkg/", "www/", "fuzz/", "examples/", ".ci/"];
    let is_part = |char: char| char.is_ascii_alphanumeric() || "/._-*".contains(char);
    let words = line.split(|char| !is_part(char)).map(|word| word.trim_end_matches('.'));
    words
        .filter(|word| folders.iter().any(|folder| word.starts_with(folder) && word.len() > folder.len()))
        .collect()
}

/// Returns the folder that a document's paths begin at: for the README of a project, the folder of its template.
fn home(document: &Path) -> PathBuf {
    let is_template = document.starts_with(root().join("pkg/template"));
    document.parent().filter(|_| is_template).map_or_else(root, Path::to_path_buf)
}

#[test]
fn the_files_that_documents_name_exist() {
    assert_eq!(
        paths("node --test tests/a.test.mjs, `src/b.rs`. xsrc/c pkg/"),
        ["tests/a.test.mjs", "src/b.rs"]
    );
    let mut count = 0;
    each_line(|document, line| {
        for path in paths(line) {
            // Build results and findings are not in the repository.
            let is_built =
                ["pkg/dist", "fuzz/corpus", "fuzz/artifacts"].iter().any(|folder| path.starts_with(folder));
            if is_built {
                continue;
            }
            let file = home(document).join(path.split('*').next().unwrap());
            let exists = if path.contains('*') { file.parent().unwrap().is_dir() } else { file.exists() };
            assert!(exists, "{}: {path}", document.display());
            count += 1;
        }
    });
    assert!(count >= 200, "{count} files");
}
