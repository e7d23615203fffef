//! Data that is read back: messages and replies between versions of the code, KV's copies and their metadata, and
//! stored responses. Broken bytes are an error, never a panic, and never another caller's data.

use std::cell::OnceCell;
use std::rc::Rc;

use resource_edge::call::{Call, Message, Reply, ReplyHead, wire};
use resource_edge::contract::kv::Metadata;
use resource_edge::project::Project;
use resource_edge::project::store::database::{Bind, Database as _};
use resource_edge::server::effect::{Effect, EffectOutcome};
use resource_edge::server::platform::{CacheCopy, Pointer};
use resource_edge::shape::Shape;
use resource_edge::util::strict_json;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use super::input::{Input, lossy};
use crate::native::reference::random::asking::asking;
use crate::support::caller::Caller;
use crate::support::edge::Sent;
use crate::support::messages;
use crate::support::shared::Shared;

thread_local! {
    static CALLER: OnceCell<Caller> = const { OnceCell::new() };
    static STORED: OnceCell<Project<Shared>> = const { OnceCell::new() };
}

/// Creates a caller of a service that remembers no copies of the input before.
fn forgetful() -> Caller {
    Caller::with(&json!({"HOT_SECONDS": "0"}))
}

pub fn run(data: &[u8]) {
    let mut input = Input(data);
    match input.choice(7) {
        0 => read::<Message>(input.0),
        1 => read::<Reply<String>>(input.0),
        2 => query(&input),
        3 => metadata(input.0),
        4 => CALLER.with(|caller| copies(caller.get_or_init(forgetful), &mut input)),
        5 => CALLER.with(|caller| reply(caller.get_or_init(forgetful), &mut input)),
        _ => replayed(input.0),
    }
}

/// Checks that bytes are an error, or a value that encodes to the same bytes.
fn read<T: Serialize + DeserializeOwned>(bytes: &[u8]) {
    let mut framed = wire::encode(&()).expect("nothing can be encoded");
    framed.extend_from_slice(bytes);
    for bytes in [&framed, bytes] {
        if let Ok(value) = wire::decode::<T>(bytes) {
            let written = wire::encode(&value).expect("what was decoded can be encoded");
            let again: T = wire::decode(&written).expect("what was encoded can be decoded");
            // Compares bytes, because NaN does not equal itself.
            assert_eq!(wire::encode(&again).expect("the same"), written);
        }
    }
}

/// Checks that a query is unchanged after encoding and decoding.
fn query(input: &Input<'_>) {
    let shape = Rc::new(Shape::built_in());
    let Some(asking) = input.draw(&asking(&shape, 2)) else { return };
    let query = asking.query(&shape).expect("a query of the grammar");
    let message =
        Message { project: "p".to_owned(), call: Call::Read(resource_edge::call::Read::Query(query)) };
    let bytes = wire::encode(&message).expect("a message");
    assert_eq!(wire::decode(&bytes), Ok(message));
}

fn metadata(bytes: &[u8]) {
    let read = |bytes| Metadata::read(&strict_json::value(bytes)?);
    let Some(metadata) = read(bytes) else { return };
    // Versions and revisions are below 2^53.
    if metadata.revision < 1 << 53 && metadata.version.is_none_or(|version| version < 1 << 53) {
        assert_eq!(read(metadata.to_json().as_bytes()), Some(metadata));
    }
}

fn read_request(caller: &Caller, target: &str, minimum: u64) -> Sent {
    let mut headers = caller.headers();
    headers.push(("Resource-Min-Revision".to_owned(), minimum.to_string()));
    Sent { method: "GET".to_owned(), target: target.to_owned(), headers, body: Vec::new() }
}

/// Checks that a copy is served only if it is not a tombstone, is new enough, and has the key, whatever else KV
/// contains.
fn copies(caller: &Caller, input: &mut Input<'_>) {
    let (by_key, minimum) = (input.choice(2) == 0, u64::from(input.byte()));
    let (has_copy, deleted, gone) = (input.choice(4) > 0, input.choice(4) == 0, input.choice(4) == 0);
    let revision = if input.choice(8) == 0 { input.number() } else { u64::from(input.byte()) };
    let key =
        (input.choice(4) > 0).then(|| if input.choice(3) > 0 { "k".to_owned() } else { input.text_line() });
    let id = input.text_line();
    let body = lossy(input.0);
    let target = if by_key { "/p/resource/key=k" } else { "/p/resource/a" };
    let got = caller.exchange(&read_request(caller, target, minimum), |effect| match effect {
        Effect::ReadPointer { .. } => {
            Some(EffectOutcome::Pointer(Some(Pointer { id: id.clone(), deleted: gone })))
        }
        Effect::ReadCopy { .. } if has_copy => {
            let (body, key) = (body.clone(), key.clone());
            Some(EffectOutcome::Copy(Some(CacheCopy { bytes: body.len(), body, revision, key, deleted })))
        }
        Effect::ReadCopy { .. } => Some(EffectOutcome::Failed("broken".to_owned())),
        Effect::CallObject { .. } => Some(EffectOutcome::Failed("away".to_owned())),
        _ => None,
    });
    let usable = has_copy && !deleted && revision >= minimum && (!by_key || key.as_deref() == Some("k"));
    // The instance may remember the ID from before the pointer was gone.
    let expected: &[u16] = if !usable {
        &[503]
    } else if by_key && gone {
        &[200, 503]
    } else {
        &[200]
    };
    assert!(expected.contains(&got.status), "{got:?}");
    assert!(
        got.headers.iter().all(|(_, value)| value.bytes().all(|byte| (b' '..0x7f).contains(&byte))),
        "{got:?}"
    );
    assert!(got.status != 200 || got.body == body);
}

/// Checks that there is a response, whatever an object replies.
fn reply(caller: &Caller, input: &mut Input<'_>) {
    let sent = if input.choice(2) == 0 {
        read_request(caller, "/p/resource/a", 0)
    } else {
        Sent { method: "DELETE".to_owned(), ..read_request(caller, "/p/resource/a", 0) }
    };
    let mut head = wire::encode(&()).expect("nothing can be encoded");
    head.extend_from_slice(input.0);
    let is_reply = wire::decode::<ReplyHead>(&head).is_ok();
    let got = caller.exchange(&sent, |effect| match effect {
        Effect::CallObject { .. } => Some(EffectOutcome::Reply(head.clone(), Some("{}".to_owned()))),
        _ => None,
    });
    assert!(is_reply || got.status == 503, "{got:?}");
}

/// Checks that a stored response that cannot be read is an error, and that any other is a replay.
fn replayed(bytes: &[u8]) {
    STORED.with(|project| {
        let write = messages::once(messages::post(&json!({"id": "a", "objectTypeProperty": {}})), "once");
        let project = project.get_or_init(|| {
            let project = Project::new(Shared::new(), Rc::default());
            project.perform(&write, &messages::at(1_000)).expect("the first write");
            project
        });
        let mut framed = wire::encode(&()).expect("nothing can be encoded");
        framed.extend_from_slice(bytes);
        let update = "UPDATE idempotency SET reply = ?";
        project.database().execute(update, &[Bind::Blob(&framed)]).expect("the stored response");
        let found = project.perform(&write, &messages::at(1_001));
        assert_eq!(found.is_ok(), wire::decode::<Reply<String>>(&framed).is_ok());
        assert!(
            found.is_ok_and(|reply| reply.head.replayed) || wire::decode::<Reply<String>>(&framed).is_err()
        );
    });
}
