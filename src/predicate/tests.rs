//! Predicates from text to condition or message.

mod random;
mod sorting;
mod syntax;
mod typing;
