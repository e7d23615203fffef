//! Prints the OpenAPI document without white space. Builds put it beside what they deploy (`.ci/openapi`).
#![allow(clippy::print_stdout, reason = "the output of a program")]

fn main() {
    print!("{}", resource_edge::openapi::document(&resource_edge::shape::Shape::built_in()));
}
