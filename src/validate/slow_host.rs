//! The slow way to a number: the host's, which is there anyway, so that no second one (15 kB) is shipped.

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = Number)]
    fn number(text: &str) -> f64;
}

/// The double nearest to any number that JSON can write.
#[cold]
pub(super) fn nearest(text: &str) -> f64 {
    number(text)
}
