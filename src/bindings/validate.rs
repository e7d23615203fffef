//! The validator's side of `pkg/validate.js`: a body is written into the buffer here and judged where it lies, and what
//! is wrong comes back as one text and the lengths of its parts, so that a call costs one crossing and no allocation
//! of JavaScript's.

use core::cell::RefCell;

use wasm_bindgen::prelude::wasm_bindgen;

use crate::contract::error::Code;
use crate::contract::{limits, schema};
use crate::validate::{Issue, Rejection, explain, validate};

thread_local! {
    static BUFFERS: RefCell<Buffers> = const { RefCell::new(Buffers::new()) };
}

/// Used again by each call, so that validation leaves no allocation behind.
struct Buffers {
    /// The body; its length is what was reserved.
    body: Vec<u8>,
    answer: Answer,
}

/// What is wrong with a body, in a form that JavaScript reads with one decoding of text.
///
/// `words`: the number of issues, the count of those not listed, where `text` lies and its length in bytes, the length of
/// each part of the text in UTF-16 units. The parts of an issue: pointer, code, message, field, invalid value (JSON),
/// then the number of allowed values (a word that is no length) and those. An absent part has the length [`ABSENT`].
struct Answer {
    words: Vec<u32>,
    text: String,
}

const ABSENT: u32 = u32::MAX;
const HEAD: usize = 4;

impl Buffers {
    const fn new() -> Self {
        Self { body: Vec::new(), answer: Answer { words: Vec::new(), text: String::new() } }
    }
}

impl Answer {
    fn part(&mut self, text: &str) {
        let length = if text.is_ascii() { text.len() } else { text.encode_utf16().count() };
        self.words.push(length as u32);
        self.text.push_str(text);
    }

    fn maybe(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.part(text),
            None => self.words.push(ABSENT),
        }
    }

    fn issue(&mut self, issue: &Issue) {
        self.part(&issue.pointer);
        self.part(issue.code.wire());
        self.part(&issue.message);
        self.maybe(issue.field.as_deref());
        self.maybe(issue.invalid_value.as_deref());
        self.words.push(issue.allowed_values.len() as u32);
        for value in &issue.allowed_values {
            self.part(value);
        }
    }

    /// Replaces what was there, and returns the address of `words`.
    fn write(&mut self, issues: &[Issue], more: u32) -> u32 {
        self.words.clear();
        self.text.clear();
        self.words.extend([issues.len() as u32, more, 0, 0]);
        for issue in issues {
            self.issue(issue);
        }
        let place = [self.text.as_ptr() as usize as u32, self.text.len() as u32];
        for (word, value) in self.words.iter_mut().skip(HEAD - place.len()).zip(place) {
            *word = value;
        }
        self.words.as_ptr() as usize as u32
    }
}

/// Makes room for a body and returns its address, which the next larger reservation moves.
#[wasm_bindgen(skip_typescript)]
#[must_use]
pub fn reserve(bytes: usize) -> u32 {
    BUFFERS.with_borrow_mut(|buffers| {
        if buffers.body.len() < bytes {
            buffers.body.resize(bytes, 0);
        }
        buffers.body.as_ptr() as usize as u32
    })
}

/// Judges the body of that many bytes in the buffer by the schema of that number in [`schema::BODIES`]: 0 where it is
/// valid, else the address of the answer. `object` where it is a JavaScript object, written down for [`explain`].
#[wasm_bindgen(skip_typescript)]
#[must_use]
pub fn judge(kind: usize, bytes: usize, object: bool) -> u32 {
    BUFFERS.with_borrow_mut(|Buffers { body, answer }| {
        let (Some(schema), Some(body)) = (schema::BODIES.get(kind).copied(), body.get(..bytes)) else {
            return answer.write(&[], 0);
        };
        let verdict = if object {
            core::str::from_utf8(body).map_or(Ok(()), |text| explain(schema, text))
        } else {
            validate(schema, body, &mut ())
        };
        match verdict {
            Ok(()) => 0,
            Err(Rejection::Issues { issues, more }) => answer.write(&issues, more),
            Err(rejection) => answer.write(&[whole(Code::InvalidJsonInput, rejection.summary())], 0),
        }
    })
}

/// The answer to a body that is larger than any may be (D10), which is never written into the buffer.
#[wasm_bindgen(skip_typescript)]
#[must_use]
pub fn too_large() -> u32 {
    let message = ["The body is too large: at most ", &limits::BODY_BYTES.to_string(), " bytes are taken."];
    let issue = whole(Code::ContentTooLarge, message.concat());
    BUFFERS.with_borrow_mut(|buffers| buffers.answer.write(&[issue], 0))
}

/// An issue of the whole body.
fn whole(code: Code, message: String) -> Issue {
    Issue {
        pointer: String::new(),
        code,
        message,
        field: None,
        invalid_value: None,
        allowed_values: Vec::new(),
    }
}
