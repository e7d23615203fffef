//! Deployments with other own fields (D37): a field more, or fields that do not fit the data, which the next one
//! undoes. The edges and the object get them at different times.

use std::rc::Rc;

use resource_edge::call::{CallResult, Message, Reply, wire};

use crate::support::own_fields::Table;
use crate::world::simulation::disk::Storage;
use crate::world::simulation::oracle::need;
use crate::world::simulation::random::Random;
use crate::world::simulation::world::World;

/// The longest time between the deployment to the edges and that to the object.
const SKEW_MS: u64 = 3_000;

/// The own fields of the service.
#[derive(Default)]
pub(crate) struct Deployed {
    /// Those that fit the data.
    pub(crate) right: Table,
    pub(crate) edges: Table,
    pub(crate) object: Table,
    /// Those with which the object has used the data.
    used: Table,
    /// The number of deployments.
    count: u64,
    is_partial: bool,
}

impl Deployed {
    pub(crate) fn new(random: &Random) -> Self {
        let right = Table::draw(random);
        right.install();
        Self { edges: right.clone(), object: right.clone(), right, ..Self::default() }
    }

    /// Returns whether there was another deployment.
    pub(crate) fn has_changed(&self) -> bool {
        self.count > 0
    }

    /// Returns whether edges refuse fields that clients may send.
    pub(crate) fn edges_lack_fields(&self) -> bool {
        !self.edges.continues(&self.right)
    }

    /// Returns whether the object must not use the data.
    pub(crate) fn is_misfit(&self, storage: &Storage) -> bool {
        // A turn that failed may have stored more than was used.
        !self.object.continues(&self.used)
            || self.has_changed() && !self.object.continues(&storage.own_fields())
    }

    /// The object has used the data.
    pub(crate) fn used(&mut self) {
        if self.used != self.object {
            self.used = self.object.clone();
        }
    }
}

impl World {
    /// Deploys other own fields, unless a deployment is under way.
    pub(crate) fn deploy(&mut self) {
        let deployed = &mut self.deployed;
        if deployed.is_partial {
            return;
        }
        let next = if deployed.edges != deployed.right {
            self.report.count("own fields are put back");
            deployed.right.clone()
        } else if self.random.chance(500) {
            self.report.count("a field is added");
            deployed.right = deployed.right.longer();
            deployed.right.clone()
        } else {
            let broken = deployed.right.broken(&self.random);
            if broken.continues(&deployed.used) {
                return;
            }
            self.report.count("own fields that do not fit the data");
            broken
        };
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

    /// Ends a deployment, and undoes one that does not fit the data.
    pub(crate) fn end_deployments(&mut self) {
        let right = self.deployed.right.clone();
        self.deployed.count += 1;
        self.switch(true, right.clone());
        if self.deployed.object != right {
            self.switch(false, right);
        }
    }

    /// Decodes a message. `None` if it is of an edge with other own fields.
    pub(crate) fn read(&mut self, message: &[u8]) -> Option<Message> {
        match wire::decode(message) {
            Ok(message) => Some(message),
            Err(error) => {
                let has_changed = self.deployed.has_changed();
                self.report.count("a message of other own fields");
                self.report.check(need(has_changed, || format!("a message is refused: {error}")));
                None
            }
        }
    }

    /// Checks a reply of the object. Returns whether it decides anything: not if the project refuses its data.
    pub(crate) fn decides(&mut self, reply: &Reply<String>, is_misfit: bool) -> bool {
        if !is_misfit {
            self.deployed.used();
            return true;
        }
        self.report.count("own fields that do not fit the data are refused");
        let is_refused = matches!(&reply.head.result, CallResult::Error(error) if error.status() == 503);
        self.report.check(need(is_refused, || format!("data of other own fields is used: {reply:?}")));
        false
    }

    /// Lets the edges, or the object, use other own fields.
    fn switch(&mut self, edges: bool, table: Table) {
        self.report.trace(|| format!("own fields of the edges ({edges}): {table:?}"));
        if edges {
            table.install();
            self.deployed.edges = table;
            return;
        }
        self.crash("the object is deployed");
        self.deployed.object = table;
        let storage = Rc::clone(&self.object.storage);
        let before = storage.contents();
        let is_misfit = self.deployed.is_misfit(&storage);
        let mut is_ready = false;
        self.turn(|world| is_ready = world.start());
        if is_ready {
            self.deployed.used();
        }
        let after = storage.contents();
        self.report.check(need(before == after, || {
            format!("the start of a deployment changes {before:#?} to {after:#?}")
        }));
        self.report.check(need(!(is_misfit && is_ready), || "data of other own fields is used".to_owned()));
    }
}
