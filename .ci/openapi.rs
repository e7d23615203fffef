//! Prints the OpenAPI document without white space. Builds put it beside what they deploy (`.ci/openapi`).
#![allow(clippy::print_stdout, reason = "the output of a program")]

fn main() {
    // WebAssembly has no use for the document. There, cargo builds this program beside its tests.
    #[cfg(not(target_arch = "wasm32"))]
    print!("{}", resource_edge::openapi::document(&resource_edge::shape::Shape::built_in()));
}
