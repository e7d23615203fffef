//! The shape of the resources that the instance serves. Each instance has one, which it passes on: no other layer has
//! state of its own.

use core::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::prelude::wasm_bindgen;

use crate::shape::Shape;

thread_local! {
    /// An instance has one thread.
    static SHAPE: RefCell<Rc<Shape>> = RefCell::new(Rc::new(Shape::built_in()));
}

/// Lets the instance use a table of own fields ([`Shape::with_fields`]). Returns what is wrong with it. The entry calls
/// it before the instance gets a request.
#[wasm_bindgen(js_name = setFields)]
pub fn set_fields(table: &str) -> Option<String> {
    Shape::with_fields(table).map(|shape| SHAPE.set(Rc::new(shape))).err()
}

/// Returns the shape of the instance.
pub(super) fn current() -> Rc<Shape> {
    SHAPE.with_borrow(Rc::clone)
}
