//! Checks the documents: their links, the tests, commands, and files that they name, and their figures.

mod blocks;
mod commands;
mod decisions;
mod figures;
mod links;
mod named;

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the repository's files that the function accepts, without folders that a build or a tool creates.
pub(crate) fn files(is_wanted: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy();
            let ours = !matches!(name.as_ref(), "node_modules" | "target" | "build" | "dist" | "artifacts")
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

fn documents() -> Vec<PathBuf> {
    files(|path| extension(path) == "md")
}

/// Returns the extension of a file, without a dot; empty if there is none.
pub(crate) fn extension(path: &Path) -> &str {
    path.extension().and_then(|extension| extension.to_str()).unwrap_or_default()
}

pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the text without its blocks and spans of code.
fn prose(text: &str) -> String {
    let blocks: String = text.split("```").step_by(2).collect();
    blocks.split('`').step_by(2).collect::<Vec<_>>().join("``")
}

/// Returns the text with single spaces instead of its white space.
fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
