//! Checks the structure of the source: the imports of each layer and module, no circles between files, one name for one
//! type, the lengths of files, and the number of files in a folder.

mod builds;
mod circles;
mod dependencies;
mod generated;
mod imports;
mod lengths;
mod tokens;

use std::collections::{BTreeMap, BTreeSet};

/// The files with a table of modules: the crate's layers, and the modules of the largest layers.
const TABLES: &[&str] =
    &["src/lib.rs", "src/contract/mod.rs", "src/project/mod.rs", "src/server/mod.rs", "src/shape/mod.rs"];

/// Returns the rows of the table in a module's documentation: a module, and the modules that it imports.
fn table(file: &str) -> Vec<(String, Vec<String>)> {
    let text = std::fs::read_to_string(crate::docs::root().join(file)).unwrap();
    let rows = text.lines().filter_map(|line| line.strip_prefix("//! | ")?.strip_suffix(" |"));
    let rows = rows.map(|row| row.split(" | ").collect::<Vec<_>>()).skip(1);
    let plain = |name: &str| name.trim_matches(['[', ']', '`']).to_owned();
    let mut table: Vec<(String, Vec<String>)> = Vec::new();
    for cells in rows {
        let [module, _, imports] = cells[..] else { panic!("a row of three cells: {cells:?}") };
        let imports = match imports {
            "nothing" => Vec::new(),
            "all above" => table.iter().map(|(above, _)| above.clone()).collect(),
            imports => imports.split(", ").map(plain).collect(),
        };
        table.push((plain(module), imports));
    }
    table
}

#[test]
fn each_module_imports_exactly_the_modules_in_its_row_all_from_rows_above() {
    let sources = imports::sources();
    for home in TABLES {
        let folder = home.trim_end_matches("lib.rs").trim_end_matches("mod.rs");
        let table = table(home);
        assert!(table.len() > 4, "the rows of {home} are {table:?}");
        // Which file of a module imports which module.
        let mut found: BTreeMap<&str, BTreeMap<&str, &str>> = BTreeMap::new();
        for source in &sources {
            let Some(module) = imports::module_of(folder, &source.path) else { continue };
            let imports = source.imports.iter().filter_map(|file| imports::module_of(folder, file));
            let imports = imports.filter(|to| *to != module).map(|to| (to, source.path.as_str()));
            found.entry(module).or_default().extend(imports);
        }
        // The guide only documents.
        found.remove("guide");
        let listed: BTreeSet<&str> = table.iter().map(|(module, _)| module.as_str()).collect();
        assert_eq!(
            listed,
            found.keys().copied().collect(),
            "modules in the table of {home}, and in {folder}"
        );
        for (at, (module, imports)) in table.iter().enumerate() {
            for (import, file) in &found[module.as_str()] {
                let is_listed = imports.iter().any(|listed| listed == import);
                assert!(is_listed, "{home}: {module} imports {import}, which its row does not list: {file}");
            }
            for import in imports {
                let is_imported = found[module.as_str()].contains_key(import.as_str());
                assert!(is_imported, "{home}: {module} does not import {import}, which its row lists");
                let is_above = table[..at].iter().any(|(above, _)| above == import);
                assert!(is_above, "{home}: {module} imports {import}, whose row is not above");
            }
        }
    }
}

#[test]
fn no_file_imports_itself_through_others() {
    let graph = imports::sources()
        .into_iter()
        .map(|source| (source.path, source.imports.into_iter().collect()))
        .collect();
    assert_eq!(circles::find(&graph), Vec::<Vec<String>>::new(), "files that import each other");
}

#[test]
fn only_the_edges_have_state_that_is_no_value() {
    let is_state = |token: &String| {
        ["thread_local", "LazyLock", "OnceLock", "Mutex", "RwLock"].contains(&token.as_str())
            || token.starts_with("Atomic")
    };
    let sources = imports::sources();
    let with_state = sources.iter().filter(|source| source.tokens.iter().any(is_state));
    let (edges, others): (Vec<&str>, Vec<&str>) = with_state
        .map(|source| source.path.as_str())
        .partition(|path| path.starts_with("src/bindings/") || path.starts_with("src/worker/"));
    assert_eq!(others, Vec::<&str>::new(), "files of pure layers with global state");
    assert!(edges.contains(&"src/worker/resources.rs"), "{edges:?}");
}

#[test]
fn no_two_types_share_a_name() {
    let mut types: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for source in imports::sources() {
        for name in tokens::types(&source.tokens) {
            types.entry(name).or_default().push(source.path.clone());
        }
    }
    assert!(types.len() > 200, "only {} types were found", types.len());
    types.retain(|_, files| files.len() > 1);
    assert!(types.is_empty(), "names that several types have: {types:?}");
}

#[test]
fn no_two_types_of_one_program_in_typescript_share_a_name() {
    let mut types: BTreeMap<(&str, String), Vec<String>> = BTreeMap::new();
    for path in crate::docs::files(|path| path.extension().is_some_and(|extension| extension == "ts")) {
        let file = path.strip_prefix(crate::docs::root()).unwrap().display().to_string();
        let programs = ["pkg/src/", "src/worker/", "www/"];
        let Some(program) = programs.into_iter().find(|program| file.starts_with(program)) else { continue };
        for line in std::fs::read_to_string(&path).unwrap().lines() {
            let line = line.strip_prefix("export ").unwrap_or(line);
            let Some((kind, rest)) = line.split_once(' ') else { continue };
            if matches!(kind, "class" | "interface" | "type") {
                let name = rest.split(|char: char| !char.is_alphanumeric()).next().unwrap();
                // `export type { Name } from` and `export type * from` have none.
                if !name.is_empty() {
                    types.entry((program, name.to_owned())).or_default().push(file.clone());
                }
            }
        }
    }
    assert!(types.len() > 300, "only {} types were found", types.len());
    types.retain(|_, files| files.len() > 1);
    assert!(types.is_empty(), "names that several types have: {types:?}");
}
