//! Runs case files (tests/cases/README.md) against the handler on an edge in memory.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use resource_edge::server::Service;
use serde_json::{Value, json};

use super::caller::{token_in, token_request};
use super::edge::{Edge, Got, Sent, send, service};
use super::invariants;
use super::json::{added_arrays, at, member_names, mismatch};

/// Runs every case of a file and returns their number. Panics with a list of all failures.
pub fn run(file: &str, text: &str) -> usize {
    let document: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{file}: {error}"));
    check_names(file, &document, &["about", "needs", "settings", "let", "cases"]);
    let service = service(&document["settings"]);
    let mut failures = String::new();
    let mut count = 0;
    for case in document["cases"].as_array().expect("a file has cases") {
        check_names(file, case, &["name", "each", "steps"]);
        let name = case["name"].as_str().expect("a case has a name");
        let rows = case["each"].as_array().cloned().unwrap_or_else(|| vec![json!({})]);
        for row in rows {
            count += 1;
            let mut run = Run::new(&service, count, &[&document["let"], &row]);
            if let Err(failure) = run.steps(case["steps"].as_array().expect("a case has steps")) {
                let _ = writeln!(failures, "\n{file}: {}\n  {failure}", run.text(name));
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
    count
}

/// Rejects a member that the format does not have: it is a typing error, and would prove nothing.
fn check_names(file: &str, object: &Value, known: &[&str]) {
    for name in object.as_object().into_iter().flat_map(|members| members.keys()) {
        assert!(known.contains(&name.as_str()), "{file}: unknown member '{name}' in {object}");
    }
}

/// One case, or one row of it, in a separate project.
struct Run<'s> {
    service: &'s Service<String>,
    edge: Edge,
    saved: BTreeMap<String, Value>,
    tokens: BTreeMap<String, String>,
}

impl<'s> Run<'s> {
    fn new(service: &'s Service<String>, number: usize, given: &[&Value]) -> Self {
        let members = given.iter().filter_map(|given| given.as_object()).flatten();
        let mut saved: BTreeMap<String, Value> =
            members.map(|(name, value)| (name.clone(), value.clone())).collect();
        saved.insert("project".to_owned(), json!(format!("case-{number}")));
        let arrays = added_arrays().fold(String::new(), |arrays, name| arrays + ",\"" + name + "\":[]");
        saved.insert("addedArrays".to_owned(), json!(arrays));
        Self { service, edge: Edge::new(), saved, tokens: BTreeMap::new() }
    }

    fn steps(&mut self, steps: &[Value]) -> Result<(), String> {
        for (index, step) in steps.iter().enumerate() {
            check_names(
                "step",
                step,
                &["send", "token", "headers", "body", "text", "base64", "expect", "save", "eventually"],
            );
            let sent = self.request(step)?;
            let got = send(self.service, &self.edge, &sent);
            self.check(step, &sent, &got).map_err(|failure| {
                let shown: String = got.body.chars().take(600).collect();
                format!(
                    "step {}: {} {}\n  {failure}\n  got {} {shown}",
                    index + 1,
                    sent.method,
                    sent.target.chars().take(200).collect::<String>(),
                    got.status
                )
            })?;
            self.save(step, &got);
        }
        Ok(())
    }

    fn request(&mut self, step: &Value) -> Result<Sent, String> {
        let line = self.text(step["send"].as_str().expect("a step sends something"));
        let (method, target) = line.split_once(' ').expect("a method and a target");
        let mut headers: Vec<(String, String)> = Vec::new();
        if let Some(token) = self.token(step["token"].as_str().unwrap_or("manage"))? {
            headers.push(("Authorization".to_owned(), format!("Bearer {token}")));
        }
        let body = self.body(step);
        if step.get("body").is_some() || step.get("text").is_some() {
            headers.push(("Content-Type".to_owned(), "application/json".to_owned()));
        }
        for (name, value) in step["headers"].as_object().into_iter().flatten() {
            headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
            if let Value::String(value) = self.fill(value) {
                headers.push((name.clone(), value));
            }
        }
        Ok(Sent { method: method.to_owned(), target: target.to_owned(), headers, body })
    }

    fn body(&self, step: &Value) -> Vec<u8> {
        use base64ct::Encoding as _;
        if let Some(body) = step.get("body") {
            return self.fill(body).to_string().into_bytes();
        }
        if let Some(base64) = step["base64"].as_str() {
            return base64ct::Base64::decode_vec(&self.text(base64)).expect("base64");
        }
        match self.fill(&step["text"]) {
            Value::Null => Vec::new(),
            Value::String(text) => text.into_bytes(),
            other => panic!("text is text, not {other}"),
        }
    }

    /// Returns the token with that name. Requests it once per case.
    fn token(&mut self, name: &str) -> Result<Option<String>, String> {
        let project = self.text("${project}");
        let (client, scope) = match name {
            "none" => return Ok(None),
            "manage" => ("tests", format!("manage_test:{project}")),
            "view" => ("tests", format!("view_test:{project}")),
            "other" => ("tests", format!("manage_test:{project}-other view_test:{project}-other")),
            "two" => ("tests-two", format!("manage_test:{project}")),
            _ => panic!("unknown token {name}"),
        };
        if !self.tokens.contains_key(name) {
            let got = send(self.service, &self.edge, &token_request(client, &scope));
            // If no issuer is configured, any token is rejected.
            let token = match got.status {
                200 => token_in(&got),
                503 => "not.a.token".to_owned(),
                _ => return Err(format!("no token: {} {}", got.status, got.body)),
            };
            self.tokens.insert(name.to_owned(), token);
        }
        Ok(self.tokens.get(name).cloned())
    }

    fn check(&self, step: &Value, sent: &Sent, got: &Got) -> Result<(), String> {
        let expect = &step["expect"];
        check_names("expect", expect, &["status", "headers", "body", "text", "order", "errors"]);
        let status = self.fill(&expect["status"]);
        if status != json!(got.status) {
            return Err(format!("expected status {status}"));
        }
        if let Some(broken) = invariants::broken(&self.edge.shape_for(sent), sent, got) {
            return Err(format!("{broken} (headers: {:?})", got.headers));
        }
        for (name, wanted) in expect["headers"].as_object().into_iter().flatten() {
            let found = got.header(name).map_or(Value::Null, |value| json!(value));
            if let Some(difference) = mismatch(&self.fill(wanted), &found) {
                return Err(format!("header {name}{difference}"));
            }
        }
        let fail = |difference: Option<String>| difference.map_or(Ok(()), Err);
        if let Some(wanted) = expect.get("body") {
            let found = serde_json::from_str(&got.body).map_err(|error| format!("not JSON: {error}"))?;
            fail(mismatch(&self.fill(wanted), &found))?;
        }
        if let Some(wanted) = expect.get("text") {
            fail(mismatch(&self.fill(wanted), &json!(got.body)))?;
        }
        if let Some(wanted) = expect.get("order") {
            let mut names = member_names(&got.body);
            names.retain(|name| added_arrays().all(|added| added != name));
            fail(mismatch(wanted, &json!(names)))?;
        }
        if let Value::Array(wanted) = self.fill(&expect["errors"]) {
            let partial = wanted.into_iter().map(|mut error| {
                error["$partial"] = json!(true);
                error
            });
            fail(mismatch(&partial.collect(), &got.json()["errors"]))?;
        }
        Ok(())
    }

    fn save(&mut self, step: &Value, got: &Got) {
        for (name, from) in step["save"].as_object().into_iter().flatten() {
            let from = from.as_str().expect("a JSON Pointer or a header's name");
            let value = if from.is_empty() || from.starts_with('/') {
                at(&got.json(), from).clone()
            } else {
                got.header(from).map_or(Value::Null, |value| json!(value))
            };
            assert!(!value.is_null(), "nothing to save as {name} at '{from}' of {got:?}");
            self.saved.insert(name.clone(), value);
        }
    }

    /// Returns the value with every placeholder filled. A text that is only a placeholder becomes the value itself.
    fn fill(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => {
                let name = text.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'));
                match name.and_then(|name| self.saved.get(name)) {
                    Some(saved) => self.fill_row(saved),
                    None => Value::String(self.text(text)),
                }
            }
            Value::Array(items) => items.iter().map(|item| self.fill(item)).collect(),
            Value::Object(members) => {
                members.iter().map(|(name, value)| (self.text(name), self.fill(value))).collect()
            }
            other => other.clone(),
        }
    }

    /// Fills the values of a row of `each`, which may contain placeholders too.
    fn fill_row(&self, saved: &Value) -> Value {
        match saved {
            Value::String(text) if !text.contains("${") => saved.clone(),
            other => self.fill(other),
        }
    }

    /// Returns the text with its placeholders filled: `${name}` with the saved value, `${text*3}` by repetition.
    fn text(&self, text: &str) -> String {
        let Some((before, rest)) = text.split_once("${") else { return text.to_owned() };
        let is_name = |text: &str| !text.is_empty() && text.chars().all(|char| char.is_ascii_alphanumeric());
        if let Some((name, after)) = rest.split_once('}').filter(|(name, _)| is_name(name)) {
            let value = self.saved.get(name).unwrap_or_else(|| panic!("nothing was saved as {name}"));
            let value = match self.fill_row(value) {
                Value::String(text) => text,
                other => other.to_string(),
            };
            return [before, &value, &self.text(after)].concat();
        }
        let (times, end) = rest
            .match_indices('*')
            .find_map(|(star, _)| {
                let (digits, _) = rest[star + 1..].split_once('}')?;
                Some((digits.parse::<usize>().ok()?, star))
            })
            .unwrap_or_else(|| panic!("neither a name nor a repetition: {text}"));
        let after = &rest[end + 1..];
        let after = after.split_once('}').map_or("", |(_, after)| after);
        [before, &rest[..end].repeat(times), &self.text(after)].concat()
    }
}
