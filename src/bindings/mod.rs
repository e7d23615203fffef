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
use crate::util::json;

#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

thread_local! {
    /// The shapes of the page, by their numbers. The first is that of the interface.
    static SHAPES: RefCell<Vec<Rc<Shape>>> = RefCell::new(vec![Rc::new(Shape::built_in())]);
}

/// Returns the shape with a number. JavaScript passes only numbers of shapes that it added.
fn shape(number: usize) -> Rc<Shape> {
    SHAPES.with_borrow(|shapes| shapes.get(number).or(shapes.first()).map_or_else(Rc::default, Rc::clone))
}

/// Adds the shape of the JSON Schema in the first `bytes` bytes of the buffer ([`Shape::of_schema`]): its number is how
/// many there were. Returns what is wrong with it as JSON, with its place; undefined if it is valid.
#[wasm_bindgen(skip_typescript)]
pub fn add_shape(bytes: usize) -> Option<String> {
    // JavaScript encodes only the bytes of a text.
    let shape =
        buffer::body(bytes, |schema| Shape::of_schema(core::str::from_utf8(schema).unwrap_or_default()));
    match shape {
        Ok(shape) => {
            SHAPES.with_borrow_mut(|shapes| shapes.push(Rc::new(shape)));
            None
        }
        Err(refused) => Some(json::object(|object| {
            object.text("at", &refused.at);
            object.text("message", &refused.message);
        })),
    }
}

/// Lets the page use the table of own fields in the first `bytes` bytes of the buffer ([`Shape::with_fields`]). Returns
/// what is wrong with it; undefined if it is valid.
#[wasm_bindgen(skip_typescript)]
pub fn set_fields(bytes: usize) -> Option<String> {
    let shape =
        buffer::body(bytes, |table| Shape::with_fields(core::str::from_utf8(table).unwrap_or_default()));
    let set = |shape| SHAPES.with_borrow_mut(|shapes| shapes.splice(..1, [Rc::new(shape)]).for_each(drop));
    shape.map(set).err()
}
