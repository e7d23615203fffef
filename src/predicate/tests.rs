//! Predicates from text to condition or message.

mod print;
mod random;
mod sorting;
mod syntax;
mod typing;

use super::{Ast, Literal, Operand, Operands, Operator};
use crate::util::json;
