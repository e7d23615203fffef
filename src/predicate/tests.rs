//! The whole way of a predicate, from text to condition or message.

mod random;
mod sorting;
mod syntax;
mod typing;
