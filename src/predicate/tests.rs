//! Predicates from text to condition or message.

mod print;
mod random;
mod sorting;
mod syntax;
mod typing;

use super::{Ast, Literal, Operand, Operands, Operator};
use crate::predicate::fields::lookup;
use crate::shape::{FieldPath, Shape};
use crate::util::json;

/// Returns the path of a field of the interface.
pub(crate) fn path(names: &str) -> FieldPath {
    let field = lookup(&Shape::built_in(), None, names.split('.')).expect(names);
    field.path.expect(names)
}
