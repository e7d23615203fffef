//! Random changes of a schema (D41): any, because stored resources keep their bytes until their next write.

use serde_json::{Map, Value, json};

use super::super::random::Random;
use super::values::{canonical, draw};
use super::{INNER, NAMES, kind, listed, properties, property, rules};

/// Returns a schema after up to three changes: properties at any level are added, removed, renamed, or moved; they get
/// another type, become lists or single values, or get other rules; they become required, or unique, or lose that.
pub fn changed(schema: &Value, random: &Random) -> Value {
    let mut schema = schema.clone();
    for _ in 0..=random.below(3) {
        change(&mut schema, random);
    }
    // A default keeps the rules of its field.
    for (_, property) in schema["properties"].as_object_mut().expect("properties") {
        let Some(default) = property.as_object_mut().expect("a schema").shift_remove("default") else {
            continue;
        };
        if rules::fits(property, &default) {
            property["default"] = canonical(property, &default);
        }
    }
    schema
}

/// Gives a property of the resource itself a random default.
pub fn set_default(property: &mut Value, random: &Random) {
    property["default"] = draw(property, random);
}

#[allow(clippy::too_many_lines, reason = "each kind of change")]
fn change(schema: &mut Value, random: &Random) {
    let mut places = Vec::new();
    collect(schema, String::new(), &mut places);
    let place = if random.chance(600) { String::new() } else { random.pick(&places).clone() };
    let is_root = place.is_empty();
    let known: &[&str] = if is_root { &NAMES } else { &INNER };
    let new = || property(random, if is_root { 2 } else { 0 });
    let object = schema.pointer_mut(&place).expect("an object of the schema");
    let present: Vec<String> = properties(object).map(|(name, _)| name.clone()).collect();
    let free: Vec<&str> =
        known.iter().copied().filter(|name| !present.iter().any(|other| other == name)).collect();
    let name = random.pick(&present).as_str();
    match random.below(15) {
        0..2 if !free.is_empty() => insert(object, free[0], new(), random),
        2 | 3 if present.len() > 1 => drop(remove(object, name)),
        4 if !free.is_empty() => {
            let (property, is_required) = remove(object, name);
            let other = *random.pick(&free);
            insert(object, other, property, random);
            require(object, other, is_required);
        }
        5 => {
            let (property, is_required) = remove(object, name);
            insert(object, name, property, random);
            require(object, name, is_required);
        }
        6 | 7 => object["properties"][name] = new(),
        8 => reshape(&mut object["properties"][name]),
        9 => rules_of(&mut object["properties"][name], random),
        10 | 11 => {
            let is_required = listed(object).any(|other| other == name);
            require(object, name, !is_required);
        }
        12 if kind(&object["properties"][name]) == "string" => {
            toggle(&mut object["properties"][name], "x-search", false);
        }
        12 | 13 if !matches!(kind(&object["properties"][name]), "array" | "object") => {
            toggle(&mut object["properties"][name], "x-unique", true);
        }
        13 => toggle(&mut object["properties"][name], "x-index", false),
        _ if is_root => set_default(&mut object["properties"][name], random),
        _ => {}
    }
}

/// Collects the places of a schema's objects.
fn collect(schema: &Value, at: String, places: &mut Vec<String>) {
    for (name, inner) in properties(schema) {
        collect(inner, format!("{at}/properties/{name}"), places);
    }
    if schema["items"].is_object() {
        collect(&schema["items"], format!("{at}/items"), places);
    }
    if kind(schema) == "object" {
        places.push(at);
    }
}

/// Inserts a property at any place.
fn insert(object: &mut Value, name: &str, property: Value, random: &Random) {
    let members = object["properties"].as_object_mut().expect("properties");
    let at = random.below(members.len() as u64 + 1) as usize;
    let mut all: Vec<(String, Value)> = std::mem::take(members).into_iter().collect();
    all.insert(at, (name.to_owned(), property));
    *members = Map::from_iter(all);
}

/// Removes a property. Returns it, and whether it was required.
fn remove(object: &mut Value, name: &str) -> (Value, bool) {
    let is_required = listed(object).any(|other| other == name);
    require(object, name, false);
    let members = object["properties"].as_object_mut().expect("properties");
    (members.shift_remove(name).expect("a property"), is_required)
}

fn require(object: &mut Value, name: &str, is_required: bool) {
    let mut names: Vec<String> = listed(object).filter(|other| *other != name).map(str::to_owned).collect();
    names.extend(is_required.then(|| name.to_owned()));
    object["required"] = json!(names);
}

/// Lets a single value become a list of such values, or a list a single one.
fn reshape(property: &mut Value) {
    let mut inner = property.clone();
    let members = inner.as_object_mut().expect("a schema");
    for keyword in ["default", "x-unique", "x-index", "x-search"] {
        members.shift_remove(keyword);
    }
    let items = members.shift_remove("items");
    inner["type"] = json!(kind(property));
    *property = items.unwrap_or_else(|| json!({ "type": "array", "items": inner }));
}

fn rules_of(property: &mut Value, random: &Random) {
    if kind(property) != "object" {
        rules::add(property, random);
    }
}

/// Sets a flag of a schema, or removes it.
fn toggle(property: &mut Value, keyword: &str, value: bool) {
    let members = property.as_object_mut().expect("a schema");
    if members.shift_remove(keyword).is_none() {
        members.insert(keyword.to_owned(), json!(value));
    }
}
