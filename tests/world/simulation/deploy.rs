//! Deployments that change the resource (D41), in any way. The edges and the object get it at different times, so
//! messages between them may name fields that the object does not have.

use std::rc::Rc;

use resource_edge::call::{CallResult, Message, Reply, wire};
use resource_edge::shape::Shape;

use crate::support::schemas::Design;
use crate::world::simulation::oracle::need;
use crate::world::simulation::random::Random;
use crate::world::simulation::workload::Operation;
use crate::world::simulation::world::World;

/// The longest time between the deployment to the edges and that to the object.
const SKEW_MS: u64 = 3_000;

/// The resource of the project.
#[derive(Default)]
pub(crate) struct Deployed {
    /// That of the last deployment, which clients send.
    pub(crate) newest: Design,
    /// That of the deployment before it.
    previous: Design,
    pub(crate) edges: Design,
    pub(crate) object: Design,
    /// The number of deployments.
    count: u64,
    is_partial: bool,
}

impl Deployed {
    /// Draws the resource of the project: that of the interface, or a declared one.
    pub(crate) fn new(random: &Random) -> Self {
        let newest = if random.chance(350) { Design::default() } else { Design::draw(random) };
        let previous = newest.changed(random);
        Self { edges: newest.clone(), object: newest.clone(), newest, previous, ..Self::default() }
    }

    /// Returns whether there was another deployment.
    pub(crate) fn has_changed(&self) -> bool {
        self.count > 0
    }
}

impl World {
    /// Deploys another shape of the resource, unless a deployment is under way.
    pub(crate) fn deploy(&mut self) {
        let deployed = &mut self.deployed;
        if deployed.is_partial {
            return;
        }
        let next = if self.random.chance(300) {
            self.report.count("a shape is put back");
            deployed.previous.clone()
        } else {
            self.report.count("a shape changes");
            deployed.newest.changed(&self.random)
        };
        deployed.previous = std::mem::replace(&mut deployed.newest, next.clone());
        deployed.is_partial = true;
        deployed.count += 1;
        let (count, pause) = (deployed.count, self.random.below(SKEW_MS));
        let edges_first = self.random.chance(500);
        self.switch(edges_first, next.clone());
        self.after(pause, move |world| {
            if world.deployed.count == count {
                world.switch(!edges_first, next);
                world.deployed.is_partial = false;
            }
        });
    }

    /// Completes a deployment.
    pub(crate) fn end_deployments(&mut self) {
        let newest = self.deployed.newest.clone();
        self.deployed.count += 1;
        self.switch(true, newest.clone());
        if self.deployed.object.schema != newest.schema {
            self.switch(false, newest);
        }
    }

    /// Decodes a message of an edge, which the object understands whatever shapes both have.
    pub(crate) fn read(&mut self, message: &[u8]) -> Option<Message> {
        let read = wire::decode(message);
        let verdict = read.as_ref().map(drop).map_err(|error| format!("a message is refused: {error}"));
        self.report.check(verdict);
        read.ok()
    }

    /// Checks a reply of the object to an edge of this resource. Returns whether it decides anything: not if the object
    /// does not have what the operation names.
    pub(crate) fn decides(&mut self, operation: &Operation, sender: &Design, reply: &Reply<String>) -> bool {
        let is_refused = matches!(&reply.head.result, CallResult::Error(error) if error.status() == 503);
        if !is_refused {
            return true;
        }
        let fits = operation.fits(sender, &self.deployed.object);
        self.report.count("an object refuses what it does not have");
        self.report.check(need(!fits, || format!("{operation:?} of {sender:?} is refused: {reply:?}")));
        false
    }

    /// Lets the edges, or the object, use another shape of the resource.
    fn switch(&mut self, edges: bool, design: Design) {
        self.report.trace(|| format!("the resource of the edges ({edges}): {design:?}"));
        if edges {
            let resources = self.resources(&design);
            self.locations.iter().for_each(|location| location.deploy(&resources, self.now()));
            self.deployed.edges = design;
            return;
        }
        self.crash("the object is deployed");
        self.deployed.object = design;
        let storage = Rc::clone(&self.object.storage);
        if self.random.chance(150) {
            self.report.count("an index is outdated");
            // Without tables there is none.
            let _ = storage.sqlite.connection.execute("UPDATE meta SET value = 0 WHERE name = 'index'", []);
        }
        let before = storage.records();
        self.turn(World::start);
        let after = storage.records();
        self.report.check(need(before == after, || {
            format!("the start of a deployment changes {before:#?} to {after:#?}")
        }));
    }

    /// Returns the shape of the object.
    pub(crate) fn object_shape(&self) -> Rc<Shape> {
        let Deployed { object, previous, .. } = &self.deployed;
        let design = self.mutant.map(|mutant| mutant.of_object(object, previous));
        design.map_or_else(|| Rc::clone(&object.shape), |design| design.shape)
    }
}
