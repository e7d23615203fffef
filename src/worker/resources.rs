//! The resources that the instance serves. Each instance has its own, which it passes on: no other layer has state of
//! its own.

use core::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::prelude::wasm_bindgen;

use crate::rights;
use crate::shape::Resources;
use crate::validate::read_resources;

thread_local! {
    /// An instance has one thread.
    static RESOURCES: RefCell<Rc<Resources>> = RefCell::default();
}

/// Lets the instance serve the resources of `resources.json`, whose content is `text`, as `JSON.stringify` writes it.
/// Returns what is wrong with it, after its place. The entry calls it before the instance gets a request.
#[wasm_bindgen(js_name = setResources)]
pub fn set_resources(text: &str) -> Option<String> {
    let read = read_resources(text).and_then(|resources| rights::check(&resources).map(|()| resources));
    let read = read.map(|resources| RESOURCES.set(Rc::new(resources)));
    read.err().map(|refused| refused.of_resources())
}

/// Returns the resources of the instance.
pub(super) fn current() -> Rc<Resources> {
    RESOURCES.with_borrow(Rc::clone)
}
