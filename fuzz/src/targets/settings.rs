//! Settings: any values are accepted or rejected, a rejection shows no value, and every response is well formed.

use resource_edge::server::settings::{SETTINGS, Settings};
use serde_json::Value;

use super::input::Input;
use crate::support::edge::{Edge, Sent, send, service};
use crate::support::invariants;

pub fn run(data: &[u8]) {
    let mut input = Input(data);
    let mut changes = serde_json::Map::new();
    for _ in 0..input.choice(5) {
        let name = input.pick(SETTINGS).name;
        let value = if input.choice(8) == 0 { Value::Null } else { Value::String(input.text_line()) };
        changes.insert(name.to_owned(), value);
    }
    let changes = Value::Object(changes);
    let settings = crate::support::settings::settings(&changes);
    let parsed = Settings::parse(&|name| settings.get(name).cloned());
    if let Err(error) = &parsed {
        let said = error.to_string();
        for (name, value) in &settings {
            assert!(value.len() < 24 || !said.contains(value), "{name}: {said}");
        }
    }
    let origin = input.text_line();
    // The platform allows only printable characters in a header value.
    let origin: String = origin.chars().filter(|char| (' '..='~').contains(char)).collect();
    let (service, edge) = (service(&changes), Edge::new());
    let sent = Sent {
        method: "GET".to_owned(),
        target: "/p/resource/a".to_owned(),
        headers: vec![("Origin".to_owned(), origin)],
        body: Vec::new(),
    };
    // `send` checks that each request has a line in the log, which these settings may turn off.
    let logs_all = settings.get("LOG").is_some_and(|level| level == "all");
    if logs_all && parsed.is_ok() {
        let got = send(&service, &edge, &sent);
        assert_eq!(invariants::broken(&edge.shape_for(&sent), &sent, &got), None, "{got:?}");
        assert_eq!(got.status, if parsed.is_ok_and(|settings| settings.has_issuer()) { 401 } else { 503 });
    }
}
