//! Generated files are committed, and current.

use std::collections::BTreeSet;
use std::fs;

#[path = "../../../.ci/generator/files/mod.rs"]
mod files;

#[test]
fn the_committed_files_equal_the_generated_files() {
    let mut stale = files::generate();
    stale.retain(|file| fs::read_to_string(files::full_path(&file.path)).ok().as_ref() != Some(&file.text));
    let stale: Vec<_> = stale.into_iter().map(|file| file.path).collect();
    assert!(stale.is_empty(), "run `make generate`, which changes {}", stale.join(", "));
}

#[test]
fn the_generated_folder_has_no_other_files() {
    let folder = fs::read_dir(files::full_path(files::PACKAGE_FOLDER)).unwrap();
    let committed: BTreeSet<String> = folder
        .map(|entry| format!("{}/{}", files::PACKAGE_FOLDER, entry.unwrap().file_name().to_string_lossy()))
        .collect();
    let paths = files::generate().into_iter().map(|file| file.path);
    let generated: BTreeSet<String> = paths.filter(|path| path.starts_with(files::PACKAGE_FOLDER)).collect();
    assert_eq!(committed, generated);
}
