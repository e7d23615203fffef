//! The functions that the JavaScript of `pkg/` calls. They are thin: JavaScript writes bodies and messages into a
//! buffer and passes numbers, and each function returns a number, often the length of a text. So JavaScript calls them
//! without generated wrappers, and no values are built that JavaScript can build. Compiled only for the npm package:
//! the client with the validator, and the syntax check.

#[cfg(feature = "client")]
pub mod client;
#[cfg(feature = "syntax")]
pub mod syntax;
#[cfg(feature = "client")]
pub mod validate;

use std::cell::RefCell;
use std::thread::LocalKey;

use wasm_bindgen::prelude::wasm_bindgen;

use crate::shape::Shape;

#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

/// What the functions have between two calls.
struct Page {
    /// Where JavaScript writes. Its length is the largest reservation so far.
    buffer: Vec<u8>,
    /// What the last function returned.
    result: String,
    /// The shapes of the page, by their numbers. The first is that of the interface.
    shapes: Vec<Shape>,
}

thread_local! {
    static PAGE: RefCell<Page> =
        const { RefCell::new(Page { buffer: Vec::new(), result: String::new(), shapes: Vec::new() }) };
}

impl Page {
    /// Returns the first `bytes` bytes of the buffer; none if it has fewer.
    #[inline(never)]
    fn bytes(&self, bytes: usize) -> &[u8] {
        self.buffer.get(..bytes).unwrap_or_default()
    }

    /// Returns the first `bytes` bytes of the buffer as a text. JavaScript encodes only the bytes of a text.
    #[inline(never)]
    fn text(&self, bytes: usize) -> &str {
        core::str::from_utf8(self.bytes(bytes)).unwrap_or_default()
    }

    /// Adds the shape of the interface, once. Apart, because each function does it.
    #[inline(never)]
    fn prepare(&mut self) {
        if self.shapes.is_empty() {
            self.shapes.push(Shape::built_in());
        }
    }

    /// Returns the shape with a number. JavaScript passes only numbers of shapes that it added; others are the first's.
    fn shape(&self, number: usize) -> Option<&Shape> {
        self.shapes.get(number).or(self.shapes.first())
    }

    /// Keeps a text for JavaScript, and returns its length: 0 if there is none.
    #[inline(never)]
    fn give(&mut self, text: Option<String>) -> usize {
        self.result = text.unwrap_or_default();
        self.result.len()
    }
}

/// Uses what is between two calls.
fn page<T: Default>(use_it: impl FnOnce(&mut Page) -> T) -> T {
    with(&PAGE, |page| {
        page.prepare();
        use_it(page)
    })
}

/// Uses a value. Nothing else uses it meanwhile; what panics then would be a part of the page.
fn with<S, T: Default>(key: &'static LocalKey<RefCell<S>>, use_it: impl FnOnce(&mut S) -> T) -> T {
    let used = key.try_with(|value| Some(use_it(&mut *value.try_borrow_mut().ok()?)));
    used.ok().flatten().unwrap_or_default()
}

/// Reserves space in the buffer for a body or a message, and returns its address. Only a larger reservation moves it.
#[wasm_bindgen(skip_typescript)]
pub fn reserve(bytes: usize) -> usize {
    page(|page| {
        if page.buffer.len() < bytes {
            page.buffer.resize(bytes, 0);
        }
        page.buffer.as_ptr() as usize
    })
}

/// Returns the address of the text that the last function returned by its length.
#[wasm_bindgen(skip_typescript)]
pub fn result() -> usize {
    page(|page| page.result.as_ptr() as usize)
}

/// Adds the shape of the plain schema in the first `bytes` bytes of the buffer ([`Shape::of_plain`]). Its number is how
/// many there were.
#[wasm_bindgen(skip_typescript)]
pub fn add_shape(bytes: usize) {
    page(|page| page.shapes.push(Shape::of_plain(page.text(bytes))));
}
