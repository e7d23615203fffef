//! The nearest double by the host, which can do it anyway: the standard library's way would add 15 kB.

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = Number)]
    fn number(text: &str) -> f64;
}

/// Returns the double nearest to the number in the text; NaN if it is no number.
#[cold]
pub(super) fn nearest(text: &str) -> f64 {
    number(text)
}
