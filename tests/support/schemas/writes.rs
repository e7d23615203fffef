//! The effect of writes on the content of a declared resource (D38, D39, D41), a second time and as simply as possible.

use serde_json::{Map, Value, json};

use super::rules::fits;
use super::{kind, properties, required};

/// The values of a resource, or of a body, by the name of their property.
pub type Members = Map<String, Value>;

/// What a body says about the fields that it lacks (D38).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lacking {
    /// Operation 6 without a version: a creation stores the default of each.
    Created,
    /// Operations 7 and 8: they have no value.
    Replaced,
    /// The others, which say what changes.
    Kept,
}

/// Returns whether a body is accepted.
pub fn accepts(schema: &Value, body: &Members, lacking: Lacking) -> bool {
    let is_required = |name: &str| required(schema).any(|other| other == name);
    let known = body.iter().all(|(name, value)| match schema["properties"].get(name) {
        None => false,
        Some(_) if value.is_null() => !is_required(name),
        Some(property) => fits(property, value),
    });
    let may_lack = |name: &str| match lacking {
        Lacking::Created => schema["properties"][name].get("default").is_some(),
        Lacking::Replaced => false,
        Lacking::Kept => true,
    };
    known && required(schema).all(|name| body.contains_key(name) || may_lack(name))
}

/// Returns the content of a new resource.
pub fn created(schema: &Value, body: &Members) -> Members {
    let given = |name: &String| body.get(name).filter(|value| !value.is_null());
    let fields = properties(schema);
    let fields = fields.filter_map(|(name, property)| {
        Some((name.clone(), given(name).or_else(|| property.get("default"))?.clone()))
    });
    fields.collect()
}

/// Returns the content of a resource that existed after a body.
pub fn changed(schema: &Value, before: &Members, body: &Members, lacking: Lacking) -> Members {
    let replaces = lacking == Lacking::Replaced;
    let fields = properties(schema).filter_map(|(name, property)| {
        let kept = || before.get(name).filter(|_| !replaces).map(|value| pruned(property, value));
        let value = match body.get(name) {
            // Null removes a field.
            Some(Value::Null) if lacking == Lacking::Kept => None,
            Some(Value::Null) | None => kept(),
            Some(value) => Some(value.clone()),
        };
        Some((name.clone(), value?))
    });
    fields.collect()
}

/// Returns a stored value without the members that the schema does not have any more.
fn pruned(schema: &Value, value: &Value) -> Value {
    let object = if kind(schema) == "array" { &schema["items"] } else { schema };
    match value {
        Value::Array(items) if kind(object) == "object" => {
            items.iter().map(|item| pruned(object, item)).collect()
        }
        Value::Object(members) if kind(object) == "object" => {
            let known = members.iter().filter_map(|(name, value)| {
                Some((name.clone(), pruned(object["properties"].get(name)?, value)))
            });
            Value::Object(known.collect())
        }
        other => other.clone(),
    }
}

/// An update action of a declared resource.
#[derive(Debug, Clone)]
pub enum Act {
    /// Null removes the value.
    Set(String, Value),
    Add(String, Vec<Value>),
    Remove(String, Vec<Value>),
}

impl Act {
    pub fn name(&self) -> &str {
        let (Self::Set(name, _) | Self::Add(name, _) | Self::Remove(name, _)) = self;
        name
    }

    /// Returns the action as a body has it.
    pub fn to_json(&self) -> Value {
        let (verb, value) = match self {
            Self::Set(_, value) => ("set", value.clone()),
            Self::Add(_, items) => ("add", json!(items)),
            Self::Remove(_, items) => ("remove", json!(items)),
        };
        let name = self.name();
        json!({ "action": format!("{verb}{}{}", name[..1].to_uppercase(), &name[1..]), name: value })
    }

    /// Returns whether the action is accepted.
    pub fn is_accepted(&self, schema: &Value) -> bool {
        let Some(property) = schema["properties"].get(self.name()) else { return false };
        match self {
            Self::Set(name, Value::Null) => required(schema).all(|other| other != name),
            Self::Set(_, value) => fits(property, value),
            Self::Add(_, items) | Self::Remove(_, items) => {
                let item = &property["items"];
                kind(property) == "array"
                    && kind(item) != "object"
                    && items.iter().all(|value| fits(item, value))
            }
        }
    }

    /// Performs the action on the content. Returns whether the array then keeps its rules; if not, nothing may change.
    pub fn perform(&self, schema: &Value, content: &mut Members) -> bool {
        let name = self.name();
        let property = &schema["properties"][name];
        let before: Vec<Value> = content.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
        let mut after = before.clone();
        match self {
            Self::Set(_, Value::Null) => drop(content.remove(name)),
            Self::Set(_, value) => drop(content.insert(name.to_owned(), value.clone())),
            Self::Add(_, items) => {
                for item in items {
                    if property["uniqueItems"] != true || !after.contains(item) {
                        after.push(item.clone());
                    }
                }
            }
            Self::Remove(_, items) => after.retain(|item| !items.contains(item)),
        }
        // An earlier schema may have allowed what the action does not change, or brings nearer to the rules.
        let (less, count) = (after.len() < before.len(), after.len() as u64);
        if after.len() == before.len() {
            return true;
        }
        let breaks = if less {
            property["minItems"].as_u64().is_some_and(|least| count < least)
        } else {
            property["maxItems"].as_u64().is_some_and(|most| count > most)
        };
        content.insert(name.to_owned(), after.into());
        !breaks
    }
}
