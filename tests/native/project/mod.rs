//! The collection on native SQLite: versions and time, faults, the outbox, and replays.

mod batch;
mod costs;
mod declared;
mod faults;
mod follow;
mod full;
mod growth;
mod large;
mod machine;
mod outbox;
mod replay;
mod status;
mod time;
mod words;

use std::collections::BTreeSet;
use std::rc::Rc;

use resource_edge::call::{Call, CallResult, Change, Message, Query, Read, Reply, Search};
use resource_edge::contract::api::endpoint::CallId;
use resource_edge::contract::param;
use resource_edge::project::store::database::Database;
use resource_edge::project::{Listed, Next, Project, Put};
use resource_edge::shape::Shape;
use resource_edge::util::time::Millis;
use resource_edge::{predicate, search};
use serde_json::{Value, json};

use crate::support::messages::{
    at, body, delete, get, merge, message, once, options, patch, post, put, record, resource, status, update,
    write,
};
use crate::support::shared::Shared;

type Collection = Project<Shared>;

/// Returns the project of a database, with the shape of the interface.
fn start<D: Database>(database: D) -> Project<D> {
    Project::new(database, Rc::default())
}

fn open() -> Collection {
    start(Shared::new())
}

/// Returns the project after a crash: the same database with an empty memory.
fn crash(project: &Collection) -> Collection {
    start(project.database().clone())
}

fn perform(project: &Collection, message: &Message, now: Millis) -> Reply<String> {
    project.perform(message, &at(now)).unwrap()
}

/// Creates a resource without contents, or changes one.
fn create(project: &Collection, id: &str, key: Option<&str>, now: Millis) -> Reply<String> {
    let reply = perform(project, &post(&json!({"id": id, "key": key, "objectTypeProperty": {}})), now);
    resource(&reply);
    reply
}

/// Begins the next put, which there must be.
fn begin(project: &Collection, now: Millis) -> Put {
    match project.next_put(now).unwrap() {
        Next::Put(put) => put,
        other => panic!("no put: {other:?}"),
    }
}

/// Puts everything that waits until `end`, without pauses. Returns the KV keys.
fn drain_until(
    project: &Collection,
    mut now: Millis,
    end: Millis,
    mut land: impl FnMut(&Put),
) -> Vec<String> {
    let mut entries = Vec::new();
    loop {
        match project.next_put(now).unwrap() {
            Next::Put(put) => {
                land(&put);
                project.put_done(&put, now).unwrap();
                entries.push(put.entry.to_string());
            }
            Next::Wait(at) if at <= end => now = at,
            Next::Wait(_) | Next::Nothing => return entries,
        }
    }
}

fn drain(project: &Collection, now: Millis) -> BTreeSet<String> {
    drain_until(project, now, Millis::MAX, |_| {}).into_iter().collect()
}

/// Returns a query of two results with the total.
fn query(predicate: &str, sort: &[&str]) -> Query {
    let shape = Shape::built_in();
    let written = Some(predicate).filter(|text| !text.is_empty());
    let condition = predicate::read(&shape, written, &predicate::Variables::default()).unwrap();
    let sort = sort.iter().map(|text| predicate::parse_sort(&shape, text).unwrap()).collect();
    Query { condition, sort, limit: 2, offset: 0, with_total: true }
}

/// Returns a search of two results.
fn searching(parameters: &str) -> Read {
    let passed = param::decode(CallId::Search.row().params, parameters).unwrap();
    let criteria = search::decode(&Shape::built_in(), &passed).unwrap();
    Read::Search(Search { criteria, sort: Vec::new(), limit: 2, offset: 0 })
}
