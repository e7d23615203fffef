//! A second project in the same service, with another resource: neither project ever has the fields of the other.

use std::rc::Rc;

use resource_edge::call::wire;
use resource_edge::project::{Moment, Project};
use resource_edge::server::effect::EffectOutcome;
use resource_edge::shape::Resources;
use resource_edge::validate::read_resources;
use serde_json::{Value, json};

use crate::support::caller::{token_in, token_request};
use crate::support::edge::Sent;
use crate::support::schemas::Design;
use crate::support::schemas::values::members;
use crate::support::schemas::writes::{Lacking, accepts, created};
use crate::support::shared::Shared;
use crate::world::simulation::mutant::Mutant;
use crate::world::simulation::oracle::{Verdict, need};
use crate::world::simulation::random::Random;
use crate::world::simulation::world::World;

pub(crate) struct Neighbor {
    design: Design,
    project: Project<Shared>,
}

impl Neighbor {
    pub(crate) fn new(random: &Random) -> Self {
        let design = Design::draw(random);
        Self { project: Project::new(Shared::new(), Rc::clone(&design.shape)), design }
    }

    /// Returns the resources of a service whose project `p` has this one.
    pub(crate) fn resources(&self, design: &Design, mutant: Option<Mutant>) -> Rc<Resources> {
        let mut content = json!({ "resources": {}, "projects": {} });
        for (project, design) in [("p", design), ("q", &self.design)] {
            let Some(schema) = &design.schema else { continue };
            let name = format!("of-{project}");
            content["resources"][&name] =
                mutant.map_or_else(|| (**schema).clone(), |mutant| mutant.schema(schema));
            content["projects"][project] = json!(name);
        }
        if mutant == Some(Mutant::SwapResources) {
            content["projects"]["q"] = content["projects"].get("p").cloned().unwrap_or(json!("of-q"));
        }
        let read = read_resources(&content.to_string());
        Rc::new(read.unwrap_or_else(|refused| panic!("{content}: {refused:?}")))
    }

    /// Performs a message at once.
    pub(crate) fn perform(&self, message: &[u8], moment: &Moment) -> EffectOutcome<String> {
        let message = wire::decode(message).expect("a message");
        let reply = self.project.perform(&message, moment).expect("a reply");
        EffectOutcome::Reply(wire::encode(&reply.head).expect("a head"), reply.body)
    }
}

impl World {
    /// Returns the resources of the service.
    pub(crate) fn resources(&self, design: &Design) -> Rc<Resources> {
        self.neighbor.resources(design, self.mutant)
    }

    /// Writes a resource to the second project, with a body that its schema accepts or not.
    pub(crate) fn visit_neighbor(&mut self) {
        let random = Rc::clone(&self.random);
        let schema = self.neighbor.design.schema.clone().unwrap_or_default();
        let mut body = members(&schema, 500, &random);
        if random.chance(300) {
            // Also a field of the first project.
            let names: Vec<String> =
                self.deployed.newest.properties().map(|(name, _)| name.clone()).collect();
            let foreign = if names.is_empty() { "custom".to_owned() } else { random.pick(&names).clone() };
            body.insert(foreign, json!(7));
        }
        let location = random.below(self.locations.len() as u64) as usize;
        let token = token_in(&self.ask(location, &token_request("tests", "manage_test:q")));
        let headers = [("Authorization", &*format!("Bearer {token}")), ("Content-Type", "application/json")];
        let sent = Sent::new("POST /q/resource", &headers, Value::Object(body.clone()).to_string());
        let got = self.ask(location, &sent);
        self.report.count("a resource of the second project is written");
        let verdict = self.neighbor.verdict(&schema, &body, got.status, &got.json());
        self.report
            .check(verdict.map_err(|what| format!("{what} of the second project, {body:?} by {schema}")));
    }
}

impl Neighbor {
    fn verdict(
        &self,
        schema: &Value,
        body: &serde_json::Map<String, Value>,
        status: u16,
        got: &Value,
    ) -> Verdict {
        if !accepts(schema, body, Lacking::Created) {
            return need(status == 400, || format!("{status} for a wrong body"));
        }
        // Another resource may have a unique value.
        if status == 400 && got["errors"][0]["code"] == "DuplicateField" {
            return Ok(());
        }
        let content = got.as_object().into_iter().flatten();
        let content = content.filter(|(name, _)| self.design.at(name).is_some());
        let content: serde_json::Map<String, Value> =
            content.map(|(name, value)| (name.clone(), value.clone())).collect();
        let expected = created(schema, body);
        need(status == 201 && content == expected, || format!("{status} with {got}, not {expected:?}"))
    }
}
