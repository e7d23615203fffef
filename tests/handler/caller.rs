//! A caller with a token for one project.

use resource_edge::server::Service;
use serde_json::{Value, json};

use crate::support::edge::{Edge, Got, Sent, send, service};
use crate::support::invariants;

pub(crate) struct Caller {
    pub(crate) service: Service,
    pub(crate) edge: Edge,
    pub(crate) token: String,
}

impl Caller {
    pub(crate) fn new() -> Self {
        Self::with(&json!({}))
    }

    /// Creates a caller of a service with these settings on top of those of the tests.
    pub(crate) fn with(settings: &Value) -> Self {
        let mut caller = Self { service: service(settings), edge: Edge::new(), token: String::new() };
        caller.token = caller.token_for("manage_test:p");
        caller
    }

    /// Returns a token with the scope.
    pub(crate) fn token_for(&self, scope: &str) -> String {
        let credentials = "grant_type=client_credentials&client_id=tests&client_secret=tests-secret";
        let asked = Sent {
            method: "POST".to_owned(),
            target: "/oauth/token".to_owned(),
            headers: vec![("Content-Type".to_owned(), "application/x-www-form-urlencoded".to_owned())],
            body: format!("{credentials}&scope={scope}").into_bytes(),
        };
        let got = send(&self.service, &self.edge, &asked);
        got.json()["access_token"].as_str().expect("a token").to_owned()
    }

    /// Returns the response to a request with the token and the headers, after checking the invariants of every
    /// response.
    pub(crate) fn ask(&self, line: &str, headers: &[(&str, &str)], body: &[u8]) -> Got {
        let (method, target) = line.split_once(' ').expect("a method and a target");
        let mut all = vec![("Authorization".to_owned(), format!("Bearer {}", self.token))];
        if !body.is_empty() && headers.iter().all(|(name, _)| *name != "Content-Type") {
            all.push(("Content-Type".to_owned(), "application/json".to_owned()));
        }
        all.extend(headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        let sent =
            Sent { method: method.to_owned(), target: target.to_owned(), headers: all, body: body.to_vec() };
        let got = send(&self.service, &self.edge, &sent);
        if let Some(broken) = invariants::broken(&sent, &got) {
            panic!("{line}: {broken}: {got:?}");
        }
        got
    }

    pub(crate) fn get(&self, target: &str) -> Got {
        self.ask(&format!("GET {target}"), &[], b"")
    }

    /// Reads from the source of truth.
    pub(crate) fn fresh(&self, target: &str) -> Got {
        self.ask(&format!("GET {target}"), &[("Cache-Control", "no-cache")], b"")
    }

    pub(crate) fn write(&self, line: &str, body: &Value) -> Got {
        self.ask(line, &[], body.to_string().as_bytes())
    }

    /// Creates a resource and returns its record.
    pub(crate) fn create(&self, body: &Value) -> Value {
        let got = self.write("POST /p/resource", body);
        assert_eq!(got.status, 201, "{got:?}");
        got.json()
    }
}
