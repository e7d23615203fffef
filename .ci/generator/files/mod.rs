//! Every file that is generated from the code, with its text.
#![allow(
    clippy::format_collect,
    clippy::format_push_string,
    reason = "a developer runs it, so speed does not matter"
)]

mod fields;
mod fold;
mod http;
mod json_schema;
mod kinds;
mod limits;
mod names;
mod package;
mod resources_schema;
mod responses;
mod settings;
mod types;

use std::path::{Path, PathBuf};

use resource_edge::openapi;
use resource_edge::shape::Shape;

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
    let shape = Shape::built_in();
    let package = [
        ("bodies.ts", types::typescript(&shape)),
        ("issues.ts", responses::errors(&shape)),
        ("json-schemas.ts", json_schema::typescript(&shape)),
        ("kinds.ts", kinds::typescript(&shape)),
        ("languages.ts", package::languages()),
        ("limits.ts", limits::typescript()),
        ("messages.ts", package::messages()),
        ("operations.ts", package::operations()),
        ("params.ts", package::params()),
        ("predicate-fields.ts", fields::typescript(&shape)),
        ("responses.ts", responses::typescript(&shape)),
        ("routes.ts", package::routes()),
    ];
    let mut files: Vec<File> =
        package.map(|(name, text)| File { path: format!("{PACKAGE_FOLDER}/{name}"), text }).into();
    for (path, text) in [
        ("pkg/resources.schema.json", resources_schema::text()),
        ("src/guide/use/http.md", http::page(&shape)),
        (settings::PAGE, settings::page()),
        (settings::LIST, settings::list()),
        ("src/search/folding.rs", fold::rust()),
        ("tests/repository/openapi/openapi.json", open_api(&shape)),
    ] {
        files.push(File { path: path.to_owned(), text });
    }
    files
}

/// Returns the OpenAPI document with a line for each member and item.
fn open_api(shape: &Shape) -> String {
    let document: serde_json::Value = serde_json::from_str(&openapi::document(shape)).unwrap();
    serde_json::to_string_pretty(&document).unwrap() + "\n"
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
