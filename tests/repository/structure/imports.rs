//! Which file of `src` imports which.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::docs::{extension, files, root};
use crate::structure::tokens;

/// A source file that is compiled without tests.
pub(crate) struct Source {
    /// The path of the file in the repository.
    pub(crate) path: String,
    /// The tokens of the file, without those of tests.
    pub(crate) tokens: Vec<String>,
    /// The paths of the files that it names items of.
    pub(crate) imports: BTreeSet<String>,
}

/// Returns the module of a folder that a file is in: the folder's file or folder by name. `None` for files elsewhere,
/// and for the module that the folder is.
pub(crate) fn module_of<'p>(folder: &str, path: &'p str) -> Option<&'p str> {
    let name = path.strip_prefix(folder)?;
    let name = name.split_once('/').map_or_else(|| name.trim_end_matches(".rs"), |(module, _)| module);
    (!matches!(name, "lib" | "mod")).then_some(name)
}

/// A module's path below the crate.
type Module = Vec<String>;

/// Returns the source files with their imports.
pub(crate) fn sources() -> Vec<Source> {
    let mut texts: BTreeMap<Module, (String, Vec<String>)> = BTreeMap::new();
    let mut of_tests: Vec<Module> = Vec::new();
    let is_source = |path: &Path| extension(path) == "rs" && path.starts_with(root().join("src"));
    for path in files(is_source) {
        let name = path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
        let module = module(&name);
        let (text, modules) = without_tests(&fs::read_to_string(&path).unwrap());
        of_tests.extend(modules.into_iter().map(|child| module.iter().cloned().chain([child]).collect()));
        texts.insert(module, (name, tokens::read(&text)));
    }
    texts.retain(|module, _| !of_tests.iter().any(|test| module.starts_with(test)));
    let files: BTreeMap<Module, String> =
        texts.iter().map(|(module, (path, _))| (module.clone(), path.clone())).collect();
    let source = |(module, (path, tokens)): (Module, (String, Vec<String>))| {
        let mut imports = named(&files, &module, &tokens);
        imports.remove(&path);
        Source { path, tokens, imports }
    };
    texts.into_iter().map(source).collect()
}

/// Returns the text without the items that only tests compile, and the modules among them that have separate files.
fn without_tests(text: &str) -> (String, Vec<String>) {
    let (mut kept, mut modules) = (String::new(), Vec::new());
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let attribute = line.trim_start();
        if !["#[cfg(test)]", "#[cfg(all(test,"].iter().any(|start| attribute.starts_with(start)) {
            kept.extend([line, "\n"]);
            continue;
        }
        // rustfmt puts the last brace of an item below its beginning.
        let end = format!("{}}}", &line[..line.len() - attribute.len()]);
        let first = lines.find(|line| !line.trim_start().starts_with("#[")).unwrap();
        let module = first.strip_suffix(';').and_then(|item| item.rsplit_once("mod "));
        modules.extend(module.map(|(_, name)| name.to_owned()));
        if !first.ends_with([';', ',', '}']) {
            lines.find(|line| line.starts_with(&end)).unwrap();
        }
    }
    (kept, modules)
}

fn module(path: &str) -> Module {
    let name = path.trim_start_matches("src/").trim_end_matches(".rs");
    let parts = name.split('/').filter(|part| !matches!(*part, "lib" | "mod"));
    parts.map(str::to_owned).collect()
}

/// Returns the files with items that the tokens of a module name.
fn named(files: &BTreeMap<Module, String>, module: &Module, tokens: &[String]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut i = 0;
    while i < tokens.len() {
        let is_path = tokens.get(i + 1).is_some_and(|token| token == "::")
            && !(i > 0 && tokens[i - 1] == "::")
            // The path in `pub(in path)` is no import.
            && !(i > 0 && tokens[i - 1] == "in" && tokens.get(i.wrapping_sub(2)).is_some_and(|token| token == "("));
        let base = match tokens[i].as_str() {
            _ if !is_path => None,
            "crate" => Some(Vec::new()),
            "self" => Some(module.clone()),
            "super" => Some(parent(module)),
            child => {
                let path: Module = module.iter().cloned().chain([child.to_owned()]).collect();
                files.contains_key(&path).then_some(path)
            }
        };
        i += 1;
        if let Some(base) = base {
            i = follow(files, base, tokens, i, &mut found);
        }
    }
    found
}

fn parent(module: &Module) -> Module {
    module[..module.len().saturating_sub(1)].to_vec()
}

/// Follows a path from its first `::`, through the braces of a `use`. Returns the index after it.
fn follow(
    files: &BTreeMap<Module, String>,
    mut path: Module,
    tokens: &[String],
    mut i: usize,
    found: &mut BTreeSet<String>,
) -> usize {
    while tokens.get(i).is_some_and(|token| token == "::") {
        i += 1;
        match tokens[i].as_str() {
            "super" => path = parent(&path),
            "self" => {}
            "{" => {
                i += 1;
                while tokens[i] != "}" {
                    let mut one = path.clone();
                    if tokens[i] != "self" {
                        one.push(tokens[i].clone());
                    }
                    i = follow(files, one, tokens, i + 1, found);
                    // A name after `as`, and the comma.
                    while !matches!(tokens[i].as_str(), "," | "}") {
                        i += 1;
                    }
                    if tokens[i] == "," {
                        i += 1;
                    }
                }
                return i + 1;
            }
            name if name.chars().all(|char| char.is_alphanumeric() || char == '_') => {
                path.push(name.to_owned());
            }
            // `*`, or the types of a call.
            _ => break,
        }
        i += 1;
    }
    let mut module = path;
    while !files.contains_key(&module) {
        module.pop();
    }
    found.insert(files[&module].clone());
    i
}
