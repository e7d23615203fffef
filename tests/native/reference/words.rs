//! The texts that a search reads.

use resource_edge::predicate::Value;
use resource_edge::shape::{FieldPath, System, ValueForm};
use serde_json::Value as Json;

use super::fields::values;
use crate::support::schemas::Design;

/// Returns the texts of a resource whose words a search finds.
pub fn texts(design: &Design, body: &Json) -> Vec<String> {
    let paths = design.shape.query_fields().into_iter().filter_map(|field| field.path);
    let found = paths.filter(|path| is_searched(design, path)).flat_map(|path| values(body, &path));
    let mut texts: Vec<String> = Vec::new();
    for value in found {
        if let Value::Text(text) = value {
            texts.push(text);
        }
    }
    texts
}

/// Returns whether a search reads a field: a text of the content, or the key.
fn is_searched(design: &Design, path: &FieldPath) -> bool {
    let is_system = System::ALL.iter().any(|system| system.name() == path.outer());
    let is_hidden = |name: &str| design.at(name).is_some_and(|field| field["x-search"] == false);
    path.form == ValueForm::Text && (!is_system || path.is(System::Key)) && !path.prefixes().any(is_hidden)
}
