//! Where texts and bodies cross: JavaScript writes them into one buffer and says how many bytes they are, which costs a
//! third of handing over a string, and leaves no allocation behind.

use core::cell::RefCell;

use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    /// Used again by each call; its length is the most that was reserved.
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Makes room for a body or a text and returns its address, which the next larger reservation moves.
#[wasm_bindgen(skip_typescript)]
#[must_use]
pub fn reserve(bytes: usize) -> u32 {
    BUFFER.with_borrow_mut(|buffer| {
        if buffer.len() < bytes {
            buffer.resize(bytes, 0);
        }
        buffer.as_ptr() as usize as u32
    })
}

/// What `read` makes of that many bytes of the buffer. It must not call JavaScript, which may write into it.
pub(super) fn body<T>(bytes: usize, read: impl FnOnce(&[u8]) -> T) -> T {
    BUFFER.with_borrow(|buffer| read(buffer.get(..bytes).unwrap_or_default()))
}

/// The same of a text, which JavaScript has encoded.
pub(crate) fn text<T>(bytes: usize, read: impl FnOnce(&str) -> T) -> T {
    body(bytes, |bytes| read(core::str::from_utf8(bytes).unwrap_or_default()))
}
