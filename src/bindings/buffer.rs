//! The buffer in which bodies and messages cross: JavaScript writes into it and passes the number of bytes. This costs a
//! third of passing a string, and leaves no allocation behind.

use core::cell::RefCell;

use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    /// Reused by each call. Its length is the largest reservation.
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Reserves space for a body or a message and returns its address. Only a larger reservation moves it.
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

/// Passes that many bytes of the buffer to `read` and returns its result. JavaScript that `read` calls must not use the
/// buffer.
pub(super) fn body<T>(bytes: usize, read: impl FnOnce(&[u8]) -> T) -> T {
    BUFFER.with_borrow(|buffer| read(buffer.get(..bytes).unwrap_or_default()))
}
