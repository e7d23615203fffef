//! The client's side of `pkg/client.js`: a call crosses as one text, and its request comes back as one; so does each
//! answer. Bodies stay JavaScript's, and so do tokens and everything that waits.

use wasm_bindgen::prelude::wasm_bindgen;

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
    /// A client by the text of its options ([`Options::parse`]).
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(options: &str) -> Self {
        Self(Client::new(&Options::parse(options)))
    }

    /// The service's address; or `!` and what is wrong with the options.
    #[must_use]
    pub fn base(&self) -> String {
        match &self.0 {
            Ok(client) => client.base().to_owned(),
            Err(wrong) => marked(wrong),
        }
    }

    /// The request of the call of that text ([`Call::parse`]): the oldest revision that it takes, the address, and names and
    /// values of headers, U+0000 between them; or `!` and what is wrong with the call.
    #[must_use]
    pub fn request(&self, text: &str) -> String {
        let (Ok(client), Some(call)) = (&self.0, Call::parse(text)) else { return marked("") };
        let floor = client.floor(&call);
        let mut out = String::new();
        match client.request(&call, floor) {
            Ok(request) => {
                // Revisions stay below 2^53.
                json::integer(&mut out, floor as i64);
                out.push('\0');
                out.push_str(&request);
            }
            Err(wrong) => return marked(&wrong),
        }
        out
    }

    /// What follows the answer of that text ([`Answer::parse`]) to the call of that text; to a request for a token, where
    /// the text is empty. A pause in milliseconds before the request is sent again, or a negative number: −1 it succeeded;
    /// −2 it failed; −3 it failed, and may succeed a little later; −4 send it again with another token.
    #[allow(clippy::too_many_arguments, reason = "numbers cross cheaper than an object")]
    pub fn next(
        &mut self,
        text: &str,
        answer: &str,
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
        match client.next(Call::parse(text).as_ref(), stage, &Answer::parse(answer), now as Millis, dice) {
            Next::Again(pause) => pause as f64,
            Next::Done => -1.0,
            Next::Fail(false) => -2.0,
            Next::Fail(true) => -3.0,
            Next::Renew => -4.0,
        }
    }
}
