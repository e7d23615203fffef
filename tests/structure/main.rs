//! Checks the structure of the source: the imports of each layer, no circles between files, one name for one type, and
//! the lengths of files.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "tests")]

mod circles;
mod imports;
mod lengths;
mod tokens;

use std::collections::{BTreeMap, BTreeSet};

use imports::Source;

/// Imports that are part of a circle, by the beginnings of both paths. Remove a row when its circle is gone.
const CIRCLES: &[(&str, &str)] = &[];

/// Names that several types have. Remove a row when only one has it.
const SHARED_NAMES: &[&str] = &[];

/// Returns the rows of the table in `src/lib.rs`: a layer, and the layers that it imports.
fn table() -> Vec<(String, Vec<String>)> {
    let text = std::fs::read_to_string(imports::root().join("src/lib.rs")).unwrap();
    let rows = text.lines().filter_map(|line| line.strip_prefix("//! | ")?.strip_suffix(" |"));
    let rows = rows.map(|row| row.split(" | ").collect::<Vec<_>>()).skip(1);
    let plain = |name: &str| name.trim_matches(['[', ']', '`']).to_owned();
    rows.map(|cells| {
        let [layer, _, imports] = cells[..] else { panic!("a row of three cells: {cells:?}") };
        let imports = imports.split(", ").filter(|import| *import != "nothing").map(plain).collect();
        (plain(layer), imports)
    })
    .collect()
}

#[test]
fn each_layer_imports_exactly_the_layers_in_its_row_all_from_rows_above() {
    let table = table();
    assert!(table.len() > 10, "the rows of src/lib.rs are {table:?}");
    let mut found: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let sources = imports::sources();
    for source in &sources {
        // The crate's root has no code, and the guide only documents.
        let Some(layer) = source.layer() else { continue };
        let imports = found.entry(layer).or_default();
        imports
            .extend(source.imports.iter().filter_map(|file| imports::layer(file)).filter(|to| *to != layer));
    }
    found.remove("guide");
    let listed: BTreeSet<&str> = table.iter().map(|(layer, _)| layer.as_str()).collect();
    assert_eq!(listed, found.keys().copied().collect(), "layers in the table of src/lib.rs, and in src");
    for (at, (layer, imports)) in table.iter().enumerate() {
        let listed: BTreeSet<&str> = imports.iter().map(String::as_str).collect();
        let users = |to: &str| {
            let imports = |source: &&Source| {
                source.layer() == Some(layer)
                    && source.imports.iter().any(|file| imports::layer(file) == Some(to))
            };
            sources.iter().filter(imports).map(|source| source.path.clone()).collect::<Vec<_>>()
        };
        for import in &found[layer.as_str()] {
            assert!(
                listed.contains(import),
                "{layer} imports {import}, which its row does not list: {:?}",
                users(import)
            );
        }
        for import in listed {
            assert!(
                found[layer.as_str()].contains(import),
                "{layer} does not import {import}, which its row lists"
            );
            let is_above = table[..at].iter().any(|(above, _)| above == import);
            assert!(is_above, "{layer} imports {import}, whose row is not above");
        }
    }
}

#[test]
fn no_file_imports_itself_through_others() {
    let mut unused: Vec<_> = CIRCLES.to_vec();
    let mut graph = BTreeMap::new();
    for source in imports::sources() {
        let mut is_known = |to: &String| {
            let row = CIRCLES.iter().find(|(from, end)| source.path.starts_with(from) && to.starts_with(end));
            unused.retain(|other| Some(other) != row);
            row.is_some()
        };
        let imports: Vec<String> = source.imports.iter().filter(|to| !is_known(to)).cloned().collect();
        graph.insert(source.path.clone(), imports);
    }
    assert_eq!(circles::find(&graph), Vec::<Vec<String>>::new(), "files that import each other");
    assert!(unused.is_empty(), "remove from CIRCLES: {unused:?}");
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
    let shared: Vec<&str> = types.keys().map(String::as_str).collect();
    assert_eq!(shared, SHARED_NAMES, "names that several types have, and those that may: {types:?}");
}
