//! Deployments with other own fields (D37): any change of the table. The edges and the object get it at different
//! times, so messages between them may name fields that the object does not have.

use std::rc::Rc;

use resource_edge::call::{CallResult, Message, Reply, wire};
use resource_edge::shape::Shape;

use crate::support::deployments::changed;
use crate::support::own_fields::Table;
use crate::world::simulation::oracle::need;
use crate::world::simulation::random::Random;
use crate::world::simulation::workload::Operation;
use crate::world::simulation::world::World;

/// The longest time between the deployment to the edges and that to the object.
const SKEW_MS: u64 = 3_000;

/// The own fields of the service.
#[derive(Default)]
pub(crate) struct Deployed {
    /// Those of the last deployment, which clients send.
    pub(crate) newest: Table,
    /// Those of the deployment before it.
    previous: Table,
    pub(crate) edges: Table,
    pub(crate) object: Table,
    /// The shapes of both.
    pub(crate) edges_shape: Rc<Shape>,
    pub(crate) object_shape: Rc<Shape>,
    /// The number of deployments.
    count: u64,
    is_partial: bool,
}

impl Deployed {
    pub(crate) fn new(random: &Random) -> Self {
        let (newest, previous) = (Table::draw(random), Table::draw(random));
        let shape = newest.shape();
        Self {
            edges: newest.clone(),
            object: newest.clone(),
            edges_shape: Rc::clone(&shape),
            object_shape: shape,
            newest,
            previous,
            ..Self::default()
        }
    }

    /// Returns whether there was another deployment.
    pub(crate) fn has_changed(&self) -> bool {
        self.count > 0
    }
}

impl World {
    /// Deploys other own fields, unless a deployment is under way.
    pub(crate) fn deploy(&mut self) {
        let deployed = &mut self.deployed;
        if deployed.is_partial {
            return;
        }
        let next = if self.random.chance(300) {
            self.report.count("own fields are put back");
            deployed.previous.clone()
        } else {
            self.report.count("own fields change");
            changed(&deployed.newest, &self.random)
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
        if self.deployed.object != newest {
            self.switch(false, newest);
        }
    }

    /// Decodes a message of an edge, which the object understands whatever own fields both have.
    pub(crate) fn read(&mut self, message: &[u8]) -> Option<Message> {
        let read = wire::decode(message);
        let verdict = read.as_ref().map(drop).map_err(|error| format!("a message is refused: {error}"));
        self.report.check(verdict);
        read.ok()
    }

    /// Checks a reply of the object to an edge with these own fields. Returns whether it decides anything: not if the
    /// object lacks a field that the operation names.
    pub(crate) fn decides(&mut self, operation: &Operation, sender: &Table, reply: &Reply<String>) -> bool {
        let is_refused = matches!(&reply.head.result, CallResult::Error(error) if error.status() == 503);
        if !is_refused {
            return true;
        }
        let fits = operation.fits(sender, &self.deployed.object);
        self.report.count("an object refuses own fields that it does not have");
        self.report.check(need(!fits, || format!("{operation:?} of {sender:?} is refused: {reply:?}")));
        false
    }

    /// Lets the edges, or the object, use other own fields.
    fn switch(&mut self, edges: bool, table: Table) {
        self.report.trace(|| format!("own fields of the edges ({edges}): {table:?}"));
        let shape = table.shape();
        if edges {
            self.locations.iter().for_each(|location| location.deploy(&shape));
            (self.deployed.edges, self.deployed.edges_shape) = (table, shape);
            return;
        }
        self.crash("the object is deployed");
        (self.deployed.object, self.deployed.object_shape) = (table, shape);
        let storage = Rc::clone(&self.object.storage);
        let before = storage.records();
        self.turn(World::start);
        let after = storage.records();
        self.report.check(need(before == after, || {
            format!("the start of a deployment changes {before:#?} to {after:#?}")
        }));
    }
}
