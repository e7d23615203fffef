//! The settings of the tests.

use std::collections::BTreeMap;

use serde_json::Value;
use sha2::{Digest, Sha256};

/// Returns the settings of the tests as the Worker receives them, with `changes` on top. Null removes a setting.
pub fn settings(changes: &Value) -> BTreeMap<String, String> {
    let mut all: Value = serde_json::from_str(include_str!("settings.json")).expect("settings.json is JSON");
    for (name, value) in changes.as_object().into_iter().flatten() {
        all[name] = value.clone();
    }
    let text = |name: &String, value: &Value| match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        Value::Array(clients) if name == "API_CLIENTS" => Some(api_clients(clients)),
        other => Some(other.to_string()),
    };
    all.as_object()
        .into_iter()
        .flatten()
        .filter_map(|(name, value)| Some((name.clone(), text(name, value)?)))
        .collect()
}

/// Returns `API_CLIENTS` with hashes. settings.json has the secrets, because the tests send them.
fn api_clients(clients: &[Value]) -> String {
    let hashed: Vec<Value> = clients
        .iter()
        .map(|client| {
            let digest = Sha256::digest(client["secret"].as_str().expect("a client has a secret"));
            let hash = digest.iter().flat_map(|byte| [byte >> 4, byte & 15]);
            let hash: String = hash.filter_map(|digit| char::from_digit(u32::from(digit), 16)).collect();
            serde_json::json!({"id": client["id"], "secretHash": hash, "scopes": client["scopes"]})
        })
        .collect();
    Value::Array(hashed).to_string()
}
