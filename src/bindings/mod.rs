//! The functions that the JavaScript of `pkg/` calls. They are thin: JavaScript and Rust exchange only numbers and
//! bytes, and no values are built that JavaScript can build. Compiled only for the npm package: the client with the
//! validator, and the syntax check.

pub mod buffer;
#[cfg(feature = "client")]
pub mod client;
#[cfg(feature = "syntax")]
pub mod syntax;
#[cfg(feature = "client")]
pub mod validate;

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::prelude::wasm_bindgen;

use crate::shape::Shape;

#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

thread_local! {
    /// The shapes of the page, by their numbers. The first is that of the interface.
    static SHAPES: RefCell<Vec<Rc<Shape>>> = const { RefCell::new(Vec::new()) };
}

/// Returns the shape with a number. JavaScript passes only numbers of shapes that it added.
fn shape(number: usize) -> Rc<Shape> {
    shapes(|shapes| shapes.get(number).map(Rc::clone)).unwrap_or_default()
}

/// Uses the shapes. Nothing else uses them meanwhile; what panics then would be a part of the page.
fn shapes<T: Default>(use_them: impl FnOnce(&mut Vec<Rc<Shape>>) -> T) -> T {
    let used = SHAPES.try_with(|shapes| {
        let mut shapes = shapes.try_borrow_mut().ok()?;
        if shapes.is_empty() {
            shapes.push(Rc::new(Shape::built_in()));
        }
        Some(use_them(&mut shapes))
    });
    used.ok().flatten().unwrap_or_default()
}

/// Adds the shape of the plain schema in the first `bytes` bytes of the buffer ([`Shape::of_plain`]). Its number is how
/// many there were.
#[wasm_bindgen(skip_typescript)]
pub fn add_shape(bytes: usize) {
    // JavaScript encodes only the bytes of a text.
    let shape =
        buffer::body(bytes, |schema| Shape::of_plain(core::str::from_utf8(schema).unwrap_or_default()));
    shapes(|shapes| shapes.push(Rc::new(shape)));
}
