//! TypeScript types of the fields that a predicate may name, with the operators that the predicate language supports
//! for each. Found by checking predicates, field by field.

use std::fmt::Write as _;
use std::sync::Arc;

use resource_edge::predicate::{Variables, check, parse};
use resource_edge::shape::types::Object;
use resource_edge::shape::{FieldType, QueryField, Shape};

use super::head;

/// The types of the groups of operators, in `predicate.ts`.
const GROUPS: [&str; 8] =
    ["Circles", "Compares", "Contains", "Defines", "Empties", "Equals", "Items", "Matches"];

/// Returns the text of `predicate-fields.ts`.
pub(super) fn typescript(shape: &Shape) -> String {
    let mut out = String::new();
    let record = shape.names_within(None);
    let mut later = Vec::new();
    interface(shape, &mut out, "ResourceFields", "The fields of a resource.", "", &record, &mut later);
    let mut done = Vec::new();
    while let Some((object, path)) = later.pop() {
        let name = format!("{}Fields", object.name);
        if done.contains(&name) {
            continue;
        }
        let names: Vec<&str> = object.fields.iter().map(|field| field.name.as_ref()).collect();
        let about = format!("Fields: {}", object.about.trim_start());
        interface(shape, &mut out, &name, &about, &path, &names, &mut later);
        done.push(name);
    }
    let is_used = |group: &&&str| ["<", " ", ";"].iter().any(|end| out.contains(&format!("{group}{end}")));
    let used: Vec<&str> = GROUPS.iter().filter(is_used).copied().collect();
    let import = format!("\nimport type {{ {} }} from \"../expressions/operators.js\";\n", used.join(", "));
    head("the schema and the predicate language (src/predicate)") + &import + &out
}

fn interface(
    shape: &Shape,
    out: &mut String,
    name: &str,
    about: &str,
    path: &str,
    names: &[&str],
    later: &mut Vec<(Arc<Object>, String)>,
) {
    writeln!(out, "\n/** {about} */\nexport interface {name} {{").unwrap();
    for field in names {
        let path = if path.is_empty() { (*field).to_owned() } else { format!("{path}.{field}") };
        writeln!(out, "  readonly {field}: {};", ty(shape, &path, later)).unwrap();
    }
    out.push_str("}\n");
}

/// Returns the type of a field: the groups of operators that the language supports.
fn ty(shape: &Shape, path: &str, later: &mut Vec<(Arc<Object>, String)>) -> String {
    let field = resolve(shape, path);
    let mut groups: Vec<String> = Vec::new();
    let literals =
        [("string", "\"x\""), ("number | bigint", "1"), ("boolean", "true"), ("Date | string", DATE_TIME)];
    for (value, literal) in literals {
        // A time is also a text. Only fields that accept no other text have times.
        if value.contains("Date") && accepts(shape, path, "= \"x\"") {
            continue;
        }
        let equals = ["=", "!="].map(|symbol| format!("{symbol} {literal}"));
        let orders = ["<", "<=", ">", ">="].map(|symbol| format!("{symbol} {literal}"));
        let lists = ["in", "not in"].map(|operator| format!("{operator} ({literal})"));
        match (all(shape, path, equals.iter().chain(&lists)), all(shape, path, &orders)) {
            (true, true) => groups.push(format!("Compares<{value}>")),
            (true, false) => groups.push(format!("Equals<{value}>")),
            (false, orders) => assert!(!orders, "{path} has an order without equality"),
        }
        if all(shape, path, &["all", "any"].map(|word| format!("contains {word} ({literal})"))) {
            groups.push(format!("Contains<{value}>"));
        }
    }
    for (group, operators) in [
        ("Empties", ["is empty", "is not empty"].as_slice()),
        ("Defines", &["is defined", "is not defined"]),
        ("Matches", &["matches ignore case \"x\""]),
        ("Circles", &["within circle(1, 2, 3)"]),
    ] {
        if all(shape, path, operators) {
            groups.push(group.to_owned());
        }
    }
    if let FieldType::Object(object) = field.field_type {
        let name = format!("{}Fields", object.name);
        if field.array {
            groups.push(format!("Items<{name}>"));
        }
        groups.push(name);
        later.push((object, path.to_owned()));
    }
    groups.join(" & ")
}

const DATE_TIME: &str = "\"2000-01-01T00:00:00.000Z\"";

fn resolve(shape: &Shape, path: &str) -> QueryField {
    let mut names = path.split('.');
    let first = shape.field_of(None, names.next().unwrap()).unwrap();
    names.fold(first, |field, name| shape.field_of(Some(&field), name).unwrap())
}

/// Returns whether the field supports all the operators. If it supported only some, the group would be wrong.
fn all<'o>(
    shape: &Shape,
    path: &str,
    operators: impl IntoIterator<Item = &'o (impl AsRef<str> + 'o)>,
) -> bool {
    let accepted: Vec<bool> =
        operators.into_iter().map(|operator| accepts(shape, path, operator.as_ref())).collect();
    assert!(accepted.iter().all(|one| *one == accepted[0]), "{path}: {accepted:?}");
    accepted[0]
}

fn accepts(shape: &Shape, path: &str, operator: &str) -> bool {
    let text = format!("{path} {operator}");
    check(shape, &parse(&text).unwrap(), &Variables::default()).is_ok()
}
