//! The buffer for bodies and messages: JavaScript writes into it and passes the number of bytes. This costs a third of
//! passing a string, and leaves no allocation behind.

use core::cell::Cell;
use core::mem::ManuallyDrop;

use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    /// Reused by each call, and never dropped. Its length is the largest reservation so far. A `RefCell` would add
    /// panics.
    static BUFFER: Cell<ManuallyDrop<Vec<u8>>> = const { Cell::new(ManuallyDrop::new(Vec::new())) };
}

/// Reserves space for a body or a message and returns its address. Only a larger reservation moves it.
#[wasm_bindgen(skip_typescript)]
pub fn reserve(bytes: usize) -> u32 {
    let mut buffer = BUFFER.take();
    if buffer.len() < bytes {
        buffer.resize(bytes, 0);
    }
    let address = buffer.as_ptr() as usize as u32;
    BUFFER.set(buffer);
    address
}

/// Passes the first `bytes` bytes of the buffer to `read` and returns its result. JavaScript that `read` calls must not
/// use the buffer.
pub(super) fn body<T>(bytes: usize, read: impl FnOnce(&[u8]) -> T) -> T {
    let buffer = BUFFER.take();
    let result = read(buffer.get(..bytes).unwrap_or_default());
    BUFFER.set(buffer);
    result
}
