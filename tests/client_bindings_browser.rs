//! The tests of `client_bindings.rs` in a browser: a test program declares where it runs.
#![cfg(all(target_arch = "wasm32", feature = "client"))]

mod client_bindings;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
