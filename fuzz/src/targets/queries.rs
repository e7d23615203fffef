//! Queries with the random predicates of the native tests, drawn from the input, on a collection and its reference.

use std::cell::OnceCell;

use proptest::strategy::{BoxedStrategy, Strategy as _, ValueTree as _};
use proptest::test_runner::TestRunner;
use resource_edge::call::Change;
use resource_edge::shape::ResourceInput;
use serde_json::{Value, json};

use super::input::Input;
use crate::native::reference::random::asking::{Asking, asking};
use crate::native::reference::random::records::body;
use crate::native::reference::random::values::{id, key};
use crate::native::reference::twin::{Tally, Twin};
use crate::support::schemas::Design;

thread_local! {
    static TWINS: OnceCell<Vec<(Twin, BoxedStrategy<Asking>)>> = const { OnceCell::new() };
}

/// Creates collections that are the same in every run, with their references: one of the interface's resource, and one
/// of a declared one that has every type at several levels.
pub fn twins() -> Vec<Twin> {
    [Design::default(), declared()].iter().map(twin).collect()
}

fn declared() -> Design {
    let (text, number) = (json!({"type": "string"}), json!({"type": "number"}));
    let (integer, boolean) = (json!({"type": "integer"}), json!({"type": "boolean"}));
    let list = |items: &Value| json!({"type": "array", "items": items});
    let object = |properties: Value| json!({"type": "object", "properties": properties});
    let size = object(json!({"width": number, "unit": text, "inner": object(json!({"width": integer}))}));
    let more = object(json!({"code": integer, "name": text}));
    let part = object(
        json!({"name": text, "price": number, "tags": list(&text), "more": list(&more), "size": size}),
    );
    Design::of(object(json!({
        "title": text, "price": number, "stock": integer, "visible": boolean, "tags": list(&text),
        "sizes": list(&integer), "rates": list(&number), "flags": list(&boolean), "size": size, "parts": list(&part),
        "hidden": {"type": "string", "x-index": false, "x-search": false},
        "levels": {"type": "array", "items": integer, "x-index": false},
    })))
}

fn twin(design: &Design) -> Twin {
    let mut runner = TestRunner::deterministic();
    let strategy = body(&design.shape, id(), proptest::option::of(key()).boxed());
    let mut twin = Twin::of(design);
    for at in 0..24 {
        let input = strategy.new_tree(&mut runner).expect("a body").current();
        // Distinct IDs in the shapes of the strategy. Most keys occur once.
        let input = ResourceInput {
            id: Some(format!("{}{at}", input.id.unwrap_or_default())),
            key: input.key.map(|key| format!("{key}{at}")),
            ..input
        };
        twin.write(&Change::CreateOrUpdate(input), &Tally::default()).expect("a body that can be stored");
    }
    twin
}

pub fn run(data: &[u8]) {
    TWINS.with(|cell| {
        let twins = cell.get_or_init(|| {
            let with_asking = |twin: Twin| {
                let asking = asking(&twin.shape, 3);
                (twin, asking)
            };
            twins().into_iter().map(with_asking).collect()
        });
        for (twin, asking) in twins {
            let Some(asking) = Input(data).draw(asking) else { return };
            if let Err(error) = twin.ask(&asking, &Tally::default()) {
                panic!("{asking:?}\n{error}");
            }
        }
    });
}
