//! The client's side of `pkg/client.js`: a call crosses as one text by the [`buffer`], and its request comes back as one; so
//! does each answer. Bodies stay JavaScript's, and so do tokens and everything that waits.

use wasm_bindgen::prelude::wasm_bindgen;

use super::buffer;
use crate::client::{Answer, Call, Client, Next, Options, Stage};
use crate::contract::json;
use crate::contract::time::Millis;

/// What stands before a sentence that says what is wrong, where something else was asked for.
const WRONG: &str = "!";

#[inline(never)]
fn marked(wrong: &str) -> String {
    let mut out = String::from(WRONG);
    out.push_str(wrong);
    out
}

/// A client of one project; freed with the `ResourceClient` that holds it.
#[wasm_bindgen(skip_typescript)]
pub struct ClientCore(Result<Client, String>);

#[wasm_bindgen]
impl ClientCore {
    /// A client by the text of its options ([`Options::parse`]), which is that many bytes of the buffer.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(options: usize) -> Self {
        Self(buffer::text(options, |options| Client::new(&Options::parse(options))))
    }

    /// The service's address; or `!` and what is wrong with the options.
    #[must_use]
    pub fn base(&self) -> String {
        match &self.0 {
            Ok(client) => client.base().to_owned(),
            Err(wrong) => marked(wrong),
        }
    }

    /// The request of the call whose text ([`Call::parse`]) is that many bytes of the buffer: the oldest revision that it
    /// takes, the address, and names and values of headers, U+0000 between them; or `!` and what is wrong with the call.
    #[must_use]
    pub fn request(&self, call: usize) -> String {
        buffer::text(call, |text| match (&self.0, Call::parse(text)) {
            (Ok(client), Some(call)) => request(client, &call),
            _ => marked(""),
        })
    }

    /// What follows an answer to a call, whose texts are in the buffer: the call ([`Call::parse`]; of no bytes for a request
    /// of a token), and right after it the answer ([`Answer::parse`]), `bytes` in all. A pause in milliseconds before the
    /// request is sent again, or a negative number: −1 it succeeded; −2 it failed; −3 it failed, and may succeed a little
    /// later; −4 send it again with another token; −5 make
    /// the call again, fresh.
    #[allow(clippy::too_many_arguments, reason = "numbers cross cheaper than an object")]
    pub fn next(
        &mut self,
        bytes: usize,
        call: usize,
        asked: f64,
        deadline: f64,
        retries: u32,
        renewable: bool,
        now: f64,
        dice: u32,
    ) -> f64 {
        let Ok(client) = &mut self.0 else { return -2.0 };
        // Infinity becomes the last of all instants.
        let stage = Stage { asked: asked as Millis, deadline: deadline as Millis, retries, renewable };
        let next = buffer::text(bytes, |text| {
            let [call, answer] = [text.get(..call), text.get(call..)].map(Option::unwrap_or_default);
            client.next(Call::parse(call).as_ref(), stage, &Answer::parse(answer), now as Millis, dice)
        });
        match next {
            Next::Again(pause) => pause as f64,
            Next::Done => -1.0,
            Next::Fail(false) => -2.0,
            Next::Fail(true) => -3.0,
            Next::Renew => -4.0,
            Next::Refresh => -5.0,
        }
    }
}

fn request(client: &Client, call: &Call<'_>) -> String {
    let floor = client.floor(call);
    match client.request(call, floor) {
        Ok(request) => {
            let mut out = String::new();
            // Revisions stay below 2^53.
            json::integer(&mut out, floor as i64);
            out.push('\0');
            out.push_str(&request);
            out
        }
        Err(wrong) => marked(&wrong),
    }
}
