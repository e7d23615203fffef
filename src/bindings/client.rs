//! The client's side of `pkg/src/client/calls.ts` (`src/guide/change/boundaries.md`). Clients and calls have numbers,
//! which are never used again. Messages are in the buffer. JavaScript has the bodies, the tokens, and everything that
//! waits.

use std::cell::RefCell;

use gloo_net::http::Headers;
use wasm_bindgen::prelude::wasm_bindgen;

use super::{page, with};
use crate::client::message::TextList;
use crate::client::{CallState, Client, Options, Response};
use crate::shape::ObjectId;
use crate::util::json;
use crate::validate;

/// Values by their numbers.
struct Numbered<T> {
    last: usize,
    values: Vec<(usize, T)>,
}

impl<T> Numbered<T> {
    const EMPTY: Self = Self { last: 0, values: Vec::new() };

    fn add(&mut self, value: T) -> usize {
        self.last += 1;
        self.values.push((self.last, value));
        self.last
    }

    fn get(&mut self, number: usize) -> Option<&mut T> {
        self.values.iter_mut().find(|(other, _)| *other == number).map(|(_, value)| value)
    }

    /// Removes a value. Not by `Vec::swap_remove`, which may panic.
    fn remove(&mut self, number: usize) {
        let Some(at) = self.values.iter().position(|(other, _)| *other == number) else { return };
        if let (Some(last), Some(place)) = (self.values.pop(), self.values.get_mut(at)) {
            *place = last;
        }
    }
}

thread_local! {
    static CLIENTS: RefCell<Numbered<Client>> = const { RefCell::new(Numbered::EMPTY) };
    static CALLS: RefCell<Numbered<CallState>> = const { RefCell::new(Numbered::EMPTY) };
}

/// Uses a client and a call. JavaScript ends a call before the last function of it is called, so both exist.
fn with_both<T: Default>(
    client: usize,
    call: usize,
    use_them: impl FnOnce(&mut Client, &mut CallState) -> T,
) -> T {
    with(&CLIENTS, |clients| {
        with(&CALLS, |calls| Some(use_them(clients.get(client)?, calls.get(call)?))).unwrap_or_default()
    })
}

/// Creates a client of one project from the [`Options`] in the first `options` bytes of the buffer. Returns the length
/// of a `Created` (pkg/src/client/calls.ts): its number, or what is wrong with the options.
#[wasm_bindgen(skip_typescript)]
pub fn create_client(options: usize) -> usize {
    page(|page| {
        let client = Client::new(&Options::decode(page.bytes(options)));
        let created = json::object(|object| match client {
            Ok(client) => object.integer("client", with(&CLIENTS, |clients| clients.add(client)) as i64),
            Err(wrong) => object.text("wrong", &wrong),
        });
        page.give(Some(created))
    })
}

/// Frees a client.
#[wasm_bindgen(skip_typescript)]
pub fn drop_client(client: usize) {
    with(&CLIENTS, |clients| clients.remove(client));
}

/// Adds resources to the session of a client that came in no response to a call: those of the list in the first
/// `resources` bytes of the buffer.
#[wasm_bindgen(skip_typescript)]
pub fn observe(client: usize, resources: usize) {
    page(|page| {
        let resources = TextList::decode(page.bytes(resources));
        with(&CLIENTS, |clients| clients.get(client).map(|client| client.observe(resources)));
    });
}

/// Begins the [`crate::client::Call`] in the first `call` bytes of the buffer, and returns its number.
#[wasm_bindgen(skip_typescript)]
pub fn begin_call(call: usize) -> usize {
    let call = page(|page| Some(CallState::new(page.bytes(call))));
    call.map_or(0, |call| with(&CALLS, |calls| calls.add(call)))
}

/// Frees a call, at its end. Returns how many calls there are still.
#[wasm_bindgen(skip_typescript)]
pub fn end_call(call: usize) -> usize {
    with(&CALLS, |calls| {
        calls.remove(call);
        calls.values.len()
    })
}

/// Renders the next request of a call. Sets the headers except `Authorization` in `headers`: a `Headers`, or an object
/// with the same `set`. Returns the length of a `Rendered` (pkg/src/client/calls.ts): the address, or what is wrong
/// with the call.
#[wasm_bindgen(skip_typescript)]
pub fn render(client: usize, call: usize, headers: web_sys::Headers) -> usize {
    let headers = Headers::from_raw(headers);
    let rendered = with_both(client, call, |client, call| {
        let rendered = client.render(call, check_json, |name, value| headers.set(name, value));
        json::object(|object| match rendered {
            Ok(url) => object.text("url", &url),
            Err(wrong) => object.text("wrong", &wrong),
        })
    });
    page(|page| page.give(Some(rendered)))
}

/// Decides what follows the last attempt of a call, which got the [`Response`] in the first `response` bytes of the
/// buffer. Returns the length of a `Decision` (pkg/src/client/calls.ts).
#[wasm_bindgen(skip_typescript)]
pub fn decide(client: usize, call: usize, response: usize) -> usize {
    page(|page| {
        let response = Response::decode(page.bytes(response));
        let decision = with_both(client, call, |client, call| {
            let decision = client.next(call, &response);
            json::object(|object| {
                object.integer("step", decision.step as i64);
                // Pauses stay far below 2^53.
                object.integer("pause", decision.pause as i64);
                object.boolean("isUnknown", call.is_unknown());
            })
        });
        page.give(Some(decision))
    })
}

fn check_json(object: ObjectId, text: &str) -> Option<String> {
    page(|page| validate::check(page.shape(0)?.object(object), text))
}
