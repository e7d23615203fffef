//! Queries with the random predicates of the native tests, drawn from the input, on a collection and its reference.

use std::cell::OnceCell;

use proptest::strategy::{BoxedStrategy, Strategy as _, ValueTree as _};
use proptest::test_runner::TestRunner;
use resource_edge::call::Change;
use resource_edge::shape::ResourceInput;

use super::input::Input;
use crate::native::reference::random::asking::{Asking, asking};
use crate::native::reference::random::records::body;
use crate::native::reference::random::values::{id, key};
use crate::native::reference::twin::{Tally, Twin};
use crate::support::own_fields::Table;

thread_local! {
    static TWIN: OnceCell<(Twin, BoxedStrategy<Asking>)> = const { OnceCell::new() };
}

/// Creates a collection that is the same in every run, with its reference. It has own fields of each type.
pub fn twin() -> Twin {
    let mut runner = TestRunner::deterministic();
    let shape = Table::of_each_type().shape();
    let strategy = body(&shape, id(), proptest::option::of(key()).boxed());
    let mut twin = Twin::of(&shape);
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
    TWIN.with(|cell| {
        let (twin, asking) = cell.get_or_init(|| {
            let twin = twin();
            let asking = asking(&twin.shape, 3);
            (twin, asking)
        });
        let Some(asking) = Input(data).draw(asking) else { return };
        if let Err(error) = twin.ask(&asking, &Tally::default()) {
            panic!("{asking:?}\n{error}");
        }
    });
}
