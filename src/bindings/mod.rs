//! What the JavaScript of `pkg/` calls: thin, plain numbers and bytes across, and no values built that JavaScript can
//! build itself. Compiled for the npm package alone.

pub mod client;
pub mod validate;
