//! Messages to a project's object, as the handler builds them.

use resource_edge::call::{
    Call, CallResult, Change, Idempotency, Lookup, Message, Read, Reply, ResourceHead, Write, WriteBatch,
    WriteOptions,
};
use resource_edge::project::Moment;
use resource_edge::shape::built_in::SOME_PROPERTY;
use resource_edge::shape::{Action, ObjectId, ResourceInput, Shape, UpdateInput};
use resource_edge::util::time::Millis;
use resource_edge::validate;
use serde_json::Value;

pub const PROJECT: &str = "p";

pub fn at(now: Millis) -> Moment {
    Moment { now, entropy: [7; 10] }
}

pub fn message(call: Call) -> Message {
    Message { project: PROJECT.to_owned(), call }
}

/// Creates the message of a write without options.
pub fn write(change: Change) -> Message {
    message(Call::Write(Box::new(Write { change, options: WriteOptions::default() })))
}

pub fn options(message: &mut Message) -> &mut WriteOptions {
    match &mut message.call {
        Call::Write(write) => &mut write.options,
        Call::Batch(batch) => &mut batch.options,
        other => panic!("not a write: {other:?}"),
    }
}

/// Creates the message of a batch of the writes of these messages.
pub fn batch(writes: &[Message]) -> Message {
    let writes = writes.iter().map(|message| match &message.call {
        Call::Write(write) => write.change.clone(),
        other => panic!("not a write: {other:?}"),
    });
    let batch = WriteBatch { writes: writes.collect(), options: WriteOptions::default() };
    message(Call::Batch(Box::new(batch)))
}

/// Returns the message with an `Idempotency-Key`.
pub fn once(mut message: Message, key: &str) -> Message {
    options(&mut message).idempotency =
        Some(Idempotency { caller: "caller".to_owned(), key: key.to_owned(), fingerprint: [1; 16] });
    message
}

/// Creates a body of operations 6 to 8.
pub fn input(body: &Value) -> ResourceInput {
    body_of(ObjectId::Draft, body)
}

/// Creates a body of operations 9 and 13.
pub fn complex(body: &Value) -> ResourceInput {
    body_of(ObjectId::Complex, body)
}

fn body_of(id: ObjectId, body: &Value) -> ResourceInput {
    let text = body.to_string();
    validate::resource_input(&Shape::built_in(), id, text.as_bytes()).expect("a good body")
}

pub fn post(body: &Value) -> Message {
    write(Change::CreateOrUpdate(input(body)))
}

pub fn put(body: &Value) -> Message {
    write(Change::CreateOrOverwrite(input(body)))
}

pub fn patch(body: &Value) -> Message {
    write(Change::Overwrite(input(body)))
}

pub fn merge(body: &Value) -> Message {
    write(Change::UpdateWithUrnLinks(complex(body)))
}

pub fn update(id: &str, version: u64, some_property: Option<&str>) -> Message {
    let set =
        |text| Action::Set { field: SOME_PROPERTY.to_owned(), value: Some(Value::from(text).to_string()) };
    let action = some_property.map_or(Action::Nothing, set);
    write(Change::UpdateById { id: id.to_owned(), update: UpdateInput { version, actions: vec![action] } })
}

pub fn delete(id: &str) -> Message {
    write(Change::DeleteById { id: id.to_owned(), version: None })
}

pub fn get(id: &str) -> Message {
    message(Call::Read(Read::Resource(Lookup::Id(id.to_owned()))))
}

/// Returns the head of a reply with a resource. Panics if the reply has none.
pub fn resource(reply: &Reply<String>) -> &ResourceHead {
    match &reply.head.result {
        CallResult::Resource(head) => head,
        other => panic!("not a resource: {other:?}"),
    }
}

/// Returns the body of a reply. Panics if it has none.
pub fn body(reply: &Reply<String>) -> &str {
    reply.body.as_deref().expect("a reply with a body")
}

pub fn record(reply: &Reply<String>) -> Value {
    resource(reply);
    serde_json::from_str(body(reply)).expect("a record is JSON")
}

/// Returns the status of an error, or 0 if the reply is not an error.
pub fn status(reply: &Reply<String>) -> u16 {
    match &reply.head.result {
        CallResult::Error(error) => error.status(),
        _ => 0,
    }
}
