//! A collection on native SQLite, always filled in the same way, and calls of it.

#[path = "../../tests/support/sqlite.rs"]
mod sqlite;

use std::rc::Rc;
use std::time::Instant;

use resource_edge::call::{
    Call, CallResult, Change, Message, Query, Read, Reply, Search, Write, WriteOptions,
};
use resource_edge::contract::api::endpoint::CallId;
use resource_edge::contract::param;
use resource_edge::project::{Moment, Project};
use resource_edge::shape::{ObjectId, Shape};
use resource_edge::util::time::Millis;
use resource_edge::{predicate, search, validate};
pub use sqlite::Sqlite;

/// Creates a collection in which 20 resources are rare, and a word, a number, and a text occur in all.
pub fn fill(count: u64, budget: u64) -> Project<Sqlite> {
    let project = Project::with_budget(Sqlite::new(), shape(), budget);
    let began = Instant::now();
    for i in 0..count {
        let rare = i % (count / 20) == 0;
        let body = format!(
            "{{\"key\":\"k{i}\",\"someProperty\":\"{} common text number{i}\",\"custom\":\"c{:05}\",\
             \"createdBy\":{{\"firstName\":\"Ann{}\"}},\"objectTypeProperty\":{{\
             \"arrayOfIntExample\":[{},1,{}],\"arrayOfFloatExample\":[0.5,{}.25],\
             \"arrayOfStringExample\":[\"everywhere\",\"{}\"],\"arrayOfObjectType\":[{{\"integerExample\":{}}}]}}}}",
            if rare { "scarce" } else { "plenty" },
            i * 7919 % 100_000,
            i % 100,
            if rare { 4242 } else { i % 1000 },
            i % 50,
            i,
            if rare { "seldom" } else { "often" },
            if rare { -7 } else { 3 },
        );
        perform_at(&project, draft(&body), moment(1_700_000_000_000 + i, i));
    }
    eprintln!("{count} resources written in {:.1} s", began.elapsed().as_secs_f64());
    project
}

thread_local! {
    static SHAPE: Rc<Shape> = Rc::new(Shape::built_in());
}

/// Returns the shape of all collections: the interface.
pub fn shape() -> Rc<Shape> {
    SHAPE.with(Rc::clone)
}

/// Returns the creation of a resource with this body.
pub fn draft(body: &str) -> Call {
    let input = validate::resource_input(&shape(), ObjectId::Draft, body.as_bytes());
    let input = input.map_err(|rejection| rejection.into_error().to_json()).unwrap();
    let write = Write { change: Change::CreateOrUpdate(input), options: WriteOptions::default() };
    Call::Write(Box::new(write))
}

/// Returns the moment of a creation: the instant, and randomness that `serial` decides.
pub fn moment(now: Millis, serial: u64) -> Moment {
    let mut entropy = [0; 10];
    entropy[..8].copy_from_slice(&serial.wrapping_mul(0x9E37_79B9_7F4A_7C15).to_be_bytes());
    Moment { now, entropy }
}

pub fn perform_at(project: &Project<Sqlite>, call: Call, moment: Moment) -> Reply<String> {
    let message = Message { project: "bench".to_owned(), call };
    let reply = project.perform(&message, &moment).unwrap();
    assert!(!matches!(reply.head.result, CallResult::Error(_)), "{reply:?}");
    reply
}

pub fn query(predicate: &str, sort: &[&str], with_total: bool) -> Call {
    let written = Some(predicate).filter(|text| !text.is_empty());
    let condition = predicate::read(&shape(), written, &predicate::Variables::default());
    Call::Read(Read::QuerySorted(Query {
        condition: condition.map_err(|error| error.to_json()).unwrap(),
        sort: sort.iter().map(|text| predicate::parse_sort(&shape(), text).unwrap()).collect(),
        limit: 20,
        offset: 0,
        with_total,
    }))
}

pub fn searching(parameters: &str) -> Call {
    let passed = param::decode(CallId::Search.row().params, parameters).unwrap();
    let criteria = search::decode(&shape(), &passed).unwrap();
    Call::Read(Read::Search(Search { criteria, sort: Vec::new(), limit: 20, offset: 0 }))
}
