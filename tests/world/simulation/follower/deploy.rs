//! Deployments that change the resource (D41).

use serde_json::Map;

use super::*;
use crate::support::schemas::{kind, properties};

/// What a service delivers with any shape.
const REQUESTS: [&str; 4] = ["GET /p/changes", "GET /p/export", "GET /p/resource", "GET /p/status"];

/// The text that makes resources large.
pub(super) const FILLER: &str = "custom";

/// The resource of the service, and what it has had all the time.
pub(super) struct Deployments {
    pub(super) design: Design,
    /// The properties that a declared resource has had all the time with one type, in the form of a schema. An import
    /// may lose values of others.
    kept: Option<Value>,
}

impl Deployments {
    pub(super) fn new(random: &Random) -> Self {
        if random.chance(350) {
            return Self { design: Design::default(), kept: None };
        }
        let design = Design::of(followed(&draw(random)));
        let kept = design.schema.as_deref().map(|schema| common(schema, schema));
        Self { design, kept }
    }

    /// Returns the resource after any change, and what it then has had all the time.
    fn next(&self, random: &Random) -> (Design, Option<Value>) {
        let (Some(schema), Some(kept)) = (&self.design.schema, &self.kept) else {
            return (self.design.clone(), None);
        };
        let schema = followed(&changed(schema, random));
        let kept = common(kept, &schema);
        (Design::of(schema), Some(kept))
    }

    /// Returns a body without values; of a declared resource, with those that it must have.
    pub(super) fn body(&self, id: &str, random: &Random) -> Value {
        match &self.design.schema {
            Some(schema) => with_id(members(schema, 0, random), id),
            None => json!({ "id": id, "objectTypeProperty": {} }),
        }
    }
}

/// Returns a body with an ID.
pub(super) fn with_id(mut body: Map<String, Value>, id: &str) -> Value {
    body.insert("id".to_owned(), json!(id));
    Value::Object(body)
}

/// Returns a schema with [`FILLER`].
fn followed(schema: &Value) -> Value {
    let mut schema = schema.clone();
    schema["properties"][FILLER] = json!({ "type": "string" });
    schema
}

/// Returns what two schemas have with the same types.
fn common(one: &Value, other: &Value) -> Value {
    let both = properties(one).filter_map(|(name, one)| {
        let other = other["properties"].get(name)?;
        let are_lists = |list: bool| kind(one) == "array" && list;
        let items = |schema: &Value| kind(&schema["items"]).to_owned();
        let is_same =
            kind(one) == kind(other) && !are_lists(kind(other) == "array" && items(one) != items(other));
        is_same.then(|| (name.clone(), common(one, other)))
    });
    let mut found = json!({ "type": kind(one), "properties": both.collect::<Map<_, _>>() });
    if one["items"].is_object() && other["items"].is_object() {
        found["items"] = common(&one["items"], &other["items"]);
    }
    found
}

/// Returns the parts of a value that were kept. The order of members is that of an earlier schema, perhaps.
fn pruned(kept: &Value, value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(|item| pruned(&kept["items"], item)).collect(),
        Value::Object(members) => {
            let of = |name: &String, kept| Some((name.clone(), pruned(kept, members.get(name)?)));
            Value::Object(properties(kept).filter_map(|(name, kept)| of(name, kept)).collect())
        }
        other => other.clone(),
    }
}

impl World {
    /// Deploys another shape. Objects end, and start again.
    pub(super) fn deploy(&mut self) -> Verdict {
        if self.random.chance(400) {
            // So many that their index is renewed in parts.
            for id in 0..IDS {
                let mut body = self.deployments.body(&format!("r{id}"), &self.random);
                body[FILLER] = json!("x".repeat(LONG));
                self.ask(true, "POST /p/resource", &body.to_string());
            }
        }
        self.kill(true);
        self.kill(false);
        let states = [self.source.states(), self.standby.states()];
        let (design, kept) = self.deployments.next(&self.random);
        self.use_design(design, kept);
        let edge = self.edge();
        for site in [&mut self.source, &mut self.standby] {
            let line = *self.random.pick(&REQUESTS);
            let answer = site.ask(&edge, line, "", false);
            need(answer.status == 200, || {
                format!("{line} after a deployment gets {}: {}", answer.status, answer.body)
            })?;
        }
        self.source.end();
        self.standby.end();
        let now = [self.source.states(), self.standby.states()];
        need(states == now, || format!("a deployment changes {states:#?} to {now:#?}"))
    }

    /// Returns states as texts, with the values that the service has had all the time.
    pub(super) fn shown(&self, states: &[State]) -> Vec<String> {
        let kept = self.deployments.kept.as_ref();
        states.iter().map(|state| state.shown(&|record| kept.map(|kept| pruned(kept, record)))).collect()
    }

    /// Lets the service have this resource. The follower with a condition follows another one.
    fn use_design(&mut self, design: Design, kept: Option<Value>) {
        if design.schema.is_some() {
            self.report.count("a shape changes");
        }
        self.deployments = Deployments { design, kept };
        let design = &self.deployments.design;
        self.report.trace(|| format!("{design:?}"));
        self.location.deploy(&resources(design), self.now.get());
        self.source.deploy(design);
        self.standby.deploy(design);
        let filter = Filter::draw(&self.deployments, &self.random);
        self.feeds[1] = Feed::new(Some(filter), self.mutant);
    }
}
