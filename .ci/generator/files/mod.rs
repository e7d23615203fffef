//! Every file that is generated from the code, with its text.

mod accept;
mod accept_shapes;
mod fields;
mod http;
mod json_schema;
mod limits;
mod names;
mod package;
mod pretty;
mod responses;
mod settings;
mod types;

use std::path::{Path, PathBuf};

use resource_edge::openapi;

/// The folder of the npm package's generated files. It has no others.
pub(crate) const PACKAGE_FOLDER: &str = "pkg/src/generated";

/// A generated file.
pub(crate) struct File {
    /// The path from the root of the repository.
    pub(crate) path: String,
    pub(crate) text: String,
}

/// Generates all files.
pub(crate) fn generate() -> Vec<File> {
    let package = [
        ("accept.ts", accept::typescript()),
        ("bodies.ts", types::typescript()),
        ("issues.ts", responses::errors()),
        ("json-schemas.ts", json_schema::typescript()),
        ("languages.ts", package::languages()),
        ("limits.ts", limits::typescript()),
        ("messages.ts", package::messages()),
        ("operations.ts", package::operations()),
        ("params.ts", package::params()),
        ("predicate-fields.ts", fields::typescript()),
        ("responses.ts", responses::typescript()),
        ("routes.ts", package::routes()),
    ];
    let mut files: Vec<File> =
        package.map(|(name, text)| File { path: format!("{PACKAGE_FOLDER}/{name}"), text }).into();
    for (path, text) in [
        ("src/guide/http.md", http::page()),
        (settings::PAGE, settings::page()),
        ("tests/openapi/openapi.json", pretty::pretty(&openapi::document())),
    ] {
        files.push(File { path: path.to_owned(), text });
    }
    files
}

/// Returns the names of the constants in `src/contract/limits.rs`, and those that this program lists, each list sorted.
#[cfg(test)]
pub(crate) fn limit_names() -> (Vec<String>, Vec<String>) {
    limits::names()
}

/// Returns the full path of a file of the repository.
pub(crate) fn full_path(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Returns the first lines of a generated file of TypeScript.
fn head(source: &str) -> String {
    format!("// Generated from {source}. Do not edit: run `make generate`.\n")
}

/// Returns a comment of TypeScript with its line break. It is wrapped if it would exceed 120 characters.
fn comment(indent: usize, text: &str) -> String {
    const WIDTH: usize = 120;
    let space = " ".repeat(indent);
    let text = text.trim();
    if indent + "/** */".len() + text.chars().count() < WIDTH {
        return format!("{space}/** {text} */\n");
    }
    let mut lines = format!("{space}/**\n");
    let mut line = format!("{space} *");
    for word in text.split(' ') {
        if line.chars().count() + 1 + word.chars().count() > WIDTH {
            lines.push_str(&line);
            lines.push('\n');
            line = format!("{space} *");
        }
        line.push(' ');
        line.push_str(word);
    }
    format!("{lines}{line}\n{space} */\n")
}
