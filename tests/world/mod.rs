//! Everything together, while everything goes wrong. `torture`, which is JavaScript, is the same on workerd.

mod rights;
mod simulation;
